//! `effigy completions` and `effigy man`.

use std::process::Command;

use tempfile::TempDir;

use crate::support::{run, text};

#[test]
fn shells_are_listed_and_have_scripts() {
    let shells = text(&run(&["completions"]).stdout);
    assert_eq!(shells, "bash\nelvish\nfish\npowershell\nzsh\n");
    for shell in shells.lines() {
        assert!(run(&["completions", shell]).status.success(), "{shell}");
    }
}

#[test]
fn bash_completes_commands() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("effigy.bash");
    std::fs::write(&file, run(&["completions", "bash"]).stdout).unwrap();
    let complete = "source \"$1\"; COMP_WORDS=(effigy ren); COMP_CWORD=1; \
                    _effigy effigy ren effigy; echo \"${COMPREPLY[@]}\"";
    let mut bash = Command::new("bash");
    bash.args(["-c", complete, "bash"]).arg(&file);
    let output = bash.output().unwrap();
    assert_eq!(text(&output.stdout), "render\n", "{}", text(&output.stderr));
}

#[test]
fn manual_pages_are_printed() {
    assert!(text(&run(&["man"]).stdout).contains(".TH effigy 1"));
    assert!(text(&run(&["man", "render"]).stdout).contains(".TH effigy-render 1"));
}
