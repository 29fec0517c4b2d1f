//! Properties of the parsers of paths and queries, for any input.

use effigy_parameters::{Family, parameters};
use effigy_render::View;
use effigy_service::Endpoint;
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;

/// Words, players and sizes from which paths are made.
fn segment() -> impl Strategy<Value = String> {
    let mut words = vec![
        "v1",
        "preview",
        "docs",
        "families",
        "assets",
        "minecraft",
        "mhf",
        "allstats",
        "texture",
        "profile",
        "profiles",
        "group",
        "sheet.json",
        "skin",
        "cape",
        "refresh",
        "armor",
        "body",
        "full",
        "render",
        "default",
        "info",
        "user",
        "Notch",
        ".Two Words",
        "64",
        "0",
        "left",
        "hat",
        "%uuid%",
        "{name}",
        "069a79f4-44e9-4726-a5be-fca90e38aaf5",
        "Notch.svg",
        "Notch.gif",
        "a.webp",
        ".png",
        "",
    ];
    words.extend(Family::WORDS);
    words.extend(Endpoint::WORDS);
    words.extend(View::WORDS);
    prop_oneof![
        4 => select(words).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => any::<Vec<u8>>().prop_map(percent_encoded),
    ]
}

/// Escapes all bytes, which may not be UTF-8.
fn percent_encoded(bytes: Vec<u8>) -> String {
    let escapes = bytes.iter().map(|byte| format!("%{byte:02x}"));
    escapes.collect()
}

fn path() -> impl Strategy<Value = String> {
    let segments = vec(segment(), 0..6);
    prop_oneof![
        8 => segments.prop_map(|segments| format!("/{}", segments.join("/"))),
        1 => any::<String>(),
    ]
}

fn query() -> impl Strategy<Value = Option<String>> {
    let names: Vec<&str> = parameters().map(|parameter| parameter.name).collect();
    let examples: Vec<&str> = parameters().map(|parameter| parameter.example).collect();
    let value = prop_oneof![
        3 => select(examples).prop_map(str::to_owned),
        1 => segment(),
    ];
    let pair = (select(names), value).prop_map(|(name, value)| format!("{name}={value}"));
    let text = prop_oneof![
        8 => vec(pair, 0..5).prop_map(|pairs| pairs.join("&")),
        1 => any::<String>(),
    ];
    proptest::option::of(text)
}

proptest! {
    #[test]
    fn any_url_has_an_operation_or_is_a_client_error(path in path(), query in query()) {
        let request = ParsedRequest::parse(&path, query.as_deref());
        if let Err(rejection) = request.operation {
            prop_assert!(rejection.status.is_client_error(), "{}", rejection.status);
            prop_assert!(!rejection.message.is_empty());
        }
    }

    #[test]
    fn any_url_at_the_host_of_a_family_is_the_familys(
        family in select(Family::ALL),
        path in path(),
        query in query(),
    ) {
        let request = ParsedRequest::parse_of_host(family, &path, query.as_deref());
        prop_assert_eq!(request.surface, Surface::Family(family));
        if let Err(rejection) = request.operation {
            prop_assert!(rejection.status.is_client_error(), "{}", rejection.status);
        }
    }

    #[test]
    fn any_query_is_parsed_or_malformed(text in any::<String>()) {
        let lossy = Query::parse_lossy(Some(&text));
        match Query::parse(Some(&text)) {
            Ok(strict) => {
                let names: Vec<&str> = strict.names().collect();
                // Placeholders alone are read differently: in a lossy query, they may be escapes.
                if !text.contains('%') {
                    prop_assert_eq!(names, lossy.names().collect::<Vec<_>>());
                }
            }
            Err(rejection) => prop_assert_eq!(rejection.message, "Malformed URL"),
        }
    }

    #[test]
    fn escaped_text_is_one_segment(text in any::<String>()) {
        prop_assume!(!text.is_empty() && path::without_extension(&text, ".png").is_none());
        let path = format!("/skin/{}", escaped(&text));
        let found = segments(&path).unwrap();
        let found: Vec<&str> = without_png(&found).to_vec();
        prop_assert_eq!(found, ["skin", &text]);
    }
}
