//! The command line for people: many pictures at once, health, completions, the manual.

use std::{
    net::TcpListener,
    path::Path,
    process::{Command, Output},
    thread,
    time::Duration,
};

use crate::support::{
    Picture, Server, assert_refused, avatar, bust, combo, effigy, head, iosbody, player, run, svg,
    text, without_overlay,
};
use effigy_render::{Facing, Layers};
use fixtures::{FakeUpstream, Fault, Step, skin};
use tempfile::TempDir;

/// A folder with two skin files.
fn skins() -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["knight", "wizard"] {
        let file = folder.path().join(format!("{name}.png"));
        std::fs::write(file, skin(name).png).unwrap();
    }
    folder
}

fn render(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = effigy();
    command.current_dir(folder).arg("render").args(arguments);
    command.output().unwrap()
}

/// The settings that use the fake upstream for all four services.
fn services(upstream: &FakeUpstream) -> Vec<&str> {
    [
        "--java-identity-url",
        "--java-session-url",
        "--bedrock-lookup-url",
        "--texture-url",
    ]
    .into_iter()
    .flat_map(|flag| [flag, upstream.url()])
    .collect()
}

#[test]
fn many_pictures_go_into_a_folder() {
    let folder = skins();
    let upstream = FakeUpstream::start();
    let arguments = [
        "head",
        "knight.png",
        "wizard.png",
        "Reynard",
        ".Two Words",
        "-o",
        "out/faces",
    ];
    let output = render(
        folder.path(),
        &[&arguments[..], &services(&upstream)].concat(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "Wrote 4 pictures to out/faces\n");
    assert_eq!(text(&output.stdout), "");
    let rows = [
        ("knight_head.png", "knight"),
        ("wizard_head.png", "wizard"),
        ("Reynard_head.png", "fox"),
        (".Two_Words_head.png", "scientist"),
    ];
    for (file, name) in rows {
        let written = std::fs::read(folder.path().join("out/faces").join(file)).unwrap();
        assert!(written == head(Layers::Base, 128).of(skin(name)), "{file}");
    }
}

#[test]
fn views_from_every_side_and_as_svg() {
    let folder = skins();
    let base = Layers::Base;
    let worn = Layers::WithOverlay;
    let back = Facing::BackLeft;
    let rows: [(&[&str], &str, Picture); 8] = [
        (
            &["avatar", "knight.png", "--svg"],
            "knight_avatar.svg",
            svg(avatar(Facing::Right, 128)),
        ),
        (&["bust", "knight.png"], "knight_bust.png", bust(base, 128)),
        (
            &["combo", "knight.png", "--overlay", "--size=64"],
            "knight_combo.png",
            combo(worn, 64),
        ),
        (
            &["avatar", "knight.png", "--facing=back-left"],
            "knight_avatar.png",
            avatar(back, 128),
        ),
        (
            &[
                "iosbody",
                "knight.png",
                "--facing=back-left",
                "--no-overlay",
            ],
            "knight_iosbody.png",
            without_overlay(iosbody(back, 64)),
        ),
        (
            &["head", "knight.png", "--svg"],
            "knight_head.svg",
            svg(head(base, 128)),
        ),
        (
            &["head", "knight.png", "--svg", "--hat", "-o", "faces/"],
            "faces/knight_head.svg",
            svg(head(worn, 128)),
        ),
        (
            &["player", "knight.png", "-o", "figure.SVG"],
            "figure.SVG",
            svg(player(base, 128)),
        ),
    ];
    std::fs::create_dir(folder.path().join("faces")).unwrap();
    for (arguments, file, expected) in rows {
        let output = render(folder.path(), arguments);
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"));
        let written = std::fs::read(folder.path().join(file)).unwrap();
        let expected = expected.of(skin("knight"));
        assert!(written == expected, "{file}");
    }
    let many = ["bust", "knight.png", "wizard.png", "--svg", "-o", "busts"];
    let output = render(folder.path(), &many);
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to busts\n");
    assert!(folder.path().join("busts/wizard_bust.svg").exists());

    for arguments in [
        ["skin", "knight.png", "--svg"],
        ["skin", "knight.png", "-oskin.svg"],
    ] {
        let output = render(folder.path(), &arguments);
        assert_refused(&output, 2, &["a skin file cannot be svg"]);
    }
    let both = ["head", "knight.png", "--overlay", "--no-overlay"];
    assert_eq!(render(folder.path(), &both).status.code(), Some(2));
}

#[test]
fn what_fails_does_not_keep_the_others() {
    let folder = skins();
    let arguments = ["head", "knight.png", "missing.png", "wizard.png"];
    let output = render(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("Wrote 2 pictures to .\n"));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("effigy: missing.png: cannot read missing.png"),
        "{errors}"
    );
    assert!(
        errors.ends_with("effigy: 1 of 3 pictures could not be made\n"),
        "{errors}"
    );
    assert!(folder.path().join("wizard_head.png").exists());
}

