use std::sync::Arc;

use jarrah_http::{Address, CurveWindow, Runs, Server};
use jarrah_testing::client::{asked_as, get, post};
use serde_json::{Value, json};

use crate::support::Running;

/// One run, which says what it was asked.
struct One;

impl Runs for One {
    fn list(&self) -> Value {
        json!([{"id": 0, "name": "one"}])
    }

    fn curves(&self, run: usize, window: CurveWindow) -> Option<Value> {
        (run == 0).then(|| json!([window.from, window.to, window.points]))
    }

    fn details(&self, run: usize) -> Option<Value> {
        (run == 0).then(|| json!({"texts": []}))
    }
}

fn dashboard() -> Running {
    let hosts = vec!["runs.example".to_owned()];
    let server = Server::dashboard(Arc::new(One), Address::Tcp([127, 0, 0, 1].into(), 0), hosts).unwrap();
    Running::of(server)
}

#[test]
fn runs_are_told_by_number() {
    let server = dashboard();
    let ask = |path: &str| get(&server.address, path);
    assert_eq!(ask("/runs").json(), json!([{"id": 0, "name": "one"}]));
    assert_eq!(ask("/runs/0").json(), json!({"texts": []}));
    assert_eq!(ask("/runs/0/curves").json(), json!([0, u64::MAX, 500]));
    assert_eq!(ask("/runs/0/curves?from=3&to=9&points=20&more=x").json(), json!([3, 9, 20]));
    assert_eq!(ask("/runs/0/curves?points=1000000").json()[2], 4096);
    for (path, status) in [
        ("/runs/1", 404),
        ("/runs/1/curves", 404),
        ("/runs/-1", 400),
        ("/runs/x", 400),
        ("/runs/99999999999999999999", 400),
        ("/runs/0/curves?from=-3", 400),
        ("/runs/0/curves?points=many", 400),
        ("/v1/models", 404),
        ("/page/chat.js", 404),
    ] {
        let reply = ask(path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.json()["error"]["message"].is_string(), "{path}");
    }
    assert_eq!(post(&server.address, "/runs", &json!({})).status, 405);
}

/// What no key protects is read by no page of another name.
#[test]
fn its_name_is_looked_at() {
    let server = dashboard();
    for (host, status) in [("localhost:6006", 200), ("runs.example", 200), ("evil.example", 403)] {
        assert_eq!(asked_as(&server.address, host, "/runs").status, status, "{host}");
    }
}

#[test]
fn its_page_is_here() {
    let server = dashboard();
    for path in
        ["/", "/page/page.css", "/page/dashboard.css", "/page/dashboard.js", "/page/plot.js", "/page/dom.js"]
    {
        let reply = get(&server.address, path);
        assert_eq!(reply.status, 200, "{path}");
        assert!(reply.header("content-security-policy").is_some(), "{path}");
        assert!(!reply.text().contains("innerHTML"), "{path}");
    }
}
