//! The views and the outputs that a parameter applies to.

use effigy_render::View;

/// A group of views that share a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Views {
    /// Every view.
    All,
    /// The views in the isometric projection.
    Isometric,
    /// The flat and the isometric views.
    Fixed,
    /// The views that can be drawn from any side and in any pose.
    Free,
    /// The views that aren't flat and so have a light.
    Lit,
    /// The figure alone.
    Figure,
    /// The views that can show a cape.
    Caped,
    /// The views that show a ground.
    Grounded,
    /// The views that show arms.
    Armed,
}

impl Views {
    /// Returns `true` for a view of the group.
    #[must_use]
    pub const fn contains(self, view: View) -> bool {
        match self {
            Views::All => true,
            Views::Isometric => view.is_isometric(),
            Views::Fixed => !view.is_free(),
            Views::Free => view.is_free(),
            Views::Lit => !view.is_flat(),
            Views::Figure => matches!(view, View::Figure),
            Views::Caped => view.shows_cape(),
            Views::Grounded => view.shows_ground(),
            Views::Armed => view.shows_arms(),
        }
    }
}

/// A kind of response or file that has parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The picture of a player.
    Picture,
    /// The moving picture of a player.
    Moving,
    /// The picture of a texture or of a skin file.
    Texture,
    /// A group of players side by side.
    Group,
    /// A sheet of players in rows.
    Sheet,
    /// The skin file of a player.
    Skin,
    /// The cape of a player.
    Cape,
    /// A list of profiles.
    Profiles,
}

impl Output {
    /// The outputs that show views.
    pub(crate) const PICTURES: &'static [Output] = &[
        Output::Picture,
        Output::Moving,
        Output::Texture,
        Output::Group,
        Output::Sheet,
    ];

    /// Returns `true` if the output can show a view.
    #[must_use]
    pub const fn shows(self, view: View) -> bool {
        match self {
            Output::Moving => view.is_free(),
            Output::Group => matches!(view, View::Figure),
            _ => true,
        }
    }
}
