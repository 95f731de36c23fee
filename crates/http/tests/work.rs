//! Work of an API that outlives its requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jarrah_base::Error;
use jarrah_http::OutlivingWork;
use jarrah_testing::client::{get, post, wait};
use serde_json::json;

use crate::support::Running;

/// One piece of work.
#[derive(Default)]
struct One {
    was_stopped: AtomicBool,
    is_done: AtomicBool,
}

impl OutlivingWork for One {
    fn stop(&self) {
        assert!(!self.was_stopped.swap(true, Ordering::Relaxed), "stopped twice");
    }

    fn lost(&self) -> Vec<String> {
        if self.is_done.load(Ordering::Relaxed) { Vec::new() } else { vec!["one".to_owned()] }
    }

    fn waits(&self, lost: &[String]) -> String {
        format!("waits for {lost:?}")
    }

    fn error(&self, lost: &[String]) -> Error {
        Error::environment(format!("lost {lost:?}"))
    }
}

#[test]
fn a_server_that_stops_waits_for_work_and_takes_no_more() {
    let (one, lines) = (Arc::new(One::default()), Arc::new(Mutex::new(Vec::new())));
    let notes = lines.clone();
    let mut server = Running::with_work(Some(one.clone()), |options| {
        options.notes = Some(Arc::new(move |line: &str| notes.lock().unwrap().push(line.to_owned())));
    });
    server.stopper.stop();
    wait("the server says that it waits", || *lines.lock().unwrap() == ["waits for [\"one\"]"]);
    assert_eq!(get(&server.address, "/things").status, 200);
    let reply = post(&server.address, "/echo", &json!([]));
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
    assert_eq!(reply.json()["error"]["message"], "the server is shutting down");
    one.is_done.store(true, Ordering::Relaxed);
    server.done.take().unwrap().join().unwrap().unwrap();
    assert!(one.was_stopped.load(Ordering::Relaxed));
}

#[test]
fn a_server_that_ends_before_its_work_says_what_is_lost() {
    let drain = |options: &mut jarrah_http::ServerOptions| options.drain = Duration::from_millis(100);
    let mut server = Running::with_work(Some(Arc::new(One::default())), drain);
    server.stopper.stop();
    let error = server.done.take().unwrap().join().unwrap().unwrap_err();
    assert_eq!(error.message(), "lost [\"one\"]");
}
