//! The operations of requests, each with its response.

use effigy_service::{FileRequest, ServedFile};
use hyper::body::Incoming;

use super::{
    Call, Handled, Handlers,
    fixed::{redirect, unknown_path},
    reports,
};
use crate::{
    openapi,
    respond::{Response, family::add_family_headers, image::picture_response},
    routes::{Operation, Rejection, Surface},
    site::{FAMILIES, REFERENCE, assets},
};

impl Handlers {
    /// Performs the operation of a request, unless the request is rejected.
    pub(super) async fn perform(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Handled {
        let operation = match &call.request.operation {
            Ok(operation) => operation,
            Err(rejection) if *rejection == Rejection::NOT_FOUND => {
                return Ok(unknown_path(&call.request, &call.head));
            }
            Err(rejection) => return Ok(call.request.rejection_response(rejection)),
        };
        let service = &self.service;
        let headers = &call.head.headers;
        let path = call.head.uri.path();
        let client = call.client;
        Ok(match operation {
            Operation::Live => reports::probe(false),
            Operation::Ready => reports::probe(self.is_closing()),
            Operation::Health => reports::health(&service.health().await, self.started),
            Operation::File(file) => {
                let image = match cached {
                    Some(image) => image,
                    None => service.get(file).await?,
                };
                self.picture_response(file, &image, call)
            }
            Operation::Preview { params, model } => {
                self.preview(*params, *model, body, call).await?
            }
            Operation::Form { params, model } => self.form(*params, *model, body, call).await?,
            Operation::FamilyProfile(form, input) => {
                self.family_profile(*form, input, call).await?
            }
            Operation::Profiles(inputs) => self.profiles(inputs, call).await?,
            Operation::Refresh(input) => reports::refreshed(&service.refresh(client, input).await?),
            Operation::Count(edition) => reports::count(*edition, &service.counts(client).await?),
            Operation::Counts => reports::counts(&service.counts(client).await?),
            Operation::Metrics => self.metrics(call).await?,
            Operation::Redirect(url) => redirect(url),
            Operation::LandingPage => self.landing_page(call).await?,
            Operation::Asset(name) => assets::respond(name, call.head.uri.query(), headers),
            Operation::Reference => REFERENCE.at(path).response(headers),
            Operation::Families => FAMILIES.at(path).response(headers),
            Operation::OpenApi => openapi::DOCUMENT.response(headers),
        })
    }

    /// The response with a picture.
    pub(super) fn picture_response(
        &self,
        request: &FileRequest,
        image: &ServedFile,
        call: &Call,
    ) -> Response {
        let now = self.service.now();
        let headers = &call.head.headers;
        let mut response = picture_response(request, image, now, headers, &self.cache_control);
        if let Surface::Family(family) = call.request.surface {
            add_family_headers(&mut response, family, image);
        }
        response
    }
}
