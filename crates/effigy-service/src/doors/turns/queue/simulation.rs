//! A simulation of the queue under random load, without threads: time passes in ticks, and a seed
//! decides what happens.

use std::{
    collections::HashMap,
    net::Ipv4Addr,
    sync::{Arc, atomic::AtomicBool, mpsc::Receiver},
};

use fastrand::Rng;

use super::*;
use crate::doors::turns::{
    askers::Askers,
    capacity::{MAX_JOB_MEMORY, MAX_MEMORY, SMALL_MEMORY},
};

const SLOTS: usize = 8;
const THREADS: usize = SLOTS + 16;

/// The clients that ask for more than there are slots, all the time.
const GREEDY_CLIENTS: u32 = 3;

/// The clients that ask for one picture at a time.
const MODEST_CLIENTS: u32 = 40;

/// The ticks after which a job is long.
const LONG_TICKS: u32 = 10;

/// The ticks of the longest job.
const MAX_TICKS: u32 = 60;

/// The ticks after which a small job of a modest client must have begun. The longest wait is some
/// 130 ticks; in the order of arrival it would be 600.
const SOON: u32 = 200;

/// The ticks after which a large job of a modest client must have begun. It waits for memory, too,
/// some 650 ticks at most.
const LATER: u32 = 1_200;

/// The ticks in which all jobs must have ended after the last one has come.
const PATIENCE: u32 = 30_000;

/// A job, as the simulation knows it.
struct SimulatedJob {
    askers: Askers,
    memory: u64,
    /// The clients that wait for it. The first one has asked first.
    clients: Vec<u32>,
    /// The time from which a modest client waits for it.
    modest_since: Option<u32>,
    ticks_left: u32,
    ticks_run: u32,
    cancelled: bool,
    progress: Progress,
}

enum Progress {
    Waiting,
    Running,
    Paused(Receiver<()>),
}

