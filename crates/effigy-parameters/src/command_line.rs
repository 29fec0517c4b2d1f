//! The forms of parameters on the command line.

/// The form of a parameter as options of `effigy render`.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CommandLine {
    /// The options.
    pub form: Form,
    /// The heading of the options in the help, if it is not the general one.
    pub heading: Option<&'static str>,
    /// The letter of the short option.
    pub short: Option<char>,
    /// Another name of the option, which the help shows.
    pub alias: Option<&'static str>,
    /// Shows the option in the short help, too.
    pub common: bool,
    /// Another parameter that this one requires.
    pub requires: Option<&'static str>,
    /// An option of another parameter that contradicts this one.
    pub conflicts: Option<&'static str>,
    /// Sentences for the long help that are true for the command line alone.
    pub note: &'static str,
}

/// The options by which a parameter is set.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    /// No option. Only URLs have the parameter.
    Absent,
    /// `--name VALUE`.
    Value,
    /// `--name`, and `--no-name` if there is a help for it.
    Switch(Option<&'static str>),
    /// An option for each word of the parameter, with its help: `--slim` and `--classic`.
    Words(&'static [&'static str]),
    /// `--name FILE` and `--no-name`.
    File {
        /// The help of `--name FILE`.
        on: &'static str,
        /// The help of `--no-name`.
        off: &'static str,
    },
}

impl CommandLine {
    /// Returns the options of a form, without anything special about them.
    pub(crate) const fn new(form: Form) -> CommandLine {
        CommandLine {
            form,
            heading: None,
            short: None,
            alias: None,
            common: false,
            requires: None,
            conflicts: None,
            note: "",
        }
    }
}
