//! Learning answers, with adapters, and what a recipe does to a step.

use std::fs;
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_base::{Error, ErrorKind};
use jarrah_checkpoint::latest;
use jarrah_models::{Extents, Pretrained};
use jarrah_nn::{Context, Module};
use jarrah_serve::{Engine, EngineOptions, LoadOptions, Question, Served};
use jarrah_tokenizer::chat::Templates;
use jarrah_tokenizer::{TrainOptions, train as learn};
use jarrah_train::recipe::{Recipe, Settings};
use jarrah_train::{Console, RunStart, Stop, train};

use crate::support::{result, resume, until};

const TEMPLATE: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if m.role == 'assistant' %}<|endoftext|>{% endif %}{% endfor %}\
                        {% if add_generation_prompt %}<assistant>{% endif %}";

/// A folder with a small model of a family, a tokenizer, a template, and chats: what is the capital of a letter.
struct Folder {
    dir: tempfile::TempDir,
}

impl Folder {
    fn new(shape: &str) -> Folder {
        let dir = tempfile::tempdir().unwrap();
        let chats: String = ('a'..='p')
            .map(|c| {
                let (question, answer) = (format!("capital of {c}"), c.to_ascii_uppercase());
                match c as u32 % 2 {
                    0 => format!(
                        "{{\"messages\": [{{\"role\": \"user\", \"content\": \"{question}\"}}, {{\"role\": \"assistant\", \"content\": \"{answer}\"}}]}}\n"
                    ),
                    _ => format!(
                        "{{\"conversations\": [{{\"from\": \"human\", \"value\": \"{question}\"}}, {{\"from\": \"gpt\", \"value\": \"{answer}\"}}]}}\n"
                    ),
                }
            })
            .collect();
        fs::write(dir.path().join("chats.jsonl"), &chats).unwrap();
        let model = dir.path().join("model");
        let tokenizer = learn(&[chats], &TrainOptions::new(280)).unwrap();
        let extents = Extents { vocabulary: Some(tokenizer.vocab_size()), ..Extents::default() };
        let json = extents.set(Pretrained::preset(shape).unwrap()).unwrap();
        Pretrained::random(json, &Key::new(5)).unwrap().save(&model).unwrap();
        tokenizer.save(&model.join("tokenizer.json")).unwrap();
        fs::write(model.join("chat_template.jinja"), TEMPLATE).unwrap();
        Folder { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn recipe(&self, out: &str, overrides: &[&str]) -> Recipe {
        let text = "task = 'sft'\nbatch = 2\nsteps = 8\n[model]\ncontext = 32\n[eval]\nevery = 4\n[checkpoint]\nevery = 3\n[log]\n\
                    every = 1\n[sample]\ntokens = 0\n[optimizer]\nlr = 0.01\nwarmup = 2\nweight_decay = 0.0\n";
        let mut recipe = Recipe::from_toml(text, "sft.toml", overrides).unwrap();
        recipe.out = Some(self.path(out).display().to_string());
        recipe.data.paths = vec![self.path("chats.jsonl").display().to_string()];
        recipe.model.name.get_or_insert(self.path("model").display().to_string());
        recipe
    }

    fn start(&self, out: &str, overrides: &[&str]) -> RunStart {
        RunStart::New(Box::new(self.recipe(out, overrides)))
    }

    fn whole(&self, out: &str, overrides: &[&str]) -> PathBuf {
        train(self.start(out, overrides), &Stop::default(), &mut Console::silent()).unwrap().run
    }

    fn refused(&self, out: &str, overrides: &[&str]) -> Error {
        let error = train(self.start(out, overrides), &Stop::default(), &mut Console::silent()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        error
    }
}

fn losses(run: &Path) -> Vec<f64> {
    let lines = jarrah_train::metrics::JsonLines::read(&run.join("metrics.jsonl")).unwrap();
    lines.iter().filter_map(|line| line.get("loss")).collect()
}

#[test]
fn a_run_that_learns_answers_goes_on_with_the_same_bits() {
    let folder = Folder::new("test-llama");
    for (name, keys) in [
        ("full", &[][..]),
        ("average", &["ema=0.9", "model.dtype=bf16", "accumulate=2", "model.dropout=0.1"]),
        ("lora", &["lora.rank=2", "lora.targets=[\"q_proj\", \"v\"]", "precision=bf16"]),
        ("qlora", &["lora.rank=2", "lora.quantize=nf4", "remat=full", "scan_layers=true", "guard.spike=4"]),
        ("rules", &["lora.rank=2", "lora.quantize=nf4, blocks.*.mlp.**=int8, blocks.0.**=leave"]),
    ] {
        let expected = result(&folder.whole(&format!("{name}-whole"), keys));
        for step in [1, 4] {
            let out = format!("{name}-{step}");
            let outcome = until(folder.start(&out, keys), &format!("step {step}/")).0.unwrap();
            assert_eq!((outcome.step, outcome.chat), (step, true));
            until(resume(&outcome.run, &[]), "never").0.unwrap();
            assert_eq!(result(&outcome.run), expected, "{name}, stopped at {step}");
        }
    }
}

#[test]
fn a_model_learns_to_answer_and_answers() {
    let folder = Folder::new("test-llama");
    let questions = folder.path("questions.jsonl");
    let lines = ["a", "d", "h"].map(|c| {
        format!("{{\"question\": \"capital of {c}\", \"answer\": \"It is #### {}\"}}", c.to_uppercase())
    });
    fs::write(&questions, lines.join("\n")).unwrap();
    let answers = format!("eval.answers={}", questions.display());
    let keys = ["steps=150", "batch=8", "optimizer.lr=0.02", "checkpoint.every=0", "eval.every=0", &answers];
    let run = folder.whole("run", &keys);
    let lines = jarrah_train::metrics::JsonLines::read(&run.join("metrics.jsonl")).unwrap();
    let exact: Vec<f64> = lines.iter().filter_map(|line| line.get("exact_answers")).collect();
    assert_eq!(exact, [1.0], "{:?}", losses(&run).last());
    // The run alone has what a chat needs.
    fs::remove_dir_all(folder.path("model")).unwrap();
    let templates = Templates::load(&run).unwrap();
    let served = Served::load(&run, &LoadOptions::default()).unwrap();
    let engine = Engine::start(served, EngineOptions { warm: false, ..EngineOptions::default() }).unwrap();
    let questions = Question::read(&questions, Some(&templates)).unwrap();
    assert_eq!(engine.exact_answers(&questions, 8).unwrap(), 1.0);
}

/// Whichever of many records is wrong, its file and line are said.
#[test]
fn records_that_are_wrong_are_told_by_file_and_line() {
    let folder = Folder::new("test-llama");
    let good = fs::read_to_string(folder.path("chats.jsonl")).unwrap();
    let file = folder.path("chats.jsonl");
    for (record, what) in [
        (r#"{"instruction": "add", "input": "x", "output": 5}"#, "one of them is no text"),
        ("[1]", "`messages[0]` must be an object, but is an integer"),
        (r#"{"messages": "x"}"#, "has no list of messages"),
    ] {
        for line in [1, 5, 17] {
            let mut lines: Vec<&str> = good.lines().collect();
            lines.insert(line - 1, record);
            fs::write(&file, lines.join("\n")).unwrap();
            let error = folder.refused("run", &[]).to_string();
            assert!(error.contains(what), "{error}");
            assert!(error.contains(&format!("in {}:{line}\n", file.display())), "{error}");
        }
    }
}

/// Chats that a template refuses are left out and said, also where they are all that was held out.
#[test]
fn chats_that_a_template_refuses_are_told_by_file_and_line() {
    let folder = Folder::new("test-llama");
    let template = TEMPLATE
        .replace("{{ m.content }}", "{{ raise_exception('five') if m.content == '5' else m.content }}");
    fs::write(folder.path("model/chat_template.jinja"), template).unwrap();
    let file = folder.path("chats.jsonl");
    let chat = |content: &str| {
        format!(
            r#"{{"messages": [{{"role": "user", "content": {content}}}, {{"role": "assistant", "content": "b"}}]}}"#
        ) + "\n"
    };
    // Records that are alike are held out together or not at all: there are too many of these.
    fs::write(&file, format!("{}{}{}", chat("\"a\"").repeat(20), chat("\"5\""), chat("\"a\""))).unwrap();
    let (done, out) = until(folder.start("run", &["steps=2"]), "never");
    assert_eq!(done.unwrap().step, 2);
    let said = "1 chat is left out, which the template refuses: ";
    assert!(out.contains(said) && out.contains(&format!("in {}:21\n", file.display())), "{out}");
    for (chats, what) in [(1, "the template refuses the only chat"), (3, "the template refuses all 3 chats")]
    {
        fs::write(&file, chat("\"5\"").repeat(chats)).unwrap();
        let error = folder.refused("none", &[]).to_string();
        assert!(error.contains(what) && error.contains(&format!("in {}:1\n", file.display())), "{error}");
    }
}

/// A misspelt role is one that a template may have; that nothing is learned of the chat is said.
#[test]
fn chats_without_an_answer_are_told() {
    let folder = Folder::new("test-llama");
    let file = folder.path("chats.jsonl");
    let mut lines: Vec<String> = fs::read_to_string(&file).unwrap().lines().map(str::to_owned).collect();
    let wrong = r#"{"messages": [{"role": "user", "content": "a"}, {"role": "asistant", "content": "b"}]}"#;
    for at in [4, 9] {
        lines.insert(at, wrong.to_owned());
    }
    fs::write(&file, lines.join("\n")).unwrap();
    let (done, out) = until(folder.start("run", &["steps=2"]), "never");
    assert_eq!(done.unwrap().step, 2);
    let first = format!(
        "2 chats have no answer to learn, a message of the role assistant; the first is in {}:5",
        file.display()
    );
    assert!(out.contains(&first), "{out}");
}

/// Numbers that Python's `json` writes stand in chats and in questions.
#[test]
fn numbers_of_python_do_no_harm_to_chats() {
    let folder = Folder::new("test-llama");
    let with = |text: String, number: &str| text.replacen('{', &format!("{{\"score\": {number}, "), 1);
    let good = fs::read_to_string(folder.path("chats.jsonl")).unwrap();
    let numbers = ["NaN", "-Infinity", "1e400"].iter().cycle();
    let lines = good.lines().zip(numbers).map(|(line, number)| with(line.to_owned(), number) + "\n");
    fs::write(folder.path("chats.jsonl"), lines.collect::<String>()).unwrap();
    let questions = folder.path("questions.jsonl");
    let question = r#"{"prompt": "capital of a", "answer": "A"}"#.to_owned();
    fs::write(&questions, with(question.clone(), "NaN") + "\n" + &with(question, "1e400")).unwrap();
    let answers = format!("eval.answers={}", questions.display());
    folder.whole("run", &["steps=2", &answers]);
    let found = Question::read(&questions, None).unwrap();
    assert!(found.len() == 2 && found.iter().all(|question| question.answer == "A"), "{found:?}");
}

#[test]
fn adapters_are_written_for_others_and_merge_into_the_model_they_were_trained_on() {
    let folder = Folder::new("test-llama");
    let run = folder.whole("run", &["lora.rank=2"]);
    let merged = jarrah_run::pretrained(&run, None).unwrap();
    let mut base = Pretrained::load(folder.path("model"), None).unwrap();
    base.adapt(run.join("adapter")).unwrap();
    base.merge_adapters();
    let leaves = |model: &Pretrained| -> Vec<Vec<f32>> {
        model.model.leaves().into_iter().map(|x: &Array| x.to_vec().unwrap()).collect()
    };
    assert_eq!(leaves(&merged), leaves(&base));
    let plain = Pretrained::load(folder.path("model"), None).unwrap();
    assert_ne!(leaves(&merged), leaves(&plain));
    // Checkpoints hold adapters alone.
    let tensors = latest(&run.join("checkpoints")).unwrap().group("params").unwrap();
    assert!(tensors.iter().all(|(name, _)| name.contains("/adapter/")), "{:?}", tensors.iter().map(|t| &t.0));
    merged.save(folder.path("merged")).unwrap();
    assert!(folder.path("merged/chat_template.jinja").exists());

    // What the folder's configuration says by now is not what the run was trained with.
    let tokens = Array::new(&[1i32, 2, 3, 4], &[1, 4]);
    let logits = || {
        jarrah_run::pretrained(&run, None)
            .unwrap()
            .model
            .call(&tokens, &mut Context::eval())
            .to_vec::<f32>()
            .unwrap()
    };
    let before = logits();
    let file = folder.path("model").join("config.json");
    let text = fs::read_to_string(&file).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config["rms_norm_eps"] = 0.5.into();
    fs::write(&file, config.to_string()).unwrap();
    assert_eq!(logits(), before);
    fs::write(&file, text).unwrap();
    // A folder that is gone is told.
    fs::rename(folder.path("model"), folder.path("away")).unwrap();
    let error = until(resume(&run, &["steps=9"]), "never").0.unwrap_err();
    assert!(error.message().contains("there are no weights in"), "{error}");
    fs::rename(folder.path("away"), folder.path("model")).unwrap();
    // Other weights under the adapters are told, and those of a run that has not begun.
    let begun = until(folder.start("begun", &[]), "run: ").0.unwrap();
    assert_eq!(begun.step, 0);
    base.save(folder.path("model")).unwrap();
    let error = Served::load(&run, &LoadOptions::default()).err().unwrap();
    assert!(error.message().contains("changed: they had the hash"), "{error}");
    for run in [&run, &begun.run] {
        let error = until(resume(run, &["steps=9"]), "never").0.unwrap_err();
        assert!(error.message().contains("changed: they had the hash"), "{error}");
    }
}

#[test]
fn parts_of_a_batch_layers_as_a_loop_and_values_computed_again_change_the_loss_by_roundings_at_most() {
    let folder = Folder::new("test-llama");
    let plain = losses(&folder.whole("plain", &["batch=4"]));
    for (i, keys) in [
        &["accumulate=4"][..],
        &["remat=minimal"],
        &["remat=minimal_with_context"],
        &["remat=full", "scan_layers=true", "accumulate=2"],
    ]
    .iter()
    .enumerate()
    {
        let keys = [&["batch=4"], *keys].concat();
        let other = losses(&folder.whole(&format!("other{i}"), &keys));
        assert_eq!(other.len(), plain.len());
        for (a, b) in plain.iter().zip(&other) {
            assert!((a - b).abs() < 1e-4 * a.abs(), "{keys:?}: {plain:?} and {other:?}");
        }
    }
}

#[test]
fn every_method_learns_and_goes_on_with_the_same_bits() {
    let folder = Folder::new("test-llama");
    for name in ["muon", "lion", "adafactor", "sgd"] {
        let lr = if name == "sgd" { "optimizer.lr=0.3" } else { "optimizer.lr=0.003" };
        let keys = [&format!("optimizer.name={name}"), lr, "optimizer.min_lr=0.001"];
        let run = folder.whole(&format!("{name}-whole"), &keys);
        let all = losses(&run);
        assert!(all[7] < all[0], "{name}: {all:?}");
        let outcome = until(folder.start(name, &keys), "step 4/").0.unwrap();
        until(resume(&outcome.run, &[]), "never").0.unwrap();
        assert_eq!(result(&outcome.run), result(&run), "{name}");
    }
}

#[test]
fn what_is_added_to_the_loss_moves_the_weights() {
    let folder = Folder::new("test-llama");
    let plain = result(&folder.whole("plain", &[]));
    let z = folder.whole("z", &["loss.z=0.1"]);
    assert_ne!(result(&z).1, plain.1);
    // What is shown is the cross-entropy alone.
    assert_eq!(losses(&z)[0], losses(&folder.path("plain"))[0]);
    let small = [
        "model.name=mixtral-8x7b",
        "model.layers=2",
        "model.width=16",
        "model.hidden=32",
        "model.heads=4",
        "model.kv_heads=2",
        "data.template=chatml",
        "tokenizer.vocab_size=280",
    ];
    let of = |name: &str, more: &[&str]| result(&folder.whole(name, &[&small[..], more].concat()));
    let plain = of("experts", &[]);
    assert_ne!(of("balanced", &["loss.balance=0.1"]).1, plain.1);
    let looped = of("looped", &["loss.balance=0.1", "scan_layers=true", "accumulate=2"]);
    assert_ne!(looped.1, plain.1);
    // Experts with little room drop tokens; with room for all they are what they are without a bound.
    assert_ne!(of("full", &["capacity_factor=0.5"]).1, plain.1);
    of("roomy", &["capacity_factor=4", "scan_layers=true"]);
    let plain = losses(&folder.path("experts"));
    assert!(plain.iter().any(|loss| *loss > 1.0), "{plain:?}");
    for (a, b) in plain.iter().zip(losses(&folder.path("roomy"))) {
        assert!((a - b).abs() <= 1e-4 * a.abs(), "{a} and {b}");
    }
}

#[test]
fn modules_that_predict_further_tokens_learn_beside_the_model() {
    let folder = Folder::new("test-llama");
    let small = ["model.name=test-llama", "data.template=chatml", "tokenizer.vocab_size=280", "batch=4"];
    let with = |more: &[&str]| small.iter().chain(more).map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let run = |name: &str, more: &[&str]| {
        let keys = with(more);
        folder.whole(name, &keys.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let plain = run("plain", &[]);
    let further = run("further", &["model.mtp=2"]);
    // What is shown is the cross-entropy of the next token, and the model begins with the same numbers.
    assert_eq!(losses(&further)[0], losses(&plain)[0]);
    assert_ne!(losses(&further)[7], losses(&plain)[7]);
    let names: Vec<String> = latest(&further.join("checkpoints"))
        .unwrap()
        .group("params")
        .unwrap()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    for module in 0..2 {
        assert!(names.contains(&format!("mtp/{module}/block/mlp/up/weight")), "{names:?}");
    }
    for (name, keys) in [
        ("parts", &["model.mtp=2", "accumulate=2"][..]),
        ("looped", &["model.mtp=2", "remat=full", "scan_layers=true"]),
    ] {
        for (a, b) in losses(&run(name, keys)).iter().zip(losses(&further)) {
            assert!((a - b).abs() < 1e-4 * a.abs(), "{name}: {a} and {b}");
        }
    }
    let keys = with(&["model.mtp=2"]);
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let outcome = until(folder.start("stopped", &keys), "step 4/").0.unwrap();
    until(resume(&outcome.run, &[]), "never").0.unwrap();
    assert_eq!(result(&outcome.run), result(&further));

    // The folder that the run becomes has the modules; another run takes as many as it asks for.
    let made = jarrah_run::pretrained(&further, None).unwrap();
    assert_eq!(made.config.mtp.len(), 2);
    made.save(folder.path("made")).unwrap();
    fs::copy(folder.path("model/chat_template.jinja"), folder.path("made/chat_template.jinja")).unwrap();
    let name = format!("model.name={}", folder.path("made").display());
    let next = folder.whole("next", &[&name, "model.mtp=1"]);
    assert_eq!(jarrah_run::pretrained(&next, None).unwrap().config.mtp.len(), 1);
    let next = folder.whole("without", &[&name]);
    assert!(jarrah_run::pretrained(&next, None).unwrap().config.mtp.is_empty());
    let text = folder.refused("more", &[&name, "model.mtp=3"]).to_string();
    assert!(text.contains("has 2 modules that predict further tokens, the run has 3"), "{text}");
    let text = folder.refused("lora", &["lora.rank=2", "model.mtp=1"]).to_string();
    assert!(text.contains("adapters train none of the modules"), "{text}");
    let text = folder.refused("zero", &[&name, "model.mtp=1", "loss.mtp=0"]).to_string();
    assert!(text.contains("trains not at all"), "{text}");
}

/// The balance of experts counts as much where few tokens are answers as where many are.
#[test]
fn the_balance_of_experts_takes_no_account_of_how_many_tokens_are_learned() {
    let folder = Folder::new("test-llama");
    let shape = [
        "model.name=mixtral-8x7b",
        "model.layers=1",
        "model.width=16",
        "model.hidden=16",
        "model.heads=2",
        "model.kv_heads=2",
    ];
    let keys = [
        "data.template=chatml",
        "tokenizer.vocab_size=280",
        "steps=1",
        "batch=8",
        "model.context=64",
        "loss.balance=1e6",
        "optimizer.lr=0",
        "optimizer.min_lr=0",
    ];
    let norm = |name: &str, weight: usize| {
        // Of two answers of one length the first is learned, or both are.
        let chat = format!(
            r#"{{"messages": [{{"role": "user", "content": "a"}}, {{"role": "assistant", "content": "bcde bcde bcde", "weight": {weight}}}, {{"role": "user", "content": "a"}}, {{"role": "assistant", "content": "b"}}]}}"#
        );
        fs::write(folder.path("chats.jsonl"), format!("{chat}\n").repeat(8)).unwrap();
        let run = folder.whole(name, &[&shape[..], &keys].concat());
        let lines = jarrah_train::metrics::JsonLines::read(&run.join("metrics.jsonl")).unwrap();
        lines.iter().find_map(|line| line.get("grad_norm")).unwrap()
    };
    let (few, many) = (norm("few", 0), norm("many", 1));
    assert!((few - many).abs() < 1e-3 * many, "{few} and {many}");
}

/// What a user may ask next is shown in a line, however long the question of the data is.
#[test]
fn a_long_question_is_not_shown_as_a_whole() {
    let folder = Folder::new("test-llama");
    let chat = format!(
        r#"{{"messages": [{{"role": "user", "content": "{}"}}, {{"role": "assistant", "content": "b"}}]}}"#,
        "what is it ".repeat(50)
    );
    fs::write(folder.path("chats.jsonl"), format!("{chat}\n").repeat(8)).unwrap();
    let outcome =
        train(folder.start("long", &["steps=1"]), &Stop::default(), &mut Console::silent()).unwrap();
    assert_eq!(outcome.prompt, "what is it what");
}

/// An average in bf16 would stay where it begins: what a step adds to it is less than half of the last bit.
#[test]
fn the_average_of_weights_in_bf16_moves_as_that_of_others() {
    let folder = Folder::new("test-llama");
    let first = Pretrained::load(folder.path("model"), None).unwrap();
    let weights = first.model.leaves_with_paths().into_iter();
    let (_, first) = weights
        .into_iter()
        .find(|(path, _): &(String, &Array)| path == "blocks.0.attention.q.weight")
        .unwrap();
    let first = first.to_vec::<f32>().unwrap();
    let moved = |dtype: &str| {
        let dtype = format!("model.dtype={dtype}");
        let keys = ["ema=0.999", "steps=60", "optimizer.lr=0.001", "optimizer.schedule=constant", &dtype];
        let run = folder.whole(&dtype, &keys);
        let now = latest(&run.join("checkpoints")).unwrap();
        let now = now.tensor("ema/blocks/0/attention/q/weight").unwrap().to_f64_vec();
        now.iter().zip(&first).map(|(a, b)| (a - f64::from(*b)).powi(2)).sum::<f64>().sqrt()
    };
    let (narrow, wide) = (moved("bf16"), moved("f32"));
    assert!((narrow - wide).abs() < 0.2 * wide, "{narrow} and {wide}");
}

#[test]
fn steps_that_go_wrong_are_left_out_or_end_the_run_with_the_place() {
    let folder = Folder::new("test-llama");
    // Each gradient is far from usual: after the first ten steps the weights stay.
    let keys = ["steps=14", "guard.spike=1e-6", "checkpoint.every=1", "checkpoint.keep=20", "eval.every=0"];
    let (outcome, shown) = until(folder.start("spikes", &keys), "never");
    let run = outcome.unwrap().run;
    assert_eq!(shown.matches("is left out: its gradient is far from usual").count(), 4, "{shown}");
    let at = |step| jarrah_checkpoint::at(&run.join("checkpoints"), step).unwrap();
    let params = |step| at(step).group("params").unwrap();
    assert_eq!(params(10), params(14));
    assert_ne!(params(9), params(10));
    assert_eq!(at(14).tensor("skipped").unwrap().to_f64_vec(), [4.0]);

    // A weight that is no number.
    let mut broken = Pretrained::load(folder.path("model"), None).unwrap();
    let bad =
        |path: &str, x: &Array| Ok(if path == "blocks.1.mlp.up.weight" { x * f64::NAN } else { x.clone() });
    broken.model = broken.model.try_map_with_paths(bad).unwrap();
    broken.save(folder.path("broken")).unwrap();
    let name = format!("model.name={}", folder.path("broken").display());
    let error = folder.refused("nan", &[&name]);
    let text = error.to_string();
    assert!(
        text.contains(
            "the loss at step 1 is NaN, the parameter blocks.1.mlp.up.weight first, before the first update"
        ),
        "{text}"
    );
    let (outcome, shown) = until(folder.start("skipped", &[&name, "guard.on_nan=skip"]), "never");
    assert_eq!(outcome.unwrap().step, 8);
    assert_eq!(shown.matches("is left out: loss or gradient is no number").count(), 8, "{shown}");

    // Activations that leave the range.
    let big = |path: &str, x: &Array| {
        let large = path == "blocks.0.mlp.up.weight" || path == "blocks.0.mlp.gate.weight";
        Ok(if large { x * 1e30 } else { x.clone() })
    };
    let mut broken = Pretrained::load(folder.path("model"), None).unwrap();
    broken.model = broken.model.try_map_with_paths(big).unwrap();
    broken.save(folder.path("broken")).unwrap();
    let text = folder.refused("large", &[&name]).to_string();
    assert!(
        text.contains(", what blocks.0.mlp") && text.contains(" gives first, before the first update"),
        "{text}"
    );
}

#[test]
fn what_contradicts_itself_is_refused_before_anything_is_made() {
    let folder = Folder::new("test-llama");
    let message = |keys: &[&str]| {
        let error = folder.refused("run", keys);
        assert!(!folder.path("run").exists(), "{keys:?}");
        error.to_string()
    };
    assert!(message(&["model.layers=3"]).contains("extents of its own"));
    assert!(
        message(&["model.context=65"])
            .contains("model.context is 65, but the model is made for sequences of 64")
    );
    assert!(message(&["accumulate=4"]).contains("batch 2 is no multiple of accumulate 4"));
    assert!(message(&["lora.quantize=nf4"]).contains("lora.rank is 0"));
    assert!(message(&["lora.rank=2", "lora.alpha=0"]).contains("adapters add nothing"));
    assert!(message(&["loss.balance=0.1"]).contains("loss.balance is for layers of experts"));
    assert!(message(&["capacity_factor=1"]).contains("capacity_factor is for layers of experts"));
    assert!(
        message(&["lora.rank=2", "lora.quantize=nf5"]).contains("there is no scheme of quantization `nf5`")
            && message(&["lora.rank=2", "lora.quantize=blocks.9.**=nf4"])
                .contains("no weight at `blocks.9.**`")
    );
    let text = message(&["lora.rank=2", "lora.targets=[\"query\"]"]);
    assert!(text.contains("no map called query") && text.contains("down, gate, k, out, q, up, v"), "{text}");
    assert!(message(&["model.name=qwen9-1b"]).contains("there is no model shape called `qwen9-1b`"));
    assert!(message(&["model.name=test-llama", "lora.rank=2"]).contains("begins with random ones"));
    assert!(message(&["model.name=test-llama"]).contains("the model has no chat template"));
    fs::write(folder.path("chats.jsonl"), "{\"text\": \"no chat\"}\n").unwrap();
    assert!(message(&[]).contains("has no list of messages"));
    fs::write(folder.path("chats.jsonl"), "{\"messages\": [{\"role\": \"user\", \"content\": \"?\"}]}\n")
        .unwrap();
    assert!(message(&[]).contains("the chats have no answer to learn"));
}
