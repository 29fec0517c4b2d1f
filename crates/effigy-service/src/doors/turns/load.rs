//! The slots, the threads and the memory that the jobs which have begun occupy.

use super::{
    capacity::{MAX_MEMORY, MEMORY_FOR_SMALL, THREADS_FOR_SMALL},
    job::{Job, Stage},
};
use crate::doors::client::Client;

/// The clients and the memory of the jobs that have begun.
pub(super) struct Load {
    /// The jobs that may run at once.
    slots: usize,
    /// The client of each running job.
    running: Vec<Client>,
    /// The running jobs that are long.
    long_running: usize,
    memory: u64,
    /// The threads without a job.
    idle_threads: usize,
}

impl Load {
    /// The load of the jobs that have begun.
    pub(super) fn of(jobs: &[Job], slots: usize, threads: usize) -> Self {
        let mut load = Self {
            slots,
            running: Vec::new(),
            long_running: 0,
            memory: 0,
            idle_threads: threads,
        };
        for job in jobs {
            if !job.is_new() {
                load.add(job);
            }
        }
        load
    }

    fn add(&mut self, job: &Job) {
        self.idle_threads -= 1;
        self.memory += job.memory;
        if let Stage::Running(client) = job.stage {
            self.running.push(client);
            if job.long {
                self.long_running += 1;
            }
        }
    }

    /// Returns `true` if another job may run.
    pub(super) const fn has_free_slot(&self) -> bool {
        self.running.len() < self.slots
    }

    /// Returns `true` if long jobs have all slots.
    pub(super) const fn is_full_of_long(&self) -> bool {
        self.long_running >= self.slots
    }

    /// Returns `true` if another long job would leave no slot for short ones.
    pub(super) const fn only_one_slot_for_short_left(&self) -> bool {
        self.long_running + 1 >= self.slots
    }

    /// Returns `true` if a client occupies less than half of the slots. A peer that may stand for
    /// many clients may occupy all.
    pub(super) fn has_room_for_client(&self, client: Client) -> bool {
        if !client.is_limited() {
            return true;
        }
        let network = client.network();
        let own = self.running.iter().filter(|by| by.network() == network);
        own.count() < (self.slots / 2).max(1)
    }

    /// Returns `true` if there is a thread and memory for a small job.
    pub(super) const fn has_room_for_small(&self, job: &Job) -> bool {
        self.idle_threads > 0 && self.memory + job.memory <= MAX_MEMORY
    }

    /// Returns `true` if there is a thread and memory for a large job.
    pub(super) const fn has_room_for_large(&self, job: &Job) -> bool {
        self.idle_threads > THREADS_FOR_SMALL && self.has_memory_for_large(job)
    }

    /// Returns `true` if the memory that large jobs may have has room for another one.
    pub(super) const fn has_memory_for_large(&self, job: &Job) -> bool {
        self.memory + job.memory + MEMORY_FOR_SMALL <= MAX_MEMORY
    }
}
