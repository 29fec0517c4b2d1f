//! The URLs of Visage, now VZGE: `/<mode>[/<size>]/<player>`, with the angles `y` and `p` and a
//! list `no` in the query.

use effigy_player::{Model, Uuid};
use effigy_render::{Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::{
    grammar::{fitted, flag, leading_number, model, number, of_player_or, png, steve_or_alex},
    nmsr::lens,
};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{ALEX, Operation, STEVE},
};

const DEFAULT_SIZE: u32 = 256;
const MIN_SIZE: u32 = 8;
const MAX_SIZE: u32 = 1024;

/// The unit of sizes, which are rounded up to a multiple of it.
const STEP: u32 = 8;

/// A way of looking at a player.
struct Mode {
    word: &'static str,
    view: View,
    /// The yaw and the pitch of the camera, in degrees.
    angles: [f64; 2],
    /// `true` for a whole figure, whose size is its height. The other pictures are squares.
    is_whole: bool,
}

impl Mode {
    const fn square(word: &'static str, view: View, angles: [f64; 2]) -> Self {
        Self {
            word,
            view,
            angles,
            is_whole: false,
        }
    }

    const fn whole(word: &'static str, view: View, angles: [f64; 2]) -> Self {
        Self {
            word,
            view,
            angles,
            is_whole: true,
        }
    }
}

#[rustfmt::skip]
const MODES: [Mode; 9] = [
    Mode::square("face", View::Face, [0.0, 0.0]),
    Mode::square("helm", View::Face, [0.0, 0.0]),
    Mode::square("front", View::Bust, [0.0, 0.0]),
    Mode::whole("frontfull", View::Body, [0.0, 0.0]),
    Mode::square("head", View::Cube, [-35.0, 20.0]),
    Mode::square("bust", View::Portrait, [20.0, 20.0]),
    Mode::square("portrait", View::Portrait, [20.0, 20.0]),
    Mode::whole("full", View::Figure, [20.0, 20.0]),
    Mode::whole("player", View::Figure, [20.0, 20.0]),
];

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let (word, size, subject) = match *path {
        [word, subject] => (word, None, subject),
        [word, size, subject] => (word, leading_number(size), subject),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let word = word.to_ascii_lowercase();
    let params = match &*word {
        "skin" => PictureParams::OWN_SKIN,
        "processedskin" => png(PictureSpec::new(View::Layout, Size::px(64))),
        _ => {
            let mode = MODES.iter().find(|mode| mode.word == word);
            drawn(mode.ok_or(Rejection::NOT_FOUND)?, size, query)
        }
    };
    Ok(of_subject(params, subject, query))
}

fn drawn(mode: &Mode, size: Option<u32>, query: &Query<'_>) -> PictureParams {
    let mut spec = fitted(mode.view, frame(mode, size)).with_model(model(query));
    let left_out = LeftOut::read(query);
    let is_head = matches!(mode.view, View::Face | View::Cube);
    let is_bare = left_out.includes(&OVERLAY) || is_head && left_out.includes(&HAT);
    if is_bare {
        spec = spec.with_layers(Layers::Base);
    }
    if !mode.view.is_free() {
        return png(spec);
    }
    let [mut yaw, mut pitch] = mode.angles;
    // The angles of a query are relative to those of the mode. A negative pitch raises the camera.
    yaw += number(query, &["y", "yaw"]).unwrap_or(0.0);
    pitch -= number(query, &["p", "pitch"]).unwrap_or(0.0);
    spec = lens(spec, [yaw, pitch]).with_cape(!left_out.includes(&CAPE));
    spec.decoration.shadow = !left_out.includes(&SHADOW);
    png(spec)
}

/// Returns the width and height of a picture.
fn frame(mode: &Mode, size: Option<u32>) -> [u32; 2] {
    let asked = match size {
        None | Some(0) => DEFAULT_SIZE,
        // `player` is an old name of `full`, whose size was the width.
        Some(width) if mode.word == "player" => height_of(width),
        Some(pixels) => pixels,
    };
    let max = if mode.is_whole {
        height_of(MAX_SIZE)
    } else {
        MAX_SIZE
    };
    let height = asked.clamp(MIN_SIZE, max).next_multiple_of(STEP);
    if mode.is_whole {
        // The width is 8/13 of the height, rounded.
        let width = (height * 16 + 13) / 26;
        [width, height]
    } else {
        [height, height]
    }
}

/// Returns the height of a whole figure.
const fn height_of(width: u32) -> u32 {
    width.saturating_mul(13) / 8
}

/// A part that a query may leave out of a picture.
struct Part {
    /// The words for it in the list `no`, which leave it out.
    words: &'static [&'static str],
    /// The old parameters that show it, unless they are `false`.
    switches: &'static [&'static str],
}

const OVERLAY: Part = Part {
    words: &["overlay"],
    switches: &["overlay"],
};

const HAT: Part = Part {
    words: &["helmet", "hat"],
    switches: &["hat", "helm"],
};

const CAPE: Part = Part {
    words: &["cape"],
    switches: &["cape"],
};

const SHADOW: Part = Part {
    words: &["shadow"],
    switches: &["shadow"],
};

/// The parts that a query leaves out of a picture.
struct LeftOut<'q> {
    words: Vec<String>,
    query: &'q Query<'q>,
}

impl<'q> LeftOut<'q> {
    fn read(query: &'q Query<'_>) -> Self {
        Self {
            words: query.list(&["no"]),
            query,
        }
    }

    /// Returns `true` if the query leaves out this part: the list names it, or an old switch turns
    /// it off.
    fn includes(&self, part: &Part) -> bool {
        let mut words = self.words.iter();
        let is_listed = words.any(|word| part.words.contains(&&**word));
        is_listed || flag(self.query, part.switches) == Some(false)
    }
}

/// Returns the picture of a texture, a default skin or a player. A name that nobody has is an
/// error; a UUID without a skin is Steve or Alex.
fn of_subject(params: PictureParams, subject: &str, query: &Query<'_>) -> Operation {
    if let Some(hash) = TextureHash::parse(subject) {
        let model = model(query).unwrap_or(Model::Classic);
        return Operation::File(params.of_texture(hash, Some(model)));
    }
    let default = subject.to_ascii_lowercase();
    if let Some(skin) = default.strip_prefix("x-") {
        let player = if skin == "alex" { ALEX } else { STEVE };
        return of_player_or(params, player, None, player);
    }
    if Uuid::parse(subject).is_some() {
        return of_player_or(params, subject, None, steve_or_alex(subject));
    }
    Operation::picture(params, subject, None)
}
