use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use jarrah_base::{DType, Error, ErrorKind, Literal, Result, Type};
use jarrah_checkpoint::{Checkpoint, CheckpointManager, CheckpointManagerOptions, Snapshot, latest, list};

use crate::common::{files, same, snapshot, version_1};

/// The snapshot of a step, with tensors that do not lie in the nodes of the database, where small ones lie.
fn sized(step: u64) -> Snapshot {
    let mut snapshot = snapshot(step);
    let values: Vec<f32> = (0..260).map(|i| i as f32 + 0.5).collect();
    let narrow = |dtype| Literal::full(Type::tensor(dtype, [1025]), 1.0).unwrap();
    snapshot.tensors.push(("params/large".into(), Literal::from_slice(&[26, 10], &values).unwrap()));
    snapshot.tensors.insert(0, ("opt/large_mask".into(), narrow(DType::Bool)));
    snapshot.tensors.insert(0, ("opt/large_narrow".into(), narrow(DType::I4)));
    snapshot
}

fn saved(dir: &Path, step: u64) -> PathBuf {
    let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default()).unwrap();
    manager.save(sized(step));
    manager.wait().unwrap().unwrap().path
}

/// A checkpoint of step 1 of the first version and of the newest, with its snapshot and the path of its manifest.
fn of_each_version(dir: &Path) -> [(PathBuf, Snapshot, &'static str); 2] {
    [
        (version_1(&dir.join("1")), snapshot(1), "manifest.json"),
        (saved(&dir.join("2"), 1), sized(1), "jarrah/metadata"),
    ]
}

fn read(folder: &Path) -> Result<Snapshot> {
    let checkpoint = Checkpoint::open(folder)?;
    let snapshot = checkpoint.load()?;
    checkpoint.verify()?;
    Ok(snapshot)
}

fn refusal(folder: &Path) -> Error {
    let error = read(folder).expect_err("damage was not noticed");
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    error
}

#[test]
fn every_changed_byte_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    for (folder, snapshot, _) in of_each_version(dir.path()) {
        for name in files(&folder) {
            let path = folder.join(&name);
            let whole = fs::read(&path).unwrap();
            // Truncating and rewriting would make some file systems flush each time.
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            for at in 0..whole.len() {
                // The high bits of a byte are of no matter to the values of truth values and narrow integers.
                for mask in [0x01, 0x80] {
                    file.write_all_at(&[whole[at] ^ mask], at as u64).unwrap();
                    let error = refusal(&folder);
                    let told = error.message().contains(&name) || error.message().contains("state: tensor ");
                    assert!(told, "byte {at} of {name}: {error}");
                }
                file.write_all_at(&whole[at..=at], at as u64).unwrap();
            }
        }
        assert!(same(&read(&folder).unwrap(), &snapshot));
    }
}

#[test]
fn every_other_length_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    for (folder, ..) in of_each_version(dir.path()) {
        for name in files(&folder) {
            let path = folder.join(&name);
            let whole = fs::read(&path).unwrap();
            let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
            for len in (0..whole.len()).rev() {
                file.set_len(len as u64).unwrap();
                assert!(refusal(&folder).message().contains(&name));
            }
            for more in [&b"\n"[..], b"\0", b"}\n"] {
                fs::write(&path, [&whole, more].concat()).unwrap();
                assert!(refusal(&folder).message().contains(&name));
            }
            fs::remove_file(&path).unwrap();
            assert!(refusal(&folder).message().contains(&name));
            fs::write(&path, whole).unwrap();
        }
        read(&folder).unwrap();
    }
}

/// Files by which Orbax, or a reader of its checkpoints, would take the arrays for others.
#[test]
fn a_file_more_in_an_item_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    read(&folder).unwrap();
    for file in [
        "state/_sharding",
        "state/manifest.0000000000000001",
        "state/checkpoint",
        "jarrah/data.json",
        "metrics/data.json",
    ] {
        fs::write(folder.join(file), "{}").unwrap();
        assert!(refusal(&folder).message().contains(file));
        fs::remove_file(folder.join(file)).unwrap();
    }
}

#[test]
fn a_damaged_tensor_is_named_with_both_checksums() {
    let dir = tempfile::tempdir().unwrap();
    let first = version_1(dir.path());
    damage_tensor(&first, "params/wte", "tensors.safetensors", "tensors.safetensors");
    let folder = saved(dir.path(), 2);
    let is_data = |file: &String| file.starts_with("state/ocdbt.process_0/d/");
    let file = files(&folder).into_iter().find(is_data).unwrap();
    damage_tensor(&folder, "params/large", &file, "state");
}

fn damage_tensor(folder: &Path, name: &str, file: &str, shown: &str) {
    let checkpoint = Checkpoint::open(folder).unwrap();
    let written =
        checkpoint.tensors().iter().find(|entry| entry.name == name).unwrap().blake3.clone().unwrap();
    let tensor = checkpoint.tensor(name).unwrap().bytes().to_vec();
    let path = folder.join(file);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(tensor.len()).position(|w| w == tensor).unwrap();
    bytes[at + 5] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let found = blake3::hash(&bytes[at..at + tensor.len()]).to_hex();
    let checkpoint = Checkpoint::open(folder).unwrap();
    let message = format!(
        "{}: tensor {name} has the blake3 checksum {found}, but {written} was written",
        folder.join(shown).display()
    );
    assert_eq!(checkpoint.load().unwrap_err().message(), message);
    assert_eq!(checkpoint.verify().unwrap_err().message(), message);
    assert!(checkpoint.verify().unwrap_err().advice().is_some());
    checkpoint.group("opt").expect("the other tensors are whole");
}

