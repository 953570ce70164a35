//! A page in headless Chromium, driven through chromedriver by the WebDriver protocol (W3C): JSON over
//! HTTP on a local port, nothing more than the tests need.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// Key under which WebDriver returns an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one page.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

impl Browser {
    /// Opens a file.
    pub fn open(page: &Path) -> Self {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed by `make setup`");
        let mut lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let mut browser = Self {
            driver,
            port: port.expect("chromedriver names its port"),
            session: String::new(),
        };
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,800",
        ];
        let wanted = json!({"browserName": "chrome", "goog:chromeOptions": {"args": arguments}});
        let body = json!({"capabilities": {"alwaysMatch": wanted}});
        let session = browser.request("POST", "/session", &body);
        let session = session["sessionId"].as_str().expect("a session");
        browser.session = format!("/session/{session}");
        let page = page.canonicalize().expect("the page exists");
        browser.post(
            "/url",
            &json!({"url": format!("file://{}", page.display())}),
        );
        browser
    }

    /// Clicks the first element that a CSS selector finds; it has to be visible.
    pub fn click(&self, selector: &str) {
        let found = self.post(
            "/element",
            &json!({"using": "css selector", "value": selector}),
        );
        let element = found[ELEMENT].as_str().expect("an element");
        self.post(&format!("/element/{element}/click"), &json!({}));
    }

    /// What a piece of JavaScript returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({"script": script, "args": []}))
    }

    fn resize(&self, width: u32, height: u32) {
        self.post("/window/rect", &json!({"width": width, "height": height}));
    }

    /// Fails when the page is wider than a phone.
    pub fn assert_fits_a_phone(&self) {
        self.resize(390, 800);
        let fits = "return document.documentElement.scrollWidth <= window.innerWidth";
        assert_eq!(
            self.run(fits),
            json!(true),
            "the page is wider than a phone"
        );
    }

    /// Fails when the page has fetched anything.
    pub fn assert_loads_nothing(&self) {
        let loaded = "return performance.getEntriesByType('resource').length";
        assert_eq!(self.run(loaded), json!(0), "the page loads something");
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", &format!("{}{path}", self.session), body)
    }

    fn request(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let mut stream =
            TcpStream::connect(("127.0.0.1", self.port)).expect("chromedriver listens");
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        )
        .expect("chromedriver reads");
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).expect("a header");
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a number");
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).expect("a whole answer");
        let answer: Value = serde_json::from_slice(&text).expect("WebDriver speaks JSON");
        let error = &answer["value"]["error"];
        assert!(error.is_null(), "{path}: {answer}");
        answer["value"].clone()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, the driver by hand.
        if !std::thread::panicking() {
            self.request("DELETE", &self.session, &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
