//! Programs of other languages: the snippets of `docs/embedding.md` that make addresses, and the
//! types of the package for websites. Without a language, a test says so and passes, unless
//! `EFFIGY_REQUIRE_LANGUAGES=1`.

mod bot;

use std::fs;

use effigy_testing::Server;
use fixtures::{code_blocks, programs::run_in};
use tempfile::TempDir;

use crate::{EMBEDDING, SERVICE};

/// The folder of the package for websites.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../effigy-wasm/npm");

/// Runs a program on a file of this name and text, and returns its output, or `None` if the program
/// is not installed.
fn run(program: &str, arguments: &[&str], name: &str, text: &str) -> Option<String> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    run_in(folder.path(), program, &[arguments, &[name]].concat())
}

/// Runs a script that writes the addresses of two pictures, and asserts that a server has both.
fn assert_writes_addresses(program: &str, name: &str, script: &str) {
    let Some(output) = run(program, &[], name, script) else {
        return;
    };
    let addresses: Vec<&str> = output.split_whitespace().collect();
    assert_eq!(addresses.len(), 2, "{output}");
    assert!(addresses[1].contains("/.Two%20Words?"), "{output}");
    let server = Server::start();
    for address in addresses {
        let address = address.replace("&amp;", "&");
        let path = address.strip_prefix(SERVICE).unwrap();
        server.ok(path);
    }
}

#[test]
fn the_javascript_makes_addresses() {
    let function = code_blocks(EMBEDDING, "js")[0];
    let calls = "console.log(pictureUrl('Notch', 'bust', 32));\n\
                 console.log(pictureUrl('.Two Words', 'head', 64));\n";
    let script = format!("{function}\n{calls}");
    assert_writes_addresses("node", "embedding.mjs", &script);
}

#[test]
fn the_php_makes_addresses() {
    let function = code_blocks(EMBEDDING, "php")[0];
    let (function, _) = function.split_once("\n?>\n").unwrap();
    let calls =
        "echo picture_url('Notch', 'bust', 32), ' ', picture_url('.Two Words', 'head', 64);";
    let script = format!("{function}\n{calls}\n");
    assert_writes_addresses("php", "embedding.php", &script);
}

/// Most of the blocks need the projects that they are for, so they are only parsed.
#[test]
fn all_of_the_php_can_be_parsed() {
    for (number, block) in code_blocks(EMBEDDING, "php").iter().enumerate() {
        run("php", &["-l"], &format!("{number}.php"), block);
    }
}

#[test]
fn the_shortcode_makes_a_picture() {
    let functions = "<?php\n\
        function add_shortcode($name, $make) { $GLOBALS[$name] = $make; }\n\
        function shortcode_atts($defaults, $given) { return array_merge($defaults, $given); }\n\
        function esc_url($url) { return str_replace('&', '&amp;', $url); }\n\
        function esc_attr($text) { return htmlspecialchars($text); }\n";
    let call = "\necho $GLOBALS['minecraft'](['player' => '.Two Words', 'size' => '32\"']);\n";
    let php = code_blocks(EMBEDDING, "php");
    let shortcode = php.iter().find(|block| block.contains("add_shortcode"));
    let script = shortcode.unwrap().replace("<?php\n", functions) + call;
    let Some(output) = run("php", &[], "shortcode.php", &script) else {
        return;
    };
    let path = "/v1/bust/.Two%20Words?size=32&default=steve";
    let address = format!("{SERVICE}{path}").replace('&', "&amp;");
    let expected =
        format!("<img src=\"{address}\" width=\"32\" alt=\".Two Words\" loading=\"lazy\">");
    assert_eq!(output, expected);
    Server::start().ok(path);
}

#[test]
fn the_element_has_a_type_for_each_attribute() {
    let script = format!(
        "import {{ EffigyFigure }} from '{PACKAGE}/effigy-figure.js';\n\
         console.log(EffigyFigure.observedAttributes.sort().join(' '));\n"
    );
    let Some(attributes) = run("node", &[], "attributes.mjs", &script) else {
        return;
    };
    let types = fs::read_to_string(format!("{PACKAGE}/effigy-figure.d.ts")).unwrap();
    // Every element has a method of this name, so it has no type of its own.
    let mut typed = vec!["animate"];
    for line in types.lines() {
        let getter = line.strip_prefix("  get ");
        if let Some((name, _)) = getter.and_then(|getter| getter.split_once("()")) {
            typed.push(name.trim_matches('"'));
        }
    }
    typed.sort_unstable();
    assert_eq!(typed.join(" "), attributes.trim());
}

#[test]
fn a_page_in_typescript_compiles() {
    let page = include_str!("use.ts").replace("effigy-figure/", &format!("{PACKAGE}/"));
    let options = [
        "--strict",
        "--noEmit",
        "--target",
        "es2022",
        "--module",
        "es2022",
        "--moduleResolution",
        "node",
    ];
    run("tsc", &options, "use.ts", &page);
}
