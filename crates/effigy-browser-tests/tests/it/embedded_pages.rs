//! The examples of `docs/embedding.md` and of the renderer's README in a page of another site.

use fixtures::code_blocks;
use serde_json::json;

use crate::{EMBEDDING, SERVICE, started};

#[test]
fn the_html_shows_pictures_in_their_places() {
    let (server, browser) = or_skip!(started());
    let html = code_blocks(EMBEDDING, "html")
        .concat()
        .replace(SERVICE, &server.url);
    let html = format!("<!doctype html><body>{html}");
    browser.go_to_html(&html);
    browser.wait_for(
        "document.images.length > 0 \
         && [...document.images].every(i => i.complete && i.naturalWidth)",
    );
    browser.assert_is(
        "[...document.images].map(i => [i.width, i.height])",
        json!([[64, 64], [64, 64], [64, 64], [64, 131], [64, 128]]),
    );
    // A picture that is not enlarged has the proportions of its place.
    let stretched = "[...document.images].filter(i => \
        Math.abs(i.naturalHeight / i.naturalWidth - i.height / i.width) > 0.01).length";
    browser.assert_is(stretched, 0);
    browser.assert_is(
        "getComputedStyle(document.images[1]).imageRendering",
        "pixelated",
    );
    browser.wait_for(
        "customElements.get('effigy-figure') \
         && $('effigy-figure').shadowRoot.querySelector('img').naturalWidth",
    );
}

#[test]
fn the_live_list_follows_the_names_of_the_server() {
    let (server, browser) = or_skip!(started());
    let script = code_blocks(EMBEDDING, "js").concat().replace("export ", "");
    let script = script.replace(SERVICE, &server.url);
    let html = format!(
        "<!doctype html><ul id=players></ul><script>\
         window.names = ['Gwendolin', '.Two Words'];\
         window.setInterval = (refresh) => (window.refresh = refresh);\
         window.fetch = async () => new Response(JSON.stringify(names));\n{script}</script>"
    );
    browser.go_to_html(&html);
    let shown = "[...document.images].filter(i => i.naturalWidth === 32)\
        .map(i => i.parentNode.textContent)";
    browser.wait_for("document.images.length === 2");
    browser.wait_for("[...document.images].every(i => i.complete)");
    browser.assert_is(shown, json!([" Gwendolin", " .Two Words"]));
    browser.promise("(names.pop(), refresh())");
    browser.wait_for("document.images.length === 1");
    // An answer that is not a list changes nothing.
    browser.promise("(names = undefined, refresh())");
    browser.assert_is("document.images.length", 1);
}

#[test]
fn the_example_of_the_renderers_readme_draws() {
    let (server, browser) = or_skip!(started());
    let readme = include_str!("../../../effigy-wasm/README.md");
    let example = code_blocks(readme, "js")[0];
    let of_server = |name: &str| format!("\"{}/{name}\"", server.url);
    let example = example
        .replace("\"./effigy_wasm.js\"", &of_server("assets/effigy_wasm.js"))
        .replace(
            "\"effigy_wasm_bg.wasm\"",
            &of_server("assets/effigy_wasm_bg.wasm"),
        );
    let html = format!(
        "<!doctype html><canvas id=canvas width=256 height=512></canvas><script type=module>\
         const context = canvas.getContext('2d'), skin = await fetch({});\
         const bytesOfSkinFile = new Uint8Array(await skin.arrayBuffer());\n{example}\n\
         window.middle = context.getImageData(128, 300, 1, 1).data;</script>",
        of_server("v1/skin/Gwendolin")
    );
    browser.go_to_html(&html);
    browser.wait_for("window.middle?.[3] === 255");
}
