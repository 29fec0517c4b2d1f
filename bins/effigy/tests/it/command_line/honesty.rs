//! Arguments, inputs and variables that must not be misunderstood in silence.

use std::{
    io::Write as _,
    path::Path,
    process::{Output, Stdio},
};

use crate::support::{
    Picture, assert_refused, avatar, effigy, head, ioshead, player, run, svg, text,
};
use effigy_render::{Facing, Layers};
use fixtures::{FakeUpstream, Fault, Step, skin};
use tempfile::TempDir;

/// A folder with a classic skin, a slim one, and two files that are not skins.
fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    for (file, bytes) in [
        ("knight.png", skin("knight").png),
        ("fox.png", skin("fox").png),
        ("fox.cape.png", fixtures::cape()),
        ("notes.txt", b"not a skin"),
    ] {
        std::fs::write(folder.path().join(file), bytes).unwrap();
    }
    folder
}

fn render(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = effigy();
    command.current_dir(folder).arg("render").args(arguments);
    command.output().unwrap()
}

fn face() -> Picture {
    head(Layers::Base, 128)
}

#[test]
fn the_extension_of_the_output_chooses_the_format() {
    let folder = files();
    for (file, expected) in [
        ("out.png", face()),
        ("out.PNG", face()),
        ("out.svg", svg(face())),
        ("out", face()),
    ] {
        let output = render(folder.path(), &["head", "knight.png", "-o", file]);
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"));
        let written = std::fs::read(folder.path().join(file)).unwrap();
        assert!(written == expected.of(skin("knight")), "{file}");
    }
    for file in ["out.webp", "out.jpg", "out.png.txt"] {
        let output = render(folder.path(), &["head", "knight.png", "-o", file]);
        assert_refused(&output, 2, &["--output", "PNG or SVG"]);
        assert!(!folder.path().join(file).exists());
    }
    let both = ["head", "knight.png", "--svg", "-o", "out.png"];
    assert_refused(&render(folder.path(), &both), 2, &["--svg", ".png"]);
}

#[test]
fn the_model_of_a_file_is_guessed_unless_it_is_given() {
    let folder = files();
    let body = || player(Layers::Base, 128);
    let draw = |arguments: &[&str]| {
        let arguments = [&["player"][..], arguments, &["-o", "-"]].concat();
        render(folder.path(), &arguments).stdout
    };
    // The expected pictures have the model of the fixture.
    assert!(skin("fox").slim && !skin("knight").slim);
    assert!(draw(&["fox.png"]) == body().of(skin("fox")));
    assert!(draw(&["fox.png", "--slim"]) == body().of(skin("fox")));
    assert!(draw(&["fox.png", "--classic"]) != body().of(skin("fox")));
    assert!(draw(&["knight.png"]) == body().of(skin("knight")));
    assert!(draw(&["knight.png", "--slim"]) != body().of(skin("knight")));
    let both = ["player", "fox.png", "--slim", "--classic"];
    assert_refused(&render(folder.path(), &both), 2, &["--slim", "--classic"]);
}

