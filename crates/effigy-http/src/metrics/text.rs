//! Prometheus' text format.

use std::{
    fmt::{Display, Write},
    time::Duration,
};

use effigy_service::{BUCKETS_MICROS, Histogram};

/// Metrics in the text format.
#[derive(Debug, Default)]
pub(super) struct MetricsText {
    text: String,
    name: &'static str,
    /// The description of a metric that has no sample yet.
    head: Option<String>,
}

/// The labels of a sample.
type Labels<'a> = &'a [(&'a str, &'a dyn Display)];

impl MetricsText {
    /// Begins a metric, whose samples follow. It is left out if there are none.
    pub(super) fn begin(&mut self, kind: &str, name: &'static str, help: &str) {
        self.name = name;
        self.head = Some(format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    /// Adds the only sample of a metric.
    pub(super) fn value(&mut self, value: impl Display) {
        self.sample(&[], value);
    }

    /// Adds a sample with these labels.
    pub(super) fn sample(&mut self, labels: Labels<'_>, value: impl Display) {
        self.add("", labels, value);
    }

    /// Adds the samples of a histogram with these labels.
    pub(super) fn histogram(&mut self, labels: Labels<'_>, histogram: &Histogram) {
        let mut count = 0;
        let limits = BUCKETS_MICROS.map(|micros| Duration::from_micros(micros).as_secs_f64());
        let limits = limits.map(|limit| limit.to_string());
        let limits = limits.into_iter().chain(["+Inf".to_owned()]);
        for (limit, bucket) in limits.zip(histogram.buckets()) {
            count += bucket;
            self.add("_bucket", &[labels, &[("le", &limit)]].concat(), count);
        }
        self.add("_sum", labels, histogram.sum().as_secs_f64());
        self.add("_count", labels, count);
    }

    fn add(&mut self, suffix: &str, labels: Labels<'_>, value: impl Display) {
        let labels = labels
            .iter()
            .map(|(name, value)| format!("{name}=\"{value}\""));
        let mut labels = labels.collect::<Vec<String>>().join(",");
        if !labels.is_empty() {
            labels = format!("{{{labels}}}");
        }
        self.text += &self.head.take().unwrap_or_default();
        let line = writeln!(self.text, "{}{suffix}{labels} {value}", self.name);
        line.expect("writing to a string does not fail");
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_follow_the_description_of_their_metric() {
        let mut text = MetricsText::default();
        text.begin("gauge", "a", "How many.");
        text.value(1);
        text.begin("counter", "b", "How often.");
        text.sample(&[("x", &"y"), ("z", &404)], 2);
        text.begin("gauge", "c", "Unknown.");
        let expected = "# HELP a How many.\n# TYPE a gauge\na 1\n\
            # HELP b How often.\n# TYPE b counter\nb{x=\"y\",z=\"404\"} 2\n";
        assert_eq!(text.into_string(), expected);
    }

    #[test]
    fn a_histogram_counts_what_is_within_each_limit() {
        let (mut text, histogram) = (MetricsText::default(), Histogram::default());
        for micros in [20, 30, 40_000_000] {
            histogram.observe(Duration::from_micros(micros));
        }
        text.begin("histogram", "a", "How long.");
        text.histogram(&[("x", &"y")], &histogram);
        let text = text.into_string();
        for sample in [
            "a_bucket{x=\"y\",le=\"0.000025\"} 1",
            "a_bucket{x=\"y\",le=\"0.00005\"} 2",
            "a_bucket{x=\"y\",le=\"30\"} 2",
            "a_bucket{x=\"y\",le=\"+Inf\"} 3",
            "a_sum{x=\"y\"} 40.00005",
            "a_count{x=\"y\"} 3",
        ] {
            assert!(text.lines().any(|line| line == sample), "{sample}\n{text}");
        }
    }
}
