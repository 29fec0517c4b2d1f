//! Ranges of numbers.

/// Returns the smallest and the greatest number.
pub(crate) fn range(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    numbers.fold([f64::MAX, f64::MIN], |[min, max], number| {
        [min.min(number), max.max(number)]
    })
}
