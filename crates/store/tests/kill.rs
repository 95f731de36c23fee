//! A writer that is killed at any moment.

use std::env;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use jarrah_store::{Condition, LocalStore, Name, ObjectStore};

use crate::common::{Random, content, get, name, put};

const CHILD: &str = "JARRAH_TEST_STORE_KILL";
const TEST: &str = "kill::killed_at_any_moment_only_whole_folders_are_seen";
/// How many kills, where the variable `JARRAH_TEST_STORE_KILLS` says nothing else.
const KILLS: u64 = 40;
const LEN: usize = 70_000;

/// Publishes step after step, the latest of which an object names, and keeps two; tells each once it is durable.
fn write_steps(root: &Path) -> ! {
    let store = LocalStore::new(root).unwrap();
    store.clear_unfinished(&Name::root()).unwrap();
    let mut step: u64 =
        get(&store, "latest").map_or(0, |text| String::from_utf8(text).unwrap().parse().unwrap());
    loop {
        step += 1;
        let draft = store.draft(&name(&format!("steps/{step}"))).unwrap();
        for below in ["state", "in/a", "in/b"] {
            let mut upload = draft.create(&name(below)).unwrap();
            upload.write(&vec![step as u8; LEN]).unwrap();
            upload.finish(Condition::Absent).unwrap().unwrap();
        }
        // The step is there where the killed writer had published it and not yet named it.
        draft.publish().unwrap();
        put(&store, "latest", step.to_string().as_bytes());
        if step > 2 {
            store.delete_folder(&name(&format!("steps/{}", step - 2))).unwrap();
        }
        println!("durable {step}");
    }
}

/// The files and folders with reserved names.
fn leftovers(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let count = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        let reserved = name.starts_with(".jarrah-") || name.contains("orbax");
        let below = if entry.path().is_dir() { leftovers(&entry.path()) } else { 0 };
        usize::from(reserved) + below
    };
    entries.map(count).sum()
}

#[test]
fn killed_at_any_moment_only_whole_folders_are_seen() {
    if let Some(root) = env::var_os(CHILD) {
        write_steps(Path::new(&root));
    }
    let folder = tempfile::tempdir().unwrap();
    let store = LocalStore::new(folder.path()).unwrap();
    let mut random = Random(7);
    let kills = env::var("JARRAH_TEST_STORE_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    let mut interrupted = 0;
    for _ in 0..kills {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", TEST, "--nocapture"])
            .env(CHILD, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
        let step = |line: String| line.strip_prefix("durable ").map(|step| step.parse::<u64>().unwrap());
        let mut durable = lines.by_ref().find_map(step).expect("the child ended by itself");
        (0..random.below(5_000)).for_each(|_| thread::yield_now());
        child.kill().unwrap();
        child.wait().unwrap();
        durable = lines.filter_map(step).last().unwrap_or(durable);

        interrupted += u64::from(leftovers(folder.path()) > 0);
        for cleared in [false, true] {
            let found = content(&store);
            let latest: u64 = String::from_utf8(found["latest"].clone()).unwrap().parse().unwrap();
            assert!(latest == durable || latest == durable + 1, "{latest} is named, {durable} was durable");
            let steps = store.folders(&name("steps")).unwrap();
            assert!(steps.contains(&durable.to_string()), "{durable} was durable, {steps:?} are there");
            for step in &steps {
                let byte = step.parse::<u64>().unwrap() as u8;
                for below in ["state", "in/a", "in/b"] {
                    assert!(found[&format!("steps/{step}/{below}")] == [byte; LEN], "{step}/{below}");
                }
            }
            if !cleared {
                store.clear_unfinished(&Name::root()).unwrap();
                assert_eq!(leftovers(folder.path()), 0);
            }
        }
    }
    assert!(interrupted >= kills / 10, "only {interrupted} of {kills} kills fell into a write");
    println!("{interrupted} of {kills} kills fell into a write");
}
