//! Laws that every store obeys.

use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use jarrah_base::ErrorKind;
use jarrah_store::{Condition, Entry, EntryKind, LocalStore, MemoryStore, Name, ObjectStore, SimulatedDisk};

use crate::common::{content, get, name, put};

/// Checks a law of all stores; of a bucket, too, where the environment names one.
fn with_stores(check: impl Fn(&dyn ObjectStore)) {
    with_local_stores(&check);
    #[cfg(feature = "cloud")]
    crate::cloud::with_bucket(|store| check(store));
}

/// Checks a law that is weaker in a bucket.
fn with_local_stores(check: impl Fn(&dyn ObjectStore)) {
    check(&MemoryStore::new());
    check(&LocalStore::with_files("/store", Arc::new(SimulatedDisk::new())));
    let folder = tempfile::tempdir().expect("a folder");
    check(&LocalStore::new(folder.path().join("store")).expect("a store"));
}

fn object(name: &str, len: u64) -> Entry {
    Entry { name: name.into(), kind: EntryKind::Object(len) }
}

fn folder(name: &str) -> Entry {
    Entry { name: name.into(), kind: EntryKind::Folder }
}

fn write(store: &dyn ObjectStore, at: &str, bytes: &[u8], condition: Condition) -> bool {
    let mut upload = store.create(&name(at)).expect("an upload");
    upload.write(bytes).expect("written");
    upload.finish(condition).expect("finished").is_some()
}

/// Publishes a folder of these objects.
fn publish(store: &dyn ObjectStore, at: &str, objects: &[(&str, &[u8])]) -> bool {
    let draft = store.draft(&name(at)).expect("a draft");
    for (below, bytes) in objects {
        let mut upload = draft.create(&name(below)).expect("an upload");
        upload.write(bytes).expect("written");
        upload.finish(Condition::Absent).expect("finished").expect("taken");
    }
    draft.publish().expect("published")
}

#[test]
fn an_unfinished_object_is_not_seen() {
    with_stores(|store| {
        let mut upload = store.create(&name("a/b")).expect("an upload");
        upload.write(b"half").expect("written");
        assert_eq!(get(store, "a/b"), None);
        assert_eq!(store.list(&Name::root()).expect("listed"), []);
        drop(upload);
        assert_eq!(store.list(&Name::root()).expect("listed"), []);
        put(store, "a/b", b"whole");
        assert_eq!(get(store, "a/b").as_deref(), Some(&b"whole"[..]));
        assert_eq!(store.list(&name("a")).expect("listed"), [object("b", 5)]);
        // One that replaces it is not seen before its end.
        let mut upload = store.create(&name("a/b")).expect("an upload");
        upload.write(b"other").expect("written");
        assert_eq!(get(store, "a/b").as_deref(), Some(&b"whole"[..]));
        drop(upload);
        assert_eq!(content(store), [("a/b".into(), b"whole".to_vec())].into());
    });
}

#[test]
fn conditions_hold_or_leave_all_as_it_was() {
    with_stores(|store| {
        let finish = |bytes: &[u8], condition| {
            let mut upload = store.create(&name("a")).expect("an upload");
            upload.write(bytes).expect("written");
            upload.finish(condition).expect("finished")
        };
        let first = finish(b"1", Condition::Absent).expect("there was none");
        assert_eq!(finish(b"2", Condition::Absent), None);
        assert_eq!(get(store, "a").as_deref(), Some(&b"1"[..]));
        let opened = store.open(&name("a")).expect("opened").expect("there");
        assert_eq!(*opened.version(), first);

        let second = finish(b"2", Condition::Unchanged(first.clone())).expect("it was unchanged");
        assert_eq!(finish(b"3", Condition::Unchanged(first.clone())), None);
        assert_eq!(get(store, "a").as_deref(), Some(&b"2"[..]));
        let third = finish(b"3", Condition::Always).expect("always");
        assert_eq!(finish(b"4", Condition::Unchanged(second)), None);
        assert!(store.delete(&name("a")).expect("deleted"));
        assert_eq!(finish(b"4", Condition::Unchanged(third.clone())), None);
        assert!(finish(b"4", Condition::Absent).is_some());
        assert_eq!(finish(b"5", Condition::Unchanged(third)), None, "another object has the name");
        assert_eq!(content(store), [("a".into(), b"4".to_vec())].into());
    });
}

