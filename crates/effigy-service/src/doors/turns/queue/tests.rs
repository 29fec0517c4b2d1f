//! Rules of the queue that depend on the order in which jobs come.

use std::{
    net::{Ipv4Addr, Ipv6Addr},
    sync::Arc,
};

use super::*;
use crate::doors::turns::{
    askers::Askers,
    capacity::{MAX_JOB_MEMORY, MAX_MEMORY, SMALL_MEMORY},
};

fn client(number: u32) -> Client {
    Client::limited(Ipv4Addr::from_bits(number).into())
}

fn job(number: u32, memory: u64) -> Job {
    let askers = Askers::one(client(number));
    Job::new(askers, memory, Arc::default(), Box::new(|_, _| ()))
}

/// A job of a client with this number in the IPv6 network of a site.
fn job_of_site(site: u16, number: usize) -> Job {
    let number = u16::try_from(number).unwrap();
    let address = Ipv6Addr::new(0x2001, 0xdb8, site, number, 0, 0, 0, 1);
    let askers = Askers::one(Client::limited(address.into()));
    Job::new(askers, 0, Arc::default(), Box::new(|_, _| ()))
}

#[test]
fn the_site_with_most_jobs_makes_room_among_equal_clients() {
    const OF_FIRST_SITE: usize = MAX_WAITING / 2 + 2;
    let mut queue = Queue::new(8, 24);
    let mut newest_of_first_site = None;
    for number in 0..OF_FIRST_SITE {
        newest_of_first_site = Some(queue.add(job_of_site(1, number)));
    }
    for number in OF_FIRST_SITE..=MAX_WAITING {
        queue.add(job_of_site(2, number));
    }
    let refused = queue.remove_excess().map(|job| job.id);
    assert_eq!(refused, newest_of_first_site);
}

/// Otherwise, no large job would begin any more.
#[test]
fn a_large_job_that_is_refused_keeps_no_memory() {
    let mut queue = Queue::new(8, 24);
    queue.add(job(1, MAX_MEMORY / 2));
    assert!(queue.start_next().is_some());
    let turn_of_2 = queue.add(job(2, 0));
    assert!(queue.start_next().is_some());
    queue.end(turn_of_2);
    for _ in 0..MAX_WAITING {
        queue.add(job(2, MAX_JOB_MEMORY));
    }
    // It is the newest one of client 2, and the next one because of client 3, who had no turn.
    let shared = job(2, MAX_JOB_MEMORY);
    shared.askers.join(&Askers::one(client(3)));
    let newest = queue.add(shared);
    assert!(queue.start_next().is_none());
    let refused = queue.remove_excess().map(|job| job.id);
    assert_eq!(refused, Some(newest));
    queue.add(job(4, SMALL_MEMORY + 1));
    assert!(queue.start_next().is_some());
}
