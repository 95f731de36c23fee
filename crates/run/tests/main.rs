//! Folders of runs: who may have one, and how one is found.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use jarrah_base::ErrorKind;
use jarrah_run::{RunFolder, is_run, resolve};

fn begun(path: &Path) -> RunFolder {
    RunFolder::create(Some(path)).unwrap().begin(&[("recipe.toml", b"steps = 1\n")]).unwrap()
}

#[test]
fn a_folder_that_is_taken_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    drop(begun(&path));
    let error = RunFolder::create(Some(&path)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().ends_with("run is a run already"), "{error}");
    assert!(error.to_string().contains("jarrah train --resume"));
    fs::remove_file(path.join("run.json")).unwrap();
    RunFolder::create(Some(&path))
        .expect("the files of a run that was killed while it began are no obstacle");

    let others = dir.path().join("others");
    fs::create_dir(&others).unwrap();
    fs::write(others.join("text"), "").unwrap();
    let error = RunFolder::create(Some(&others)).unwrap_err();
    assert!(error.message().ends_with("others is not empty: it holds text"), "{error}");
    assert_eq!(fs::read_dir(&others).unwrap().count(), 1, "nothing was added");
}

#[test]
fn a_run_that_cannot_write_its_first_files_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run");
    let run = RunFolder::create(Some(&path)).unwrap();
    run.begin(&[("a/b", b"")]).unwrap_err();
    assert!(!is_run(&path));
    assert!(!path.join("run.lock").exists() && !path.join("recipe.toml").exists());
}

#[test]
fn a_pointer_file_stands_for_a_link() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("one");
    drop(begun(&path));
    fs::write(dir.path().join("latest"), "one\n").unwrap();
    assert_eq!(resolve(dir.path().join("latest")).unwrap(), path);
    assert_eq!(RunFolder::open(dir.path().join("latest")).unwrap().path(), path);
}

#[test]
fn a_folder_that_is_no_run_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text");
    fs::create_dir(&text).unwrap();
    fs::write(text.join("00.txt"), "some text").unwrap();
    let message = |name: &str| RunFolder::open(dir.path().join(name)).unwrap_err().message().to_owned();
    assert!(message("nothing").ends_with("nothing does not exist"));
    let neither = "text is not the folder of a run or of a model: it has neither run.json nor config.json";
    assert!(message("text").ends_with(neither));
    assert!(message("text/00.txt").ends_with("00.txt is not the folder of a run"));
    fs::write(text.join("run.json"), "{\"version\": 3}").unwrap();
    assert!(message("text").ends_with("is a run of version 3, but this program knows versions up to 2"));
    fs::write(text.join("run.json"), "{\"version\": 1}").unwrap();
    assert!(message("text").contains("is a run of version 1, whose model has another form"));
    fs::write(text.join("run.json"), "{\"ver").unwrap();
    assert!(message("text").ends_with("run.json is damaged"));
}
