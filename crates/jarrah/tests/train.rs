use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::support::{Done, Place};

#[test]
fn a_run_tells_its_way_and_what_to_do_next() {
    let place = Place::new();
    let out = place.good("train tiny.toml --data text");
    let order = [
        "text: 30 files in text, ",
        "tokenizer: ",
        "model: ",
        "tokens: ",
        "compiling the step of 2 x 8 tokens",
        "memory: ",
        "run: runs/1",
        "12 steps to go, in about ",
        "step 1/12  loss ",
        "step 5/12  held-out loss ",
        "step 12/12  held-out loss ",
        "sample:",
        "loss curve: runs/1/loss.png",
        " dashboard runs\n",
        " chat runs/1\n",
        " serve runs/1\n",
        "next: ",
    ];
    let mut rest = out.as_str();
    for part in order {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing after {rest:?} in {out}"));
        rest = &rest[at..];
    }
    assert!(out.lines().last().unwrap().contains(" generate runs/1 --prompt "), "{out}");
    for file in
        ["recipe.toml", "tokenizer.json", "data.json", "metrics.jsonl", "loss.png", "loss.svg", "run.json"]
    {
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

/// `timeout` and managers of services ask a process and its group, so that it is asked twice.
#[test]
#[cfg(unix)]
fn two_requests_to_end_within_a_second_are_one() {
    let place = Place::new();
    let (child, mut out) = begun(&place, "step 7/");
    for _ in 0..2 {
        crate::serve::signal(&child, rustix::process::Signal::TERM);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(0), "{done:?}");
    assert!(rest.lines().last().unwrap().starts_with("stopped at step "), "{rest}");
}

#[test]
#[cfg(unix)]
fn the_commands_that_a_run_ends_with_work_as_printed() {
    let place = Place::new();
    std::fs::create_dir(place.path("it's text")).unwrap();
    let text = "# C'est \"la\" $HOME `vie` \\ \u{e9}t\u{e9}, encore et encore et encore\n".repeat(300);
    std::fs::write(place.path("it's text/a.txt"), text).unwrap();
    let shell = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        Done::from(shell.args(["-c", line]).current_dir(place.path("")).output().unwrap())
    };
    let mut train = place.command("train tiny.toml --out");
    train.args(["my run's", "--data", "it's text", "model.context=32"]);
    let done = Done::from(train.output().unwrap());
    let (_, next) = done.out.trim_end().rsplit_once("\nnext: ").unwrap();
    assert!(next.contains("# C'\\''est"), "the prompt is of the corpus: {next}");
    let generated = shell(next);
    assert_eq!(generated.code, Some(0), "{next}: {generated:?}");
    assert!(generated.out.starts_with("# C'est \"la\" $HOME `vie`"), "{generated:?}");
    assert!(
        generated.err.contains("[the model's context is 32 tokens: wherever it was full"),
        "200 tokens are more: {generated:?}"
    );
}

#[test]
#[cfg(unix)]
fn a_damaged_checkpoint_names_commands_that_exist() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run");
    let expected = place.result("run");
    let damage = || {
        let folder = place.path("run/checkpoints/step_00000012/state/ocdbt.process_0/d");
        let tensors = fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
        fs::write(&tensors, &fs::read(&tensors).unwrap()[..100]).unwrap();
    };
    damage();
    let error = place.refused("train --resume run", "");
    for command in [
        "that of --step 8",
        "`jarrah checkpoint verify FOLDER`",
        "`jarrah checkpoint remove FOLDER --step N`",
    ] {
        assert!(error.contains(command), "{error}");
    }
    place.jarrah("checkpoint verify run").is_refused("damaged checkpoints: step 12");
    place.good("checkpoint hash run --step 8");
    place.good("generate run --step 8 --max-tokens 2");
    let out = place.good("train --resume run --step 8");
    assert!(out.contains("resuming after step 8 of 12"), "{out}");
    assert_eq!(place.result("run"), expected);

    damage();
    assert_eq!(place.good("checkpoint remove run --step 12"), "removed the checkpoint of step 12\n");
    place.refused("checkpoint remove run --step 12", "there is no checkpoint of step 12 in run/checkpoints");
    place.good("train --resume run");
    assert_eq!(place.result("run"), expected);
    place.refused("train --resume run --step 9", "there is no checkpoint of step 9 in run/checkpoints");
    place.refused("train tiny.toml --step 9", "the following required arguments were not provided");
}

#[test]
#[cfg(unix)]
fn a_signal_before_the_first_step_ends_the_run_at_once() {
    for (seen, never) in [("text:", "tokenizer:"), ("compiling", "memory:")] {
        let place = Place::new();
        // A long text to learn tokens from, and a large model to compile.
        let words: String =
            (0..400_000u32).map(|i| format!("{:x} ", i.wrapping_mul(2_654_435_761))).collect();
        std::fs::write(place.path("text/long.txt"), words).unwrap();
        let recipe = "train tiny.toml --data text --out run tokenizer.vocab_size=20000 model.layers=300";
        let mut command = place.command(recipe);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        while !told.contains(seen) {
            assert_ne!(out.read_line(&mut told).unwrap(), 0, "{told}");
        }
        let mut kill = std::process::Command::new("kill");
        assert!(kill.args(["-TERM", &child.id().to_string()]).status().unwrap().success());
        std::io::Read::read_to_string(&mut out, &mut told).unwrap();
        let done = Done::from(child.wait_with_output().unwrap());
        assert_eq!(done.code, Some(130), "{done:?}");
        assert!(done.err.contains("stopped before the first step") && !told.contains(never), "{told}");
        assert!(!place.path("run").exists(), "nothing is left of it");
    }
}

