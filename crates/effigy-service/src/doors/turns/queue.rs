//! The order of jobs: who comes next, who makes way, and who is refused.

use std::{
    collections::HashMap,
    fmt, mem,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use super::{Askers, MAX_MEMORY, threads::Work};
use crate::doors::Client;

/// Jobs that may wait to be started. Beyond it, the client with the most of them loses its newest.
pub(super) const MAX_WAITING: usize = 512;

/// The memory up to which a job is small, as pictures of up to some 2,000 pixels are.
pub(super) const SMALL_MEMORY: u64 = 6 << 20;

/// The memory and the threads that only small jobs get, so that large ones do not keep them
/// waiting.
const MEMORY_FOR_SMALL: u64 = MAX_MEMORY / 4;
const THREADS_FOR_SMALL: usize = 8;

/// The networks whose last turns are remembered.
const MAX_NETWORKS: usize = 8_192;

/// The number of a job, in the order in which they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct JobId(u64);

/// A job, from its arrival to its end.
pub(super) struct Job {
    id: JobId,
    askers: Askers,
    memory: u64,
    cancelled: Arc<AtomicBool>,
    /// `true` if it has run for long, or is large, so that it will.
    long: bool,
    state: State,
}

enum State {
    New(Work),
    /// It has a slot, in the turn of this client.
    Running(Client),
    /// It waits for another turn, which begins with a message.
    Paused(mpsc::Sender<()>),
}

/// A job that gets a slot.
pub(super) enum Started {
    New(JobId, Work),
    Paused(mpsc::Sender<()>),
}

/// The jobs that wait or run, and the turns that clients have had.
pub(super) struct Queue {
    /// The jobs that may run at once.
    slots: usize,
    /// The threads, each of which has one job at a time, running or paused.
    threads: usize,
    /// In the order in which they came.
    jobs: Vec<Job>,
    next_id: u64,
    /// The number of turns so far.
    turn: u64,
    /// The last turn of each client.
    client_turns: HashMap<IpAddr, u64>,
    /// The last turn of each site.
    site_turns: HashMap<IpAddr, u64>,
    /// The large job for which memory is being kept, because it is its turn.
    reserved: Option<JobId>,
}

/// The clients and the memory of the jobs that have begun.
#[derive(Default)]
struct Load {
    /// The client of each running job.
    running: Vec<Client>,
    /// The running jobs that are long.
    long_running: usize,
    memory: u64,
    /// The threads without a job.
    idle_threads: usize,
}

impl Load {
    /// Returns `true` if the memory that large jobs may have has room for another one.
    fn has_room_for_large(&self, job: &Job) -> bool {
        self.memory + job.memory + MEMORY_FOR_SMALL <= MAX_MEMORY
    }
}

/// The place in the order of jobs: cancelled ones first, then the last turn of the site and of the
/// client, and the arrival.
type Place = (bool, u64, u64, JobId);

/// The turn in which a job runs.
struct Turn {
    client: Client,
    /// `true` if nobody waits for the job any more. It comes first, because it ends at once and
    /// gives its memory back.
    cancelled: bool,
    place: Place,
}

impl Job {
    pub(super) fn new(askers: Askers, memory: u64, cancelled: Arc<AtomicBool>, work: Work) -> Self {
        Self {
            id: JobId(0),
            askers,
            memory,
            cancelled,
            long: memory > SMALL_MEMORY,
            state: State::New(work),
        }
    }

    const fn is_large(&self) -> bool {
        self.memory > SMALL_MEMORY
    }

    const fn is_new(&self) -> bool {
        matches!(self.state, State::New(_))
    }

    const fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

impl Queue {
    pub(super) fn new(slots: usize, threads: usize) -> Self {
        Self {
            slots,
            threads,
            jobs: Vec::new(),
            next_id: 0,
            turn: 0,
            client_turns: HashMap::new(),
            site_turns: HashMap::new(),
            reserved: None,
        }
    }

    /// Returns the numbers of jobs that wait and of jobs that run.
    pub(super) fn counts(&self) -> (usize, usize) {
        let running = self.jobs.iter().filter(|job| job.is_running()).count();
        (self.jobs.len() - running, running)
    }

    /// Adds a job, and returns its number.
    pub(super) fn add(&mut self, mut job: Job) -> JobId {
        job.id = JobId(self.next_id);
        self.next_id += 1;
        let id = job.id;
        self.jobs.push(job);
        id
    }

    /// Gives a slot to the job whose turn it is, if there is one of each.
    pub(super) fn start_next(&mut self) -> Option<Started> {
        let load = self.load();
        if load.running.len() >= self.slots {
            return None;
        }
        self.reserve_memory(&load);
        let (position, client) = self.next(&load)?;
        self.count_turn(client);
        let job = &mut self.jobs[position];
        let state = mem::replace(&mut job.state, State::Running(client));
        let id = job.id;
        self.release_memory(id);
        match state {
            State::New(work) => Some(Started::New(id, work)),
            State::Paused(turn) => Some(Started::Paused(turn)),
            State::Running(_) => None,
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
        load.long_running >= self.slots && self.has_short_waiting(&load)
    }

    /// Takes the slot of a running job, which waits for another turn.
    pub(super) fn pause(&mut self, id: JobId, next_turn: mpsc::Sender<()>) {
        if let Some(job) = self.jobs.iter_mut().find(|job| job.id == id) {
            job.state = State::Paused(next_turn);
        }
    }

    /// Removes a job that has ended.
    pub(super) fn end(&mut self, id: JobId) {
        self.jobs.retain(|job| job.id != id);
    }

    /// Cancels a job. One that has not begun is removed and returned.
    pub(super) fn cancel(&mut self, id: JobId) -> Option<Job> {
        let position = self.jobs.iter().position(|job| job.id == id)?;
        self.jobs[position].cancelled.store(true, Ordering::Relaxed);
        self.release_memory(id);
        if self.jobs[position].is_new() {
            return Some(self.jobs.remove(position));
        }
        None
    }

    /// Removes the newest waiting job of the client that has the most, if too many wait. Of clients
    /// with the same number, it is one at the site that has the most.
    pub(super) fn remove_excess(&mut self) -> Option<Job> {
        let waiting = self.jobs.iter().filter(|job| job.is_new()).count();
        if waiting <= MAX_WAITING {
            return None;
        }
        let mut of_client: HashMap<IpAddr, usize> = HashMap::new();
        let mut of_site: HashMap<IpAddr, usize> = HashMap::new();
        let mut excess = (0, 0, 0);
        for (position, job) in self.jobs.iter().enumerate() {
            if !job.is_new() {
                continue;
            }
            let client = job.askers.first();
            let by_client = of_client.entry(client.network()).or_default();
            *by_client += 1;
            let by_site = of_site.entry(client.site()).or_default();
            *by_site += 1;
            excess = excess.max((*by_client, *by_site, position));
        }
        let (.., position) = excess;
        let job = self.jobs.remove(position);
        self.release_memory(job.id);
        Some(job)
    }

    /// Returns what the jobs that have begun occupy.
    fn load(&self) -> Load {
        let mut load = Load {
            idle_threads: self.threads,
            ..Load::default()
        };
        for job in &self.jobs {
            if job.is_new() {
                continue;
            }
            load.idle_threads -= 1;
            load.memory += job.memory;
            if let State::Running(client) = job.state {
                load.running.push(client);
                load.long_running += usize::from(job.long);
            }
        }
        load
    }

    /// Returns the job whose turn it is, by its position, and the client in whose turn it runs.
    fn next(&self, load: &Load) -> Option<(usize, Client)> {
        let mut next_short: Option<(Turn, usize)> = None;
        let mut next_long: Option<(Turn, usize)> = None;
        for (position, job) in self.jobs.iter().enumerate() {
            if job.is_running() {
                continue;
            }
            let turn = self.turn_of(job);
            let first = if job.long {
                &mut next_long
            } else {
                &mut next_short
            };
            let is_first = first
                .as_ref()
                .is_none_or(|(other, _)| turn.place < other.place);
            if is_first && self.can_run(job, &turn, load) {
                *first = Some((turn, position));
            }
        }
        // A long job must leave the last slot to a short one.
        let is_last_slot = load.long_running + 1 >= self.slots;
        let (turn, position) = match (next_short, next_long) {
            (Some(short), Some(long)) if is_last_slot && !long.0.cancelled => short,
            (Some(short), Some(long)) if short.0.place < long.0.place => short,
            (_, Some(long)) => long,
            (short, None) => short?,
        };
        Some((position, turn.client))
    }

    /// Returns `true` if a waiting job could have a slot.
    fn can_run(&self, job: &Job, turn: &Turn, load: &Load) -> bool {
        if turn.cancelled && !job.is_new() {
            // It ends at once.
            return true;
        }
        if !self.may_occupy(turn.client, load) {
            return false;
        }
        if !job.is_new() {
            return true;
        }
        if !job.is_large() {
            return load.idle_threads > 0 && load.memory + job.memory <= MAX_MEMORY;
        }
        let is_its_turn = self.reserved.is_none_or(|id| id == job.id);
        is_its_turn && load.idle_threads > THREADS_FOR_SMALL && load.has_room_for_large(job)
    }

    /// Returns `true` if a short job could have a slot if one was free.
    fn has_short_waiting(&self, load: &Load) -> bool {
        let mut waiting = self.jobs.iter().filter(|job| job.is_new() && !job.long);
        waiting.any(|job| self.can_run(job, &self.turn_of(job), load))
    }

    /// Returns `true` if a client occupies less than half of the slots. A peer that may stand for
    /// many clients may occupy all.
    fn may_occupy(&self, client: Client, load: &Load) -> bool {
        if !client.is_limited() {
            return true;
        }
        let network = client.network();
        let own = load.running.iter().filter(|by| by.network() == network);
        own.count() < (self.slots / 2).max(1)
    }

    /// Keeps the memory that comes back for the large job whose turn it is, if that is all that it
    /// waits for. Otherwise later jobs that need less could overtake it for ever.
    fn reserve_memory(&mut self, load: &Load) {
        if self.reserved.is_some() {
            return;
        }
        let mut first: Option<(Place, &Job)> = None;
        for job in &self.jobs {
            if !job.is_new() || !job.is_large() {
                continue;
            }
            let turn = self.turn_of(job);
            let is_first = first.is_none_or(|(place, _)| turn.place < place);
            if is_first && self.may_occupy(turn.client, load) {
                first = Some((turn.place, job));
            }
        }
        if let Some((_, job)) = first
            && !load.has_room_for_large(job)
        {
            self.reserved = Some(job.id);
        }
    }

    /// Ends the reservation of a job that begins or leaves.
    fn release_memory(&mut self, id: JobId) {
        if self.reserved == Some(id) {
            self.reserved = None;
        }
    }

    /// Returns the turn in which a job runs: of its askers, that of the client that has had none
    /// for the longest time.
    fn turn_of(&self, job: &Job) -> Turn {
        let (client, (site, own)) = job.askers.min_by_key(|client| self.last_turns_of(client));
        let cancelled = job.is_cancelled();
        Turn {
            client,
            cancelled,
            place: (!cancelled, site, own, job.id),
        }
    }

    /// Returns the last turns of a client's site and of the client.
    fn last_turns_of(&self, client: Client) -> (u64, u64) {
        let of_site = self.site_turns.get(&client.site());
        let of_client = self.client_turns.get(&client.network());
        let site = of_site.copied().unwrap_or_default();
        let own = of_client.copied().unwrap_or_default();
        (site, own)
    }

    /// Records that it is a client's turn.
    fn count_turn(&mut self, client: Client) {
        self.turn += 1;
        remember(&mut self.client_turns, client.network(), self.turn);
        remember(&mut self.site_turns, client.site(), self.turn);
    }
}

/// Remembers the last turn of a network, and forgets old ones if there are too many.
fn remember(turns: &mut HashMap<IpAddr, u64>, network: IpAddr, turn: u64) {
    if turns.len() >= MAX_NETWORKS {
        let oldest = turn.saturating_sub(MAX_NETWORKS as u64 / 4);
        turns.retain(|_, last| *last >= oldest);
    }
    turns.insert(network, turn);
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (waiting, running) = self.counts();
        f.debug_struct("Queue")
            .field("waiting", &waiting)
            .field("running", &running)
            .finish_non_exhaustive()
    }
}
