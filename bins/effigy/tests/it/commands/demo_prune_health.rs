//! The commands demo, prune, health, completions and man.

use std::{
    net::TcpListener,
    path::Path,
    process::Command,
    thread,
    time::{Duration, SystemTime},
};

use crate::support::{Server, assert_picture, assert_refused, effigy, head, read_line, run, text};
use bytes::Bytes;
use effigy_render::Layers;
use effigy_store::{CachedImage, SqlStore, WriteBatch, Writes};
use fixtures::{Fault, Step};
use tempfile::TempDir;

#[test]
fn the_demo_needs_nothing() {
    let mut demo = Server::start_with(&["demo"]);
    let example = read_line(&mut demo.output);
    let (_, path) = example.split_once(demo.address()).unwrap();
    let face = head(Layers::Base, 128);
    assert_picture(&demo.get("/head/Gwendolin"), face, "knight");
    assert_picture(&demo.get("/head/.Bluejay"), face, "diver");
    assert_eq!(demo.get(path).status, 200, "{path}");
    assert_eq!(demo.upstream.total_calls(), 0);
    let folder = demo.database().parent().unwrap().to_owned();
    assert!(folder.read_dir().unwrap().next().is_none());
}

/// Puts pictures of these ages and this length into a database.
async fn put(database: &Path, ages: &[Duration], length: usize) {
    let url = format!("sqlite:{}", database.display());
    let store = SqlStore::open(&url).await.unwrap();
    for age in ages {
        let image = CachedImage {
            data: Bytes::from(vec![7; length]),
            content_type: "image/png".to_owned(),
            created_at: SystemTime::now() - *age,
        };
        let key = format!("{length} {age:?}");
        let batch = WriteBatch {
            pictures: &[(&key, &image)],
            ..WriteBatch::new(SystemTime::now())
        };
        store.write(&batch).await.unwrap();
    }
    store.close().await;
}

#[tokio::test]
async fn prune_deletes_what_is_too_old_or_too_much() {
    let directory = TempDir::new().unwrap();
    let database = directory.path().join("effigy.db");
    let prune = |variable: &str, value: &str| {
        let mut command = effigy();
        // The default database is the one in the current directory.
        command.current_dir(&directory).arg("prune");
        let output = command.env(variable, value).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let minute = Duration::from_secs(60);
    put(&database, &[59 * minute, 61 * minute, 26 * 60 * minute], 3).await;
    for (variable, value, deleted) in [
        ("PICTURE_AGE", "", "1 picture"),
        ("PICTURE_AGE", "1d", "0 pictures"),
        ("PICTURE_AGE", "1h", "1 picture"),
        ("PICTURE_AGE", "1h", "0 pictures"),
    ] {
        let expected = format!("Deleted {deleted}, 0 textures and 0 players\n");
        assert_eq!(prune(variable, value), expected, "{variable} {value}");
    }
    let seconds = [1, 2, 3].map(Duration::from_secs);
    put(&database, &seconds, 7 << 20).await;
    for (size, deleted) in [("1GiB", 0), ("0", 0), ("16MiB", 2), ("16MiB", 0)] {
        let expected = format!("Deleted {deleted} pictures, 0 textures and 0 players\n");
        assert_eq!(prune("DATABASE_MAX_SIZE", size), expected, "{size}");
    }
}

#[test]
fn health_asks_the_service() {
    let server = Server::start();
    let (_, port) = server.address().rsplit_once(':').unwrap();
    let health = |arguments: &[&str]| {
        let mut command = effigy();
        // As a container has it.
        command.env("PORT", port).arg("health").args(arguments);
        command.output().unwrap()
    };
    let output = health(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "green: Service is healthy\n");
    // Enough failures, and the report is red; the service itself still answers.
    let fault = Some(Fault::status(500));
    server.upstream.set_fault(Step::Identity, fault);
    for _ in 0..2 {
        // A report is reused for a second.
        thread::sleep(Duration::from_millis(1_100));
        server.get("/health");
    }
    assert_refused(&health(&[]), 1, &["status 503", "red"]);
    let output = health(&["--live"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "the service answers\n");
}

#[test]
fn health_says_when_nothing_answers() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let silent = run(&["health", "--port", &port, "--timeout", "100ms"]);
    assert_refused(&silent, 1, &["nothing answers", &port]);
    drop(listener);
    let refused = run(&["health", "--live", "--port", &port]);
    assert_refused(&refused, 1, &["nothing answers", &port]);
}

#[test]
fn completions_list_the_shells() {
    let output = run(&["completions"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        text(&output.stdout),
        "bash\nelvish\nfish\npowershell\nzsh\n"
    );
    for shell in text(&output.stdout).lines() {
        assert!(run(&["completions", shell]).status.success(), "{shell}");
    }
}

#[test]
fn bash_takes_the_completions() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("effigy.bash");
    std::fs::write(&file, run(&["completions", "bash"]).stdout).unwrap();
    let complete = "source \"$1\"; COMP_WORDS=(effigy ren); COMP_CWORD=1; \
                    _effigy effigy ren effigy; echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    let output = bash.args(["-c", complete, "bash"]).arg(&file).output();
    let output = output.unwrap();
    assert_eq!(text(&output.stdout), "render\n", "{}", text(&output.stderr));
    assert!(text(&run(&["man"]).stdout).contains(".TH effigy 1"));
}
