//! A small client of the WebDriver protocol, and the browser behind it.

mod driver;
mod tab;

use std::{
    io,
    path::Path,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use fixtures::{
    PATIENCE,
    client::{Connection, Reply},
    programs::skip,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use driver::start_driver;

pub(crate) use tab::Tab;

/// The key under which an element's reference is sent. WebDriver, "Elements".
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A headless browser with one tab. It ends when this is dropped.
pub(crate) struct Browser {
    driver: Child,
    address: String,
    session: String,
    /// The profile, and the files of tests.
    folder: TempDir,
}

impl Browser {
    /// Starts a browser. Without a driver on this machine, says so and returns `None`.
    fn start() -> Option<Self> {
        let (driver, port) = match start_driver() {
            Ok(started) => started,
            Err(error) => {
                skip("EFFIGY_REQUIRE_BROWSER", &format!("chromedriver ({error})"));
                return None;
            }
        };
        let mut browser = Self {
            driver,
            address: format!("127.0.0.1:{port}"),
            session: String::new(),
            folder: TempDir::new().unwrap(),
        };
        browser.open_session();
        Some(browser)
    }

    fn open_session(&mut self) {
        let profile = format!("--user-data-dir={}/profile", self.folder.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            // A click scrolls first; a smooth scroll would move its target.
            "--force-prefers-reduced-motion",
            "--window-size=1280,1000",
            &profile,
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        }}});
        let answer = self.call("/session", &capabilities);
        self.session = answer["sessionId"].as_str().unwrap().to_owned();
    }

    /// Replaces the tab by a new one, and forgets the logs.
    fn replace_tab(&self) {
        let tab = self.command("window/new", &json!({ "type": "tab" }));
        let closed = self.send("DELETE", &format!("/session/{}/window", self.session), &[]);
        assert_eq!(closed.unwrap().status, 200);
        self.command("window", &json!({ "handle": tab["handle"] }));
        self.log("browser");
        self.log("performance");
    }

    /// Sends a command and returns its value. An error of the driver fails the test.
    #[track_caller]
    fn call(&self, path: &str, body: &Value) -> Value {
        let reply = self
            .send("POST", path, body.to_string().as_bytes())
            .unwrap();
        let answer = reply.json();
        assert_eq!(reply.status, 200, "{path}: {answer}");
        answer["value"].clone()
    }

    /// Sends one request on a connection of its own, without `Connection: close`, after which the
    /// driver would end.
    fn send(&self, method: &str, path: &str, body: &[u8]) -> io::Result<Reply> {
        Connection::open(&self.address)?.send(method, path, body)
    }

    /// Sends a command of the session and returns its value.
    #[track_caller]
    fn command(&self, name: &str, body: &Value) -> Value {
        self.call(&format!("/session/{}/{name}", self.session), body)
    }

    /// Opens a URL.
    #[track_caller]
    pub(crate) fn go(&self, url: &str) {
        self.command("url", &json!({ "url": url }));
    }

    /// Makes a file that the browser can open, and returns its path.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    /// Opens a page of another site than the server's.
    #[track_caller]
    pub(crate) fn go_to_html(&self, html: &str) {
        let path = self.file("page.html", html.as_bytes());
        self.go(&format!("file://{path}"));
    }

    /// Runs the body of a function, in which `$` finds an element, and returns its result.
    #[track_caller]
    pub(crate) fn script(&self, script: &str) -> Value {
        let script = format!("const $ = (selector) => document.querySelector(selector); {script}");
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Returns the value of an expression.
    #[track_caller]
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression});"))
    }

    /// Asserts that an expression has this value.
    #[track_caller]
    pub(crate) fn assert_is(&self, expression: &str, expected: impl Into<Value>) {
        assert_eq!(self.value(expression), expected.into(), "{expression}");
    }

    /// Waits for the promise that an expression makes. Returns its value, or its error as a text.
    #[track_caller]
    pub(crate) fn promise(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[0], $ = (selector) => document.querySelector(selector); \
             ({expression}).then(done, e => done('' + e));"
        );
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub(crate) fn wait_for(&self, condition: &str) {
        let begun = Instant::now();
        while self.script(&format!("return !!({condition});")) != true {
            if begun.elapsed() > PATIENCE {
                let page = self.script("return document.body.innerText;");
                panic!("not in time: {condition}\n{page}");
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The path of the element that a selector finds.
    #[track_caller]
    fn element(&self, selector: &str) -> String {
        let query = json!({ "using": "css selector", "value": selector });
        let found = self.command("element", &query);
        format!("element/{}", found[ELEMENT].as_str().unwrap())
    }

    /// Clicks the element that a selector finds.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.command(&format!("{element}/click"), &json!({}));
    }

    /// Types into an element; into a file field, a path chooses that file.
    #[track_caller]
    pub(crate) fn keys(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.command(&format!("{element}/value"), &json!({ "text": text }));
    }

    /// Presses and releases a key wherever the focus is.
    #[track_caller]
    pub(crate) fn press(&self, key: char) {
        let actions = ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key }));
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.command("actions", &json!({ "actions": [keyboard] }));
    }

    /// Drags with the mouse from the middle of an element, in steps of these numbers of pixels.
    #[track_caller]
    pub(crate) fn drag(&self, selector: &str, steps: &[[i32; 2]]) {
        let path = self.element(selector);
        let element = json!({ ELEMENT: path.trim_start_matches("element/") });
        let mut actions = vec![
            json!({ "type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": element }),
            json!({ "type": "pointerDown", "button": 0 }),
        ];
        actions.extend(steps.iter().map(|[x, y]| {
            json!({ "type": "pointerMove", "duration": 5, "x": x, "y": y, "origin": "pointer" })
        }));
        actions.push(json!({ "type": "pointerUp", "button": 0 }));
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.command("actions", &json!({ "actions": [mouse] }));
    }

    /// Sends a command of the Chrome DevTools Protocol and returns its result.
    #[track_caller]
    pub(crate) fn devtools(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.command("goog/cdp/execute", &body)
    }

    /// Emulates a window of this size, on a screen with this number of pixels per CSS pixel.
    #[track_caller]
    pub(crate) fn emulate(&self, [width, height]: [u32; 2], density: u32, mobile: bool) {
        let device = json!({
            "width": width, "height": height, "deviceScaleFactor": density, "mobile": mobile
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &device);
    }

    /// Emulates a preference of the visitor, by the name of its media feature.
    #[track_caller]
    pub(crate) fn prefer(&self, feature: &str, value: &str) {
        let media = json!({ "features": [{ "name": feature, "value": value }] });
        self.devtools("Emulation.setEmulatedMedia", &media);
    }

    /// Blocks the URLs of these patterns, and no others.
    #[track_caller]
    pub(crate) fn block(&self, urls: &[&str]) {
        self.devtools("Network.enable", &json!({}));
        self.devtools("Network.setBlockedURLs", &json!({ "urls": urls }));
    }

    /// Sends an event of the mouse, with the left button down if `buttons` is 1.
    #[track_caller]
    pub(crate) fn mouse(&self, kind: &str, [x, y]: [f64; 2], buttons: u8, clicks: u32) {
        let event = json!({
            "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": clicks
        });
        self.devtools("Input.dispatchMouseEvent", &event);
    }

    /// Sends an event of a touch screen with a finger at each of these places.
    #[track_caller]
    pub(crate) fn touch(&self, kind: &str, places: &[[f64; 2]]) {
        let mut points = Vec::new();
        for (id, [x, y]) in places.iter().enumerate() {
            points.push(json!({ "x": x, "y": y, "id": id }));
        }
        let event = json!({ "type": kind, "touchPoints": points });
        self.devtools("Input.dispatchTouchEvent", &event);
    }

    /// The entries of a log since it was last read.
    #[track_caller]
    pub(crate) fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.command("se/log", &json!({ "type": kind }));
        log.as_array().unwrap().clone()
    }

    /// Writes a picture of the whole page for people to look at.
    #[track_caller]
    pub(crate) fn screenshot(&self, name: &str) {
        let whole = json!({ "captureBeyondViewport": true });
        let picture = self.devtools("Page.captureScreenshot", &whole);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let png = unpacked(picture["data"].as_str().unwrap());
        std::fs::write(folder.join(format!("{name}.png")), png).unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A driver that is killed leaves its browser running, so the session is ended first. Errors
        // are ignored: a test that has failed must not panic again here.
        let session = format!("/session/{}", self.session);
        drop(self.send("DELETE", &session, &[]));
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Decodes base64.
pub(crate) fn unpacked(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}
