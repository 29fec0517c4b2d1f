//! `--skins`: a folder of skins that comes before the upstream services.

use std::{fs, path::Path};

use crate::support::{LOG_TO_FILE, Server, assert_picture, drawn, effigy, head, text};
use effigy_render::Layers;
use fixtures::{Fault, Step, client::Reply, skin, until};
use tempfile::TempDir;

fn put(folder: &TempDir, name: &str, content: &[u8]) {
    fs::write(folder.path().join(name), content).unwrap();
}

fn start(folder: &Path) -> Server {
    let arguments = ["--skins", folder.to_str().unwrap()];
    Server::start_with(&[&arguments[..], &LOG_TO_FILE].concat())
}

/// Requests a path until the reply is as expected.
#[track_caller]
fn wait_for_reply(server: &Server, path: &str, is_expected: impl Fn(&Reply) -> bool) {
    until(path, || is_expected(&server.get(path)));
}

#[test]
fn changed_files_show_at_once() {
    let folder = TempDir::new().unwrap();
    put(&folder, "NPC.png", skin("knight").png);
    let server = start(folder.path());
    let face = head(Layers::Base, 128);
    let first = server.get("/head/NPC");
    assert_picture(&first, face, "knight");
    assert_eq!(first.header("cache-control"), Some("no-cache"));
    put(&folder, "NPC.png", skin("robot").png);
    let robot = drawn(face, "robot");
    wait_for_reply(&server, "/head/NPC", |reply| reply.body == robot);
    fs::remove_file(folder.path().join("NPC.png")).unwrap();
    wait_for_reply(&server, "/head/NPC", |reply| reply.status == 500);
}

#[test]
fn players_of_folders_have_profiles_and_capes() {
    let folder = TempDir::new().unwrap();
    put(&folder, "NPC.png", skin("wizard").png);
    put(&folder, "NPC.cape.png", fixtures::cape());
    let server = start(folder.path());
    // An outage doesn't matter to them.
    for step in [Step::Identity, Step::Session, Step::Texture] {
        server.upstream.set_fault(step, Some(Fault::status(503)));
    }
    let profile = server.get("/v1/profile/npc").json();
    assert_eq!(profile["name"], "NPC");
    assert_eq!(profile["model"], "classic");
    for path in [
        "/skin/NPC",
        &format!("/skin/{}", profile["uuid"].as_str().unwrap()),
        profile["texture_url"].as_str().unwrap(),
    ] {
        assert!(server.get(path).body == skin("wizard").png, "{path}");
    }
    for path in ["/v1/cape/NPC", profile["cape_url"].as_str().unwrap()] {
        assert!(server.get(path).body == fixtures::cape(), "{path}");
    }
}

#[test]
fn unusable_files_are_named_once() {
    let folder = TempDir::new().unwrap();
    put(&folder, "Bad.png", b"no picture");
    put(&folder, "Good.png", skin("knight").png);
    let server = start(folder.path());
    put(&folder, "Worse.cape.png", skin("knight").png);
    put(&folder, "Late.png", skin("knight").png);
    wait_for_reply(&server, "/head/Late", |reply| reply.status == 200);
    put(&folder, "Later.png", skin("robot").png);
    wait_for_reply(&server, "/head/Later", |reply| reply.status == 200);
    assert_eq!(server.get("/head/Good").status, 200);
    assert_eq!(server.get("/head/Bad").status, 500);
    let log = server.log();
    for name in [
        "Bad.png\" is not used: it cannot be drawn",
        "Worse.cape.png\" is not used",
    ] {
        assert_eq!(log.matches(name).count(), 1, "{name} in {log}");
    }
}

#[test]
fn skins_of_a_folder_that_goes_away_stay_in_use() {
    let folder = TempDir::new().unwrap();
    put(&folder, "Good.png", skin("knight").png);
    let server = start(folder.path());
    let away = TempDir::new().unwrap();
    fs::rename(folder.path(), away.path().join("skins")).unwrap();
    server.wait_for_log("the skins that were read last stay in use: the folder cannot be read");
    assert_eq!(server.get("/head/Good/8").status, 200);
}

#[test]
fn render_draws_players_of_the_folder() {
    let folder = TempDir::new().unwrap();
    put(&folder, "NPC.png", skin("wizard").png);
    let mut command = effigy();
    command.args(["render", "head", "npc", "-o", "-", "--skins"]);
    let output = command.arg(folder.path()).output().unwrap();
    let face = drawn(head(Layers::Base, 128), "wizard");
    assert!(output.stdout == face);
    assert_eq!(text(&output.stderr), "");
}
