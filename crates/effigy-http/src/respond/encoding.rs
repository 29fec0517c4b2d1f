//! Compression of responses, as their clients accept it. RFC 9110, 12.5.3.

use std::io::{Read as _, Write as _};

use bytes::Bytes;
use effigy_service::{Client, Failure, Service};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use hyper::{
    HeaderMap,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING},
};

use super::{Response, is_text, set};

/// The number of codings that are read of a list. Browsers send five.
const MAX_CODINGS: usize = 16;

/// The longest text that is compressed on a thread that answers requests.
const MAX_BYTES_AT_ONCE: usize = 4 << 10;

/// Compresses or decompresses a response of text, so that the client that sent `headers` accepts
/// its encoding.
///
/// # Errors
/// If that needs a drawing thread, and the service refuses the work.
pub(crate) async fn encode(
    response: &mut Response,
    headers: &HeaderMap,
    service: &Service,
    client: Client,
) -> Result<(), Failure> {
    let is_compressed = response.headers().contains_key(CONTENT_ENCODING);
    if !is_text(response) || is_compressed == accepts_gzip(headers) {
        return Ok(());
    }
    let bytes = response.body().clone();
    if is_compressed {
        response.headers_mut().remove(CONTENT_ENCODING);
        let memory = content_length(&bytes) as u64;
        let decompress = move |_: &_| gunzip(&bytes);
        *response.body_mut() = service.document(client, memory, decompress).await?;
        return Ok(());
    }
    set(response, CONTENT_ENCODING, "gzip");
    *response.body_mut() = if bytes.len() <= MAX_BYTES_AT_ONCE {
        gzip(&bytes)
    } else {
        let compress = move |_: &_| gzip(&bytes);
        service.document(client, 0, compress).await?
    };
    Ok(())
}

pub(super) fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes);
    let file = written.and_then(|()| encoder.finish());
    file.expect("writing to memory does not fail").into()
}

fn gunzip(file: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(content_length(file));
    let read = GzDecoder::new(file).read_to_end(&mut bytes);
    read.expect("the service has compressed the file");
    bytes.into()
}

/// Returns the length of the content of a gzip file, which is in its last bytes. RFC 1952, 2.3.1.
fn content_length(file: &[u8]) -> usize {
    match file.last_chunk() {
        Some(length) => u32::from_le_bytes(*length) as usize,
        None => 0,
    }
}

/// Returns `true` if a client that sent `headers` accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    let mut gzip = None;
    let mut any = None;
    for item in lists.flat_map(|list| list.split(',')).take(MAX_CODINGS) {
        let item = item.to_ascii_lowercase();
        let (name, weight) = item.split_once(';').unwrap_or((&item, ""));
        let is_accepted = is_accepting_weight(weight);
        // If a coding is listed twice, it is enough that one item accepts it.
        match name.trim() {
            "gzip" | "x-gzip" => gzip = Some(gzip.unwrap_or(false) || is_accepted),
            "*" => any = Some(any.unwrap_or(false) || is_accepted),
            _ => {}
        }
    }
    // An item that names gzip decides, whatever the asterisk says.
    gzip.or(any).unwrap_or(false)
}

/// Returns `true` for any weight but zero, also for a missing or malformed one.
fn is_accepting_weight(weight: &str) -> bool {
    match weight.trim().strip_prefix("q=") {
        Some(number) => number.parse() != Ok(0.0_f32),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;

    use super::*;

    #[test]
    fn decompressing_restores_the_text() {
        let bytes = b"<svg/>".repeat(1_000);
        let file = gzip(&bytes);
        assert!(file.len() < 100);
        assert_eq!(content_length(&file), 6_000);
        assert_eq!(gunzip(&file), bytes);
    }

    #[test]
    fn gzip_is_accepted_unless_its_weight_is_zero() {
        let rows = [
            ("", false),
            ("gzip", true),
            ("GZIP", true),
            ("x-gzip", true),
            ("gzip, deflate, br", true),
            ("br,gzip", true),
            ("deflate, br", false),
            ("identity", false),
            ("*", true),
            ("*;q=0", false),
            ("gzip;q=0", false),
            ("gzip;q=0.0, br", false),
            ("gzip; q=0.001", true),
            ("gzip ; Q=0", false),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
            ("gzip;q=0.5, identity", true),
            ("gzip, identity;q=0.5", true),
            ("gzip;q=many", true),
            ("gzippo", false),
            ("gzip;q=0, *", false),
            ("*, gzip;q=0", false),
            ("*;q=0, gzip", true),
            ("br, *;q=0", false),
        ];
        for (list, expected) in rows {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(list));
            assert_eq!(accepts_gzip(&headers), expected, "{list}");
        }
    }
}
