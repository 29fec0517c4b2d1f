//! Lists of profiles.

use std::time::SystemTime;

use effigy_service::{Failure, Image, Origin};
use serde_json::json;

use super::{Call, Handled, Handlers};
use crate::respond::{JSON, error::status_and_message, image::file_response};

type Profile = Result<Image, Failure>;

impl Handlers {
    /// Responds with the profile of each player, or the reason why there is none.
    pub(super) async fn profiles(&self, inputs: &[String], call: &Call) -> Handled {
        let profiles = self.service.profiles(&call.client, inputs).await?;
        let mut failures = profiles.iter().filter_map(|profile| profile.as_ref().err());
        // As for a single one.
        if profiles.iter().all(Result::is_err)
            && let Some(outage) = failures.find(|failure| failure.is_outage())
        {
            return Err(outage.clone());
        }
        let now = self.service.now();
        let list = call.client.charged(|| list(&profiles, now));
        Ok(file_response(&list, now, &call.head.headers))
    }
}

/// Returns the list of the bodies that the responses for each player have, errors with their statuses. It is as old as the
/// oldest.
fn list(profiles: &[Profile], now: SystemTime) -> Image {
    let entries: Vec<Vec<u8>> = profiles.iter().map(entry).collect();
    let found = || profiles.iter().flatten();
    let data = [b"[", entries.join(&b',').as_slice(), b"]"].concat();
    let origin = profiles.iter().map(origin).max().unwrap_or(Origin::Render);
    let oldest = found().map(|image| image.file.created_at).min();
    let created_at = oldest.unwrap_or(now);
    let list = Image {
        may_change: found().any(|image| image.may_change),
        ..Image::made(data, JSON, created_at, origin)
    };
    list.lacking_player(profiles.iter().any(Result::is_err), now)
}

fn entry(profile: &Profile) -> Vec<u8> {
    match profile {
        Ok(image) => image.file.data.to_vec(),
        Err(failure) => {
            let (status, message) = status_and_message(failure);
            let entry = json!({ "error": message, "status": status.as_u16() });
            entry.to_string().into_bytes()
        }
    }
}

fn origin(profile: &Profile) -> Origin {
    match profile {
        Ok(image) => image.origin,
        Err(failure) => Origin::of(failure.is_certain()),
    }
}
