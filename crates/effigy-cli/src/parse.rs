//! The command line together with the environment.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, Error, FromArgMatches};

use super::{Cli, Command, help, tips};

/// The command whose settings are no variables, since it is not of a server.
const LOCAL: &str = "render";

/// The beginning of the names of variables. Those without it are read as well.
const PREFIX: &str = "EFFIGY_";

/// The beginnings of variables that Kubernetes sets if a service is called `effigy`.
const OF_KUBERNETES: [&str; 2] = ["EFFIGY_SERVICE_", "EFFIGY_PORT_"];

/// Parses the command line, or ends the program with a message.
pub fn parse() -> Cli {
    let arguments: Vec<OsString> = env::args_os().collect();
    parse_from(&arguments).unwrap_or_else(|error| error.exit())
}

/// Parses arguments. The first one is the program.
pub(crate) fn parse_from(arguments: &[OsString]) -> Result<Cli, Error> {
    let name = arguments.get(1).and_then(|word| word.to_str());
    let name = name.unwrap_or_default();
    let mut command = command();
    if command.find_subcommand(name).is_some() {
        // The settings of the server that would run without a command.
        command = command.mut_args(|arg| arg.env(None::<&str>));
    }
    let matches = command.try_get_matches_from_mut(arguments);
    let matches = matches.map_err(|error| {
        let of_command = command.find_subcommand(name).unwrap_or(&command);
        tips::with_tip(with_variable(error, of_command, arguments), of_command)
    })?;
    let cli = Cli::from_arg_matches(&matches).expect("the matches are those of the same command");
    if let (Some(Command::Render(args)), Some((_, matches))) = (&cli.command, matches.subcommand())
        && let Some(message) = args.misplaced(matches)
    {
        return Err(Error::raw(ErrorKind::ArgumentConflict, message + "\n"));
    }
    Ok(cli)
}

/// Names the variable of a bad value, which is where one that is not among the arguments is from.
fn with_variable(mut error: Error, command: &clap::Command, arguments: &[OsString]) -> Error {
    let [flag, value] = [ContextKind::InvalidArg, ContextKind::InvalidValue]
        .map(|kind| error.get(kind).map(ToString::to_string).unwrap_or_default());
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let long = flag.trim_start_matches('-').split(' ').next();
    let mut args = command.get_arguments();
    let variable = args.find_map(|arg| arg.get_env().filter(|_| arg.get_long() == long));
    if let (Some(name), false) = (variable, words.any(|word| word.contains(&value))) {
        let flag = format!("{flag}, from {}", name.display());
        error.insert(ContextKind::InvalidArg, ContextValue::String(flag));
    }
    error
}

/// Returns the commands with their help and the names of their variables: those with the prefix,
/// unless only one without it is set.
pub(crate) fn command() -> clap::Command {
    arranged(Cli::command())
}

/// Arranges the help and names the variables of a command and of those below it.
fn arranged(command: clap::Command) -> clap::Command {
    let is_of_server = command.get_name() != LOCAL;
    let command = command.help_template(help::TEMPLATE);
    let command = command.mut_args(help::arranged).mut_args(|arg| {
        let short = arg.get_env().filter(|_| is_of_server);
        let Some(short) = short.map(OsStr::to_os_string) else {
            return arg.env(None::<&str>);
        };
        let name = OsString::from_iter([PREFIX.as_ref(), &*short]);
        match [&name, &short].into_iter().find(|name| is_set(name)) {
            None if env::var_os(&name).is_some() => arg.env(None::<&str>),
            set => arg.env(set.unwrap_or(&name).clone()),
        }
    });
    command.mut_subcommands(arranged)
}

/// Returns `true` for a variable with a value. As in shells and containers, an empty one counts as
/// unset, and so does the address by which Kubernetes replaces `EFFIGY_PORT` if a service is called
/// `effigy`.
fn is_set(name: &OsStr) -> bool {
    let value = env::var_os(name).unwrap_or_default();
    !value.is_empty() && !value.to_string_lossy().starts_with("tcp://")
}

