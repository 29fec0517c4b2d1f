//! The kinds of upstreams.

effigy_player::word_enum! {
    /// A service of a provider, which has limits of its own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Upstream {
        /// Java names to UUIDs, by the legacy form of the look-up.
        IdentityLegacy = "identity_legacy",
        /// Java names to UUIDs, by the current form.
        IdentityCurrent = "identity_current",
        /// Java UUIDs to profiles.
        Session = "session",
        /// Both Bedrock look-ups.
        Bedrock = "bedrock",
        /// Textures, from any host of the provider.
        Texture = "texture",
        /// Names, profiles and the description of a Yggdrasil server.
        Profiles = "profiles",
    }
}
