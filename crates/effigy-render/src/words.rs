//! Storage of angles, as degrees.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Angle;

impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_degrees().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        f64::deserialize(from).map(Angle::degrees)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Camera, Decoration, Facing, Model, NamedPose, PictureSpec, Pose, Shape, Size, View,
    };

    #[test]
    fn a_stored_specification_is_read_as_it_was() {
        let spec = PictureSpec::new(View::Figure, Size::px(64))
            .with_camera(Camera::orthographic(-25.3, 10.0))
            .with_model(Some(Model::Slim))
            .with_pose(Pose::between(NamedPose::Walk, NamedPose::Crouch, 0.7))
            .with_frame([Size::px(80), Size::px(200)])
            .with_decoration(Decoration {
                background: Some([1, 2, 3, 4]),
                padding: 5,
                shape: Shape::Rounded,
                shadow: true,
            });
        let isometric = PictureSpec::new(View::IsometricHead, Size::px(1));
        for stored in [spec, isometric.with_facing(Facing::BackLeft)] {
            let text = serde_json::to_string(&stored).expect("a specification has a text");
            let back: PictureSpec = serde_json::from_str(&text).expect("the text is whole");
            assert_eq!(back, stored, "{text}");
        }
    }

    /// Version 0.2.0 stored this text.
    #[test]
    fn old_specifications_get_defaults_for_new_parameters() {
        let rotation = r#"{"x":0.0,"y":0.0,"z":0.0}"#;
        let limbs = r#""head":R,"torso":R,"right_arm":R,"left_arm":R,"right_leg":R,"left_leg":R"#;
        let limbs = limbs.replace('R', rotation);
        let text = format!(
            r#"{{"view":"figure","size":64,"camera":{{"orthographic":{{"yaw":25.0,"pitch":10.0}}}},
            "pose":{{{limbs},"is_lowered":false}},"light":"soft","filter":"area",
            "framing":"pose","has_cape":true,
            "layers":"overlay","frame":null,
            "decoration":{{"background":null,"padding":0,"shape":"square","has_shadow":false}}}}"#
        );
        let spec: PictureSpec = serde_json::from_str(&text).expect("all that 0.2.0 had");
        let upright = PictureSpec::new(View::Figure, Size::px(64))
            .with_camera(Camera::orthographic(25.0, 10.0))
            .with_pose(NamedPose::Straight);
        assert_eq!(spec, upright);
    }

    #[test]
    fn a_stored_size_of_zero_is_refused() {
        let spec = PictureSpec::new(View::Face, Size::px(64));
        let text = serde_json::to_string(&spec).expect("a specification has a text");
        let empty = text.replace(r#""size":64"#, r#""size":0"#);
        assert_ne!(empty, text);
        serde_json::from_str::<PictureSpec>(&empty).expect_err("0 is no size");
    }
}
