//! Skins of the operator's own: a folder that is asked before the upstream services.

use std::{sync::Arc, time::Duration};

use effigy_cli::SkinsArgs;
use effigy_player::Model;
use effigy_render::{Cape, Skin};
use effigy_upstream::{FileChecks, SkinFolder, SkinSource};

use crate::failure::ExitError;

/// The decoders of files. The model of a skin is guessed as `effigy render` does.
pub(super) const CHECKS: FileChecks = FileChecks {
    skin: |file| Ok(Skin::decode(file, Model::Classic)?.guess_model()),
    cape: |file| {
        Cape::decode(file)?;
        Ok(())
    },
};

/// The path at which the service has textures by their hashes. Its own address may be unknown, so
/// profiles name a path.
pub(super) const TEXTURES: &str = "/v1/texture";

/// The time after which a changed file is noticed.
const REREAD_EVERY: Duration = Duration::from_secs(1);

/// The upstream services behind the operator's folder, if there is one.
pub(super) struct Skins {
    /// The source of all skins.
    pub(super) source: Arc<dyn SkinSource>,
    folder: Option<Arc<SkinFolder>>,
}

impl Skins {
    /// Reads the folder, which is asked before `upstream`.
    pub(super) fn open(args: &SkinsArgs, upstream: impl SkinSource) -> Result<Self, ExitError> {
        let Some(path) = &args.skins else {
            let source = Arc::new(upstream);
            return Ok(Self {
                source,
                folder: None,
            });
        };
        let folder = SkinFolder::open(path, TEXTURES, CHECKS, upstream).map_err(|error| {
            let error = anyhow::Error::from(error);
            ExitError::usage(format!("--skins: {error:#}"))
        })?;
        let source = Arc::new(folder);
        let folder = Some(Arc::clone(&source));
        Ok(Self { source, folder })
    }

    /// Reads the files that have changed, again and again.
    pub(super) async fn reread(self) {
        while let Some(folder) = self.folder.clone() {
            tokio::time::sleep(REREAD_EVERY).await;
            // A disk may be slow.
            let read = tokio::task::spawn_blocking(move || folder.refresh());
            let read = read.await.map_err(anyhow::Error::from);
            if let Err(error) = read.and_then(|read| Ok(read?)) {
                tracing::warn!("--skins: the skins stay as they were: {error:#}");
            }
        }
    }
}
