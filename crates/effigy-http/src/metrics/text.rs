//! Prometheus' text format, for values that are read only when the metrics are requested.

use std::fmt::{Display, Write};

/// Metrics in the text format.
#[derive(Debug, Default)]
pub(super) struct MetricsText(pub(super) String);

impl MetricsText {
    pub(super) fn gauge(&mut self, name: &str, help: &str, value: u64) {
        self.metric("gauge", name, help, [(name, value)]);
    }

    pub(super) fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.metric("counter", name, help, [(name, value)]);
    }

    /// Adds a gauge with a value for each upstream, if there is any.
    pub(super) fn upstream_gauge<'a>(
        &mut self,
        name: &str,
        help: &str,
        values: impl Iterator<Item = (&'a str, u32)>,
    ) {
        let samples: Vec<(String, u32)> = values
            .map(|(upstream, value)| (format!("{name}{{upstream=\"{upstream}\"}}"), value))
            .collect();
        if !samples.is_empty() {
            self.metric("gauge", name, help, samples);
        }
    }

    fn metric(
        &mut self,
        kind: &str,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = (impl Display, impl Display)>,
    ) {
        let mut lines = format!("# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (sample, value) in samples {
            writeln!(lines, "{sample} {value}").expect("writing to a string does not fail");
        }
        self.0 += &lines;
    }
}
