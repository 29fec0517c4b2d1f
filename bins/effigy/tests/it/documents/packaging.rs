//! The files of packages use settings and commands that the program has.

use std::collections::BTreeSet;

use super::names::read;
use crate::support::{run, text};

/// The names before `=` in lines that begin with `begin`.
fn variables<'a>(text: &'a str, begin: &str) -> Vec<&'a str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(begin));
    lines
        .filter_map(|rest| Some(rest.split_once('=')?.0))
        .collect()
}

#[test]
fn every_variable_is_a_setting() {
    let unit = read("bins/effigy/packaging/effigy.service");
    let defaults = read("bins/effigy/packaging/effigy.default");
    let image = read("Dockerfile");
    let found = [
        variables(&unit, "Environment="),
        // The lines of settings are commented out, those of words have a blank first.
        variables(&defaults, "#"),
        variables(&image, "ENV "),
    ];
    assert_eq!(found.each_ref().map(Vec::len), [4, 8, 1]);
    let help = text(&run(&["serve", "--help"]).stdout);
    for variable in found.concat() {
        let name = variable.trim_start_matches("EFFIGY_");
        let forms = ["=", "]"].map(|end| format!("[env: EFFIGY_{name}{end}"));
        assert!(forms.iter().any(|form| help.contains(form)), "{variable}");
    }
}

/// The services of the compose file: the name and the lines of each.
fn services(compose: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, rest) = compose.split_once("\nservices:\n").unwrap();
    let (services, _) = rest.split_once("\nnetworks:\n").unwrap();
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in services.lines() {
        let depth = line.len() - line.trim_start().len();
        match found.last_mut() {
            _ if depth == 2 => found.push((line.trim().trim_end_matches(':'), Vec::new())),
            Some((_, lines)) => lines.push(line.trim()),
            None => panic!("{line}"),
        }
    }
    found
}

#[test]
fn each_profile_starts_one_service_on_the_port() {
    let compose = read("docs/deploy/compose.yaml");
    let (template, _) = compose.split_once("\nx-settings:").unwrap();
    assert!(template.contains("ports: ['127.0.0.1:3005:3005'"));
    let on_the_port = services(&compose)
        .into_iter()
        .filter(|(_, lines)| lines.contains(&"<<: *effigy"));
    let mut profiles = Vec::new();
    for (name, lines) in on_the_port {
        let profile = lines.iter().find(|line| line.starts_with("profiles: "));
        profiles.push(*profile.unwrap_or_else(|| panic!("{name} has no profile")));
        assert!(lines.contains(&"<<: *settings"), "{name}");
    }
    assert_eq!(profiles, ["profiles: [sqlite]", "profiles: [postgres]"]);
}

#[test]
fn the_compose_file_trusts_its_gateway_and_hides_metrics() {
    let compose = read("docs/deploy/compose.yaml");
    let gateway = "172.30.0.1";
    assert!(compose.contains(&format!("EFFIGY_TRUSTED_PROXY: {gateway}\n")));
    assert!(compose.contains(&format!("gateway: {gateway} }}")));
    assert!(compose.contains("EFFIGY_METRICS_LISTEN: 0.0.0.0:9090\n"));
    assert!(compose.contains("'127.0.0.1:9090:9090'"));
    let help = text(&run(&["serve", "--help"]).stdout);
    let names = compose.lines().filter_map(|line| {
        let name = line.trim().split_once(": ")?.0;
        name.starts_with("EFFIGY_").then_some(name)
    });
    let names: Vec<&str> = names.collect();
    assert_eq!(names.len(), 4);
    for name in names {
        assert!(help.contains(&format!("[env: {name}")), "{name}");
    }
}

#[test]
fn the_health_check_is_understood() {
    let image = read("Dockerfile");
    let check = image
        .lines()
        .find_map(|line| line.trim().strip_prefix("CMD [\"/usr/bin/effigy\", "));
    let words = check.unwrap().trim_end_matches(']').split(", ");
    let words: Vec<&str> = words.map(|word| word.trim_matches('"')).collect();
    // Nothing listens on port 1; a command that is not understood would end with 2.
    let output = run(&[&words[..], &["--listen", "127.0.0.1", "--port", "1"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn the_manual_has_every_command() {
    let generate = read("bins/effigy/packaging/generate");
    let mut lines = generate.lines();
    let listed = lines.find_map(|line| line.strip_prefix("for command in "));
    let listed: BTreeSet<&str> = listed
        .unwrap()
        .trim_end_matches("; do")
        .split(' ')
        .collect();
    let help = text(&run(&["--help"]).stdout);
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: BTreeSet<&str> = names.filter(|name| !["", "help"].contains(name)).collect();
    assert_eq!(listed, commands);
}
