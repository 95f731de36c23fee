//! `jarrah checkpoint show`, `diff`, `get`, `convert`, `verify` and `prune` on checkpoints and files of all kinds.

use std::fs;
use std::path::Path;

use jarrah_base::Literal;
use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, StepNames};

use crate::support::Place;

/// A checkpoint that Orbax wrote, of the tests of `formats`.
fn orbax(name: &str) -> String {
    format!("{}/../formats/tests/golden/orbax/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Copies a folder and all in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match from.is_dir() {
            true => copy(&from, &to),
            false => drop(fs::copy(&from, &to).unwrap()),
        }
    }
}

/// The error of a command that is refused, which has this part.
fn refused(place: &Place, arguments: &str, part: &str) -> String {
    let done = place.jarrah(arguments);
    assert!(done.code == Some(2) && done.err.contains(part) && !done.err.contains("panicked"), "{done:?}");
    done.err
}

#[test]
fn a_checkpoint_of_orbax_goes_to_other_formats_and_back_without_a_difference() {
    let place = Place::new();
    let from = orbax("v0_ocdbt_zarr3");
    // Safetensors keep texts in their metadata, Flax has none, and neither has narrow integers of Orbax's kind.
    fs::write(place.path("rules"), "# texts, and what only Orbax has\ntext -> -\n").unwrap();
    let said = place.good(&format!("checkpoint convert {from} copy"));
    assert!(said.starts_with("wrote 11 leaves to copy"), "{said}");
    assert_eq!(
        place.good(&format!("checkpoint diff {from} copy")),
        format!("equal: 11 leaves of {from} and copy\n")
    );
    let said = place.good("checkpoint convert copy w.safetensors --rename rules");
    assert_eq!(said, "wrote 10 leaves to w.safetensors, 1 dropped\n");
    let different = place.jarrah("checkpoint diff copy w.safetensors");
    assert_eq!(different.code, Some(1), "{different:?}");
    assert!(different.out.starts_with("only in the first: text"), "{different:?}");
    assert!(different.out.lines().count() == 1, "{different:?}");

    let said = place.good("checkpoint show w.safetensors --stats");
    assert!(said.starts_with("w.safetensors: safetensors\n"), "{said}");
    assert!(said.contains("params.kernel f32[8,8]  256 B  "), "{said}");
    assert!(said.contains("10 leaves"), "{said}");
    let json: serde_json::Value =
        serde_json::from_str(&place.good("checkpoint show w.safetensors --json")).unwrap();
    assert_eq!(json["format"], "safetensors");
    assert!(json["leaves"].as_array().unwrap().iter().all(|leaf| leaf["statistics"].is_null()));
    place.good("checkpoint get w.safetensors params.kernel --out kernel.safetensors");
    refused(
        &place,
        "checkpoint get copy params.kernel --out w.safetensors",
        "w.safetensors is there already",
    );
    let said = place.jarrah("checkpoint diff kernel.safetensors w.safetensors");
    assert!(said.out.lines().all(|line| line.starts_with("only in the second: ")), "{said:?}");

    // Another type, and other names.
    fs::write(place.path("rules"), "params.* -> model.*\n** -> -\n").unwrap();
    place.good("checkpoint convert copy small --rename rules --dtype bf16");
    let said = place.good("checkpoint show small");
    assert!(said.contains("model.kernel bf16[8,8]"), "{said}");
    assert_eq!(place.good("checkpoint verify small").lines().count(), 1);
}

