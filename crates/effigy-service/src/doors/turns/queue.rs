//! The order of jobs: who comes next, who makes way, and who is refused.

use std::{
    collections::HashMap,
    fmt, mem,
    net::IpAddr,
    sync::{atomic::Ordering, mpsc},
};

use super::{
    history::{LastTurns, TurnHistory},
    job::{Job, JobId, Stage, Started},
    load::Load,
};
use crate::doors::client::Client;

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest.
pub(super) const MAX_WAITING: usize = 512;

/// The jobs that wait or run, and the turns that clients have had.
pub(super) struct Queue {
    /// The jobs that may run at once.
    slots: usize,
    /// The threads, each of which has one job at a time, running or paused.
    threads: usize,
    /// In the order in which they came.
    jobs: Vec<Job>,
    next_id: u64,
    history: TurnHistory,
    /// The large job for which memory is being kept, because it is its turn.
    reserved: Option<JobId>,
}

/// The numbers of jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JobCounts {
    /// The jobs that wait for their first turn or another one.
    pub(crate) waiting: usize,
    pub(crate) running: usize,
}

/// A job that waits for a turn.
struct Candidate {
    /// The position of the job in the queue.
    position: usize,
    /// The client in whose turn it would run: of its askers, the one that has had no turn for the
    /// longest time.
    client: Client,
    rank: Rank,
}

/// The rank of a waiting job. The least one is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// `false` if nobody waits for the job any more. It comes first, because it ends at once and
    /// gives its memory back.
    wanted: bool,
    last_turns: LastTurns,
    id: JobId,
}

impl Queue {
    pub(super) fn new(slots: usize, threads: usize) -> Self {
        Self {
            slots,
            threads,
            jobs: Vec::new(),
            next_id: 0,
            history: TurnHistory::default(),
            reserved: None,
        }
    }

    /// Adds a job, and returns its number.
    pub(super) fn add(&mut self, mut job: Job) -> JobId {
        let id = JobId(self.next_id);
        self.next_id += 1;
        job.id = id;
        self.jobs.push(job);
        id
    }

    /// Gives a slot to the job whose turn it is, if a slot is free and a job may have it.
    pub(super) fn start_next(&mut self) -> Option<Started> {
        let load = self.load();
        if !load.has_free_slot() {
            return None;
        }
        self.reserve_memory(&load);
        let next = self.next(&load)?;
        self.history.record(next.client);
        let job = &mut self.jobs[next.position];
        let id = job.id;
        let waiting = mem::replace(&mut job.stage, Stage::Running(next.client));
        self.end_reservation(id);
        match waiting {
            Stage::New(work) => Some(Started::New(id, work)),
            Stage::Paused(turn) => Some(Started::Paused(turn)),
            Stage::Running(_) => None,
        }
    }

