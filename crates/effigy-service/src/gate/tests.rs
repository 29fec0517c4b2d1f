//! The gate.

use effigy_store::LIFETIME;
use effigy_upstream::Rate;

use super::{
    SharedResource::{Bytes, Connections},
    *,
};

fn gate(limit: impl FnOnce(&mut ClientLimits)) -> Arc<Gate> {
    let mut limits = ClientLimits::default();
    limit(&mut limits);
    Gate::new(limits).unwrap()
}

fn client(gate: &Arc<Gate>, number: u32) -> Client {
    gate.client(Ipv4Addr::from_bits(number).into(), true)
}

#[test]
fn clients_are_bounded_and_those_that_come_again_are_remembered() {
    let gate = gate(|_| ());
    let usage = |number| client(&gate, number).payers.usage;
    let busy = usage(0);
    for number in 1..2 * u32::try_from(MAX_CLIENTS).unwrap() {
        drop(usage(number));
        let is_looked_at = number % 1_000 == 0;
        assert!(!is_looked_at || Arc::ptr_eq(&usage(0), &busy), "{number}");
    }
    assert!(gate.clients() <= MAX_CLIENTS);
}

#[test]
fn a_network_is_one_client_of_its_site() {
    let gate = gate(|_| ());
    let usage = |address: &str| gate.client(address.parse().unwrap(), true).payers.usage;
    let rows = [
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::", true, true),
        ("2001:db8:1:2::", "2001:db8:1:3::", false, true),
        ("2001:db8:1::", "2001:db8:2::", false, false),
        ("192.0.2.1", "192.0.2.1", true, true),
        ("192.0.2.1", "192.0.2.2", false, false),
    ];
    for (one, other, is_one_client, is_one_site) in rows {
        let (one, other) = (usage(one), usage(other));
        let found = (Arc::ptr_eq(&one, &other), one.network() == other.network());
        assert_eq!(found, (is_one_client, is_one_site), "{one:?} {other:?}");
    }
    // The service itself is one client, who has not a turn for each piece of work.
    let [one, again] = [0, 1].map(|_| gate.own_client().payers.usage);
    assert!(Arc::ptr_eq(&one, &again));
}

#[test]
fn the_networks_of_a_site_work_and_write_together() {
    let gate = gate(|limits| limits.writes = Rate::new(1, LIFETIME));
    let client = |address: &str| gate.client(address.parse().unwrap(), true);
    let [busy, neighbor] = ["2001:db8:1:1::", "2001:db8:1:2::"].map(client);
    let others = ["2001:db8:2::", "192.0.2.1"].map(client);
    busy.payers.usage.charge_work(Duration::from_secs(1));
    assert!(busy.write(1 << 10).is_some() && neighbor.write(1 << 10).is_none());
    assert_eq!(gate.refused.with_label_values(&["writes"]).get(), 1);
    let rank = |client: &Client| client.payers.usage.rank(Duration::ZERO);
    assert!(rank(&neighbor) < rank(&busy));
    for other in others {
        assert!(rank(&other) < rank(&neighbor));
        assert!(other.write(1 << 10).is_some());
    }
}

#[test]
fn what_a_client_has_comes_back() {
    let gate = gate(|limits| (limits.bytes, limits.connections) = (Some(100), Some(1)));
    let [client, unlimited] =
        [true, false].map(|is_limited| gate.client(Ipv4Addr::LOCALHOST.into(), is_limited));
    let (connection, bytes) = (
        client.take(Connections, 1).unwrap(),
        client.take(Bytes, 60).unwrap(),
    );
    assert!(client.take(Connections, 1).is_err() && client.take(Bytes, 60).is_err());
    assert!(client.take(Bytes, 40).is_ok() && unlimited.take(Bytes, 200).is_ok());
    assert_eq!(gate.used(SharedResource::Bytes), 60);
    drop((connection, bytes));
    assert!(client.take(Connections, 1).is_ok() && client.take(Bytes, 100).is_ok());
    assert_eq!(gate.used(SharedResource::Bytes), 0);
    let refused = unlimited.take(Bytes, MAX_BYTES + 1).unwrap_err();
    assert_eq!(refused.fault, Fault::Overloaded);
}

#[test]
fn of_what_is_left_a_site_takes_at_most_half_and_a_buffer_counts_once() {
    let gate = gate(|limits| limits.bytes = Some(u64::MAX));
    let client = |number| client(&gate, number);
    // Each of five that take what they get has the same share in the end, and the next one gets something.
    let mut taken = Vec::new();
    for round in 0..1_000 {
        taken.extend(client(round % 5).take(Bytes, 1 << 20));
    }
    assert!(taken.len() > 200 && gate.used(SharedResource::Bytes) < MAX_BYTES);
    let left = MAX_BYTES - gate.used(SharedResource::Bytes);
    let other = client(5);
    assert!(other.take(Bytes, left / 2).is_ok());
    assert_eq!(
        other.take(Bytes, left / 2 + 1).unwrap_err().fault,
        Fault::Limited
    );
    // Nor do all networks of a site together.
    let site = |network: u32| format!("2001:db8:0:{network:x}::").parse().unwrap();
    let taken =
        (0..).map_while(|network| gate.client(site(network), true).take(Bytes, 1 << 10).ok());
    let taken: Vec<Permit> = taken.collect();
    assert_eq!(taken.len(), left / 2 / (1 << 10));
    drop(taken);
    // A file that is being sent already takes nothing more.
    let (file, before) = (vec![0; left / 2], gate.used(SharedResource::Bytes));
    let permits = [5, 6, 7, 0].map(|number| client(number).send(&file).unwrap());
    assert_eq!(gate.used(SharedResource::Bytes), before + file.len());
    assert!(client(8).send(&file[..SMALL_BODY]).unwrap().is_none());
    drop(permits);
    assert_eq!(gate.used(SharedResource::Bytes), before);
}

#[tokio::test]
async fn work_is_done_in_the_turn_and_at_the_expense_of_whoever_waits_for_it() {
    let gate = gate(|_| ());
    let client = |number| client(&gate, number);
    let (busy, new) = (client(1), client(2));
    let spin = |turn: &Turn| {
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(30) {
            turn.checkpoint().unwrap();
        }
    };
    busy.payers.usage.charge_work(Duration::from_secs(1));
    let used = |client: &Client| client.payers.usage.work.unused_at(Duration::ZERO);
    let of_busy = used(&busy);
    let (sharing, waiters) = busy.sharing();
    new.wait_with(&waiters);
    sharing.work(0, spin).await.unwrap();
    let too_large = sharing.work(MAX_MEMORY_OF_ONE + 1, |_| ()).await;
    assert!(matches!(too_large, Err(ServiceError::TooLarge)));
    assert_eq!(used(&busy), of_busy);
    assert!(used(&new) > Duration::ZERO);
}
