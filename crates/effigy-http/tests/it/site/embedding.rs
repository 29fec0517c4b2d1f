//! The snippets of `docs/embedding.md`: a server answers every address, and the snippets that make
//! addresses are run where their languages are installed.

use std::{
    fs,
    io::{self, Write},
    process::Command,
};

use effigy_testing::code_blocks;
use tempfile::TempDir;

use crate::support::Server;

const DOCUMENT: &str = include_str!("../../../../../docs/embedding.md");

/// The service of the document.
const SERVICE: &str = "https://skins.example.org";

const UUID: &str = "069a79f4-44e9-4726-a5be-fca90e38aaf5";

/// Values of the placeholders of templates and languages, between which are spaces.
const PLACEHOLDERS: [(&str, &str); 9] = [
    (UUID, "${playerUUID} {$uuid} {uuid} %s"),
    ("069a79f444e94726a5befca90e38aaf5", "{uuid-nodashes}"),
    ("Notch", "{$user->name} {identifier} {$name} ${name}"),
    ("bust", "{$view} ${view}"),
    ("64", "{$size} ${size} {size}"),
    ("", "#{texture} `https://skins.example.org`"),
    (" ", "[/img]"),
    ("&", "&amp;"),
    ("6c1a8ab2d9a9", "{texture}"),
];

/// The paths of all addresses in a text.
fn paths(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for (value, placeholders) in PLACEHOLDERS {
        for placeholder in placeholders.split(' ') {
            text = text.replace(placeholder, value);
        }
    }
    let rest = text.split(SERVICE).skip(1);
    let is_end = |c: char| c.is_whitespace() || "\"'`<>)".contains(c);
    let paths = rest.map(|rest| rest.split(is_end).next().unwrap_or_default().to_owned());
    paths.filter(|path| path != "/").collect()
}

#[test]
fn every_address_is_a_picture() {
    let server = Server::start();
    let paths = paths(DOCUMENT);
    assert!(paths.len() >= 20, "{paths:?}");
    for path in &paths {
        assert!(!path.contains(['{', '$', '%', '[']), "unknown: {path}");
        let reply = server.ok(path);
        let content_type = match path.split('?').next().unwrap().rsplit_once('.') {
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "gif")) => "image/gif",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            _ => "image/png",
        };
        assert_eq!(reply.header("content-type"), Some(content_type), "{path}");
    }
}

/// Runs a program that writes addresses, one a line.
fn assert_prints_pictures(program: &str, name: &str, script: &str) {
    let Some(output) = run(program, &[], name, script) else {
        return;
    };
    let paths = paths(&output);
    assert_eq!(paths.len(), 2, "{output}");
    // A gamertag with a blank.
    assert!(paths[1].contains("/.Two%20Words?"), "{paths:?}");
    let server = Server::start();
    for path in paths {
        server.ok(&path);
    }
}

/// Runs a program on a file of this name and text, and returns what it writes. Without the program, says so, unless
/// `EFFIGY_REQUIRE_LANGUAGES=1`.
fn run(program: &str, arguments: &[&str], name: &str, text: &str) -> Option<String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    let output = Command::new(program).args(arguments).arg(file).output();
    let required = std::env::var_os("EFFIGY_REQUIRE_LANGUAGES").is_some_and(|set| set == "1");
    let Ok(output) = output else {
        assert!(!required, "{program} is not installed");
        // Written past the capture of the test harness, which hides the output of tests that pass.
        let _ = writeln!(io::stderr(), "skipped: no {program}");
        return None;
    };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {error}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_javascript_makes_addresses() {
    let function = code_blocks(DOCUMENT, "js")[0];
    let calls = "console.log(pictureUrl('Notch', 'bust', 32));\n\
                 console.log(pictureUrl('.Two Words', 'head', 64));\n";
    let script = format!("{function}\n{calls}");
    assert_prints_pictures("node", "embedding.mjs", &script);
}

#[test]
fn the_php_makes_addresses() {
    let php = code_blocks(DOCUMENT, "php");
    let calls = "\n<?= picture_url('Notch', 'bust', 32) ?>\n";
    let page = php[0].replacen("\n?>\n", &format!("\n?>{calls}"), 1);
    assert_prints_pictures("php", "embedding.php", &page);
    // The others need the projects that they are for.
    for (number, block) in php.iter().enumerate() {
        run("php", &["-l"], &format!("{number}.php"), block);
    }
}

#[test]
fn the_shortcode_makes_a_picture() {
    let php = code_blocks(DOCUMENT, "php");
    let shortcode = php.iter().find(|block| block.contains("add_shortcode"));
    let functions = "<?php\n\
        function add_shortcode($name, $make) { $GLOBALS[$name] = $make; }\n\
        function shortcode_atts($defaults, $given) { return array_merge($defaults, $given); }\n\
        function esc_url($url) { return str_replace('&', '&amp;', $url); }\n\
        function esc_attr($text) { return htmlspecialchars($text); }\n";
    let call = "\necho $GLOBALS['minecraft'](['player' => '.Two Words', 'size' => '32\"']);\n";
    let shortcode = shortcode.unwrap().replace("<?php\n", functions);
    let Some(output) = run("php", &[], "shortcode.php", &(shortcode + call)) else {
        return;
    };
    let [path] = &paths(&output)[..] else {
        panic!("one picture: {output}");
    };
    assert_eq!(path, "/v1/bust/.Two%20Words?size=32&default=steve");
    assert!(output.ends_with("width=\"32\" alt=\".Two Words\" loading=\"lazy\">"));
    Server::start().ok(path);
}

/// The folder of the package for websites.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../effigy-wasm/npm");

#[test]
fn the_types_of_the_element_are_those_of_its_attributes() {
    let script = format!(
        "import {{ EffigyFigure }} from '{PACKAGE}/effigy-figure.js';\n\
         console.log(EffigyFigure.observedAttributes.sort().join(' '));\n"
    );
    let Some(attributes) = run("node", &[], "attributes.mjs", &script) else {
        return;
    };
    let types = fs::read_to_string(format!("{PACKAGE}/effigy-figure.d.ts")).unwrap();
    let typed = types.lines().filter_map(|line| {
        let (name, _) = line.strip_prefix("  get ")?.split_once("()")?;
        Some(name.trim_matches('"'))
    });
    // That one is the method of every element.
    let mut typed: Vec<&str> = typed.chain(["animate"]).collect();
    typed.sort_unstable();
    assert_eq!(typed.join(" "), attributes.trim());
}

#[test]
fn the_types_of_the_package_fit_its_use() {
    let program =
        include_str!("embedding/use.ts").replace("effigy-figure/", &format!("{PACKAGE}/"));
    let options = "--strict --noEmit --target es2022 --module es2022 --moduleResolution node";
    let options: Vec<_> = options.split(' ').collect();
    run("tsc", &options, "use.ts", &program);
}