    /// Records that a running job is long.
    pub(super) fn mark_long(&mut self, id: JobId) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == id) {
            job.long = true;
        }
    }

    /// Returns `true` if long jobs occupy all slots while a short one could run.
    pub(super) fn must_pause(&self) -> bool {
        let load = self.load();
        if !load.is_full_of_long() {
            return false;
        }
        let is_new_short = |job: &Job| job.is_new() && !job.long;
        self.first(&load, is_new_short).is_some()
    }

    /// Takes the slot of a running job, which waits for another turn.
    pub(super) fn pause(&mut self, id: JobId, next_turn: mpsc::Sender<()>) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == id) {
            job.stage = Stage::Paused(next_turn);
        }
    }

    /// Removes a job that has ended.
    pub(super) fn end(&mut self, id: JobId) {
        self.jobs.retain(|job| job.id != id);
    }

    /// Cancels a job. One that has not begun is removed and returned.
    pub(super) fn cancel(&mut self, id: JobId) -> Option<Job> {
        let position = self.jobs.iter().position(|job| job.id == id)?;
        let job = &self.jobs[position];
        job.cancelled.store(true, Ordering::Relaxed);
        let is_new = job.is_new();
        self.end_reservation(id);
        if is_new {
            Some(self.jobs.remove(position))
        } else {
            None
        }
    }

    /// Removes the newest waiting job of the client that has the most, if too many wait.
    pub(super) fn remove_excess(&mut self) -> Option<Job> {
        let waiting = self.jobs.iter().filter(|job| job.is_new()).count();
        if waiting <= MAX_WAITING {
            return None;
        }
        let job = self.jobs.remove(self.excess_position());
        self.end_reservation(job.id);
        Some(job)
    }

    /// Returns the numbers of jobs.
    pub(super) fn counts(&self) -> JobCounts {
        let running = self.jobs.iter().filter(|job| job.is_running()).count();
        JobCounts {
            waiting: self.jobs.len() - running,
            running,
        }
    }

    fn load(&self) -> Load {
        Load::of(&self.jobs, self.slots, self.threads)
    }

    /// Returns the job whose turn it is.
    fn next(&self, load: &Load) -> Option<Candidate> {
        let short = self.first(load, |job| !job.is_running() && !job.long);
        let long = self.first(load, |job| !job.is_running() && job.long);
        match (short, long) {
            (Some(short), Some(long)) => {
                // A long job must leave the last slot to a short one.
                let must_wait = load.only_one_slot_for_short_left() && long.rank.wanted;
                if must_wait || short.rank < long.rank {
                    Some(short)
                } else {
                    Some(long)
                }
            }
            (Some(only), None) | (None, Some(only)) => Some(only),
            (None, None) => None,
        }
    }

    /// Returns the first of some waiting jobs that could have a slot.
    fn first(&self, load: &Load, is_among: impl Fn(&Job) -> bool) -> Option<Candidate> {
        let can_run = |job: &Job, candidate: &Candidate| self.can_run(job, candidate, load);
        self.first_with(is_among, can_run)
    }

    /// Returns the first of some waiting jobs that meet a condition.
    fn first_with(
        &self,
        is_among: impl Fn(&Job) -> bool,
        condition: impl Fn(&Job, &Candidate) -> bool,
    ) -> Option<Candidate> {
        let mut first: Option<Candidate> = None;
        for (position, job) in self.jobs.iter().enumerate() {
            if !is_among(job) {
                continue;
            }
            let candidate = self.candidate(position, job);
            if candidate.comes_before(&first) && condition(job, &candidate) {
                first = Some(candidate);
            }
        }
        first
    }

    fn candidate(&self, position: usize, job: &Job) -> Candidate {
        let last_turns = |client| self.history.last_turns(client);
        let (client, last_turns) = job.askers.min_by_key(last_turns);
        Candidate {
            position,
            client,
            rank: Rank {
                wanted: !job.is_cancelled(),
                last_turns,
                id: job.id,
            },
        }
    }

    /// Returns `true` if a waiting job could have a slot.
    fn can_run(&self, job: &Job, candidate: &Candidate, load: &Load) -> bool {
        let is_paused = !job.is_new();
        if is_paused && !candidate.rank.wanted {
            // It ends at once.
            return true;
        }
        if !load.has_room_for_client(candidate.client) {
            return false;
        }
        if is_paused {
            return true;
        }
        if !job.is_large() {
            return load.has_room_for_small(job);
        }
        let is_its_turn = self.reserved.is_none_or(|id| id == job.id);
        is_its_turn && load.has_room_for_large(job)
    }

    /// Keeps the memory that comes back for the large job whose turn it is, if that is all that it
    /// waits for. Otherwise later large jobs that need less could overtake it for ever; small ones
    /// still pass.
    fn reserve_memory(&mut self, load: &Load) {
        if self.reserved.is_some() {
            return;
        }
        let is_new_large = |job: &Job| job.is_new() && job.is_large();
        let has_room = |_: &Job, large: &Candidate| load.has_room_for_client(large.client);
        let Some(first) = self.first_with(is_new_large, has_room) else {
            return;
        };
        let job = &self.jobs[first.position];
        if !load.has_memory_for_large(job) {
            self.reserved = Some(job.id);
        }
    }

    /// Ends the reservation of a job that begins or leaves.
    fn end_reservation(&mut self, id: JobId) {
        if self.reserved == Some(id) {
            self.reserved = None;
        }
    }

    /// Returns the position of the job that makes room if too many wait: the newest one of the
    /// client that has the most.
    ///
    /// Each job gets two counts, of the jobs that its client and its client's site have up to this
    /// one, in the order of arrival. The job with the greatest pair of counts makes room, and the
    /// last one of equal pairs.
    fn excess_position(&self) -> usize {
        let mut of_clients: HashMap<IpAddr, usize> = HashMap::new();
        let mut of_sites: HashMap<IpAddr, usize> = HashMap::new();
        let mut most = (0, 0);
        let mut excess = 0;
        for (position, job) in self.jobs.iter().enumerate() {
            if !job.is_new() {
                continue;
            }
            let client = job.askers.first();
            let of_client = of_clients.entry(client.network()).or_default();
            *of_client += 1;
            let of_site = of_sites.entry(client.site()).or_default();
            *of_site += 1;
            // The count of the site decides among clients with the same number of jobs.
            let counts = (*of_client, *of_site);
            if counts >= most {
                most = counts;
                excess = position;
            }
        }
        excess
    }
}

impl Candidate {
    /// Returns `true` if its turn comes before another job's.
    fn comes_before(&self, other: &Option<Self>) -> bool {
        match other {
            Some(other) => self.rank < other.rank,
            None => true,
        }
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
