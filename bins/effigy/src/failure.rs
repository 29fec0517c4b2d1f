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
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] ConfigError),
    /// Another program uses the port.
    #[error("{address} is taken by another program; choose another port with --port")]
    PortTaken { address: SocketAddr },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    /// The database cannot be opened.
    #[error("--database-url: cannot open the database")]
    Database(#[source] StoreError),
    /// A query failed after the database was opened.
    #[error("the database failed")]
    Store(#[source] StoreError),
    /// The operating system refused threads, signal handlers or a socket's address.
    #[error("the operating system refused {what}")]
    System {
        what: &'static str,
        #[source]
        source: io::Error,
    },
    /// A second signal ended the shutdown.
    #[error(
        "stopped by a second signal, {signal}, before all requests were answered and all data was written"
    )]
    Interrupted { signal: StopSignal },
    /// A skin file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A file is not a skin.
    #[error("{} is not a skin", path.display())]
    Skin {
        path: PathBuf,
        #[source]
        source: SkinError,
    },
    /// The argument is neither a skin file nor a player.
    #[error("this is not a player's name or id")]
    Input(#[source] InputError),
    /// The player's skin cannot be fetched.
    #[error("cannot get the player's skin")]
    Upstream(#[source] UpstreamError),
    /// The picture cannot be drawn.
    #[error("the picture cannot be drawn")]
    Render(#[source] RenderError),
    /// Some of several pictures failed; each failure was printed when it happened.
    #[error("{failed} of {of} pictures could not be made")]
    Incomplete { failed: usize, of: usize },
    /// SVG was requested for a view that is not made of rectangles.
    #[error("only the flat views can be svg: head, player, bust and combo")]
    NotFlat,
    /// Several pictures need a folder.
    #[error("--output: {} is not a folder, which several pictures need", path.display())]
    NotAFolder { path: PathBuf },
    /// Two pictures have the same file name.
    #[error("two of the pictures would be written to {}", path.display())]
    SameFile { path: PathBuf },
    /// No service answers at the address.
    #[error("nothing answers at {address}; is the service running, and is this its port?")]
    Unreachable {
        address: SocketAddr,
        #[source]
        source: io::Error,
    },
    /// Another program answers at the address.
    #[error("the program that answers at {address} is not effigy")]
    NotEffigy { address: SocketAddr },
    /// The service reports that it is unhealthy.
    #[error("the service is unhealthy: status {status}: {report}")]
    Unhealthy { status: u16, report: String },
    /// The manual has no page of that name.
    #[error("there is no command {name:?}; effigy --help lists the commands")]
    NoCommand { name: String },
    /// A file or standard output cannot be written.
    #[error("cannot write {to}")]
    Write {
        to: String,
        #[source]
        source: io::Error,
    },
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
