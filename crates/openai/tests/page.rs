use jarrah_testing::client::{TestClient, get};
use serde_json::{Value, json};

use crate::support::{Running, bare_engine, engine, usual};

/// The files that the page at `/` names, and those that these import.
fn files(address: &str) -> Vec<String> {
    let mut found = vec!["/".to_owned()];
    let mut at = 0;
    while at < found.len() {
        let reply = get(address, &found[at]);
        assert_eq!(reply.status, 200, "{}", found[at]);
        let text = reply.text().to_owned();
        // Their addresses are relative: the server may stand behind another one, under a path.
        let quoted = text.split('"').filter_map(|word| match word.strip_prefix("./") {
            Some(name) if word.ends_with(".js") => Some(format!("/page/{name}")),
            _ if word.starts_with("page/") && !word.ends_with(".json") => Some(format!("/{word}")),
            _ => None,
        });
        for path in quoted {
            if !found.contains(&path) {
                found.push(path);
            }
        }
        at += 1;
    }
    found
}

#[test]
fn the_page_is_all_here_and_loads_nothing_else() {
    let server = usual();
    let files = files(&server.address);
    assert!(files.len() >= 10, "{files:?}");
    for path in files {
        let reply = get(&server.address, &path);
        let policy = reply.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{path}: {policy}");
        assert!(!policy.contains("unsafe") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
        let kind = match path.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml; charset=utf-8",
            _ => "text/html; charset=utf-8",
        };
        assert_eq!(reply.header("content-type"), Some(kind), "{path}");
        let text = reply.text();
        for way in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "style=\"",
            "onclick=",
        ] {
            assert!(!text.contains(way), "{path} has {way}");
        }
        for (at, _) in text.match_indices("src=\"").chain(text.match_indices("href=\"")) {
            let address = text[at..].split('"').nth(1).unwrap();
            assert!(address.starts_with("page/") || address.starts_with('#'), "{path} loads {address}");
        }
    }
}

#[test]
fn the_page_is_open_and_what_it_asks_for_is_not() {
    let server = Running::new(&engine(), |options| options.http.keys = vec!["secret".into()]);
    for path in files(&server.address) {
        assert_eq!(get(&server.address, &path).status, 200, "{path}");
    }
    for path in ["/page/about.json", "/page/../v1/models", "/page/other.js", "/v1/models"] {
        assert_eq!(get(&server.address, path).status, 401, "{path}");
    }
    let reply = TestClient::new(&server.address).ask(
        "GET",
        "/page/about.json",
        &[("authorization", "Bearer secret")],
        None,
    );
    assert_eq!(reply.status, 200);
}

#[test]
fn the_page_is_told_what_the_server_can_do() {
    let about = |server: &Running| get(&server.address, "/page/about.json").json();
    let told = about(&usual());
    assert_eq!(told["generates"], true);
    assert_eq!(
        (&told["tokenizer"], &told["chat"], &told["tools"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert_eq!((&told["defaults"]["temperature"], &told["defaults"]["seed"]), (&json!(1.0), &Value::Null));
    assert!(told["most_tokens"].as_u64().unwrap() > 0);
    let bare = about(&Running::new(&bare_engine(), |_| {}));
    assert_eq!((&bare["tokenizer"], &bare["chat"]), (&json!(false), &json!(false)));
}

#[test]
fn a_server_may_have_no_page() {
    let server = Running::new(&engine(), |options| options.api.page = false);
    for path in ["/", "/page/chat.js", "/page/about.json"] {
        assert_eq!(get(&server.address, path).status, 404, "{path}");
    }
}
