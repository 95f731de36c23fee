//! The store in a folder of a file system, where it differs from others.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jarrah_base::ErrorKind;
use jarrah_store::{Condition, Files, LocalStore, Name, ObjectStore, ObjectVersion, SimulatedDisk};

use crate::common::{Random, content, get, name, put};

fn on_disk(check: impl Fn(&LocalStore)) {
    let folder = tempfile::tempdir().unwrap();
    check(&LocalStore::new(folder.path()).unwrap());
    check(&LocalStore::with_files("/", Arc::new(SimulatedDisk::new())));
}

#[test]
fn a_clock_that_goes_back_keeps_versions_apart() {
    let disk = SimulatedDisk::new();
    let store = LocalStore::with_files("/", Arc::new(disk.clone()));
    let mut random = Random(3);
    let mut seen = std::collections::HashSet::new();
    let mut last: Option<ObjectVersion> = None;
    for round in 0..1000 {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(random.below(3));
        disk.set_clock(time);
        let mut upload = store.create(&name("a")).unwrap();
        upload.write(&[round as u8]).unwrap();
        let condition = last.take().map_or(Condition::Absent, Condition::Unchanged);
        let version = upload.finish(condition).unwrap().expect("the condition holds");
        assert!(seen.insert(version.clone()), "round {round}");
        let first = seen.iter().find(|other| **other != version).cloned();
        if let Some(other) = first {
            assert_eq!(store.create(&name("a")).unwrap().finish(Condition::Unchanged(other)).unwrap(), None);
        }
        match random.below(2) {
            0 => drop(store.delete(&name("a")).unwrap()),
            _ => last = Some(version),
        }
    }
}

#[test]
fn a_file_cut_short_under_a_reader_is_an_error_in_words() {
    let disk = SimulatedDisk::new();
    let on_simulated = LocalStore::with_files("/", Arc::new(disk.clone()));
    let folder = tempfile::tempdir().unwrap();
    let on_machine = LocalStore::new(folder.path()).unwrap();
    for store in [&on_simulated, &on_machine] {
        put(store, "a", &[1; 5000]);
        let object = store.open(&name("a")).unwrap().unwrap();
        match store.root() == Path::new("/") {
            true => disk.truncate("/a", 4096).unwrap(),
            false => std::fs::File::options()
                .write(true)
                .open(folder.path().join("a"))
                .unwrap()
                .set_len(4096)
                .unwrap(),
        }
        let mut bytes = vec![0; 5000];
        let error = object.read_at(0, &mut bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert!(error.message().contains("cut short") && error.message().contains("5000 bytes"), "{error}");
        object.read_at(4000, &mut bytes[..96]).unwrap();
        assert_eq!(bytes[..96], [1; 96]);
    }
}

#[test]
fn names_that_are_too_long_are_refused_in_words() {
    on_disk(|store| {
        let long = "x".repeat(256);
        let errors = [
            store.create(&name(&long)).err(),
            store.create(&name(&format!("{long}/a"))).err(),
            store.draft(&name(&long)).err().or_else(|| panic!("a draft of a long name")),
            // It has no space for the name of a draft.
            store.draft(&name(&long[..240])).err(),
        ];
        for error in errors {
            let error = error.expect("refused");
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
            assert!(error.advice().unwrap().contains("shorter name"), "{error}");
        }
        assert!(store.open(&name(&long)).unwrap().is_none());
        assert!(!store.delete(&name(&long)).unwrap() && !store.delete_folder(&name(&long)).unwrap());
        put(store, &long[..255], b"the longest");
        assert_eq!(content(store).len(), 1);
    });
}

#[test]
fn a_name_is_an_object_or_a_folder() {
    on_disk(|store| {
        put(store, "a/b", b"1");
        put(store, "c", b"2");
        let errors = [
            store.create(&name("a")).err(),
            store.create(&name("c/d")).err(),
            store.draft(&name("c/d")).err(),
            store.draft(&name("c")).unwrap().publish().err(),
        ];
        for error in errors {
            let error = error.expect("refused");
            assert_eq!(error.kind(), ErrorKind::Input, "{error}");
            assert!(error.advice().unwrap().contains("not both"), "{error}");
        }
        assert!(store.open(&name("c/d")).unwrap().is_none());
        store.clear_unfinished(&Name::root()).unwrap();
        assert_eq!(content(store).len(), 2);
    });
}

#[test]
fn letters_that_the_file_system_takes_for_others_are_refused() {
    let disk = SimulatedDisk::new();
    disk.set_folds_case(true);
    let store = LocalStore::with_files("/", Arc::new(disk));
    put(&store, "Runs/weights", b"1");
    for at in ["Runs/Weights", "runs/weights", "runs/other"] {
        let error = store.create(&name(at)).err().expect(at);
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        assert!(error.message().contains("in other letters"), "{error}");
    }
    assert!(store.draft(&name("runs")).is_err());
    put(&store, "Runs/weights", b"2");
    put(&store, "Runs/other", b"3");
    store.clear_unfinished(&Name::root()).unwrap();
    assert_eq!(
        content(&store),
        [("Runs/other".into(), b"3".to_vec()), ("Runs/weights".into(), b"2".to_vec())].into()
    );

    let on_machine = tempfile::tempdir().unwrap();
    let store = LocalStore::new(on_machine.path()).unwrap();
    put(&store, "a", b"1");
    if !on_machine.path().join("A").exists() {
        put(&store, "A", b"2");
        assert_eq!(content(&store).len(), 2);
    }
}

/// Files that others made are objects, too; their unfinished folders are not.
#[test]
fn folders_of_orbax_are_passed_over_while_they_are_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::new(folder.path()).unwrap();
    for at in ["100", "200.orbax-checkpoint-tmp", "300.orbax-checkpoint-tmp-1700000000", "empty/in"] {
        std::fs::create_dir_all(folder.path().join(at)).unwrap();
        if !at.starts_with("empty") {
            std::fs::write(folder.path().join(at).join("_METADATA"), at).unwrap();
        }
    }
    assert_eq!(store.folders(&Name::root()).unwrap(), ["100"]);
    assert_eq!(content(&store), [("100/_METADATA".into(), b"100".to_vec())].into());
    store.clear_unfinished(&Name::root()).unwrap();
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["100"]);
}

