//! Colors of shapes.

/// Returns a straight color as the attributes of a shape that is filled with it.
pub(crate) fn fill([r, g, b, alpha]: [u8; 4]) -> String {
    let color = format!(r##" fill="#{r:02x}{g:02x}{b:02x}""##);
    if alpha == 255 {
        return color;
    }
    // Three decimals distinguish all values of alpha.
    let thousandths = (u32::from(alpha) * 1000 + 127) / 255;
    format!(r#"{color} fill-opacity="0.{thousandths:03}""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opacities_distinguish_all_alphas() {
        for alpha in 1..=255 {
            let fill = fill([1, 20, 255, alpha]);
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
