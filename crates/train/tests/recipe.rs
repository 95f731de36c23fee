use jarrah_base::{Error, ErrorKind};
use jarrah_train::recipe::{ComputePrecision, Recipe, Settings};

fn overridden(overrides: &[&str]) -> Recipe {
    Recipe::from_toml("", "r.toml", overrides).unwrap()
}

fn refused(text: &str, overrides: &[&str]) -> Error {
    let error = Recipe::from_toml(text, "r.toml", overrides).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    error
}

#[test]
fn a_file_and_overrides_change_what_they_name() {
    let text =
        "batch = 3\nmodel.layers = 2\n[optimizer]\nlr = 1\nbetas = [0.5, 0.6]\n[data]\npaths = ['a', 'b']\n";
    let recipe =
        Recipe::from_toml(text, "r.toml", &["batch=4", "optimizer.warmup = 7", "batch=0x5"]).unwrap();
    let mut expected = Recipe { batch: 5, ..Recipe::default() };
    expected.model.layers = Some(2);
    expected.optimizer.lr = Some(1.0);
    expected.optimizer.betas = [0.5, 0.6];
    expected.optimizer.warmup = 7;
    expected.data.paths = vec!["a".into(), "b".into()];
    assert_eq!(recipe, expected);
    recipe.check().unwrap();
}

#[test]
fn overrides_need_neither_quotes_nor_brackets() {
    let out = |argument: &str| overridden(&[argument]).out.unwrap();
    for text in ["runs/a", "7", "true", "2024-01-01", "a=b", "a,b", "[", ""] {
        assert_eq!(out(&format!("out={text}")), text);
    }
    assert_eq!(out("out=\"7 \\u00e9\""), "7 é");
    assert_eq!(overridden(&["data.paths=src"]).data.paths, ["src"]);
    assert_eq!(overridden(&["data.paths=[\"a\", \"b\"]"]).data.paths, ["a", "b"]);
    // A comma separates, also without brackets and quotes; in quotes it does not.
    assert_eq!(overridden(&["lora.targets=q,out"]).lora.targets, ["q", "out"]);
    assert_eq!(overridden(&["lora.targets= q, k_proj"]).lora.targets, ["q", "k_proj"]);
    assert_eq!(overridden(&["data.paths=[\"a,b\", \"c\"]"]).data.paths, ["a,b", "c"]);
    assert_eq!(overridden(&["data.paths=\"a,b\""]).data.paths, ["a,b"]);
    assert_eq!(overridden(&["optimizer.betas=0.8,0.9"]).optimizer.betas, [0.8, 0.9]);
    assert_eq!(overridden(&["eval={every = 5, batches = 2}"]).eval.batches, 2);
    assert_eq!(overridden(&["precision=bfloat16"]).precision, ComputePrecision::BF16);
}

#[test]
fn an_unknown_key_is_told_with_its_line_and_the_nearest() {
    assert_eq!(
        refused("steps = 1\n\n[optimizer]\n  wieght_decay = 1.0\n", &[]).to_string(),
        "there is no key optimizer.wieght_decay\n  --> r.toml:4:3\n  = help: did you mean optimizer.weight_decay?"
    );
    assert_eq!(
        refused("", &["chekpoint.every=50"]).to_string(),
        "there is no key chekpoint.every\n  = in the argument chekpoint.every=50\n  \
         = help: did you mean checkpoint.every?"
    );
    let help = |argument| refused("", &[argument]).to_string().split_once("= help: ").unwrap().1.to_owned();
    assert_eq!(help("lr=1"), "did you mean optimizer.lr?");
    assert_eq!(help("every=1"), "did you mean eval.every or checkpoint.every or log.every or sample.every?");
    assert_eq!(help("step=1"), "did you mean steps?");
    assert_eq!(help("model.head=1"), "did you mean model.heads?");
    assert_eq!(help("eval.frequency=1"), "[eval] has every, batches, answers, answer_tokens");
    assert_eq!(help("train.batch=1"), "did you mean batch?");
    assert!(help("quux=1").starts_with("the recipe has task, data, tokenizer, model"));
    // Of several mistakes the first line is told.
    assert!(refused("zeta = 1\nalpha = 1\n", &[]).to_string().contains("no key zeta"));
}

#[test]
fn a_wrong_value_is_told_with_what_was_expected() {
    let cases = [
        ("batch = 'many'", "batch must be an integer from 0 to 2^64 - 1, but is the string \"many\""),
        ("batch = -1", "batch must be an integer from 0 to 2^64 - 1, but is -1"),
        ("steps = 1e3", "steps must be an integer from 0 to 2^64 - 1, but is 1e3"),
        (
            "seed = 99999999999999999999",
            "seed must be an integer from 0 to 2^64 - 1, but is 99999999999999999999",
        ),
        ("optimizer = 3", "optimizer must be a table, but is 3"),
        ("optimizer.lr = nan", "optimizer.lr must be a finite number, but is nan"),
        (
            "optimizer.betas = [0.9]",
            "optimizer.betas must be a list of 2 finite numbers, but is the list [0.9]",
        ),
        ("optimizer.betas = [0.9, 1.5]", "optimizer.betas is 1.5, but must be in 0.0..1.0"),
        (
            "data.paths = ['a', 1]",
            "data.paths must be a list of strings, but is the list [the string \"a\", 1]",
        ),
        ("data.paths = 'a'", "data.paths must be a list of strings, but is the string \"a\""),
        ("model.tie_embeddings = 1", "model.tie_embeddings must be true or false, but is 1"),
        ("out = 1979-05-27", "out must be a string, but is the date 1979-05-27"),
        ("batch = {}", "batch must be an integer from 0 to 2^64 - 1, but is a table"),
        ("batch = 0", "batch is 0, but must be in 1..=1048576"),
        (
            "optimizer.name = 'adam'",
            "optimizer.name must be adamw, muon, lion, adafactor or sgd, but is the string \"adam\"",
        ),
        ("model.dtype = 'f16'", "model.dtype must be f32 or bf16, but is the string \"f16\""),
    ];
    for (text, message) in cases {
        let error = refused(&format!("# a comment\n{text}\n"), &[]);
        assert_eq!(error.message(), message);
        assert_eq!(error.location().unwrap().line(), 2);
    }
    assert_eq!(
        refused("", &["batch=many"]).message(),
        "batch must be an integer from 0 to 2^64 - 1, but is the string \"many\""
    );
    assert!(refused("", &["batch=0"]).to_string().ends_with("in the argument batch=0"));
    assert_eq!(refused("", &["steps"]).message(), "\"steps\" is not of the form key=value");
    assert_eq!(refused("", &["=1"]).message(), "\"=1\" names no key");
}

