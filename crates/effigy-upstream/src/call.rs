//! One call to an upstream.

use url::Url;

use crate::{Response, Step, Validators};

/// A call to an upstream, without its time limit. It can be repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) step: Step,
    pub(crate) url: Url,
    /// The validators of the file that is known, if the call is for a file.
    pub(crate) validators: Validators,
    /// The Java name to post, or `None` for a GET.
    posted_name: Option<String>,
    /// The beginning of the message of a 503 that means "no such player".
    unknown_player: Option<&'static str>,
}

impl Call {
    /// A GET.
    pub(crate) fn get(step: Step, url: Url) -> Self {
        Self {
            step,
            url,
            validators: Validators::default(),
            posted_name: None,
            unknown_player: None,
        }
    }

    /// A POST of a list with one Java name.
    pub(crate) fn post(step: Step, url: Url, name: &str) -> Self {
        Self {
            posted_name: Some(name.to_owned()),
            ..Self::get(step, url)
        }
    }

    /// Makes the call conditional: the file is only wanted if it doesn't match these validators.
    pub(crate) fn with_validators(mut self, validators: Validators) -> Self {
        self.validators = validators;
        self
    }

    /// Declares that a 503 with this text means "no such player".
    pub(crate) fn with_unknown_player(mut self, text: &'static str) -> Self {
        self.unknown_player = Some(text);
        self
    }

    /// Returns the JSON to post.
    pub(crate) fn json(&self) -> Option<Vec<u8>> {
        let name = self.posted_name.as_ref()?;
        Some(serde_json::json!([name]).to_string().into())
    }

    /// Returns `true` if a response means "no such player" although its status is a failure's.
    pub(crate) fn means_unknown_player(&self, response: &Response) -> bool {
        let Some(text) = self.unknown_player else {
            return false;
        };
        response.status == 503 && String::from_utf8_lossy(&response.body).contains(text)
    }
}

/// The purpose of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The call tells if the upstream answers again.
    Probe,
    /// The call is a part of the look-up.
    LookUp,
}
