//! The Discord bot of `docs/embedding.md`, run with a stand-in for discord.js.

use std::{fs, os::unix::fs::symlink};

use base64::{Engine, prelude::BASE64_STANDARD};
use effigy_testing::Server;
use fixtures::{code_blocks, programs::run_in};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::PACKAGE;
use crate::{EMBEDDING, SERVICE};

/// Returns the replies of the bot to commands with these options.
fn replies(server: &Server, commands: &Value) -> Option<Vec<Value>> {
    let folder = TempDir::new().unwrap();
    let packages = folder.path().join("node_modules");
    let discord = packages.join("discord.js");
    fs::create_dir_all(&discord).unwrap();
    fs::write(discord.join("package.json"), "{ \"type\": \"module\" }").unwrap();
    fs::write(discord.join("index.js"), include_str!("discord.js")).unwrap();
    symlink(PACKAGE, packages.join("effigy-figure")).unwrap();

    let bot = code_blocks(EMBEDDING, "mjs")
        .concat()
        .replace(SERVICE, &server.url);
    fs::write(folder.path().join("bot.mjs"), bot).unwrap();
    let written = run_in(folder.path(), "node", &["bot.mjs", &commands.to_string()])?;
    Some(serde_json::from_str(&written).unwrap())
}

#[test]
fn bot_replies_with_the_picture_of_the_url() {
    let server = Server::start();
    let commands = json!([
        { "player": "Gwendolin" },
        { "player": ".Two Words", "pose": "walk" },
    ]);
    let Some(replies) = replies(&server, &commands) else {
        return;
    };
    let paths = [
        "/v1/figure/Gwendolin?size=256",
        "/v1/figure/.Two%20Words?size=256&pose=walk",
    ];
    for (path, reply) in paths.into_iter().zip(&replies) {
        let file = &reply[0];
        assert_eq!(file["name"], "skin.png", "{reply}");
        let content = file["content"].as_str().unwrap();
        let png = BASE64_STANDARD.decode(content).unwrap();
        assert!(png == server.ok(path).body, "{path}");
    }
    assert_eq!(replies.len(), paths.len());
}

#[test]
fn bot_replies_with_the_reason_of_a_failure() {
    let server = Server::start();
    let commands = json!([
        { "player": "Nobody" },
        { "player": "Gwendolin", "pose": "moonwalk" },
    ]);
    let Some(replies) = replies(&server, &commands) else {
        return;
    };
    let missing = server.get("/v1/skin/Nobody").json();
    assert_eq!(replies[0], missing["error"]);
    let unknown_pose = replies[1].as_str().unwrap();
    assert!(
        unknown_pose.starts_with("pose must be \"stand\", "),
        "{unknown_pose}"
    );
}
