//! The addresses of the services.

use url::Url;

use super::base_url::BaseUrl;

/// The addresses of the four services. The default is the public ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Java name to UUID.
    pub java_identity: BaseUrl,
    /// Java UUID to session profile.
    pub java_session: BaseUrl,
    /// Bedrock gamertag to XUID, and XUID to skin record.
    pub bedrock_lookup: BaseUrl,
    /// Textures by their hash.
    pub texture: BaseUrl,
}

impl Endpoints {
    /// Returns `true` if a service is the public one.
    pub(crate) fn is_public(&self, service: fn(&Self) -> &BaseUrl) -> bool {
        service(self) == service(&Self::default())
    }

    pub(crate) fn urls(&self) -> Vec<Url> {
        let all = [
            &self.java_identity,
            &self.java_session,
            &self.bedrock_lookup,
            &self.texture,
        ];
        all.map(|base| base.0.clone()).to_vec()
    }
}

impl Default for Endpoints {
    fn default() -> Self {
        let public = |value| BaseUrl::parse("default", value).expect("the public urls are valid");
        Self {
            java_identity: public("https://api.mojang.com"),
            java_session: public("https://sessionserver.mojang.com"),
            bedrock_lookup: public("https://api.geysermc.org"),
            texture: public("https://textures.minecraft.net"),
        }
    }
}
