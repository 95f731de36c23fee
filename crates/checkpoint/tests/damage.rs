use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, ErrorKind, Result};
use jarrah_checkpoint::{Checkpoint, Manager, ManagerOptions, Snapshot, latest, list};

use crate::common::{same, snapshot};

const FILES: [&str; 2] = ["manifest.json", "tensors.safetensors"];

fn saved(dir: &Path, step: u64) -> PathBuf {
    let mut manager = Manager::open(dir, ManagerOptions::default()).unwrap();
    manager.save(snapshot(step));
    manager.wait().unwrap().unwrap().path
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
    let folder = saved(dir.path(), 1);
    for name in FILES {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        // Truncating and rewriting would make some file systems flush each time.
        let overwrite = |bytes: &[u8]| {
            fs::OpenOptions::new().write(true).open(&path).unwrap().write_all(bytes).unwrap();
        };
        for at in 0..whole.len() {
            for mask in [0x01, 0x20, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= mask;
                overwrite(&bytes);
                let error = refusal(&folder);
                assert!(error.message().contains(name), "byte {at} of {name}: {error}");
            }
        }
        overwrite(&whole);
    }
    assert!(same(&read(&folder).unwrap(), &snapshot(1)));
}

#[test]
fn every_other_length_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    for name in FILES {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        for len in (0..whole.len()).rev() {
            fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(len as u64).unwrap();
            assert!(refusal(&folder).message().contains(name));
        }
        for more in [&b"\n"[..], b"\0", b"}\n"] {
            fs::write(&path, [&whole, more].concat()).unwrap();
            assert!(refusal(&folder).message().contains(name));
        }
        fs::remove_file(&path).unwrap();
        assert!(refusal(&folder).message().contains(name));
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_damaged_tensor_is_named_with_both_checksums() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    let written = Checkpoint::open(&folder).unwrap().tensors()[0].blake3.clone();
    let path = folder.join("tensors.safetensors");
    let mut bytes = fs::read(&path).unwrap();
    let wte = snapshot(1).tensors[0].1.bytes().to_vec();
    let at = bytes.windows(wte.len()).position(|w| w == wte).unwrap();
    bytes[at + 5] ^= 4;
    fs::write(&path, &bytes).unwrap();
    let found = blake3::hash(&bytes[at..at + wte.len()]).to_hex();
    let checkpoint = Checkpoint::open(&folder).unwrap();
    let message = format!(
        "{}: tensor params/wte has the blake3 checksum {found}, but {written} was written",
        path.display()
    );
    assert_eq!(checkpoint.load().unwrap_err().message(), message);
    assert_eq!(checkpoint.verify().unwrap_err().message(), message);
    checkpoint.group("opt").expect("the other tensors are whole");
}

/// The text with its checksum made right again.
fn sign(text: &str) -> String {
    let tail = "0\"\n}\n";
    let digits = text.len() - tail.len() - 63;
    let zeros = format!("{}{}{tail}", &text[..digits], "0".repeat(63));
    format!("{}{}\"\n}}\n", &zeros[..digits], blake3::hash(zeros.as_bytes()).to_hex())
}

#[test]
fn a_newer_version_is_told_from_damage() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    let path = folder.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(sign(&text), text);
    let newer = text.replace("\"version\": 1,", "\"version\": 7,");
    let message = format!("{} has format version 7, but this program reads versions up to 1", path.display());
    for text in [sign(&newer), newer.replace("\"checksum\"", "\"signature\"")] {
        fs::write(&path, text).unwrap();
        assert_eq!(refusal(&folder).message(), message);
    }
    fs::write(&path, newer).unwrap();
    assert!(refusal(&folder).message().contains("blake3 checksum"));
}

#[test]
fn a_manifest_that_lies_about_the_tensors_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = saved(dir.path(), 1);
    let path = folder.join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let lies = [
        ("\"shape\":[2,3]", "\"shape\":[3,2]"),
        ("\"shape\":[2,3]", "\"shape\":[18446744073709551615,18446744073709551615]"),
        ("\"dtype\":\"bf16\"", "\"dtype\":\"f16\""),
        ("\"dtype\":\"bf16\"", "\"dtype\":\"c64\""),
        ("\"offsets\":[0,16]", "\"offsets\":[18446744073709551615,16]"),
        ("\"name\":\"params/wte\"", "\"name\":\"opt/count\""),
        ("\"header_bytes\":", "\"header_bytes\":9"),
        ("\"format\": \"jarrah-checkpoint\"", "\"format\": \"other\""),
        ("\"step\": 1", "\"step\": -1"),
    ];
    for (true_text, lie) in lies {
        let changed = text.replacen(true_text, lie, 1);
        assert_ne!(changed, text, "{true_text}");
        fs::write(&path, sign(&changed)).unwrap();
        refusal(&folder);
    }
}

#[test]
fn latest_never_falls_back_silently() {
    let dir = tempfile::tempdir().unwrap();
    saved(dir.path(), 1);
    let newest = saved(dir.path(), 2);
    assert_eq!(latest(dir.path()).unwrap().step(), 2);
    fs::write(newest.join("manifest.json"), "").unwrap();
    let listing = list(dir.path()).unwrap();
    assert_eq!((listing.good[0].step(), listing.damaged[0].0), (1, 2));
    let error = latest(dir.path()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("step_00000002/manifest.json"), "{error}");
    fs::rename(newest, dir.path().join("elsewhere")).unwrap();
    assert_eq!(latest(dir.path()).unwrap().step(), 1);
    fs::rename(dir.path().join("step_00000001"), dir.path().join("step_00000009")).unwrap();
    assert!(latest(dir.path()).err().unwrap().message().ends_with("step_00000009 holds step 1"));
}
