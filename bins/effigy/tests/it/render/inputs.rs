//! Arguments, inputs and variables that must not be misunderstood in silence.

use std::{
    ffi::OsStr,
    fs::{self, File},
    os::unix::ffi::OsStrExt as _,
    process::Output,
};

use crate::support::{assert_refused, drawn, effigy, head, player, run, services, text};
use effigy_render::Layers;
use fixtures::{FakeUpstream, Fault, Step, skin};
use tempfile::TempDir;

/// A folder with two skins and a cape, and in it another one, and an empty one.
pub(super) fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["skins", "empty"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    for (file, bytes) in [
        ("knight.png", skin("knight").png),
        ("fox.png", skin("fox").png),
        ("cape.png", fixtures::cape()),
        ("skins/fox.png", skin("fox").png),
        ("skins/wizard.png", skin("wizard").png),
        ("skins/fox.cape.png", fixtures::cape()),
        ("skins/Cape.png", fixtures::cape()),
        ("skins/notes.txt", b"not a skin"),
    ] {
        fs::write(folder.path().join(file), bytes).unwrap();
    }
    folder
}

/// Runs `effigy render` with these words, in which `%20` is a blank.
pub(super) fn render(folder: &TempDir, words: &str) -> Output {
    let mut command = effigy();
    command.current_dir(folder).arg("render");
    let words = words.split(' ').map(|word| word.replace("%20", " "));
    command.args(words).output().unwrap()
}

pub(super) fn read(folder: &TempDir, file: &str) -> Vec<u8> {
    fs::read(folder.path().join(file)).unwrap()
}

/// Words of `effigy render` whose files cannot be meant, or whose picture cannot be made; the exit code, and a part of the
/// error. The words that need no file are in a table of the command line's own crate.
#[rustfmt::skip]
const REFUSED: [(&str, i32, &str); 28] = [
    ("face knight.png -o out.webp", 2, "PNG or SVG"),
    ("face knight.png -o out.png.txt", 2, "PNG or SVG"),
    ("face knight.png --svg -o out.png", 2, "end it in .svg"),
    ("face knight.png -o x.apng", 2, "only a figure, portrait or cube does"),
    ("face knight.png -o x.gif", 2, "only a figure, portrait or cube does"),
    ("figure knight.png --turn -o x.svg", 2, "a moving picture is .apng or .gif"),
    ("figure fox.png --cape fox.png", 1, "fox.png is not a cape"),
    ("figure fox.png --cape missing.png", 1, "cannot read missing.png"),
    ("group fox.png missing.png", 1, "cannot read missing.png"),
    ("face fox.png knight.png -o one.svg", 2, "effigy render group"),
    ("face fox.png knight.png -o -", 2, "effigy render group"),
    ("isohead empty", 1, "the folder empty has no skin"),
    ("head missing.png", 1, "missing.png"),
    ("head skins/notes.txt", 1, "skins/notes.txt is not a skin"),
    ("head missing.jpg", 1, "cannot read missing.jpg"),
    ("head notch.png.bak", 1, "cannot read notch.png.bak"),
    ("head fox.png -o knight.png/out.png", 1, "cannot create the folder knight.png"),
    ("player fox.png --size 2147483647", 1, "drawn"),
    ("skin fox.png --svg", 2, "skin and cape are PNG files"),
    ("skin fox.png -ox.svg", 2, "skin and cape are PNG files"),
    ("head nowhere/", 1, "there is no folder nowhere/"),
    ("head fox.png nowhere/", 1, "there is no folder nowhere/"),
    ("head fox.png --file-name {stem}.{ext} -o x.png", 2, "which --file-name doesn't name"),
    ("head fox.png --file-name {stem}", 2, "end it in .{ext}"),
    ("head fox.png knight.png -o /proc", 1, "error: cannot write to the folder /proc: "),
    ("cape fox.png", 1, "fox.png is not a cape"),
    ("cape missing.png", 1, "cannot read missing.png"),
    ("cape cape.png -o x.svg", 2, "skin and cape are PNG files"),
];

#[test]
fn arguments_that_cannot_be_meant_are_refused() {
    let folder = files();
    let count = || folder.path().read_dir().unwrap().count();
    let before = count();
    for (words, code, error) in REFUSED {
        assert_refused(&render(&folder, words), code, &[error]);
        assert_eq!(count(), before, "{words}");
    }
}

#[test]
fn variables_of_a_server_do_not_matter_to_other_commands() {
    let folder = files();
    let variables = [
        ("PORT", "tcp://10.0.0.1:80"),
        ("EFFIGY_PORT", "x"),
        ("LOG", "/var/log"),
        ("SKINS", "/nope"),
    ];
    for words in [
        &["render", "face", "fox.png", "-o-"][..],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut command = effigy();
        command.current_dir(&folder).envs(variables).args(words);
        let output = command.output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0));
    }
    for words in [&[][..], &["serve"], &["demo"], &["health"]] {
        let output = effigy().envs(variables).args(words).output().unwrap();
        assert_refused(&output, 2, &["'x' for '--port <PORT>, from EFFIGY_PORT'"]);
    }
    let typed = effigy()
        .envs(variables)
        .args(["serve", "--port=y"])
        .output();
    assert_refused(&typed.unwrap(), 2, &["'y' for '--port <PORT>': "]);
    let output = effigy().env("NO_PREVIEW", "maybe").output().unwrap();
    let words = "'--no-preview, from NO_PREVIEW': write true, yes, on or 1, or";
    assert_refused(&output, 2, &[words]);
    let no_text = OsStr::from_bytes(b"\xff");
    let output = effigy().env("EFFIGY_PORT", no_text).output().unwrap();
    assert_refused(&output, 2, &["invalid UTF-8"]);
}

