//! Files of players whose skins are at hand and may change at any time.
//!
//! The key of such a file contains the revision of the skins, so a changed skin makes another file, which
//! is found by every process that has the same skins.

use effigy_upstream::Revision;
use twox_hash::XxHash3_128;

use crate::{request::key::Entry, service::Inner};

impl Inner {
    /// Returns the entry of the file that shows the players' skins as they are now.
    pub(super) fn current(&self, entry: &Entry) -> Entry {
        match self.revision(entry) {
            Some(revision) => entry.at(revision),
            None => entry.clone(),
        }
    }

    /// Returns `true` if the players' skins are still those of the entry.
    pub(super) fn is_current(&self, entry: &Entry) -> bool {
        self.revision(entry) == entry.revision
    }

    /// Returns the revision of all players together, or `None` if no player's skin is at hand.
    pub(super) fn revision(&self, entry: &Entry) -> Option<Revision> {
        let revisions = entry.inputs().map(|input| self.source.revision(input));
        if revisions.clone().all(|revision| revision.is_none()) {
            return None;
        }
        let text = |revision: Option<Revision>| {
            let text = revision.map(|revision| revision.to_string());
            text.unwrap_or_else(|| "-".to_owned())
        };
        let all: String = revisions.map(text).collect();
        Some(Revision::new(XxHash3_128::oneshot(all.as_bytes())))
    }
}
