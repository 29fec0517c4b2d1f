//! The options of `effigy render` that set parameters of pictures. They are made from the table.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, value_parser};
use effigy_parameters::{
    DefaultValue, Form, Kind, Limits, Parameter, Setting, Unit, find, parameters,
};

use super::views::words_of_one_player;

/// The parameters of a picture that options set.
#[derive(Debug, Default)]
pub(crate) struct ParameterArgs {
    /// The settings, in the order of the table.
    settings: Vec<Setting>,
    /// The word for the view of each player on a sheet.
    view: Option<String>,
    /// The file of a cape.
    cape: Option<PathBuf>,
}

/// An option that sets a parameter.
pub(super) struct ParameterOption {
    pub(super) parameter: &'static Parameter,
    /// The name, without dashes before it.
    pub(super) name: String,
    value: OptionValue,
}

/// The value that an option gives to its parameter.
enum OptionValue {
    /// The text after the option.
    Given,
    /// This value.
    Fixed(&'static str),
    /// `true`. The text after the option names a file.
    File,
}

impl ParameterArgs {
    /// Returns the settings, in the order of the table.
    pub(super) fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Returns `true` if an option sets the parameter with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        let mut settings = self.settings.iter();
        settings.any(|setting| setting.parameter().name == name)
    }

    /// Returns the word for the view of each player on a sheet.
    pub(super) fn view(&self) -> Option<&str> {
        self.view.as_deref()
    }

    /// Returns the file of a cape.
    pub(super) fn cape(&self) -> Option<&Path> {
        self.cape.as_deref()
    }
}