/// A run that was killed before its first checkpoint has its recipe, its text and its metrics: who resumes it and stops at once loses none of these.
#[test]
#[cfg(unix)]
fn a_resumed_run_that_is_stopped_before_a_step_is_left_as_it_was() {
    let place = Place::new();
    let begin = |command: &str, seen: &str| {
        let mut child = place.command(command).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut told = String::new();
        while !told.contains(seen) {
            assert_ne!(out.read_line(&mut told).unwrap(), 0, "{told}");
        }
        (child, out)
    };
    let long = "steps=100000 eval.every=0 checkpoint.every=0 log.every=1";
    let (mut child, _out) = begin(&format!("train tiny.toml --data text --out run {long}"), "step 2/");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(place.path("run/recipe.toml").exists());
    let (child, mut out) = begin("train --resume run", "text:");
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    std::io::Read::read_to_string(&mut out, &mut String::new()).unwrap();
    let done = Done::from(child.wait_with_output().unwrap());
    assert!(place.path("run/recipe.toml").exists(), "{done:?}");
    assert!(!done.err.contains("nothing is left"), "{done:?}");
}

/// A step of minutes is not waited for: a run of which nothing is saved yet ends, and leaves nothing.
#[test]
#[cfg(unix)]
fn a_signal_within_a_long_step_ends_the_run() {
    let place = Place::new();
    let long = "train tiny.toml --data text --out run steps=10 batch=256 model.context=256 model.width=256 model.layers=8 threads=1 eval.every=0";
    let mut child = place.command(long).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains("steps to go") {
        assert_ne!(out.read_line(&mut told).unwrap(), 0, "{told}");
    }
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    std::io::Read::read_to_string(&mut out, &mut told).unwrap();
    let done = Done::from(child.wait_with_output().unwrap());
    assert!(!told.contains("step 1/"), "the step was waited for: {told}");
    assert_eq!(done.code, Some(130), "{done:?}");
    assert!(done.err.contains("stopped before the first step") && !place.path("run").exists(), "{done:?}");
}

/// Wherever in a long step the signal comes, what was computed before it is saved, and the run goes on with the same bits.
#[test]
#[cfg(unix)]
fn a_signal_within_a_step_loses_none_before_it() {
    let place = Place::new();
    let keys = "batch=16 model.context=128 model.width=256 model.layers=4 eval.every=0 checkpoint.every=0 log.every=1 sample.tokens=0";
    place.good(&format!("train tiny.toml --data text --out whole steps=5 {keys}"));
    let mut command =
        place.command(&format!("train tiny.toml --data text --out run steps=5 threads=1 {keys}"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains("step 3/") {
        assert_ne!(out.read_line(&mut told).unwrap(), 0, "{told}");
    }
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    std::io::Read::read_to_string(&mut out, &mut told).unwrap();
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, Some(0), "{done:?}");
    let saved = told.lines().last().unwrap();
    assert!(saved.starts_with("stopped at step 3") || saved.starts_with("stopped at step 4"), "{told}");
    assert!(told.contains("loss curve: "), "{told}");
    place.good("train --resume run");
    assert_eq!(place.result("run"), place.result("whole"));
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
    let toml = place.good("train steps=7 --keys=toml");
    fs::write(place.path("all.toml"), &toml).unwrap();
    assert_eq!(place.good("train all.toml --keys=toml"), toml);
    assert!(toml.contains("steps = 7\n"), "{toml}");
    fs::write(place.path("all.toml"), "\n").unwrap();
    let error = place.refused("train all.toml --data text", "the recipe all.toml is empty");
    assert!(error.contains("`jarrah train --keys=toml`"), "{error}");
    assert!(!place.path("runs").exists());
}

#[test]
fn files_of_a_run_that_can_be_made_again_say_so_where_they_are_damaged() {
    let place = Place::new();
    place.good("train tiny.toml --data text --out run steps=4 checkpoint.every=2");
    for (file, damaged, remedy) in [
        ("tokenizer.json", "{", "if it is damaged, remove run/tokenizer.json: it is made again"),
        ("data.json", "[1]", "if it is damaged, remove run/data.json: it is made again"),
        ("metrics.jsonl", "x\n{}\n", "remove the line: a run needs none of them"),
    ] {
        fs::write(place.path(&format!("run/{file}")), damaged).unwrap();
        let error = place.refused("train --resume run steps=6", "");
        assert!(error.contains(&format!("help: {remedy}")), "{error}");
        fs::remove_file(place.path(&format!("run/{file}"))).unwrap();
        place.good("train --resume run steps=4");
    }
    let error = place.refused("train --resume run steps=3", "the run is at step 4 already, beyond steps=3");
    assert!(error.contains("(`--step N` of"), "{error}");
    fs::write(place.path("run/recipe.toml"), "").unwrap();
    place.refused("train --resume run", "the recipe run/recipe.toml is empty");
}
