//! A writer of bits, least significant first. RFC 1951, 3.1.1.

use super::huffman::Code;
use super::symbol::Symbol;

/// Collects bits to bytes.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that have not been moved to the bytes.
    bits: u64,
    count: u32,
}

impl BitWriter {
    /// Appends the `count` low bits of a value whose other bits are 0. The caller flushes after at
    /// most 56 bits.
    #[inline]
    pub(super) fn push(&mut self, value: u64, count: u32) {
        self.bits |= value << self.count;
        self.count += count;
    }

    #[inline]
    pub(super) fn push_code(&mut self, code: Code) {
        self.push(code.bits.into(), code.length.into());
    }

    /// Appends the code of a symbol and its extra bits.
    #[inline]
    pub(super) fn push_symbol(&mut self, code: Code, symbol: Symbol) {
        self.push_code(code);
        self.push(symbol.extra as u64, symbol.extra_bits);
    }

    /// Moves all complete bytes out of the bits.
    #[inline]
    pub(super) fn flush(&mut self) {
        let complete = self.count & !7;
        let length = self.bytes.len() + (complete / 8) as usize;
        // Copying eight bytes and truncating takes one instruction, copying fewer a loop.
        self.bytes.extend_from_slice(&self.bits.to_le_bytes());
        self.bytes.truncate(length);
        self.bits = self.bits.checked_shr(complete).unwrap_or(0);
        self.count -= complete;
    }

    /// Fills the last byte up with zeros and appends bytes.
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) {
        self.count = self.count.next_multiple_of(8);
        self.flush();
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the complete bytes, which the caller removes.
    pub(super) fn bytes(&mut self) -> &mut Vec<u8> {
        self.flush();
        &mut self.bytes
    }
}
