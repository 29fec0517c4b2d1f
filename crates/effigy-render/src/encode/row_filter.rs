//! The filters of rows. PNG specification, "Filter types".

/// The prediction from which the bytes of a row are stored as differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowFilter {
    /// Zeros.
    None = 0,
    /// The pixel above.
    Up = 2,
    /// The pixel on the left, above or between them that is nearest to left + above - between.
    Paeth = 4,
}

/// The bytes of a pixel: straight RGBA.
const PIXEL: usize = 4;

impl RowFilter {
    /// Appends a row and the filter's number.
    pub(crate) fn append(self, row: &[u8], above: &[u8], to: &mut Vec<u8>) {
        to.push(self as u8);
        let up = |(byte, upper): (&u8, &u8)| byte.wrapping_sub(*upper);
        match self {
            RowFilter::None => to.extend_from_slice(row),
            RowFilter::Up => to.extend(row.iter().zip(above).map(up)),
            RowFilter::Paeth => {
                // Nothing is on the left of the first pixel.
                to.extend(row.iter().zip(above).take(PIXEL).map(up));
                let neighbors = row.iter().zip(&above[PIXEL..]).zip(above);
                let bytes = row[PIXEL..].iter().zip(neighbors);
                to.extend(bytes.map(|(byte, ((&left, &upper), &between))| {
                    byte.wrapping_sub(paeth(left, upper, between))
                }));
            }
        }
    }
}

#[inline(always)]
fn paeth(left: u8, above: u8, between: u8) -> u8 {
    let [a, b, c] = [left, above, between].map(i16::from);
    // The distances of left + above - between from the three.
    let [pa, pb, pc] = [b - c, a - c, (b - c) + (a - c)].map(i16::abs);
    let vertical = if pb <= pc { above } else { between };
    if pa <= pb.min(pc) { left } else { vertical }
}
