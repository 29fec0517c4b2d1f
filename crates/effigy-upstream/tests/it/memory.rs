//! Endless bodies are not buffered: memory use stays constant.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use fixtures::{Fault, Step};

use crate::support::world::{World, assert_skin, resolve};

/// The number of concurrent look-ups with endless bodies.
const AT_ONCE: usize = 16;

/// The allowed growth of the peak after the first round, in KiB: less than the bodies of one round.
const MAX_GROWTH: u64 = 16 * 1024;

/// Returns the peak memory use of this process, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let words = line.expect("linux tells it").split_whitespace().next();
    words.and_then(|kib| kib.parse().ok()).expect("a number")
}

/// Other tests would add to the peak, so the measurement runs in a process of its own.
#[test]
fn endless_bodies_leave_memory_flat() {
    let test = env::current_exe().expect("this executable");
    let child = Command::new(test)
        .args(["memory::in_a_process_of_its_own", "--exact", "--ignored"])
        .output()
        .expect("it starts again");
    assert!(child.status.success(), "{child:?}");
}

#[test]
#[ignore = "started by the test above"]
fn in_a_process_of_its_own() {
    let world = World::start();
    let resolver = world.resolver(world.config());
    let round = || {
        for step in Step::ALL {
            world.fake.set_fault(step, Some(Fault::EndlessBody));
            thread::scope(|scope| {
                for _ in 0..AT_ONCE / 2 {
                    scope.spawn(|| resolve(&resolver, "Gwendolin").map(drop));
                    scope.spawn(|| resolve(&resolver, ".Bluejay").map(drop));
                }
            });
            world.fake.set_fault(step, None);
            // Until then, the outage is remembered.
            *world.clock.lock().expect("nobody panicked") += Duration::from_secs(2);
        }
    };
    round();
    let first = peak();
    for _ in 0..2 {
        round();
    }
    // The system counts for each processor, so the peak may seem to sink.
    let growth = peak().saturating_sub(first);
    assert!(growth < MAX_GROWTH, "{growth} KiB beyond {first} KiB");
    let resolved = resolve(&resolver, "Gwendolin").expect("the faults are over");
    assert_skin(&resolved, "knight");
}
