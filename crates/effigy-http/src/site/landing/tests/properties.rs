//! Properties of the canonical URLs of the page, for any query.

use effigy_parameters::parameters;
use effigy_render::ImageFormat;
use effigy_service::{FileSpec, PictureParams};
use proptest::{collection::vec, prelude::*, sample::select};

use super::*;
use crate::routes::Operation;

/// Queries with known names, and with values that are often valid.
fn query() -> impl Strategy<Value = String> {
    let names: Vec<&str> = parameters().map(|parameter| parameter.name).collect();
    let mut values: Vec<&str> = parameters().map(|parameter| parameter.example).collect();
    values.extend(View::WORDS);
    values.extend([
        "true", "false", "0", "-30", "walk", "idle", "content", "game", "none", "svg",
    ]);
    let value = prop_oneof![
        8 => select(values).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let name = prop_oneof![4 => select(names), 1 => Just("view"), 1 => Just("format")];
    let pair = (name, value).prop_map(|(name, value)| format!("{name}={}", escaped(&value)));
    vec(pair, 0..8).prop_map(|pairs| format!("player=Notch&{}", pairs.join("&")))
}

fn parse(query: &str) -> PageParams {
    PageParams::parse(&Query::parse_lossy(Some(query)), &[])
}

proptest! {
    #[test]
    fn picture_url_leads_to_the_picture_of_the_page(query in query()) {
        let params = parse(&query);
        let url = params.picture_url("");
        let (path, rest) = url.split_once('?').unwrap();
        let operation = ParsedRequest::parse(path, Some(rest)).operation;
        let Ok(Operation::File(request)) = operation else {
            return Err(TestCaseError::fail(format!("{url}: {operation:?}")));
        };
        let FileSpec::Picture(picture, _) = &*request.spec else {
            return Err(TestCaseError::fail(url));
        };
        let expected = PictureParams::beyond_specification(params.spec, ImageFormat::Png);
        prop_assert_eq!(*picture, expected);
    }

    #[test]
    fn picture_url_is_canonical(query in query()) {
        let params = parse(&query);
        let url = params.picture_url(params.format);
        let (_, chosen) = url.split_once('?').unwrap();
        let view = params.spec.view;
        let format = params.format;
        let again = parse(&format!("player=Notch&view={view}&format={format}&{chosen}"));
        prop_assert_eq!(again.picture_url(again.format), url);
        prop_assert!(again.notes.is_empty(), "{:?}", again.notes);
    }
}
