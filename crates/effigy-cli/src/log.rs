//! The settings of the log.

use clap::{Args, ValueEnum};
use tracing_subscriber::filter::Targets;

use crate::values::log_levels;

/// The settings of the log.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// The level of the log: off, error, warn, info, debug or trace.
    ///
    /// Modules may have levels of their own, for example warn,effigy=debug. The log is written to
    /// standard error.
    #[arg(long, env, value_name = "LEVEL", default_value = "info", value_parser = log_levels)]
    pub log: Targets,
    /// The format of the log.
    #[arg(long, env, value_name = "FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines of text, for people.
    Text,
    /// One JSON object per line, for programs.
    Json,
}
