//! Documented responses.

use effigy_service::{DIRECTION_ERROR, Endpoint};
use serde_json::{Value, json};

use crate::{
    metrics,
    respond::{
        error::{INTERNAL, LIMITED, OVERLOADED, UPSTREAM_FAILED},
        reason::{GEYSER_FAILED, MOJANG_FAILED},
    },
    routes::route::Errors,
};

/// A status and its response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) description: &'static str,
    /// Media types with their schemas. A response has one of them.
    pub(crate) content: Vec<(&'static str, Value)>,
    pub(crate) headers: &'static [&'static str],
}

impl Reply {
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

    /// A JSON document, by the name of its schema.
    fn document(self, schema: &str) -> Self {
        let reference = format!("#/components/schemas/{schema}");
        self.body("application/json", json!({ "$ref": reference }))
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

    pub(in crate::routes) fn picture() -> Self {
        Self::new(200, "The picture").file("image/png")
    }

    pub(in crate::routes) fn picture_or_svg() -> Self {
        Self::picture().file("image/svg+xml")
    }

    /// Adds a JSON document that some clients get instead.
    pub(in crate::routes) fn or_json(self, schema: &str) -> Self {
        self.document(schema)
    }

    pub(in crate::routes) fn json(schema: &str) -> Self {
        Self::new(200, "The document").document(schema)
    }

    pub(in crate::routes) fn metrics() -> Self {
        let text = json!({ "type": "string" });
        Self::new(200, "The metrics").body(metrics::CONTENT_TYPE, text)
    }

    /// The response with the headers of one that clients may cache.
    pub(in crate::routes) fn cached(self) -> Self {
        let headers = &["ETag", "Last-Modified", "Cache-Control", "X-Cache"];
        Self { headers, ..self }
    }

    pub(in crate::routes) fn not_modified() -> Self {
        Self::new(304, "The client's copy is still current")
    }

    pub(in crate::routes) fn redirect() -> Self {
        Self {
            headers: &["Location"],
            ..Self::new(
                301,
                "The player is a dashed UUID: use the path with the UUID without dashes",
            )
        }
    }

    pub(in crate::routes) fn bad_direction() -> Self {
        Self::error(
            400,
            "The direction is missing or invalid, or an escape is malformed",
            &[DIRECTION_ERROR, "Malformed URL"],
        )
    }

    pub(in crate::routes) fn not_found() -> Self {
        Self::error(
            404,
            "The path is incomplete, or the view, texture or cape does not exist",
            &[],
        )
    }

    /// A parameter is invalid; one of these messages says which.
    pub(in crate::routes) fn unprocessable(messages: &[&str]) -> Self {
        Self::error(422, "A parameter is invalid", messages)
    }

    pub(in crate::routes) fn unhealthy() -> Self {
        Self::new(503, "More than half of the recent checks failed").document("Unhealthy")
    }

    fn limited() -> Self {
        Self::error(429, "The client has used its share", &[LIMITED])
    }

    pub(in crate::routes) fn bad_skin_file() -> Vec<Self> {
        vec![
            Self::error(
                400,
                "The file is not a skin, or a parameter is invalid or unknown",
                &[],
            ),
            Self::error(405, "The view does not exist", &["Method not allowed"]),
            Self::error(
                408,
                "The file did not arrive in time",
                &["The skin file did not arrive completely in time"],
            ),
            Self::error(
                413,
                "The file is too large",
                &["A skin file has at most 1 MiB"],
            ),
            Self::error(415, "The body is a form instead of the file", &[]),
            Self::limited(),
            Self::error(
                503,
                "Too many previews are in flight; try again later",
                &["Too many previews at once"],
            ),
        ]
    }

    pub(in crate::routes) fn of_errors(errors: Errors) -> Vec<Self> {
        match errors {
            Errors::Specified(endpoint) => {
                let description = match endpoint {
                    Endpoint::AllStats
                    | Endpoint::AllStatsBedrock
                    | Endpoint::AllStatsSorted
                    | Endpoint::Health => "The database does not answer",
                    _ => {
                        "The player does not exist, an upstream failed, the service is overloaded, or the picture is \
                         too large"
                    }
                };
                vec![Self::error(500, description, &[endpoint.error_message()])]
            }
            Errors::ByReason(_) => vec![
                Self::error(400, "A parameter is invalid or unknown", &[]),
                Self::error(
                    404,
                    "The player, texture or cape does not exist; the message says why",
                    &[],
                ),
                Self::limited(),
                Self::error(500, "An internal error", &[INTERNAL]),
                Self::error(
                    502,
                    "An upstream failed",
                    &[MOJANG_FAILED, GEYSER_FAILED, UPSTREAM_FAILED],
                ),
                Self::error(503, "Overloaded; try again later", &[OVERLOADED]),
            ],
            Errors::ByStatus => vec![
                Self::limited(),
                Self::error(500, "The picture could not be drawn", &[]),
                Self::error(502, "An upstream failed", &[]),
                Self::error(503, "Overloaded; try again later", &[]),
            ],
            Errors::None => Vec::new(),
        }
    }
}
