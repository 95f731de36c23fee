use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::support::{Done, Place};

#[test]
fn a_run_tells_its_way_and_what_to_do_next() {
    let place = Place::new();
    let out = place.good("train tiny.toml --data text");
    let order = [
        "run: runs/1",
        "text: 30 files in text, ",
        "tokenizer: ",
        "tokens: ",
        "model: ",
        "memory: ",
        "step 1/12  loss ",
        "step 5/12  held-out loss ",
        "step 12/12  held-out loss ",
        "sample:",
        "loss curve: runs/1/loss.png",
        "next: ",
    ];
    let mut rest = out.as_str();
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing after {rest:?} in {out}"));
        rest = &rest[at..];
    }
    assert!(out.lines().last().unwrap().contains(" generate runs/1 --prompt "), "{out}");
    for file in ["recipe.toml", "tokenizer.json", "data.json", "metrics.jsonl", "loss.png", "run.json"] {
        assert!(place.path("runs/latest").join(file).is_file(), "{file}");
    }
    assert!(place.good("train tiny.toml --data text steps=1 --out other").contains("run: other"));
    assert!(place.good("train tiny.toml --data text steps=1").contains("run: runs/2"));
}

#[test]
fn the_written_recipe_makes_the_same_run() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out a seed=3");
    fs::copy(place.path("a/recipe.toml"), place.path("again.toml")).unwrap();
    place.good("train again.toml --out b");
    assert_eq!(place.result("a"), place.result("b"));
    place.good("train again.toml --out c seed=4");
    assert_ne!(place.result("a").1, place.result("c").1);
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let place = Place::new();
    for threads in [1, 2, 3] {
        // Wide enough for products and loops to be cut among threads.
        place.good(&format!(
            "train tiny.toml --data text --out {threads} threads={threads} steps=3 model.width=64 model.context=64 batch=4"
        ));
        assert_eq!(place.result(&threads.to_string()), place.result("1"), "{threads} threads");
    }
}

/// Starts a long run and waits until it shows `line`.
#[cfg(unix)]
fn begun(place: &Place, line: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = place.command("train tiny.toml --data text --out run steps=100000 log.every=1");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut seen = String::new();
    while !seen.contains(line) {
        assert_ne!(out.read_line(&mut seen).unwrap(), 0, "{seen}");
    }
    (child, out)
}

#[test]
#[cfg(unix)]
fn a_signal_saves_and_says_how_to_go_on() {
    for signal in ["INT", "TERM"] {
        let place = Place::new();
        let (child, mut out) = begun(&place, "step 7/");
        let mut kill = std::process::Command::new("kill");
        kill.args([format!("-{signal}"), child.id().to_string()]);
        assert!(kill.status().unwrap().success());
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.code, Some(0), "{done:?}");
        assert!(done.err.contains("stopping: saving a checkpoint"), "{done:?}");
        let last = rest.lines().last().unwrap();
        assert!(last.starts_with("stopped at step ") && last.ends_with(" train --resume run"), "{last}");
        let step: u64 = last["stopped at step ".len()..].split(';').next().unwrap().parse().unwrap();
        assert!(place.good("checkpoint hash run").trim().ends_with(&format!("step {step}")));
        let out = place.good(&format!("train --resume run steps={}", step + 2));
        assert!(out.contains(&format!("resuming after step {step} of {}", step + 2)), "{out}");
    }
}

#[test]
#[cfg(unix)]
fn a_run_belongs_to_one_process() {
    let place = Place::new();
    let (mut child, _out) = begun(&place, "step 2/");
    let error =
        place.refused("train --resume run", &format!("run belongs to another process ({})", child.id()));
    assert!(error.contains("help"), "{error}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
#[cfg(unix)]
fn a_full_disk_costs_a_checkpoint_and_not_the_run() {
    let place = Place::new();
    // A checkpoint is larger than a file may be; everything else is smaller.
    let arguments = "train tiny.toml --data text --out run model.width=64 steps=9 checkpoint.every=4";
    let limited = |arguments: &str| {
        let mut shell = std::process::Command::new("sh");
        let line = format!("trap '' XFSZ; ulimit -f 160; exec {} {arguments}", env!("CARGO_BIN_EXE_jarrah"));
        shell.args(["-c", &line]).current_dir(place.path(""));
        Done::from(shell.output().unwrap())
    };
    let done = limited(arguments);
    assert_eq!(done.code, Some(1), "the last checkpoint is missing: {done:?}");
    assert!(done.out.contains("warning: the checkpoint was not written, training goes on: "), "{done:?}");
    assert!(done.out.contains("step 9/9  held-out loss"), "{done:?}");
    assert!(done.err.contains("the last checkpoint could not be written"), "{done:?}");

    // With room again it goes on, and once the disk is full anew the last good checkpoint stays.
    place.good("train --resume run");
    let good = place.good("checkpoint hash run");
    assert!(good.contains("step 9"));
    let done = limited("train --resume run steps=14");
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(place.good("checkpoint hash run"), good);
    place.good("checkpoint verify run");
}

#[test]
fn keys_and_version_are_shown() {
    let place = Place::new();
    assert!(place.good("--version").starts_with("jarrah "));
    let keys = place.good("train --keys");
    assert!(keys.contains("optimizer.lr") && keys.contains("checkpoint.every"), "{keys}");
    assert!(!place.path("runs").exists());
}
