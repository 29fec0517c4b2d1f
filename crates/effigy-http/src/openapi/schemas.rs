//! The schemas of JSON documents.

use serde_json::{Value, json};

/// The schemas of JSON documents, by their names.
pub(super) fn schemas() -> Value {
    let text = json!({ "type": "string" });
    let number = json!({ "type": "integer", "minimum": 0 });
    let status = json!({ "enum": ["green", "yellow", "red"] });
    let millis = json!({ "type": "string", "pattern": "^[0-9]+ms$" });
    let time = json!({ "type": "string", "format": "date-time" });
    let url = json!({ "type": "string", "format": "uri-reference" });
    let edition = json!({ "enum": ["java", "bedrock"] });
    let megabytes = json!({ "type": "number", "minimum": 0 });
    json!({
        "Presets": {
            "type": "object",
            "propertyNames": { "pattern": "^[0-9a-f]{32}$" },
            "additionalProperties": { "type": "string", "pattern": "^MHF_[A-Za-z0-9]+$" },
        },
        "Count": object(json!({ "edition": edition, "count": number, "head": number })),
        "Counts": {
            "type": "array",
            "items": object(json!({
                "endpoint": { "const": "head" },
                "edition": edition,
                "count": number,
            })),
        },
        "Profile": object(json!({
            "edition": edition,
            "name": or_null(&text),
            "uuid": or_null(&json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" })),
            "xuid": or_null(&text),
            "model": or_null(&json!({ "enum": ["classic", "slim"] })),
            "texture_url": or_null(&url),
            "default_skin": { "type": "boolean" },
            "cape_url": or_null(&url),
        })),
        "Profiles": {
            "type": "array",
            "items": { "oneOf": [
                { "$ref": "#/components/schemas/Profile" },
                object(json!({ "error": text })),
            ] },
        },
        "Places": object(json!({
            "width": number,
            "height": number,
            "players": { "type": "array", "items": object(json!({
                "player": text,
                "x": number,
                "y": number,
                "width": number,
                "height": number,
                "missing": { "type": "boolean" },
            })) },
        })),
        "Healthy": object(json!({
            "status": { "enum": ["green", "yellow"] },
            "message": text,
            "timestamp": time,
            "services": object(json!({
                "database": status,
                "external_apis": status,
                "response_time": millis,
            })),
            "uptime_seconds": number,
            "memory_usage": or_null(&object(json!({ "used": megabytes, "total": megabytes }))),
            "recent_checks": number,
            "response_time_avg": millis,
            "recent_summary": object(json!({ "green": number, "yellow": number, "red": number })),
        })),
        "Unhealthy": object(json!({
            "status": { "const": "red" },
            "message": text,
            "timestamp": time,
            "error": text,
            "response_time": millis,
        })),
    })
}

/// The schema, or null.
fn or_null(schema: &Value) -> Value {
    json!({ "oneOf": [{ "type": "null" }, schema] })
}

/// The schema of an object with exactly these properties.
fn object(properties: Value) -> Value {
    let fields = properties.as_object().into_iter().flatten();
    let names: Vec<&String> = fields.map(|(name, _)| name).collect();
    json!({
        "type": "object",
        "required": names,
        "properties": properties,
        "additionalProperties": false,
    })
}
