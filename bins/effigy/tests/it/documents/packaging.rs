//! The files of packages and containers, which must fit the settings and commands of the program.

use std::collections::BTreeSet;

use crate::support::documents::read;
use crate::support::{run, text};

/// Returns the names before `=` in lines that begin with a prefix.
fn variables<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for line in text.lines() {
        let assignment = line.strip_prefix(prefix);
        if let Some((name, _)) = assignment.and_then(|rest| rest.split_once('=')) {
            names.push(name);
        }
    }
    names
}

/// Asserts that a variable is read by `effigy serve`.
#[track_caller]
fn assert_setting(help: &str, variable: &str) {
    // `DATABASE_URL` and `PORT` need no prefix.
    let name = match variable {
        "DATABASE_URL" | "PORT" => format!("EFFIGY_{variable}"),
        _ => variable.to_owned(),
    };
    let is_shown = |end: char| help.contains(&format!("[env: {name}{end}"));
    assert!(is_shown('=') || is_shown(']'), "{variable}");
}

#[test]
fn variables_of_packages_are_settings() {
    let unit = read("bins/effigy/packaging/effigy.service");
    let defaults = read("bins/effigy/packaging/effigy.default");
    let image = read("Dockerfile");
    let of_unit = variables(&unit, "Environment=");
    assert_eq!(of_unit.len(), 4);
    // Settings are commented out with a `#`, and other lines have a space after it.
    let of_defaults = variables(&defaults, "#");
    assert_eq!(of_defaults.len(), 8);
    let of_image = variables(&image, "ENV ");
    assert_eq!(of_image.len(), 1);
    let help = text(&run(&["serve", "--help"]).stdout);
    for variable in [of_unit, of_defaults, of_image].concat() {
        assert_setting(&help, variable);
    }
}

/// A service of the compose file.
struct ComposeService<'a> {
    name: &'a str,
    lines: Vec<&'a str>,
}

fn services(compose: &str) -> Vec<ComposeService<'_>> {
    let (_, rest) = compose.split_once("\nservices:\n").unwrap();
    let (block, _) = rest.split_once("\nnetworks:\n").unwrap();
    let mut services: Vec<ComposeService<'_>> = Vec::new();
    for line in block.lines() {
        let depth = line.len() - line.trim_start().len();
        if depth == 2 {
            services.push(ComposeService {
                name: line.trim().trim_end_matches(':'),
                lines: Vec::new(),
            });
        } else {
            services.last_mut().unwrap().lines.push(line.trim());
        }
    }
    services
}

#[test]
fn each_profile_starts_one_service_on_the_port() {
    let compose = read("docs/deploy/compose.yaml");
    let (template, _) = compose.split_once("\nx-settings:").unwrap();
    assert!(template.contains("ports: ['127.0.0.1:3005:3005'"));
    let mut profiles = Vec::new();
    for service in services(&compose) {
        if !service.lines.contains(&"<<: *effigy") {
            continue;
        }
        let name = service.name;
        assert!(service.lines.contains(&"<<: *settings"), "{name}");
        let mut lines = service.lines.into_iter();
        let profile = lines.find(|line| line.starts_with("profiles: "));
        profiles.push(profile.expect(name));
    }
    assert_eq!(profiles, ["profiles: [sqlite]", "profiles: [postgres]"]);
}

#[test]
fn compose_file_trusts_its_gateway_and_hides_metrics() {
    let compose = read("docs/deploy/compose.yaml");
    let gateway = "172.30.0.1";
    assert!(compose.contains(&format!("EFFIGY_TRUSTED_PROXY: {gateway}\n")));
    assert!(compose.contains(&format!("gateway: {gateway} }}")));
    assert!(compose.contains("EFFIGY_METRICS_LISTEN: 0.0.0.0:9090\n"));
    assert!(compose.contains("'127.0.0.1:9090:9090'"));
    let help = text(&run(&["serve", "--help"]).stdout);
    let mut count = 0;
    for line in compose.lines() {
        if let Some((name, _)) = line.trim().split_once(": ")
            && name.starts_with("EFFIGY_")
        {
            assert_setting(&help, name);
            count += 1;
        }
    }
    assert_eq!(count, 4);
}

#[test]
fn health_check_of_the_image_is_a_command() {
    let image = read("Dockerfile");
    let check = image
        .lines()
        .find_map(|line| line.trim().strip_prefix("CMD [\"/usr/bin/effigy\", "));
    let quoted_words = check.unwrap().trim_end_matches(']').split(", ");
    let words: Vec<&str> = quoted_words.map(|word| word.trim_matches('"')).collect();
    // Nothing listens on port 1. A command with a mistake would end with 2.
    let output = run(&[&words[..], &["--listen", "127.0.0.1", "--port", "1"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
}

#[test]
fn manual_pages_are_generated_for_every_command() {
    let generate = read("bins/effigy/packaging/generate");
    let mut lines = generate.lines();
    let list = lines.find_map(|line| line.strip_prefix("for command in "));
    let words = list.unwrap().trim_end_matches("; do").split(' ');
    let generated: BTreeSet<&str> = words.collect();
    let help = text(&run(&["--help"]).stdout);
    let (_, section) = help.split_once("Commands:\n").unwrap();
    let mut commands = BTreeSet::new();
    for line in section.lines().take_while(|line| !line.is_empty()) {
        // Continued descriptions are indented further.
        let name = line.strip_prefix("  ").unwrap().split(' ').next().unwrap();
        if !matches!(name, "" | "help") {
            commands.insert(name);
        }
    }
    assert_eq!(generated, commands);
}