/// The text with its checksum made right again.
pub fn sign(text: &str) -> String {
    let tail = "0\"\n}\n";
    let digits = text.len() - tail.len() - 63;
    let zeros = format!("{}{}{tail}", &text[..digits], "0".repeat(63));
    format!("{}{}\"\n}}\n", &zeros[..digits], blake3::hash(zeros.as_bytes()).to_hex())
}

#[test]
fn a_newer_version_is_told_from_damage() {
    let dir = tempfile::tempdir().unwrap();
    for (number, (folder, _, manifest)) in [1, 3].into_iter().zip(of_each_version(dir.path())) {
        let path = folder.join(manifest);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(sign(&text), text);
        let of_version = |other: u64| {
            let (found, other) = (format!("\"version\": {number},"), format!("\"version\": {other},"));
            assert!(text.contains(&found));
            text.replace(&found, &other)
        };
        let newer = of_version(7);
        let message =
            format!("{} has format version 7, but this program reads versions up to 4", path.display());
        for text in [sign(&newer), newer.replace("\"checksum\"", "\"signature\"")] {
            fs::write(&path, text).unwrap();
            assert_eq!(refusal(&folder).message(), message);
        }
        fs::write(&path, newer).unwrap();
        assert!(refusal(&folder).message().contains("blake3 checksum"));
        // The manifest of one version is none of the other.
        fs::write(&path, sign(&of_version(4 - number))).unwrap();
        assert!(refusal(&folder).message().contains("it is no manifest of format"));
    }
}

#[test]
fn a_manifest_that_lies_about_the_tensors_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let of_both = [
        ("\"shape\":[2,3]", "\"shape\":[3,2]"),
        ("\"shape\":[2,3]", "\"shape\":[18446744073709551615,18446744073709551615]"),
        ("\"dtype\":\"bf16\"", "\"dtype\":\"f16\""),
        ("\"dtype\":\"bf16\"", "\"dtype\":\"c64\""),
        ("\"dtype\":\"bf16\"", "\"dtype\":\"none\""),
        ("\"name\":\"params/wte\"", "\"name\":\"opt/count\""),
        ("\"format\": \"jarrah-checkpoint\"", "\"format\": \"other\""),
        ("\"step\": 1", "\"step\": -1"),
    ];
    let of_one: [&[(&str, &str)]; 2] = [
        &[
            ("\"offsets\":[0,16]", "\"offsets\":[18446744073709551615,16]"),
            ("\"header_bytes\":", "\"header_bytes\":9"),
        ],
        &[
            ("\"bytes\":", "\"bytes\":9"),
            ("\"tensor_bytes\":0", "\"tensor_bytes\":18446744073709551615"),
            ("\"tensor_bytes\":0", "\"tensor_bytes\":1"),
            ("\"name\":\"_CHECKPOINT_METADATA\"", "\"name\":\"../manifest\""),
            ("\"name\":\"_CHECKPOINT_METADATA\"", "\"name\":\"\""),
            ("\"name\":\"params/wte\"", "\"name\":\"params.wte\""),
        ],
    ];
    for ((folder, _, manifest), of_one) in of_each_version(dir.path()).into_iter().zip(of_one) {
        let path = folder.join(manifest);
        let text = fs::read_to_string(&path).unwrap();
        for (true_text, lie) in of_both.iter().chain(of_one) {
            let changed = text.replacen(true_text, lie, 1);
            assert_ne!(changed, text, "{true_text}");
            fs::write(&path, sign(&changed)).unwrap();
            refusal(&folder);
        }
    }
}

/// A folder that another program wrote with Orbax has no manifest: the error says how it is read.
#[test]
fn a_checkpoint_of_another_program_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    fs::remove_dir_all(folder.join("jarrah")).unwrap();
    let error = refusal(&folder);
    assert!(
        error.message().ends_with("step_00000001 has neither jarrah/metadata nor manifest.json"),
        "{error}"
    );
    assert!(error.advice().unwrap().contains("`jarrah checkpoint show`"));
}

#[test]
fn latest_never_falls_back_silently() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path(), 1);
    let newest = saved(dir.path(), 2);
    assert_eq!(latest(dir.path()).unwrap().step(), 2);
    fs::write(newest.join("jarrah/metadata"), "").unwrap();
    let listing = list(dir.path()).unwrap();
    assert_eq!((listing.good[0].step(), listing.damaged[0].0), (1, 2));
    let error = latest(dir.path()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("step_00000002/jarrah/metadata"), "{error}");
    fs::rename(newest, dir.path().join("elsewhere")).unwrap();
    assert_eq!(latest(dir.path()).unwrap().step(), 1);
    fs::rename(dir.path().join("step_00000001"), dir.path().join("step_00000009")).unwrap();
    assert!(latest(dir.path()).err().unwrap().message().ends_with("step_00000009 holds step 1"));
}
