//! The documents list the settings and metrics that the program has.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use crate::support::{Server, run, text};

const README: &str = include_str!("../../../../../README.md");
const OPERATIONS: &str = include_str!("../../../../../docs/operations.md");
const SECURITY: &str = include_str!("../../../../../docs/SECURITY.md");

/// The cells of the rows whose first cell is a word in code that begins so, by that word.
fn rows<'a>(document: &'a str, beginning: &str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let rows = document.lines().filter_map(|line| {
        let row = line.strip_prefix("| `")?;
        let (word, rest) = row.split_once("` |")?;
        let cells = rest.split('|').map(str::trim).collect();
        word.starts_with(beginning).then_some((word, cells))
    });
    rows.collect()
}

/// The variable and the default of every flag of `serve` that has them, by the flag.
fn settings() -> BTreeMap<String, (String, String)> {
    let help = text(&run(&["serve", "--help"]).stdout);
    let between = |text: &str, before: &str, after: &str| {
        let (_, rest) = text.split_once(before)?;
        Some(rest.split_once(after)?.0.to_owned())
    };
    let flags = help.split("\n      --").skip(1).filter_map(|part| {
        let flag = format!("--{}", part.split_whitespace().next()?);
        let variable = between(part, "[env: ", "]")?;
        let variable = variable.split('=').next()?.to_owned();
        let default = between(part, "[default: ", "]").unwrap_or_default();
        Some((flag, (variable, default)))
    });
    flags.collect()
}

#[test]
fn every_setting_is_in_the_tables_with_its_variable_and_default() {
    let settings = settings();
    assert!(settings.len() > 20, "{settings:?}");
    let (readme, operations) = (rows(README, "--"), rows(OPERATIONS, "--"));
    for (flag, (variable, default)) in &settings {
        let row = operations.get(flag.as_str());
        let row = row.unwrap_or_else(|| panic!("operations.md has no {flag}"));
        for row in [Some(row), readme.get(flag.as_str())].into_iter().flatten() {
            assert_eq!(row[0], format!("`{variable}`"), "{flag}");
            let shown = if default.is_empty() {
                !row[1].starts_with('`')
            } else {
                row[1].starts_with(&format!("`{default}`"))
            };
            assert!(shown, "{flag} has the default {default:?}, not {}", row[1]);
        }
    }
    for flag in operations.keys().chain(readme.keys()) {
        assert!(settings.contains_key(*flag), "there is no {flag}");
    }
}

#[test]
fn every_figure_is_in_the_table() {
    // With a rate limit, so that its metric is there.
    let server = Server::start_with(&["--java-identity-limit", "100/1m"]);
    for path in ["/head/Gwendolin", "/head/Gwendolin", "/head/nobody"] {
        server.get(path);
    }
    let figures = String::from_utf8(server.get("/metrics").body).unwrap();
    let types = figures
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    let names: BTreeSet<&str> = types
        .filter_map(|line| line.split(' ').next())
        .filter(|name| name.starts_with("effigy_"))
        .collect();
    assert!(names.len() > 15, "{figures}");
    let rows = rows(OPERATIONS, "effigy_");
    // A row may be for two metrics.
    let documented: BTreeSet<&str> = rows.keys().flat_map(|row| row.split("`, `")).collect();
    let missing: Vec<_> = names.difference(&documented).collect();
    assert!(missing.is_empty(), "operations.md has no {missing:?}");
    let gone: Vec<_> = documented.difference(&names).collect();
    // There is no access log.
    assert_eq!(gone, [&"effigy_access_log_lost_lines_total"]);
}

/// The text of all Rust files in a folder.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let texts = entries.map(|entry| match entry.path() {
        path if path.is_dir() => sources(&path),
        path if path.extension().is_some_and(|end| end == "rs") => {
            fs::read_to_string(path).unwrap()
        }
        _ => String::new(),
    });
    texts.collect()
}

#[test]
fn every_threat_has_a_test_and_settings_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = ["crates", "bins"]
        .map(|folder| sources(&root.join(folder)))
        .concat();
    let (threats, _) = SECURITY
        .split_once("## Attacks under load")
        .expect("a heading");
    let rows = threats.lines().filter(|line| line.starts_with("| a"));
    let mut tests = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [_, _, settings_of_row, test] = cells[..] else {
            panic!("{row}");
        };
        let test = test.trim().trim_matches('`');
        if !test.contains(' ') {
            assert!(
                sources.contains(&format!("fn {test}()")),
                "there is no {test}"
            );
            tests += 1;
        }
        for flag in settings_of_row
            .split('`')
            .filter(|text| text.starts_with("--"))
        {
            assert!(
                settings().contains_key(flag) || flag == "--no-preview",
                "{flag}"
            );
        }
    }
    assert!(tests > 20, "{tests}");
}
