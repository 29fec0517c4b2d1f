//! What can be counted about a running service, as of now.

/// The state of a service in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// Pictures in memory, about.
    pub memory_entries: u64,
    /// The bytes that they take, about.
    pub memory_bytes: u64,
    /// Misses that are being served.
    pub misses_in_flight: usize,
    /// Players that are being looked up.
    pub look_ups_in_flight: usize,
    /// Pictures that are being drawn, or wait for a processor.
    pub renders_in_flight: usize,
    /// Pictures that are being drawn while they are sent.
    pub long_pictures_in_flight: usize,
    /// Whether the last read of pictures from the database failed.
    pub reads_are_down: bool,
    /// What waits to be written to the database.
    pub writes: WriteFigures,
}

/// What waits to be written to the database, in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteFigures {
    /// Pictures that wait.
    pub waiting_images: usize,
    /// Their bytes.
    pub waiting_bytes: usize,
    /// Pictures that were not stored since the start: there was no room for them to wait, or the
    /// database refused them.
    pub dropped_images: u64,
    /// Whether the last write failed.
    pub is_down: bool,
}
