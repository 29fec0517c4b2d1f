//! The families of URLs of other services, and their words.

use effigy_player::word_enum;

word_enum! {
    /// The URLs of another service, or of several services that share a grammar.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Family {
        /// Crafatar.
        Crafatar = "crafatar",
        /// Minotar, and mineskin.eu.
        Minotar = "minotar",
        /// MCHeads.
        McHeads = "mc-heads",
        /// Crafthead.
        Crafthead = "crafthead",
        /// Cravatar.
        Cravatar = "cravatar",
        /// Visage, which is called VZGE now.
        Visage = "visage",
        /// NMSR.
        Nmsr = "nmsr",
        /// mineatar.
        Mineatar = "mineatar",
        /// Starlight's SkinAPI.
        Starlight = "starlight",
        /// The heads of DiscordSRV.
        DiscordSrv = "discordsrv",
        /// PlayerDB, which answers in JSON.
        PlayerDb = "playerdb",
        /// Ashcon's API, which answers in JSON.
        Ashcon = "ashcon",
    }
}

/// Further words for families.
const SYNONYMS: [(&str, Family); 3] = [
    ("vzge", Family::Visage),
    ("mineskin", Family::Minotar),
    ("mcheads", Family::McHeads),
];

impl Family {
    /// Finds the family of a word in any letter case.
    ///
    /// ```
    /// use effigy_parameters::Family;
    ///
    /// assert_eq!(Family::find("Crafthead"), Some(Family::Crafthead));
    /// assert_eq!(Family::find("vzge"), Some(Family::Visage));
    /// assert_eq!(Family::find("head"), None);
    /// ```
    #[must_use]
    pub fn find(word: &str) -> Option<Self> {
        for (known, family) in SYNONYMS {
            if word.eq_ignore_ascii_case(known) {
                return Some(family);
            }
        }
        word.to_ascii_lowercase().parse().ok()
    }
}
