//! The URLs of other services, for sites that move here: each family is under a prefix of its own,
//! or at the root of a host.

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
    query::Query,
    rejection::{Parsed, Rejection},
    request::Operation,
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

/// Reads the rest of a path, behind the prefix, of a URL with this path and query.
///
/// # Errors
/// If the family has no such path, or its service refuses what is asked for.
pub(super) fn parse(family: Family, path: &[&str], url: (&str, Option<&str>)) -> Parsed<Operation> {
    // Crafatar has an error of its own for a missing player.
    if family != Family::Crafatar && path.iter().any(|segment| segment.is_empty()) {
        return Err(Rejection::NOT_FOUND);
    }
    let segments: SmallVec<[&str; 8]> = path.iter().map(|text| trimmed(text)).collect();
    let query = &Query::parse_lossy(url.1);
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