/// A version never comes again, though the lengths are equal and files are removed between.
#[test]
fn versions_change_with_the_bytes() {
    with_stores(|store| {
        let mut seen = std::collections::HashSet::new();
        for round in 0..100_u8 {
            let mut upload = store.create(&name("a")).expect("an upload");
            upload.write(&[round]).expect("written");
            let version = upload.finish(Condition::Always).expect("finished").expect("taken");
            assert_eq!(*store.open(&name("a")).expect("opened").expect("there").version(), version);
            assert!(seen.insert(version), "round {round}");
            if round % 3 == 0 {
                assert!(store.delete(&name("a")).expect("deleted"));
            }
        }
    });
}

#[test]
fn one_of_two_that_race_wins() {
    with_stores(|store| race(store, 100));
    // Each operation takes so long that the two writers do theirs in turns.
    let disk = SimulatedDisk::new();
    disk.set_latency(Duration::from_micros(200));
    race(&LocalStore::with_files("/store", Arc::new(disk)), 20);
}

fn race(store: &dyn ObjectStore, rounds: usize) {
    for round in 0..rounds {
        let at = format!("lease/{round}");
        let barrier = Barrier::new(2);
        let finish = |own: u8, condition: Condition| {
            let mut upload = store.create(&name(&at)).expect("an upload");
            upload.write(&[own]).expect("written");
            barrier.wait();
            upload.finish(condition).expect("finished").is_some()
        };
        let both = |condition: Condition, first: u8| {
            let won = thread::scope(|scope| {
                let other = scope.spawn(|| finish(first + 1, condition.clone()));
                [finish(first, condition.clone()), other.join().expect("the other thread")]
            });
            assert!(won[0] != won[1], "{condition:?}: {won:?}");
            let winner = if won[0] { first } else { first + 1 };
            assert_eq!(get(store, &at), Some(vec![winner]));
        };
        both(Condition::Absent, 1);
        let version = store.open(&name(&at)).expect("opened").expect("there").version().clone();
        both(Condition::Unchanged(version), 3);
    }
}

#[test]
fn one_of_two_that_publish_wins() {
    with_local_stores(|store| {
        for round in 0..50 {
            let at = format!("{round}");
            let barrier = Barrier::new(2);
            let race = |own: u8| {
                let draft = store.draft(&name(&at)).expect("a draft");
                for below in ["x", "in/y"] {
                    let mut upload = draft.create(&name(below)).expect("an upload");
                    upload.write(&[own]).expect("written");
                    upload.finish(Condition::Always).expect("finished").expect("taken");
                }
                barrier.wait();
                draft.publish().expect("published")
            };
            let won = thread::scope(|scope| {
                let other = scope.spawn(|| race(1));
                [race(0), other.join().expect("the other thread")]
            });
            assert!(won[0] != won[1], "{won:?}");
            let winner = vec![u8::from(won[1])];
            assert_eq!(get(store, &format!("{at}/x")).as_ref(), Some(&winner));
            assert_eq!(get(store, &format!("{at}/in/y")).as_ref(), Some(&winner));
        }
        assert_eq!(store.folders(&Name::root()).expect("listed").len(), 50);
    });
}

