//! The settings of providers and upstream services: addresses, timeouts and limits.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use effigy_player::BedrockPrefixes;
use effigy_upstream::{BaseUrl, ConfigError, Endpoints, Rate, RateLimits, UpstreamConfig};

use crate::UsageError;
use crate::values::{Parsed, Several, calls, timeout};

/// The providers and services that skins come from, and the limits of calls to them.
#[derive(Debug, Args)]
pub struct UpstreamArgs {
    /// A folder of your own skins, which is asked before all providers.
    ///
    /// `<player>.png` is a skin, `<player>.slim.png` a skin with slim arms, and `<player>.cape.png`
    /// a cape. A player is a Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot.
    /// A server notices changed files within a second.
    #[arg(long, env, value_name = "FOLDER")]
    skins: Option<PathBuf>,
    /// A provider of skins, or several (default: mojang geyser).
    ///
    /// mojang, geyser, folder=PATH, yggdrasil=URL, skinsrestorer=PATH, skinrestorer=PATH, or
    /// skin-url=URL with {name}, {uuid} or {dashed} in it. The first provider that knows the player
    /// is used. Separate several with spaces, or repeat the flag.
    #[arg(long, env, value_name = "KIND[=WHERE]", value_parser = providers)]
    #[arg(default_value = "mojang geyser", hide_default_value = true)]
    provider: Vec<Several<String>>,
    /// A prefix of the names of Bedrock players on your server, or several with spaces between them
    /// (default: .).
    ///
    /// Use the username-prefix of Floodgate. With the prefix *, for example, /v1/face/*gamer_tag is
    /// a Bedrock player. A dot always works, and is the only prefix on the compatibility paths.
    /// Java names may begin with a prefix such as BE_: if no Bedrock player has the gamertag, the
    /// Java player of the whole name is shown.
    #[arg(long, env, value_name = "PREFIX", value_parser = bedrock_prefixes)]
    #[arg(default_value = ".", hide_default_value = true)]
    bedrock_prefix: Vec<Several<String>>,
    /// The service that finds the UUID of a Java name.
    #[arg(long, env, value_name = "URL", value_parser = BaseUrl::parse)]
    #[arg(default_value = "https://api.mojang.com")]
    java_identity_url: BaseUrl,
    /// The service that finds the profile of a Java UUID.
    #[arg(long, env, value_name = "URL", value_parser = BaseUrl::parse)]
    #[arg(default_value = "https://sessionserver.mojang.com")]
    java_session_url: BaseUrl,
    /// The service that finds the XUID of a Bedrock gamertag and the skin of an XUID.
    #[arg(long, env, value_name = "URL", value_parser = BaseUrl::parse)]
    #[arg(default_value = "https://api.geysermc.org")]
    bedrock_lookup_url: BaseUrl,
    /// The service that serves textures by their hash.
    #[arg(long, env, value_name = "URL", value_parser = BaseUrl::parse)]
    #[arg(default_value = "https://textures.minecraft.net")]
    texture_url: BaseUrl,
    /// A further host that textures may be fetched from; separate several with commas, or repeat
    /// the flag.
    #[arg(long, env, value_name = "HOST", value_delimiter = ',')]
    texture_host: Vec<String>,
    /// The time limit of one call; all calls for one player together may take twice as long.
    #[arg(long, env, value_name = "DURATION", default_value = "10s", value_parser = timeout)]
    upstream_timeout: Duration,
    /// Your email address or URL, which is sent with every call, so that the services can reach
    /// you.
    #[arg(long, env, value_name = "CONTACT")]
    pub contact: Option<String>,
    /// The rate limit of calls to the identity service, for example 600/10m (default: slightly
    /// below the limit of the public service, and no limit for another service).
    #[arg(long, env, value_name = "RATE", value_parser = calls)]
    java_identity_limit: Option<Rate>,
    /// The rate limit of calls to the session service, for example 400/10s (default: slightly below
    /// the limit of the public service, and no limit for another service).
    #[arg(long, env, value_name = "RATE", value_parser = calls)]
    java_session_limit: Option<Rate>,
    /// The rate limit of calls to the Bedrock service, for example 100/1m (default: 120/1m for the
    /// public service, and no limit for another service).
    #[arg(long, env, value_name = "RATE", value_parser = calls)]
    bedrock_lookup_limit: Option<Rate>,
}

impl UpstreamArgs {
    /// Returns the settings of a chain of providers.
    #[must_use]
    pub fn config(&self) -> UpstreamConfig {
        let mut providers = Vec::new();
        if let Some(folder) = &self.skins {
            providers.push(format!("folder={}", folder.display()));
        }
        providers.extend(self.provider.concat());
        UpstreamConfig {
            providers,
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

    /// Returns the error of the flag whose value the providers or the transport refused.
    #[must_use]
    pub fn usage_error(&self, error: &ConfigError) -> UsageError {
        let flag = match error {
            ConfigError::SkinFolder { path, .. } if self.skins.as_ref() == Some(path) => "--skins",
            ConfigError::SkinFolder { .. } | ConfigError::Provider { .. } => "--provider",
            ConfigError::TextureHost { .. } => "--texture-host",
            ConfigError::Contact { .. } => "--contact",
            _ => "upstream services",
        };
        UsageError::new(flag, error.to_string())
    }
}

/// Parses prefixes with spaces between them.
fn bedrock_prefixes(text: &str) -> Parsed<Several<String>> {
    let prefixes: Several<String> = text.split_whitespace().map(str::to_owned).collect();
    if prefixes.is_empty() || BedrockPrefixes::new(prefixes.clone()).is_err() {
        return Err("write 1 to 15 characters without commas, slashes, + and %, for example *");
    }
    Ok(prefixes)
}

/// Parses providers with spaces between them. A word that isn't a provider belongs to the path
/// before it, which may have spaces.
fn providers(text: &str) -> Parsed<Several<String>> {
    let mut providers: Several<String> = Vec::new();
    for word in text.split_whitespace() {
        let is_provider = word.contains('=') || matches!(word, "mojang" | "geyser");
        match providers.last_mut() {
            Some(last) if last.contains('=') && !is_provider => {
                last.push(' ');
                last.push_str(word);
            }
            _ => providers.push(word.to_owned()),
        }
    }
    if providers.is_empty() {
        return Err("write a provider, for example mojang");
    }
    Ok(providers)
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
    fn defaults_are_the_public_services() {
        let config = format!("{:?}", parse(&[]).config());
        assert_eq!(config, format!("{:?}", UpstreamConfig::default()));
    }

    #[test]
    fn prefixes_have_spaces_or_flags_between_them() {
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
    fn providers_keep_the_order_of_the_flags() {
        Cli::try_parse_from(["effigy", "--provider", " "]).unwrap_err();
        let rows: [(&[&str], &str); 6] = [
            (&[], "mojang|geyser"),
            (&["--skins", "my skins"], "folder=my skins|mojang|geyser"),
            (&["--provider", "geyser"], "geyser"),
            (
                &[
                    "--provider=yggdrasil=ely.by",
                    "--provider=mojang",
                    "--skins=x",
                ],
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

    #[test]
    fn errors_of_folders_name_the_flag_that_has_them() {
        let args = parse(&["--skins=skins", "--provider=folder=other"]);
        for (path, flag) in [("skins", "--skins: "), ("other", "--provider: ")] {
            let error = ConfigError::SkinFolder {
                path: path.into(),
                problem: "cannot be read".to_owned(),
            };
            let message = args.usage_error(&error).to_string();
            assert!(message.starts_with(flag), "{message}");
        }
    }
}
