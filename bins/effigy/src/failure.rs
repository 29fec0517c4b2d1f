//! The reasons why a command fails, each in one sentence for the person who started it.

use std::{error::Error, io, iter, net::SocketAddr, path::PathBuf, process::ExitCode};

use effigy_player::InputError;
use effigy_render::{RenderError, SkinError};
use effigy_store::StoreError;
use effigy_upstream::{ConfigError, UpstreamError};

use crate::commands::StopSignal;

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Setting(#[from] ConfigError),
    #[error("{address} is taken by another program; choose another port with --port")]
    PortTaken { address: SocketAddr },
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },
    #[error("--database-url: cannot open the database")]
    Database(#[source] StoreError),
    /// A query failed after the database was opened.
    #[error("the database failed")]
    Store(#[source] StoreError),
    #[error("the operating system refused {what}")]
    System {
        what: &'static str,
        source: io::Error,
    },
    #[error(
        "stopped by a second signal, {signal}, before all requests were answered and all data was written"
    )]
    Interrupted { signal: StopSignal },
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not a skin", path.display())]
    Skin { path: PathBuf, source: SkinError },
    #[error("this is not a player's name or id")]
    Input(#[source] InputError),
    #[error("cannot get the player's skin")]
    Upstream(#[source] UpstreamError),
    #[error("the picture cannot be drawn")]
    Render(#[source] RenderError),
    /// Each single failure was printed when it happened.
    #[error("{failed} of {of} pictures could not be made")]
    Incomplete { failed: usize, of: usize },
    #[error("only the flat views can be svg: head, player, bust and combo")]
    NotFlat,
    #[error("--output: {} is not a folder, which several pictures need", path.display())]
    NotAFolder { path: PathBuf },
    #[error("two of the pictures would be written to {}", path.display())]
    SameFile { path: PathBuf },
    #[error("nothing answers at {address}; start the service, or give its --listen and --port")]
    Unreachable {
        address: SocketAddr,
        source: io::Error,
    },
    #[error("the program that answers at {address} is not effigy")]
    NotEffigy { address: SocketAddr },
    #[error("the service is unhealthy: status {status}: {report}")]
    Unhealthy { status: u16, report: String },
    #[error("there is no command {name:?}; effigy --help lists the commands")]
    NoCommand { name: String },
    #[error("cannot write {to}")]
    Write { to: String, source: io::Error },
}

impl Failure {
    /// Creates the failure of a write to standard output.
    pub(crate) fn stdout(source: io::Error) -> Self {
        let to = "standard output".to_owned();
        Self::Write { to, source }
    }

    /// Returns the message and the messages of its causes in one line.
    pub(crate) fn sentence(&self) -> String {
        let causes = iter::successors(Some(self as &dyn Error), |error| (*error).source());
        let parts: Vec<String> = causes.map(ToString::to_string).collect();
        parts.join(": ")
    }

    /// Returns the exit code: 2 for a mistake on the command line, as clap does; the signal's own
    /// for a signal; 1 for everything else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Setting(_)
            | Self::NotFlat
            | Self::NotAFolder { .. }
            | Self::SameFile { .. }
            | Self::NoCommand { .. } => ExitCode::from(2),
            Self::Interrupted { signal } => signal.exit_code(),
            _ => ExitCode::FAILURE,
        }
    }
}