#[test]
fn many_pictures_need_a_folder_and_names_of_their_own() {
    let folder = skins();
    let rows: [(&[&str], &str); 3] = [
        (&["head", "knight.png", "wizard.png", "-o", "-"], "--output"),
        (
            &["head", "knight.png", "wizard.png", "-o", "knight.png"],
            "--output",
        ),
        (&["head", "knight.png", "./knight.png"], "knight_head.png"),
    ];
    for (arguments, word) in rows {
        assert_refused(&render(folder.path(), arguments), 2, &[word]);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 2);
}

#[test]
fn one_picture_may_go_into_a_folder_too() {
    let folder = skins();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let output = render(
        folder.path(),
        &["head", "knight.png", "--overlay", "-o", "out"],
    );
    assert_eq!(text(&output.stderr), "Wrote out/knight_head.png\n");
    let written = std::fs::read(folder.path().join("out/knight_head.png")).unwrap();
    let hat = head(Layers::WithOverlay, 128);
    assert!(written == hat.of(skin("knight")));
}

#[test]
fn a_terminal_shows_how_far_it_is() {
    let folder = skins();
    let binary = env!("CARGO_BIN_EXE_effigy");
    let command = format!("{binary} render head knight.png wizard.png");
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains("█ 2/2"), "{shown}");
    assert!(shown.ends_with("Wrote 2 pictures to .\r\n"), "{shown}");
}

#[test]
fn help_teaches_by_examples() {
    for command in ["", "serve", "render", "health", "completions", "man"] {
        let arguments: Vec<&str> = [command, "--help"]
            .into_iter()
            .filter(|a| !a.is_empty())
            .collect();
        let help = text(&run(&arguments).stdout);
        let examples = help.split("Examples:").nth(1);
        let first = examples.and_then(|examples| examples.lines().nth(1));
        assert!(
            first.is_some_and(|line| line.starts_with("  effigy ")),
            "{command}: {help}"
        );
        assert!(
            !help.contains('\x1b'),
            "{command}: colours where no terminal is"
        );
    }
}

#[test]
fn health_asks_the_service() {
    let server = Server::start();
    let port = server.address().rsplit_once(':').unwrap().1.to_owned();
    let health = |arguments: &[&str]| {
        let mut command = effigy();
        // As a container has it.
        command.env("PORT", &port).arg("health").args(arguments);
        command.output().unwrap()
    };
    let output = health(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "green: Service is healthy\n");
    // Enough failures, and the report is red; the service itself still answers.
    server
        .upstream
        .set_fault(Step::Identity, Some(Fault::status(500)));
    for _ in 0..2 {
        // A report is reused for a second.
        thread::sleep(Duration::from_millis(1_100));
        server.get("/health");
    }
    let output = health(&[]);
    assert_refused(&output, 1, &["status 503", "red"]);
    let output = health(&["--live"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "the service answers\n");
}

#[test]
fn health_says_when_nothing_is_there() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let silent = run(&["health", "--port", &port, "--timeout", "100ms"]);
    assert_refused(&silent, 1, &["nothing answers", &port]);
    drop(listener);
    let refused = run(&["health", "--live", "--port", &port]);
    assert_refused(&refused, 1, &["nothing answers", &port]);
}

#[test]
fn shells_and_man_are_told_everything() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{shell}");
        let script = text(&output.stdout);
        for word in ["render", "health", "memory-cache"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = text(&run(&["man"]).stdout);
    assert!(
        page.contains(".TH effigy 1") && page.contains(".SH OPTIONS"),
        "{page}"
    );
    let page = text(&run(&["man", "render"]).stdout);
    assert!(page.contains(".TH effigy-render 1"), "{page}");
    assert!(page.contains("\\-\\-facing"), "{page}");
    assert_refused(&run(&["man", "nothing"]), 2, &["nothing"]);
    assert_refused(&run(&["completions", "tcsh"]), 2, &["tcsh"]);
}

#[test]
fn bash_takes_the_completions() {
    let script = run(&["completions", "bash"]).stdout;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("effigy.bash");
    std::fs::write(&file, script).unwrap();
    let complete = "source \"$1\"; COMP_WORDS=(effigy ren); COMP_CWORD=1; \
                    _effigy effigy ren effigy; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", complete, "bash"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "render\n", "{}", text(&output.stderr));
}
