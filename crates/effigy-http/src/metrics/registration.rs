//! Registration of metrics.

use prometheus::{
    HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    core::Collector,
};

type Registered<T> = Result<T, prometheus::Error>;

/// The beginning of every name.
const NAMESPACE: &str = "effigy";

/// The limits of the buckets of durations in seconds, from a cache hit to a look-up that times out.
const BUCKETS: [f64; 18] = [
    0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1,
    0.25, 0.5, 1.0, 2.5, 10.0, 30.0,
];

/// Creates metrics and registers them.
pub(super) struct Registration(Registry);

impl Registration {
    pub(super) fn new() -> Self {
        Self(Registry::new())
    }

    /// Adds the metrics of the process and returns the registry.
    pub(super) fn finish(self) -> Registered<Registry> {
        #[cfg(target_os = "linux")]
        self.register(super::process::ProcessCollector::new()?)?;
        Ok(self.0)
    }

    pub(super) fn gauge(&self, name: &str, help: &str) -> Registered<IntGauge> {
        self.add(IntGauge::with_opts(named(name, help))?)
    }

    /// Gauges with one value for each upstream.
    pub(super) fn upstream_gauges(&self, name: &str, help: &str) -> Registered<IntGaugeVec> {
        self.add(IntGaugeVec::new(named(name, help), &["upstream"])?)
    }

    pub(super) fn counter(&self, name: &str, help: &str) -> Registered<IntCounter> {
        self.add(IntCounter::with_opts(named(name, help))?)
    }

    pub(super) fn counters(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Registered<IntCounterVec> {
        self.add(IntCounterVec::new(named(name, help), labels)?)
    }

    pub(super) fn histograms(
        &self,
        name: &str,
        help: &str,
        labels: &[&str],
    ) -> Registered<HistogramVec> {
        let options = HistogramOpts::from(named(name, help)).buckets(BUCKETS.to_vec());
        self.add(HistogramVec::new(options, labels)?)
    }

    fn add<C: Collector + Clone + 'static>(&self, metric: C) -> Registered<C> {
        self.register(metric.clone())?;
        Ok(metric)
    }

    fn register(&self, metric: impl Collector + 'static) -> Registered<()> {
        self.0.register(Box::new(metric))
    }
}

fn named(name: &str, help: &str) -> Opts {
    Opts::new(name, help).namespace(NAMESPACE)
}
