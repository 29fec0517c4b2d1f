//! The pages for people.

use std::time::Duration;

use bytes::Bytes;
use effigy_player::PlayerId;
use effigy_service::{Endpoint, Fault, Image};
use hyper::{
    StatusCode,
    header::{CACHE_CONTROL, HOST, VARY},
    http::{request::Parts, uri::Authority},
};
use serde::Deserialize;
use tokio::time::timeout;

use super::{App, Call, Failure};
use crate::{
    respond::{
        Response,
        document::document_response,
        error::{LIMITED, error},
        reason::{missing, outage},
        set,
    },
    routes::{INTERNAL, NOT_FOUND, Query},
    site::{
        landing::{self, Subject, Surroundings},
        not_found::NOT_FOUND_PAGE,
        page_params::PageParams,
        template::HTML,
    },
};

/// The longest time that the landing page waits for its player.
const PATIENCE: Duration = Duration::from_secs(4);

/// The part of a profile that the page shows.
#[derive(Deserialize)]
struct Profile {
    edition: String,
    default_skin: bool,
}

impl App {
    /// Responds with the landing page, whose player is looked up first.
    pub(super) async fn landing_page(&self, call: &Call<'_>) -> Response {
        let query = Query::parse_lossy(call.head.uri.query());
        let params = PageParams::parse(&query, self.showcase.first);
        let subject = self.subject(&params.player, call).await;
        let around = Surroundings {
            showcase: &self.showcase,
            has_previews: self.has_previews,
            origin: &origin(call.head),
        };
        let page = landing::page(&params, &subject, &around);
        document_response(HTML, Bytes::from(page), &call.head.headers)
    }

    /// Looks the player of the page up.
    async fn subject(&self, input: &str, call: &Call<'_>) -> Subject {
        let player = match PlayerId::detect(input) {
            Ok(player) => player,
            Err(error) => return Subject::Missing(error.into()),
        };
        let stored = self.service.stored_file(Endpoint::Profile, input);
        let make = self.service.profile(input);
        let found = timeout(PATIENCE, self.find_or_make(call, 1, stored, make)).await;
        match found {
            Ok(Ok(profile)) => subject_of(&profile),
            Ok(Err(Failure::Service(error))) if error.fault() == Fault::NotFound => {
                Subject::Missing(missing(&player))
            }
            Ok(Err(Failure::Limited(_))) => Subject::Unknown(LIMITED),
            Ok(Err(Failure::Service(_))) | Err(_) => Subject::Unknown(outage(player.edition())),
        }
    }
}

/// Returns the subject of a profile in JSON. Another version may have stored it in another form.
fn subject_of(profile: &Image) -> Subject {
    let profile = serde_json::from_slice::<Profile>(&profile.file.data).ok();
    let found = profile.and_then(|profile| {
        Some(Subject::Found {
            edition: profile.edition.parse().ok()?,
            has_skin: !profile.default_skin,
        })
    });
    found.unwrap_or(Subject::Unknown(INTERNAL))
}

/// Returns scheme and host as the client names them, so that a copied URL leads here. It is shown only to
/// the client itself.
fn origin(head: &Parts) -> String {
    let of_proxy = head.headers.get("x-forwarded-proto");
    let scheme = match of_proxy {
        Some(scheme) if scheme == "https" => "https",
        _ => "http",
    };
    let of_header = || head.headers.get(HOST)?.to_str().ok();
    let host = head
        .uri
        .authority()
        .map(Authority::as_str)
        .or_else(of_header);
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// Responds to a path that no route has: with a page if the client shows pages.
pub(super) fn unknown_path(call: &Call<'_>) -> Response {
    let status = StatusCode::NOT_FOUND;
    let mut response = match call.accepts("text/html") {
        true => NOT_FOUND_PAGE.unconditional_response(status, &call.head.headers),
        false => error(status, NOT_FOUND),
    };
    set(&mut response, CACHE_CONTROL, "no-store");
    set(&mut response, VARY, "Accept, Accept-Encoding");
    response
}
