//! Buckets of servers on this machine, which the environment names, as `s3://bucket`; without them these tests look at addresses only.

use std::env;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::ErrorKind;
use jarrah_store::{CloudStore, Condition, Entry, EntryKind, Name, ObjectStore};

use crate::common::{content, get, name, put};

/// The variables that name a bucket of each service.
const URLS: [&str; 3] = ["JARRAH_TEST_S3", "JARRAH_TEST_GCS", "JARRAH_TEST_AZURE"];

/// Checks a law on an empty part of the bucket of each service that has one.
pub fn with_bucket(check: impl Fn(&CloudStore)) {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    for variable in URLS {
        match env::var(variable) {
            Ok(url) => {
                let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
                check(&CloudStore::open(&format!("{url}/{process}/{count}")).expect("a store"));
            }
            Err(_) => eprintln!("skipped: no bucket is tested, as {variable} is not set; .ci/cloud sets it"),
        }
    }
}

fn publish(store: &dyn ObjectStore, at: &str, bytes: &[u8]) -> bool {
    let draft = store.draft(&name(at)).unwrap();
    for below in ["x", "in/y"] {
        let mut upload = draft.create(&name(below)).unwrap();
        upload.write(bytes).unwrap();
        upload.finish(Condition::Absent).unwrap().unwrap();
    }
    draft.publish().unwrap()
}

/// The objects below the store's prefix as the service has them, with those that the store hides.
fn raw(store: &CloudStore, at: &str) -> Option<Vec<u8>> {
    get(store, at)
}

#[test]
fn addresses_are_checked() {
    for url in
        ["", "bucket", "s3://", "gs:///x", "s3://bucket/a//b", "az://bucket/../b", "https://", "ftp://bucket"]
    {
        let error = CloudStore::open(url).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.message().contains("no address"), "{error}");
    }
}

#[test]
fn folders_are_those_that_were_published() {
    with_bucket(|store| {
        put(store, "plain/x", b"1");
        assert!(publish(store, "10", b"2"));
        assert!(publish(store, "9", b"3"));
        let draft = store.draft(&name("11")).unwrap();
        let mut upload = draft.create(&name("x")).unwrap();
        upload.write(b"half").unwrap();
        upload.finish(Condition::Always).unwrap().unwrap();
        assert_eq!(store.folders(&Name::root()).unwrap(), ["10", "9"]);
        let names: Vec<String> =
            store.list(&Name::root()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["10", "9", "plain"]);
        // The mark of Orbax is an object of the folder that is not listed.
        assert!(raw(store, "10/commit_success.txt").is_some());
        assert_eq!(store.list(&name("10")).unwrap().len(), 2);
        let error = store.create(&name("10/commit_success.txt")).err().expect("refused");
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    });
}

#[test]
fn a_second_draft_of_a_folder_waits() {
    with_bucket(|store| {
        let first = store.draft(&name("100")).unwrap();
        let error = store.draft(&name("100")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment, "{error}");
        assert!(error.message().contains("another writer") && error.advice().is_some(), "{error}");
        assert!(first.publish().unwrap());
        assert!(!publish(store, "100", b"late"));
        assert!(content(store).is_empty(), "the folder that was published has no objects");
        assert_eq!(store.folders(&Name::root()).unwrap(), ["100"]);
    });
}

#[test]
fn a_draft_whose_writer_ended_is_cleared() {
    with_bucket(|store| {
        assert!(publish(store, "9", b"1"));
        put(store, "plain/x", b"2");
        for at in ["10", "deep/11"] {
            let draft = store.draft(&name(at)).unwrap();
            let mut upload = draft.create(&name("in/x")).unwrap();
            upload.write(b"half").unwrap();
            upload.finish(Condition::Always).unwrap().unwrap();
            // A writer that is killed does not drop its draft.
            std::mem::forget(draft);
        }
        let before = content(store);
        assert_eq!(before.len(), 3);
        assert!(store.draft(&name("10")).is_err());
        store.clear_unfinished(&Name::root()).unwrap();
        assert_eq!(content(store), before);
        assert_eq!(raw(store, "10/in/x").or(raw(store, "deep/11/in/x")), None);
        assert!(publish(store, "10", b"3"));
        assert_eq!(content(store).len(), 5);
    });
}

#[test]
fn an_opened_object_that_changes_is_an_error() {
    with_bucket(|store| {
        put(store, "a", b"first");
        let first = store.open(&name("a")).unwrap().unwrap();
        let mut bytes = [0; 5];
        first.read_at(0, &mut bytes).unwrap();
        assert_eq!(&bytes, b"first");
        put(store, "a", b"other");
        let replaced = first.read_at(0, &mut bytes).unwrap_err();
        let second = store.open(&name("a")).unwrap().unwrap();
        assert!(store.delete(&name("a")).unwrap());
        assert!(!store.delete(&name("a")).unwrap());
        for error in [replaced, second.read_at(0, &mut bytes).unwrap_err()] {
            assert_eq!(error.kind(), ErrorKind::Environment);
            assert!(error.message().contains("replaced or removed"), "{error}");
        }
    });
}

#[test]
fn a_deleted_folder_is_gone_from_the_bucket() {
    with_bucket(|store| {
        assert!(publish(store, "100", b"1"));
        put(store, "1000/x", b"stays");
        put(store, "1000/in/x", b"stays");
        assert!(store.delete_folder(&name("100")).unwrap());
        assert!(!store.delete_folder(&name("100")).unwrap());
        assert!(!store.delete_folder(&name("1000/x")).unwrap());
        for at in ["100/x", "100/in/y", "100/commit_success.txt"] {
            assert_eq!(raw(store, at), None, "{at}");
        }
        assert_eq!(content(store).len(), 2);
        assert!(store.delete_folder(&name("1000")).unwrap());
        assert!(content(store).is_empty());
    });
}

#[test]
fn large_objects_are_sent_in_parts() {
    with_bucket(|store| {
        let bytes: Vec<u8> =
            (0..20_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let upload = || {
            let mut upload = store.create(&name("large")).unwrap();
            bytes.chunks(3_000_001).for_each(|part| upload.write(part).unwrap());
            upload
        };
        drop(upload());
        assert!(store.open(&name("large")).unwrap().is_none());
        let error = upload().finish(Condition::Absent).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.message().contains("too large"), "{error}");
        let version = upload().finish(Condition::Always).unwrap().unwrap();
        assert_eq!(*store.open(&name("large")).unwrap().unwrap().version(), version);
        assert!(get(store, "large").unwrap() == bytes);
        let entry = Entry { name: "large".into(), kind: EntryKind::Object(bytes.len() as u64) };
        assert_eq!(store.list(&Name::root()).unwrap(), [entry]);
    });
}

/// A thread of an asynchronous runtime may wait for the store, and end it.
#[test]
fn other_runtimes_may_use_it() {
    with_bucket(|store| {
        let own = store.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async move {
            put(&own, "a", b"1");
            assert_eq!(get(&own, "a").as_deref(), Some(&b"1"[..]));
            drop(own);
        });
    });
}

#[test]
fn a_bucket_that_is_not_there_is_an_error_in_words() {
    for url in URLS.into_iter().filter_map(|variable| env::var(variable).ok()) {
        let store = CloudStore::open(&format!("{url}-that-is-not-there/x")).unwrap();
        let error = store.list(&Name::root()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert!(error.message().starts_with("cannot list x: "), "{error}");
    }
}
