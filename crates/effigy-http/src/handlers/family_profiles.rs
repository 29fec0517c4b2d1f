//! Profiles in the forms of other services.

mod described;

use effigy_service::{Failure, Fault, FileSpec, PictureParams, ServedFile, ServiceError};
use hyper::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use serde_json::{Value, json};

use self::described::Described;
use super::{Call, Handled, Handlers};
use crate::{
    respond::{
        JSON, PUBLIC_MINUTE, Response, empty,
        error::{UNKNOWN_PLAYER, plain_error},
        image::file_response,
        json_response, set,
    },
    routes::ProfileForm,
};

impl Handlers {
    /// Responds with the profile of a player in one of the forms, or as its service does for a
    /// player who does not exist.
    pub(super) async fn family_profile(
        &self,
        form: ProfileForm,
        input: &str,
        call: &Call,
    ) -> Handled {
        match form {
            ProfileForm::SignedSession => self.signed_profile(input, call).await,
            _ => self.unsigned_profile(form, input, call).await,
        }
    }

    /// Responds with the signed profile, or with an unsigned one if the player's provider does not
    /// sign profiles.
    async fn signed_profile(&self, input: &str, call: &Call) -> Handled {
        let form = ProfileForm::SignedSession;
        let spec = FileSpec::SignedProfile(input.to_owned());
        match self.file(spec, call).await {
            Ok(profile) => Ok(self.profile_response(&profile, call)),
            Err(failure) if matches!(*failure, ServiceError::NoSignature) => {
                self.unsigned_profile(form, input, call).await
            }
            Err(failure) => failed(form, failure),
        }
    }

    async fn unsigned_profile(&self, form: ProfileForm, input: &str, call: &Call) -> Handled {
        let spec = FileSpec::Profile(input.to_owned());
        let profile = match self.file(spec, call).await {
            Ok(profile) => profile,
            Err(failure) => return failed(form, failure),
        };
        let Some(player) = Described::of(&profile) else {
            // A Bedrock player whose XUID nobody knows has no account to describe.
            return Ok(missing(form, &ServiceError::NoSkin));
        };
        let body = match form {
            ProfileForm::Session | ProfileForm::SignedSession | ProfileForm::Crafthead => {
                player.session()
            }
            ProfileForm::User => player.user(),
            ProfileForm::PlayerDb => player.player_db(),
            ProfileForm::Ashcon => self.ashcon(&player, input, call).await?,
            ProfileForm::Starlight => player.starlight(&self.skin_file(input, call).await?),
            ProfileForm::DashedUuid => return Ok(text(player.uuid.hyphenated())),
            ProfileForm::PlainUuid => return Ok(text(player.uuid.to_string())),
        };
        let document = ServedFile::made(body.to_string(), JSON, self.service.now())
            .with_origin(profile.origin)
            .with_shelf_life(profile.shelf_life);
        Ok(self.profile_response(&document, call))
    }

    async fn ashcon(&self, player: &Described, input: &str, call: &Call) -> Result<Value, Failure> {
        let mut skin = None;
        if player.skin.is_some() {
            skin = Some(self.skin_file(input, call).await?);
        }
        let mut cape = None;
        if player.cape.is_some() {
            cape = self.cape_file(input, call).await?;
        }
        Ok(player.ashcon(skin.as_ref(), cape.as_ref()))
    }

    fn profile_response(&self, document: &ServedFile, call: &Call) -> Response {
        let headers = &call.head.headers;
        file_response(document, self.service.now(), headers, &self.cache_control)
    }

    async fn skin_file(&self, input: &str, call: &Call) -> Result<ServedFile, Failure> {
        let spec = FileSpec::Picture(PictureParams::OWN_SKIN, input.to_owned());
        self.file(spec, call).await
    }

    /// Returns the file of the cape, unless it is gone although the profile still names it.
    async fn cape_file(&self, input: &str, call: &Call) -> Result<Option<ServedFile>, Failure> {
        let spec = FileSpec::Cape(input.to_owned(), None);
        match self.file(spec, call).await {
            Ok(file) => Ok(Some(file)),
            Err(failure) if failure.fault() == Fault::NotFound => Ok(None),
            Err(failure) => Err(failure),
        }
    }
}

/// Responds to a failed look-up, as the service does if the player does not exist.
fn failed(form: ProfileForm, failure: Failure) -> Handled {
    match failure.fault() {
        Fault::NotFound | Fault::Request => Ok(missing(form, &failure)),
        _ => Err(failure),
    }
}

/// Responds about a player who does not exist, as the service does.
fn missing(form: ProfileForm, failure: &ServiceError) -> Response {
    let not_found = StatusCode::NOT_FOUND;
    let mut response = match form {
        ProfileForm::Session | ProfileForm::SignedSession | ProfileForm::User => {
            empty(StatusCode::NO_CONTENT)
        }
        ProfileForm::Crafthead => plain_error(not_found, "User does not exist"),
        ProfileForm::Starlight => plain_error(not_found, UNKNOWN_PLAYER),
        ProfileForm::PlayerDb => {
            let body = json!({
                "message": "No player has this name or UUID.",
                "code": "minecraft.invalid_username",
                "data": {},
                "success": false,
                "error": true,
            });
            json_response(StatusCode::BAD_REQUEST, &body)
        }
        ProfileForm::Ashcon | ProfileForm::DashedUuid => {
            let body = json!({
                "code": 404,
                "error": "Not Found",
                "reason": "No player has this name or UUID.",
            });
            json_response(not_found, &body)
        }
        ProfileForm::PlainUuid => {
            let mut response = text("Not Found".to_owned());
            *response.status_mut() = not_found;
            response
        }
    };
    // Somebody may take the name soon, unless no player can have it.
    if failure.fault() == Fault::NotFound {
        set(&mut response, CACHE_CONTROL, PUBLIC_MINUTE);
    }
    response
}

/// A response in plain text.
fn text(text: String) -> Response {
    let mut response = empty(StatusCode::OK);
    *response.body_mut() = text.into();
    set(&mut response, CONTENT_TYPE, "text/plain; charset=utf-8");
    set(&mut response, CACHE_CONTROL, PUBLIC_MINUTE);
    response
}
