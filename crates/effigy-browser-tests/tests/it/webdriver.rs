//! A small client of the WebDriver protocol, and the browser behind it.

use std::{
    io::{self, BufRead, BufReader, Write},
    ops::Deref,
    path::Path,
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use base64::{Engine, prelude::BASE64_STANDARD as STANDARD};
use fixtures::{
    PATIENCE,
    client::{Connection, Reply},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The key under which an element's reference is sent. WebDriver, "Elements".
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The number of attempts to start a driver. With `--port=0` it takes a port that is free in IPv4 and ends if that
/// port is taken in IPv6, which happens beside tests that listen too.
const STARTS: usize = 5;

/// The number of tests that have a browser, and the browsers that wait for the next test. The last test ends them.
static WAITING: Mutex<(usize, Vec<Browser>)> = Mutex::new((0, Vec::new()));

/// A browser of a test, with a new tab. Another test has it next, unless this one fails.
pub(crate) struct Tab(Option<Browser>);

/// A headless browser with one tab. It ends when this is dropped.
pub(crate) struct Browser {
    driver: Child,
    address: String,
    session: String,
    /// The profile, and the files of tests.
    folder: TempDir,
}

impl Tab {
    /// Opens a tab. Without a browser on this machine, says so and returns `None`.
    pub(crate) fn open() -> Option<Self> {
        let mut tab = {
            let (tests, waiting) = &mut *WAITING.lock().unwrap();
            *tests += 1;
            Self(waiting.pop())
        };
        tab.0 = tab.0.take().or_else(Browser::start);
        tab.0.is_some().then_some(tab)
    }
}

impl Deref for Tab {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.0.as_ref().expect("it is there until the end")
    }
}

impl Drop for Tab {
    fn drop(&mut self) {
        let browser = self.0.take().filter(|_| !thread::panicking());
        let browser = browser.inspect(Browser::renew);
        let (tests, waiting) = &mut *WAITING.lock().unwrap();
        *tests -= 1;
        waiting.extend(browser);
        let ended = if *tests == 0 {
            std::mem::take(waiting)
        } else {
            Vec::new()
        };
        drop(ended);
    }
}

impl Browser {
    fn start() -> Option<Self> {
        let required = std::env::var_os("EFFIGY_REQUIRE_BROWSER").is_some_and(|set| set == "1");
        let (driver, port) = match (0..STARTS).find_map(|_| start().transpose()) {
            Some(Ok(started)) => started,
            None => panic!("chromedriver ended {STARTS} times before it listened"),
            Some(Err(error)) if required => panic!("chromedriver: {error}"),
            Some(Err(error)) => {
                // Written past the capture of the test harness, which hides the output of tests that pass.
                let _ = writeln!(io::stderr(), "skipped: no chromedriver ({error})");
                return None;
            }
        };
        let mut browser = Self {
            driver,
            address: format!("127.0.0.1:{port}"),
            session: String::new(),
            folder: TempDir::new().unwrap(),
        };
        browser.begin();
        Some(browser)
    }

    fn begin(&mut self) {
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
    fn renew(&self) {
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

    /// Sends one request on a connection of its own. The driver would end after `Connection: close`.
    fn send(&self, method: &str, path: &str, body: &[u8]) -> io::Result<Reply> {
        Connection::open(&self.address)?.send(method, path, body)
    }

    #[track_caller]
    fn command(&self, name: &str, body: &Value) -> Value {
        self.call(&format!("/session/{}/{name}", self.session), body)
    }

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

    /// Opens a page that is not of the server.
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

    #[track_caller]
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression});"))
    }

    #[track_caller]
    pub(crate) fn assert_is(&self, expression: &str, expected: impl Into<Value>) {
        assert_eq!(self.value(expression), expected.into(), "{expression}");
    }

    #[track_caller]
    pub(crate) fn promise(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[0], $ = (selector) => document.querySelector(selector); \
             ({expression}).then(done, e => done('' + e));"
        );
        self.command("execute/async", &json!({ "script": script, "args": [] }))
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, condition: &str) {
        let begun = Instant::now();
        while self.script(&format!("return !!({condition});")) != true {
            if begun.elapsed() > PATIENCE {
                let page = self.script("return document.body.innerText;");
                panic!("in vain: {condition}\n{page}");
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

    /// Drags with the mouse from the middle of an element, in steps of so many pixels.
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

    #[track_caller]
    pub(crate) fn devtools(&self, name: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": name, "params": parameters });
        self.command("goog/cdp/execute", &body)
    }

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
        let points = places.iter().enumerate();
        let points = points.map(|(id, [x, y])| json!({ "x": x, "y": y, "id": id }));
        let points: Vec<Value> = points.collect();
        let event = json!({ "type": kind, "touchPoints": points });
        self.devtools("Input.dispatchTouchEvent", &event);
    }

    /// The entries of a log since it was last read.
    #[track_caller]
    pub(crate) fn log(&self, kind: &str) -> Vec<Value> {
        let log = self.command("se/log", &json!({ "type": kind }));
        log.as_array().unwrap().clone()
    }

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

/// Starts a driver and returns its port, or `None` if it ended before it listened.
fn start() -> io::Result<Option<(Child, u16)>> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    let Some(port) = port else {
        driver.wait()?;
        return Ok(None);
    };
    // A full pipe would stop the driver.
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    Ok(Some((driver, port)))
}

/// Decodes base64.
pub(crate) fn unpacked(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}