#[test]
fn a_draft_is_not_seen_and_then_whole() {
    with_stores(|store| {
        let draft = store.draft(&name("runs/100")).expect("a draft");
        for (below, bytes) in [("x", "1"), ("in/y", "22"), ("in/deep/z", "")] {
            let mut upload = draft.create(&name(below)).expect("an upload");
            upload.write(bytes.as_bytes()).expect("written");
            upload.finish(Condition::Always).expect("finished").expect("taken");
        }
        let mut unfinished = draft.create(&name("half")).expect("an upload");
        unfinished.write(b"half").expect("written");
        assert_eq!(store.list(&name("runs")).expect("listed"), []);
        assert_eq!(store.folders(&name("runs")).expect("listed"), [""; 0]);
        assert!(draft.publish().expect("published"));
        // An upload that ends after its draft comes too late.
        let late = unfinished.finish(Condition::Always).expect_err("the draft is published");
        assert_eq!(late.kind(), ErrorKind::Input, "{late}");

        assert_eq!(store.folders(&name("runs")).expect("listed"), ["100"]);
        let entries = store.list(&name("runs/100")).expect("listed");
        assert_eq!(entries, [folder("in"), object("x", 1)]);
        let whole = [("in/deep/z", ""), ("in/y", "22"), ("x", "1")];
        let whole = whole.map(|(at, bytes)| (format!("runs/100/{at}"), bytes.as_bytes().to_vec()));
        assert_eq!(content(store), whole.into());
    });
}

#[test]
fn an_object_of_a_draft_is_not_opened() {
    with_local_stores(|store| {
        let draft = store.draft(&name("runs/100")).expect("a draft");
        draft
            .create(&name("x"))
            .expect("an upload")
            .finish(Condition::Absent)
            .expect("finished")
            .expect("taken");
        assert_eq!(store.list(&Name::root()).expect("listed"), []);
        assert_eq!(get(store, "runs/100/x"), None);
        assert!(draft.publish().expect("published"));
        assert_eq!(get(store, "runs/100/x"), Some(Vec::new()));
    });
}

#[test]
fn objects_of_a_draft_obey_conditions() {
    with_stores(|store| {
        let draft = store.draft(&name("d")).expect("a draft");
        let finish = |bytes: &[u8], condition| {
            let mut upload = draft.create(&name("a")).expect("an upload");
            upload.write(bytes).expect("written");
            upload.finish(condition).expect("finished")
        };
        let first = finish(b"1", Condition::Absent).expect("there was none");
        assert_eq!(finish(b"2", Condition::Absent), None);
        assert!(finish(b"2", Condition::Unchanged(first.clone())).is_some());
        assert_eq!(finish(b"3", Condition::Unchanged(first)), None);
        assert!(draft.publish().expect("published"));
        assert_eq!(get(store, "d/a").as_deref(), Some(&b"2"[..]));
    });
}

#[test]
fn several_write_one_draft() {
    with_stores(|store| {
        let draft = store.draft(&name("100")).expect("a draft");
        let token = draft.token().to_owned();
        thread::scope(|scope| {
            for process in 0..3_u8 {
                let token = &token;
                scope.spawn(move || {
                    let joined = store.join_draft(&name("100"), token).expect("under way");
                    let at = name(&format!("ocdbt.process_{process}/d"));
                    let mut upload = joined.create(&at).expect("an upload");
                    upload.write(&[process; 3]).expect("written");
                    upload.finish(Condition::Absent).expect("finished").expect("taken");
                });
            }
        });
        assert!(content(store).is_empty());
        assert!(draft.publish().expect("published"));
        let whole = (0..3_u8).map(|process| (format!("100/ocdbt.process_{process}/d"), vec![process; 3]));
        assert_eq!(content(store), whole.collect());
        for gone in [token.as_str(), "0", "", "../x"] {
            let error = store.join_draft(&name("100"), gone).expect_err("no draft");
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        }
    });
}

#[test]
fn a_published_folder_stays() {
    with_stores(|store| {
        assert!(publish(store, "100", &[("x", b"first")]));
        assert!(!publish(store, "100", &[("x", b"second"), ("y", b"second")]));
        assert_eq!(content(store), [("100/x".into(), b"first".to_vec())].into());
        // Objects that were written one by one are a folder, too.
        put(store, "200/x", b"alone");
        assert!(!publish(store, "200", &[("y", b"late")]));
        store.clear_unfinished(&Name::root()).expect("cleared");
        assert_eq!(content(store).len(), 2);
    });
}

