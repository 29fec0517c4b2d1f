//! What upstreams send without an end is not kept: memory stays where it was.
#![cfg(target_os = "linux")]

#[path = "upstream/world.rs"]
mod world;

use std::fs;
use std::thread;

use fixtures::{Fault, Step};

use crate::world::{World, assert_skin, resolve};

/// Resolves at once, all with bodies that do not end.
const AT_ONCE: usize = 32;

/// What the peak may grow by after the first round, in KiB: less than one round's bodies.
const MAX_GROWTH: u64 = 24 * 1024;

/// The most memory that this process has had so far, in KiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let words = line.expect("linux tells it").split_whitespace().next();
    words.and_then(|kib| kib.parse().ok()).expect("a number")
}

#[test]
fn endless_bodies_leave_memory_flat() {
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
        }
    };
    round();
    let first = peak();
    for _ in 0..5 {
        round();
    }
    let growth = peak() - first;
    assert!(growth < MAX_GROWTH, "{growth} KiB beyond {first} KiB");
    let resolved = resolve(&resolver, "Gwendolin").expect("they are well again");
    assert_skin(&resolved, "knight");
}
