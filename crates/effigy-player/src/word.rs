//! Enums whose values are written as words, such as `java` or `slim`.

/// A word that is not a value of an enum.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one of: {}", expected.join(", "))]
pub struct ParseError {
    /// The words of the enum.
    pub expected: Vec<&'static str>,
}

/// Defines an enum whose variants are written and parsed as words.
///
/// The macro adds:
///
/// - the constants `ALL`, every variant, and `WORDS`, their words in the same order;
/// - `as_str()`, which is `const`, and `Display`;
/// - `FromStr`, which fails with a [`ParseError`] that has all words; letter case matters;
/// - `Serialize` and `Deserialize` as a word, with the feature `serde`.
///
/// ```
/// effigy_player::word_enum! {
///     /// A color of a traffic light.
///     #[derive(Debug, Clone, Copy, PartialEq, Eq)]
///     pub enum Light {
///         /// Drive.
///         Green = "green",
///         /// Wait.
///         Red = "red",
///     }
/// }
///
/// assert_eq!("red".parse(), Ok(Light::Red));
/// assert_eq!(Light::ALL, [Light::Green, Light::Red]);
/// assert_eq!(Light::WORDS, ["green", "red"]);
/// ```
#[macro_export]
macro_rules! word_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)+
        }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
        }

        impl $name {
            /// Every variant, in the order of their declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words of the variants, in the order of [`ALL`](Self::ALL).
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the word of the variant.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ParseError;

            fn from_str(word: &str) -> Result<Self, $crate::ParseError> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::ParseError { expected: Self::WORDS.to_vec() }),
                }
            }
        }

        $crate::store_as_word!($name);
    };
}

/// Implements `Serialize` and `Deserialize` for an enum of words.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! store_as_word {
    ($name:ident) => {
        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = <String as $crate::serde::Deserialize>::deserialize(from)?;
                word.parse().map_err($crate::serde::de::Error::custom)
            }
        }
    };
}

/// Does nothing without the feature `serde`.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! store_as_word {
    ($name:ident) => {};
}
