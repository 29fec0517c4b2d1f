//! Lists of profiles.

use std::time::SystemTime;

use effigy_service::{Failure, Image, Origin};
use serde_json::json;

use super::{Call, Handled, Handlers};
use crate::respond::{JSON, error::status_and_message, image::file_response};

impl Handlers {
    /// Responds with the profile of each player, or the reason why there is none.
    pub(super) async fn profiles(&self, inputs: &[String], call: &Call) -> Handled {
        let profiles = self.service.profiles(call.client, inputs).await?;
        let mut failures = profiles.iter().filter_map(|profile| profile.as_ref().err());
        // As for a single one.
        if profiles.iter().all(Result::is_err)
            && let Some(outage) = failures.find(|failure| failure.is_outage())
        {
            return Err(outage.clone());
        }
        let now = self.service.now();
        let lacks_player = profiles.iter().any(Result::is_err);
        let entry = |profile: Result<_, _>| profile.unwrap_or_else(|error| failed(&error, now));
        let list = list(profiles.into_iter().map(entry).collect(), now);
        let list = list.lacking_player(lacks_player, now);
        Ok(file_response(&list, now, &call.head.headers))
    }
}

/// Returns the list of these entries. It is as old as the oldest.
fn list(entries: Vec<Image>, now: SystemTime) -> Image {
    let files: Vec<&[u8]> = entries.iter().map(|entry| &*entry.file.data).collect();
    let data = [b"[", files.join(&b',').as_slice(), b"]"].concat();
    let greatest = entries.iter().map(|entry| entry.origin).max();
    let origin = greatest.unwrap_or(Origin::Render);
    let oldest = entries.iter().map(|entry| entry.file.created_at).min();
    let created_at = oldest.unwrap_or(now);
    Image {
        may_change: entries.iter().any(|entry| entry.may_change),
        ..Image::made(data, JSON, created_at, origin)
    }
}

/// Returns the entry of a player without a profile: the error, with the status that the response for the player alone has.
fn failed(failure: &Failure, now: SystemTime) -> Image {
    let (status, message) = status_and_message(failure);
    let entry = json!({ "error": message, "status": status.as_u16() });
    let origin = Origin::of(failure.is_certain());
    Image::made(entry.to_string(), JSON, now, origin)
}