#[test]
fn a_replaced_folder_has_the_new_objects_alone() {
    with_local_stores(|store| {
        let replace = |at: &str, objects: &[(&str, &[u8])]| {
            let draft = store.draft(&name(at)).expect("a draft");
            for (below, bytes) in objects {
                let mut upload = draft.create(&name(below)).expect("an upload");
                upload.write(bytes).expect("written");
                upload.finish(Condition::Absent).expect("finished").expect("taken");
            }
            draft.replace()
        };
        replace("a/100", &[("x", b"first"), ("in/y", b"first")]).expect("none was there");
        let opened = store.open(&name("a/100/x")).expect("opened").expect("there");
        replace("a/100", &[("x", b"second"), ("z", b"second")]).expect("replaced");
        replace("a/200", &[("x", b"other")]).expect("none was there");
        let whole = [("a/100/x", "second"), ("a/100/z", "second"), ("a/200/x", "other")];
        let whole = whole.map(|(at, bytes)| (at.to_owned(), bytes.as_bytes().to_vec()));
        assert_eq!(content(store), whole.clone().into());
        let mut bytes = [0; 5];
        opened.read_at(0, &mut bytes).expect("it was opened before");
        assert_eq!(&bytes, b"first");
        store.clear_unfinished(&Name::root()).expect("cleared");
        assert_eq!(content(store), whole.into());
        assert!(store.delete_folder(&name("a/100")).expect("deleted"));
        store.clear_unfinished(&Name::root()).expect("cleared");
        assert_eq!(store.folders(&name("a")).expect("listed"), ["200"]);
    });
}

#[test]
fn a_dropped_draft_leaves_nothing() {
    with_stores(|store| {
        let draft = store.draft(&name("a/b")).expect("a draft");
        let upload = draft.create(&name("x")).expect("an upload");
        upload.finish(Condition::Always).expect("finished").expect("taken");
        let token = draft.token().to_owned();
        drop(store.join_draft(&name("a/b"), &token).expect("under way"));
        store.join_draft(&name("a/b"), &token).expect("one that joined ends alone");
        drop(draft);
        assert!(content(store).is_empty());
        assert!(store.join_draft(&name("a/b"), &token).is_err());
        assert!(publish(store, "a/b", &[("y", b"")]));
    });
}

#[test]
fn a_deleted_folder_is_gone() {
    with_local_stores(|store| {
        assert!(publish(store, "a/100", &[("x", b"1"), ("in/y", b"2")]));
        put(store, "a/1000", b"stays");
        assert!(!store.delete(&name("a/100")).expect("asked"), "a folder is no object");
        assert!(!store.delete_folder(&name("a/1000")).expect("asked"), "an object is no folder");
        let opened = store.open(&name("a/100/x")).expect("opened").expect("there");
        assert!(store.delete_folder(&name("a/100")).expect("deleted"));
        assert!(!store.delete_folder(&name("a/100")).expect("asked"));
        assert!(!store.delete_folder(&name("none/at/all")).expect("asked"));
        assert_eq!(content(store), [("a/1000".into(), b"stays".to_vec())].into());
        let mut byte = [0];
        opened.read_at(0, &mut byte).expect("it was opened before");
        assert_eq!(&byte, b"1");
        assert!(publish(store, "a/100", &[("x", b"new")]));
        assert_eq!(get(store, "a/100/x").as_deref(), Some(&b"new"[..]));
    });
}

#[test]
fn lists_are_in_order() {
    with_local_stores(|store| {
        for at in ["b/x", "a", "c", "b-1", "B", "10/x", "9/x", "ü", "b/y/z", ".hidden"] {
            put(store, at, at.as_bytes());
        }
        let names = |folder: &Name| -> Vec<String> {
            store.list(folder).expect("listed").into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names(&Name::root()), [".hidden", "10", "9", "B", "a", "b", "b-1", "c", "ü"]);
        assert_eq!(store.list(&name("b")).expect("listed"), [object("x", 3), folder("y")]);
        assert_eq!(store.folders(&Name::root()).expect("listed"), ["10", "9", "b"]);
        assert_eq!(store.list(&name("a")).expect("an object has no entries"), []);
        assert_eq!(store.list(&name("none/x")).expect("listed"), []);
    });
}

