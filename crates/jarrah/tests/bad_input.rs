use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Done, Place};

#[test]
fn text_that_is_none_is_refused_and_leaves_nothing() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).unwrap();
    fs::create_dir(place.path("binary")).unwrap();
    fs::write(place.path("binary/a.bin"), [0, 1, 2, 255]).unwrap();
    fs::write(place.path("short.txt"), "ab").unwrap();
    fs::write(place.path("bad.jsonl"), "{\"text\": \"fine\"}\n{\"other\": 1}\n").unwrap();
    place.refused("train tiny.toml --data nowhere", "");
    place.refused(
        "train tiny.toml --data empty",
        "no text to train on in empty: there is no file, or all are empty",
    );
    place.refused("train tiny.toml --data binary", "no text to train on in binary: 1 file is binary (a.bin)");
    place.refused("train tiny.toml --data bad.jsonl", "bad.jsonl:2: the line has no `text` or `content`");
    fs::write(place.path("chats.jsonl"), "{\"messages\": []}\n").unwrap();
    let error = place.refused("train tiny.toml --data chats.jsonl", "chats.jsonl:1: the line has no `text`");
    assert!(error.contains("with task=sft"), "{error}");
    place.refused("train tiny.toml --data text lora.r=16", "there is no key lora.r");
    // A word with = behind --data that is no file is a setting that is misspelt, and no path.
    for (word, key) in [("stpes=5", "did you mean steps?"), ("batchsize=2", "batch")] {
        let name = word.split('=').next().unwrap();
        let error =
            place.refused(&format!("train tiny.toml --data text {word}"), &format!("there is no key {name}"));
        assert!(error.contains(key), "{error}");
    }
    // Paths with the sign are paths.
    fs::create_dir(place.path("year=2024")).unwrap();
    fs::write(place.path("year=2024/a.txt"), "line of a file\n".repeat(400)).unwrap();
    place.good("train tiny.toml steps=1 --out a --data year=2024");
    place.good("train tiny.toml steps=1 --out b --data year=2024/*.txt");

    let error = place.refused(
        "train tiny.toml --data short.txt",
        "the training text has 3 tokens, but one sequence needs 9",
    );
    assert!(error.contains("give more text, or a shorter sequence length"), "{error}");
    assert!(!place.path("runs").exists(), "data is checked before a folder is made");
}

#[test]
fn binary_files_among_the_text_are_left_out_and_told() {
    let place = Place::new();
    fs::write(place.path("text/picture.png"), [137, 80, 78, 71, 0, 1]).unwrap();
    let out = place.good("train tiny.toml --data text steps=1");
    assert!(out.contains("; 1 binary file left out (picture.png)"), "{out}");
}

#[test]
fn a_recipe_that_is_wrong_is_refused_with_the_place() {
    let place = Place::new();
    fs::write(place.path("a.toml"), "steps = 3\n[optimizer]\nlearning_rat = 1\n").unwrap();
    let error = place.refused("train a.toml", "there is no key optimizer.learning_rat\n  --> a.toml:3:1");
    assert!(error.contains("= help: "), "{error}");
    let error = place.refused("train chekpoint.every=5", "there is no key chekpoint.every");
    assert!(error.contains("did you mean checkpoint.every?"), "{error}");
    let error = place.refused("train steps", "cannot read the recipe steps");
    assert!(error.contains("a key is changed as steps=VALUE"), "{error}");
    fs::create_dir(place.path("a run")).unwrap();
    let mut command = place.command("train");
    let done = Done::from(command.arg("a run").output().unwrap());
    assert!(done.err.contains("train --resume 'a run' goes on with a run"), "{done:?}");
    place.refused("train =3", "\"=3\" names no key");
    place.refused("train steps=many", "steps must be an integer from 0 to 2^64 - 1");
    place.refused("train tiny.toml model.heads=3", "model.width 8 is no multiple of model.heads 3");
    place.refused("train nowhere.toml", "cannot read the recipe nowhere.toml");
    place.refused("train tiny.toml a.toml", "one recipe at a time: what is a.toml?");
    place.refused("train tiny.toml --resume runs/1", "--resume goes on with the run's own recipe");
    assert!(!place.path("runs").exists(), "nothing was begun");
}

#[test]
fn a_folder_that_cannot_be_written_is_told_before_any_work() {
    let place = Place::new();
    let out = |out: &str| {
        let done = place.jarrah(&format!("train tiny.toml --data text --out {out}"));
        assert!(!done.out.contains("text:"), "{done:?}");
        done
    };
    out("tiny.toml").is_refused("cannot write the run folder tiny.toml: ");
    out("tiny.toml/run").is_refused("cannot write the run folder tiny.toml/run: ");
    out("text").is_refused("text is not empty: it holds ");
    if cfg!(target_os = "linux") {
        // No one can write there, root included.
        out("/proc/run").is_refused("cannot write the run folder /proc/run: ");
    }
}

#[test]
fn what_is_no_run_cannot_be_resumed() {
    let place = Place::new();
    let error = place.refused(
        "train --resume text",
        "text is not the folder of a run or of a model: it has neither run.json",
    );
    assert!(error.contains("help: name the folder of a run"), "{error}");
    place.refused("train --resume runs/latest", "runs/latest does not exist");
    place.refused("checkpoint list text", "text is not the folder of a run");
    place.good("train tiny.toml --data text --out run");
    place.refused("train tiny.toml --data text --out run", "run is a run already");
}

