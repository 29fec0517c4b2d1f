//! Writers that fail.

use std::io::{self, Write};

/// A file that fails once, when it would become too long.
pub(crate) struct FullOnce {
    room: Option<usize>,
    pub(crate) file: Vec<u8>,
}

impl FullOnce {
    pub(crate) fn new(room: usize) -> FullOnce {
        FullOnce {
            room: Some(room),
            file: Vec::new(),
        }
    }
}

impl Write for FullOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.len() + bytes.len();
        if self.room.take_if(|room| *room < length).is_some() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that fails after this number of flushes.
pub(crate) struct Patient(pub(crate) usize);

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::TimedOut)?;
        Ok(())
    }
}
