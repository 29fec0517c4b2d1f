//! What operations are answered with.

use serde_json::{Value, json};

use crate::metrics;

/// An answer, or a few of a kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reply {
    /// A picture of a player that may be kept.
    Picture,
    /// The same, as either kind of file.
    Drawing,
    /// A picture that nobody keeps.
    Preview,
    /// The same, as either kind of file.
    DrawnPreview,
    /// A body in JSON, by the name of its schema.
    Json(&'static str),
    /// The same, that may be kept like a picture.
    Document(&'static str),
    /// Figures in the text format of Prometheus.
    Figures,
    /// A direction is missing or none.
    BadDirection,
    /// A skin file that is none, is too long or does not come.
    Refused,
    /// A path that names nothing, for instance since the input is only `.png`.
    NotFound,
    /// Nobody is named, or there is no such thing; the message of the endpoint.
    Missing(&'static str),
    /// Anything went wrong; the message of the endpoint.
    Failed(&'static str),
    /// The database does not answer; the message of the endpoint.
    NoDatabase(&'static str),
    /// The same picture is elsewhere.
    Moved,
    /// A parameter that the service whose URL it is refuses too.
    Invalid(&'static [&'static str]),
    /// Something failed, and the status says whose fault it is.
    Unavailable(&'static str),
    /// Anything went wrong, and the status says whose fault it is: the caller's too.
    Honest,
    /// The service is not well.
    Unhealthy,
}

/// A status, what it means, and the answer as OpenAPI describes it.
#[derive(Debug)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) description: &'static str,
    /// Media types with their schemas; the client gets one of them.
    pub(super) content: Vec<(&'static str, Value)>,
    pub(super) headers: &'static [&'static str],
}

impl Response {
    fn new(status: u16, description: &'static str) -> Self {
        Self {
            status,
            description,
            content: Vec::new(),
            headers: &[],
        }
    }

    fn png(self) -> Self {
        self.file("image/png")
    }

    fn file(mut self, media_type: &'static str) -> Self {
        let file = json!({ "type": "string", "format": "binary" });
        self.content.push((media_type, file));
        self
    }

    fn json(mut self, schema: Value) -> Self {
        self.content.push(("application/json", schema));
        self
    }

    fn error(status: u16, description: &'static str, messages: &[&str]) -> Self {
        Self::new(status, description).json(error(messages))
    }
}

/// The body of an error with one of these messages; with any, where none are named.
fn error(messages: &[&str]) -> Value {
    let message = match messages {
        [] => json!({ "type": "string" }),
        [message] => json!({ "const": message }),
        messages => json!({ "enum": messages }),
    };
    json!({
        "type": "object",
        "required": ["error"],
        "properties": { "error": message },
        "additionalProperties": false,
    })
}

/// An answer that clients may keep for the rest of its hour.
fn kept(answer: Response) -> Vec<Response> {
    vec![
        Response {
            headers: &["ETag", "Last-Modified", "Cache-Control", "X-Cache"],
            ..answer
        },
        Response::new(304, "The client has it already"),
    ]
}

/// A body in JSON, by the name of its schema.
fn document(schema: &str) -> Response {
    let reference = format!("#/components/schemas/{schema}");
    Response::new(200, "As asked").json(json!({ "$ref": reference }))
}

const SVG: &str = "image/svg+xml";
const OUTAGE: &str = "The services behind do not answer as they should";
const CROWD: &str = "Too much to do; come back soon";
const MALFORMED: &str = "Malformed URL";
const DIRECTION: &str = "Direction must be \"left\" or \"right\"";

impl Reply {
    /// The answers.
    pub(super) fn responses(self) -> Vec<Response> {
        match self {
            Self::Picture => kept(Response::new(200, "The picture").png()),
            Self::Drawing => kept(Response::new(200, "The picture").png().file(SVG)),
            Self::Preview => vec![Response::new(200, "The picture").png()],
            Self::DrawnPreview => vec![Response::new(200, "The picture").png().file(SVG)],
            Self::Json(schema) => vec![document(schema)],
            Self::Document(schema) => kept(document(schema)),
            Self::Figures => {
                let content = vec![(metrics::CONTENT_TYPE, json!({ "type": "string" }))];
                let response = Response::new(200, "The figures, as of now");
                vec![Response {
                    content,
                    ..response
                }]
            }
            Self::BadDirection => vec![Response::error(
                400,
                "No direction, or a broken escape",
                &[DIRECTION, MALFORMED],
            )],
            Self::Refused => vec![
                Response::error(400, "No skin, no direction, or no such model", &[]),
                Response::error(405, "No such view", &["Method not allowed"]),
                Response::error(
                    408,
                    "The file did not come in time",
                    &["The skin file did not arrive whole in time"],
                ),
                Response::error(
                    413,
                    "Longer than a skin",
                    &["A skin file has at most 1 MiB"],
                ),
                Response::error(503, "Come back soon", &["Too many previews at once"]),
            ],
            Self::Missing(message) => {
                let messages = ["Not found", message];
                vec![Response::error(404, "There is no such thing", &messages)]
            }
            Self::NotFound => vec![Response::error(404, "Nobody is named", &["Not found"])],
            Self::Failed(message) => vec![Response::error(
                500,
                "No such player, an outage, or too large a picture",
                &[message],
            )],
            Self::NoDatabase(message) => {
                vec![Response::error(
                    500,
                    "The database does not answer",
                    &[message],
                )]
            }
            Self::Moved => vec![Response {
                headers: &["Location"],
                ..Response::new(301, "The UUID without dashes")
            }],
            Self::Invalid(messages) => {
                vec![Response::error(
                    422,
                    "A parameter is not as it should be",
                    messages,
                )]
            }
            Self::Unavailable(message) => vec![
                Response::error(500, "It could not be drawn", &[message]),
                Response::error(502, "An outage of the services behind", &[message]),
                Response::error(503, "Too much to do; come back soon", &[message]),
            ],
            Self::Honest => vec![
                Response::error(400, "A parameter is not as it should be", &[]),
                Response::error(404, "There is no such thing", &[]),
                Response::error(500, "Our own fault", &["Something went wrong here"]),
                Response::error(502, "An outage of the services behind", &[OUTAGE]),
                Response::error(503, "Too many ask at once", &[CROWD]),
            ],
            Self::Unhealthy => {
                let schema = json!({ "$ref": "#/components/schemas/Unhealthy" });
                vec![Response::new(503, "More than half of the recent checks failed").json(schema)]
            }
        }
    }
}

/// The bodies that have names.
pub(super) fn schemas() -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer", "minimum": 0 });
    let status = json!({ "enum": ["green", "yellow", "red"] });
    let millis = json!({ "type": "string", "pattern": "^[0-9]+ms$" });
    let time = json!({ "type": "string", "format": "date-time" });
    let url = json!({ "type": "string", "format": "uri" });
    let edition = json!({ "enum": ["java", "bedrock"] });
    let megabytes = json!({ "type": "number", "minimum": 0 });
    json!({
        "Presets": {
            "type": "object",
            "propertyNames": { "pattern": "^[0-9a-f]{32}$" },
            "additionalProperties": { "type": "string", "pattern": "^MHF_[A-Za-z0-9]+$" },
        },
        "Count": object(&[("edition", &edition), ("count", &number), ("head", &number)]),
        "Counts": {
            "type": "array",
            "items": object(&[
                ("endpoint", &json!({ "const": "head" })),
                ("edition", &edition),
                ("count", &number),
            ]),
        },
        "Profile": object(&[
            ("edition", &edition),
            ("name", &or_null(&text)),
            ("uuid", &or_null(&json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" }))),
            ("xuid", &or_null(&text)),
            ("model", &or_null(&json!({ "enum": ["classic", "slim"] }))),
            ("texture_url", &or_null(&url)),
            ("default_skin", &json!({ "type": "boolean" })),
            ("cape_url", &or_null(&url)),
        ]),
        "Healthy": object(&[
            ("status", &json!({ "enum": ["green", "yellow"] })),
            ("message", &text),
            ("timestamp", &time),
            ("services", &object(&[
                ("database", &status),
                ("external_apis", &status),
                ("response_time", &millis),
            ])),
            ("uptime_seconds", &number),
            ("memory_usage", &or_null(&object(&[
                ("used", &megabytes),
                ("total", &megabytes),
            ]))),
            ("recent_checks", &number),
            ("response_time_avg", &millis),
            ("recent_summary", &object(&[
                ("green", &number),
                ("yellow", &number),
                ("red", &number),
            ])),
        ]),
        "Unhealthy": object(&[
            ("status", &json!({ "const": "red" })),
            ("message", &text),
            ("timestamp", &time),
            ("error", &text),
            ("response_time", &millis),
        ]),
    })
}

/// The same, or nothing that is known.
fn or_null(schema: &Value) -> Value {
    json!({ "oneOf": [{ "type": "null" }, schema] })
}

/// An object that has all of these and nothing else.
fn object(fields: &[(&str, &Value)]) -> Value {
    let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = fields
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), (*schema).clone()))
        .collect();
    json!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": false,
    })
}
