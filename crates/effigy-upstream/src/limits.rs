//! How often each upstream may be called, and for how long it is left alone after it objects.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Endpoints, Step};

/// The first pause after an upstream objects without saying for how long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause, so that an upstream that has recovered is soon used again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// At most so many calls in any span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    burst: u32,
    interval: Duration,
}

impl Budget {
    /// At most `calls` in any `window`; `None` where either is zero.
    ///
    /// A tenth of the calls may be made at once, the others are spread over the window.
    #[must_use]
    pub fn new(calls: u32, window: Duration) -> Option<Self> {
        if calls == 0 || window.is_zero() {
            return None;
        }
        let burst = (calls / 10).max(1);
        let interval = window / (calls - burst).max(1);
        Some(Self { burst, interval })
    }

    /// How far calls may run ahead of an even spread: a fifth less for ordinary ones, so that a
    /// probe is not refused just because the service is busy.
    fn tolerance(self, urgency: Urgency) -> Duration {
        let kept = match urgency {
            Urgency::Ordinary => self.burst / 5,
            Urgency::Probe => 0,
        };
        self.interval * (self.burst - kept - 1)
    }
}

/// The budgets of the services. One that is not set has the default: a little below what the public
/// service bears where that is the one called, and none at all for any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Budgets {
    /// Java name to UUID. The public service bears 600 calls in 10 minutes.
    pub identity: Option<Budget>,
    /// Java UUID to session profile. The public service bears about 400 calls in 10 s.
    pub session: Option<Budget>,
    /// Both Bedrock look-ups together. What the public service bears is not known, and shared by
    /// everybody.
    pub bedrock: Option<Budget>,
}

/// What a call is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A player.
    Ordinary,
    /// A health check.
    Probe,
}

/// The limiters of all upstreams.
#[derive(Debug)]
pub(crate) struct Limits {
    identity: Limiter,
    session: Limiter,
    bedrock: Limiter,
    texture: Limiter,
}

impl Limits {
    /// The limiters for these services.
    pub(crate) fn new(budgets: Budgets, endpoints: &Endpoints) -> Self {
        let public = Endpoints::default();
        let secs = Duration::from_secs;
        let default = |is_public: bool, calls, window| {
            is_public.then(|| Budget::new(calls, window)).flatten()
        };
        let identity = default(
            endpoints.java_identity == public.java_identity,
            590,
            secs(600),
        );
        let session = default(endpoints.java_session == public.java_session, 390, secs(10));
        let bedrock = default(
            endpoints.bedrock_lookup == public.bedrock_lookup,
            120,
            secs(60),
        );
        Self {
            identity: Limiter::new(budgets.identity.or(identity)),
            session: Limiter::new(budgets.session.or(session)),
            bedrock: Limiter::new(budgets.bedrock.or(bedrock)),
            texture: Limiter::new(None),
        }
    }

    /// The limiter of the upstream that this step calls.
    pub(crate) const fn of(&self, step: Step) -> &Limiter {
        match step {
            Step::Identity => &self.identity,
            Step::Session => &self.session,
            Step::Xuid | Step::BedrockSkin => &self.bedrock,
            Step::Texture => &self.texture,
        }
    }
}

/// Holds calls to one upstream back. It never waits: a call is allowed now, or not.
#[derive(Debug)]
pub(crate) struct Limiter {
    budget: Option<Budget>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the calls made so far would have been spread out evenly.
    spent_until: Option<Instant>,
    /// Until when the upstream is left alone.
    paused_until: Option<Instant>,
    /// The length of the last pause that the upstream gave no length for.
    last_pause: Option<Duration>,
}

impl Limiter {
    /// A limiter; without a budget it only pauses.
    pub(crate) fn new(budget: Option<Budget>) -> Self {
        Self {
            budget,
            state: Mutex::default(),
        }
    }

