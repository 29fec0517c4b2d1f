//! TLS to PostgreSQL by the `sslmode` of the URL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use effigy_store::{Counts as _, SqlStore};
use tempfile::TempDir;

use crate::assert_says;
use crate::support::PostgresServer;

/// A certificate authority with the certificates that it has signed.
struct Authority {
    directory: TempDir,
}

impl Authority {
    fn new() -> Self {
        let directory = TempDir::new().unwrap();
        let this = Self { directory };
        this.openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
                      -subj /CN=Tests -keyout ca.key -out ca.crt",
        );
        this
    }

    /// Creates a certificate for a server of this name, and its key.
    fn sign(&self, name: &str) -> (PathBuf, PathBuf) {
        let extensions = self.file("extensions");
        fs::write(&extensions, format!("subjectAltName={name}\n")).unwrap();
        self.openssl(
            "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                      -subj /CN=server -keyout server.key -out server.csr",
        );
        self.openssl(
            "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
                      -extfile extensions -out server.crt",
        );
        (self.file("server.crt"), self.file("server.key"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs `openssl`, which is present with PostgreSQL because its packages need it.
    fn openssl(&self, arguments: &str) {
        let output = Command::new("openssl")
            .args(arguments.split_whitespace())
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {arguments}: {errors}");
    }
}

fn rooted(mode: &str, root: &Path) -> String {
    format!("sslmode={mode}&sslrootcert={}", root.display())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_mode_trusts_its_certificates_and_encrypts() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let url = |parameters: &str| format!("{}?{parameters}", server.url("postgres"));
    let [plain, required] = [url(""), url("sslmode=require")];
    let error = SqlStore::open(&required).await;
    assert_says(&error.expect_err("it speaks no TLS"), "TLS");

    let (ours, other) = (Authority::new(), Authority::new());
    let [ours_root, other_root] = [&ours, &other].map(|authority| authority.file("ca.crt"));
    let names = ["IP:127.0.0.1", "DNS:elsewhere.example"];
    // The parameters, and whether they accept the certificate of each name.
    let rows = [
        ("sslmode=disable".to_owned(), [true, true]),
        ("sslmode=prefer".to_owned(), [true, true]),
        ("sslmode=require".to_owned(), [true, true]),
        (rooted("require", &ours_root), [true, true]),
        (rooted("require", &other_root), [false, false]),
        (rooted("verify-ca", &ours_root), [true, true]),
        (rooted("verify-full", &ours_root), [true, false]),
        (rooted("verify-ca", &other_root), [false, false]),
        (rooted("verify-full", &other_root), [false, false]),
        // No public authority has signed it.
        ("sslmode=verify-full".to_owned(), [false, false]),
    ];
    for (at, name) in names.into_iter().enumerate() {
        let (certificate, key) = ours.sign(name);
        server.stop();
        server.use_tls(&certificate, &key);
        server.restart();
        for (parameters, passes) in &rows {
            let opened = SqlStore::open(&format!("{plain}{parameters}")).await;
            assert_eq!(
                opened.is_ok(),
                passes[at],
                "{name}, {parameters}: {opened:?}"
            );
        }
    }

    // Without the connections of the stores above.
    server.stop();
    server.restart();
    let store = SqlStore::open(&required).await.unwrap();
    let asked = (0..50).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.counts().await.unwrap() })
    });
    for answer in asked.collect::<Vec<_>>() {
        answer.await.unwrap();
    }
    let other = sqlx::PgPool::connect(&required).await.unwrap();
    let ours = "SELECT count(*), count(*) FILTER (WHERE ssl) FROM pg_stat_ssl
        JOIN pg_stat_activity USING (pid)
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    let (all, encrypted): (i64, i64) = sqlx::query_as(ours).fetch_one(&other).await.unwrap();
    assert!((1..=10).contains(&all), "{all} connections");
    assert_eq!(all, encrypted);
}