/// A manifest with the checksum of its text: blake3 of the file with zeros for the checksum's own digits.
fn sealed(manifest: String) -> String {
    let digits = manifest.len() - 68..manifest.len() - 4;
    let (before, after) = (&manifest[..digits.start], &manifest[digits.end..]);
    let checksum = blake3::hash(format!("{before}{}{after}", "0".repeat(64)).as_bytes()).to_hex();
    format!("{before}{checksum}{after}")
}

/// The file of a checkpoint that has the bytes of a parameter, and their place in it.
fn data_file(folder: &Path) -> (PathBuf, usize) {
    let parameters = jarrah_checkpoint::Checkpoint::open(folder).unwrap().group("params").unwrap();
    // Smaller ones lie in nodes of the database.
    let large = parameters.iter().map(|(_, value)| value.bytes()).find(|bytes| bytes.len() > 1024).unwrap();
    let files =
        fs::read_dir(folder.join("state/ocdbt.process_0/d")).unwrap().map(|file| file.unwrap().path());
    let at = |file: &PathBuf| fs::read(file).unwrap().windows(large.len()).position(|bytes| bytes == large);
    files.filter_map(|file| Some((at(&file)?, file))).map(|(at, file)| (file, at)).next().unwrap()
}

/// What the commands say to a damaged newest checkpoint.
fn damaged(place: &Place, message: &str) {
    for command in ["train --resume run steps=20", "generate run", "checkpoint hash run"] {
        let done: Done = place.jarrah(command);
        assert_eq!(done.code, Some(2), "{done:?}");
        assert!(done.err.contains(message) && !done.err.contains("panicked"), "{command}: {done:?}");
    }
    let verified = place.jarrah("checkpoint verify run");
    verified.is_refused("damaged checkpoints: step 12");
    assert!(verified.out.contains("step        8  good"), "{verified:?}");
    assert!(verified.out.contains("step       12  damaged: "), "{verified:?}");
    place.good("checkpoint list run");
}

#[test]
fn a_damaged_checkpoint_is_told_and_the_one_before_can_be_used() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    let expected = place.result("run");
    let folder = place.path("run/checkpoints/step_00000012");
    let ((tensors, parameter), manifest) = (data_file(&folder), folder.join("jarrah/metadata"));
    let (good_tensors, good_manifest) = (fs::read(&tensors).unwrap(), fs::read_to_string(&manifest).unwrap());

    fs::write(&tensors, &good_tensors[..good_tensors.len() - 7]).unwrap();
    damaged(&place, &format!("{}: it has ", tensors.file_name().unwrap().to_str().unwrap()));

    let mut flipped = good_tensors.clone();
    flipped[parameter + 10] ^= 4;
    fs::write(&tensors, flipped).unwrap();
    damaged(&place, "has the blake3 checksum ");

    fs::write(&tensors, &good_tensors).unwrap();
    fs::write(&manifest, &good_manifest[..good_manifest.len() / 2]).unwrap();
    damaged(&place, "jarrah/metadata");

    fs::write(&manifest, sealed(good_manifest.replacen("\"version\": 3,", "\"version\": 99,", 1))).unwrap();
    damaged(&place, "version 99");

    fs::remove_dir_all(&folder).unwrap();
    place.good("train --resume run");
    assert_eq!(place.result("run"), expected);
}

#[test]
fn another_shape_is_told_with_the_tensors_that_differ() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    place.refused(
        "train --resume run steps=20 model.layers=2",
        "a run cannot change its model.layers when it is resumed: it began with 1",
    );
    // Nor is another method's state this one's.
    let error = place.refused(
        "train --resume run steps=20 optimizer.name=lion",
        "run/checkpoints/step_00000012 is of another model",
    );
    assert!(error.contains("opt/"), "{error}");
    // The refused change was not kept.
    place.good("train --resume run");

    let manifest = place.path("run/checkpoints/step_00000012/jarrah/metadata");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, sealed(text.replacen("\"n_embd\":8", "\"n_embd\":16", 1))).unwrap();
    let error = place.refused("generate run", "run/checkpoints/step_00000012 is of another model");
    assert!(
        error.contains("attention/k/weight: the model has f32[16,16], the checkpoint f32[8,8]"),
        "{error}"
    );
}

#[test]
fn commands_that_are_none_are_refused() {
    let place = Place::new();
    for arguments in ["", "tarin", "train --resume", "generate", "checkpoint", "checkpoint verify"] {
        let done = place.jarrah(arguments);
        assert_eq!(done.code, Some(2), "{arguments}: {done:?}");
    }
}

#[test]
fn instructions_that_are_not_there_are_an_error() {
    let place = Place::new();
    std::fs::write(
        place.path("a.mlir"),
        "func.func @main(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }",
    )
    .unwrap();
    for arguments in ["hlo run a.mlir --random 0", "train --keys"] {
        let done = Done::from(place.command(arguments).env("JARRAH_CPU", "sse").output().unwrap());
        let message = "error: JARRAH_CPU is avx512, avx2 or portable, not \"sse\"\n";
        assert_eq!((done.code, done.err.as_str()), (Some(1), message), "{arguments}");
    }
}
