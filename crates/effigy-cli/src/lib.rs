//! The command line of Effigy: its commands and their settings, with their help. The settings of a
//! server are flags and environment variables.
//!
//! Nothing is opened or started here: the program `effigy` runs the commands.

mod clients;
mod command;
mod database;
mod help;
mod log;
mod manual;
mod parse;
mod render;
mod server;
mod tips;
mod upstream;
mod values;

pub use clients::ClientArgs;
pub use command::{Cli, Command, HealthArgs, ProvidersArgs, PruneArgs};
pub use database::DatabaseArgs;
pub use log::{LogArgs, LogFormat};
pub use manual::{completions, manual, shells};
pub use parse::{parse, unknown_variables};
pub use render::{FileNameTemplate, RenderArgs};
pub use server::{AccessLogArg, AddressArgs, ServeArgs, ServerArgs};
pub use upstream::UpstreamArgs;
