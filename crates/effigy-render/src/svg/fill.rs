//! Colors of shapes.

use std::fmt;

/// A straight color as the attributes of a shape that is filled with it.
pub(crate) struct Fill(pub(crate) [u8; 4]);

impl Fill {
    pub(crate) fn is_opaque(&self) -> bool {
        self.0[3] == 255
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b, alpha] = self.0;
        write!(f, r##" fill="#{r:02x}{g:02x}{b:02x}""##)?;
        if alpha < 255 {
            // Three decimals distinguish all values of alpha.
            let thousandths = (u32::from(alpha) * 1000 + 127) / 255;
            write!(f, r#" fill-opacity="0.{thousandths:03}""#)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opacities_distinguish_all_alphas() {
        for alpha in 1..=255 {
            let fill = Fill([1, 20, 255, alpha]).to_string();
            assert!(fill.starts_with(r##" fill="#0114ff""##), "{fill}");
            let opacity = fill
                .split_once(r#"fill-opacity=""#)
                .map(|(_, rest)| &rest[..5]);
            let opacity: f64 = opacity.map_or(1.0, |text| text.parse().expect("a number"));
            assert!(
                (opacity * 255.0 - f64::from(alpha)).abs() < 0.3,
                "{alpha}: {fill}"
            );
        }
    }
}