    /// Allows a call and counts it, or says after how long one would be allowed.
    pub(crate) fn acquire(&self, now: Instant, urgency: Urgency) -> Result<(), Duration> {
        let mut state = self.state();
        if let Some(wait) = state.paused_for(now) {
            return Err(wait);
        }
        let Some(budget) = self.budget else {
            return Ok(());
        };
        let spent_until = state.spent_until.map_or(now, |until| until.max(now));
        let ahead = spent_until.saturating_duration_since(now);
        let wait = ahead.saturating_sub(budget.tolerance(urgency));
        if !wait.is_zero() {
            return Err(wait);
        }
        state.spent_until = Some(spent_until + budget.interval);
        Ok(())
    }

    /// The upstream objected to being called. It is left alone for as long as it asks, or for
    /// longer and longer.
    pub(crate) fn refused(&self, now: Instant, retry_after: Option<Duration>) {
        let mut state = self.state();
        let pause = match (retry_after, state.paused_for(now)) {
            (Some(pause), _) => pause.clamp(FIRST_PAUSE, LONGEST_PAUSE),
            // A call that was under way already: the same objection, not another one.
            (None, Some(_)) => return,
            (None, None) => {
                let pause = state.last_pause.map_or(FIRST_PAUSE, |last| last * 2);
                let pause = pause.min(LONGEST_PAUSE);
                state.last_pause = Some(pause);
                pause
            }
        };
        state.paused_until = state.paused_until.max(Some(now + pause));
    }

