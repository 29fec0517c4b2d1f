//! The commands of `docs/operations.md` for moving counts and for maintenance.

use std::process::Command;

use effigy_player::Edition;
use effigy_store::{Counts as _, SqlStore};
use tempfile::TempDir;

use crate::support::documents::{commands_of, read};
use crate::support::{PostgresServer, Server, find_program, text};

#[tokio::test(flavor = "multi_thread")]
async fn counts_move_from_sqlite_to_postgres() {
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    if find_program("sqlite3").is_none() {
        return;
    }
    let mut old = Server::start();
    draw_and_stop(&mut old, 7);
    let url = postgres.url("postgres");
    let mut new = Server::start_with(&["--database-url", &url]);
    draw_and_stop(&mut new, 3);

    let documented = commands_of("docs/operations.md", "sudo sqlite3 ");
    let database = old.database().display().to_string();
    let commands = documented
        .replace("/var/lib/effigy/effigy.db", &database)
        .replace("sudo ", "");
    assert!(commands.contains(&database));
    let script = format!("set -e\n{commands}");
    let folder = TempDir::new().unwrap();
    let mut bash = Command::new("bash");
    bash.args(["-c", &script]).current_dir(&folder);
    let output = bash.env("EFFIGY_DATABASE_URL", &url).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let store = SqlStore::open(&url).await.unwrap();
    assert_eq!(store.counts().await.unwrap()[0], (Edition::Java, 10));
    store.close().await;
}

/// Requests pictures of different sizes, and stops the server.
fn draw_and_stop(server: &mut Server, pictures: u32) {
    for size in 1..=pictures {
        let path = format!("/head/Gwendolin/{size}");
        assert_eq!(server.get(&path).status, 200, "{path}");
    }
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn maintenance_runs_with_the_properties_of_the_service() {
    let command = commands_of("docs/operations.md", "sudo systemd-run ");
    let unit = read("bins/effigy/packaging/effigy.service");
    let mut count = 0;
    for word in command.split_whitespace() {
        let Some(property) = word.strip_prefix("--property=") else {
            continue;
        };
        // The unit doesn't name its user, which has the name of the unit.
        let is_of_unit = unit.lines().any(|line| line == property);
        assert!(is_of_unit || property == "User=effigy", "{property}");
        count += 1;
    }
    assert_eq!(count, 5);
    assert!(command.ends_with("/usr/bin/effigy prune"));
    assert!(unit.contains("\nExecStart=/usr/bin/effigy serve\n"));
}