#[test]
fn a_run_is_shown_compared_converted_and_pruned() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    let said = place.good("checkpoint show run");
    assert!(said.contains("run/checkpoints/step_00000012: checkpoint of a run\n"), "{said}");
    assert!(said.contains("  params."), "{said}");
    let said = place.good("checkpoint show run --step 8 --stats");
    assert!(said.contains("step_00000008") && said.contains(", mean "), "{said}");
    place.good("checkpoint convert run out.safetensors --step 8");
    let different = place.jarrah("checkpoint diff run out.safetensors --json");
    assert_eq!(different.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&different.out).unwrap();
    let differences = json["differences"].as_array().unwrap();
    assert!(differences.iter().all(|difference| difference["kind"] == "values"), "{json}");
    assert!(!differences.is_empty());
    place.good("checkpoint diff run/checkpoints/step_00000008 out.safetensors");

    refused(&place, "checkpoint prune run", "no rule says which checkpoints stay");
    refused(&place, "checkpoint prune run --every 5", "the rules keep none of 3 checkpoints");
    let before = place.good("checkpoint list run");
    let said = place.good("checkpoint prune run --every 8 --dry-run");
    assert_eq!(
        said,
        "step        4  would be removed\nstep       12  would be removed\n1 of 3 checkpoints stay\n"
    );
    assert_eq!(place.good("checkpoint list run"), before);
    place.good("checkpoint prune run --keep 1 --every 8");
    let left = place.good("checkpoint list run");
    assert!(left.contains("step        8") && left.contains("step       12"), "{left}");
    assert_eq!(left.lines().count(), 2, "{left}");
    place.good("checkpoint verify run");
    // The folder of the checkpoints is the manager's, too: files of others stay.
    fs::write(place.path("run/checkpoints/step_00000008/notes.txt"), "mine").unwrap();
    let done = place.jarrah("checkpoint prune run/checkpoints --keep 1");
    assert!(done.code == Some(1) && done.err.contains("it holds notes.txt"), "{done:?}");
    assert!(place.path("run/checkpoints/step_00000008/notes.txt").exists());
}

#[test]
fn steps_of_orbax_are_pruned_by_number_and_metric() {
    let place = Place::new();
    for (step, loss) in [(5, 0.5), (10, 0.1), (15, 0.3)] {
        let folder = place.path(&format!("manager/{step}"));
        copy(orbax("managed").as_ref(), &folder);
        // The item of metrics as Orbax's manager writes it.
        fs::create_dir_all(folder.join("metrics")).unwrap();
        fs::write(folder.join("metrics/metrics"), serde_json::json!({ "loss": loss }).to_string()).unwrap();
    }
    let error = refused(
        &place,
        "checkpoint prune manager --keep 1 --best los",
        "no checkpoint has the metric \"los\"",
    );
    assert!(error.contains("they have loss"), "{error}");
    // A copy that somebody made is no step of the manager.
    place.good(&format!("checkpoint convert {} manager/copy_5", orbax("v0_ocdbt_zarr3")));
    let error = refused(&place, "checkpoint prune manager --keep 1", "which are no steps of one kind");
    assert!(error.contains("copy_5"), "{error}");
    fs::remove_dir_all(place.path("manager/copy_5")).unwrap();
    let said = place.good("checkpoint prune manager --keep 1 --best loss");
    assert_eq!(said, "step        5  removed\n2 of 3 checkpoints stay\n");
    let mut left: Vec<_> =
        fs::read_dir(place.path("manager")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["10", "15"]);
    place.good("checkpoint show manager --step 10");
    assert_eq!(place.good("checkpoint show manager"), place.good("checkpoint show manager --step 15"));
    assert_eq!(place.good("checkpoint verify manager").lines().count(), 2);
    let missing = place.jarrah("checkpoint show manager --step 5");
    assert!(missing.code == Some(2) && missing.err.contains("there are: 10, 15"), "{missing:?}");
    place.good("checkpoint remove manager --step 10");
    assert!(!place.path("manager/10").exists());
}

/// A manager's folder of three checkpoints, whose steps have these names.
fn managed(folder: &Path, names: &StepNames) {
    let options = CheckpointManagerOptions { names: names.clone(), ..CheckpointManagerOptions::default() };
    let mut manager = CheckpointManager::open(folder, options).unwrap();
    for step in [1, 2, 12] {
        let w = Literal::from_slice(&[4, 3], &[step as f32; 12]).unwrap();
        manager.save(CheckpointItems::new(step).tensors("params", [("qkv", w)]).unwrap());
    }
    manager.close().unwrap();
}

