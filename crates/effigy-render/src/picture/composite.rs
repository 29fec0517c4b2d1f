//! Straight colors over one another.

/// Composites straight colors. (Porter and Duff, "Compositing Digital Images", 1984)
#[inline]
pub(crate) fn over(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    match (above[3], below[3]) {
        (0, _) => below,
        (255, _) | (_, 0) => above,
        _ => mix(above, below),
    }
}

fn mix(above: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let [in_front, behind] = [above[3], below[3]].map(u32::from);
    // Weights of 255².
    let weights = [in_front * 255, behind * (255 - in_front)];
    let sum = weights[0] + weights[1];
    let byte = |value| u8::try_from(value).expect("a mean of bytes");
    let mean = |channel: usize| {
        let channels = [above, below].map(|color| u32::from(color[channel]));
        byte((channels[0] * weights[0] + channels[1] * weights[1] + sum / 2) / sum)
    };
    [mean(0), mean(1), mean(2), byte((sum + 127) / 255)]
}
