//! The HTTP surface over real sockets, served inside the test process, against the fake upstream.
//! The tests that drive a browser are in `effigy-browser-tests`.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The compatibility paths, by the sections of their specification.
mod specification {
    mod endpoints;
    mod errors;
    mod limits;
    mod profile_resolution;
    mod resources;
    mod states;
}

/// The paths under `/v1/`.
mod v1 {
    mod animations;
    mod capes;
    mod default_skins;
    mod defaults;
    mod errors;
    mod freshness;
    mod groups;
    mod look_ups;
    mod naming;
    mod pictures;
    mod previews;
    mod profiles;
    mod refresh;
    mod textures;
    mod versions;
}

/// The URLs of other services.
mod families {
    mod hosts;
    mod substitutes;
    mod urls;
}

/// The documents that the service offers to people and programs.
mod site {
    mod embedding;
    mod openapi;
    mod pages;
}

/// HTTP itself: headers, connections, malformed requests, metrics, and shared work.
mod protocol {
    mod bad_input;
    mod http;
    mod malformed_heads;
    mod metrics;
    mod shared_work;
}

/// Limits of what one client, or all of them, may take.
mod limits {
    mod connections;
    mod denied_networks;
    mod drawing;
    mod memory;
    mod rate_headers;
    mod rates;
    mod uploads;
}

mod support;
