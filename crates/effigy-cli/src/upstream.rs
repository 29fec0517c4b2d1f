//! The settings of the providers and upstream services: addresses, timeouts, limits.

use std::{path::PathBuf, time::Duration};

use clap::Args;
use effigy_player::BedrockPrefixes;
use effigy_upstream::{BaseUrl, ConfigError, Endpoints, Rate, RateLimits, UpstreamConfig};

use crate::values::{Parsed, Several, calls, timeout};

/// The providers and services that skins come from, and the limits of calls to them.
#[derive(Debug, Args)]
pub struct UpstreamArgs {
    /// A folder of your own skins, which comes first.
    ///
    /// `<player>.png` is a skin, `<player>.slim.png` one with slim arms, and `<player>.cape.png` a
    /// cape. A player is a Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot. A
    /// server notices changed files within a second.
    #[arg(long, env, value_name = "FOLDER")]
    skins: Option<PathBuf>,
    /// A provider of skins, or several (default: mojang geyser).
    ///
    /// mojang, geyser, folder=PATH, yggdrasil=URL, skinsrestorer=PATH, skinrestorer=PATH, or
    /// skin-url=URL with {name}, {uuid} or {dashed} in it. The first one that knows the player
    /// decides. Separate several with spaces, or repeat the flag.
    #[arg(long, env, value_name = "KIND[=WHERE]", value_parser = providers)]
    #[arg(default_value = "mojang geyser", hide_default_value = true)]
    provider: Vec<Several<String>>,
    /// A prefix of the names of Bedrock players on your server; repeat the flag for several, or
    /// separate them with spaces (default: .).
    ///
    /// It is Floodgate's username-prefix, which `/v1/face/*gamer_tag` then has in front of a
    /// gamertag. A dot always works. With a prefix such as BE_, which a Java name may begin with,
    /// the Java player of the whole name is shown if no Bedrock player has the gamertag. The
    /// compatibility paths know only the dot.
    #[arg(long, env, value_name = "PREFIX", value_parser = bedrock_prefixes)]
    #[arg(default_value = ".", hide_default_value = true)]
    bedrock_prefix: Vec<Several<String>>,
    /// The service that gives the UUID of a Java name.
    #[arg(long, env, default_value = "https://api.mojang.com", value_parser = BaseUrl::parse)]
    java_identity_url: BaseUrl,
    /// The service that gives the profile of a Java UUID.
    #[arg(long, env, default_value = "https://sessionserver.mojang.com")]
    #[arg(value_parser = BaseUrl::parse)]
    java_session_url: BaseUrl,
    /// The service that gives the XUID of a Bedrock gamertag, and the skin of an XUID.
    #[arg(long, env, default_value = "https://api.geysermc.org", value_parser = BaseUrl::parse)]
    bedrock_lookup_url: BaseUrl,
    /// The service that gives a texture by its hash.
    #[arg(long, env, default_value = "https://textures.minecraft.net")]
    #[arg(value_parser = BaseUrl::parse)]
    texture_url: BaseUrl,
    /// Another host that textures may be fetched from; separate several with commas, or repeat the
    /// flag.
    #[arg(long, env, value_delimiter = ',')]
    texture_host: Vec<String>,
    /// The time limit of one call. All calls for one player together may take twice as long.
    #[arg(long, env, default_value = "10s", value_parser = timeout)]
    upstream_timeout: Duration,
    /// Your email address or URL, sent with every call.
    ///
    /// With it, the services can reach you.
    #[arg(long, env)]
    pub contact: Option<String>,
    /// The rate limit of calls to the identity service, for example 600/10m (default: slightly
    /// below the limit of the public service, and none for another service).
    #[arg(long, env, value_parser = calls)]
    java_identity_limit: Option<Rate>,
    /// The rate limit of calls to the session service, for example 400/10s (default: slightly below
    /// the limit of the public service, and none for another service).
    #[arg(long, env, value_parser = calls)]
    java_session_limit: Option<Rate>,
    /// The rate limit of calls to the Bedrock service, for example 100/1m (default: 120/1m for the
    /// public service, and none for another service).
    #[arg(long, env, value_parser = calls)]
    bedrock_lookup_limit: Option<Rate>,
}