/// Removing a folder does not follow the links in it.
#[cfg(unix)]
#[test]
fn links_are_read_and_not_followed_by_removal() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(outside.path().join("kept"), "1").unwrap();
    let store = LocalStore::new(folder.path()).unwrap();
    put(&store, "a/b", b"2");
    symlink(outside.path(), folder.path().join("a/out")).unwrap();
    symlink("nowhere", folder.path().join("a/broken")).unwrap();
    symlink(outside.path(), folder.path().join("only")).unwrap();
    assert_eq!(get(&store, "a/out/kept").as_deref(), Some(&b"1"[..]));
    assert_eq!(store.folders(&Name::root()).unwrap(), ["a", "only"]);
    assert_eq!(store.list(&name("a")).unwrap().len(), 2);
    store.clear_unfinished(&Name::root()).unwrap();
    assert!(store.delete_folder(&name("a")).unwrap());
    assert_eq!(std::fs::read(outside.path().join("kept")).unwrap(), b"1");
}

/// A store in a folder with the link `step` to a folder elsewhere, which has a file.
#[cfg(unix)]
fn linked() -> (tempfile::TempDir, tempfile::TempDir, LocalStore) {
    let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(outside.path().join("in")).unwrap();
    std::fs::write(outside.path().join("in/kept"), "1").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("step")).unwrap();
    let store = LocalStore::new(folder.path()).unwrap();
    (folder, outside, store)
}

#[cfg(unix)]
#[test]
fn deleting_a_folder_that_is_a_link_removes_the_link_alone() {
    let (folder, outside, store) = linked();
    assert_eq!(get(&store, "step/in/kept").as_deref(), Some(&b"1"[..]));
    assert!(store.delete_folder(&name("step")).unwrap());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(std::fs::read(outside.path().join("in/kept")).unwrap(), b"1");
    assert!(!store.delete_folder(&name("step")).unwrap());
}

#[cfg(unix)]
#[test]
fn replacing_a_folder_that_is_a_link_removes_the_link_alone() {
    let (folder, outside, store) = linked();
    for (link, at) in [(true, "step"), (false, "dangling")] {
        if !link {
            std::os::unix::fs::symlink("nowhere", folder.path().join(at)).unwrap();
        }
        let draft = store.draft(&name(at)).unwrap();
        draft.create(&name("new")).unwrap().finish(Condition::Absent).unwrap().unwrap();
        draft.replace().unwrap();
        assert!(folder.path().join(at).symlink_metadata().unwrap().is_dir());
        assert_eq!(store.list(&name(at)).unwrap().len(), 1);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(std::fs::read(outside.path().join("in/kept")).unwrap(), b"1");
}

#[cfg(unix)]
#[test]
fn hidden_links_are_cleared_and_not_followed() {
    let (folder, outside, store) = linked();
    let hidden = |name: &str| folder.path().join(format!(".jarrah-removed-{name}"));
    std::fs::rename(folder.path().join("step"), hidden("0123456789abcdef")).unwrap();
    std::os::unix::fs::symlink("nowhere", hidden("0123456789abcde0")).unwrap();
    // A link that was being replaced comes back.
    std::os::unix::fs::symlink(outside.path(), folder.path().join(".jarrah-old-back")).unwrap();
    store.clear_unfinished(&Name::root()).unwrap();
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["back"]);
    assert_eq!(std::fs::read(outside.path().join("in/kept")).unwrap(), b"1");
}

