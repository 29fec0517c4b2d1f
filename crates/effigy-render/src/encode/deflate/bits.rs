//! A sequence of bits, least significant first. RFC 1951, 3.1.1.

/// Bits on their way into bytes.
#[derive(Default)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    /// The bits that fill no byte yet, and those pushed since [`Bits::settle`].
    waiting: u64,
    count: u32,
}

impl Bits {
    /// Appends the `count` low bits of a value that has no others. No more than 56 are pushed
    /// before they settle.
    #[inline]
    pub(super) fn push(&mut self, value: u64, count: u32) {
        self.waiting |= value << self.count;
        self.count += count;
    }

    /// Makes room for so many bytes.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.bytes.reserve(bytes);
    }

    /// Moves whole bytes out.
    #[inline]
    pub(super) fn settle(&mut self) {
        let whole = self.count & !7;
        let length = self.bytes.len() + (whole / 8) as usize;
        // Eight bytes and then fewer: to copy a constant number is one instruction.
        self.bytes.extend_from_slice(&self.waiting.to_le_bytes());
        self.bytes.truncate(length);
        self.waiting = self.waiting.checked_shr(whole).unwrap_or(0);
        self.count -= whole;
    }

    /// Appends bytes, after zeros that fill the last one up.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.count = self.count.next_multiple_of(8);
        self.settle();
        self.bytes.extend_from_slice(bytes);
    }

    /// The whole bytes, for the caller to take.
    pub(super) fn whole_bytes(&mut self) -> &mut Vec<u8> {
        self.settle();
        &mut self.bytes
    }
}
