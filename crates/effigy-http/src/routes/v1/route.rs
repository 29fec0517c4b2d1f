//! A route under `/v1/`, which checks the names of its parameters.

use effigy_parameters::Output;

use crate::routes::{
    query::Query,
    rejection::Parsed,
    request::{Methods, Operation, ParsedRequest, Surface},
};

/// A route, and the operation that a request asks it for.
pub(super) struct Route {
    /// The name in the metrics.
    name: &'static str,
    methods: Methods,
    /// The output, whose parameters the query may have.
    output: Option<Output>,
    /// The parameters of the route itself.
    own_parameters: &'static [&'static str],
    operation: Parsed<Operation>,
}

impl Route {
    pub(super) fn new(
        name: &'static str,
        output: impl Into<Option<Output>>,
        operation: Parsed<Operation>,
    ) -> Self {
        Self {
            name,
            methods: Methods::Get,
            output: output.into(),
            own_parameters: &[],
            operation,
        }
    }

    pub(super) fn with_parameters(self, own_parameters: &'static [&'static str]) -> Self {
        Self {
            own_parameters,
            ..self
        }
    }

    pub(super) fn with_methods(self, methods: Methods) -> Self {
        Self { methods, ..self }
    }

    /// Checks the names of the parameters, and returns the request.
    pub(super) fn into_request(self, query: &Query<'_>) -> ParsedRequest {
        let operation = match self.operation {
            Err(rejection) if rejection.is_not_found() => Err(rejection),
            // An unknown parameter is reported first, because it may be the misspelled name of one
            // whose absence is an error too.
            operation => query
                .reject_unknown(self.output, self.own_parameters)
                .and(operation),
        };
        ParsedRequest {
            name: self.name,
            methods: self.methods,
            surface: Surface::Own,
            operation,
        }
    }
}
