//! Parses the command line and the environment.

mod tips;

use std::env;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, Error, FromArgMatches};

use crate::environment::{self, OldVariable};
use crate::{Cli, Command, help};

/// Parses the command line, or ends the program with a message.
pub fn parse() -> Cli {
    let arguments: Vec<OsString> = env::args_os().collect();
    parse_from(&arguments).unwrap_or_else(|error| error.exit())
}

/// Parses arguments. The first one is the program.
pub(crate) fn parse_from(arguments: &[OsString]) -> Result<Cli, Error> {
    let subcommand = arguments.get(1).and_then(|word| word.to_str());
    let subcommand = subcommand.unwrap_or_default();
    let mut program = command();
    if program.find_subcommand(subcommand).is_some() {
        // The root has the settings of `serve`, for when no command is given. With a command, their
        // variables are ignored: it may not have the setting whose value is bad.
        program = program.mut_args(|arg| arg.env(None::<&str>));
    }
    let matches = match program.try_get_matches_from_mut(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let command = program.find_subcommand(subcommand).unwrap_or(&program);
            let error = naming_variable(error, command, arguments);
            return Err(tips::with_tip(error, command));
        }
    };
    let mut cli = Cli::from_arg_matches(&matches).expect("the same command has made the matches");
    refuse_misplaced_options(&cli, &matches)?;
    // Old variables are found by their names without the prefix, which those of `program` have.
    let with_short_names = Cli::command();
    let (command, command_matches) = command_of(&matches);
    let old_variables = environment::old_variables(&with_short_names, command);
    refuse_old_variables(&old_variables, command, command_matches)?;
    cli.warnings = warnings(&cli, command_matches, &old_variables, &with_short_names);
    Ok(cli)
}

/// Returns the commands with their help and the names of their variables.
pub(crate) fn command() -> clap::Command {
    arranged(Cli::command())
}

/// Arranges the help of a command and of its subcommands, and names their variables.
fn arranged(command: clap::Command) -> clap::Command {
    let has_variables = environment::has_variables(&command);
    let command = command.help_template(help::TEMPLATE).mut_args(|arg| {
        let arg = help::arranged(arg);
        if has_variables {
            environment::with_prefix(arg)
        } else {
            arg.env(None::<&str>)
        }
    });
    command.mut_subcommands(arranged)
}

/// Adds the variable that a bad value comes from to its error, unless the value is among the
/// arguments.
fn naming_variable(mut error: Error, command: &clap::Command, arguments: &[OsString]) -> Error {
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let argument = context(ContextKind::InvalidArg);
    let value = context(ContextKind::InvalidValue);
    let mut typed_words = arguments.iter().skip(1);
    if typed_words.any(|word| word.to_string_lossy().contains(&value)) {
        return error;
    }
    let flag = argument.trim_start_matches('-').split(' ').next();
    let arg = command.get_arguments().find(|arg| arg.get_long() == flag);
    if let Some(variable) = arg.and_then(clap::Arg::get_env) {
        let argument_and_variable = format!("{argument}, from {}", variable.display());
        let context_value = ContextValue::String(argument_and_variable);
        error.insert(ContextKind::InvalidArg, context_value);
    }
    error
}

/// Refuses options of `render` that would change nothing about the picture.
fn refuse_misplaced_options(cli: &Cli, matches: &ArgMatches) -> Result<(), Error> {
    let (Some(Command::Render(args)), Some((_, of_render))) = (&cli.command, matches.subcommand())
    else {
        return Ok(());
    };
    args.check_options(of_render).map_err(usage_error)
}

/// Refuses to serve without a setting of an earlier version that would open the service or redirect
/// its calls if it were ignored.
fn refuse_old_variables(
    old_variables: &[OldVariable],
    command: &str,
    command_matches: &ArgMatches,
) -> Result<(), Error> {
    if !matches!(command, "serve" | "demo") {
        return Ok(());
    }
    let mut refusals = Vec::new();
    for variable in old_variables {
        if variable.is_guarded() && !is_given(command_matches, &variable.id) {
            refusals.push(variable.refusal());
        }
    }
    if refusals.is_empty() {
        return Ok(());
    }
    Err(usage_error(refusals.join("\n")))
}

/// Returns the warnings about settings that have no effect, have a new name or are raised.
fn warnings(
    cli: &Cli,
    command_matches: &ArgMatches,
    old_variables: &[OldVariable],
    with_short_names: &clap::Command,
) -> Vec<String> {
    let mut warnings: Vec<String> = old_variables.iter().map(OldVariable::warning).collect();
    if let Some(args) = cli.serve_args() {
        warnings.extend(args.retired.warnings());
        for name in environment::unknown_variables(with_short_names) {
            warnings.push(format!("unknown setting {name}; see --help"));
        }
    }
    if let Some(args) = cli.database_args() {
        let of_ages = args.warnings(|id| is_given(command_matches, id));
        warnings.extend(of_ages.into_iter().map(str::to_owned));
    }
    warnings
}

/// Returns the name of the command, and its matches. Without a command, the program serves.
fn command_of(matches: &ArgMatches) -> (&str, &ArgMatches) {
    matches.subcommand().unwrap_or(("serve", matches))
}

/// Returns `true` if the setting with this id is given by its flag or by its new variable.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    let source = matches.value_source(id);
    matches!(
        source,
        Some(ValueSource::CommandLine | ValueSource::EnvVariable)
    )
}

fn usage_error(message: String) -> Error {
    Error::raw(ErrorKind::ArgumentConflict, message + "\n")
}

#[cfg(test)]
mod tests;