#[test]
fn what_is_no_toml_is_told_with_its_line() {
    for text in ["steps = 1\nbatch 2\n", "steps = 1\nsteps = 2\n", "steps = 1\nout = \"abc\n"] {
        assert_eq!(refused(text, &[]).location().unwrap().line(), 2);
    }
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("r.toml");
    let read = || Recipe::from_file(&file, &[]);
    assert_eq!(read().unwrap_err().kind(), ErrorKind::Input);
    std::fs::write(&file, b"out = '\xff'").unwrap();
    assert_eq!(read().unwrap_err().kind(), ErrorKind::Input);
    std::fs::write(&file, "batch = 2").unwrap();
    assert_eq!(read().unwrap().batch, 2);
}

#[test]
fn the_written_recipe_reads_back() {
    let overrides =
        ["out=runs/\"a\"", "data.paths=[\"x\\n\", \"é\"]", "optimizer.lr=1e-30", "seed=18446744073709551615"];
    for recipe in [Recipe::default(), overridden(&overrides)] {
        let text = recipe.to_toml();
        assert_eq!(Recipe::from_toml(&text, "r.toml", &[]).unwrap(), recipe, "{text}");
    }
    Recipe::default().check().unwrap();
    let text = Recipe::default().to_toml();
    assert!(
        text.contains("# The network.\n[model]\n# A folder")
            && text
                .contains("\n\n# Transformer blocks; unset, those of the shape, 4 of a GPT.\n# layers = an"),
        "{text}"
    );
    assert!(text.contains("# out = a string\n"), "{text}");
}

#[test]
fn every_key_is_listed_with_a_doc() {
    let recipe = Recipe::default();
    for key in recipe.keys() {
        assert!(key.doc.ends_with('.') && !key.doc.contains('\n'), "{key:?}");
        if !key.is_section {
            assert!(recipe.help().contains(&key.name) && recipe.help().contains(&key.doc));
        }
        // Setting a key to what it is changes nothing: every listed key is one that is read.
        if let Some(value) = key.value {
            assert_eq!(overridden(&[&format!("{}={value}", key.name)]), recipe);
        }
    }
    assert!(
        recipe
            .help()
            .contains("  optimizer.betas=[0.9, 0.95]  The decay rates of the two moments; the first")
    );
}

#[test]
fn keys_that_contradict_each_other_are_found() {
    let message = |overrides: &[&str]| overridden(overrides).check().unwrap_err().message().to_owned();
    assert_eq!(message(&["accumulate=3"]), "batch 8 is no multiple of accumulate 3");
    assert_eq!(
        message(&["optimizer.lr=1e-5", "optimizer.min_lr=1e-4"]),
        "optimizer.min_lr 0.0001 is above optimizer.lr 1e-5"
    );
}

#[test]
fn weights_that_learned_before_move_less() {
    let rates = |overrides: &[&str], pretrained| {
        let mut recipe = overridden(overrides);
        recipe.settle(pretrained);
        recipe.check().unwrap();
        recipe.optimizer.rates()
    };
    assert_eq!(rates(&[], false), [3e-3, 1e-4]);
    assert_eq!(rates(&[], true), [2e-5, 2e-5 / 30.0]);
    assert_eq!(rates(&["lora.rank=8"], true), [2e-4, 2e-4 / 30.0]);
    assert_eq!(rates(&["optimizer.lr=1e-5", "optimizer.min_lr=0.0"], true), [1e-5, 0.0]);
}

#[test]
fn a_memory_limit_is_a_number_of_bytes() {
    let limit = |argument: &str| overridden(&[argument]).memory_limit.unwrap().0;
    assert_eq!(limit("memory_limit=8GiB"), 8 << 30);
    assert_eq!(limit("memory_limit=65536"), 65536);
    assert_eq!(Recipe::default().memory_limit, None);
    let recipe = overridden(&["memory_limit=1.5 GB"]);
    assert_eq!(Recipe::from_toml(&recipe.to_toml(), "r.toml", &[]).unwrap(), recipe);
    let error = refused("memory_limit = \"lots\"", &[]).to_string();
    assert!(error.starts_with("memory_limit must be a number of bytes such as \"8GiB\""), "{error}");
}

#[test]
fn the_recipes_that_come_along_can_be_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let recipe = Recipe::from_file(&path, &[]).unwrap();
        recipe.check().unwrap();
        if let Some(name) = &recipe.model.name {
            jarrah_models::DecoderConfig::named(name).unwrap();
        }
        count += 1;
    }
    assert!(count >= 5);
}
