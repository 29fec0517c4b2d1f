//! The parameters in the query of the landing page, and the URLs of its pictures.

use std::borrow::Cow;

use effigy_render::{Facing, Layers};
use effigy_service::{SizeParameter, parse_facing, parse_layers};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::figure_params::FigureParams;
use crate::routes::Query;

/// The size of the pictures if the query has none.
const DEFAULT_SIZE: u32 = 256;

/// The largest size that the page offers.
const MAX_SIZE: u32 = 1024;

/// The characters that are escaped in a segment of a path: all but unreserved ones. RFC 3986, 2.3.
pub(super) const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The form of a picture's URL.
#[derive(Debug, Clone, Copy)]
pub(super) enum UrlForm {
    /// `/{view}/{player}`
    Skin,
    /// `/{view}/{player}/{size}/hat`
    Flat,
    /// `/{view}/{player}/{direction}/{size}`
    Isometric,
    /// `/v1/{view}/{player}`
    V1,
    /// `/v1/figure/{player}`, with what differs from the default.
    Figure,
}

/// The parameters in the query of the page.
#[derive(Debug)]
pub(super) struct PageParams<'a> {
    pub(super) player: Cow<'a, str>,
    pub(super) size: u32,
    pub(super) facing: Facing,
    pub(super) layers: Layers,
    pub(super) figure: FigureParams,
}

impl<'a> PageParams<'a> {
    pub(super) fn parse(query: Query<'a>, first: &'a str) -> Self {
        let player = query.get("player");
        // Browsers do not send unchecked boxes, so the box is checked by default only on the first visit.
        let layers = match player {
            None => Layers::WithOverlay,
            Some(_) => parse_layers(query.get("hat").as_deref()),
        };
        let player = player.map(|name| name.trim().to_owned());
        Self {
            player: player
                .filter(|name| !name.is_empty())
                .map_or(first.into(), Cow::Owned),
            size: match SizeParameter::parse(query.get("size").as_deref()) {
                SizeParameter::Default => DEFAULT_SIZE,
                SizeParameter::Given(size) => size.get().min(MAX_SIZE),
                SizeParameter::TooLarge => MAX_SIZE,
            },
            facing: facing(query),
            layers,
            figure: FigureParams::parse(query),
        }
    }

    /// Returns the URL of a picture.
    pub(super) fn picture_url(&self, view: &str, form: UrlForm) -> String {
        let player = utf8_percent_encode(&self.player, ESCAPED);
        let (size, facing) = (self.size, self.facing);
        let has_overlay = self.layers == Layers::WithOverlay;
        match form {
            UrlForm::Skin => format!("/{view}/{player}"),
            UrlForm::Flat if has_overlay => format!("/{view}/{player}/{size}/hat"),
            UrlForm::Flat => format!("/{view}/{player}/{size}"),
            UrlForm::Isometric if is_from_behind(facing) => {
                format!("/v1/{view}/{player}?size={size}&facing={facing}")
            }
            UrlForm::Isometric => format!("/{view}/{player}/{facing}/{size}"),
            UrlForm::Figure => format!("/v1/{view}/{player}?size={size}{}", self.figure),
            UrlForm::V1 => format!("/v1/{view}/{player}?size={size}&overlay={has_overlay}"),
        }
    }
}

fn facing(query: Query<'_>) -> Facing {
    let facing = parse_facing(query.get("direction").as_deref()).unwrap_or_default();
    match (query.get("behind").as_deref(), facing) {
        (Some("behind"), Facing::Left) => Facing::BackLeft,
        (Some("behind"), _) => Facing::BackRight,
        _ => facing,
    }
}

pub(super) fn is_from_behind(facing: Facing) -> bool {
    matches!(facing, Facing::BackLeft | Facing::BackRight)
}
