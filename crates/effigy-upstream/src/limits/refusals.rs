//! Refused calls (403), until it is known whether the upstream refuses a request or this service.

use url::Url;

/// The number of different requests that are refused in a row before the upstream seems to refuse all.
const SUSPICIOUS: usize = 3;

/// The requests that an upstream has refused since it last answered one.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// The URLs of the first refused requests, all different, whatever the letter case.
    refused: Vec<String>,
    /// The last request that was answered with 200. To repeat it tells whether the upstream refuses all.
    pub(crate) proven: Option<Url>,
}

impl Refusals {
    /// Records a refused call. Returns `true` if different requests were refused in a row.
    pub(crate) fn refused(&mut self, url: &Url) -> bool {
        let url = url.as_str().to_ascii_lowercase();
        if self.refused.len() < SUSPICIOUS && !self.refused.contains(&url) {
            self.refused.push(url);
        }
        self.refused.len() == SUSPICIOUS
    }

    /// Records a call that was not refused.
    pub(super) fn answered(&mut self) {
        self.refused.clear();
    }
}
