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
    /// Responds with the profile of each player, or the reason why there is none.
    pub(super) async fn profiles(&self, inputs: &[String], call: &Call) -> Handled {
        let version = version(call.head.uri.query());
        let profiles = self.service.profiles(call.client, inputs, version).await?;
        let mut failures = profiles.iter().filter_map(|profile| profile.as_ref().err());
        // As for a single one.
        if profiles.iter().all(Result::is_err)
            && let Some(outage) = failures.find(|failure| failure.is_outage())
        {
            return Err(outage.clone());
        }
        let now = self.service.now();
        let mut entries = Vec::new();
        for (profile, input) in profiles.into_iter().zip(inputs) {
            let entry = profile.unwrap_or_else(|error| failed(input, &error, now));
            entries.push(entry);
        }
        let list = list(entries, now);
        Ok(file_response(
            &list,
            now,
            &call.head.headers,
            &self.cache_control,
        ))
    }
}

/// Returns the list of these entries. Clients may cache it as long as the entry that they may cache
/// least.
fn list(entries: Vec<ServedFile>, now: SystemTime) -> ServedFile {
    let files: Vec<&[u8]> = entries.iter().map(|entry| &*entry.file.data).collect();
    let data = [b"[", files.join(&b',').as_slice(), b"]"].concat();
    // The times of the checks are no part of the tag.
    let tags: Vec<&[u8]> = entries.iter().map(|entry| &entry.fingerprint[..]).collect();
    let origin = entries.iter().map(|entry| entry.origin).max();
    let shelf_life = entries.iter().map(|entry| entry.shelf_life).max();
    let list = ServedFile::made(data, JSON, now);
    ServedFile {
        fingerprint: fingerprint(&tags.concat()),
        ..list
            .with_origin(origin.unwrap_or(Origin::Render))
            .with_shelf_life(shelf_life.unwrap_or(ShelfLife::Usual))
    }
}

/// Returns the entry of a player without a profile: the player as the request has it, and the error
/// with the status that the response for the player alone has.
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
