use std::fs;

use jarrah_base::{DType, Error, ErrorKind, NUMERICS_VERSION};
use jarrah_checkpoint::{CheckpointManager, CheckpointManagerOptions, latest, list};
use jarrah_train::{Console, End, RunStart, Stop, train};

use crate::support::{Place, STEPS, result, resume, until};

#[test]
fn a_run_that_is_stopped_anywhere_goes_on_with_the_same_bits() {
    let place = Place::new();
    let expected = result(&place.whole("whole", &[]));
    assert_eq!(expected.0.len() as u64, STEPS + 3, "a line a step, and evaluations at 5, 10 and the end");
    for step in [1, 3, 4, 5, 7, 11] {
        let name = format!("stopped{step}");
        let start = RunStart::New(Box::new(place.recipe(&name, &[])));
        let outcome = until(start, &format!("step {step}/")).0.unwrap();
        assert_eq!((outcome.step, outcome.end), (step, End::Stopped));
        assert_eq!(latest(&outcome.run.join("checkpoints")).unwrap().step(), step);
        let outcome = until(resume(&outcome.run, &[]), "never").0.unwrap();
        assert_eq!((outcome.step, outcome.end), (STEPS, End::Complete));
        assert_eq!(result(&outcome.run), expected, "stopped at step {step}");
    }
}

#[test]
fn a_run_that_is_stopped_at_every_step_ends_with_the_same_bits() {
    let place = Place::new();
    let expected = result(&place.whole("whole", &[]));
    let mut start = RunStart::New(Box::new(place.recipe("stopped", &[])));
    for step in 1..STEPS {
        let outcome = until(start, &format!("step {step}/")).0.unwrap();
        assert_eq!(outcome.step, step);
        start = resume(&outcome.run, &[]);
    }
    assert_eq!(result(&until(start, "never").0.unwrap().run), expected);
}

#[test]
fn a_run_in_sixteen_bits_goes_on_with_the_same_bits() {
    let place = Place::new();
    let plain = result(&place.whole("f32", &[]));
    for keys in
        [&["precision=bf16"][..], &["precision=f16", "loss_scale.initial=1e30", "loss_scale.period=3"]]
    {
        let expected = result(&place.whole(&format!("whole-{}", keys.len()), keys));
        assert_ne!(expected, plain, "{keys:?}");
        for step in [1, 4, 7] {
            let name = format!("stopped{step}-{}", keys.len());
            let start = RunStart::New(Box::new(place.recipe(&name, keys)));
            let outcome = until(start, &format!("step {step}/")).0.unwrap();
            let tensors = latest(&outcome.run.join("checkpoints")).unwrap().load().unwrap().tensors;
            let narrow = tensors.iter().filter(|(_, t)| t.dtype().is_float() && t.dtype() != DType::F32);
            assert_eq!(narrow.count(), 0, "checkpoints hold weights of f32");
            let outcome = until(resume(&outcome.run, &[]), "never").0.unwrap();
            assert_eq!(result(&outcome.run), expected, "{keys:?}, stopped at step {step}");
        }
    }
    // A loss scale belongs to the state of f16.
    let error = refused(resume(&place.path("whole-1"), &["precision=f16", "steps=20"]));
    assert_eq!(error.kind(), ErrorKind::Input);
    let text = error.to_string();
    assert!(text.contains("opt/"), "{text}");
}

#[test]
fn a_run_that_lost_its_last_steps_does_them_again() {
    let place = Place::new();
    let run = place.whole("run", &["checkpoint.keep=10"]);
    let expected = result(&run);
    // As if it had been killed before the later checkpoints were written; its metrics go further.
    for step in [8, 12] {
        fs::remove_dir_all(run.join(format!("checkpoints/step_{step:08}"))).unwrap();
    }
    until(resume(&run, &[]), "never").0.unwrap();
    assert_eq!(result(&run), expected);
    fs::remove_dir_all(run.join("checkpoints")).unwrap();
    until(resume(&run, &[]), "never").0.unwrap();
    assert_eq!(result(&run), expected);
}

