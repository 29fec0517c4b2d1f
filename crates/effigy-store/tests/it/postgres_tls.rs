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

/// Restarts a server with a certificate that an authority has signed for this name.
fn restart_with_certificate(server: &mut PostgresServer, authority: &Authority, name: &str) {
    let (certificate, key) = authority.sign(name);
    server.stop();
    server.use_tls(&certificate, &key);
    server.restart();
}

#[tokio::test(flavor = "multi_thread")]
async fn each_mode_trusts_its_certificates() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let url = server.url("postgres");
    let ours = Authority::new();
    let other = Authority::new();
    let our_root = ours.file("ca.crt");
    let other_root = other.file("ca.crt");
    // The parameters of the URL, and whether they accept a certificate of our authority for the
    // address of the server, and one for another name.
    let rows = [
        ("sslmode=disable".to_owned(), true, true),
        ("sslmode=prefer".to_owned(), true, true),
        ("sslmode=require".to_owned(), true, true),
        (rooted("require", &our_root), true, true),
        (rooted("require", &other_root), false, false),
        (rooted("verify-ca", &our_root), true, true),
        (rooted("verify-full", &our_root), true, false),
        (rooted("verify-ca", &other_root), false, false),
        (rooted("verify-full", &other_root), false, false),
        // No public authority has signed it.
        ("sslmode=verify-full".to_owned(), false, false),
    ];
    restart_with_certificate(&mut server, &ours, "IP:127.0.0.1");
    for (parameters, passes, _) in &rows {
        let opened = SqlStore::open(&format!("{url}?{parameters}")).await;
        assert_eq!(opened.is_ok(), *passes, "{parameters}: {opened:?}");
    }
    restart_with_certificate(&mut server, &ours, "DNS:elsewhere.example");
    for (parameters, _, passes) in &rows {
        let opened = SqlStore::open(&format!("{url}?{parameters}")).await;
        assert_eq!(opened.is_ok(), *passes, "{parameters}: {opened:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn required_encryption_applies_to_every_connection() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let url = format!("{}?sslmode=require", server.url("postgres"));
    let error = SqlStore::open(&url).await;
    assert_says(&error.expect_err("the server speaks no TLS"), "TLS");

    restart_with_certificate(&mut server, &Authority::new(), "IP:127.0.0.1");
    let store = SqlStore::open(&url).await.unwrap();
    let mut calls = Vec::new();
    for _ in 0..50 {
        let clone = store.clone();
        calls.push(tokio::spawn(async move { clone.counts().await.unwrap() }));
    }
    for call in calls {
        call.await.unwrap();
    }
    let observer = sqlx::PgPool::connect(&url).await.unwrap();
    let others = "SELECT count(*), count(*) FILTER (WHERE ssl) FROM pg_stat_ssl
        JOIN pg_stat_activity USING (pid)
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    let row = sqlx::query_as(others).fetch_one(&observer).await;
    let (all, encrypted): (i64, i64) = row.unwrap();
    assert!((1..=10).contains(&all), "{all} connections");
    assert_eq!(all, encrypted);
}