#[test]
fn an_opened_object_keeps_its_bytes() {
    with_local_stores(|store| {
        put(store, "a", b"first");
        let first = store.open(&name("a")).expect("opened").expect("there");
        put(store, "a", b"other bytes");
        let second = store.open(&name("a")).expect("opened").expect("there");
        assert!(store.delete(&name("a")).expect("deleted"));
        assert!(!store.delete(&name("a")).expect("asked"));
        assert!(store.open(&name("a")).expect("asked").is_none());
        let mut bytes = [0; 5];
        first.read_at(0, &mut bytes).expect("read");
        assert_eq!((&bytes, first.len()), (b"first", 5));
        second.read_at(6, &mut bytes).expect("read");
        assert_eq!(&bytes, b"bytes");
    });
}

#[test]
fn ranges_end_within_the_object() {
    with_stores(|store| {
        put(store, "empty", b"");
        put(store, "a", b"0123");
        let empty = store.open(&name("empty")).expect("opened").expect("there");
        assert!(empty.is_empty());
        empty.read_at(0, &mut []).expect("nothing of nothing");
        let object = store.open(&name("a")).expect("opened").expect("there");
        object.read_at(4, &mut []).expect("nothing at the end");
        let mut two = [0; 2];
        object.read_at(2, &mut two).expect("read");
        assert_eq!(&two, b"23");
        for (object, offset) in
            [(&empty, 0), (&object, 3), (&object, 4), (&object, u64::MAX), (&object, u64::MAX - 1)]
        {
            let error = object.read_at(offset, &mut two).expect_err("it ends before");
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
            assert!(error.message().contains(&format!("2 bytes from {offset} on")), "{error}");
        }
    });
}

#[test]
fn large_and_small_writes_keep_their_order() {
    with_stores(|store| {
        let bytes: Vec<u8> =
            (0..1_500_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let mut upload = store.create(&name("a")).expect("an upload");
        let mut at = 0;
        for len in [1, 7, 300_000, 0, 5, 262_143, 2, 262_144, 100_000, 200_000, 3].into_iter().cycle() {
            let part = &bytes[at..(at + len).min(bytes.len())];
            upload.write(part).expect("written");
            at += part.len();
            if at == bytes.len() {
                break;
            }
        }
        upload.finish(Condition::Always).expect("finished").expect("taken");
        assert!(get(store, "a").expect("there") == bytes);
    });
}

#[test]
fn the_root_is_no_object_and_no_draft() {
    with_stores(|store| {
        put(store, "a", b"1");
        assert!(store.open(&Name::root()).expect("asked").is_none());
        let errors = [
            store.create(&Name::root()).err(),
            store.draft(&Name::root()).err(),
            store.delete_folder(&Name::root()).err(),
        ];
        for error in errors {
            assert_eq!(error.expect("refused").kind(), ErrorKind::Input);
        }
        assert!(!store.delete(&Name::root()).expect("asked"));
        assert_eq!(content(store).len(), 1);
    });
}

#[test]
fn reserved_and_foreign_names_are_refused() {
    for text in [
        "",
        "/a",
        "a/",
        "a//b",
        ".",
        "a/../b",
        "a\\b",
        "a\0",
        ".jarrah-object-1",
        "x/1.orbax-checkpoint-tmp-2/y",
    ] {
        let error = Name::new(text).expect_err(text);
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.advice().is_some(), "{error}");
    }
}

#[test]
fn an_emptied_folder_gives_its_name_back() {
    with_stores(|store| {
        put(store, "a/b", b"1");
        assert!(store.delete(&name("a/b")).expect("deleted"));
        assert_eq!(store.list(&Name::root()).expect("listed"), []);
        assert!(!store.delete_folder(&name("a")).expect("asked"));
        assert!(write(store, "a", b"2", Condition::Absent));
        assert!(store.delete(&name("a")).expect("deleted"));
        assert!(publish(store, "a", &[("x", b"3")]));
        assert_eq!(content(store), [("a/x".into(), b"3".to_vec())].into());
    });
}
