//! `effigy providers`: asks each provider whether it answers, and what it says about a player.

use anyhow::{Context, Error, Result, ensure};
use effigy_cli::ProvidersArgs;
use effigy_http::Metrics;
use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile, printable};

use super::{print, sources};
use crate::log;

/// Prints a line for each provider, in their order.
pub(crate) fn run(args: &ProvidersArgs) -> Result<()> {
    log::start(&args.log, None);
    let chain = sources::connect(&args.upstream, args.upstream.config(), Metrics::new())?;
    let player = named_player(args)?;
    let reports = chain.report(player.as_ref());
    let silent = reports.iter().filter(|report| report.state.is_err());
    let (silent, count) = (silent.count(), reports.len());
    let widths = reports.iter().map(|report| report.provider.len());
    let width = widths.max().unwrap_or_default();
    for report in reports {
        let state = match report.state {
            Ok(()) => "answers".to_owned(),
            Err(error) => format!("does not answer: {:#}", Error::new(error)),
        };
        let answer = match report.answer {
            None if player.is_some() => "; is not asked for such players".to_owned(),
            None => String::new(),
            Some(Ok(Some(profile))) => format!("; {}", describe(&profile)),
            Some(Ok(None)) => "; does not know the player".to_owned(),
            Some(Err(error)) => format!("; failed: {:#}", Error::new(error)),
        };
        let line = format!("{:width$}  {state}{answer}", report.provider);
        print(printable(&line) + "\n")?;
    }
    ensure!(silent == 0, "{silent} of {count} providers do not answer");
    Ok(())
}

/// Returns the player that the arguments name, if they name one.
fn named_player(args: &ProvidersArgs) -> Result<Option<PlayerId>> {
    let Some(input) = &args.player else {
        return Ok(None);
    };
    let named = args.upstream.bedrock_prefixes().named_player(input);
    let named = named.context("this is not a player's name or id")?;
    Ok(Some(named.id))
}

/// Describes a player whom a provider knows.
fn describe(profile: &Profile) -> String {
    let name = profile.name.as_deref().unwrap_or("the player");
    let id = match &profile.account {
        Account::Java(uuid) => uuid.hyphenated(),
        Account::Bedrock(Some(xuid)) => format!("XUID {xuid}"),
        Account::Bedrock(None) => "no XUID".to_owned(),
    };
    let skin = match &profile.skin {
        Some(skin) if !skin.is_default => {
            let model = skin.model.map(|model| format!("{model} "));
            let (model, url) = (model.unwrap_or_default(), skin.texture.as_str());
            format!("{model}skin {url}")
        }
        _ => "no skin".to_owned(),
    };
    let cape = profile.cape.as_ref().map_or("", |_| ", a cape");
    format!("knows {name} ({id}): {skin}{cape}")
}
