//! Lists of profiles.

use std::time::SystemTime;

use effigy_service::{Failure, Origin, ServedFile, ShelfLife, fingerprint};
use serde_json::json;

use super::{Call, Handled, Handlers};
use crate::{
    respond::{JSON, code::ErrorCode, error::status_and_message, image::file_response},
    routes::version,
};

impl Handlers {
    /// Responds with a list of profiles. A player without a profile has an error in its place.
    pub(super) async fn profiles(&self, inputs: &[String], call: &Call) -> Handled {
        let version = version(call.head.uri.query());
        let profiles = self.service.profiles(call.client, inputs, version).await?;
        if let Some(outage) = outage_of_all(&profiles) {
            return Err(outage.clone());
        }
        let now = self.service.now();
        let mut entries = Vec::new();
        for (profile, input) in profiles.into_iter().zip(inputs) {
            let entry = profile.unwrap_or_else(|failure| failed(input, &failure, now));
            entries.push(entry);
        }
        let list = list(&entries, now);
        Ok(file_response(
            &list,
            now,
            &call.head.headers,
            &self.cache_control,
        ))
    }
}

/// Returns the outage that is the answer if no player has a profile, as it is for a single player.
fn outage_of_all(profiles: &[Result<ServedFile, Failure>]) -> Option<&Failure> {
    let mut outage = None;
    for profile in profiles {
        match profile {
            Ok(_) => return None,
            Err(failure) if outage.is_none() && failure.is_outage() => outage = Some(failure),
            Err(_) => {}
        }
    }
    outage
}

/// Returns the list of these entries. Clients may cache it as long as its most perishable entry.
fn list(entries: &[ServedFile], now: SystemTime) -> ServedFile {
    let files: Vec<&[u8]> = entries.iter().map(|entry| &*entry.file.data).collect();
    let data = [b"[", files.join(&b',').as_slice(), b"]"].concat();
    let origin = entries.iter().map(|entry| entry.origin).max();
    let shelf_life = entries.iter().map(|entry| entry.shelf_life).max();
    // Unlike the data, the tags of the entries don't change with the times of the checks.
    let tags: Vec<&[u8]> = entries.iter().map(|entry| &entry.fingerprint[..]).collect();
    let fingerprint = fingerprint(&tags.concat());
    ServedFile::made_with_fingerprint(data, JSON, now, fingerprint)
        .with_origin(origin.unwrap_or(Origin::Render))
        .with_shelf_life(shelf_life.unwrap_or(ShelfLife::Usual))
}

/// Returns the entry of a player without a profile: the player as in the request, and the error and
/// status of a request for this player alone.
fn failed(player: &str, failure: &Failure, now: SystemTime) -> ServedFile {
    let (status, message) = status_and_message(failure);
    let entry = json!({
        "player": player,
        "error": message,
        "code": ErrorCode::of_failure(failure).as_str(),
        "status": status.as_u16(),
    });
    let shelf_life = if failure.is_certain() {
        ShelfLife::Short
    } else {
        ShelfLife::Revalidate
    };
    ServedFile::made(entry.to_string(), JSON, now).with_shelf_life(shelf_life)
}
