//! The memory of bytes that wait for clients: uploads that arrive, and responses that clients have
//! not read yet. The drawing threads have a budget of their own.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;

/// The bytes that may wait for all clients together.
const MAX_BYTES: usize = 256 << 20;

/// The longest body that is not counted, because the system's own buffer takes it at once.
const SMALL_BODY: usize = 16 << 10;

/// The memory of bytes that wait.
#[derive(Debug, Default)]
pub struct MemoryBudget {
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    bytes: usize,
    /// The buffers of responses, by their addresses.
    buffers: HashMap<usize, SharedBuffer>,
}

/// A buffer that is being sent to several clients, and is in memory once.
#[derive(Debug)]
struct SharedBuffer {
    responses: usize,
    bytes: usize,
}

/// Bytes that count as waiting until this is dropped.
#[derive(Debug)]
pub struct WaitingBytes {
    budget: Arc<MemoryBudget>,
    bytes: usize,
    buffer: Option<usize>,
}

impl MemoryBudget {
    /// Takes memory for a part of an upload. Returns `None` if there is not enough.
    #[must_use]
    pub fn reserve_for_upload(self: &Arc<Self>, bytes: usize) -> Option<WaitingBytes> {
        let mut used = self.used.lock();
        used.take(bytes)?;
        Some(self.waiting(bytes, None))
    }

    /// Takes memory for the body of a response, unless another response with the same buffer has
    /// taken it. Returns `None` if there is not enough. A small body takes nothing.
    #[must_use]
    pub fn reserve_for_response(self: &Arc<Self>, body: &[u8]) -> Option<WaitingBytes> {
        if body.len() <= SMALL_BODY {
            return Some(self.waiting(0, None));
        }
        let address = body.as_ptr().addr();
        let mut used = self.used.lock();
        if let Some(shared) = used.buffers.get_mut(&address) {
            shared.responses += 1;
        } else {
            used.take(body.len())?;
            let shared = SharedBuffer {
                responses: 1,
                bytes: body.len(),
            };
            used.buffers.insert(address, shared);
        }
        Some(self.waiting(body.len(), Some(address)))
    }

    /// Returns `true` if the budget is nearly used up, so that slow clients should be disconnected.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.used() > MAX_BYTES / 4 * 3
    }

    /// The bytes that wait.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used.lock().bytes
    }

    fn waiting(self: &Arc<Self>, bytes: usize, buffer: Option<usize>) -> WaitingBytes {
        WaitingBytes {
            budget: Arc::clone(self),
            bytes,
            buffer,
        }
    }
}

impl Used {
    fn take(&mut self, bytes: usize) -> Option<()> {
        let after = self.bytes.checked_add(bytes)?;
        if after > MAX_BYTES {
            return None;
        }
        self.bytes = after;
        Some(())
    }
}

impl WaitingBytes {
    /// The number of bytes.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for WaitingBytes {
    fn drop(&mut self) {
        let mut used = self.budget.used.lock();
        let Some(address) = self.buffer else {
            used.bytes -= self.bytes;
            return;
        };
        if let Some(shared) = used.buffers.get_mut(&address) {
            shared.responses -= 1;
            if shared.responses == 0 {
                let bytes = shared.bytes;
                used.buffers.remove(&address);
                used.bytes -= bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_wait_until_they_are_dropped() {
        let budget = Arc::new(MemoryBudget::default());
        let all = budget.reserve_for_upload(MAX_BYTES).unwrap();
        assert!(budget.reserve_for_upload(1).is_none() && budget.is_short());
        drop(all);
        assert_eq!(budget.used(), 0);
        assert!(!budget.is_short());
    }

    #[test]
    fn a_budget_is_short_if_less_than_a_quarter_is_left() {
        let budget = Arc::new(MemoryBudget::default());
        let _most = budget.reserve_for_upload(MAX_BYTES / 4 * 3).unwrap();
        assert!(!budget.is_short());
        let _more = budget.reserve_for_upload(1).unwrap();
        assert!(budget.is_short());
    }

    #[test]
    fn a_buffer_that_several_clients_are_sent_counts_once() {
        let budget = Arc::new(MemoryBudget::default());
        let body = vec![0; SMALL_BODY + 1];
        let first = budget.reserve_for_response(&body).unwrap();
        let second = budget.reserve_for_response(&body).unwrap();
        assert_eq!(budget.used(), body.len());
        drop(first);
        assert_eq!(budget.used(), body.len());
        drop(second);
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_small_body_takes_nothing() {
        let budget = Arc::new(MemoryBudget::default());
        let _all = budget.reserve_for_upload(MAX_BYTES).unwrap();
        assert!(budget.reserve_for_response(&[0; SMALL_BODY]).is_some());
        assert!(budget.reserve_for_response(&[0; SMALL_BODY + 1]).is_none());
    }
}