#[test]
fn a_managers_folder_is_taken_whatever_its_steps_are_called() {
    let place = Place::new();
    let names =
        [("", 0), ("", 6), ("epoch-", 4), ("ckpt_", 2), ("step_", 8), ("v2.step", 0), ("save-me-", 3)];
    for (number, (prefix, digits)) in names.into_iter().enumerate() {
        let (folder, names) = (format!("m{number}"), StepNames::new(prefix, digits).unwrap());
        managed(&place.path(&folder), &names);
        let run = |command: &str| place.good(&format!("checkpoint {}", command.replace("M", &folder)));
        assert!(run("show M").contains(&names.name(12)), "{prefix:?}");
        assert!(run("show M --step 2").contains(&names.name(2)), "{prefix:?}");
        assert_eq!(run("verify M").lines().count(), 3, "{prefix:?}");
        assert_eq!(run("verify M --step 2").lines().count(), 1, "{prefix:?}");
        assert_eq!(run("list M").lines().count(), 3, "{prefix:?}");
        assert!(run("hash M --step 1").ends_with("step 1\n"), "{prefix:?}");
        assert!(run("diff M M --step 2").starts_with("equal: 1 leaves of m"), "{prefix:?}");
        run("get M qkv --step 1 --out M.safetensors");
        assert!(run("diff M M.safetensors --step 1").starts_with("equal: 1 leaves of "), "{prefix:?}");
        fs::write(place.path("rules"), "qkv -> q, k, v : split 1\n").unwrap();
        run("convert M M-apart --step 2 --rename rules");
        let said = run("show M-apart");
        assert!(said.contains("q f32[4,1]") && said.contains("v f32[4,1]"), "{said}");
        let said = run("prune M --keep 2 --dry-run");
        assert_eq!(said, "step        1  would be removed\n2 of 3 checkpoints stay\n", "{prefix:?}");
        run("prune M --keep 2");
        assert!(!place.path(&format!("{folder}/{}", names.name(1))).exists(), "{prefix:?}");
        run("remove M --step 2");
        assert_eq!(run("list M").lines().count(), 1, "{prefix:?}");
    }
}

/// The commands that the help of an error names do what it says, in a run and in a manager's folder.
#[test]
fn the_help_of_damage_names_commands_that_work() {
    let place = Place::new();
    managed(&place.path("m"), &StepNames::new("epoch-", 4).unwrap());
    fs::write(place.path("m/epoch-0012/jarrah/metadata"), "{}").unwrap();
    for command in ["show m", "get m qkv", "convert m copy", "hash m", "diff m m"] {
        let error = refused(&place, &format!("checkpoint {command}"), "epoch-0012");
        assert!(error.contains("the newest whole checkpoint is that of --step 2"), "{error}");
        for named in ["`jarrah checkpoint verify FOLDER`", "`jarrah checkpoint remove FOLDER --step N`"] {
            assert!(error.contains(named), "{error}");
        }
        assert!(!error.contains(" RUN"), "{error}");
    }
    place.good("checkpoint show m --step 2");
    let verified = place.jarrah("checkpoint verify m");
    assert_eq!(verified.code, Some(2), "{verified:?}");
    assert!(verified.err.contains("`jarrah checkpoint remove m --step 12`"), "{verified:?}");
    place.good("checkpoint remove m --step 12");
    place.good("checkpoint verify m");
    assert!(place.good("checkpoint show m").contains("epoch-0002"));
}

