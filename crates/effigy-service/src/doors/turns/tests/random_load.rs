//! Many clients whose jobs end, fail, panic or are left, on real threads.

use std::sync::atomic::AtomicU64;

use fastrand::Rng;

use super::*;

/// The memory of the jobs that are running or paused.
#[derive(Default)]
struct Meter {
    now: AtomicU64,
    most: AtomicU64,
}

impl Meter {
    fn add(&self, memory: u64) {
        let now = self.now.fetch_add(memory, Ordering::Relaxed) + memory;
        self.most.fetch_max(now, Ordering::Relaxed);
    }

    fn remove(&self, memory: u64) {
        self.now.fetch_sub(memory, Ordering::Relaxed);
    }
}

/// A job of the load.
#[derive(Debug, Clone, Copy)]
struct Plan {
    client: u32,
    memory: u64,
    time: Duration,
    panics: bool,
}

impl Plan {
    fn random(random: &mut Rng) -> Self {
        let is_large = random.u32(0..5) == 0;
        Self {
            client: random.u32(0..8),
            memory: if is_large {
                MAX_JOB_MEMORY / 2
            } else {
                1 << 20
            },
            time: Duration::from_micros(random.u64(0..12_000)),
            panics: random.u32(0..13) == 0,
        }
    }

    /// Works, and returns `true` unless nobody waits for it any more.
    fn work(self, meter: &Meter, turn: &Turn) -> bool {
        meter.add(self.memory);
        let finished = spin(self.time, turn).is_ok();
        meter.remove(self.memory);
        assert!(!self.panics, "broken");
        finished
    }
}

/// The callers learn of each end once, memory is kept to, and nothing is left.
#[tokio::test]
async fn the_threads_stand_a_random_load() {
    let mut random = Rng::with_seed(7);
    let turns = Turns::with_slots(2).unwrap();
    let meter = Arc::new(Meter::default());
    let mut jobs = Vec::new();
    for _ in 0..200 {
        let plan = Plan::random(&mut random);
        let askers = client(plan.client);
        let own_meter = Arc::clone(&meter);
        let work = move |turn: &Turn| plan.work(&own_meter, turn);
        jobs.push((plan, ask(&turns, &askers, plan.memory, work)));
        if random.u32(0..3) == 0 {
            askers.join(&client(random.u32(0..8)));
            tokio::time::sleep(Duration::from_millis(2)).await;
            let (_, left) = &jobs[random.usize(0..jobs.len())];
            left.abort();
        }
    }
    for (plan, job) in jobs {
        match timeout(PATIENCE, job).await.expect("it never ends") {
            Ok(outcome) => {
                let expected = if plan.panics {
                    Err(JobError::Panicked)
                } else {
                    Ok(true)
                };
                assert_eq!(outcome, expected, "{plan:?}");
            }
            Err(error) => assert!(error.is_cancelled()),
        }
    }
    until(|| turns.jobs() == counts(0, 0)).await;
    assert_eq!(meter.now.load(Ordering::Relaxed), 0);
    let most = meter.most.load(Ordering::Relaxed);
    assert!(most <= MAX_MEMORY, "{most} bytes");
    turns.run(&client(1), 0, |_| ()).await.unwrap();
}
