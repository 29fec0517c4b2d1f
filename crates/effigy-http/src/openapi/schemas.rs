//! The schemas of JSON documents.

use serde_json::{Value, json};

/// The schemas of JSON documents, by their names.
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

/// The schema, or null.
fn or_null(schema: &Value) -> Value {
    json!({ "oneOf": [{ "type": "null" }, schema] })
}

/// The schema of an object with exactly these fields.
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
