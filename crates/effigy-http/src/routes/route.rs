//! A route: one row of the table.

use effigy_render::View;
use effigy_service::Endpoint;

use super::{
    docs::{Parameter, Reply},
    pattern::{Captures, Pattern},
    target::{Parsed, Rejection},
    v1::unknown::reject_unknown,
};

/// A route: what its paths look like, how they are parsed, and how it is documented.
#[derive(Debug)]
pub(crate) struct Route {
    /// The paths. A path belongs to the first row that accepts it.
    pub(crate) pattern: Pattern,
    /// The name in the metrics. Routes with the same first word share it.
    pub(crate) name: &'static str,
    pub(crate) method: RouteMethod,
    /// Reads the parameters.
    pub(super) parser: Parser,
    /// The form of failures.
    pub(crate) errors: Errors,
    /// The page of the reference that has the route. Routes without one are not documented.
    pub(crate) page: Option<DocPage>,
    /// The heading in the documentation.
    pub(crate) tag: &'static str,
    /// The purpose, in a few words.
    pub(crate) summary: &'static str,
    pub(crate) description: &'static str,
    /// The parameters in the path, and the others in the query.
    pub(crate) parameters: Vec<Parameter>,
    /// The documented responses.
    pub(crate) replies: Vec<Reply>,
}

/// A page of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocPage {
    /// The service's own routes.
    Main,
    /// The URLs of other services.
    Families,
}

/// The parser of a route's parameters.
pub(super) type Parser = fn(&Captures<'_>) -> Parsed;

/// The method of a route. Routes with GET also answer HEAD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RouteMethod {
    Get,
    /// With a skin file in the body.
    Post,
}

/// The form in which a route reports failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// With status 500 and the message of the endpoint, whatever the reason. Spec, "Errors".
    Specified(Endpoint),
    /// With a status and a message that depend on the reason. This is the message for "not found".
    ByReason(&'static str),
    /// With a status that depends on the reason, and the message of the picture's endpoint.
    ByStatus,
    /// It does not fail.
    None,
}

/// Two rows are the same if they have the same pattern.
impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.pattern.text == other.pattern.text
    }
}

impl Eq for Route {}

impl Route {
    /// A route that is not documented, with the first word of its paths as its name.
    pub(super) fn get(pattern: &'static str, parse: Parser) -> Self {
        let pattern = Pattern::new(pattern);
        Self {
            name: pattern.first_word(),
            pattern,
            method: RouteMethod::Get,
            parser: parse,
            errors: Errors::None,
            page: None,
            tag: "",
            summary: "",
            description: "",
            parameters: Vec::new(),
            replies: Vec::new(),
        }
    }

    /// A route whose requests have a skin file in the body.
    pub(super) fn post(pattern: &'static str, parse: Parser) -> Self {
        Self {
            method: RouteMethod::Post,
            replies: Reply::bad_skin_file(),
            ..Self::get(pattern, parse)
        }
    }

    /// Parses a path that matches the pattern, and its query. Under `/v1/`, the query may have no
    /// parameter that the route does not have.
    pub(super) fn parse(&self, captures: &Captures<'_>) -> Parsed {
        let parsed = (self.parser)(captures);
        if parsed == Err(Rejection::NOT_FOUND) || self.name != "v1" {
            return parsed;
        }
        let in_query = self.parameters.iter();
        let in_query = in_query.filter(|parameter| !self.has_in_path(parameter));
        // An unknown parameter may be a misspelled one whose absence is an error too.
        reject_unknown(captures.query, in_query).and(parsed)
    }

    pub(super) fn named(self, name: &'static str) -> Self {
        Self { name, ..self }
    }

    pub(super) fn errors(mut self, errors: Errors) -> Self {
        self.replies.extend(Reply::of_errors(errors));
        Self { errors, ..self }
    }

    /// A picture of the specification.
    pub(super) fn specified_picture(self, endpoint: Endpoint) -> Self {
        self.cached(Reply::picture())
            .reply(Reply::not_found())
            .errors(Errors::Specified(endpoint))
    }

    pub(super) fn summary(self, summary: &'static str) -> Self {
        Self { summary, ..self }
    }

    pub(super) fn description(self, description: &'static str) -> Self {
        Self {
            description,
            ..self
        }
    }

    /// Adds parameters.
    pub(super) fn parameters(mut self, parameters: &[Parameter]) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// Adds the parameters that a view has.
    pub(super) fn parameters_of(mut self, view: View, parameters: &[Parameter]) -> Self {
        let known = parameters.iter().filter(|known| known.applies_to(view));
        self.parameters.extend(known);
        self
    }

    pub(super) fn reply(mut self, reply: Reply) -> Self {
        self.replies.push(reply);
        self
    }

    /// Adds a response that clients may cache for the rest of its hour.
    pub(super) fn cached(self, reply: Reply) -> Self {
        self.reply(reply.cached()).reply(Reply::not_modified())
    }

    /// Tells whether a parameter is in the path. The others are in the query.
    pub(crate) fn has_in_path(&self, parameter: &Parameter) -> bool {
        self.pattern.parameters.contains(&parameter.name)
    }
}
