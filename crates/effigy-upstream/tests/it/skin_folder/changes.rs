//! Files that change.

use std::{
    fs::{self, FileTimes},
    time::{Duration, SystemTime},
};

use effigy_upstream::SkinSource;

use super::{folder, skin};
use crate::providers::write;

#[test]
fn changes_are_noticed() {
    let (directory, folder) = folder(&[("NPC.png", b"one"), ("Notch.png", b"mine")]);
    let refreshed = || {
        folder.refresh(0);
        (skin(&folder, "NPC"), folder.revision("NPC"))
    };
    let (first, revision) = refreshed();
    assert_eq!(first, "one classic");
    assert_eq!(refreshed(), (first, revision), "nothing changed");
    // The same length at the same time: a clock may be too coarse to tell the files apart.
    write(directory.path(), "NPC.png", b"two");
    let (second, other) = refreshed();
    assert_eq!(second, "two classic");
    assert_ne!(other, revision);
    write(directory.path(), "NPC.cape.png", b"cape");
    assert_ne!(refreshed().1, other, "a cape changes the look");
    fs::remove_file(directory.path().join("NPC.cape.png")).expect("the cape");
    assert_eq!(refreshed().1, other, "the same for the same files");
    let path = |name| directory.path().join(name);
    fs::rename(path("NPC.png"), path("Guide.png")).expect("it");
    assert_eq!(refreshed(), ("nobody".to_owned(), None));
    assert_eq!(skin(&folder, "Guide"), "two classic");
    assert_eq!(skin(&folder, "Notch"), "mine classic");
    fs::remove_file(directory.path().join("Notch.png")).expect("it");
    refreshed();
    assert_eq!(skin(&folder, "Notch"), "Notch classic");
}

#[test]
#[cfg(unix)]
fn a_change_that_keeps_length_and_time_is_noticed() {
    use std::os::unix::fs::PermissionsExt;

    let (directory, folder) = folder(&[("NPC.png", b"one")]);
    let file = directory.path().join("NPC.png");
    let refreshed = || {
        folder.refresh(0);
        skin(&folder, "NPC")
    };
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
    let age = || {
        let file = fs::File::options().write(true).open(&file);
        let times = FileTimes::new().set_modified(time);
        file.and_then(|file| file.set_times(times)).expect("it");
    };
    // A change is seen if the clock has gone on.
    let wait = || std::thread::sleep(Duration::from_millis(50));
    age();
    assert_eq!(refreshed(), "one classic");
    wait();
    write(directory.path(), "NPC.png", b"two");
    age();
    assert_eq!(refreshed(), "two classic");
    // What nobody can read is as long and as old when everybody can. The superuser reads it anyway.
    let allow = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("it");
    allow(0o000);
    refreshed();
    wait();
    allow(0o644);
    assert_eq!(refreshed(), "two classic");
}
