//! The command line of Effigy: its commands, their settings and their help. The settings of a
//! server are flags and environment variables.
//!
//! Nothing is opened or started here: the program `effigy` runs the commands. [`Cli`] has all of
//! them, each with a struct of its settings, and [`parse`] reads it.

mod clients;
mod command;
mod database;
mod environment;
mod help;
mod log;
mod manual;
mod parse;
mod render;
mod retired;
mod server;
mod upstream;
mod usage_error;
mod values;

pub use clients::ClientArgs;
pub use command::{Cli, Command, HealthArgs, ProvidersArgs, PruneArgs};
pub use database::DatabaseArgs;
pub use log::{LogArgs, LogFormat};
pub use manual::{completions, manual, shells};
pub use parse::parse;
pub use render::{
    Drawing, Existing, FileNames, Input, OutputFile, Place, PlannedFile, RenderArgs, Source, is_png,
};
pub use server::{AccessLogArg, AddressArgs, ServeArgs, ServerArgs};
pub use upstream::UpstreamArgs;
pub use usage_error::UsageError;