#[test]
fn the_model_of_a_file_is_guessed_unless_it_is_given() {
    let folder = files();
    // The expected pictures have the model of the fixture.
    assert!(skin("fox").slim && !skin("knight").slim);
    for (words, name, is_own) in [
        ("body fox.png", "fox", true),
        ("body fox.png --slim", "fox", true),
        ("body fox.png --classic", "fox", false),
        ("body knight.png", "knight", true),
        ("body knight.png --slim", "knight", false),
    ] {
        let output = render(&folder, &format!("{words} -o -")).stdout;
        let own = drawn(player(Layers::WithOverlay, 128), name);
        assert_eq!(output == own, is_own, "{words}");
    }
}

#[test]
fn a_fallback_skin_is_a_failure_unless_it_is_allowed() {
    let folder = files();
    let upstream = FakeUpstream::start();
    let services = services(&upstream).join(" ");
    let draw = |words| render(&folder, &format!("face {words} -o - {services}"));
    let output = draw(".Nobody");
    assert_refused(&output, 1, &["no such player", "--allow-fallback"]);
    let output = draw(".Nobody --allow-fallback");
    assert!(output.stdout.starts_with(b"\x89PNG"));
    assert!(text(&output.stderr).contains("fallback skin"));
    let output = draw(".NoPocketSkin");
    assert_refused(&output, 1, &["has no skin", "--allow-fallback"]);
    assert_eq!(
        draw(".NoPocketSkin --allow-fallback").status.code(),
        Some(0)
    );
    upstream.set_fault(Step::BedrockSkin, Some(Fault::status(500)));
    let output = draw(".Bluejay --log=off");
    assert_refused(&output, 1, &["status 500", "--allow-fallback"]);
    let output = draw(".Bluejay --allow-fallback");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn players_are_named_as_at_the_service() {
    let folder = files();
    let upstream = FakeUpstream::start();
    let services = services(&upstream).join(" ");
    let body = player(Layers::WithOverlay, 128);
    for (words, skin) in [
        ("body .Two+Words", "scientist"),
        ("body *SlimPocket --bedrock-prefix=*", "gardener"),
        // No Bedrock player has the gamertag `ard`.
        ("body Reynard --bedrock-prefix=Reyn", "fox"),
        (
            "body 7cb3ba52ddd5cc82c0b050c3f920f87da36add80165846f479079663805433db",
            "gardener",
        ),
    ] {
        let output = render(&folder, &format!("{words} -o - {services}"));
        assert!(
            output.stdout == drawn(body, skin),
            "{words}: {}",
            text(&output.stderr)
        );
    }
    let output = render(&folder, &format!("body {{uuid}} -o - {services}"));
    assert_refused(&output, 1, &["placeholder"]);
    let unknown = "1".repeat(64);
    let output = render(&folder, &format!("body {unknown} -o - {services}"));
    assert_refused(&output, 1, &["cannot get the texture"]);
}

#[test]
fn a_dash_reads_a_skin_from_standard_input() {
    let folder = files();
    let draw = |file: &str, output| {
        let mut command = effigy();
        command.stdin(File::open(folder.path().join(file)).unwrap());
        command.current_dir(&folder).args(["render", "face", "-"]);
        command.arg(output).output().unwrap()
    };
    let output = draw("knight.png", "-o-");
    assert!(output.stdout == drawn(head(Layers::WithOverlay, 128), "knight"));
    let output = draw("knight.png", "--size=128");
    assert_eq!(text(&output.stderr), "Wrote stdin_face.png\n");
    let output = draw("skins/notes.txt", "-o-");
    assert_refused(&output, 1, &["standard input is not a skin"]);
}

#[test]
fn the_last_line_has_the_form_of_the_log() {
    let arguments = ["serve", "--log-format=json", "--database-url=nowhere"];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    let log = text(&output.stderr);
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["level"], "ERROR", "{log}");
    let output = run(&[arguments[0], arguments[2]]);
    assert!(text(&output.stderr).contains("\nerror: "), "{output:?}");
    // Without a log, the error has no form but its own.
    let output = run(&[&arguments[..], &["--log=off"]].concat());
    assert!(text(&output.stderr).starts_with("error: "), "{output:?}");
}

#[test]
fn prune_creates_no_database() {
    let folder = TempDir::new().unwrap();
    let output = effigy().current_dir(&folder).arg("prune").output().unwrap();
    assert_refused(&output, 2, &["there is no database file `effigy.db`"]);
    assert!(folder.path().read_dir().unwrap().next().is_none());
    // One in memory is there.
    let output = run(&["prune", "--database-url=sqlite::memory:"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}