impl Args for ParameterArgs {
    fn augment_args(command: Command) -> Command {
        let options = parameters().flat_map(options_of);
        command.args(options.map(|option| option.arg()))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ParameterArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in parameters().flat_map(options_of) {
            let name = option.name.as_str();
            match option.value {
                OptionValue::Given if matches!(option.parameter.kind, Kind::View) => {
                    self.view = matches.get_one::<String>(name).cloned();
                }
                OptionValue::Given => {
                    if let Some(setting) = matches.get_one::<Setting>(name) {
                        self.settings.push(*setting);
                    }
                }
                OptionValue::Fixed(value) => {
                    if matches.get_flag(name) {
                        self.settings.push(fixed(option.parameter, value));
                    }
                }
                OptionValue::File => {
                    self.cape = matches.get_one::<PathBuf>(name).cloned();
                    if self.cape.is_some() {
                        self.settings.push(fixed(option.parameter, "true"));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns `true` if the short help shows the option with this name.
pub(crate) fn is_common(id: &str) -> bool {
    find(id).is_some_and(|parameter| parameter.command_line.common)
}

/// Returns the setting of a parameter to a value that is known to be valid.
pub(super) fn fixed(parameter: &'static Parameter, value: &str) -> Setting {
    let setting = parameter.parse(value, &Limits::NONE);
    setting.expect("the value is valid for the parameter")
}

/// Returns the options of a parameter.
pub(super) fn options_of(parameter: &'static Parameter) -> Vec<ParameterOption> {
    let name = parameter.name;
    let no_name = format!("no-{name}");
    let option = |flag: &str, value| ParameterOption {
        parameter,
        name: flag.to_owned(),
        value,
    };
    match parameter.command_line.form {
        Form::Absent => Vec::new(),
        Form::Value => vec![option(name, OptionValue::Given)],
        Form::Switch(None) => vec![option(name, OptionValue::Fixed("true"))],
        Form::Switch(Some(_)) => vec![
            option(name, OptionValue::Fixed("true")),
            option(&no_name, OptionValue::Fixed("false")),
        ],
        Form::File { .. } => vec![
            option(name, OptionValue::File),
            option(&no_name, OptionValue::Fixed("false")),
        ],
        Form::Words(_) => {
            let Kind::Word(words, _) = parameter.kind else {
                return Vec::new();
            };
            let options = words
                .iter()
                .map(|word| option(word, OptionValue::Fixed(word)));
            options.collect()
        }
    }
}

impl ParameterOption {
    /// Returns the argument of the command line.
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.name.clone())
            .long(self.name.clone())
            .help(self.help())
            .long_help(self.long_help())
            .help_heading(self.parameter.command_line.heading);
        let arg = match self.value {
            OptionValue::Fixed(_) => arg.action(ArgAction::SetTrue),
            OptionValue::File => arg.value_name("FILE").value_parser(value_parser!(PathBuf)),
            OptionValue::Given => self.with_value(arg),
        };
        self.with_relations(self.with_other_names(arg))
    }

    /// Adds the short option and the alias.
    fn with_other_names(&self, mut arg: Arg) -> Arg {
        let command_line = &self.parameter.command_line;
        if !self.is_first() {
            if let Some(alias) = command_line.alias {
                arg = arg.visible_alias(format!("no-{alias}"));
            }
            return arg;
        }
        if let Some(alias) = command_line.alias {
            arg = arg.visible_alias(alias);
        }
        if let Some(letter) = command_line.short {
            arg = arg.short(letter);
        }
        arg
    }

    /// Adds the options that this option requires or contradicts.
    fn with_relations(&self, mut arg: Arg) -> Arg {
        for other in options_of(self.parameter) {
            if other.name != self.name {
                arg = arg.conflicts_with(other.name);
            }
        }
        if let Some(other) = self.parameter.command_line.requires {
            arg = arg.requires(other);
        }
        if let Some(other) = self.parameter.command_line.conflicts {
            arg = arg.conflicts_with(other);
        }
        arg
    }

    /// Adds the value and its parser.
    fn with_value(&self, arg: Arg) -> Arg {
        let kind = self.parameter.kind;
        // The first of several angles may be negative.
        let is_list_of_numbers = matches!(kind, Kind::Angles(_) | Kind::Direction(_));
        arg.value_name(self.value_name())
            .allow_hyphen_values(is_list_of_numbers)
            .value_parser(parser(self.parameter))
    }

    /// Returns the word for the value in the help.
    fn value_name(&self) -> String {
        let name = match self.parameter.kind {
            Kind::WholeNumber { unit, .. } | Kind::Number { unit, .. } => match unit {
                Unit::Pixels => "PIXELS",
                Unit::Degrees => "DEGREES",
                Unit::None => return self.name.to_uppercase(),
            },
            Kind::Angles(_) => "X,Y,Z",
            Kind::Direction(_) => "YAW,PITCH",
            Kind::Color(_) => "COLOR",
            _ => return self.name.to_uppercase(),
        };
        name.to_owned()
    }

    /// Returns the text of the short help.
    fn help(&self) -> String {
        let parameter = self.parameter;
        let help = match (parameter.command_line.form, &self.value) {
            (Form::Switch(Some(off)), OptionValue::Fixed("false")) => off,
            (Form::File { off, .. }, OptionValue::Fixed(_)) => off,
            (Form::File { on, .. }, _) => on,
            (Form::Words(helps), _) => {
                let word = options_of(parameter)
                    .iter()
                    .position(|option| option.name == self.name);
                helps[word.unwrap_or_default()]
            }
            _ => parameter.help,
        };
        let default = match parameter.default {
            DefaultValue::Value(text) | DefaultValue::Described(text) => text,
            DefaultValue::None => "",
        };
        let text = if matches!(self.value, OptionValue::Given) && !default.is_empty() {
            format!("{help} (default: {default})")
        } else {
            help.to_owned()
        };
        text.replace('`', "")
    }

    /// Returns the text of the long help.
    fn long_help(&self) -> String {
        let parameter = self.parameter;
        let mut sentences = Vec::new();
        let has_range = matches!(
            parameter.kind,
            Kind::Number { .. } | Kind::Angles(_) | Kind::Direction(_)
        );
        if has_range {
            sentences.push(parameter.values());
        }
        // The details are about the values, which options of other forms don't take.
        let is_plain = matches!(parameter.command_line.form, Form::Value | Form::Switch(_));
        if self.is_first() {
            if is_plain {
                sentences.push(parameter.details.to_owned());
            }
            sentences.push(parameter.command_line.note.to_owned());
        }
        sentences.retain(|sentence| !sentence.is_empty());
        let help = self.help();
        if sentences.is_empty() {
            return help;
        }
        let details = sentences.join(" ").replace('`', "");
        format!("{help}\n\n{details}")
    }

    /// Returns `true` if this is the first option of the parameter.
    fn is_first(&self) -> bool {
        let options = options_of(self.parameter);
        options.first().is_some_and(|first| first.name == self.name)
    }
}

/// Returns the parser of a parameter's values.
fn parser(parameter: &'static Parameter) -> ValueParser {
    match parameter.kind {
        Kind::View => words_of_one_player().into(),
        Kind::Word(words, _) => {
            let values = words.iter().map(|word| possible_value(parameter, word));
            PossibleValuesParser::new(values)
                .map(move |word| fixed(parameter, &word))
                .into()
        }
        _ => ValueParser::new(
            move |text: &str| match parameter.parse(text, &Limits::NONE) {
                Ok(setting) => Ok(setting),
                Err(error) => Err(format!("write {}", error.expected)),
            },
        ),
    }
}

/// Returns a value with its synonyms, which the help doesn't show.
fn possible_value(parameter: &Parameter, word: &'static str) -> PossibleValue {
    let mut value = PossibleValue::new(word);
    for (synonyms, meant) in parameter.value_synonyms {
        if *meant == word {
            value = value.aliases(synonyms.split(' '));
        }
    }
    value
}