struct Simulation {
    random: Rng,
    queue: Queue,
    now: u32,
    /// The jobs that have not ended.
    jobs: HashMap<u64, SimulatedJob>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        Self {
            random: Rng::with_seed(seed),
            queue: Queue::new(SLOTS, THREADS),
            now: 0,
            jobs: HashMap::new(),
        }
    }

    /// Runs the simulation with clients that come and go, and then until nothing is left to do.
    fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.ask();
            self.cancel_one();
            self.join_one();
            self.tick();
        }
        let mut patience = PATIENCE;
        while !self.queue.jobs.is_empty() {
            self.tick();
            patience = patience.checked_sub(1).expect("the queue is never empty");
        }
        assert!(self.jobs.is_empty());
        assert_eq!(self.queue.reserved, None);
    }

    fn tick(&mut self) {
        self.now += 1;
        self.advance();
        self.check_limits();
        self.check_waits();
    }

    /// Adds the jobs of this tick.
    fn ask(&mut self) {
        for number in 0..GREEDY_CLIENTS {
            for _ in 0..self.random.u32(0..3) {
                self.add(number);
            }
        }
        for number in GREEDY_CLIENTS..GREEDY_CLIENTS + MODEST_CLIENTS {
            if self.random.u32(0..200) == 0 && !self.has_job(number) {
                self.add(number);
            }
        }
    }

    fn add(&mut self, number: u32) {
        let askers = Askers::one(client(number));
        let memory = match self.random.u32(0..10) {
            0 => MAX_JOB_MEMORY,
            1 | 2 => self.random.u64(SMALL_MEMORY + 1..MAX_JOB_MEMORY),
            _ => self.random.u64(0..SMALL_MEMORY),
        };
        let ticks = match self.random.u32(0..10) {
            0 => self.random.u32(1..MAX_TICKS),
            _ => self.random.u32(1..LONG_TICKS),
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let work = Box::new(|_, _| ());
        let job = Job::new(askers.clone(), memory, cancelled, work);
        let id = self.queue.add(job);
        let simulated = SimulatedJob {
            askers,
            memory,
            clients: vec![number],
            modest_since: if is_modest(number) {
                Some(self.now)
            } else {
                None
            },
            ticks_left: ticks,
            ticks_run: 0,
            cancelled: false,
            progress: Progress::Waiting,
        };
        assert!(self.jobs.insert(id.0, simulated).is_none());
        self.dispatch();
        if let Some(refused) = self.queue.remove_excess() {
            let asked_first = self.jobs[&refused.id.0].clients[0];
            assert!(!is_modest(asked_first), "a modest client is refused");
            self.end(refused.id);
        }
    }

    /// Lets all askers of a job leave, from time to time.
    fn cancel_one(&mut self) {
        let Some(id) = self.random_job() else { return };
        if self.random.u32(0..4) > 0 {
            return;
        }
        let dropped = self.queue.cancel(id);
        self.job(id).cancelled = true;
        if let Some(dropped) = dropped {
            assert_eq!(dropped.id, id);
            self.end(id);
        }
        self.dispatch();
    }

    /// Lets another client wait for a job, too. A modest one does so only if it has none.
    fn join_one(&mut self) {
        let number = self.random.u32(0..GREEDY_CLIENTS + MODEST_CLIENTS);
        if is_modest(number) && self.has_job(number) {
            return;
        }
        let Some(id) = self.random_job() else { return };
        let now = self.now;
        let job = self.job(id);
        job.askers.join(&Askers::one(client(number)));
        job.clients.push(number);
        if is_modest(number) && job.modest_since.is_none() {
            job.modest_since = Some(now);
        }
    }

    /// Lets all running jobs work for a tick.
    fn advance(&mut self) {
        for id in self.with_progress(|progress| matches!(progress, Progress::Running)) {
            let job = self.job(id);
            job.ticks_run += 1;
            job.ticks_left = job.ticks_left.saturating_sub(1);
            let is_over = job.cancelled || job.ticks_left == 0;
            let is_long = job.memory > SMALL_MEMORY || job.ticks_run >= LONG_TICKS;
            if is_over {
                self.queue.end(id);
                self.end(id);
            } else if is_long {
                self.make_way(id);
            }
            self.dispatch();
        }
    }

    /// Pauses a long job if a short one should have its slot.
    fn make_way(&mut self, id: JobId) {
        self.queue.mark_long(id);
        if self.queue.must_pause() {
            let (sender, next_turn) = mpsc::channel();
            self.queue.pause(id, sender);
            self.job(id).progress = Progress::Paused(next_turn);
        }
    }

    /// Gives free slots to the jobs whose turn it is.
    fn dispatch(&mut self) {
        while let Some(started) = self.queue.start_next() {
            match started {
                Started::New(id, _) => self.job(id).begin(),
                Started::Paused(turn) => {
                    turn.send(()).unwrap();
                    self.resume_one();
                }
            }
        }
    }

    /// Lets the paused job that has got its message go on.
    fn resume_one(&mut self) {
        let has_message = |progress: &Progress| match progress {
            Progress::Paused(next_turn) => next_turn.try_recv().is_ok(),
            _ => false,
        };
        let resumed = self.with_progress(has_message);
        assert_eq!(resumed.len(), 1);
        self.job(resumed[0]).progress = Progress::Running;
    }

    /// Records that a job was drawn, cancelled or refused.
    fn end(&mut self, id: JobId) {
        let ended = self.jobs.remove(&id.0);
        assert!(ended.is_some(), "{id:?} ends twice");
    }

    /// Checks that the running jobs have no more than they may have.
    fn check_limits(&self) {
        let begun = self.queue.jobs.iter().filter(|job| !job.is_new());
        let memory: u64 = begun.map(|job| job.memory).sum();
        assert!(memory <= MAX_MEMORY, "{memory} bytes");
        let mut of_client: HashMap<IpAddr, usize> = HashMap::new();
        for job in &self.queue.jobs {
            if let Stage::Running(client) = job.stage {
                *of_client.entry(client.network()).or_default() += 1;
            }
        }
        assert!(of_client.values().sum::<usize>() <= SLOTS);
        assert!(of_client.values().all(|running| *running <= SLOTS / 2));
        let waiting = self.queue.jobs.iter().filter(|job| job.is_new()).count();
        assert!(waiting <= MAX_WAITING);
    }

    /// Checks that no modest client starves.
    fn check_waits(&self) {
        for (id, job) in &self.jobs {
            let Some(since) = job.modest_since else {
                continue;
            };
            let limit = if job.memory > SMALL_MEMORY {
                LATER
            } else {
                SOON
            };
            let has_starved = job.is_waiting() && self.now - since > limit;
            assert!(!has_starved, "job {id} with {} bytes", job.memory);
        }
    }

    fn has_job(&self, number: u32) -> bool {
        let mut jobs = self.jobs.values();
        jobs.any(|job| job.clients.contains(&number))
    }

    fn random_job(&mut self) -> Option<JobId> {
        let jobs = &self.queue.jobs;
        let position = self.random.usize(0..jobs.len().max(1));
        Some(jobs.get(position)?.id)
    }

    fn with_progress(&self, is_wanted: impl Fn(&Progress) -> bool) -> Vec<JobId> {
        let mut ids = Vec::new();
        for (id, job) in &self.jobs {
            if is_wanted(&job.progress) {
                ids.push(JobId(*id));
            }
        }
        ids.sort_unstable();
        ids
    }

    fn job(&mut self, id: JobId) -> &mut SimulatedJob {
        self.jobs.get_mut(&id.0).unwrap()
    }
}

impl SimulatedJob {
    fn begin(&mut self) {
        assert!(self.is_waiting(), "it begins twice");
        self.progress = Progress::Running;
    }

    fn is_waiting(&self) -> bool {
        matches!(self.progress, Progress::Waiting)
    }
}

/// Returns `true` for a client that waits for one job at a time.
const fn is_modest(number: u32) -> bool {
    number >= GREEDY_CLIENTS
}

fn client(number: u32) -> Client {
    Client::limited(Ipv4Addr::from_bits(number).into())
}

/// Nobody starves, all memory and slots are kept to, each job begins once at most and ends once,
/// and nothing is left.
#[test]
fn the_queue_stands_a_random_load() {
    for seed in 0..3 {
        Simulation::new(seed).run(600);
    }
}