/// Returns the names of variables that begin as those of settings do, but belong to no setting.
pub fn unknown_variables() -> impl Iterator<Item = String> {
    let command = command();
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(move |name| {
        let mut known = command.get_arguments().filter_map(Arg::get_env);
        let is_known = known.any(|known| known == name.as_str());
        let is_of_kubernetes = OF_KUBERNETES.iter().any(|prefix| name.starts_with(prefix));
        name.starts_with(PREFIX) && is_set(name.as_ref()) && !is_known && !is_of_kubernetes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what the program says to these words in place of running.
    fn answer(words: &str) -> String {
        let words = ["effigy"].into_iter().chain(words.split(' '));
        let arguments: Vec<OsString> = words.map(OsString::from).collect();
        let error = parse_from(&arguments).expect_err("the program does not run");
        error.to_string()
    }

    /// Asserts that the program refuses words with a message that has this part.
    fn assert_refused(rows: &[(&str, &str)]) {
        for (words, message) in rows {
            let error = answer(words);
            assert!(error.contains(message), "{words}: {error}");
        }
    }

    #[test]
    fn arguments_that_cannot_be_meant_are_refused() {
        #[rustfmt::skip]
        assert_refused(&[
            ("--port=port", "--port"),
            ("--port=65536", "--port"),
            ("--port=-1", "--port"),
            ("--listen=everywhere", "--listen"),
            ("--upstream-timeout=0", "--upstream-timeout"),
            ("--player-ttl=short", "--player-ttl"),
            ("--java-identity-limit=many", "--java-identity-limit"),
            ("--memory-cache=much", "--memory-cache"),
            ("--database-max-size=1000", "--database-max-size"),
            ("--max-size=191", "--max-size"),
            ("--stale-if-error=long", "--stale-if-error"),
            ("--log=a=b=c", "--log"),
            ("--log-format=xml", "--log-format"),
            ("--no-such-flag", "--no-such-flag"),
            ("paint", "paint"),
            ("man nothing", "invalid value 'nothing'"),
            ("completions tcsh", "invalid value 'tcsh'"),
            ("render back x.png", "invalid value 'back'"),
            ("render face x.png --size=0", "a whole number from 1"),
            ("render face x.png --size -3", "a whole number from 1"),
            ("render cube x.png --turn --frames -3", "-3 is not in 1..=1000"),
            ("render face x.png --facing=up", "invalid value 'up' for '--facing"),
            ("render face x.png --overlay --no-overlay", "--no-overlay"),
            ("render figure x.png --turn --svg -o x.apng", "--svg"),
            ("render body x.png --slim --classic", "--classic"),
            ("render cube x.png -5", "unexpected argument '-5'"),
            ("render cube x.png --turn --rate 51", "51 is not in 1..=50"),
            ("render sheet x.png --view=group", "invalid value 'group'"),
            ("render face x.png --log effigy", "error, warn, info"),
            ("render face x.png --background crimson", "rrggbb"),
            ("render figure x.png --yaw 361", "a number from -360 to 360"),
            ("render figure x.png --pose moonwalk", "crouch"),
            ("render figure x.png --head 0,181,0", "three numbers from -180 to 180"),
            ("render cube x.png --upside-down --no-upside-down", "--no-upside-down"),
            ("render sheet x.png --columns 0", "a whole number from 1"),
            ("render figure x.png --phase 0.5", "--pose"),
            ("render face x.png --outline-width 3", "--outline"),
            ("render face x.png --outline white --outline-width 33", "a whole number from 1 to 32"),
            ("render figure x.png --light-from 0", "write a yaw from -360 to 360"),
            ("render figure x.png --elytra --no-cape", "--no-cape"),
        ]);
    }

    #[test]
    fn options_that_would_change_nothing_are_refused() {
        #[rustfmt::skip]
        assert_refused(&[
            ("render skin x.png --svg", "--svg is only for views that are drawn; skin and cape are PNG files"),
            ("render skin x.png --size=64", "--size is only for views that are drawn"),
            ("render cape x.png --pose=sit", "--pose is only for views of players"),
            ("render cape x.png --svg", "--svg is only for views that are drawn; skin and cape"),
            ("render skin x.png --cape=cape.png", "--cape is only for figure"),
            ("render face x.png --facing=left", "--facing is only for isometric views"),
            ("render cube x.png --classic", "--classic is only for views with arms"),
            ("render bust x.png --no-cape", "--no-cape is only for figure, portrait, isobody and group"),
            ("render isohead x.png --yaw=3", "--yaw is only for figure, portrait, cube and group"),
            ("render face x.png --shadow", "--shadow is only for figure, isobody and group"),
            ("render face x.png --light soft", "--light is only for views that are not flat"),
            ("render face x.png --turn", "--turn is only for figure, portrait and cube"),
            ("render group x.png --animate", "--animate is only for figure, portrait and cube"),
            ("render face x.png --rate 5", "--rate is only for figure, portrait and cube"),
            ("render cube x.png --frames 5", "--frames is only for moving pictures: add --animate or --turn"),
            ("render group x.png --columns=2", "--columns is only for sheet"),
            ("render face x.png --view=bust", "--view is only for sheet"),
            ("render face x.png --right-arm -90,0,0", "--right-arm is only for figure"),
            ("render face x.png --upside-down", "--upside-down is only for views that are not flat"),
            ("render face x.png --names", "--names is only for group and sheet"),
            ("render portrait x.png --crop head", "--crop is only for figure and group"),
            ("render group x.png --crop content", "--crop content is only for pictures of one player"),
            ("render face x.png --light-from 0,0", "--light-from is only for views that are not flat"),
            ("render cube x.png --light game --light-from -30,0", "--light-from must be left out unless the light is"),
            ("render avatar x.png --light-from 0,0", "--light-from must be left out unless the light is"),
            ("render figure x.png --crop bust --shadow", "--shadow must be left out of a picture"),
        ]);
    }

    #[test]
    fn words_that_people_type_have_a_tip() {
        #[rustfmt::skip]
        let rows = [
            ("render fox.png", "effigy render figure fox.png"),
            ("render helm fox.png", "effigy render face"),
            ("render fullbody fox.png", "effigy render figure"),
            ("render 3d fox.png", "effigy render figure"),
            ("fox.png", "effigy render figure fox.png"),
            ("group fox.png knight.png", "effigy render group"),
            ("helm fox.png", "effigy render face"),
            ("render face fox.png --width 64", "the argument is --size"),
            ("render face fox.png -w 64", "the argument is --size"),
            ("render isobody fox.png --rotate 3", "the argument is --yaw"),
            ("render bust fox.png --nohelm", "the argument is --no-overlay"),
            ("render bust fox.png --fallback", "the argument is --allow-fallback"),
            ("render face fox.png --format svg", "The format is the extension"),
            ("render figure fox.png --flip", "\"upside-down\""),
            ("render face fox.png --transparent", "without a \"background\" are transparent"),
            // Others have those of clap.
            ("render face fox.png --siez 64", "'--size'"),
            ("serv --port 0", "'serve'"),
            ("serve --hat", "unexpected argument '--hat' found"),
        ];
        for (words, tip) in rows {
            let error = answer(words);
            assert!(error.contains(tip), "{words}: {error}");
            assert!(!error.contains("--pitch"), "{words}: {error}");
        }
    }

    #[test]
    fn a_short_help_is_one_screen() {
        for command in ["", "serve ", "demo ", "render ", "providers ", "prune "] {
            let help = answer(&format!("{command}-h"));
            assert!(help.lines().count() <= 45, "{command}: {help}");
        }
    }
}
