//! `effigy providers`: checks whether each provider answers, and shows what it knows about a
//! player.

use anyhow::{Context, Error, Result, ensure};
use effigy_cli::ProvidersArgs;
use effigy_http::Metrics;
use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile, ProviderReport, printable};

use super::{print, sources};

/// Prints a line for each provider, in the order of the chain.
pub(crate) fn run(args: &ProvidersArgs) -> Result<()> {
    let chain = sources::connect(&args.upstream, args.upstream.config(), Metrics::new())?;
    let player = named_player(args)?;
    let reports = chain.report(player.as_ref());
    let names = reports.iter().map(|report| report.provider.len());
    let width = names.max().unwrap_or_default();
    let count = reports.len();
    let mut silent = 0;
    for report in reports {
        if report.state.is_err() {
            silent += 1;
        }
        let provider = report.provider.clone();
        let line = format!("{provider:width$}  {}", in_words(report, player.is_some()));
        print(printable(&line) + "\n")?;
    }
    ensure!(silent == 0, "{silent} of {count} providers do not answer");
    Ok(())
}

/// Returns the player whom the arguments name, if they name one.
fn named_player(args: &ProvidersArgs) -> Result<Option<PlayerId>> {
    let Some(input) = &args.player else {
        return Ok(None);
    };
    let named = args.upstream.bedrock_prefixes().named_player(input);
    let named = named.with_context(|| format!("{input:?} is not a player's name or id"))?;
    Ok(Some(named.id))
}

/// Describes the answer of a provider.
fn in_words(report: ProviderReport, is_player_named: bool) -> String {
    let state = match report.state {
        Ok(()) => "answers".to_owned(),
        Err(error) => format!("does not answer: {:#}", Error::new(error)),
    };
    if !is_player_named {
        return state;
    }
    let answer = match report.answer {
        None => "is not asked for such players".to_owned(),
        Some(Ok(Some(profile))) => describe(&profile),
        Some(Ok(None)) => "does not know the player".to_owned(),
        Some(Err(error)) => format!("failed: {:#}", Error::new(error)),
    };
    format!("{state}; {answer}")
}

/// Describes a player whom a provider knows.
fn describe(profile: &Profile) -> String {
    let name = profile.name.as_deref().unwrap_or("the player");
    let id = match &profile.account {
        Account::Java(uuid) => uuid.hyphenated(),
        Account::Bedrock(Some(xuid)) => format!("XUID {xuid}"),
        Account::Bedrock(None) => "no XUID".to_owned(),
    };
    let skin = describe_skin(profile);
    let cape = match &profile.cape {
        Some(_) => ", a cape",
        None => "",
    };
    format!("knows {name} ({id}): {skin}{cape}")
}

fn describe_skin(profile: &Profile) -> String {
    match &profile.skin {
        Some(skin) if !skin.is_default => {
            let url = skin.texture.as_str();
            match skin.model {
                Some(model) => format!("{model} skin {url}"),
                None => format!("skin {url}"),
            }
        }
        _ => "no skin".to_owned(),
    }
}
