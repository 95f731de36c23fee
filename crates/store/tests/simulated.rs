//! The simulated disk loses what it may lose, and nothing else.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use jarrah_store::{DiskFault, Files, SimulatedDisk};

const SEEDS: std::ops::Range<u64> = 0..300;

fn root() -> &'static Path {
    Path::new("/")
}

fn write(disk: &SimulatedDisk, path: &str, bytes: &[u8], sync: bool) {
    let mut file = disk.create(Path::new(path)).unwrap();
    file.write_all(bytes).unwrap();
    if sync {
        file.sync().unwrap();
    }
}

fn read(disk: &SimulatedDisk, path: &str) -> Option<Vec<u8>> {
    let file = disk.open(Path::new(path)).ok()?;
    let mut bytes = vec![0; file.status().unwrap().len as usize];
    file.read_at(0, &mut bytes).unwrap();
    Some(bytes)
}

fn outcomes<T: Ord>(disk: &SimulatedDisk, of: impl Fn(&SimulatedDisk) -> T) -> Vec<T> {
    let mut found: Vec<T> = SEEDS.map(|seed| of(&disk.crash(seed))).collect();
    found.sort();
    found.dedup();
    found
}

#[test]
fn a_name_without_a_sync_of_its_folder_may_be_lost() {
    let disk = SimulatedDisk::new();
    write(&disk, "/a", b"1", true);
    assert_eq!(outcomes(&disk, |disk| read(disk, "/a")), [None, Some(b"1".to_vec())]);
    disk.sync_folder(root()).unwrap();
    assert_eq!(outcomes(&disk, |disk| read(disk, "/a")), [Some(b"1".to_vec())]);
    assert_eq!(read(&disk, "/a"), Some(b"1".to_vec()), "the disk itself goes on");
}

#[test]
fn bytes_without_a_sync_may_be_lost_torn_and_reordered() {
    let disk = SimulatedDisk::new();
    let bytes: Vec<u8> = (0..5 * 512).map(|i| 1 + (i / 512) as u8).collect();
    write(&disk, "/a", &bytes, false);
    disk.sync_folder(root()).unwrap();
    let found = outcomes(&disk, |disk| read(disk, "/a").unwrap());
    assert!(found.contains(&Vec::new()) && found.contains(&bytes));
    assert!(
        found.iter().any(|found| !found.is_empty() && found.len() < bytes.len() && bytes.starts_with(found))
    );
    // A later sector without an earlier one.
    assert!(found.iter().any(|found| found.len() == bytes.len() && found[0] == 0 && found[4 * 512] == 5));
    disk.sync_file(Path::new("/a")).unwrap();
    assert_eq!(outcomes(&disk, |disk| read(disk, "/a").unwrap()), [bytes]);
}

#[test]
fn bytes_that_were_synced_stay_under_those_that_were_not() {
    let disk = SimulatedDisk::new();
    let mut file = disk.create(Path::new("/a")).unwrap();
    file.write_all(&[1; 700]).unwrap();
    file.sync().unwrap();
    disk.sync_folder(root()).unwrap();
    file.write_all(&[2; 700]).unwrap();
    for found in outcomes(&disk, |disk| read(disk, "/a").unwrap()) {
        assert!(found.len() >= 700 && found[..700] == [1; 700], "{found:?}");
        assert!(found[700..].iter().all(|&byte| byte == 0 || byte == 2));
    }
}

#[test]
fn a_rename_without_a_sync_may_be_lost_but_not_torn() {
    let disk = SimulatedDisk::new();
    write(&disk, "/old", b"old", true);
    write(&disk, "/new", b"new", true);
    disk.sync_folder(root()).unwrap();
    disk.rename(Path::new("/new"), Path::new("/old")).unwrap();
    let found = outcomes(&disk, |disk| (read(disk, "/old"), read(disk, "/new")));
    let (old, new) = (Some(b"old".to_vec()), Some(b"new".to_vec()));
    assert_eq!(found, [(new.clone(), None), (old, new.clone())]);
    disk.sync_folder(root()).unwrap();
    assert_eq!(outcomes(&disk, |disk| (read(disk, "/old"), read(disk, "/new"))), [(new, None)]);
}

#[test]
fn names_survive_in_any_order() {
    let disk = SimulatedDisk::new();
    for path in ["/a", "/b"] {
        write(&disk, path, b"", true);
    }
    let there = |disk: &SimulatedDisk| ["/a", "/b"].map(|path| read(disk, path).is_some());
    assert_eq!(outcomes(&disk, there), [[false, false], [false, true], [true, false], [true, true]]);
    disk.sync_folder(root()).unwrap();
    for path in ["/a", "/b"] {
        disk.remove_file(Path::new(path)).unwrap();
    }
    assert_eq!(outcomes(&disk, there), [[false, false], [false, true], [true, false], [true, true]]);
}

#[test]
fn a_folder_keeps_its_own_names() {
    let disk = SimulatedDisk::new();
    disk.create_folder(Path::new("/d")).unwrap();
    disk.sync_folder(root()).unwrap();
    write(&disk, "/d/a", b"1", true);
    disk.sync_folder(root()).unwrap();
    assert_eq!(outcomes(&disk, |disk| read(disk, "/d/a").is_some()), [false, true]);
    disk.sync_folder(Path::new("/d")).unwrap();
    assert_eq!(outcomes(&disk, |disk| read(disk, "/d/a").is_some()), [true]);
    disk.rename(Path::new("/d/a"), Path::new("/a")).unwrap();
    let there = |disk: &SimulatedDisk| ["/d/a", "/a"].map(|path| read(disk, path).is_some());
    assert_eq!(outcomes(&disk, there).len(), 4, "a rename between folders may leave both names, or none");
}

