//! The commands demo, render and prune.

use std::{
    io::BufReader,
    path::Path,
    process::{Output, Stdio},
    time::{Duration, SystemTime},
};

use crate::support::{
    Picture, assert_picture, assert_refused, avatar, effigy, head, iosbody, ioshead, player,
    read_line, text,
};
use bytes::Bytes;
use effigy_render::{Facing, Layers};
use effigy_store::{CachedImage, SqlStore, Store};
use fixtures::client::ask;
use fixtures::{FakeUpstream, skin};
use tempfile::TempDir;

/// The picture that most of these tests ask for.
fn face() -> Picture {
    head(Layers::Base, 128)
}

#[test]
fn the_demo_needs_nothing() {
    let directory = TempDir::new().unwrap();
    let mut child = effigy()
        .current_dir(directory.path())
        .args(["demo", "--listen", "127.0.0.1", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let line = read_line(&mut output);
    let address = line
        .strip_prefix("Effigy listens on http://")
        .unwrap()
        .to_owned();
    let example = read_line(&mut output);
    let path = example.split(&address).nth(1).unwrap().to_owned();
    let replies = [
        ask(&address, "GET", "/head/Gwendolin", &[]),
        ask(&address, "GET", "/head/.Bluejay", &[]),
        ask(&address, "GET", &path, &[]),
    ];
    child.kill().unwrap();
    child.wait().unwrap();
    assert_picture(&replies[0], face(), "knight");
    assert_picture(&replies[1], face(), "diver");
    assert_eq!(replies[2].status, 200, "{path}");
    assert!(directory.path().read_dir().unwrap().next().is_none());
}

fn render(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = effigy();
    command.current_dir(directory).arg("render").args(arguments);
    command.output().unwrap()
}

#[test]
fn a_skin_file_is_drawn_to_a_file() {
    let directory = TempDir::new().unwrap();
    let folder = directory.path();
    std::fs::write(folder.join("knight.png"), skin("knight").png).unwrap();
    std::fs::write(folder.join("fox.png"), skin("fox").png).unwrap();
    let hat = Layers::WithOverlay;
    let (left, right) = (Facing::Left, Facing::Right);
    let rows: [(&[&str], Picture, &str); 8] = [
        (&["head", "knight.png"], face(), "knight"),
        (
            &["head", "knight.png", "--hat", "--size", "40"],
            head(hat, 40),
            "knight",
        ),
        (
            &["player", "knight.png", "--hat"],
            player(hat, 128),
            "knight",
        ),
        (
            &["player", "fox.png", "--hat", "--slim"],
            player(hat, 128),
            "fox",
        ),
        (&["avatar", "knight.png"], avatar(right, 128), "knight"),
        (
            &["avatar", "fox.png", "--slim", "--facing", "left"],
            avatar(left, 128),
            "fox",
        ),
        (
            &["ioshead", "knight.png", "--size", "40"],
            ioshead(right, 40),
            "knight",
        ),
        (&["iosbody", "knight.png"], iosbody(right, 64), "knight"),
    ];
    for (arguments, picture, name) in rows {
        let output = render(folder, &[arguments, &["-o", "out.png"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(text(&output.stderr), "Wrote out.png\n");
        let file = std::fs::read(folder.join("out.png")).unwrap();
        assert!(file == picture.of(skin(name)), "{arguments:?}");
    }
    // Without a name of its own, the file has the skin's and the view's.
    let output = render(folder, &["head", "knight.png"]);
    assert_eq!(text(&output.stderr), "Wrote knight_head.png\n");
    assert!(folder.join("knight_head.png").exists());
    // A dash is standard output, and nothing else is said there.
    let output = render(folder, &["head", "knight.png", "-o", "-"]);
    assert!(output.stdout == face().of(skin("knight")));
}

#[test]
fn a_player_is_drawn_to_a_file() {
    let directory = TempDir::new().unwrap();
    let upstream = FakeUpstream::start();
    let url = upstream.url();
    let services = [
        "--java-identity-url",
        url,
        "--java-session-url",
        url,
        "--bedrock-lookup-url",
        url,
        "--texture-url",
        url,
        "-o",
        "-",
    ];
    for (player, name) in [("Gwendolin", "knight"), (".Bluejay", "diver")] {
        let output = render(
            directory.path(),
            &[&["head", player][..], &services].concat(),
        );
        assert!(
            output.stdout == face().of(skin(name)),
            "{}",
            text(&output.stderr)
        );
    }
    let output = render(
        directory.path(),
        &[&["skin", "Gwendolin"][..], &services].concat(),
    );
    assert!(output.stdout == skin("knight").png);
    let output = render(
        directory.path(),
        &[&["head", "Nobody"][..], &services].concat(),
    );
    assert_refused(&output, 1, &["Nobody"]);
}

#[test]
fn what_cannot_be_drawn_is_one_sentence() {
    let directory = TempDir::new().unwrap();
    let folder = directory.path();
    std::fs::write(folder.join("text.png"), "no picture").unwrap();
    std::fs::write(folder.join("knight.png"), skin("knight").png).unwrap();
    let rows: [(&[&str], i32, &str); 8] = [
        (&["head", "missing.png"], 1, "missing.png"),
        (&["head", "text.png"], 1, "text.png"),
        (
            &["head", "knight.png", "-o", "missing/out.png"],
            1,
            "missing/out.png",
        ),
        (&["head", "knight.png", "--size", "0"], 2, "--size"),
        (&["head", "knight.png", "--size", "2147483648"], 2, "--size"),
        (
            &["player", "knight.png", "--size", "2147483647"],
            1,
            "drawn",
        ),
        (&["head", "knight.png", "--facing", "up"], 2, "--facing"),
        (&["back", "knight.png"], 2, "back"),
    ];
    for (arguments, code, word) in rows {
        let output = render(folder, arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}

/// Puts a picture of this age into a database.
fn put(database: &Path, key: &str, age: Duration) {
    put_bytes(database, key, age, 3);
}

fn put_bytes(database: &Path, key: &str, age: Duration, length: usize) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let url = format!("sqlite:{}", database.display());
        let store = SqlStore::open(&url).await.unwrap();
        let image = CachedImage {
            data: Bytes::from(vec![7; length]),
            content_type: "image/png".to_owned(),
            created_at: SystemTime::now() - age,
        };
        store.write(&[(key, &image)], &[]).await.unwrap();
        store.close().await;
    });
}

#[test]
fn prune_deletes_expired_pictures() {
    let directory = TempDir::new().unwrap();
    let database = directory.path().join("effigy.db");
    let hour = Duration::from_secs(3_600);
    put(&database, "old", hour + Duration::from_secs(1));
    put(&database, "older", hour * 24);
    put(&database, "young", hour - Duration::from_secs(60));
    let prune = || {
        let mut command = effigy();
        // The default database is the one in the current directory.
        let output = command
            .current_dir(directory.path())
            .arg("prune")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert_eq!(prune(), "Deleted 2 pictures\n");
    assert_eq!(prune(), "Deleted 0 pictures\n");
}

#[test]
fn pruning_keeps_what_an_outage_may_need() {
    let directory = TempDir::new().unwrap();
    let database = directory.path().join("effigy.db");
    let hour = Duration::from_secs(3_600);
    put(&database, "old", hour * 2);
    put(&database, "older", hour * 26);
    let prune = |stale_if_error: &str| {
        let mut command = effigy();
        let command = command.current_dir(directory.path()).arg("prune");
        let output = command.env("STALE_IF_ERROR", stale_if_error).output();
        text(&output.unwrap().stdout)
    };
    // A picture that is 2 hours old is kept for an outage of up to a day.
    assert_eq!(prune("1d"), "Deleted 1 picture\n");
    assert_eq!(prune("1d"), "Deleted 0 pictures\n");
    assert_eq!(prune("0"), "Deleted 1 picture\n");
}

#[test]
fn prune_makes_a_database_smaller_that_is_too_large() {
    let directory = TempDir::new().unwrap();
    let database = directory.path().join("effigy.db");
    for (key, seconds) in [("new", 1), ("middle", 2), ("old", 3)] {
        put_bytes(&database, key, Duration::from_secs(seconds), 7 << 20);
    }
    let prune = |size: &str| {
        let mut command = effigy();
        let command = command.current_dir(directory.path()).arg("prune");
        let output = command.env("DATABASE_MAX_SIZE", size).output();
        text(&output.unwrap().stdout)
    };
    let nothing = "Deleted 0 pictures\n";
    assert_eq!(prune("1GiB"), nothing);
    assert_eq!(prune("0"), nothing);
    assert_eq!(prune("16MiB"), "Deleted 1 picture\n");
    assert_eq!(prune("16MiB"), nothing);
}
