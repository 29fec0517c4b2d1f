//! Providers other than Mojang and GeyserMC, and the chain of them.

mod any_answer;
mod chain;
mod chosen;
mod fingerprint;
mod hosts;
mod local;
mod skin_url;
mod skinsrestorer;
mod yggdrasil;

use std::fs;
use std::path::Path;

use effigy_player::Model;
use effigy_upstream::{FileChecks, ProviderChain, UpstreamConfig, UreqTransport};

use crate::support::canned::kind;
use crate::support::resolve::{file, profile};

/// A skin whose bytes contain `slim` is for the slim model.
const CHECKS: FileChecks = FileChecks {
    skin: |file| {
        let is_slim = file.windows(4).any(|text| text == b"slim");
        Ok(if is_slim { Model::Slim } else { Model::Classic })
    },
    cape: |_| Ok(()),
};

pub(crate) fn config(providers: &[&str]) -> UpstreamConfig {
    UpstreamConfig {
        providers: providers.iter().map(ToString::to_string).collect(),
        checks: CHECKS,
        ..UpstreamConfig::default()
    }
}

/// A chain over real sockets.
fn chain(providers: &[&str]) -> ProviderChain {
    let transport = UreqTransport::new(None).expect("no contact is a good one");
    ProviderChain::new(transport, config(providers)).expect("a good chain")
}

/// Returns the name of the fixture that is the player's skin, and the model; `default` for a
/// default skin, which is not fetched; or the kind of the error.
fn outcome(chain: &ProviderChain, input: &str) -> String {
    let skin = match profile(chain, input) {
        Ok(profile) => profile.skin.expect("Java players have one"),
        Err(error) => return kind(&error),
    };
    if skin.is_default {
        return "default".to_owned();
    }
    match file(chain, &skin.texture) {
        Ok(png) => {
            let fixture = fixtures::SKINS.iter().find(|fixture| fixture.png == png);
            let name = fixture.map_or("?", |fixture| fixture.name);
            match skin.model {
                Some(model) => format!("{name} {model}"),
                None => name.to_owned(),
            }
        }
        Err(error) => format!("texture {}", kind(&error)),
    }
}

pub(crate) fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
    fs::write(path, content).expect("a writable folder");
}
