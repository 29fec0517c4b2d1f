//! A request on its way through the handlers.

use std::sync::Arc;

use effigy_service::ServiceError;
use hyper::http::request::Parts;

use crate::{clients::Limited, server::Connection};

/// A request as it was received.
pub(super) struct Call<'a> {
    pub(super) head: &'a Parts,
    pub(super) connection: &'a Connection,
}

/// Why a request failed.
pub(super) enum Failure {
    Service(Arc<ServiceError>),
    Limited(Limited),
}

impl From<Arc<ServiceError>> for Failure {
    fn from(error: Arc<ServiceError>) -> Self {
        Self::Service(error)
    }
}

impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        Self::Service(Arc::new(error))
    }
}

impl From<Limited> for Failure {
    fn from(limited: Limited) -> Self {
        Self::Limited(limited)
    }
}
