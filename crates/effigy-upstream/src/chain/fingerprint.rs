//! The fingerprint of a chain, by which records of other settings are told apart.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::ProviderChain;

/// The number of bytes of the digest that are written: enough to tell the settings of one operator
/// apart.
const BYTES: usize = 8;

impl ProviderChain {
    /// Returns 16 hexadecimal digits that depend on the providers, their URLs and their order.
    pub(super) fn fingerprint_of_settings(&self) -> String {
        // One line each. A line feed in a URL is percent-encoded.
        let mut settings = format!("{}\n", self.texture_base);
        for chained in &self.providers {
            settings += chained.name();
            // A provider that reads files has no URL.
            for url in chained.provider.servers().0 {
                settings.push(' ');
                settings += url.as_str();
            }
            settings.push('\n');
        }
        let digest = Sha256::digest(settings);
        let mut digits = String::new();
        for byte in digest.iter().take(BYTES) {
            write!(digits, "{byte:02x}").expect("a string can be written to");
        }
        digits
    }
}
