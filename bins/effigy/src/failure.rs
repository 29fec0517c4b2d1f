//! Why a command ended without doing what it was for, in a sentence.

use std::{error::Error, io, iter, net::SocketAddr, path::PathBuf, process::ExitCode};

use effigy_player::InputError;
use effigy_render::{RenderError, SkinError};
use effigy_store::StoreError;
use effigy_upstream::{ConfigError, UpstreamError};

use crate::commands::StopSignal;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A setting cannot be used.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// Another program has the port.
    #[error("{address} is taken by another program; choose another port with --port")]
    PortTaken { address: SocketAddr },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    /// The database cannot be had.
    #[error("--database-url")]
    Database(#[source] StoreError),
    /// The database failed later.
    #[error("the database failed")]
    Store(#[source] StoreError),
    /// The system gave no threads or signals, or the demo no socket.
    #[error("the system refused {what}")]
    System {
        what: &'static str,
        #[source]
        source: io::Error,
    },
    /// Somebody could not wait for the end.
    #[error("stopped by a second signal, {signal}, before all was answered and stored")]
    Hurried { signal: StopSignal },
    /// A skin file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A skin file is none.
    #[error("{} is not a skin", path.display())]
    Skin {
        path: PathBuf,
        #[source]
        source: SkinError,
    },
    /// The text names nobody.
    #[error("the player's name cannot be used")]
    Input(#[source] InputError),
    /// The player's skin cannot be had.
    #[error("the player's skin cannot be had")]
    Upstream(#[source] UpstreamError),
    /// The picture cannot be drawn.
    #[error("the picture cannot be drawn")]
    Render(#[source] RenderError),
    /// Some of many pictures could not be made; each was told already.
    #[error("{failed} of {of} pictures could not be made")]
    Incomplete { failed: usize, of: usize },
    /// Only squares can be rectangles.
    #[error("only flat views can be svg: head, player, bust and combo")]
    NotFlat,
    /// Many pictures need a folder.
    #[error("--output: {} is no folder for several pictures", path.display())]
    NoFolder { path: PathBuf },
    /// Two pictures would be written to one file.
    #[error("two pictures would be written to {}", path.display())]
    SameFile { path: PathBuf },
    /// Nothing answers where the service should.
    #[error("nothing answers at {address}")]
    Unreachable {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    /// Something else answers there.
    #[error("what answers at {address} is not effigy")]
    NotEffigy { address: SocketAddr },
    /// The service says that it is not well.
    #[error("the service is not well: status {status}: {said}")]
    Unwell { status: u16, said: String },
    /// There is no page on that.
    #[error("there is no command {name:?}")]
    NoCommand { name: String },
    /// The picture, or a line of text, cannot be written.
    #[error("cannot write {to}")]
    Write {
        to: String,
        #[source]
        source: io::Error,
    },
}

impl Failure {
    /// The failure with its causes, in one line.
    pub(crate) fn sentence(&self) -> String {
        let causes = iter::successors(Some(self as &dyn Error), |error| (*error).source());
        let parts: Vec<String> = causes.map(ToString::to_string).collect();
        parts.join(": ")
    }

    /// 2 where the command line is at fault, as for all that it refuses; what a signal ends has its
    /// code; else 1.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Setting(_)
            | Self::NotFlat
            | Self::NoFolder { .. }
            | Self::SameFile { .. }
            | Self::NoCommand { .. } => ExitCode::from(2),
            Self::Hurried { signal } => signal.exit_code(),
            _ => ExitCode::FAILURE,
        }
    }
}
