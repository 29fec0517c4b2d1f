//! The places and formats of files.

use super::*;
use crate::render::tests::parse;

/// Returns the path that a single picture is written to.
fn path(arguments: &str, existing: Existing) -> String {
    match parse(arguments).output_file(existing).unwrap().place {
        Place::StandardOutput => "standard output".to_owned(),
        Place::File(path) => path.display().to_string(),
        Place::Folder(folder, names) => folder.join(names.of("fox")).display().to_string(),
    }
}

#[test]
fn single_pictures_go_to_a_file_or_a_folder() {
    use Existing::{Device, File, Folder, Nothing};
    for (words, existing, expected) in [
        ("face", Nothing, "fox_face.png"),
        ("face -o -", Nothing, "standard output"),
        ("face -o out", Nothing, "out.png"),
        ("face -o out", Folder, "out/fox_face.png"),
        ("face -o out/", Nothing, "out/fox_face.png"),
        ("face -o out.PNG", File, "out.PNG"),
        ("face -o out --svg", Nothing, "out.svg"),
        ("cube -o out --turn", Nothing, "out.apng"),
        ("cube -o out --gif", Nothing, "out.gif"),
        ("cube --gif", Nothing, "fox_cube.gif"),
        ("cube -o /dev/null", Device, "/dev/null"),
        ("group", Nothing, "group.png"),
        (
            "face --file-name {view}-{stem}.{ext}",
            Nothing,
            "face-fox.png",
        ),
    ] {
        assert_eq!(path(words, existing), expected, "{words}");
    }
}

#[test]
fn several_pictures_need_a_folder() {
    use Existing::{Device, File, Folder, Nothing};
    for (words, existing, is_folder) in [
        ("face", Folder, true),
        ("face -o out", Nothing, true),
        ("face -o out.png", Folder, true),
        ("face -o out.png", Nothing, false),
        ("face -o out", File, false),
        ("face -o /dev/null", Device, false),
        ("face -o -", Nothing, false),
    ] {
        let args = parse(words);
        assert_eq!(args.output_folder(existing).is_ok(), is_folder, "{words}");
    }
}

#[test]
fn extensions_that_do_not_fit_are_refused() {
    for (words, problem) in [
        ("face -o x.webp", "must end in .png or .svg"),
        ("face -o x.png.txt", "must end in .png or .svg"),
        ("face --svg -o x.png", "end it in .svg"),
        ("figure --gif -o x.png", "end it in .gif"),
        ("figure --gif -o x.apng", "end it in .gif"),
        ("figure --gif -o x.svg", "a moving picture is .apng or .gif"),
        ("face -o x.apng", "only figures, portraits and cubes move"),
        ("face -o x.gif", "only figures, portraits and cubes move"),
        (
            "figure -o x.gif --svg",
            "only figures, portraits and cubes move",
        ),
        (
            "figure --turn -o x.svg",
            "a moving picture is .apng or .gif",
        ),
        ("skin -o x.svg", "skin and cape are PNG files"),
        ("cape -o x.svg", "skin and cape are PNG files"),
        ("face --onto b.png -o x.svg", "end it in .png"),
        ("figure --onto b.png -o x.gif", "end it in .png"),
        ("figure --onto b.png -o x.apng", "end it in .png"),
        (
            "face --file-name {stem}.{ext} -o x.png",
            "--file-name cannot name it",
        ),
    ] {
        let error = parse(words).output_file(Existing::Nothing).unwrap_err();
        assert!(error.to_string().contains(problem), "{words}: {error}");
    }
}
