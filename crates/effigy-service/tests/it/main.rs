//! Tests of the service's flows over a fake source of skins and a store in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The files that are kept for later requests, and for how long.
mod cache {
    mod specified;
    mod write_behind;
}

/// Records of players: how fresh an answer is.
mod fresh {
    mod changes;
    mod folder;
    mod limits;
    mod names;
    mod outage;
    mod refresh;
    mod replicas;
    mod textures;
    mod uses;
    mod versions;
    mod waiting;
}

mod appearance;
mod default_skins;
mod doors;
mod extensions;
mod fallback;
mod flow;
mod health;
mod naming;
mod several;
mod support;
