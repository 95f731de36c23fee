use std::fs;

use jarrah_data::{Corpus, Documents, Manifest};

use super::{input_error, write};

#[test]
fn a_resumed_run_reads_the_same_text_and_ignores_new_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let lines: String = (0..60).map(|i| format!("{{\"text\": \"document {i}\"}}\n")).collect();
    write(root, &[("b.txt", "bees\n"), ("a/a.txt", "ants\n"), ("c.jsonl", &lines)]);
    let corpus = Corpus::open(&[root.to_str().unwrap()]).unwrap();
    assert_eq!(corpus.manifest.files.len(), 3);
    assert!(corpus.manifest.files[0].path.ends_with("a/a.txt"));
    assert_eq!(corpus.manifest.files[1].bytes, 5);
    assert_eq!(corpus.manifest.files[1].blake3, blake3::hash(b"bees\n").to_hex().as_str());

    let kept = root.join("sources.json");
    corpus.manifest.save(&kept).unwrap();
    write(root, &[("0.txt", "new")]);
    let manifest = Manifest::load(&kept).unwrap();
    assert_eq!(manifest, corpus.manifest);
    assert_eq!(manifest.hash(), corpus.manifest.hash());
    let again = Corpus::reopen(&manifest, Documents::Texts).unwrap();
    assert_eq!((again.train, again.held_out), (corpus.train, corpus.held_out));
}

#[test]
fn a_changed_file_is_an_error_with_both_hashes() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a.txt", "before"), ("b.txt", "same")]);
    let corpus = Corpus::open(&[folder.path().to_str().unwrap()]).unwrap();
    write(folder.path(), &[("a.txt", "after!")]);
    let path = folder.path().join("a.txt");
    let hash = |text: &str| blake3::hash(text.as_bytes()).to_hex();
    let message = input_error(Corpus::reopen(&corpus.manifest, Documents::Texts));
    assert_eq!(
        message,
        format!(
            "the run's source file {} has changed: it was 6 bytes, blake3 {}, and is 6 bytes, blake3 {}",
            path.display(),
            hash("before"),
            hash("after!")
        )
    );
}

#[test]
fn a_missing_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("a.txt", "before"), ("b.txt", "same")]);
    let corpus = Corpus::open(&[folder.path().to_str().unwrap()]).unwrap();
    let path = folder.path().join("b.txt");
    fs::remove_file(&path).unwrap();
    let message = input_error(Corpus::reopen(&corpus.manifest, Documents::Texts));
    let hash = blake3::hash(b"same").to_hex();
    assert_eq!(
        message,
        format!("the run's source file {} is missing (4 bytes, blake3 {hash})", path.display())
    );
}

#[test]
fn a_wrong_manifest_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sources.json");
    let shown = path.display();
    assert!(input_error(Manifest::load(&path)).starts_with(&format!("cannot read {shown}: ")));
    for text in ["{", "{}", r#"{"version":1,"files":[{"path":"a"}]}"#] {
        fs::write(&path, text).unwrap();
        assert!(
            input_error(Manifest::load(&path))
                .starts_with(&format!("{shown} is not a list of source files: "))
        );
    }
    fs::write(&path, r#"{"version":2,"files":[],"more":1}"#).unwrap();
    assert_eq!(
        input_error(Manifest::load(&path)),
        format!("{shown} has version 2, but this program knows versions up to 1")
    );
}
