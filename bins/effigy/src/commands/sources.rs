//! The chain of providers that skins come from.

use std::{io, sync::Arc, thread, time::Duration};

use effigy_cli::{ProviderArgs, UpstreamArgs};
use effigy_render::{Cape, Skin};
use effigy_upstream::{ConfigError, FileChecks, ProviderChain, UreqTransport};

/// The decoders of files. The model of a skin is guessed as `effigy render` does.
pub(super) const CHECKS: FileChecks = FileChecks {
    skin: |file| Ok(Skin::decode(file, None)?.model()),
    cape: |file| {
        Cape::decode(file)?;
        Ok(())
    },
};

/// The time after which a changed file is noticed.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

/// Creates the chain of a command that serves nobody.
pub(super) fn connect(
    upstream: &UpstreamArgs,
    providers: &ProviderArgs,
) -> Result<ProviderChain, ConfigError> {
    let mut config = upstream.config(providers)?;
    config.checks = CHECKS;
    ProviderChain::new(UreqTransport::new(config.contact.as_deref())?, config)
}

/// Keeps what the providers have told about themselves up to date, and the files of folders: on a thread of its own,
/// since a server or a disk may be slow.
pub(super) fn keep_fresh(chain: Arc<ProviderChain>) -> io::Result<()> {
    let refresh = move || {
        loop {
            chain.refresh();
            thread::sleep(REFRESH_EVERY);
        }
    };
    let thread = thread::Builder::new().name("refresh".to_owned());
    thread.spawn(refresh).map(drop)
}
