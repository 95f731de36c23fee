//! Power loss after every operation and a fault at every operation: whole objects and folders, or none of them; and nothing that was promised is lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use jarrah_base::{Error, ErrorKind, Result};
use jarrah_store::{
    Condition, DiskFault, Draft, FileKind, Files, LocalStore, Name, ObjectStore, SimulatedDisk,
};

use crate::common::{Content, Random, content, name, try_content};

const OBJECTS: [&str; 3] = ["o", "d/o", "d/e/o"];
const FOLDERS: [&str; 3] = ["f", "d/f", "g/f"];
const BELOW: [&str; 3] = ["x", "in/y", "in/z"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum When {
    Always,
    Absent,
    /// The version that is there when the upload ends.
    Unchanged,
}

#[derive(Clone, Debug)]
enum Action {
    Put { at: &'static str, bytes: Vec<u8>, when: When },
    Delete(&'static str),
    Publish { at: &'static str, objects: Vec<(&'static str, Vec<u8>)> },
    Replace { at: &'static str, objects: Vec<(&'static str, Vec<u8>)> },
    DropDraft { at: &'static str, bytes: Vec<u8> },
    DeleteFolder(&'static str),
    Clear,
}

fn bytes(random: &mut Random) -> Vec<u8> {
    let byte = random.next() as u8;
    vec![byte; random.below(1400) as usize]
}

fn action(random: &mut Random) -> Action {
    let (object, folder) = (random.one_of(&OBJECTS), random.one_of(&FOLDERS));
    let objects = |random: &mut Random| -> Vec<(&'static str, Vec<u8>)> {
        let below = BELOW.into_iter().filter(|_| random.below(3) > 0).collect::<Vec<_>>();
        let below = if below.is_empty() { vec!["x"] } else { below };
        below.into_iter().map(|at| (at, bytes(random))).collect()
    };
    match random.below(15) {
        0..=2 => Action::Put { at: object, bytes: bytes(random), when: When::Always },
        3 => Action::Put { at: object, bytes: bytes(random), when: When::Absent },
        4 => Action::Put { at: object, bytes: bytes(random), when: When::Unchanged },
        5 => Action::Delete(object),
        6..=8 => Action::Publish { at: folder, objects: objects(random) },
        12..=14 => Action::Replace { at: folder, objects: objects(random) },
        9 => Action::DropDraft { at: folder, bytes: bytes(random) },
        10 => Action::DeleteFolder(folder),
        _ => Action::Clear,
    }
}

fn script(seed: u64) -> Vec<Action> {
    let mut random = Random(seed);
    (0..7).map(|_| action(&mut random)).collect()
}

fn draft(store: &dyn ObjectStore, at: &str, objects: &[(&'static str, Vec<u8>)]) -> Result<Box<dyn Draft>> {
    let draft = store.draft(&name(at))?;
    let joined = store.join_draft(&name(at), draft.token())?;
    for (below, bytes) in objects {
        let mut upload = joined.create(&name(below))?;
        upload.write(bytes)?;
        upload.finish(Condition::Always)?;
    }
    Ok(draft)
}

/// Does it, and says whether the condition held.
fn run(store: &dyn ObjectStore, action: &Action) -> Result<bool> {
    match action {
        Action::Put { at, bytes, when } => {
            let mut upload = store.create(&name(at))?;
            let (first, second) = bytes.split_at(bytes.len() / 2);
            upload.write(first)?;
            upload.write(second)?;
            let condition = match when {
                When::Always => Condition::Always,
                When::Absent => Condition::Absent,
                When::Unchanged => match store.open(&name(at))? {
                    Some(object) => Condition::Unchanged(object.version().clone()),
                    None => return Ok(false),
                },
            };
            Ok(upload.finish(condition)?.is_some())
        }
        Action::Delete(at) => store.delete(&name(at)),
        Action::Publish { at, objects } => draft(store, at, objects)?.publish(),
        Action::Replace { at, objects } => draft(store, at, objects)?.replace().map(|()| true),
        Action::DropDraft { at, bytes } => {
            let draft = store.draft(&name(at))?;
            let mut upload = draft.create(&name("x"))?;
            upload.write(bytes)?;
            upload.finish(Condition::Absent)?;
            Ok(false)
        }
        Action::DeleteFolder(at) => store.delete_folder(&name(at)),
        Action::Clear => store.clear_unfinished(&Name::root()).map(|()| false),
    }
}

/// The content after an action whose condition held.
fn after(before: &Content, action: &Action) -> Content {
    let mut content = before.clone();
    match action {
        Action::Put { at, bytes, .. } => drop(content.insert((*at).to_owned(), bytes.clone())),
        Action::Delete(at) => drop(content.remove(*at)),
        Action::Publish { at, objects } => {
            content.extend(objects.iter().map(|(below, bytes)| (format!("{at}/{below}"), bytes.clone())));
        }
        Action::Replace { at, objects } => {
            content = without(&content, at);
            content.extend(objects.iter().map(|(below, bytes)| (format!("{at}/{below}"), bytes.clone())));
        }
        Action::DeleteFolder(at) => content = without(&content, at),
        Action::DropDraft { .. } | Action::Clear => {}
    }
    content
}

fn without(content: &Content, folder: &str) -> Content {
    let mut content = content.clone();
    content.retain(|name, _| !name.starts_with(&format!("{folder}/")));
    content
}

/// Whether the condition of an action holds.
fn holds(before: &Content, action: &Action) -> bool {
    let is_folder = |at: &str| before.keys().any(|name| name.starts_with(&format!("{at}/")));
    match action {
        Action::Put { at, when, .. } => match when {
            When::Always => true,
            When::Absent => !before.contains_key(*at),
            When::Unchanged => before.contains_key(*at),
        },
        Action::Delete(at) => before.contains_key(*at),
        Action::Publish { at, .. } => !is_folder(at),
        Action::DeleteFolder(at) => is_folder(at),
        Action::Replace { .. } => true,
        Action::DropDraft { .. } | Action::Clear => false,
    }
}

fn store(disk: &SimulatedDisk) -> LocalStore {
    LocalStore::with_files("/above/store", Arc::new(disk.clone()))
}

fn is_reserved(name: &str) -> bool {
    name.contains(".jarrah-") || name.contains("orbax")
}

/// The reserved names on a disk, and the empty folders but those above the store.
fn leftovers(disk: &SimulatedDisk, folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in disk.list(folder).unwrap_or_default() {
        let path = folder.join(&entry.name);
        let text = entry.name.to_str().expect("text");
        let empty = entry.kind == FileKind::Folder && disk.list(&path).expect("listed").is_empty();
        if is_reserved(text) || empty {
            found.push(path.display().to_string());
        }
        found.extend(leftovers(disk, &path));
    }
    found
}

/// Looks at a disk whose power has returned: it holds one of `allowed`, clears up, and goes on. The folders `replaced` may be away until then.
fn check_survivor(
    disk: &SimulatedDisk,
    seed: u64,
    allowed: &[&Content],
    replaced: &[&'static str],
    told: &dyn Fn() -> String,
) {
    let store = store(disk);
    let found = content(&store);
    let is_allowed = allowed.contains(&&found);
    let is_away = |content: &&Content| {
        replaced.iter().any(|at| without(content, at) == found)
            || replaced
                .iter()
                .flat_map(|a| replaced.iter().map(move |b| (a, b)))
                .any(|(a, b)| without(&without(content, a), b) == found)
    };
    assert!(
        is_allowed || allowed.iter().any(is_away),
        "{}\nfound {}\nallowed {}",
        told(),
        brief(&found),
        allowed.iter().map(|c| brief(c)).collect::<Vec<_>>().join("\n     or ")
    );
    // The power may be lost again while the rest is cleared.
    let again = disk.crash(seed);
    again.cut_power_after(seed % 40);
    let _ = self::store(&again).clear_unfinished(&Name::root());
    let again = again.crash(seed + 1);
    self::store(&again).clear_unfinished(&Name::root()).expect("cleared");

    store.clear_unfinished(&Name::root()).expect("cleared");
    assert_eq!(leftovers(disk, Path::new("/above/store")), [""; 0], "{}", told());
    let cleared = content(&store);
    assert!(
        allowed.contains(&&cleared) && (!is_allowed || cleared == found),
        "{}\nfound {}\ncleared {}",
        told(),
        brief(&found),
        brief(&cleared)
    );
    assert_eq!(content(&self::store(&again)), cleared, "{}: power lost while clearing", told());
    let found = cleared;
    let next = Action::Put { at: "o", bytes: vec![9; 600], when: When::Always };
    assert!(run(&store, &next).expect("it goes on"));
    assert_eq!(content(&self::store(&disk.crash(seed))), after(&found, &next), "{}: gone on", told());
}

/// The folder that an action replaces.
fn replaced(action: &Action) -> Option<&'static str> {
    match action {
        Action::Replace { at, .. } => Some(at),
        _ => None,
    }
}

fn brief(content: &Content) -> String {
    let objects = content.iter().map(|(name, bytes)| {
        format!("{name}: {} of {:?}", bytes.len(), bytes.iter().collect::<BTreeSet<_>>())
    });
    objects.collect::<Vec<_>>().join(", ")
}

#[test]
fn power_lost_after_any_operation_leaves_all_whole() {
    let mut crashes = 0;
    for seed in 0..60 {
        let script = script(seed);
        for operations in 0.. {
            let disk = SimulatedDisk::new();
            // Where names are exchanged, a folder that is replaced is there at every moment.
            let exchanges = seed % 2 == 0;
            disk.set_exchanges(exchanges);
            disk.cut_power_after(operations);
            let store = store(&disk);
            let (mut before, mut interrupted) = (Content::new(), None);
            for action in &script {
                let expected = holds(&before, action);
                match run(&store, action) {
                    Ok(held) => assert_eq!(held, expected, "{action:?}"),
                    Err(_) => interrupted = Some(action),
                }
                let changed = if expected { after(&before, action) } else { before.clone() };
                if let Some(action) = interrupted {
                    for crash in 0..3 {
                        let seed = seed * 1_000_003 + operations * 101 + crash;
                        let told =
                            || format!("{script:#?}\npower lost after operation {operations}, in {action:?}");
                        let away = replaced(action).into_iter().filter(|_| !exchanges).collect::<Vec<_>>();
                        check_survivor(&disk.crash(seed), seed, &[&before, &changed], &away, &told);
                        crashes += 1;
                    }
                    break;
                }
                before = changed;
            }
            if interrupted.is_none() {
                let told = || format!("{script:#?}\npower lost at the end");
                (0..10).for_each(|seed| check_survivor(&disk.crash(seed), seed, &[&before], &[], &told));
                break;
            }
        }
    }
    assert!(crashes > 10_000, "only {crashes} crashes");
}

#[test]
fn nothing_unfinished_is_left_where_all_went_well() {
    for seed in 0..60 {
        let disk = SimulatedDisk::new();
        let script = script(seed);
        for action in &script {
            run(&store(&disk), action).expect("nothing fails");
        }
        let left = leftovers(&disk, Path::new("/above/store"));
        assert!(left.iter().all(|path| !is_reserved(path)), "{script:#?} leaves {left:?}");
    }
}

fn check_words(error: &Error, fault: DiskFault) {
    assert_eq!(error.kind(), ErrorKind::Environment, "{error}");
    let words = error.to_string().to_lowercase();
    assert!(
        words.starts_with("[store] cannot ") && words.contains('/') || words.contains("cut short"),
        "{error}"
    );
    match fault {
        DiskFault::Broken => assert!(words.contains("input/output error"), "{error}"),
        DiskFault::Full => assert!(words.contains("storage space") && error.advice().is_some(), "{error}"),
    }
}

#[test]
fn a_fault_at_any_operation_leaves_all_whole() {
    let mut errors = 0;
    for seed in 100..110 {
        let script = script(seed);
        for fault in [DiskFault::Broken, DiskFault::Full] {
            for operations in 0.. {
                let disk = SimulatedDisk::new();
                let store = store(&disk);
                disk.fail_after(operations, fault);
                // The contents that the disk may hold: after an action that failed, those before and after it.
                let mut allowed = vec![Content::new()];
                // The folders whose replacement failed: they may be away until the next clearing.
                let mut away = Vec::new();
                for action in &script {
                    match run(&store, action) {
                        Ok(true) => allowed = allowed.iter().map(|content| after(content, action)).collect(),
                        Ok(false) => {}
                        Err(error) => {
                            check_words(&error, fault);
                            errors += 1;
                            allowed.extend(allowed.clone().iter().map(|content| after(content, action)));
                            away.extend(replaced(action));
                        }
                    }
                    let told =
                        || format!("{script:#?}\n{fault:?} at operation {operations}, seen after {action:?}");
                    // Reading may be what fails.
                    match try_content(&store) {
                        Ok(found) => assert!(allowed.contains(&found), "{}", told()),
                        Err(error) => check_words(&error, fault),
                    }
                }
                let told = || format!("{script:#?}\n{fault:?} at operation {operations}");
                let allowed: Vec<&Content> = allowed.iter().collect();
                (0..3).for_each(|seed| check_survivor(&disk.crash(seed), seed, &allowed, &away, &told));
                if disk.operations() <= operations {
                    break;
                }
            }
        }
    }
    assert!(errors > 1_000, "only {errors} errors");
}

/// A replacement fails somewhere and leaves the old folder under its reserved name; then the folder is deleted or replaced again, and the power is lost.
#[test]
fn a_folder_whose_replacement_failed_is_deleted_for_good_and_replaced() {
    let objects = |byte| vec![("x", vec![byte; 700]), ("in/y", vec![byte; 700])];
    let first = Action::Publish { at: "d/f", objects: objects(1) };
    let second = Action::Replace { at: "d/f", objects: objects(2) };
    let third = Action::Replace { at: "d/f", objects: objects(3) };
    let whole = [&first, &second].map(|action| after(&Content::new(), action));
    let mut left = 0;
    for action in [third, Action::DeleteFolder("d/f")] {
        let last = after(&whole[0], &action);
        'faults: for fault in 0.. {
            for cut in 0..200 {
                let disk = SimulatedDisk::new();
                disk.set_exchanges(false);
                assert!(run(&store(&disk), &first).expect("published"));
                let begun = disk.operations();
                disk.fail_after(fault, DiskFault::Broken);
                let _ = run(&store(&disk), &second);
                if disk.operations() - begun <= fault {
                    break 'faults;
                }
                left += u64::from(disk.status(Path::new("/above/store/d/.jarrah-old-f")).is_ok());
                disk.cut_power_after(cut);
                let is_done = run(&store(&disk), &action).is_ok();
                for seed in 0..5 {
                    let survivor = disk.crash(seed);
                    store(&survivor).clear_unfinished(&Name::root()).expect("cleared");
                    let found = content(&store(&survivor));
                    let told =
                        format!("fault at {fault}, power lost at {cut}, seed {seed}: {}", brief(&found));
                    assert!(found == last || !is_done && whole.contains(&found), "{told}");
                }
                if is_done {
                    break;
                }
                assert!(cut < 199, "fault at {fault}: it is not done without a loss of power");
            }
        }
    }
    assert!(left > 100, "{left}");
}

/// A writer is killed, another clears up on the machine that runs on, and the power is lost while it does.
#[test]
fn power_lost_while_the_files_of_a_killed_writer_are_cleared_leaves_all_whole() {
    let objects = |byte| vec![("x", vec![byte; 700]), ("in/y", vec![byte; 700])];
    let first = Action::Publish { at: "d/f", objects: objects(1) };
    let before = after(&Content::new(), &first);
    let replace = Action::Replace { at: "d/f", objects: objects(2) };
    let mut brought_back = 0;
    for action in [replace, Action::DeleteFolder("d/f")] {
        let changed = after(&before, &action);
        for (killed, cut) in (0..).flat_map(|killed| (0..30).map(move |cut| (killed, cut))) {
            let disk = SimulatedDisk::new();
            assert!(run(&store(&disk), &first).expect("published"));
            // No operation is done after these, as if the process ended; the machine keeps what it holds in memory.
            disk.cut_power_after(killed);
            let is_done = run(&store(&disk), &action).is_ok();
            disk.cut_power_after(cut);
            let cleared = store(&disk).clear_unfinished(&Name::root()).is_ok();
            for seed in 0..20 {
                let survivor = disk.crash(seed);
                store(&survivor).clear_unfinished(&Name::root()).expect("cleared");
                let found = content(&store(&survivor));
                let told = format!("killed at {killed}, power lost at {cut}, seed {seed}");
                assert!([&before, &changed].contains(&&found), "{told}: {}", brief(&found));
                brought_back += u64::from(cleared && found == before);
            }
            if is_done && cleared {
                break;
            }
        }
    }
    assert!(brought_back > 100, "{brought_back}");
}

/// Two writers of one store lose their power in the middle: each object and each folder is one that one of them wrote.
#[test]
fn power_lost_under_two_writers_leaves_all_whole() {
    let seen = AtomicU64::new(0);
    for round in 0..300 {
        let disk = SimulatedDisk::new();
        let scripts = [script(1_000 + round), script(2_000 + round)];
        disk.cut_power_after(20 + Random(round).below(160));
        thread::scope(|scope| {
            for script in &scripts {
                // Clearing is for one who is alone.
                let actions = script.iter().filter(|action| !matches!(action, Action::Clear));
                scope.spawn(|| {
                    let store = store(&disk);
                    actions.for_each(|action| drop(run(&store, action)));
                });
            }
        });
        let actions: Vec<&Action> = scripts.iter().flatten().collect();
        for seed in 0..4 {
            let found = content(&store(&disk.crash(seed)));
            for at in OBJECTS {
                let Some(found) = found.get(at) else { continue };
                let whole = |action: &&&Action| matches!(action, Action::Put { at: a, bytes, .. } if *a == at && bytes == found);
                assert!(actions.iter().any(|action| whole(&action)), "round {round}: half of {at}");
                seen.fetch_add(1, Ordering::Relaxed);
            }
            for at in FOLDERS {
                let within = format!("{at}/");
                let found: Content = found
                    .iter()
                    .filter(|(name, _)| name.starts_with(&within))
                    .map(|(name, bytes)| (name.clone(), bytes.clone()))
                    .collect();
                let whole = |action: &Action| {
                    matches!(action, Action::Publish { at: a, .. } | Action::Replace { at: a, .. } if *a == at)
                        && after(&Content::new(), action) == found
                };
                assert!(
                    found.is_empty() || actions.iter().any(|action| whole(action)),
                    "round {round}: half of {at}"
                );
                seen.fetch_add(u64::from(!found.is_empty()), Ordering::Relaxed);
            }
        }
    }
    assert!(seen.into_inner() > 1000);
}

#[test]
fn a_full_disk_keeps_all_that_was_there() {
    let disk = SimulatedDisk::new();
    let store = store(&disk);
    let small = |at| Action::Put { at, bytes: vec![1; 1000], when: When::Always };
    assert!(run(&store, &small("o")).expect("it fits"));
    disk.set_quota(Some(2500));
    let objects = vec![("x", vec![2; 1000]), ("in/y", vec![3; 1000])];
    let large = Action::Publish { at: "f", objects };
    let before = content(&store);
    for action in [&large, &Action::Put { at: "o", bytes: vec![4; 600_000], when: When::Unchanged }] {
        let error = run(&store, action).expect_err("it does not fit");
        check_words(&error, DiskFault::Full);
        assert_eq!(content(&store), before);
    }
    // Nothing of it takes space any more.
    assert!(run(&store, &small("d/o")).expect("it fits"));
    disk.set_quota(None);
    assert!(run(&store, &large).expect("it fits"));
    assert_eq!(content(&store).len(), 4);
}

/// An upload one of whose writes failed is not finished, though later writes succeed.
#[test]
fn a_failed_write_is_not_forgotten() {
    let disk = SimulatedDisk::new();
    let store = store(&disk);
    let mut upload = store.create(&name("o")).expect("an upload");
    disk.fail_after(0, DiskFault::Broken);
    check_words(&upload.write(&[1; 300_000]).expect_err("it fails"), DiskFault::Broken);
    check_words(&upload.write(&[2; 300_000]).expect_err("bytes are missing"), DiskFault::Broken);
    check_words(&upload.write(&[2; 3]).expect_err("bytes are missing"), DiskFault::Broken);
    check_words(&upload.finish(Condition::Always).expect_err("bytes are missing"), DiskFault::Broken);
    assert!(content(&store).is_empty());
    assert_eq!(disk.list(Path::new("/above/store")).expect("listed"), []);
}
