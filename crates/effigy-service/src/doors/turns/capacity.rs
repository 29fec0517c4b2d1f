//! The memory and the threads that drawing may take.

/// The memory of all jobs that have begun.
pub(super) const MAX_MEMORY: u64 = 256 << 20;

/// The memory of one job, so that two always have room.
pub(crate) const MAX_JOB_MEMORY: u64 = MAX_MEMORY / 8 * 3;

/// The memory up to which a job is small, as pictures of up to some 2,000 pixels are.
pub(super) const SMALL_MEMORY: u64 = 6 << 20;

/// The memory that only small jobs get, so that large ones do not keep them waiting.
pub(super) const MEMORY_FOR_SMALL: u64 = MAX_MEMORY / 4;

/// The threads that only small jobs get.
pub(super) const THREADS_FOR_SMALL: usize = 8;
