//! A service with a fake source of skins, a store in memory that can fail, and a clock that stands.

mod fake_source;
mod looks;
pub(crate) mod specified;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use effigy_player::Edition;
use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{
    Client, Clock, Failure, FileRequest, FileSpec, GroupRequest, Origin, PictureParams, ServedFile,
    Service, ServiceConfig,
};
use effigy_store::{CachedImage, LIFETIME, Pictures as _, WriteBatch, Writes as _};
use fixtures::{Failing, MemoryStore};
use prometheus::proto::Metric;
use tokio::task::JoinHandle;

pub(crate) use self::fake_source::{
    Answer, CAPE_URL, Call, FakeSource, RETRY_AFTER, SKIN, STEVES_SKIN, down, texture, texture_url,
};

pub(crate) use self::looks::{NOTCH, drawn_face};

pub(crate) const MINUTE: Duration = Duration::from_secs(60);

pub(crate) const HOUR: Duration = Duration::from_secs(3600);

/// A clock that only moves when it is told to.
#[derive(Debug, Clone)]
pub(crate) struct StandingClock(Arc<Mutex<SystemTime>>);

impl StandingClock {
    pub(crate) fn new() -> Self {
        let start = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        Self(Arc::new(Mutex::new(start)))
    }

    pub(crate) fn advance(&self, by: Duration) {
        *self.0.lock().unwrap() += by;
    }

    pub(crate) fn set_back(&self, by: Duration) {
        *self.0.lock().unwrap() -= by;
    }

    pub(crate) fn now(&self) -> SystemTime {
        *self.0.lock().unwrap()
    }

    pub(crate) fn clock(&self) -> Clock {
        let this = self.clone();
        Arc::new(move || this.now())
    }
}