/// Small objects of a draft are not synced one by one: that is done when it is published, by few calls.
#[test]
fn a_draft_waits_for_the_disk_once() {
    let disk = SimulatedDisk::new();
    let store = LocalStore::with_files("/", Arc::new(disk.clone()));
    let draft = store.draft(&name("d")).unwrap();
    let objects = 100;
    for object in 0..objects {
        let mut upload = draft.create(&name(&format!("{object}"))).unwrap();
        upload.write(b"small").unwrap();
        upload.finish(Condition::Always).unwrap().unwrap();
    }
    // Nothing is durable before, everything is after.
    let durable = |disk: &SimulatedDisk| disk.list(Path::new("/")).unwrap().len();
    assert_eq!((0..200).map(|seed| durable(&disk.crash(seed))).min(), Some(0));
    let before = disk.operations();
    assert!(draft.publish().unwrap());
    let after = disk.operations() - before;
    assert!(after <= objects + 10, "{after} operations for {objects} objects");
    for seed in 0..50 {
        assert_eq!(content(&LocalStore::with_files("/", Arc::new(disk.crash(seed)))).len(), 100);
    }
}

#[test]
fn a_folder_that_may_not_be_written_is_an_error_in_words() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let store = LocalStore::new(folder.path().join("file")).unwrap();
    let error = store.create(&name("a")).err().expect("the root is a file");
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    assert!(content(&store).is_empty(), "there is no such folder");
    assert_eq!(LocalStore::new("").unwrap_err().kind(), ErrorKind::Input);
}

#[test]
fn unfinished_objects_are_not_published() {
    let disk = SimulatedDisk::new();
    let store = LocalStore::with_files("/", Arc::new(disk.clone()));
    let draft = store.draft(&name("d")).unwrap();
    draft.create(&name("in/x")).unwrap().finish(Condition::Absent).unwrap().unwrap();
    // A process that joined was killed in the middle.
    std::mem::forget(draft.create(&name("in/y")).unwrap());
    assert!(draft.publish().unwrap());
    let names: Vec<_> = disk.list(Path::new("/d/in")).unwrap().into_iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["x"]);
}

/// An upload that ends while its draft is published is either in it, and durable, or too late.
#[test]
fn uploads_that_race_with_their_draft_are_durable_or_too_late() {
    let (mut in_time, mut late) = (0, 0);
    for round in 0..64 {
        let disk = SimulatedDisk::new();
        let store = LocalStore::with_files("/", Arc::new(disk.clone()));
        let draft = store.draft(&name("d")).unwrap();
        for below in ["a", "b", "c", "d"] {
            draft.create(&name(below)).unwrap().finish(Condition::Absent).unwrap().unwrap();
        }
        let mut upload = draft.create(&name("x")).unwrap();
        upload.write(b"joined").unwrap();
        disk.set_latency(Duration::from_micros(100));
        let finished = std::thread::scope(|scope| {
            let disk = &disk;
            let finish = scope.spawn(move || {
                (0..round / 8).for_each(|_| drop(disk.list(Path::new("/"))));
                upload.finish(Condition::Absent)
            });
            (0..round % 8).for_each(|_| drop(disk.list(Path::new("/"))));
            assert!(draft.publish().unwrap());
            finish.join().unwrap()
        });
        disk.set_latency(Duration::ZERO);
        match finished {
            Ok(version) => {
                assert!(version.is_some());
                in_time += 1;
                for seed in 0..20 {
                    let found = LocalStore::with_files("/", Arc::new(disk.crash(seed)));
                    assert_eq!(get(&found, "d/x").as_deref(), Some(&b"joined"[..]), "round {round}");
                }
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Input, "{error}");
                late += 1;
                assert_eq!(get(&store, "d/x"), None);
            }
        }
    }
    assert!(in_time > 0 && late > 0, "{in_time} in time, {late} late");
}

#[test]
fn a_draft_that_was_dropped_is_not_made_anew_by_a_writer_that_joined() {
    let dir = tempfile::tempdir().unwrap();
    let store = LocalStore::new(dir.path()).unwrap();
    for round in 0..200 {
        let draft = store.draft(&name("1")).unwrap();
        let joined = store.join_draft(&name("1"), draft.token()).unwrap();
        let write = |number: usize| {
            let mut upload = joined.create(&name(&format!("{number}/a/b")))?;
            upload.write(b"x")?;
            upload.finish(Condition::Always)
        };
        let error = std::thread::scope(|scope| {
            let writer = scope.spawn(|| (0..).find_map(|number| write(number).err()).unwrap());
            std::thread::sleep(Duration::from_micros(round * 5));
            drop(draft);
            writer.join().unwrap()
        });
        let words = error.to_string();
        assert!(words.contains("is under way") || words.contains("was published or dropped"), "{words}");
        let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
    }
}
