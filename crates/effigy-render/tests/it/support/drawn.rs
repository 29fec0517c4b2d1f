//! The fixture skins, decoded.

use effigy_render::{Model, Skin};
use fixtures::Fixture;

/// The skin on the model that it was drawn for.
pub(crate) fn worn(fixture: &Fixture) -> Skin {
    let model = if fixture.slim {
        Model::Slim
    } else {
        Model::Classic
    };
    Skin::decode(fixture.png, model).expect(fixture.name)
}
