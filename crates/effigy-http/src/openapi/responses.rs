//! The responses of a route, as they are documented.

use effigy_service::{DIRECTION_ERROR, Endpoint};
use serde_json::{Value, json};

use crate::{
    metrics,
    respond::error::{INTERNAL, OVERLOADED, UPSTREAM_FAILED},
    routes::{Errors, Reply, Route},
};

const SVG: &str = "image/svg+xml";

/// A status and its response.
#[derive(Debug)]
pub(crate) struct ResponseDocs {
    pub(crate) status: u16,
    pub(crate) description: &'static str,
    /// Media types with their schemas. A response has one of them.
    pub(crate) content: Vec<(&'static str, Value)>,
    pub(super) headers: &'static [&'static str],
}

/// Returns all responses of a route.
pub(crate) fn responses(route: &Route) -> Vec<ResponseDocs> {
    let replies = route.replies.iter().flat_map(|reply| of_reply(*reply));
    replies.chain(of_errors(route.errors)).collect()
}

fn of_reply(reply: Reply) -> Vec<ResponseDocs> {
    let picture = || ResponseDocs::new(200, "The picture").file("image/png");
    match reply {
        Reply::Picture => cached(picture()),
        Reply::PictureOrSvg => cached(picture().file(SVG)),
        Reply::Preview => vec![picture()],
        Reply::PreviewOrSvg => vec![picture().file(SVG)],
        Reply::Json(schema) => vec![document(schema)],
        Reply::CachedJson(schema) => cached(document(schema)),
        Reply::Metrics => {
            let text = json!({ "type": "string" });
            vec![ResponseDocs::new(200, "The metrics").body(metrics::CONTENT_TYPE, text)]
        }
        Reply::BadDirection => vec![ResponseDocs::error(
            400,
            "The direction is missing or invalid, or an escape is malformed",
            &[DIRECTION_ERROR, "Malformed URL"],
        )],
        Reply::BadSkinFile => bad_skin_file(),
        Reply::NotFound => vec![ResponseDocs::error(
            404,
            "The path is incomplete, or the view, texture or cape does not exist",
            &[],
        )],
        Reply::Redirect => vec![ResponseDocs {
            headers: &["Location"],
            ..ResponseDocs::new(301, "The path with the UUID without dashes")
        }],
        Reply::Unprocessable(messages) => {
            let description = "A parameter is invalid";
            vec![ResponseDocs::error(422, description, messages)]
        }
        Reply::Unhealthy => {
            let schema = json!({ "$ref": "#/components/schemas/Unhealthy" });
            let description = "More than half of the recent checks failed";
            vec![ResponseDocs::new(503, description).body("application/json", schema)]
        }
    }
}

fn bad_skin_file() -> Vec<ResponseDocs> {
    let error = ResponseDocs::error;
    vec![
        error(
            400,
            "The file is not a skin, or a parameter is invalid",
            &[],
        ),
        error(405, "The view does not exist", &["Method not allowed"]),
        error(
            408,
            "The file did not arrive in time",
            &["The skin file did not arrive completely in time"],
        ),
        error(
            413,
            "The file is too large",
            &["A skin file has at most 1 MiB"],
        ),
        error(
            503,
            "Too many previews are in flight; try again later",
            &["Too many previews at once"],
        ),
    ]
}

fn of_errors(errors: Errors) -> Vec<ResponseDocs> {
    let error = ResponseDocs::error;
    match errors {
        Errors::Specified(endpoint) => {
            let description = match endpoint {
                Endpoint::AllStats
                | Endpoint::AllStatsBedrock
                | Endpoint::AllStatsSorted
                | Endpoint::Health => "The database does not answer",
                _ => "The player does not exist, an upstream failed, or the picture is too large",
            };
            vec![error(500, description, &[endpoint.error_message()])]
        }
        Errors::ByReason { not_found } => vec![
            error(400, "A parameter is invalid", &[]),
            error(404, "It does not exist", &[not_found, "Not found"]),
            error(500, "An internal error", &[INTERNAL]),
            error(502, "An upstream failed", &[UPSTREAM_FAILED]),
            error(503, "Overloaded; try again later", &[OVERLOADED]),
        ],
        Errors::ByStatus => vec![
            error(500, "The picture could not be drawn", &[]),
            error(502, "An upstream failed", &[]),
            error(503, "Overloaded; try again later", &[]),
        ],
        Errors::None => Vec::new(),
    }
}

/// A response that clients may cache for the rest of its hour.
fn cached(response: ResponseDocs) -> Vec<ResponseDocs> {
    vec![
        ResponseDocs {
            headers: &["ETag", "Last-Modified", "Cache-Control", "X-Cache"],
            ..response
        },
        ResponseDocs::new(304, "The client has it already"),
    ]
}

/// A JSON document, by the name of its schema.
fn document(schema: &str) -> ResponseDocs {
    let reference = json!({ "$ref": format!("#/components/schemas/{schema}") });
    ResponseDocs::new(200, "The document").body("application/json", reference)
}

impl ResponseDocs {
    fn new(status: u16, description: &'static str) -> Self {
        Self {
            status,
            description,
            content: Vec::new(),
            headers: &[],
        }
    }

    fn body(mut self, media_type: &'static str, schema: Value) -> Self {
        self.content.push((media_type, schema));
        self
    }

    fn file(self, media_type: &'static str) -> Self {
        self.body(media_type, json!({ "type": "string", "format": "binary" }))
    }

    /// An error with one of these messages, or with any if there are none.
    fn error(status: u16, description: &'static str, messages: &[&str]) -> Self {
        let message = match messages {
            [] => json!({ "type": "string" }),
            [message] => json!({ "const": message }),
            messages => json!({ "enum": messages }),
        };
        let schema = json!({
            "type": "object",
            "required": ["error"],
            "properties": { "error": message },
            "additionalProperties": false,
        });
        Self::new(status, description).body("application/json", schema)
    }
}
