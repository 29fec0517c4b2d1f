//! Parsers of the values of settings, such as durations, rates and sizes.

use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use effigy_parameters::{Family, value::switch};
use effigy_upstream::Rate;
use tracing_subscriber::filter::{LevelFilter, Targets};

/// The longest timeout, and the longest time to drain.
const MAX_TIMEOUT: Duration = Duration::from_secs(3600);

/// The largest size of pictures on the page. Pictures without a size in the URL are smaller.
const MIN_MAX_SIZE: u32 = 192;

/// The smallest maximum size of a database. The health log alone may take a few MiB.
const MIN_DATABASE_BYTES: u64 = 16 << 20;

/// A value, or a hint about the texts that are accepted.
pub(crate) type Parsed<T> = Result<T, &'static str>;

/// A limit, or `None` for no limit. clap would take the type `Option` for a setting that may be
/// missing, but it doesn't look behind an alias.
pub(crate) type Limit<T> = Option<T>;

/// The values of one text. clap would take the type `Vec` for a setting that may occur several
/// times, but it doesn't look behind an alias.
pub(crate) type Several<T> = Vec<T>;

/// Parses a limit, or the word `none` for no limit. Zero is neither.
pub(crate) fn or_none<T>(
    parse: fn(&str) -> Parsed<T>,
) -> impl Fn(&str) -> Parsed<Limit<T>> + Clone {
    move |text| match text.trim() {
        "none" => Ok(None),
        "0" => Err("write none for no limit"),
        text => parse(text).map(Some),
    }
}

/// Parses a value as its type does, with a hint for values that are refused.
pub(crate) fn hinted<T: FromStr>(hint: &'static str) -> impl Fn(&str) -> Parsed<T> + Clone {
    move |text| text.parse().map_err(|_| hint)
}

/// Parses a number that is not zero.
pub(crate) fn positive(text: &str) -> Parsed<NonZeroU32> {
    hinted("write a whole number, 1 or more")(text)
}

/// Parses the variable of a flag without a value.
pub(crate) fn yes_or_no(text: &str) -> Parsed<bool> {
    switch(text).map_err(|_| "write true, yes, on or 1, or false, no, off or 0")
}

/// Parses hosts and their families, with commas between them.
pub(crate) fn family_hosts(text: &str) -> Parsed<Several<(String, Family)>> {
    text.split(',').map(family_host).collect()
}

/// Parses a host and its family. The host is a name without a port.
fn family_host(text: &str) -> Parsed<(String, Family)> {
    const HINT: &str = "write <host>=<family>, for example avatars.example.org=crafatar; the \
        families are crafatar, minotar, mc-heads, crafthead, cravatar, visage, nmsr, mineatar, \
        starlight, discordsrv, playerdb and ashcon";
    let (host, word) = text.trim().split_once('=').ok_or(HINT)?;
    let host = host.trim().trim_end_matches('.');
    let is_host_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-._[:]".contains(&byte);
    let is_ipv6 = host.starts_with('[') && host.ends_with(']');
    let is_host = !host.is_empty() && host.bytes().all(is_host_byte);
    if !is_host || host.contains(':') && !is_ipv6 {
        return Err("write the name of the host alone, without a scheme, a port or a path");
    }
    let family = Family::find(word.trim()).ok_or(HINT)?;
    Ok((host.to_ascii_lowercase(), family))
}

/// Parses the largest size of a picture, which a URL without a size must not exceed.
pub(crate) fn max_size(text: &str) -> Parsed<NonZeroU32> {
    let size = positive(text)?;
    if size.get() < MIN_MAX_SIZE {
        return Err("the smallest number is 192, the largest size of a picture whose URL has none");
    }
    Ok(size)
}

/// Parses a timeout: more than zero, at most an hour.
pub(crate) fn timeout(text: &str) -> Parsed<Duration> {
    let timeout = duration(text)?;
    if timeout.is_zero() || timeout > MAX_TIMEOUT {
        return Err("a timeout is longer than zero and at most an hour");
    }
    Ok(timeout)
}

