//! Files that change.

use std::{
    fs::{self, FileTimes},
    time::{Duration, SystemTime},
};

use effigy_upstream::SkinSource;

use super::{folder, texture, write};

#[test]
fn changes_are_noticed() {
    let (directory, folder) = folder(&[("NPC.png", b"one"), ("Notch.png", b"mine")]);
    let refreshed = || {
        folder.refresh(0);
        (texture(&folder, "NPC"), folder.revision("NPC"))
    };
    let (first, revision) = refreshed();
    assert_eq!(first.as_deref(), Some("one"));
    assert_eq!(refreshed(), (first, revision), "nothing changed");
    // The same length at the same time: a clock may be too coarse to tell the files apart.
    write(directory.path(), "NPC.png", b"two");
    let (second, other) = refreshed();
    assert_eq!(second.as_deref(), Some("two"));
    assert_ne!(other, revision);
    write(directory.path(), "NPC.cape.png", b"cape");
    assert_ne!(refreshed().1, other, "a cape changes the look");
    fs::remove_file(directory.path().join("NPC.cape.png")).expect("the cape");
    assert_eq!(refreshed().1, other, "the same for the same files");
    let path = |name| directory.path().join(name);
    fs::rename(path("NPC.png"), path("Guide.png")).expect("it");
    assert_eq!(refreshed(), (None, None));
    assert_eq!(texture(&folder, "Guide").as_deref(), Some("two"));
    assert_eq!(texture(&folder, "Notch").as_deref(), Some("mine"));
    fs::remove_file(directory.path().join("Notch.png")).expect("it");
    refreshed();
    assert_eq!(texture(&folder, "Notch").as_deref(), Some("Notch"));
}

#[test]
fn a_file_that_has_not_changed_for_a_while_is_not_read_again() {
    let (directory, folder) = folder(&[("NPC.png", b"one")]);
    let age = |content: &[u8], seconds| {
        write(directory.path(), "NPC.png", content);
        let path = directory.path().join("NPC.png");
        let file = fs::File::options().write(true).open(path);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let times = FileTimes::new().set_modified(time);
        file.and_then(|file| file.set_times(times)).expect("it");
        folder.refresh(0);
        texture(&folder, "NPC")
    };
    assert_eq!(age(b"two", 1_000).as_deref(), Some("two"));
    // As long and as old.
    assert_eq!(age(b"now", 1_000).as_deref(), Some("two"));
    assert_eq!(age(b"now", 1_001).as_deref(), Some("now"));
    assert_eq!(age(b"later", 1_001).as_deref(), Some("later"));
}
