//! The log of clients that have used up one of their limits.

use std::{
    collections::HashMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use effigy_service::{Client, Fault, Refused, ServiceError};
use hyper::http::request::Parts;
use parking_lot::Mutex;

use crate::access_log::logged_uri;

/// The time in which one line is written for each client.
const WINDOW: Duration = Duration::from_secs(10);

/// The number of lines in a window, which an attacker with many addresses could fill.
const MAX_LINES: usize = 20;

/// The longest part of a URI that is logged.
const MAX_URI_BYTES: usize = 200;

/// The log of refused clients. Neither one client nor many can write more than a few lines.
#[derive(Debug, Default)]
pub(super) struct RefusalLog(Mutex<Lines>);

/// The numbers of refusals in this window and in the one before.
#[derive(Debug, Default)]
struct Lines {
    began: Option<Instant>,
    /// The refusals without a line, by client. Each of these clients has one line in this window.
    held_back: HashMap<IpAddr, u32>,
    /// The refusals of clients without a line in this window.
    of_others: u32,
    /// `held_back` of the last window. The next line of a client reports and removes its number.
    last_held_back: HashMap<IpAddr, u32>,
    /// `of_others` of the last window, until the next line reports it.
    last_of_others: u32,
}

/// The refusals in the last window that have no line of their own.
#[derive(Debug, PartialEq, Eq)]
struct HeldBack {
    of_client: u32,
    of_others: u32,
}

impl RefusalLog {
    /// Logs a failure if it is the refusal of a client.
    pub(super) fn log(&self, client: Client, request: &Parts, failure: &ServiceError) {
        let Some(refused) = refusal(failure) else {
            return;
        };
        let admitted = self.0.lock().admit(client.network(), Instant::now());
        let Some(held_back) = admitted else {
            return;
        };
        let mut uri = logged_uri(request);
        uri.truncate(MAX_URI_BYTES);
        tracing::info!(
            client = %client.address(),
            limit = refused.resource.as_str(),
            method = %request.method,
            uri,
            retry_after = ?refused.retry_after,
            held_back = held_back.of_client,
            held_back_of_others = held_back.of_others,
            "a client was refused"
        );
    }
}

/// Returns the refusal that caused a failure, if the client has reached a limit.
fn refusal(failure: &ServiceError) -> Option<&Refused> {
    match failure {
        ServiceError::Refused(refused) if refused.fault == Fault::Limited => Some(refused),
        ServiceError::NoFallback(failure) => refusal(failure),
        _ => None,
    }
}

impl Lines {
    /// Returns what the line of this refusal reports, or `None` if it gets no line.
    fn admit(&mut self, client: IpAddr, now: Instant) -> Option<HeldBack> {
        let is_window_over = self.began.is_none_or(|began| now - began >= WINDOW);
        if is_window_over {
            self.began = Some(now);
            self.last_held_back = std::mem::take(&mut self.held_back);
            self.last_of_others = std::mem::take(&mut self.of_others);
        }
        if let Some(count) = self.held_back.get_mut(&client) {
            *count += 1;
            return None;
        }
        if self.held_back.len() == MAX_LINES {
            self.of_others += 1;
            return None;
        }
        self.held_back.insert(client, 0);
        Some(HeldBack {
            of_client: self.last_held_back.remove(&client).unwrap_or_default(),
            of_others: std::mem::take(&mut self.last_of_others),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(number: usize) -> IpAddr {
        Ipv4Addr::from_bits(u32::try_from(number).unwrap()).into()
    }

    fn held_back(of_client: u32, of_others: u32) -> Option<HeldBack> {
        Some(HeldBack {
            of_client,
            of_others,
        })
    }

    #[test]
    fn client_has_one_line_in_a_window() {
        let mut lines = Lines::default();
        let start = Instant::now();
        assert_eq!(lines.admit(client(1), start), held_back(0, 0));
        for _ in 0..7 {
            assert_eq!(lines.admit(client(1), start), None);
        }
        assert_eq!(lines.admit(client(2), start), held_back(0, 0));
        assert_eq!(lines.admit(client(1), start + WINDOW), held_back(7, 0));
        assert_eq!(lines.admit(client(2), start + WINDOW), held_back(0, 0));
    }

    #[test]
    fn many_clients_have_few_lines_in_a_window() {
        let mut lines = Lines::default();
        let start = Instant::now();
        for number in 0..MAX_LINES {
            assert_eq!(lines.admit(client(number), start), held_back(0, 0));
        }
        for number in MAX_LINES..1_000 {
            assert_eq!(lines.admit(client(number), start), None);
        }
        assert_eq!(lines.held_back.len(), MAX_LINES);
        let others = 1_000 - u32::try_from(MAX_LINES).unwrap();
        assert_eq!(lines.admit(client(0), start + WINDOW), held_back(0, others));
        assert_eq!(lines.admit(client(1), start + WINDOW), held_back(0, 0));
    }
}