    /// The upstream answered, so its next objection is a first one again.
    pub(crate) fn answered(&self, now: Instant) {
        let mut state = self.state();
        // An answer during a pause is to a call made before the objection, and tells nothing new.
        if state.paused_for(now).is_none() {
            state.last_pause = None;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// How much of a pause is left.
    fn paused_for(&self, now: Instant) -> Option<Duration> {
        let left = self.paused_until?.saturating_duration_since(now);
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::BaseUrl;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    const fn secs(secs: u64) -> Duration {
        Duration::from_secs(secs)
    }

    /// How many calls in a row are allowed.
    fn drain(limiter: &Limiter, now: Instant, urgency: Urgency) -> usize {
        (0..10_000)
            .take_while(|_| limiter.acquire(now, urgency).is_ok())
            .count()
    }

    #[test]
    fn a_budget_of_nothing_is_none() {
        assert_eq!(Budget::new(0, secs(1)), None);
        assert_eq!(Budget::new(1, Duration::ZERO), None);
    }

    #[test]
    fn a_spent_budget_refills_evenly() {
        let limiter = Limiter::new(Budget::new(100, secs(9)));
        let start = Instant::now();
        assert_eq!(drain(&limiter, start, Urgency::Ordinary), 8);
        assert_eq!(limiter.acquire(start, Urgency::Ordinary), Err(ms(100)));
        assert_eq!(
            limiter.acquire(start + ms(99), Urgency::Ordinary),
            Err(ms(1))
        );
        assert_eq!(drain(&limiter, start + ms(100), Urgency::Ordinary), 1);
        assert_eq!(drain(&limiter, start + ms(400), Urgency::Ordinary), 3);
        assert_eq!(drain(&limiter, start + secs(100), Urgency::Ordinary), 8);
    }

    #[test]
    fn a_busy_service_can_still_be_probed() {
        let limiter = Limiter::new(Budget::new(100, secs(9)));
        let start = Instant::now();
        assert_eq!(drain(&limiter, start, Urgency::Ordinary), 8);
        assert_eq!(drain(&limiter, start, Urgency::Probe), 2);
        assert_eq!(limiter.acquire(start, Urgency::Ordinary), Err(ms(300)));
    }

    #[test]
    fn a_budget_of_one_call() {
        let limiter = Limiter::new(Budget::new(1, secs(5)));
        let start = Instant::now();
        assert_eq!(drain(&limiter, start, Urgency::Ordinary), 1);
        assert_eq!(limiter.acquire(start, Urgency::Probe), Err(secs(5)));
        assert_eq!(drain(&limiter, start + secs(5), Urgency::Ordinary), 1);
    }

    #[test]
    fn pauses_double_while_it_goes_on() {
        let limiter = Limiter::new(None);
        let mut now = Instant::now();
        for expected in [1, 2, 4, 8, 16, 32, 60, 60] {
            limiter.refused(now, None);
            assert_eq!(
                limiter.acquire(now, Urgency::Probe),
                Err(secs(expected)),
                "{expected}"
            );
            now += secs(expected);
            assert_eq!(limiter.acquire(now, Urgency::Ordinary), Ok(()));
        }
        limiter.answered(now);
        limiter.refused(now, None);
        assert_eq!(limiter.acquire(now, Urgency::Ordinary), Err(secs(1)));
    }

    #[test]
    fn calls_under_way_neither_lengthen_nor_end_a_pause() {
        let limiter = Limiter::new(None);
        let start = Instant::now();
        for _ in 0..20 {
            limiter.refused(start, None);
        }
        limiter.answered(start + ms(400));
        assert_eq!(
            limiter.acquire(start + ms(400), Urgency::Ordinary),
            Err(ms(600))
        );
        limiter.refused(start + secs(1), None);
        assert_eq!(
            limiter.acquire(start + secs(1), Urgency::Ordinary),
            Err(secs(2))
        );
    }

    #[test]
    fn a_pause_is_as_long_as_asked_within_reason() {
        for (asked, expected) in [(0, 1), (1, 1), (7, 7), (60, 60), (61, 60), (u64::MAX, 60)] {
            let limiter = Limiter::new(None);
            let now = Instant::now();
            limiter.refused(now, Some(secs(asked)));
            assert_eq!(
                limiter.acquire(now, Urgency::Ordinary),
                Err(secs(expected)),
                "{asked}"
            );
        }
    }

    #[test]
    fn the_longer_of_two_pauses_holds() {
        let limiter = Limiter::new(None);
        let now = Instant::now();
        limiter.refused(now, Some(secs(30)));
        limiter.refused(now, Some(secs(5)));
        assert_eq!(limiter.acquire(now, Urgency::Ordinary), Err(secs(30)));
    }

    #[test]
    fn defaults_hold_for_the_public_services_only() {
        let elsewhere = BaseUrl::parse("test", "http://127.0.0.1:1").unwrap();
        let fake = Endpoints {
            java_identity: elsewhere.clone(),
            java_session: elsewhere.clone(),
            bedrock_lookup: elsewhere.clone(),
            texture: elsewhere,
        };
        let own = Budgets {
            session: Budget::new(10, secs(1)),
            ..Budgets::default()
        };
        let public = Endpoints::default();
        let unlimited = 10_000;
        for (budgets, endpoints, expected) in [
            (Budgets::default(), &public, [48, 32, 10, unlimited]),
            (Budgets::default(), &fake, [unlimited; 4]),
            (own, &public, [48, 1, 10, unlimited]),
            (own, &fake, [unlimited, 1, unlimited, unlimited]),
        ] {
            let limits = Limits::new(budgets, endpoints);
            let now = Instant::now();
            let steps = [Step::Identity, Step::Session, Step::Xuid, Step::Texture];
            let allowed = steps.map(|step| drain(limits.of(step), now, Urgency::Ordinary));
            assert_eq!(allowed, expected);
        }
    }

    #[test]
    fn both_bedrock_look_ups_share_a_limiter() {
        let limits = Limits::new(Budgets::default(), &Endpoints::default());
        let now = Instant::now();
        limits.of(Step::Xuid).refused(now, None);
        let wait = limits.of(Step::BedrockSkin).acquire(now, Urgency::Ordinary);
        assert_eq!(wait, Err(secs(1)));
    }

    proptest! {
        #[test]
        fn no_window_holds_more_calls_than_the_budget(
            calls in 1_u32..200,
            gaps in prop::collection::vec(0_u64..300, 0..600),
        ) {
            let window = secs(10);
            let limiter = Limiter::new(Budget::new(calls, window));
            let mut now = Instant::now();
            let mut made = Vec::new();
            for gap in gaps {
                now += ms(gap);
                if limiter.acquire(now, Urgency::Probe).is_ok() {
                    made.push(now);
                }
            }
            for (at, &first) in made.iter().enumerate() {
                let within = made[at..].iter().filter(|&&call| call < first + window).count();
                prop_assert!(within <= calls as usize, "{} of {}", within, calls);
            }
        }
    }
}
