//! The HTTP surface over real sockets, served inside the test process, against the fake upstream.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The sections of the specification.
mod specification {
    mod endpoints;
    mod errors;
    mod limits;
    mod profile_resolution;
    mod resources;
    mod states;
}

/// Routes and settings beyond the specification.
mod beyond {
    mod arrangements;
    mod defaults;
    pub(crate) mod embedding;
    mod errors;
    mod families;
    mod family_hosts;
    mod family_urls;
    mod fresh;
    mod metrics;
    mod moving;
    mod naming;
    mod openapi;
    mod player_reuse;
    mod preview;
    mod profiles;
    mod refresh;
    mod v1;
    mod versions;
}

/// HTTP itself, load, and upstreams that fail.
mod protocol {
    mod bad_input;
    mod herd;
    mod http;
}

/// One client that uses up what all share.
mod attacks {
    mod bytes;
    mod connections;
    mod denied;
    mod rates;
    mod uploads;
    mod work;
}

mod browser;
mod support;