/// Parses the time to accept connections after a signal to stop: at most an hour, or zero.
pub(crate) fn drain(text: &str) -> Parsed<Duration> {
    let drain = duration(text)?;
    if drain > MAX_TIMEOUT {
        return Err("the time to accept connections after a signal to stop is at most an hour");
    }
    Ok(drain)
}

/// Parses the maximum size of a database, or zero for no limit.
pub(crate) fn database_size(text: &str) -> Parsed<u64> {
    match bytes(text)? {
        1..MIN_DATABASE_BYTES => Err("the smallest size is 16MiB"),
        size => Ok(size),
    }
}

/// Parses a duration such as `10s` or `1m 30s`. A number without a unit is in seconds.
pub(crate) fn duration(text: &str) -> Parsed<Duration> {
    if let Ok(seconds) = text.parse() {
        return Ok(Duration::from_secs(seconds));
    }
    humantime::parse_duration(text)
        .map_err(|_| "write a number and a unit, for example 10s or 500ms")
}

/// Parses a number of calls per period, such as `600/10m`.
pub(crate) fn calls(text: &str) -> Parsed<Rate> {
    let rate = rate(text, |calls| calls.parse().ok());
    rate.ok_or("write <calls>/<duration>, for example 600/10m")
}

/// Parses processor time per period, such as `30s/2m`, as a rate of milliseconds.
pub(crate) fn drawing(text: &str) -> Parsed<Rate> {
    let rate = rate(text, |time| {
        let milliseconds = duration(time).ok()?.as_millis();
        milliseconds.try_into().ok()
    });
    rate.ok_or("write <duration>/<duration>, for example 30s/2m")
}

/// Parses an amount per period.
fn rate(text: &str, parse_amount: fn(&str) -> Option<u32>) -> Option<Rate> {
    let (amount, period) = text.split_once('/')?;
    let amount = parse_amount(amount.trim())?;
    let period = duration(period.trim()).ok()?;
    Rate::new(amount, period)
}

/// Parses the levels of a log. A word without `=` must be a level: [`Targets`] would take a
/// mistyped level for the name of a module.
pub(crate) fn log_levels(text: &str) -> Parsed<Targets> {
    const HINT: &str = "write off, error, warn, info, debug or trace, or levels by module, for \
        example warn,effigy=debug";
    if !text.split(',').all(is_log_level) {
        return Err(HINT);
    }
    text.parse().map_err(|_| HINT)
}

/// Returns `true` for a level, or for a module and its level with `=` between them.
fn is_log_level(text: &str) -> bool {
    let (module, level) = text.split_once('=').unwrap_or(("every module", text));
    let level = level.trim();
    // The parser of levels accepts an empty text.
    !module.trim().is_empty() && !level.is_empty() && level.parse::<LevelFilter>().is_ok()
}

