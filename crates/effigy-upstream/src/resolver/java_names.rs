//! The look-up of several Java names in one call.

use effigy_player::{MAX_JAVA_NAME, Uuid, is_java_name_byte};
use serde_json::Value;

use super::caller::Caller;
use super::java::GONE_PAUSE;
use super::records;
use crate::error::UpstreamError;
use crate::limits::{LimitReason, Upstream};
use crate::source::{FoundNames, NAMES_PER_CALL};
use crate::transport::Step;

const STEP: Step = Step::Identity;

impl Caller<'_> {
    /// Looks up the UUIDs of Java names. Those that are missing in the result have to be looked up one by
    /// one.
    pub(super) fn java_uuids(&self, names: &[String]) -> Result<FoundNames, UpstreamError> {
        let missing = &self.client.missing;
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

    /// Looks up a few names by the legacy form of the call, else by the current one. Returns `None` if
    /// neither is served, or the call is rejected, which one of the names may be the reason for.
    fn bulk_look_up(&self, names: &[&String]) -> Result<Option<Vec<Value>>, UpstreamError> {
        if self.client.bulk_is_paused(self.now()) {
            return Ok(None);
        }
        let json = serde_json::to_vec(names).expect("strings are valid JSON");
        let legacy = &self.config().endpoints.java_identity;
        let legacy = legacy.join("profiles", "minecraft");
        let current = self.current_base();
        let current = current.join("minecraft/profile/lookup/bulk", "byname");
        for (form, url) in [
            (Upstream::IdentityLegacy, legacy),
            (Upstream::IdentityCurrent, current),
        ] {
            let url = url.expect("a word is a segment");
            let response = match self.call(form, STEP, url, Some(json.clone())) {
                Err(UpstreamError::Limited {
                    reason: LimitReason::Refused,
                    ..
                }) => continue,
                response => response?,
            };
            match response.status {
                200 => return parse_accounts(&response.body).map(Some),
                400 => return Ok(None),
                403 | 404 | 405 | 410 => {}
                status => return Err(UpstreamError::Status { step: STEP, status }),
            }
        }
        self.client.pause_bulk(self.now() + GONE_PAUSE);
        Ok(None)
    }
}

/// Returns whether this is a name that accounts can take today. The service may reject all names of a
/// call because of one that is not.
fn is_common(name: &str) -> bool {
    (1..=MAX_JAVA_NAME).contains(&name.len()) && name.bytes().all(is_java_name_byte)
}

/// Parses a list of accounts. A malformed one makes the whole list so, because an account that is left out
/// would stand for a player who does not exist.
fn parse_accounts(json: &[u8]) -> Result<Vec<Value>, UpstreamError> {
    let is_account = |record: &Value| record["id"].is_string() && record["name"].is_string();
    match records::parse_any(STEP, json)? {
        Value::Array(accounts) if accounts.iter().all(is_account) => Ok(accounts),
        _ => Err(UpstreamError::Shape {
            step: STEP,
            field: "id",
        }),
    }
}

/// Returns the UUID of the account with a name, in any letter case.
fn uuid_of(name: &str, accounts: &[Value]) -> Result<Option<Uuid>, UpstreamError> {
    let is_named = |account: &&Value| {
        let found = account["name"].as_str();
        found.is_some_and(|found| found.eq_ignore_ascii_case(name))
    };
    let account = accounts.iter().find(is_named);
    account.map(records::identity).transpose()
}
