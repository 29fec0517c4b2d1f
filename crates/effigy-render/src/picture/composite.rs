//! Compositing of straight colors.

/// Composites a straight color over another one. (Porter and Duff, "Compositing Digital Images",
/// 1984)
#[inline]
pub(crate) fn over(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    match (above[3], below[3]) {
        (0, _) => below,
        (255, _) | (_, 0) => above,
        _ => mix(above, below),
    }
}

fn mix(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    // Together, the weights of two opaque colors would be 255².
    let weight_above = u32::from(above[3]) * 255;
    let weight_below = u32::from(below[3]) * (255 - u32::from(above[3]));
    let sum = weight_above + weight_below;
    let byte = |value| u8::try_from(value).expect("a mean of bytes");
    let mean = |channel: usize| {
        let weighted_above = u32::from(above[channel]) * weight_above;
        let weighted_below = u32::from(below[channel]) * weight_below;
        byte((weighted_above + weighted_below + sum / 2) / sum)
    };
    [mean(0), mean(1), mean(2), byte((sum + 127) / 255)]
}