#[test]
fn a_run_killed_before_its_first_step_is_begun_again() {
    let place = Place::new();
    let expected = result(&place.whole("whole", &[]));
    for last in ["run.json", "data.json", "tokenizer.json"] {
        let name = format!("until-{last}");
        let run = until(RunStart::New(Box::new(place.recipe(&name, &[]))), "run: ").0.unwrap().run;
        let later = match last {
            "run.json" => &["data.json", "tokenizer.json", "checkpoints", "metrics.jsonl"][..],
            "data.json" => &["tokenizer.json", "checkpoints", "metrics.jsonl"],
            _ => &["metrics.jsonl"],
        };
        for file in later {
            let path = run.join(file);
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        assert_eq!(until(resume(&run, &[]), "never").0.unwrap().step, STEPS);
        assert_eq!(result(&run), expected, "{last}");
    }
}

#[test]
fn a_finished_run_can_be_made_longer() {
    let place = Place::new();
    let run = place.whole("run", &[]);
    let before = result(&run);
    let (outcome, shown) = until(resume(&run, &[]), "never");
    assert_eq!(outcome.unwrap().end, End::Complete);
    assert!(shown.contains("resuming after step 12 of 12"), "{shown}");
    assert_eq!(result(&run), before);
    until(resume(&run, &["steps=15"]), "never").0.unwrap();
    let after = result(&run);
    assert_eq!(after.0[..before.0.len()], before.0);
    // The longer recipe is the run's own now.
    assert_eq!(until(resume(&run, &[]), "never").0.unwrap().step, 15);
    assert_eq!(result(&run), after);
}

#[test]
fn a_run_resumed_under_other_numerics_says_so() {
    let place = Place::new();
    let run = place.whole("run", &[]);
    let checkpoints = run.join("checkpoints");
    assert_eq!(latest(&checkpoints).unwrap().state().extra["numerics"], NUMERICS_VERSION);
    let (_, shown) = until(resume(&run, &["steps=13"]), "never");
    assert!(!shown.contains("numerics"), "{shown}");
    // Versions before the second were not recorded.
    for (recorded, version) in
        [(serde_json::json!(NUMERICS_VERSION + 5), NUMERICS_VERSION + 5), (().into(), 1)]
    {
        let newest = latest(&checkpoints).unwrap();
        let steps = format!("steps={}", newest.step() + 1);
        let mut snapshot = newest.load().unwrap();
        snapshot.state.extra["numerics"] = recorded;
        fs::remove_dir_all(newest.path()).unwrap();
        let mut manager =
            CheckpointManager::open(&checkpoints, CheckpointManagerOptions::keeping(10, None)).unwrap();
        manager.save(snapshot);
        manager.wait().unwrap().unwrap();
        drop(manager);
        let (outcome, shown) = until(resume(&run, &[&steps]), "never");
        assert_eq!(outcome.unwrap().end, End::Complete);
        let notice =
            format!("follow numerics version {version}, those from here on version {NUMERICS_VERSION}");
        assert!(shown.contains(&notice), "{shown}");
        // What is saved from here on is of this version.
        assert_eq!(latest(&checkpoints).unwrap().state().extra["numerics"], NUMERICS_VERSION);
    }
}

#[test]
fn old_checkpoints_go_and_the_best_stays() {
    let place = Place::new();
    let run = place.whole("run", &["checkpoint.every=1", "eval.every=1", "checkpoint.keep=2"]);
    let checkpoints = list(&run.join("checkpoints")).unwrap().good;
    let loss = |c: &jarrah_checkpoint::Checkpoint| c.state().metrics["val_loss"];
    let steps: Vec<u64> = checkpoints.iter().map(|c| c.step()).collect();
    assert!(steps.ends_with(&[11, 12]) && steps.len() <= 3, "{steps:?}");
    let lines = jarrah_train::metrics::JsonLines::read(&run.join("metrics.jsonl")).unwrap();
    let best = lines.iter().filter_map(|l| l.get("val_loss")).min_by(f64::total_cmp).unwrap();
    assert!(checkpoints.iter().any(|c| loss(c) == best));
}

fn refused(start: RunStart) -> Error {
    train(start, &Stop::default(), &mut Console::silent()).unwrap_err()
}

#[test]
fn a_run_resumes_with_what_it_began_with_or_not_at_all() {
    let place = Place::new();
    let run = place.whole("run", &[]);
    let before = result(&run);

    let model = refused(resume(&run, &["model.width=16", "steps=20"]));
    assert_eq!(model.kind(), ErrorKind::Input);
    let text = model.to_string();
    assert!(text.contains("cannot change its model.width when it is resumed: it began with 8"), "{text}");

    let data = refused(resume(&run, &["data.paths=elsewhere"]));
    assert!(data.message().contains("cannot change its data.paths"), "{data}");

    let tokenizer = run.join("tokenizer.json");
    let kept = fs::read(&tokenizer).unwrap();
    fs::write(&tokenizer, String::from_utf8(kept.clone()).unwrap().replace("endoftext", "end_of_text"))
        .unwrap();
    let changed = refused(resume(&run, &["steps=20"]));
    assert_eq!(changed.kind(), ErrorKind::Input);
    fs::write(&tokenizer, kept).unwrap();

    let file = place.path("text/03.txt");
    let kept = fs::read(&file).unwrap();
    fs::write(&file, "other text\n").unwrap();
    let changed = refused(resume(&run, &["steps=20"]));
    assert!(changed.message().contains("text/03.txt has changed"), "{changed}");
    fs::remove_file(&file).unwrap();
    let missing = refused(resume(&run, &["steps=20"]));
    assert!(missing.message().contains("text/03.txt is missing"), "{missing}");
    fs::write(&file, kept).unwrap();
    fs::write(place.path("text/new.txt"), "text that came later\n").unwrap();

    assert_eq!(result(&run), before, "nothing was lost");
    until(resume(&run, &["steps=14"]), "never").0.unwrap();
}

#[test]
fn training_that_diverges_ends_and_keeps_the_last_good_checkpoint() {
    let place = Place::new();
    let recipe = place.recipe(
        "run",
        &[
            "optimizer.lr=1e30",
            "optimizer.warmup=6",
            "optimizer.clip=0",
            "checkpoint.every=1",
            "log.every=100",
        ],
    );
    let error = refused(RunStart::New(Box::new(recipe)));
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().contains("training diverged"), "{error}");
    let checkpoint = latest(&place.path("run/checkpoints")).unwrap();
    for (name, tensor) in checkpoint.group("params").unwrap() {
        assert!(tensor.to_f64_vec().iter().all(|x| x.is_finite()), "{name}");
    }
}

