//! What there is to ask for, as data: the source of `/openapi.json` and of the reference at `/docs`.

mod bodies;
mod document;
mod families;
mod operations;
mod parameters;
mod reference;
mod v1;

use bytes::Bytes;
use hyper::HeaderMap;

use crate::{respond::answer::Answer, respond::document::fresh};
use operations::Operation;

/// What the interface is about, in the document and in the reference.
const ABOUT: &str = "Minecraft players as pictures, for Java and Bedrock, by URL. No key is needed, and \
    every answer may be used from every site. HEAD is answered wherever GET is. A trailing `.png` on any \
    segment of a path is ignored, and the fixed words of a path match in any letter case.";

/// The document at `/openapi.json`.
pub(crate) fn openapi(request: &HeaderMap) -> Answer {
    let document = document::document().to_string();
    fresh("application/json", Bytes::from(document), request)
}

/// The reference at `/docs`.
pub(crate) fn reference(request: &HeaderMap) -> Answer {
    let page = reference::page();
    fresh("text/html; charset=utf-8", Bytes::from(page), request)
}
