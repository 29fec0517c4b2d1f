//! The URLs of other services, for sites that move here. Each family has a prefix of its own, or is
//! at the root of a host.

mod ashcon;
mod crafatar;
mod crafthead;
mod discordsrv;
mod grammar;
mod mc_heads;
mod mineatar;
mod minotar;
mod nmsr;
mod playerdb;
mod starlight;
mod visage;

use effigy_parameters::Family;
use smallvec::SmallVec;

use self::grammar::trimmed;
use super::{
    path::Url,
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ParsedRequest, Surface},
};

/// Returns an example of a path.
pub(super) const fn example(family: Family) -> &'static str {
    match family {
        Family::Crafatar => "/avatars/{uuid}",
        Family::Minotar | Family::Crafthead => "/helm/{player}/64",
        Family::McHeads => "/avatar/{player}/64",
        Family::Cravatar => "/helmavatar/{player}/64",
        Family::Visage => "/bust/256/{player}",
        Family::Nmsr => "/fullbody/{player}",
        Family::Mineatar => "/face/{player}",
        Family::Starlight => "/render/default/{player}/full",
        Family::DiscordSrv => "/head.png?name={player}",
        Family::PlayerDb => "/api/player/minecraft/{player}",
        Family::Ashcon => "/mojang/v2/user/{player}",
    }
}

/// Parses the rest of a path behind the prefix of a family.
pub(super) fn route(family: Family, path: &[&str], url: Url<'_>) -> ParsedRequest {
    let name = family.as_str();
    let surface = Surface::Family(family);
    let operation = parse(family, path, url);
    if let Ok(Operation::Form { .. }) = operation {
        ParsedRequest::post(name, surface, operation)
    } else {
        ParsedRequest::get(name, surface, operation)
    }
}

/// Parses the rest of a path behind the prefix of a family.
///
/// # Errors
/// If the family has no such path, or its service rejects such a request.
fn parse(family: Family, path: &[&str], url: Url<'_>) -> Parsed<Operation> {
    // Crafatar has an error of its own for a missing player.
    if family != Family::Crafatar && path.iter().any(|segment| segment.is_empty()) {
        return Err(Rejection::NOT_FOUND);
    }
    let segments: SmallVec<[&str; 8]> = path.iter().map(|text| trimmed(text)).collect();
    let query = &Query::parse_lossy(url.query);
    match family {
        Family::Crafatar => crafatar::parse(&segments, query),
        Family::Minotar => minotar::parse(&segments, url),
        Family::McHeads => mc_heads::parse(&segments, query),
        Family::Crafthead => crafthead::parse(&segments, query),
        Family::Cravatar => crafthead::parse_cravatar(&segments, query),
        Family::Visage => visage::parse(&segments, query),
        Family::Nmsr => nmsr::parse(&segments, query),
        Family::Mineatar => mineatar::parse(&segments, query),
        Family::Starlight => starlight::parse(&segments, query),
        Family::DiscordSrv => discordsrv::parse(&segments, query),
        Family::PlayerDb => playerdb::parse(&segments),
        Family::Ashcon => ashcon::parse(&segments),
    }
}
