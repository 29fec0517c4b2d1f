//! Headers in which other services state the origin of a picture.

use effigy_parameters::Family;
use effigy_service::{Origin, ServedFile};
use hyper::header::HeaderName;

use super::{Response, set};

const NMSR_FALLBACK: HeaderName = HeaderName::from_static("x-nmsr-fallback");
const MINEATAR_HIT: HeaderName = HeaderName::from_static("x-cache-hit");
const CRAFTHEAD_HIT: HeaderName = HeaderName::from_static("x-crafthead-request-cache-hit");
const CRAFTHEAD_PROFILE: HeaderName = HeaderName::from_static("x-crafthead-profile-cache-hit");

/// Adds the headers that the service of a family sends with a picture.
pub(crate) fn add_family_headers(response: &mut Response, family: Family, image: &ServedFile) {
    let is_hit = if image.origin == Origin::Cache {
        "true"
    } else {
        "false"
    };
    match family {
        Family::Nmsr if image.substitution.is_some() => set(response, NMSR_FALLBACK, "True"),
        Family::Mineatar => set(response, MINEATAR_HIT, is_hit),
        Family::Crafthead => {
            set(response, CRAFTHEAD_HIT, is_hit);
            if image.substitution.is_some() {
                set(response, CRAFTHEAD_PROFILE, "invalid-profile");
            }
        }
        _ => {}
    }
}