/// Parses a number of bytes such as `64MiB`. Units are multiples of 1024.
pub(crate) fn bytes(text: &str) -> Parsed<u64> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text);
    bytes.map_err(|_| "write a number of bytes, for example 64MiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_hosts_without_a_port() {
        let crafatar = ("avatars.example.org", Family::Crafatar);
        let visage = ("faces.example.org", Family::Visage);
        let rows = [
            ("avatars.example.org=crafatar", vec![crafatar]),
            (" Avatars.Example.org. = Crafatar ", vec![crafatar]),
            (
                "avatars.example.org=crafatar,faces.example.org=vzge",
                vec![crafatar, visage],
            ),
            ("[::1]=nmsr", vec![("[::1]", Family::Nmsr)]),
        ];
        for (text, expected) in rows {
            let hosts = family_hosts(text).unwrap();
            let hosts: Vec<_> = hosts
                .iter()
                .map(|(host, family)| (&**host, *family))
                .collect();
            assert_eq!(hosts, expected, "{text}");
        }
        for text in [
            "",
            "avatars.example.org",
            "avatars.example.org=gravatar",
            "=crafatar",
            "https://avatars.example.org=crafatar",
            "avatars.example.org:8080=crafatar",
            "avatars.example.org/skins=crafatar",
            "avatars.example.org=crafatar,",
        ] {
            assert!(family_hosts(text).is_err(), "{text}");
        }
    }

    #[test]
    fn hint_about_families_lists_them_all() {
        let hint = family_hosts("x").unwrap_err();
        for family in Family::WORDS {
            assert!(hint.contains(family), "{family}");
        }
    }

    #[test]
    fn timeouts_are_positive_and_at_most_an_hour() {
        let rows = [
            ("10s", Ok(Duration::from_secs(10))),
            ("10", Ok(Duration::from_secs(10))),
            ("500ms", Ok(Duration::from_millis(500))),
            ("1m 30s", Ok(Duration::from_secs(90))),
            ("0", Err(())),
            ("0s", Err(())),
            ("2h", Err(())),
            ("-1s", Err(())),
            ("soon", Err(())),
            ("", Err(())),
        ];
        for (text, expected) in rows {
            assert_eq!(timeout(text).map_err(|_| ()), expected, "{text}");
        }
    }

    #[test]
    fn drains_are_at_most_an_hour() {
        let rows = [
            ("0s", Ok(Duration::ZERO)),
            ("10s", Ok(Duration::from_secs(10))),
            ("1h", Ok(Duration::from_secs(3600))),
            ("10h", Err(())),
            ("1h 1s", Err(())),
            ("soon", Err(())),
        ];
        for (text, expected) in rows {
            assert_eq!(drain(text).map_err(|_| ()), expected, "{text}");
        }
    }

    #[test]
    fn rates_are_amounts_per_period() {
        let ten_minutes = Duration::from_secs(600);
        assert_eq!(calls("600/10m").ok(), Rate::new(600, ten_minutes));
        assert_eq!(calls("600 / 600").ok(), Rate::new(600, ten_minutes));
        for text in [
            "", "600", "600/", "/10m", "0/10m", "600/0s", "-1/10m", "x/10m",
        ] {
            assert!(calls(text).is_err(), "{text}");
        }
        assert_eq!(drawing("5s/1m").ok(), Rate::new(5_000, ten_minutes / 10));
        for text in ["", "5s", "5s/", "/1m", "0s/1m", "5s/0s", "-1s/1m"] {
            assert!(drawing(text).is_err(), "{text}");
        }
    }

    #[test]
    fn log_levels_may_differ_by_module() {
        for text in "off info WARN warn,effigy=debug effigy_http=trace".split(' ') {
            assert!(log_levels(text).is_ok(), "{text}");
        }
        for text in " nonsense effigy info, =info effigy=loud a=b=c".split(' ') {
            assert!(log_levels(text).is_err(), "{text}");
        }
    }

    #[test]
    fn units_of_bytes_are_multiples_of_1024() {
        let rows = [
            ("0", Some(0)),
            ("1000", Some(1000)),
            ("1000b", Some(1000)),
            ("64MiB", Some(64 << 20)),
            ("64 mib", Some(64 << 20)),
            ("64M", Some(64 << 20)),
            ("512k", Some(512 << 10)),
            ("2GiB", Some(2 << 30)),
            ("", None),
            ("MiB", None),
            ("-1", None),
            ("1.5GiB", Some(3 << 29)),
            ("64MB", Some(64 << 20)),
            ("64TiB", Some(64 << 40)),
            ("64 miles", None),
            ("18446744073709551615GiB", None),
        ];
        for (text, expected) in rows {
            assert_eq!(bytes(text).ok(), expected, "{text}");
        }
    }
}
