use jarrah_http::{Address, ServerOptions};
use jarrah_testing::client::asked_as;

use crate::support::{Running, refusal};

/// The status of a route of a server, asked by a name.
fn status(server: &Running, host: &str) -> u16 {
    asked_as(&server.address.replace("0.0.0.0", "127.0.0.1"), host, "/things").status
}

#[test]
fn a_server_of_this_machine_alone_answers_to_names_that_nobody_else_gives() {
    let server = Running::new(|_| {});
    for host in [
        "localhost",
        "LOCALHOST:8000",
        "localhost.:80",
        "chat.localhost",
        "127.0.0.1:8000",
        "10.0.0.7",
        "[::1]:8000",
        "",
    ] {
        assert_eq!(status(&server, host), 200, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:8000",
        "notlocalhost",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
    ] {
        assert_eq!(status(&server, host), 403, "{host}");
    }
    // A host that the address names itself counts before the one beside it.
    let whole = |address: &str| asked_as(&server.address, "127.0.0.1", &format!("{address}/things")).status;
    assert_eq!(
        (whole("http://localhost"), whole("http://evil.example"), whole("http://e@evil.example")),
        (200, 403, 403)
    );
    // Every route, those that need no key too.
    let reply = asked_as(&server.address, "evil.example:80", "/health");
    let error = reply.json()["error"].clone();
    assert_eq!((reply.status, error["code"].as_str()), (403, Some("host_not_allowed")));
    assert!(
        error["message"].as_str().unwrap().contains("start it with --allowed-hosts evil.example if"),
        "{error}"
    );
}

#[test]
fn names_that_are_given_are_answered() {
    let server = Running::new(|options| options.hosts = vec!["Chat.example".into(), "*.apps.example".into()]);
    for (host, allowed) in [
        ("chat.example:443", 200),
        ("a.apps.example", 200),
        ("a.b.apps.example", 200),
        ("apps.example", 403),
        ("a.chat.example", 403),
        ("localhost", 200),
    ] {
        assert_eq!(status(&server, host), allowed, "{host}");
    }
    let any = Running::new(|options| options.hosts = vec!["*".into()]);
    assert_eq!(status(&any, "evil.example"), 200);
    for name in ["http://chat.example", "chat.example:443", "a b", "", "*."] {
        let options = ServerOptions { hosts: vec![name.to_owned()], ..ServerOptions::default() };
        let error = refusal(options);
        assert!(error.message().starts_with("--allowed-hosts has "), "{error}");
    }
}

#[test]
fn a_name_with_the_dot_of_the_root_is_the_name_without_it() {
    let server =
        Running::new(|options| options.hosts = vec!["chat.example.".into(), "*.apps.example.".into()]);
    for host in ["chat.example", "chat.example.", "a.apps.example", "a.apps.example."] {
        assert_eq!(status(&server, host), 200, "{host}");
    }
    assert_eq!(status(&server, "example"), 403);
}

#[test]
fn a_host_with_more_than_a_port_behind_it_is_refused() {
    let server = Running::new(|_| {});
    for host in ["[::1]evil", "localhost:abc", "localhost:99999", "localhost:-1"] {
        assert_eq!(status(&server, host), 400, "{host}");
    }
    for host in ["[::1]:80", "localhost:", "localhost:65535"] {
        assert_eq!(status(&server, host), 200, "{host}");
    }
}

/// What asks for a key, or is open to other machines, has names that nobody here knows; but those that are given are all then.
#[test]
fn other_servers_answer_to_all_names_unless_some_are_given() {
    let keyed = Running::new(|options| options.keys = vec!["key".into()]);
    assert_eq!(status(&keyed, "evil.example"), 401);
    let open = |hosts: &[&str]| {
        Running::new(|options| {
            options.address = Address::Tcp([0, 0, 0, 0].into(), 0);
            options.hosts = hosts.iter().map(|&name| name.to_owned()).collect();
        })
    };
    assert_eq!(status(&open(&[]), "evil.example"), 200);
    let named = open(&["chat.example"]);
    assert_eq!((status(&named, "evil.example"), status(&named, "chat.example")), (403, 200));
}
