//! Refused calls (403), until it is known whether the upstream refuses a request or this service.

use url::Url;

/// The number of different requests that are refused in a row before the upstream seems to refuse all.
const SUSPICIOUS: usize = 3;

/// The requests that an upstream has refused since it last answered one.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    /// The subjects of the first refused requests, all different.
    subjects: Vec<u64>,
    /// The last request that was answered with 200.
    proven: Option<Url>,
    /// `true` while that request is being repeated.
    is_repeated: bool,
}

/// The meaning of a refused call.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The refusal may be about the request.
    OfRequest,
    /// Different requests were refused. To find out whether all are, the caller repeats this one, which
    /// was answered before.
    Unclear(Url),
    /// Different requests were refused, and none is known to have been answered.
    OfService,
}

impl Refusals {
    /// Records a refused call about `subject`. One caller at a time gets [`Refusal::Unclear`], and calls
    /// [`repeated`](Self::repeated) afterwards.
    pub(super) fn refused(&mut self, subject: u64) -> Refusal {
        if self.subjects.len() < SUSPICIOUS && !self.subjects.contains(&subject) {
            self.subjects.push(subject);
        }
        if self.subjects.len() < SUSPICIOUS || self.is_repeated {
            return Refusal::OfRequest;
        }
        let Some(proven) = self.proven.clone() else {
            return Refusal::OfService;
        };
        self.is_repeated = true;
        Refusal::Unclear(proven)
    }

    /// Records the end of the repeated request.
    pub(super) fn repeated(&mut self) {
        self.is_repeated = false;
    }

    /// Records a call that was not refused.
    pub(super) fn answered(&mut self) {
        self.subjects.clear();
        self.is_repeated = false;
    }

    /// Remembers a request that was answered with 200.
    pub(super) fn prove(&mut self, request: Url) {
        self.proven = Some(request);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Url {
        Url::parse("http://localhost/good").expect("a url")
    }

    #[test]
    fn different_requests_must_be_refused_in_a_row() {
        let mut refusals = Refusals::default();
        for _ in 0..100 {
            assert_eq!(refusals.refused(1), Refusal::OfRequest);
        }
        assert_eq!(refusals.refused(2), Refusal::OfRequest);
        refusals.answered();
        assert_eq!(refusals.refused(3), Refusal::OfRequest);
        assert_eq!(refusals.refused(4), Refusal::OfRequest);
        assert_eq!(refusals.refused(5), Refusal::OfService);
        assert_eq!(refusals.refused(5), Refusal::OfService, "while it goes on");
        refusals.answered();
        assert_eq!(refusals.refused(5), Refusal::OfRequest);
    }

    #[test]
    fn a_request_that_was_answered_decides() {
        let mut refusals = Refusals::default();
        refusals.prove(request());
        let seen: Vec<Refusal> = (1..=3).map(|subject| refusals.refused(subject)).collect();
        assert_eq!(seen[2], Refusal::Unclear(request()));
        // Only one caller repeats it, and until then nothing is decided.
        assert_eq!(refusals.refused(4), Refusal::OfRequest);
        refusals.repeated();
        assert_eq!(refusals.refused(4), Refusal::Unclear(request()));
    }
}