/// The error of a run whose steps are left out, and what it showed.
fn given_up(place: &Place, out: &str, overrides: &[&str]) -> (String, String) {
    let patient = ["log.every=100", "eval.every=0", "checkpoint.every=0", "guard.patience=3"];
    let recipe = place.recipe(out, &[&patient[..], overrides].concat());
    let (outcome, shown) = until(RunStart::New(Box::new(recipe)), "never");
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    (error.to_string(), shown)
}

#[test]
fn steps_that_are_left_out_in_a_row_end_the_run_with_the_path_of_the_culprit() {
    let place = Place::new();
    let wild =
        ["guard.on_nan=skip", "optimizer.lr=1e30", "optimizer.warmup=1", "optimizer.clip=0", "steps=40"];
    let (error, shown) = given_up(&place, "nan", &wild);
    assert!(error.contains("3 steps in a row were left out"), "{error}");
    // The first value that is no number has a path: of a parameter, a module's result, or a gradient.
    let names_path = |text: &str| {
        ["parameter ", "what ", "gradient of "].iter().any(|kind| {
            text.split(kind)
                .nth(1)
                .is_some_and(|rest| rest.split(' ').next().is_some_and(|path| path.contains('.')))
        })
    };
    assert!(names_path(&error) && error.contains(" first"), "{error}");
    assert!(error.contains("guard.patience"), "{error}");
    assert_eq!(shown.matches(" is left out: loss or gradient is no number").count(), 2, "{shown}");
    let (error, _) = given_up(&place, "spike", &["guard.spike=1e-9", "steps=40"]);
    assert!(
        error.contains("3 steps in a row were left out: of step 13 its gradient is far from usual"),
        "{error}"
    );
    assert!(error.contains("most of it in the gradient of ") && names_path(&error), "{error}");
    // Without a bound the run goes on to its end.
    let keys = ["guard.spike=1e-9", "guard.patience=0", "steps=40", "eval.every=0"];
    let (outcome, shown) = until(RunStart::New(Box::new(place.recipe("patient", &keys))), "never");
    assert_eq!(outcome.unwrap().end, End::Complete);
    assert_eq!(shown.matches("is far from usual").count(), 30, "{shown}");
}

#[test]
fn a_stopped_run_draws_its_plot_writes_a_text_and_has_metrics() {
    let place = Place::new();
    let recipe = place.recipe("run", &["log.every=100", "sample.tokens=4", "steps=1000"]);
    let (outcome, shown) = until(RunStart::New(Box::new(recipe)), "step 1/");
    let outcome = outcome.unwrap();
    assert_eq!((outcome.step, outcome.end), (1, End::Stopped));
    assert!(shown.contains("\nsample:\n") && shown.contains("loss curve: "), "{shown}");
    for file in ["loss.png", "loss.svg", "samples.jsonl"] {
        assert!(outcome.run.join(file).is_file(), "{file}: {shown}");
    }
    let lines = jarrah_train::metrics::JsonLines::read(&outcome.run.join("metrics.jsonl")).unwrap();
    assert!(lines.iter().any(|line| line.step == 1 && line.get("loss").is_some()));
}

