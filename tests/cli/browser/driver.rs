//! Chromium, driven through chromedriver by the WebDriver protocol (W3C): just what the tests use.

use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};
use tempfile::TempDir;
use ureq::Agent;

/// Names under which the browser and its driver are installed.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const DRIVER: &str = "chromedriver";

/// How often a browser is started at most.
const STARTS: usize = 3;

/// The key of a reference to an element, by the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window; it is closed when dropped.
pub(crate) struct Browser {
    driver: Child,
    session: String,
    agent: Agent,
    _profile: TempDir,
}

/// The browsers that no test has just now, and how many tests have one or start one.
static IDLE: Mutex<(Vec<Browser>, usize)> = Mutex::new((Vec::new(), 0));

/// A browser that a test has. The next test has it after it, as a start takes seconds; the last one closes all.
pub(crate) struct Lent(Option<Browser>);

impl Lent {
    /// Takes a browser, or starts one. None if it is not installed.
    pub(crate) fn take() -> Option<Self> {
        let idle = {
            let (idle, tests) = &mut *IDLE.lock().unwrap();
            *tests += 1;
            idle.pop()
        };
        let lent = Self(idle.or_else(Browser::start));
        lent.0.as_ref()?.forget();
        Some(lent)
    }
}

impl Deref for Lent {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.0.as_ref().unwrap()
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // What a test that failed did with it is not known.
        let kept = self.0.take().filter(|_| !std::thread::panicking());
        let (idle, tests) = &mut *IDLE.lock().unwrap();
        *tests -= 1;
        idle.extend(kept);
        if *tests == 0 {
            idle.clear();
        }
    }
}

/// The path of a program.
fn installed(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let mut paths = std::env::split_paths(&folders).map(|folder| folder.join(name));
    paths.find(|path| path.is_file())
}

impl Browser {
    /// Starts a browser. None if it is not installed.
    fn start() -> Option<Self> {
        let browser = BROWSERS.iter().find_map(|name| installed(name))?;
        let program = installed(DRIVER)?;
        // Another program may take the port that was free for both protocols a moment ago.
        let mut started = (0..5).filter_map(|_| driver(&program));
        let (driver, port) = started.next().expect("the driver starts");
        let profile = tempfile::tempdir().unwrap();
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", profile.path().display()),
        ];
        let mut started = Self {
            driver,
            session: format!("http://127.0.0.1:{port}/session"),
            agent: Agent::config_builder()
                .http_status_as_error(false)
                .build()
                .into(),
            _profile: profile,
        };
        let wanted = json!({"capabilities": {"alwaysMatch": {
            // A dialog that a document opened must be seen by a test, not be closed.
            "unhandledPromptBehavior": "ignore",
            "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"binary": browser, "args": flags},
        }}});
        // A machine under load may start the browser too slowly for its driver.
        let session = (1..STARTS)
            .find_map(|_| started.try_post("", &wanted).ok())
            .unwrap_or_else(|| started.post("", &wanted));
        started.session = format!(
            "{}/{}",
            started.session,
            session["sessionId"].as_str().unwrap()
        );
        // Without it, a page in a window that is not in front gets no focus events.
        let focus =
            json!({"cmd": "Emulation.setFocusEmulationEnabled", "params": {"enabled": true}});
        started.post("/goog/cdp/execute", &focus);
        Some(started)
    }

    /// Makes it as a new one is: with the usual window, and without what pages have stored or complained of.
    fn forget(&self) {
        self.resize(1280, 900);
        let stored = json!({"origin": "file://", "storageTypes": "all"});
        let forget = json!({"cmd": "Storage.clearDataForOrigin", "params": stored});
        self.post("/goog/cdp/execute", &forget);
        self.complaints();
    }

    /// Sends a command and returns its value.
    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        let value = self.try_post(command, body);
        value.unwrap_or_else(|error| panic!("{command} {body}: {error}"))
    }

    /// Sends a command and returns its value, or what the driver answers instead.
    fn try_post(&self, command: &str, body: &Value) -> Result<Value, Value> {
        let sent = self
            .agent
            .post(format!("{}{command}", self.session))
            .send_json(body);
        let mut answer: Value = sent.unwrap().body_mut().read_json().unwrap();
        let value = answer["value"].take();
        if value["error"].is_null() {
            Ok(value)
        } else {
            Err(value)
        }
    }

    /// Opens a file, with something behind the `#`, and waits until all of it is there. The driver alone may return
    /// before the page has taken the place of the one before.
    #[track_caller]
    pub(crate) fn open(&self, file: &Path, hash: &str) {
        // Another page in between: a new hash alone would not load the file again.
        self.post("/url", &json!({"url": "about:blank"}));
        self.post(
            "/url",
            &json!({"url": format!("file://{}{hash}", file.display())}),
        );
        self.wait("location.protocol === 'file:' && document.readyState === 'complete'");
    }

    /// Runs the body of a function in the page and returns its result.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    /// The text of an element as it is seen, once it has been drawn: what `content-visibility: auto` puts off has
    /// no visible text before the frame after it was added.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        let text = self.run(&format!(
            "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => \
             done(document.querySelector({selector:?}).innerText))))"
        ));
        text.as_str().unwrap().to_owned()
    }

    /// How many elements there are.
    #[track_caller]
    pub(crate) fn count(&self, selector: &str) -> u64 {
        let count = self.run(&format!(
            "return document.querySelectorAll({selector:?}).length"
        ));
        count.as_u64().unwrap()
    }

    /// Clicks on an element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let found = self.post(
            "/element",
            &json!({"using": "css selector", "value": selector}),
        );
        let id = found[ELEMENT].as_str().unwrap();
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Types keys, one after the other, to whatever has the focus.
    #[track_caller]
    pub(crate) fn keys(&self, keys: &str) {
        let press = |key: char| [("keyDown", key), ("keyUp", key)];
        let actions = keys.chars().flat_map(press);
        let actions = actions.map(|(kind, key)| json!({"type": kind, "value": key.to_string()}));
        let actions: Vec<Value> = actions.collect();
        self.post(
            "/actions",
            &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}),
        );
    }

    /// Waits until a condition holds in the page.
    #[track_caller]
    pub(crate) fn wait(&self, condition: &str) {
        for _ in 0..600 {
            if self.run(&format!("return Boolean({condition})")) == json!(true) {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("never came true: {condition}");
    }

    /// The size of the window.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        self.post("/window/rect", &json!({"width": width, "height": height}));
    }

    /// A picture of the window: PNG, in Base64.
    pub(crate) fn screenshot(&self) -> String {
        let url = format!("{}/screenshot", self.session);
        let mut answer = self.agent.get(url).call().unwrap();
        let answer: Value = answer
            .body_mut()
            .with_config()
            .limit(64 << 20)
            .read_json()
            .unwrap();
        answer["value"].as_str().unwrap().to_owned()
    }

    /// The errors of the page and the browser since the last time.
    #[track_caller]
    pub(crate) fn complaints(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": "browser"}));
        let entries = entries.as_array().unwrap().iter();
        entries.map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The driver and the port on which it listens, from its output. None if it did not start.
fn driver(program: &Path) -> Option<(Child, u16)> {
    let mut driver = Command::new(program)
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
    for line in lines.map_while(Result::ok) {
        if let Some((_, port)) = line.rsplit_once("successfully on port ") {
            return Some((driver, port.trim_end_matches('.').parse().unwrap()));
        }
    }
    let _ = driver.wait();
    None
}
