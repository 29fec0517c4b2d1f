//! The chapters "Upgrade, move, back up" and "Commands beside the service" of the documents.

use std::process::Command;

use effigy_player::Edition;
use effigy_store::{Counts as _, SqlStore};
use tempfile::TempDir;

use crate::{
    documents::names::read,
    support::{PostgresServer, Server, find_program, text},
};

/// The commands of a document from one that begins with this text to the end of their block.
#[track_caller]
fn commands(document: &str, begin: &str) -> String {
    let document = read(document);
    let position = document.find(&format!("```bash\n{begin}")).unwrap();
    let block = &document[position + "```bash\n".len()..];
    block.split("```").next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_move_from_sqlite_to_postgres() {
    let (Some(postgres), Some(_)) = (PostgresServer::start(), find_program("sqlite3")) else {
        return;
    };
    let mut old = Server::start();
    for size in 1..=7 {
        assert_eq!(old.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
    old.signal("TERM");
    assert_eq!(old.wait(), Some(0));
    let url = postgres.url("postgres");
    let new = Server::start_with(&["--database-url", &url]);
    for size in 1..=3 {
        assert_eq!(new.get(&format!("/head/Gwendolin/{size}")).status, 200);
    }
    let mut new = new;
    new.signal("TERM");
    assert_eq!(new.wait(), Some(0));

    let script = commands("docs/operations.md", "sudo sqlite3 ");
    let database = old.database().display().to_string();
    let script = script.replace("/var/lib/effigy/effigy.db", &database);
    let script = format!("set -e\n{}", script.replace("sudo ", ""));
    assert!(script.contains(&database));
    let folder = TempDir::new().unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).current_dir(&folder);
    let output = bash.env("EFFIGY_DATABASE_URL", &url).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let store = SqlStore::open(&url).await.unwrap();
    assert_eq!(store.counts().await.unwrap()[0], (Edition::Java, 10));
    store.close().await;
}

#[test]
fn commands_beside_the_service_have_its_properties() {
    let command = commands("docs/operations.md", "sudo systemd-run ");
    let unit = read("bins/effigy/packaging/effigy.service");
    let words = command.split_whitespace();
    let properties: Vec<&str> = words
        .filter_map(|word| word.strip_prefix("--property="))
        .collect();
    assert_eq!(properties.len(), 5);
    for property in properties {
        // The unit has the user of its own name without saying so.
        let is_of_unit = unit.lines().any(|line| line == property);
        assert!(is_of_unit || property == "User=effigy", "{property}");
    }
    assert!(command.trim_end().ends_with("/usr/bin/effigy prune"));
    assert!(unit.contains("\nExecStart=/usr/bin/effigy serve\n"));
}
