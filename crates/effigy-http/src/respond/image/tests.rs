//! Tests of the responses with pictures.

use std::time::UNIX_EPOCH;

use effigy_service::PictureParams;
use hyper::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, VARY};

use super::*;
use crate::respond::encoding::gzip;

fn image(origin: Origin, shelf_life: ShelfLife) -> ServedFile {
    ServedFile::made("abc", "image/png", UNIX_EPOCH)
        .with_origin(origin)
        .with_shelf_life(shelf_life)
}

fn response(image: &ServedFile, age: u64, headers: &HeaderMap) -> Response {
    let now = UNIX_EPOCH + Duration::from_secs(age);
    let request = PictureParams::SKIN.of_player("Notch");
    let rules = CacheControl::new(Duration::from_secs(60));
    picture_response(&request, image, now, headers, &rules)
}

#[test]
fn specified_picture_is_cached_for_the_rest_of_its_hour() {
    let rows = [
        (Origin::Render, 0, "public, max-age=3600", "miss"),
        (Origin::Cache, 1, "public, max-age=3599", "hit"),
        (Origin::Cache, 3599, "public, max-age=1", "hit"),
        (Origin::Cache, 3601, "public, max-age=0", "hit"),
    ];
    for (origin, age, cache_control, x_cache) in rows {
        let image = image(origin, ShelfLife::RestOfHour);
        let response = response(&image, age, &HeaderMap::new());
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CACHE_CONTROL], cache_control, "{age}");
        assert_eq!(response.headers()[X_CACHE], x_cache, "{age}");
        assert_eq!(response.headers()[CONTENT_TYPE], "image/png");
        let modified = &response.headers()[LAST_MODIFIED];
        assert_eq!(modified, "Thu, 01 Jan 1970 00:00:00 GMT");
    }
}

#[test]
fn shelf_life_decides_how_long_other_pictures_are_cached() {
    let usual = "public, max-age=60, stale-while-revalidate=240";
    let short = "public, max-age=60, stale-while-revalidate=60";
    let rows = [
        (
            Origin::Cache,
            ShelfLife::Day,
            "public, max-age=86400",
            "hit",
        ),
        (Origin::Cache, ShelfLife::Usual, usual, "hit"),
        (Origin::Render, ShelfLife::Usual, usual, "miss"),
        (Origin::Stale, ShelfLife::Short, short, "stale"),
        (
            Origin::Cache,
            ShelfLife::Unchecked,
            "public, max-age=5, stale-while-revalidate=55",
            "hit",
        ),
        (Origin::Render, ShelfLife::Revalidate, "no-cache", "miss"),
    ];
    for (origin, shelf_life, cache_control, x_cache) in rows {
        let response = response(&image(origin, shelf_life), 10_000, &HeaderMap::new());
        assert_eq!(response.headers()[CACHE_CONTROL], cache_control);
        assert_eq!(response.headers()[X_CACHE], x_cache);
        assert!(!response.headers().contains_key(LAST_MODIFIED));
    }
}

#[test]
fn operator_sets_the_usual_time_but_not_the_short_one() {
    let rules = CacheControl::new(Duration::from_secs(600));
    let of = |shelf_life| rules.of(&image(Origin::Cache, shelf_life), UNIX_EPOCH);
    let usual = "public, max-age=600, stale-while-revalidate=2400";
    assert_eq!(of(ShelfLife::Usual), usual);
    let short = "public, max-age=60, stale-while-revalidate=60";
    assert_eq!(of(ShelfLife::Short), short);
}

#[test]
fn only_a_specified_picture_is_confirmed_by_its_time() {
    let later = HeaderValue::from_static("Fri, 02 Jan 1970 00:00:00 GMT");
    let headers = HeaderMap::from_iter([(IF_MODIFIED_SINCE, later)]);
    let rows = [
        (ShelfLife::RestOfHour, StatusCode::NOT_MODIFIED),
        (ShelfLife::Usual, StatusCode::OK),
        (ShelfLife::Revalidate, StatusCode::OK),
    ];
    for (shelf_life, status) in rows {
        let response = response(&image(Origin::Cache, shelf_life), 1, &headers);
        assert_eq!(response.status(), status, "{shelf_life:?}");
    }
}

#[test]
fn client_that_has_the_picture_gets_304() {
    // XXH3 of "abc".
    let tag = "\"06b05ab6733a618578af5f94892f3950\"";
    let request = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(tag))]);
    let response = response(&image(Origin::Cache, ShelfLife::RestOfHour), 100, &request);
    assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(response.body().len(), 0);
    assert_eq!(response.headers()[ETAG], tag);
    assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=3500");
    assert!(!response.headers().contains_key(CONTENT_TYPE));
}

#[test]
fn compressed_file_has_one_tag_for_both_forms() {
    let image = ServedFile::made(gzip(b"<svg/>"), "image/svg+xml", UNIX_EPOCH);
    let image = image.with_origin(Origin::Cache);
    let mut request = HeaderMap::new();
    let zipped = response(&image, 0, &request);
    assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
    assert_eq!(*zipped.body(), image.file.data);
    request.insert(IF_NONE_MATCH, zipped.headers()[ETAG].clone());
    let known = response(&image, 0, &request);
    assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
    assert!(!known.headers().contains_key(CONTENT_ENCODING));
    for response in [zipped, known] {
        let tag = [b"W/\"", &image.fingerprint[..], b"\""].concat();
        assert_eq!(response.headers()[ETAG].as_bytes(), tag);
        assert_eq!(response.headers()[VARY], "Accept-Encoding");
    }
}
