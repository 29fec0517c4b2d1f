//! Drawing of several players, and the document of their places.

use effigy_render::{Arrangement, Cape, ImageFormat, Player, RenderError};
use serde_json::{Value, json};

use super::{
    batch::Appearances,
    draw::{drawing_bytes, encode},
    step::Flow,
};
use crate::{
    Fault, GroupLayout, GroupRequest, Image, Origin, Turn,
    error::{ServiceError, Shared},
    players::Appearance,
};

impl Flow<'_> {
    /// Makes the file of a group when it is the client's turn.
    pub(super) async fn draw_group(
        &self,
        request: GroupRequest,
        shown: Appearances,
        missing: Vec<bool>,
    ) -> Result<Image, ServiceError> {
        let clock = self.state.clock.clone();
        let columns = match request.layout {
            GroupLayout::Line => request.players().len() as u64,
            GroupLayout::Sheet { columns } => u64::from(columns),
        };
        let memory = drawing_bytes(&request.spec, columns);
        let work = move |turn: &Turn| {
            let (file, content_type) = draw(&request, &shown, &missing, turn)?;
            let origin = origin(&shown);
            Ok(Image::made(file, content_type, clock.now(), origin))
        };
        self.client.work(memory, work).await?
    }
}

/// Returns the origin of a picture of these players.
fn origin(shown: &Appearances) -> Origin {
    let is_complete = |shown: &Shared<Appearance>| match shown {
        Ok(appearance) => appearance.origin == Origin::Render,
        // The service itself may be at fault too.
        Err(error) => matches!(error.fault(), Fault::NotFound | Fault::Request),
    };
    match shown.iter().all(is_complete) {
        true => Origin::Render,
        false => Origin::OutageFallback,
    }
}

/// Makes the file, with its media type.
fn draw(
    request: &GroupRequest,
    shown: &Appearances,
    missing: &[bool],
    turn: &Turn,
) -> Result<(Vec<u8>, &'static str), RenderError> {
    let cape = |shown: &Shared<Appearance>| shown.as_ref().ok()?.decode_cape();
    let capes: Vec<Option<Cape>> = shown.iter().map(cape).collect();
    let players = shown.iter().zip(&capes).map(|(shown, cape)| {
        let appearance = shown.as_ref().ok()?;
        Some(appearance.player(cape.as_ref()))
    });
    let players: Vec<Option<Player<'_>>> = players.collect();
    let arrangement = match request.layout {
        GroupLayout::Line => request.spec.group(&players),
        GroupLayout::Sheet { columns } => request.spec.sheet(&players, columns),
    }?;
    if request.is_places {
        let document = document(request, &arrangement, missing).to_string();
        return Ok((document.into_bytes(), "application/json"));
    }
    let format = ImageFormat::Png;
    let file = encode(&arrangement.picture, format, turn)?;
    Ok((file, format.content_type()))
}

/// Returns the JSON document of the places.
fn document(request: &GroupRequest, arrangement: &Arrangement<'_>, missing: &[bool]) -> Value {
    let places = arrangement.places.iter().zip(missing);
    let players = request.players().iter().zip(places);
    let players = players.map(|(player, (place, missing))| {
        json!({
            "player": player,
            "x": place.x,
            "y": place.y,
            "width": place.width,
            "height": place.height,
            "missing": missing,
        })
    });
    json!({
        "width": arrangement.picture.width(),
        "height": arrangement.picture.height(),
        "players": players.collect::<Value>(),
    })
}
