use std::sync::{Arc, Mutex};

use jarrah_testing::client::{TestClient, get, post};
use serde_json::json;

use crate::support::Running;

#[test]
fn a_request_reaches_its_row_of_the_table() {
    let server = Running::new(|_| {});
    assert_eq!(get(&server.address, "/things").json(), json!([]));
    assert_eq!(get(&server.address, "/things/a%20b").json(), json!("a b"));
    assert_eq!(post(&server.address, "/echo", &json!({"a": 1})).json(), json!({"a": 1}));
    let reply = get(&server.address, "/things/a/b");
    assert_eq!((reply.status, &reply.json()["error"]["message"]), (404, &json!("no /things/a/b")));
    let reply = get(&server.address, "/echo");
    assert_eq!((reply.status, reply.header("allow")), (405, Some("POST")));
    assert_eq!(reply.json()["error"]["message"], "/echo does not take GET");
    assert_eq!(get(&server.address, "/things/%ff").status, 400);
}

#[test]
fn events_are_streamed_in_order() {
    let server = Running::new(|_| {});
    for count in [0, 1, 10_000] {
        let reply = get(&server.address, &format!("/numbers/{count}"));
        assert_eq!(reply.header("content-type"), Some("text/event-stream; charset=utf-8"));
        let wanted: String = (0..count).map(|number| format!("data: {number}\n\n")).collect();
        assert!(reply.text() == wanted, "{count}");
    }
}

#[test]
fn a_body_that_is_no_json_is_refused() {
    let server = Running::new(|_| {});
    let mut client = TestClient::new(&server.address);
    let mut ask = |kind: &str, body: &[u8]| {
        let reply = client.ask("POST", "/echo", &[("content-type", kind)], Some(body));
        (reply.status, reply.text().to_owned())
    };
    assert_eq!(ask("Application/JSON; charset=utf-8", b"[]").0, 200);
    let (status, text) = ask("text/plain", b"[]");
    assert!(status == 415 && text.contains("but is of type `text/plain`"), "{text}");
    for body in [&b""[..], b" \n"] {
        let (status, text) = ask("application/json", body);
        assert!(status == 400 && text.contains("the request has no body"), "{text}");
    }
}

#[test]
fn keys_are_asked_for_but_where_a_path_is_open() {
    let server = Running::new(|options| options.keys = vec!["first".into(), "second".into()]);
    let ask = |path: &str, headers: &[(&str, &str)]| {
        TestClient::new(&server.address).ask("GET", path, headers, None)
    };
    for key in ["Bearer first", "Bearer second", "bearer first"] {
        assert_eq!(ask("/things", &[("authorization", key)]).status, 200, "{key}");
    }
    for key in ["Bearer", "Bearer ", "Bearer firs", "Bearer firstt", "Basic first", "first", "Bearer  first"]
    {
        let reply = ask("/things", &[("authorization", key)]);
        assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")), "{key}");
        assert_eq!(reply.json()["error"]["code"], "invalid_api_key");
        assert!(reply.header("x-request-id").is_some());
    }
    assert_eq!((ask("/nothing", &[]).status, ask("/health", &[]).status), (401, 200));
}

#[test]
fn other_origins_are_not_answered_unless_they_are_given() {
    let origin = ("origin", "https://a.example");
    let asks = ("access-control-request-method", "POST");
    let names = ("access-control-request-headers", "authorization, content-type");
    let ask = |server: &Running, method: &str, headers: &[(&str, &str)]| {
        TestClient::new(&server.address).ask(method, "/things", headers, None)
    };
    let closed = Running::new(|_| {});
    assert_eq!(ask(&closed, "GET", &[origin]).header("access-control-allow-origin"), None);
    assert_eq!(ask(&closed, "OPTIONS", &[origin, asks]).status, 405);
    let open = Running::new(|options| {
        options.origins = vec!["https://a.example".into()];
        options.keys = vec!["key".into()];
    });
    let reply = ask(&open, "OPTIONS", &[origin, asks, names]);
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("https://a.example"));
    assert_eq!(reply.header("access-control-allow-headers"), Some(names.1));
    assert_eq!(ask(&open, "GET", &[origin]).header("access-control-allow-origin"), Some("https://a.example"));
    let other = ask(&open, "OPTIONS", &[("origin", "https://b.example"), asks]);
    assert_eq!((other.status, other.header("access-control-allow-origin")), (401, None));
    let any = Running::new(|options| options.origins = vec!["*".into()]);
    assert_eq!(ask(&any, "GET", &[origin]).header("access-control-allow-origin"), Some("https://a.example"));
}

#[test]
fn answers_carry_ids() {
    let server = Running::new(|_| {});
    let mut client = TestClient::new(&server.address);
    let reply = client.ask("GET", "/health", &[("x-request-id", "mine-7")], None);
    assert_eq!(reply.header("x-request-id"), Some("mine-7"));
    let made = client.get("/health");
    let other = client.get("/nothing");
    assert_eq!(made.header("x-request-id").map(str::len), Some(32));
    assert_ne!(made.header("x-request-id"), other.header("x-request-id"));
    let long = "x".repeat(1000);
    let reply = client.ask("GET", "/health", &[("x-request-id", &long)], None);
    assert_eq!(reply.header("x-request-id").map(str::len), Some(32));
}

#[test]
fn a_recorded_route_has_a_line_for_each_request() {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let log = lines.clone();
    let server = Running::new(|options| {
        options.log = Some(Arc::new(move |line| log.lock().unwrap().push(line.to_owned())));
    });
    let mut client = TestClient::new(&server.address);
    client.ask("POST", "/echo", &[("x-request-id", "one two")], Some(b"[]"));
    client.ask("POST", "/echo", &[("x-request-id", "two")], Some(b""));
    client.get("/things");
    drop(server);
    let lines = lines.lock().unwrap();
    let begin = "request id=- request_id=\"one two\" route=/echo status=200 prompt_tokens=0 cached_tokens=0 answer_tokens=0 finish=- first_s=- whole_s=";
    assert!(lines.len() == 2 && lines[0].starts_with(begin), "{lines:?}");
    let has = |text: &str| lines[1].contains(text);
    assert!(
        has("status=400") && has("finish=refused") && has("error=\"the request has no body"),
        "{lines:?}"
    );
}
