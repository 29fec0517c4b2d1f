use std::net::Ipv4Addr;

use effigy_upstream::{Rate, UpstreamId};

use super::*;

const MINUTE: Duration = Duration::from_secs(60);

/// Rates of clients of one upstream.
fn rates(calls: u32, budget: Option<u32>, max_in_flight: usize) -> Rates {
    let client = ClientRates {
        drawing: Rate::new(100, MINUTE),
        calls: Rate::new(calls, MINUTE),
    };
    let capacity = UpstreamCapacity {
        budget: budget.and_then(|amount| Rate::new(amount, MINUTE)),
        max_in_flight,
    };
    Rates::new(client, &[capacity])
}

fn client(number: u32) -> Client {
    Client::limited(Ipv4Addr::from_bits(number).into())
}

fn plan(calls: u32) -> Vec<PlannedCalls> {
    vec![PlannedCalls {
        upstream: UpstreamId(0),
        calls,
    }]
}

fn soon() -> Instant {
    Instant::now() + Duration::from_millis(20)
}

async fn charge(rates: &Rates, number: u32, calls: u32) -> Result<ChargedCalls, Refused> {
    rates
        .charge_calls(client(number), plan(calls), soon())
        .await
}

#[test]
fn drawing_is_charged_until_the_rate_is_used() {
    let rates = rates(1, None, 8);
    let charge = |client, millis| rates.charge_drawing(client, Duration::from_millis(millis));
    assert_eq!(charge(client(1), 99), Ok(()));
    let refused = charge(client(1), 2).unwrap_err();
    assert_eq!(refused.resource, SharedResource::Drawing);
    assert_eq!(refused.fault, Fault::Limited);
    assert!(refused.retry_after > Duration::ZERO && refused.retry_after < MINUTE);
    assert_eq!(charge(client(2), 99), Ok(()));
    assert_eq!(charge(Client::SERVICE, 1_000), Ok(()));
    assert_eq!(rates.refused.with_label_values(&["drawing"]).get(), 1);
}

#[tokio::test]
async fn calls_are_charged_until_the_rate_is_used() {
    let rates = rates(3, None, 8);
    assert!(charge(&rates, 1, 2).await.is_ok());
    let refused = charge(&rates, 1, 2).await.unwrap_err();
    assert_eq!(refused.resource, SharedResource::Calls);
    assert_eq!(refused.fault, Fault::Limited);
    assert!(charge(&rates, 1, 1).await.is_ok());
    assert!(charge(&rates, 2, 2).await.is_ok());
}

#[tokio::test]
async fn calls_that_a_look_up_did_not_make_are_given_back() {
    let rates = rates(2, Some(4), 8);
    for _ in 0..3 {
        let charged = charge(&rates, 1, 2).await.unwrap();
        rates.settle(charged, &LookUp::until(Instant::now()));
    }
    let charged = charge(&rates, 1, 2).await.unwrap();
    let look_up = LookUp::until(Instant::now());
    look_up.count_call(UpstreamId(0));
    rates.settle(charged, &look_up);
    assert!(charge(&rates, 1, 2).await.is_err());
    assert!(charge(&rates, 1, 1).await.is_ok());
}

#[tokio::test]
async fn one_client_has_half_of_an_upstreams_budget() {
    let rates = rates(100, Some(8), 8);
    assert!(charge(&rates, 1, 4).await.is_ok());
    let refused = charge(&rates, 1, 1).await.unwrap_err();
    assert!(refused.retry_after > MINUTE / 2);
    assert!(charge(&rates, 2, 4).await.is_ok());
}

#[tokio::test]
async fn all_checks_together_have_half_of_a_budget() {
    let rates = rates(100, Some(8), 8);
    let check = async |number| {
        let charged = rates.charge_check(client(number), plan(1), soon()).await;
        charged.map(drop)
    };
    for number in 0..4 {
        assert_eq!(check(number).await, Ok(()), "{number}");
    }
    let refused = check(4).await.unwrap_err();
    assert_eq!(refused.resource, SharedResource::Calls);
    assert_eq!(refused.fault, Fault::Overloaded);
    // Unknown players have the rest.
    assert!(charge(&rates, 4, 4).await.is_ok());
}

#[tokio::test]
async fn a_check_that_made_no_call_is_given_back() {
    let rates = rates(100, Some(2), 8);
    for _ in 0..3 {
        let charged = rates.charge_check(client(1), plan(1), soon()).await;
        rates.settle(charged.unwrap(), &LookUp::until(Instant::now()));
    }
}

#[tokio::test]
async fn a_client_without_calls_takes_nothing_of_the_checks() {
    let rates = rates(1, Some(4), 8);
    assert!(charge(&rates, 1, 1).await.is_ok());
    for _ in 0..5 {
        let refused = rates.charge_check(client(1), plan(1), soon()).await;
        assert_eq!(refused.unwrap_err().fault, Fault::Limited);
    }
    assert!(rates.charge_check(client(2), plan(1), soon()).await.is_ok());
}

#[tokio::test]
async fn a_refusal_by_a_budget_takes_nothing_of_the_rate() {
    let rates = rates(5, Some(8), 8);
    assert!(charge(&rates, 1, 4).await.is_ok());
    for _ in 0..5 {
        assert!(charge(&rates, 1, 1).await.is_err());
    }
    let rate = rates.calls.as_ref().unwrap();
    assert_eq!(rate.charge(client(1), 1), Ok(()));
}

#[tokio::test]
async fn one_client_has_half_of_the_calls_in_flight_and_waits() {
    let rates = Arc::new(rates(100, None, 4));
    let first = charge(&rates, 1, 1).await.unwrap();
    let second = charge(&rates, 1, 1).await.unwrap();
    let refused = charge(&rates, 1, 1).await.unwrap_err();
    assert_eq!(refused.resource, SharedResource::Calls);
    assert!(charge(&rates, 2, 1).await.is_ok());
    let waiting = tokio::spawn({
        let rates = Arc::clone(&rates);
        async move {
            let deadline = Instant::now() + MINUTE;
            rates.charge_calls(client(1), plan(1), deadline).await
        }
    });
    tokio::task::yield_now().await;
    drop(first);
    assert!(waiting.await.unwrap().is_ok());
    drop(second);
}

#[tokio::test]
async fn clients_without_calls_in_flight_are_forgotten() {
    let rates = rates(100, None, 4);
    for number in 0..10 * u32::try_from(MAX_IDLE_CLIENTS).unwrap() {
        assert!(charge(&rates, number, 1).await.is_ok());
    }
    assert!(rates.upstreams[0].in_flight.lock().len() <= MAX_IDLE_CLIENTS);
}

#[tokio::test]
async fn a_peer_that_stands_for_many_is_not_limited() {
    let rates = rates(1, Some(2), 2);
    let mut charged = Vec::new();
    for _ in 0..10 {
        let calls = rates.charge_calls(Client::SERVICE, plan(2), soon()).await;
        charged.push(calls.unwrap());
    }
}
