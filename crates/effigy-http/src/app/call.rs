//! A request on its way through the handlers.

use std::sync::Arc;

use effigy_service::ServiceError;
use hyper::{header::ACCEPT, http::request::Parts};

use crate::{clients::Limited, server::Connection};

/// A request as it was received.
pub(super) struct Call<'a> {
    pub(super) head: &'a Parts,
    pub(super) connection: &'a Connection,
}

impl Call<'_> {
    /// Returns `true` if the client asks for this media type in particular. Browsers ask for images where a
    /// page has one, and take anything.
    pub(super) fn accepts(&self, media_type: &str) -> bool {
        let mut accepted = self.head.headers.get_all(ACCEPT).iter();
        accepted.any(|value| {
            let value = value.to_str().unwrap_or_default();
            value.to_ascii_lowercase().contains(media_type)
        })
    }
}

/// The reason why a request failed.
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