impl UpstreamArgs {
    /// Returns the settings of a chain of providers.
    #[must_use]
    pub fn config(&self) -> UpstreamConfig {
        let folder = self.skins.iter();
        let folder = folder.map(|path| format!("folder={}", path.display()));
        UpstreamConfig {
            providers: folder.chain(self.provider.concat()).collect(),
            endpoints: Endpoints {
                java_identity: self.java_identity_url.clone(),
                java_session: self.java_session_url.clone(),
                bedrock_lookup: self.bedrock_lookup_url.clone(),
                texture: self.texture_url.clone(),
            },
            timeout: self.upstream_timeout,
            texture_hosts: self.texture_host.clone(),
            rate_limits: RateLimits {
                identity: self.java_identity_limit,
                session: self.java_session_limit,
                bedrock: self.bedrock_lookup_limit,
            },
            ..UpstreamConfig::default()
        }
    }

    /// Returns the prefixes of the names of Bedrock players.
    ///
    /// # Panics
    ///
    /// Never: the prefixes have been checked one by one.
    #[must_use]
    pub fn bedrock_prefixes(&self) -> BedrockPrefixes {
        let prefixes = BedrockPrefixes::new(self.bedrock_prefix.concat());
        prefixes.expect("each prefix has been checked")
    }

    /// Names the setting of an error about the folder of skins, which is one of the providers.
    #[must_use]
    pub fn explained(&self, error: ConfigError) -> ConfigError {
        match error {
            ConfigError::SkinFolder { path, problem } if self.skins.as_ref() == Some(&path) => {
                ConfigError::new("--skins", &path.display().to_string(), problem)
            }
            _ => error,
        }
    }
}

/// Splits a text into prefixes.
fn bedrock_prefixes(text: &str) -> Parsed<Several<String>> {
    let prefixes: Several<String> = text.split_whitespace().map(str::to_owned).collect();
    if prefixes.is_empty() || BedrockPrefixes::new(prefixes.clone()).is_err() {
        return Err("write 1 to 15 characters without commas, slashes, + and %, for example *");
    }
    Ok(prefixes)
}

/// Splits a text into providers. The path of a folder may have spaces.
fn providers(text: &str) -> Parsed<Several<String>> {
    let mut providers: Several<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_provider = word.contains('=') || matches!(word, "mojang" | "geyser");
        match providers.last_mut() {
            Some(last) if last.contains('=') && !is_provider => last.extend([" ", word]),
            _ => providers.push(word.to_owned()),
        }
    }
    let some = Some(providers).filter(|providers| !providers.is_empty());
    some.ok_or("write a provider, for example mojang")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    fn parse(arguments: &[&str]) -> UpstreamArgs {
        let cli = Cli::try_parse_from([&["effigy"], arguments].concat());
        cli.unwrap().serve.upstream
    }

    #[test]
    fn the_defaults_are_the_public_services() {
        let (found, expected) = (parse(&[]).config(), UpstreamConfig::default());
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }

    #[test]
    fn prefixes_of_bedrock_players() {
        let prefixes = |list: &[&str]| {
            let list = list.iter().map(|&prefix| prefix.to_owned());
            BedrockPrefixes::new(list).unwrap()
        };
        let rows: [(&[&str], BedrockPrefixes); 4] = [
            (&[], BedrockPrefixes::default()),
            (&["--bedrock-prefix", "."], BedrockPrefixes::default()),
            (&["--bedrock-prefix=*"], prefixes(&["*"])),
            (
                &["--bedrock-prefix", "BE_ -", "--bedrock-prefix", "!"],
                prefixes(&["BE_", "-", "!"]),
            ),
        ];
        for (arguments, expected) in rows {
            assert_eq!(
                parse(arguments).bedrock_prefixes(),
                expected,
                "{arguments:?}"
            );
        }
        for text in ["", " ", "a,b", "100%", "sixteen_letters_"] {
            let refused = Cli::try_parse_from(["effigy", "--bedrock-prefix", text]);
            assert!(refused.is_err(), "{text:?}");
        }
    }

    #[test]
    fn providers_are_asked_in_the_order_of_the_settings() {
        let none = Cli::try_parse_from(["effigy", "--provider", " "]);
        assert!(none.is_err());
        let several = "yggdrasil=ely.by";
        let rows: [(&[&str], &str); 6] = [
            (&[], "mojang|geyser"),
            (&["--skins", "my skins"], "folder=my skins|mojang|geyser"),
            (&["--provider", "geyser"], "geyser"),
            (
                &["--provider", several, "--provider=mojang", "--skins", "x"],
                "folder=x|yggdrasil=ely.by|mojang",
            ),
            (
                &["--provider", " mojang\t skinsrestorer=/srv "],
                "mojang|skinsrestorer=/srv",
            ),
            (
                &["--provider", "folder=/srv/My skins geyser"],
                "folder=/srv/My skins|geyser",
            ),
        ];
        for (arguments, expected) in rows {
            let providers = parse(arguments).config().providers;
            assert_eq!(providers.join("|"), expected, "{arguments:?}");
        }
    }
}
