//! The fields of parameters on the page.

use effigy_render::View;

/// Values, each with its label. The first value is empty and means the default.
pub type Labels = &'static [(&'static str, &'static str)];

/// The field of a parameter on the page that makes pictures.
#[derive(Debug, Clone, Copy)]
pub enum Control {
    /// No field. The page keeps the value of a link.
    Hidden,
    /// A field for a whole number.
    Number {
        /// The label of the field.
        label: &'static str,
    },
    /// A field with a slider for an angle.
    Slider {
        /// The label of the field.
        label: &'static str,
        /// The greatest angle to either side.
        limit: i32,
    },
    /// A slider for the bend of a limb, with the range of the parameter.
    Bend {
        /// The label of the field.
        label: &'static str,
    },
    /// Three sliders for the rotation of a limb.
    Limb {
        /// The label of the fields.
        label: &'static str,
        /// The greatest angles to either side about the axes x, y and z.
        limits: [i32; 3],
    },
    /// A list of values.
    Choice {
        /// The label of the list.
        label: &'static str,
        /// The values.
        values: Labels,
    },
    /// A list of players, and a field for any other player.
    Player {
        /// The label of the list.
        label: &'static str,
        /// The players of the list.
        values: Labels,
    },
    /// A picture for each word of the parameter, in groups.
    Gallery {
        /// The legend of the pictures.
        label: &'static str,
        /// The view of the pictures.
        view: View,
        /// The headings of the groups, in their order.
        groups: &'static [&'static str],
        /// Returns the heading of a word.
        group_of: fn(&str) -> &'static str,
    },
    /// A picture for each value.
    Tiles {
        /// The legend of the pictures.
        label: &'static str,
        /// The view of the pictures.
        view: View,
        /// The values.
        values: Labels,
    },
}
