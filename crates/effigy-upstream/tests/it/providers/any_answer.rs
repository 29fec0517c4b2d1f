//! Answers of any content. They never cause a panic or a call to a foreign host, and a failure
//! names its provider.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use effigy_upstream::{Profile, ProviderChain, UpstreamError, error_chain};
use proptest::prelude::*;
use serde_json::{Value, json};
use url::Url;

use super::config;
use crate::support::canned::{Answer, Canned, NOTCH};
use crate::support::resolve::{file, profile};

/// The fields that some parser reads.
const FIELDS: [&str; 19] = [
    "id",
    "name",
    "properties",
    "value",
    "textures",
    "SKIN",
    "CAPE",
    "url",
    "metadata",
    "model",
    "skin_url",
    "texture_id",
    "is_steve",
    "xuid",
    "skinDomains",
    "profileActions",
    "legacy",
    "errorMessage",
    "path",
];

/// URLs and domains of several hosts, and texts that look like them.
const URLS: [&str; 18] = [
    "https://textures.minecraft.net/texture/abc",
    "http://textures.minecraft.net/texture/abc",
    "https://one.example/skin",
    "https://cdn.example/skin",
    "https://skins.example/skin",
    "https://evil.example/skin",
    "https://textures.minecraft.net.evil.example/x",
    "https://textures.minecraft.net@evil.example/x",
    "http://127.0.0.1/x",
    "http://[::1]/x",
    "http://169.254.169.254/latest/meta-data",
    "//evil.example/x",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "../../x",
    "cdn.example",
    ".example",
    "",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(URLS.to_vec()).prop_map(str::to_owned),
        1 => Just(NOTCH.to_owned()),
        1 => Just("Notch".to_owned()),
        2 => any::<String>(),
    ]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let field = prop::sample::select(FIELDS.to_vec()).prop_map(str::to_owned);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((field, inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// A value that is mostly of the expected shape.
fn mostly(expected: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop_oneof![6 => expected, 1 => any_json()]
}

fn texture() -> impl Strategy<Value = Value> {
    let fields = (text(), mostly(Just(json!({ "model": "slim" }))));
    mostly(fields.prop_map(|(url, metadata)| json!({ "url": url, "metadata": metadata })))
}

/// The base64 of a textures object.
fn textures_value() -> impl Strategy<Value = Value> {
    let textures = (texture(), texture());
    let textures = textures.prop_map(|(skin, cape)| json!({ "SKIN": skin, "CAPE": cape }));
    let record = mostly(textures).prop_map(|textures| json!({ "textures": textures }));
    mostly(mostly(record).prop_map(|record| BASE64_STANDARD.encode(record.to_string()).into()))
}

fn session() -> impl Strategy<Value = Value> {
    let property = textures_value().prop_map(|value| json!({ "name": "textures", "value": value }));
    let properties = mostly(property).prop_map(|property| json!([property]));
    let fields = (mostly(Just(json!(NOTCH))), mostly(properties));
    fields.prop_map(|(id, list)| json!({ "id": id, "name": "Notch", "properties": list }))
}

fn bedrock_skin() -> impl Strategy<Value = Value> {
    let fields = (
        mostly(text().prop_map(Value::from)),
        textures_value(),
        any_json(),
    );
    fields.prop_map(|(url, value, id)| json!({ "skin_url": url, "value": value, "texture_id": id }))
}

/// A response whose body is mostly this JSON.
fn response(json: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = Answer> {
    let status = prop_oneof![
        6 => Just(200_u16),
        1 => prop::sample::select(vec![204, 301, 304, 400, 403, 404, 410, 429, 500, 503]),
    ];
    let body = prop_oneof![
        6 => mostly(json).prop_map(|json| json.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..64),
    ];
    prop_oneof![
        8 => (status, body).prop_map(|(status, body)| Answer::Status(status, body)),
        1 => text().prop_map(|location| Answer::Located(302, location)),
        1 => Just(Answer::TooLarge),
    ]
}

/// Returns `true` if the game accepts textures from a host.
fn is_of_game(host: &str) -> bool {
    host.ends_with(".minecraft.net") || host.ends_with(".mojang.com")
}

/// Looks a player up and fetches the textures. Returns the failures.
fn failures(chain: &ProviderChain, input: &str) -> Vec<UpstreamError> {
    let mut failures = Vec::new();
    match profile(chain, input) {
        Ok(found) => {
            for texture in textures_of(found) {
                failures.extend(file(chain, &texture).err());
            }
        }
        Err(error) => failures.push(error),
    }
    failures
}

fn textures_of(found: Profile) -> Vec<effigy_upstream::TextureUrl> {
    let mut textures = Vec::new();
    if let Some(skin) = found.skin {
        textures.push(skin.texture);
    }
    if let Some(cape) = found.cape {
        textures.push(cape);
    }
    textures
}

/// Checks that an outage names its provider, and that its text is one line.
fn check_failure(error: &UpstreamError, providers: &[&str]) -> Result<(), TestCaseError> {
    let text = error_chain(error);
    prop_assert!(!text.contains(char::is_control), "{text:?}");
    if error.is_outage() && !matches!(error, UpstreamError::TextureUrl { .. }) {
        let UpstreamError::Provider { provider, .. } = error else {
            return Err(TestCaseError::fail(format!("no provider: {text}")));
        };
        prop_assert!(providers.contains(&&**provider), "{text}");
    }
    Ok(())
}

/// Checks that all calls went to hosts of the game or to these.
fn check_hosts(upstream: &Canned, hosts: &[&str]) -> Result<(), TestCaseError> {
    for request in upstream.requests() {
        let url: &Url = &request.url;
        let host = url.host_str().unwrap_or_default();
        prop_assert!(matches!(url.scheme(), "http" | "https"), "{url}");
        prop_assert!(is_of_game(host) || hosts.contains(&host), "{url}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_answers_of_the_public_services_are_handled(
        identity in response(Just(json!({ "id": NOTCH, "name": "Notch" }))),
        session in response(session()),
        xuid in response(Just(json!({ "xuid": 2_535_432_196_048_835_u64 }))),
        skin in response(bedrock_skin()),
        other in response(any_json()),
    ) {
        let upstream = Canned::new()
            .on("identity/Notch", identity)
            .on(&format!("session/{NOTCH}"), session)
            .on("xuid/Tag", xuid)
            .on("skin/2535432196048835", skin)
            .on("*", other);
        for input in ["Notch", NOTCH, ".Tag", "00002535432196048835"] {
            let chain = upstream.resolver();
            for error in failures(&chain, input) {
                check_failure(&error, &["mojang", "geyser", "textures"])?;
            }
        }
        let services = ["api.minecraftservices.com", "api.geysermc.org"];
        check_hosts(&upstream, &services)?;
    }

    #[test]
    fn any_answers_of_a_yggdrasil_server_are_handled(
        metadata in response(Just(json!({ "skinDomains": ["cdn.example"] }))),
        names in response(Just(json!([{ "id": NOTCH, "name": "Notch" }]))),
        session in response(session()),
        other in response(any_json()),
    ) {
        let root = "https://one.example";
        // Metadata may name another address of the API, and further hosts of textures.
        let is_redirected = matches!(metadata, Answer::Located(..));
        let is_expected = matches!(
            &metadata,
            Answer::Status(200, body) if body == br#"{"skinDomains":["cdn.example"]}"#
        );
        let upstream = Canned::new()
            .on(&format!("{root}/"), metadata)
            .on(&format!("{root}/api/profiles/minecraft"), names)
            .on(&format!("{root}/sessionserver/session/minecraft/profile/{NOTCH}"), session)
            .on("*", other);
        for input in ["Notch", NOTCH] {
            let chain = upstream.resolver_with(config(&["yggdrasil=one.example"]));
            for error in failures(&chain, input) {
                check_failure(&error, &["yggdrasil:one.example", "textures"])?;
            }
        }
        if is_expected {
            check_hosts(&upstream, &["one.example", "cdn.example"])?;
        } else if !is_redirected {
            let requests = upstream.requests();
            let reached = requests.iter().filter_map(|request| request.url.host_str());
            for host in reached {
                // A rule of `skinDomains` never covers an address.
                prop_assert!(host.contains('.') && !host.starts_with("127."), "{host}");
            }
        }
    }

    #[test]
    fn any_answers_of_a_site_of_pictures_are_handled(
        answer in response(any_json()),
        other in response(any_json()),
    ) {
        let upstream = Canned::new()
            .on("https://skins.example/Notch.png", answer)
            .on("*", other);
        let chain = upstream.resolver_with(config(&["skin-url=https://skins.example/{name}.png"]));
        for error in failures(&chain, "Notch") {
            check_failure(&error, &["skin-url:skins.example", "textures"])?;
        }
        check_hosts(&upstream, &["skins.example"])?;
    }

    /// Stored profiles are read from a database, which others may write.
    #[test]
    fn a_stored_texture_of_any_url_leads_to_no_foreign_host(
        url in text(),
        provider in prop::option::of(text()),
    ) {
        let upstream = Canned::new().on("*", Answer::texture("any"));
        let chain = upstream.resolver();
        let stored = json!({ "url": url, "provider": provider });
        if let Ok(texture) = serde_json::from_value(stored) {
            drop(file(&chain, &texture));
        }
        check_hosts(&upstream, &["api.geysermc.org"])?;
    }
}