/// A service with its fakes. Clones share everything.
#[derive(Clone)]
pub(crate) struct Bench {
    pub(crate) service: Service,
    pub(crate) source: FakeSource,
    pub(crate) store: MemoryStore,
    pub(crate) clock: StandingClock,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with_config(|_| ())
    }

    pub(crate) fn with(failing: Failing) -> Self {
        let bench = Self::new();
        bench.store.fail(failing);
        bench
    }

    /// A service whose configuration is changed in this way.
    pub(crate) fn with_config(change: impl FnOnce(&mut ServiceConfig)) -> Self {
        Self::with_store(MemoryStore::default(), change)
    }

    /// Another service with this store, and such a configuration.
    pub(crate) fn with_store(store: MemoryStore, change: impl FnOnce(&mut ServiceConfig)) -> Self {
        Self::with_parts(store, FakeSource::new(), StandingClock::new(), change)
    }

    /// A service with this source, which may have limits.
    pub(crate) fn with_source(source: FakeSource, change: impl FnOnce(&mut ServiceConfig)) -> Self {
        Self::with_parts(MemoryStore::default(), source, StandingClock::new(), change)
    }

    /// The service after a restart, or another replica. Only the memory is another one.
    pub(crate) fn another(&self, change: impl FnOnce(&mut ServiceConfig)) -> Self {
        let store = self.store.clone();
        let source = self.source.clone();
        Self::with_parts(store, source, self.clock.clone(), change)
    }

    /// The service after a restart.
    pub(crate) async fn restarted(&self) -> Self {
        self.service.flush().await;
        self.another(|_| ())
    }

    fn with_parts(
        store: MemoryStore,
        source: FakeSource,
        clock: StandingClock,
        change: impl FnOnce(&mut ServiceConfig),
    ) -> Self {
        let mut config = ServiceConfig::default();
        change(&mut config);
        let service = Service::new(
            Arc::new(store.clone()),
            Arc::new(source.clone()),
            clock.clock(),
            config,
        );
        Self {
            service: service.unwrap(),
            source,
            store,
            clock,
        }
    }

    /// The value of a metric, of a histogram the number of its values, with this value of its label
    /// if it has one.
    pub(crate) fn metric(&self, name: &str, label: &str) -> u64 {
        let families = self.service.metrics().into_iter();
        let mut families = families.flat_map(|metric| metric.collect());
        let family = families.find(|family| family.name() == name).expect(name);
        let has_label =
            |metric: &&Metric| metric.get_label().iter().all(|pair| pair.value() == label);
        let Some(metric) = family.get_metric().iter().find(has_label) else {
            return 0;
        };
        let value = metric.get_counter().get_value() + metric.get_gauge().get_value();
        metric.get_histogram().get_sample_count() + value.to_string().parse::<u64>().unwrap()
    }

    pub(crate) async fn counts(&self) -> Result<Vec<(Edition, u64)>, Failure> {
        self.service.counts(Client::SERVICE).await
    }

    async fn count(&self, edition: Edition) -> u64 {
        let mut counts = self.counts().await.unwrap().into_iter();
        let count = counts.find(|(counted, _)| *counted == edition);
        count.unwrap().1
    }

    pub(crate) async fn java_count(&self) -> u64 {
        self.count(Edition::Java).await
    }

    pub(crate) async fn bedrock_count(&self) -> u64 {
        self.count(Edition::Bedrock).await
    }

    pub(crate) async fn ask(
        &self,
        client: Client,
        request: FileRequest,
    ) -> Result<ServedFile, Failure> {
        self.service.get(&request.from_client(client)).await
    }

    pub(crate) async fn get(&self, request: FileRequest) -> Result<ServedFile, Failure> {
        self.service.get(&request).await
    }

    pub(crate) async fn profile(&self, input: &str) -> Result<ServedFile, Failure> {
        let request = FileRequest::from(FileSpec::Profile(input.to_owned()));
        self.get(request).await
    }

    pub(crate) async fn cape(&self, input: &str) -> Result<ServedFile, Failure> {
        let request = FileRequest::from(FileSpec::Cape(input.to_owned(), None));
        self.get(request).await
    }

    /// A picture that is expected to be there.
    pub(crate) async fn served(&self, request: FileRequest) -> ServedFile {
        self.get(request).await.unwrap()
    }

    /// The origin of a picture that is expected to be there.
    pub(crate) async fn origin(&self, request: FileRequest) -> Origin {
        self.served(request).await.origin
    }

    /// Waits until no player is looked up or checked.
    pub(crate) async fn until_idle(&self) {
        until(|| self.metric("effigy_resolves_in_flight", "") == 0).await;
    }

    pub(crate) fn spawn(&self, request: FileRequest) -> JoinHandle<Result<ServedFile, Failure>> {
        let bench = self.clone();
        tokio::spawn(async move { bench.get(request).await })
    }

    /// Stores a picture, as another replica does.
    pub(crate) async fn store(&self, key: &str, file: &CachedImage) {
        let mut batch = WriteBatch::new(self.clock.now());
        let pictures = [(key, file)];
        batch.pictures = &pictures;
        self.store.write(&batch).await.unwrap();
    }

    /// The picture that is stored under a key of the specification.
    pub(crate) async fn stored(&self, key: &str) -> Option<CachedImage> {
        let now = self.clock.now();
        self.store.lookup(key, now, LIFETIME).await.unwrap()
    }
}

/// A face of a size that no other request of a test has, beyond the specification.
pub(crate) fn face(size: u32, input: &str) -> FileRequest {
    let spec = PictureSpec::new(View::Face, Size::px(size));
    PictureParams::beyond_specification(spec, ImageFormat::Png).of_player(input)
}

/// A picture of these players' faces.
pub(crate) fn group(players: &[&str]) -> GroupRequest {
    let spec = PictureSpec::new(View::Face, Size::px(8));
    let players = players.iter().map(|&player| player.to_owned());
    GroupRequest::new(spec, None, players.collect()).unwrap()
}

pub(crate) async fn until(done: impl Fn() -> bool) {
    let patience = std::time::Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(std::time::Instant::now() < patience, "timed out");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