#[test]
fn weights_beside_folders_with_numbers_are_weights() {
    let place = Place::new();
    managed(&place.path("m"), &StepNames::default());
    place.good("checkpoint get m qkv --out model.safetensors");
    for folder in ["hf/logs_1", "hf/logs_2"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    fs::copy(place.path("model.safetensors"), place.path("hf/model.safetensors")).unwrap();
    assert!(place.good("checkpoint show hf").contains("qkv f32[4,3]"));
}

#[test]
fn mistakes_with_checkpoints_are_told() {
    let place = Place::new();
    let from = orbax("v0_ocdbt_zarr3");
    refused(
        &place,
        &format!("checkpoint convert {from} w.bin"),
        "a file .bin is of no format that is written",
    );
    fs::write(place.path("rules"), "a b\n").unwrap();
    let error =
        refused(&place, &format!("checkpoint convert {from} copy --rename rules"), "line 1 of the rules");
    assert!(error.contains("in rules"), "{error}");
    refused(&place, "checkpoint diff text nothing", "");
    place.good(&format!("checkpoint convert {from} copy"));
    refused(&place, &format!("checkpoint convert {from} copy"), "copy is there already");
    refused(&place, "checkpoint show copy --step 3", "it has no step 3");
    let error = refused(&place, &format!("checkpoint diff {from} copy --tolerance=-1"), "");
    assert!(error.contains("no number from 0 on"), "{error}");
}

/// The structure of a tree of Orbax, with its lists, tuples, empty nodes, Python's numbers and texts, is that of its copy.
#[test]
fn a_copy_of_a_tree_of_orbax_has_its_structure() {
    let place = Place::new();
    let from = orbax("v0_ocdbt_zarr3");
    place.good(&format!("checkpoint convert {from} copy"));
    let structure = |path: &Path| {
        let tree = jarrah_formats::OrbaxCheckpoint::open(path).unwrap().tree("").unwrap();
        let kinds: Vec<_> =
            tree.leaves().iter().map(|leaf| (leaf.name().to_owned(), leaf.text().is_some())).collect();
        (format!("{:?}", tree.root()), kinds)
    };
    let copied = structure(&place.path("copy"));
    assert_eq!(copied, structure(Path::new(&from)));
    assert!(copied.0.contains("Tuple") && copied.0.contains("None"), "{}", copied.0);
}

#[test]
fn folders_of_orbax_are_listed_and_all_their_steps_are_verified() {
    let place = Place::new();
    for step in [5, 10, 15] {
        copy(Path::new(&orbax("v0_files_zarr3")), &place.path(&format!("m/{step}")));
    }
    let listed = place.good("checkpoint list m");
    assert!(listed.lines().count() == 3 && !listed.contains("damaged"), "{listed}");
    // A folder that Orbax had begun to write is none of them.
    fs::create_dir(place.path("m").join("7.orbax-checkpoint-tmp-1700000000")).unwrap();
    place.good("checkpoint show m");
    let error = refused(&place, "checkpoint prune nowhere --keep 1", "nowhere does not exist");
    assert!(error.contains("help"), "{error}");
    // Of a damaged one the others are looked at still.
    fs::remove_dir_all(place.path("m/5/a.kernel")).unwrap();
    let done = place.jarrah("checkpoint verify m");
    assert!(done.code == Some(2) && done.err.contains("step 5"), "{done:?}");
    assert!(done.out.contains("damaged: a.kernel/") && done.out.contains("m/15: "), "{done:?}");
}

/// The newest checkpoint, which the rules keep, is damaged: it does not count, so that the last good one stays.
#[test]
fn a_damaged_newest_checkpoint_does_not_count_when_others_are_pruned() {
    let place = Place::new();
    for step in [1, 2, 3] {
        copy(Path::new(&orbax("v0_files_zarr3")), &place.path(&format!("orbax/{step}")));
    }
    fs::remove_dir_all(place.path("orbax/3/a.kernel")).unwrap();
    let said = place.good("checkpoint prune orbax --keep 1");
    assert!(said.contains("step        3  damaged, neither counts nor goes"), "{said}");
    assert!(place.path("orbax/2").exists() && place.path("orbax/3").exists(), "{said}");
    assert!(!place.path("orbax/1").exists(), "{said}");

    managed(&place.path("ours"), &StepNames::default());
    let data = place.path("ours/step_00000012/params/d");
    let file = fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .max_by_key(|path| path.metadata().unwrap().len());
    let file = file.unwrap();
    let mut bytes = fs::read(&file).unwrap();
    let at =
        bytes.windows(4).position(|four| four == 12f32.to_le_bytes()).expect("the values lie uncompressed");
    bytes[at] ^= 1;
    fs::write(&file, bytes).unwrap();
    let said = place.good("checkpoint prune ours --keep 1");
    assert!(said.contains("step       12  damaged, neither counts nor goes"), "{said}");
    assert!(
        place.path("ours/step_00000002").exists() && !place.path("ours/step_00000001").exists(),
        "{said}"
    );
}

/// Orbax's manager may go on in a folder of this program: its checkpoints are read as Orbax's, and are not damaged for having no manifest.
#[test]
fn steps_that_another_program_adds_to_a_folder_are_its_own() {
    let place = Place::new();
    managed(&place.path("m"), &StepNames::default());
    copy(Path::new(&orbax("managed")), &place.path("m/step_00000020"));
    let verified = place.good("checkpoint verify m");
    assert!(verified.contains("step       20  good"), "{verified}");
    assert!(place.good("checkpoint list m").contains("step       20  another program's"));
    place.good("checkpoint show m");
    assert!(place.good("checkpoint show m --step 12").contains("qkv"));
    // One of ours that has lost its manifest is damaged.
    fs::remove_dir_all(place.path("m/step_00000012/jarrah")).unwrap();
    let done = place.jarrah("checkpoint verify m");
    assert!(done.code == Some(2) && done.err.contains("damaged checkpoints: step 12"), "{done:?}");
}

/// A pipe in place of a file is not waited for.
#[cfg(unix)]
#[test]
fn pipes_in_place_of_files_are_told() {
    let place = Place::new();
    let pipe = |path: &str| {
        let made = std::process::Command::new("mkfifo").arg(place.path(path)).status().unwrap();
        assert!(made.success());
    };
    pipe("w.safetensors");
    refused(&place, "checkpoint show w.safetensors", "is no file and no folder");
    for file in ["_METADATA", "_CHECKPOINT_METADATA"] {
        let folder = format!("with{file}");
        copy(Path::new(&orbax("v0_files_zarr3")), &place.path(&folder));
        fs::remove_file(place.path(&folder).join(file)).unwrap();
        pipe(&format!("{folder}/{file}"));
        let done = place.jarrah(&format!("checkpoint show {folder}"));
        assert!(done.code.is_some() && !done.err.contains("panicked"), "{done:?}");
    }
}

#[test]
fn json_of_a_checkpoint_is_shown_and_taken_out() {
    let place = Place::new();
    let mut manager = CheckpointManager::open(place.path("m"), CheckpointManagerOptions::default()).unwrap();
    let items = CheckpointItems::new(1).tensors("params", [("w", Literal::scalar(1.5f32))]).unwrap();
    manager.save(items.json("config", serde_json::json!({ "layers": 2 })).unwrap());
    manager.close().unwrap();
    assert!(place.good("checkpoint show m").contains("config: JSON\n{\"layers\":2}\n"));
    assert_eq!(place.good("checkpoint get m config"), "{\"layers\":2}\n");
    place.good("checkpoint get m config --out config.json");
    assert_eq!(fs::read_to_string(place.path("config.json")).unwrap(), "{\"layers\":2}\n");
    let said = place.good("checkpoint convert m copy");
    assert!(said.contains("not converted, as they are no trees: config"), "{said}");
    refused(&place, "checkpoint get m w --out w.npy", "an array is written as safetensors");
    refused(&place, "checkpoint convert m copy/params/again", "is within the checkpoint");
    place.good("checkpoint convert m far/away/copy");
    fs::write(place.path("rules"), "param.w -> v\n").unwrap();
    let done = place.jarrah("checkpoint convert m other --rename rules");
    assert!(done.code == Some(0) && done.err.contains("line 1 of the rules fits no leaf"), "{done:?}");
    refused(&place, "train --resume nowhere --data text", "nowhere does not exist");
    refused(&place, "train --resume m --step 5 --data text", "there is no checkpoint of step 5");
}