#[test]
fn a_sync_that_failed_loses_the_bytes() {
    let disk = SimulatedDisk::new();
    write(&disk, "/a", &[1; 600], false);
    disk.sync_folder(root()).unwrap();
    disk.fail_after(0, DiskFault::Broken);
    assert!(
        disk.sync_file(Path::new("/a"))
            .unwrap_err()
            .to_string()
            .to_lowercase()
            .contains("input/output error")
    );
    disk.sync_file(Path::new("/a")).unwrap();
    assert_eq!(read(&disk, "/a").unwrap(), [1; 600]);
    assert_eq!(outcomes(&disk, |disk| read(disk, "/a").unwrap()), [vec![0; 600]]);
}

#[test]
fn faults_come_when_they_were_asked_for() {
    let disk = SimulatedDisk::new();
    disk.set_quota(Some(10));
    let mut file = disk.create(Path::new("/a")).unwrap();
    let full = file.write_all(&[1; 11]).unwrap_err();
    assert_eq!(full.kind(), io::ErrorKind::StorageFull);
    assert_eq!(read(&disk, "/a").unwrap(), [1; 10]);
    disk.remove_file(Path::new("/a")).unwrap();
    write(&disk, "/b", &[2; 10], true);

    let before = disk.operations();
    disk.fail_after(1, DiskFault::Full);
    disk.status(root()).unwrap();
    assert_eq!(disk.status(root()).unwrap_err().kind(), io::ErrorKind::StorageFull);
    disk.status(root()).unwrap();
    assert_eq!(disk.operations() - before, 3);

    disk.cut_power_after(1);
    disk.remove_file(Path::new("/b")).unwrap();
    assert!(disk.create(Path::new("/c")).map(drop).unwrap_err().to_string().contains("power"));
    assert!(disk.status(root()).is_err());
    assert_eq!(disk.crash(0).list(root()).map(|listed| listed.len() < 2).ok(), Some(true));
}

#[test]
fn a_slow_disk_takes_its_time() {
    let disk = SimulatedDisk::new();
    disk.set_latency(Duration::from_millis(3));
    let start = Instant::now();
    for _ in 0..4 {
        disk.status(root()).unwrap();
    }
    assert!(start.elapsed() >= Duration::from_millis(12));
}

#[test]
fn numbers_of_removed_files_come_again() {
    let disk = SimulatedDisk::new();
    let number = |path| disk.status(Path::new(path)).unwrap().number;
    write(&disk, "/a", b"", true);
    let first = number("/a");
    write(&disk, "/b", b"", true);
    assert_ne!(number("/b"), first);
    disk.remove_file(Path::new("/a")).unwrap();
    write(&disk, "/c", b"", true);
    assert_eq!(number("/c"), first);
}

#[test]
fn equal_seeds_give_equal_disks() {
    let disk = SimulatedDisk::new();
    for path in ["/a", "/b", "/c"] {
        write(&disk, path, &[7; 3000], false);
    }
    let all = |disk: &SimulatedDisk| ["/a", "/b", "/c"].map(|path| read(disk, path));
    let mut seeds = SEEDS;
    assert!(seeds.all(|seed| all(&disk.crash(seed)) == all(&disk.crash(seed))));
    assert!(outcomes(&disk, all).len() > 20);
}

#[test]
fn names_and_kinds_are_those_of_a_file_system() {
    let disk = SimulatedDisk::new();
    let kind = |result: io::Result<()>| result.unwrap_err().kind();
    let [a, d, below] = ["/a", "/d", "/d/x"].map(Path::new);
    write(&disk, "/a", b"1", true);
    disk.create_folder(d).unwrap();
    write(&disk, "/d/x", b"2", true);
    assert_eq!(kind(disk.create(a).map(drop)), io::ErrorKind::AlreadyExists);
    assert_eq!(kind(disk.create(Path::new("/a/x")).map(drop)), io::ErrorKind::NotADirectory);
    assert_eq!(kind(disk.create(Path::new("/none/x")).map(drop)), io::ErrorKind::NotFound);
    assert_eq!(
        kind(disk.create(Path::new(&format!("/{}", "x".repeat(256)))).map(drop)),
        io::ErrorKind::InvalidFilename
    );
    assert_eq!(kind(disk.rename(a, d)), io::ErrorKind::IsADirectory);
    assert_eq!(kind(disk.rename(d, a)), io::ErrorKind::NotADirectory);
    assert_eq!(kind(disk.remove_folder(d)), io::ErrorKind::DirectoryNotEmpty);
    assert_eq!(kind(disk.remove_file(d)), io::ErrorKind::IsADirectory);
    assert_eq!(kind(disk.rename_new(a, below)), io::ErrorKind::AlreadyExists);
    disk.create_folder(Path::new("/e")).unwrap();
    assert_eq!(kind(disk.rename(Path::new("/e"), d)), io::ErrorKind::DirectoryNotEmpty);
    disk.rename(d, Path::new("/e")).unwrap();
    assert_eq!(read(&disk, "/e/x"), Some(b"2".to_vec()));
    assert_eq!(kind(disk.list(d).map(drop)), io::ErrorKind::NotFound);
}
