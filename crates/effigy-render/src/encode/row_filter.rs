//! The filters of rows. PNG specification, "Filter types".

/// The prediction from which the bytes of a row are stored as differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RowFilter {
    /// Zeros.
    None = 0,
    /// The pixel above.
    Up = 2,
    /// The pixel on the left, above or above on the left that is nearest to
    /// left + above - above left.
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
                to.extend(bytes.map(|(byte, ((&left, &upper), &upper_left))| {
                    byte.wrapping_sub(paeth(left, upper, upper_left))
                }));
            }
        }
    }
}

#[inline(always)]
fn paeth(left: u8, above: u8, upper_left: u8) -> u8 {
    let a = i16::from(left);
    let b = i16::from(above);
    let c = i16::from(upper_left);
    // The distances of left + above - upper left from the three.
    let from_left = (b - c).abs();
    let from_above = (a - c).abs();
    let from_upper_left = ((b - c) + (a - c)).abs();
    let vertical = if from_above <= from_upper_left {
        above
    } else {
        upper_left
    };
    if from_left <= from_above.min(from_upper_left) {
        left
    } else {
        vertical
    }
}
