//! The URL of a picture for each player.

use std::fmt;

use effigy_player::Uuid;
use percent_encoding::utf8_percent_encode;
use url::Url;

use super::base_url::{BaseUrl, UNRESERVED};
use super::error::ConfigError;

/// A URL with a place for the player: `{name}`, or `{uuid}` or `{dashed}` for the UUID without and with dashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlTemplate {
    text: String,
    /// The text as a URL, whose host is that of all players.
    sample: BaseUrl,
}

impl UrlTemplate {
    /// Parses a template. `setting` is the operator's name for it.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] for anything but an http or https URL whose path or query has one of the placeholders.
    pub fn parse(setting: &'static str, value: &str) -> Result<Self, ConfigError> {
        let bad = |problem| ConfigError::new(setting, value, problem);
        let sample = BaseUrl::parse_any(setting, value)?;
        if sample.host().contains('{') {
            return Err(bad("must have the player in the path or the query"));
        }
        let text = value.to_owned();
        let template = Self { text, sample };
        let problem = "needs {name}, {uuid} or {dashed} in place of the player";
        let is_good = template.has_name() || template.has_uuid();
        is_good.then_some(template).ok_or_else(|| bad(problem))
    }

    /// Returns `true` if the URL depends on the player's name.
    pub(crate) fn has_name(&self) -> bool {
        self.text.contains("{name}")
    }

    /// Returns `true` if the URL depends on the player's UUID.
    pub(crate) fn has_uuid(&self) -> bool {
        self.text.contains("{uuid}") || self.text.contains("{dashed}")
    }

    /// Returns a URL of the same host.
    pub(crate) const fn sample(&self) -> &BaseUrl {
        &self.sample
    }

    /// Returns the URL of a player.
    pub(crate) fn url(&self, name: &str, uuid: Uuid) -> Option<Url> {
        // A name cannot bring a placeholder: its braces are encoded.
        let name = utf8_percent_encode(name, UNRESERVED).to_string();
        let url = self.text.replace("{name}", &name);
        let url = url.replace("{uuid}", &uuid.to_string());
        Url::parse(&url.replace("{dashed}", &uuid.hyphenated())).ok()
    }
}

impl fmt::Display for UrlTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
