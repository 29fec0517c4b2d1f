//! Refused calls (403), until it is known whether the upstream refuses a request or this service.

use url::Url;

/// The number of different requests that are refused in a row before the upstream seems to refuse all.
const SUSPICIOUS: usize = 3;

/// The requests that an upstream has refused since it last answered one.
#[derive(Debug, Default)]
pub(crate) struct Refusals {
    /// The subjects of the first refused requests, all different.
    subjects: Vec<u64>,
    /// The last request that was answered with 200. To repeat it tells whether the upstream refuses all.
    pub(crate) proven: Option<Url>,
}

impl Refusals {
    /// Records a refused call about `subject`. Returns `true` if different requests were refused in a row.
    pub(crate) fn refused(&mut self, subject: u64) -> bool {
        if self.subjects.len() < SUSPICIOUS && !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        self.subjects.len() == SUSPICIOUS
    }

    /// Records a call that was not refused.
    pub(super) fn answered(&mut self) {
        self.subjects.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_requests_must_be_refused_in_a_row() {
        let mut refusals = Refusals::default();
        for _ in 0..100 {
            assert!(!refusals.refused(1));
        }
        assert!(!refusals.refused(2));
        refusals.answered();
        assert!(!refusals.refused(3));
        assert!(!refusals.refused(4));
        assert!(refusals.refused(5));
        assert!(refusals.refused(5), "while it goes on");
        refusals.answered();
        assert!(!refusals.refused(5));
    }
}
