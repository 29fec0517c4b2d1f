//! TLS to PostgreSQL by the `sslmode` of the URL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use effigy_store::{SqlStore, Store};
use tempfile::TempDir;

use crate::chain;
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

    fn certificate(&self) -> PathBuf {
        self.file("ca.crt")
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

/// Opens the database with these parameters and returns the chain of causes of a failure.
async fn opened(server: &PostgresServer, parameters: &str) -> Result<(), String> {
    let url = format!("{}?{parameters}", server.url("postgres"));
    SqlStore::open(&url)
        .await
        .map(drop)
        .map_err(|error| chain(&error))
}

fn rooted(mode: &str, root: &Path) -> String {
    format!("sslmode={mode}&sslrootcert={}", root.display())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_mode_trusts_what_it_should() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let plain = opened(&server, "sslmode=require").await;
    assert!(plain.expect_err("it speaks no TLS").contains("TLS"));

    let (ours, other) = (Authority::new(), Authority::new());
    let (ours_root, other_root) = (ours.certificate(), other.certificate());
    let rows = [
        // The certificate's name, the parameters, and the expected success.
        ("IP:127.0.0.1", "sslmode=disable".to_owned(), true),
        ("IP:127.0.0.1", "sslmode=prefer".to_owned(), true),
        ("IP:127.0.0.1", "sslmode=require".to_owned(), true),
        ("IP:127.0.0.1", rooted("verify-ca", &ours_root), true),
        ("IP:127.0.0.1", rooted("verify-full", &ours_root), true),
        ("IP:127.0.0.1", rooted("verify-ca", &other_root), false),
        ("IP:127.0.0.1", rooted("verify-full", &other_root), false),
        // No public authority has signed it.
        ("IP:127.0.0.1", "sslmode=verify-full".to_owned(), false),
        (
            "DNS:elsewhere.example",
            rooted("verify-ca", &ours_root),
            true,
        ),
        (
            "DNS:elsewhere.example",
            rooted("verify-full", &ours_root),
            false,
        ),
    ];
    let mut current = "";
    for (name, parameters, passes) in rows {
        if name != current {
            let (certificate, key) = ours.sign(name);
            server.stop();
            server.use_tls(&certificate, &key);
            server.restart();
            current = name;
        }
        let outcome = opened(&server, &parameters).await;
        assert_eq!(outcome.is_ok(), passes, "{name}, {parameters}: {outcome:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_as_many_as_allowed_and_encrypted() {
    let Some(mut server) = PostgresServer::start() else {
        return;
    };
    let authority = Authority::new();
    let (certificate, key) = authority.sign("IP:127.0.0.1");
    server.stop();
    server.use_tls(&certificate, &key);
    server.restart();
    let url = format!("{}?sslmode=require", server.url("postgres"));
    let store = SqlStore::open(&url).await.unwrap();

    let asked = (0..50).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.counts().await })
    });
    for answer in asked.collect::<Vec<_>>() {
        answer.await.unwrap().unwrap();
    }
    let other = sqlx::PgPool::connect(&url).await.unwrap();
    let ours = "SELECT count(*), count(*) FILTER (WHERE ssl) FROM pg_stat_ssl
        JOIN pg_stat_activity USING (pid)
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    let (all, encrypted): (i64, i64) = sqlx::query_as(ours).fetch_one(&other).await.unwrap();
    assert!((1..=10).contains(&all), "{all} connections");
    assert_eq!(all, encrypted);
}
