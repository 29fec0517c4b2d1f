//! Serde: values as their words, and angles as degrees.

use std::borrow::Cow;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Angle, Facing, Framing, ImageFormat, Layers, Light, NamedPose, Shape, View};

macro_rules! serialize_as_words {
    ($($name:ident)+) => {
        $(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let word = Cow::<str>::deserialize(deserializer)?;
                    word.parse().map_err(D::Error::custom)
                }
            }
        )+
    };
}

serialize_as_words!(Facing Framing ImageFormat Layers Light NamedPose Shape View);

impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_degrees().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Angle::degrees)
    }
}
