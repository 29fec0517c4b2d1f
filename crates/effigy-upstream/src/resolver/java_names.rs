//! The look-up of several Java names in one call.

use effigy_player::{MAX_JAVA_NAME, Uuid, is_java_name_byte};

use super::caller::Caller;
use super::records::{self, NamedIdentity};
use crate::config::NameLookup;
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Upstream};
use crate::source::{FoundNames, NAMES_PER_CALL};
use crate::transport::{Response, Step};

const STEP: Step = Step::Identity;

impl Caller<'_> {
    /// Looks up the UUIDs of Java names. Those that are missing in the result have to be looked up one by
    /// one.
    pub(super) fn java_uuids(&self, names: &[String]) -> Result<FoundNames, UpstreamError> {
        let missing = &self.resolver.missing;
        let (mut asked, mut found) = (Vec::new(), FoundNames::new());
        for name in names {
            if !self.can_be_account(name) || missing.contains(STEP, name, self.now()) {
                found.insert(name.clone(), None);
            } else if is_common(name) {
                asked.push(name);
            }
        }
        for names in asked.chunks(NAMES_PER_CALL) {
            let Some(accounts) = self.bulk_look_up(names)? else {
                continue;
            };
            for &name in names {
                let uuid = uuid_of(name, &accounts)?;
                if uuid.is_none() {
                    missing.insert(STEP, name, self.now());
                }
                found.insert(name.clone(), uuid);
            }
        }
        Ok(found)
    }

    /// Looks up a few names by the forms of the call that the settings choose. Returns `None` if none of
    /// them is served, or the call is rejected, which one of the names may be the reason for.
    fn bulk_look_up(&self, names: &[&String]) -> Result<Option<Vec<NamedIdentity>>, UpstreamError> {
        let no_bulk = &self.resolver.no_bulk;
        if no_bulk.get(self.now()).is_some() {
            return Ok(None);
        }
        let json = serde_json::to_vec(names).expect("strings are valid JSON");
        for &form in self.bulk_forms() {
            let response = match self.bulk_form(form, json.clone()) {
                Err(UpstreamError::Limited {
                    reason: LimitReason::Refused,
                    ..
                }) => continue,
                response => response?,
            };
            match response.status {
                200 => return records::parse_list(STEP, &response.body, "id").map(Some),
                400 => return Ok(None),
                403 | 404 | 405 | 410 => {}
                status => return Err(UpstreamError::Status { step: STEP, status }),
            }
        }
        no_bulk.put(self.now(), ());
        Ok(None)
    }

    fn bulk_forms(&self) -> &'static [Upstream] {
        match self.config().name_lookup {
            NameLookup::Legacy => &[Upstream::IdentityLegacy],
            NameLookup::Current => &[Upstream::IdentityCurrent],
            NameLookup::Auto => &[Upstream::IdentityLegacy, Upstream::IdentityCurrent],
        }
    }

    fn bulk_form(&self, form: Upstream, json: Vec<u8>) -> Result<Response, UpstreamError> {
        let url = match form {
            Upstream::IdentityLegacy => {
                let base = &self.config().endpoints.java_identity;
                base.join("profiles", "minecraft")
            }
            _ => self
                .current_base()
                .join("minecraft/profile/lookup/bulk", "byname"),
        };
        let url = url.expect("a word is a segment");
        self.call(form, STEP, url, Some(json))
    }
}

/// Returns whether this is a name that accounts can take today. The service may reject all names of a
/// call because of one that is not.
fn is_common(name: &str) -> bool {
    (1..=MAX_JAVA_NAME).contains(&name.len()) && name.bytes().all(is_java_name_byte)
}

/// Returns the UUID of the account with a name, in any letter case.
fn uuid_of(name: &str, accounts: &[NamedIdentity]) -> Result<Option<Uuid>, UpstreamError> {
    let is_named = |account: &&NamedIdentity| account.name.eq_ignore_ascii_case(name);
    let Some(account) = accounts.iter().find(is_named) else {
        return Ok(None);
    };
    let malformed = UpstreamError::Shape {
        step: STEP,
        field: "id",
    };
    Uuid::parse(&account.id).map(Some).ok_or(malformed)
}
