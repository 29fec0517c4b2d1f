//! A model of version 0.2: a picture is kept for an hour by input and size, and a profile for a
//! minute by input. Versions (`v=`) change nothing.

use std::{collections::HashMap, time::Duration};

use crate::{Calls, load::Request};

const PICTURE_AGE: Duration = Duration::from_secs(3600);
const PROFILE_AGE: Duration = Duration::from_secs(60);

/// An input: a player by name or by UUID.
type Input = (usize, bool);

/// The times at which pictures and profiles were made.
#[derive(Debug, Default)]
pub(crate) struct OldRule {
    pictures: HashMap<(Input, u32), Duration>,
    profiles: HashMap<Input, Duration>,
    calls: Calls,
}

impl OldRule {
    pub(crate) const fn calls(&self) -> Calls {
        self.calls
    }

    /// Answers a request, and counts its calls.
    pub(crate) fn answer(&mut self, request: &Request) {
        let input = (request.player, request.by_name);
        let picture = (input, request.size);
        if is_younger(self.pictures.get(&picture), PICTURE_AGE, request.at) {
            return;
        }
        self.pictures.insert(picture, request.at);
        if is_younger(self.profiles.get(&input), PROFILE_AGE, request.at) {
            return;
        }
        self.profiles.insert(input, request.at);
        if request.by_name {
            self.calls.identity += 1;
        }
        self.calls.session += 1;
    }
}

fn is_younger(made: Option<&Duration>, age: Duration, now: Duration) -> bool {
    made.is_some_and(|made| now - *made < age)
}
