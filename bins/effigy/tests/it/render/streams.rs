//! Standard input, closed pipes and terminals.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use effigy_render::Layers;

use crate::support::{SkinFolder, assert_refused, drawn, effigy, head, text};

/// Draws the face of a file that is standard input.
fn render_from_standard_input(files: &SkinFolder, file: &str, output: &str) -> Output {
    let mut command = effigy();
    command.stdin(File::open(files.path(file)).unwrap());
    command.current_dir(files.path("."));
    command.args(["render", "face", "-", output]);
    command.output().unwrap()
}

#[test]
fn dash_is_standard_input() {
    let files = SkinFolder::new();
    let picture = render_from_standard_input(&files, "knight.png", "-o-");
    assert!(picture.stdout == drawn(head(Layers::WithOverlay, 128), "knight"));
    let file = render_from_standard_input(&files, "knight.png", "--size=128");
    assert_eq!(text(&file.stderr), "Wrote stdin_face.png\n");
    let refused = render_from_standard_input(&files, "skins/notes.txt", "-o-");
    assert_refused(&refused, 1, &["standard input is not a skin"]);
}

#[test]
fn closed_pipes_end_the_command_quietly() {
    let files = SkinFolder::new();
    for words in [
        &["render", "figure", "fox.png", "-o", "-"][..],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut command = effigy();
        command.current_dir(files.path(".")).args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn terminals_show_the_progress() {
    let files = SkinFolder::new();
    let program = env!("CARGO_BIN_EXE_effigy");
    let command = format!("{program} render head knight.png fox.png");
    // `script` runs a command in a terminal of its own.
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]);
    let output = script.current_dir(files.path(".")).output().unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains("█ 2/2"), "{shown}");
    assert!(shown.ends_with("Wrote 2 pictures to .\r\n"), "{shown}");
}