#[test]
fn a_fallback_skin_is_a_failure_unless_it_is_allowed() {
    let folder = files();
    let upstream = FakeUpstream::start();
    let services = [
        ["--java-identity-url", upstream.url()],
        ["--java-session-url", upstream.url()],
        ["--bedrock-lookup-url", upstream.url()],
        ["--texture-url", upstream.url()],
    ];
    let draw = |arguments: &[&str]| {
        let arguments = [arguments, services.as_flattened(), &["-o", "-"]].concat();
        render(folder.path(), &arguments)
    };
    let output = draw(&["head", ".Nobody"]);
    assert_refused(&output, 1, &["no such player", "--allow-fallback"]);
    let output = draw(&["head", ".Nobody", "--allow-fallback"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"\x89PNG"));
    assert!(text(&output.stderr).contains("fallback skin"));

    upstream.set_fault(Step::BedrockSkin, Some(Fault::status(500)));
    let output = draw(&["head", ".Bluejay", "--log=off"]);
    assert_refused(&output, 1, &["an upstream service failed"]);
    let output = draw(&["head", ".Bluejay", "--allow-fallback"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_dash_reads_a_skin_from_standard_input() {
    let folder = files();
    let draw = |bytes: &[u8], arguments: &[&str]| {
        let mut command = effigy();
        command
            .current_dir(folder.path())
            .args(["render", "head", "-"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait_with_output().unwrap()
    };
    let output = draw(skin("knight").png, &["-o", "-"]);
    assert!(output.stdout == face().of(skin("knight")));
    let output = draw(skin("knight").png, &[]);
    assert_eq!(text(&output.stderr), "Wrote stdin_head.png\n");
    let output = draw(b"no picture", &[]);
    assert_refused(&output, 1, &["standard input is not a skin"]);
}

#[test]
fn a_folder_is_all_skins_in_it() {
    let folder = files();
    let inside = folder.path().join("skins");
    std::fs::create_dir(&inside).unwrap();
    for file in ["knight.png", "fox.png", "fox.cape.png", "notes.txt"] {
        std::fs::rename(folder.path().join(file), inside.join(file)).unwrap();
    }
    std::fs::write(inside.join("Cape.png"), fixtures::cape()).unwrap();
    let output = render(folder.path(), &["ioshead", "skins", "-o", "out"]);
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to out\n");
    for name in ["fox", "knight"] {
        let written = std::fs::read(folder.path().join(format!("out/{name}_ioshead.png")));
        let expected = ioshead(Facing::Right, 64).of(skin(name));
        assert!(written.unwrap() == expected, "{name}");
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let output = render(folder.path(), &["ioshead", "empty"]);
    assert_refused(&output, 1, &["the folder empty has no skin"]);
}

#[test]
fn sizes_and_levels_that_make_no_sense_are_answered_in_words() {
    let folder = files();
    for size in ["-3", "abc", "0", "1.5", ""] {
        let output = render(folder.path(), &["head", "knight.png", "--size", size]);
        assert_refused(&output, 2, &["--size", "a whole number of pixels"]);
    }
    for log in ["nonsense", "effigy", "effigy=loud"] {
        let output = render(folder.path(), &["head", "knight.png", "--log", log]);
        assert_refused(&output, 2, &["--log", "error, warn, info"]);
    }
}

#[test]
fn arguments_that_count_for_nothing_are_refused() {
    let folder = files();
    let rows: [&[&str]; 13] = [
        &["skin", "--size=64"],
        &["skin", "--overlay"],
        &["skin", "--slim"],
        &["skin", "--facing=left"],
        &["skin", "--background=202225"],
        &["skin", "--padding=4"],
        &["skin", "--shape=circle"],
        &["skin", "--cape=fox.cape.png"],
        &["head", "--facing=left"],
        &["head", "--slim"],
        &["cube", "--classic"],
        &["bust", "--no-cape"],
        &["ioshead", "--yaw=3"],
    ];
    for arguments in rows {
        let flag = arguments[1].split('=').next().unwrap();
        let output = render(folder.path(), &[arguments, &["fox.png"]].concat());
        assert_refused(&output, 2, &[flag, "is only for"]);
    }
}

#[test]
fn an_empty_variable_counts_as_unset_and_1_as_true() {
    let folder = files();
    let mut command = effigy();
    let names = ["PORT", "LOG", "CONTACT", "JAVA_IDENTITY_URL", "MAX_SIZE"];
    let output = command
        .current_dir(folder.path())
        .envs(names.map(|name| (name, "")))
        .args(["render", "avatar", "knight.png", "-o", "-"])
        .output()
        .unwrap();
    assert_eq!(text(&output.stderr), "");
    assert!(output.stdout == avatar(Facing::Right, 128).of(skin("knight")));
    let mut command = effigy();
    let command = command.envs([("PORT", ""), ("NO_PREVIEW", "1"), ("MAX_SIZE", "")]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = command
        .args(["demo", "--listen=127.0.0.1", "--port", &port])
        .output();
    assert_refused(&output.unwrap(), 1, &["taken"]);
}

#[test]
fn prune_creates_no_database() {
    let folder = TempDir::new().unwrap();
    let mut command = effigy();
    let output = command.current_dir(folder.path()).arg("prune").output();
    assert_refused(
        &output.unwrap(),
        1,
        &["there is no database file `effigy.db`"],
    );
    assert!(folder.path().read_dir().unwrap().next().is_none());
}

#[test]
fn settings_are_under_headings_after_the_examples() {
    for (command, own, heading) in [
        ("serve", "--port", "Server"),
        ("render", "--yaw", "Direction and pose"),
    ] {
        let help = text(&run(&[command, "--help"]).stdout);
        let section = |heading: &str| {
            let (_, section) = help.split_once(&format!("\n{heading}:\n")).expect(heading);
            section.split("\n\n\n").next().expect(heading).to_owned()
        };
        assert!(
            section("Upstream services").contains("--java-identity-url"),
            "{command}"
        );
        assert!(section(heading).contains(own), "{command}");
        assert!(section("Log").contains("--log <"), "{command}");
        assert!(help.find("Examples:") < help.find("Options:"), "{command}");
    }
}

#[test]
fn a_short_help_is_one_screen() {
    for command in [
        "",
        "serve",
        "demo",
        "render",
        "providers",
        "prune",
        "health",
        "completions",
        "man",
    ] {
        let arguments = [command, "-h"].into_iter().filter(|word| !word.is_empty());
        let help = text(&run(&arguments.collect::<Vec<_>>()).stdout);
        assert!(help.lines().count() <= 45, "{command}: {help}");
    }
}

#[test]
fn several_pictures_are_not_written_to_one_file() {
    let folder = files();
    for file in ["one.png", "one.svg", "-"] {
        let output = render(
            folder.path(),
            &["face", "knight.png", "fox.png", "-o", file],
        );
        assert_refused(
            &output,
            2,
            &["--output", "is not a folder", "effigy render group"],
        );
        assert!(!folder.path().join(file).exists());
    }
}