#[test]
fn data_is_checked_before_a_folder_is_made() {
    let place = Place::new();
    fs::write(place.path("few.txt"), "a b").unwrap();
    fs::write(place.path("binary.txt"), [0u8; 100]).unwrap();
    fs::write(place.path("chats.jsonl"), "{\"messages\": [{\"content\": \"no role\"}]}\n").unwrap();
    let before = fs::read_dir(place.path("")).unwrap().count();
    let chats = ["task=sft", "data.template=chatml"];
    for (data, keys, what) in [
        ("nowhere", &[][..], "there is no file or folder"),
        ("binary.txt", &[], "no text to train on"),
        ("few.txt", &[], "one sequence needs"),
        ("chats.jsonl", &chats, "`messages[0]` has neither `role` nor `from`"),
        ("text", &["tokenizer.file=nowhere"], "nowhere"),
        ("text", &["eval.answers=nowhere"], "nowhere"),
    ] {
        let mut recipe = place.recipe("made/for/it", keys);
        recipe.data.paths = vec![place.path(data).display().to_string()];
        let (outcome, shown) = until(RunStart::New(Box::new(recipe)), "never");
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains(what), "{data} {keys:?}: {error}");
        assert!(!shown.contains("run: "), "{shown}");
        assert_eq!(fs::read_dir(place.path("")).unwrap().count(), before, "{data}");
    }
}

#[test]
fn too_little_text_to_hold_some_out_is_said() {
    let place = Place::new();
    let mut recipe = place.recipe("run", &[]);
    fs::write(place.path("small.txt"), "a few words, just enough to train on\n").unwrap();
    recipe.data.paths = vec![place.path("small.txt").display().to_string()];
    let (outcome, shown) = until(RunStart::New(Box::new(recipe)), "never");
    assert_eq!(outcome.unwrap().end, End::Complete);
    assert!(shown.contains("nothing is evaluated"), "{shown}");
}

#[test]
fn a_tokenizer_that_is_given_is_used_and_kept_with_its_end_of_text() {
    let place = Place::new();
    let first = place.whole("first", &[]);
    // The same vocabulary, its end named otherwise.
    let json = fs::read_to_string(first.join("tokenizer.json")).unwrap().replace("<|endoftext|>", "<end>");
    fs::create_dir(place.path("given")).unwrap();
    fs::write(place.path("given/tokenizer.json"), json).unwrap();
    let file = format!("tokenizer.file={}", place.path("given/tokenizer.json").display());
    let without = refused(RunStart::New(Box::new(place.recipe("without", &[&file]))));
    assert!(without.message().contains("has no end-of-text token"), "{without}");
    assert!(!place.path("without").exists());
    fs::write(place.path("given/tokenizer_config.json"), "{\"eos_token\": \"<end>\"}").unwrap();
    let second = place.whole("second", &[&file]);
    assert_eq!(result(&second), result(&first), "the same ids make the same run");
    fs::remove_dir_all(place.path("given")).unwrap();
    until(resume(&second, &["steps=14"]), "never").0.unwrap();
}

#[test]
fn a_memory_limit_changes_no_bit() {
    let place = Place::new();
    let expected = result(&place.whole("whole", &[]));
    let start = RunStart::New(Box::new(place.recipe("none", &["memory_limit=1B"])));
    let error = until(start, "never").0.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Memory);
    // What the step needs when all is computed again that can be.
    let text = error.to_string();
    assert!(text.contains("the limit of 1 B was asked for"), "{text}");
    let (_, rest) = text.split_once(" needs ").unwrap();
    let kilobytes: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    assert!(rest.contains(" kB of memory"), "{text}");
    let limit = format!("memory_limit={}", (kilobytes * 1100.0) as usize);
    assert_eq!(result(&place.whole("limited", &[&limit])), expected);
}

#[test]
fn a_file_that_a_killed_process_looked_with_is_nothing_in_the_way_of_a_run() {
    let place = Place::new();
    let recipe = place.recipe("probed", &["steps=1"]);
    let out = std::path::PathBuf::from(recipe.out.clone().unwrap());
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(out.join(".jarrah-probe-1"), "").unwrap();
    let (outcome, _) = until(RunStart::New(Box::new(recipe)), "never");
    assert_eq!(outcome.unwrap().end, End::Complete);
}
