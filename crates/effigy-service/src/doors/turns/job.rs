//! A job of the drawing threads.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
    mpsc,
};

use super::{askers::Askers, capacity::SMALL_MEMORY};
use crate::doors::client::Client;

/// The number of a job, in the order in which they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobId(pub(super) u64);

/// The number of a drawing thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ThreadNumber(pub(super) usize);

/// The work of a job, on the thread that it is given.
pub(super) type Work = Box<dyn FnOnce(JobId, ThreadNumber) + Send>;

/// A job, from its arrival to its end.
pub(super) struct Job {
    /// The queue numbers the jobs.
    pub(super) id: JobId,
    pub(super) askers: Askers,
    pub(super) memory: u64,
    pub(super) cancelled: Arc<AtomicBool>,
    /// `true` if it has run for long, or is large, so that it will.
    pub(super) long: bool,
    pub(super) stage: Stage,
}

/// The stage that a job has reached.
pub(super) enum Stage {
    New(Work),
    /// It has a slot, in the turn of this client.
    Running(Client),
    /// It waits for another turn, which begins with a message.
    Paused(mpsc::Sender<()>),
}

/// A job that gets a slot.
pub(super) enum Started {
    New(JobId, Work),
    /// It goes on when it gets a message.
    Paused(mpsc::Sender<()>),
}

impl Job {
    pub(super) fn new(askers: Askers, memory: u64, cancelled: Arc<AtomicBool>, work: Work) -> Self {
        Self {
            id: JobId(0),
            askers,
            memory,
            cancelled,
            long: memory > SMALL_MEMORY,
            stage: Stage::New(work),
        }
    }

    pub(super) const fn is_large(&self) -> bool {
        self.memory > SMALL_MEMORY
    }

    pub(super) const fn is_new(&self) -> bool {
        matches!(self.stage, Stage::New(_))
    }

    pub(super) const fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running(_))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
