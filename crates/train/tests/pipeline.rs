//! Pipelines that files describe: their errors, their elements, and a run that one feeds.

use std::fs;

use jarrah_data::{DatasetIterator, Features, RecordBytes};
use jarrah_tokenizer::{TrainOptions, train as learn};
use jarrah_train::pipeline::{Pipeline, PipelineFile, PipelineThreads, stage_help};
use jarrah_train::{Console, RunStart, Stop, train};

use crate::support::{Place, STEPS, result, resume, until};

const TEMPLATE: &str = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

/// A folder with chats, texts in two files, and a tokenizer with a template.
fn place() -> Place {
    let place = Place::new();
    let chat = |i: usize| format!("{{\"prompt\": \"what is {i}?\", \"completion\": \"it is {}.\"}}\n", i * i);
    fs::write(place.path("chats.jsonl"), (0..40).map(chat).collect::<String>()).unwrap();
    for (name, lang, count) in [("a", "en", 30), ("b", "de", 10)] {
        let line = |i: usize| {
            format!("{{\"lang\": \"{lang}\", \"text\": \"{name} {}\"}}\n", "so ".repeat(i % 7 + 1))
        };
        fs::write(place.path(&format!("{name}.jsonl")), (0..count).map(line).collect::<String>()).unwrap();
    }
    fs::create_dir(place.path("tokenizer")).unwrap();
    let tokenizer =
        learn(&["what is it? so it is. <user><assistant>\n".to_owned()], &TrainOptions::new(280)).unwrap();
    fs::write(place.path("tokenizer/tokenizer.json"), tokenizer.to_json().unwrap()).unwrap();
    fs::write(place.path("tokenizer/chat_template.jinja"), TEMPLATE).unwrap();
    place
}

/// A pipeline with the paths of a place: `@` stands for its folder.
fn pipeline(place: &Place, text: &str) -> PipelineFile {
    PipelineFile::from_toml(&text.replace('@', &place.dir.path().display().to_string()), "p.toml").unwrap()
}

fn records(pipeline: &Pipeline) -> DatasetIterator<RecordBytes> {
    let Pipeline::Records(records) = pipeline else { panic!("records") };
    records.iter().unwrap()
}

fn features(pipeline: &Pipeline) -> DatasetIterator<Features> {
    let Pipeline::Features(features) = pipeline else { panic!("features") };
    features.iter().unwrap()
}

fn texts(pipeline: &Pipeline) -> Vec<String> {
    records(pipeline).map(|r| String::from_utf8(r.unwrap().to_vec()).unwrap()).collect()
}

const CHATS: &str = "[[source]]\nfiles = [\"@/chats.jsonl\"]\n\
    [[stage]]\nkind = \"shuffle\"\nseed = 3\n\
    [[stage]]\nkind = \"repeat\"\n\
    [[stage]]\nkind = \"chat\"\ntokenizer = \"@/tokenizer\"\n\
    [[stage]]\nkind = \"threads\"\ncount = 2\nbuffer = 16\n\
    [[stage]]\nkind = \"pack\"\nlength = 65\nbins = 3\n\
    [[stage]]\nkind = \"batch\"\nsize = 2\n";

#[test]
fn errors_name_the_key_and_the_line() {
    for (text, message, line) in [
        ("[[source]]\nfiles = [\"a\"]\nweigth = 2\n", "there is no key source.weigth", 3),
        (
            "[[source]]\nfiles = [\"a\"]\nweight = \"x\"\n",
            "source.weight must be a finite number, but is the string \"x\"",
            3,
        ),
        ("[[source]]\nfiles = [\"a\"]\nformat = \"zip\"\n", "source.format must be array_record,", 3),
        ("[[source]]\n", "the source names no file", 1),
        ("[source]\n", "source must be a list of tables, but is a table", 1),
        ("sources = 1\n", "there is no key sources", 1),
        ("[[source]]\nfiles = [\"a\"]\n[[stage]]\nsize = 2\n", "the stage has no kind", 3),
        (
            "[[source]]\nfiles = [\"a\"]\n[[stage]]\nkind = \"shufle\"\n",
            "there is no kind of stage shufle",
            4,
        ),
        (
            "[[source]]\nfiles = [\"a\"]\n[[stage]]\nkind = \"batch\"\nsize = 0\n",
            "batch.size is 0, but must be in 1..=1048576",
            5,
        ),
        (
            "[[source]]\nfiles = [\"a\"]\n[[source.stage]]\nkind = \"json\"\nname = \"x\"\n",
            "there is no key json.name",
            5,
        ),
        ("[[source]]\nfiles = [\"a\"\n", "unclosed array, expected `]`", 2),
    ] {
        let error = PipelineFile::from_toml(text, "p.toml").unwrap_err();
        let shown = error.to_string();
        assert!(shown.starts_with(message), "{text}: {shown}");
        assert!(shown.contains(&format!("--> p.toml:{line}:")), "{text}: {shown}");
    }
    let help =
        PipelineFile::from_toml("[[source]]\nfiles = [\"a\"]\n[[stage]]\nkind = \"shufle\"\n", "p.toml");
    assert!(help.unwrap_err().to_string().contains("did you mean shuffle?"));
    let error = PipelineFile::from_toml("", "p.toml").unwrap_err();
    assert_eq!(error.message(), "the pipeline p.toml has no source");
}

#[test]
fn stages_that_do_not_fit_are_refused_with_their_line() {
    let place = place();
    let source = "[[source]]\nfiles = [\"@/a.jsonl\"]\n";
    for (stages, message) in [
        (
            "[[stage]]\nkind = \"prefetch\"\n[[stage]]\nkind = \"shuffle\"\n",
            "the stage needs elements that are found by number",
        ),
        ("[[stage]]\nkind = \"batch\"\n", "the stage needs the key size"),
        ("[[stage]]\nkind = \"batch\"\nsize = 2\n", "the stage needs features"),
        ("[[stage]]\nkind = \"filter\"\n", "the stage needs conditions"),
        ("[[stage]]\nkind = \"filter\"\nmin_tokens = 2\n", "the elements before the stage have no tokens"),
        ("[[stage]]\nkind = \"tokenize\"\n", "the stage needs the key tokenizer"),
        ("[[stage]]\nkind = \"shard\"\nindex = 2\ncount = 2\n", "there is no shard 2 of 2"),
    ] {
        let last = stages.matches('\n').count()
            - stages.split("[[stage]]").last().unwrap().matches('\n').count()
            + 3;
        let error = pipeline(&place, &format!("{source}{stages}")).open().err().unwrap().to_string();
        assert!(error.starts_with(message), "{stages}: {error}");
        assert!(error.contains(&format!("--> p.toml:{last}:")), "{stages}: {error}");
    }
    let error =
        pipeline(&place, "\n[[source]]\nfiles = [\"@/none.jsonl\"]\n").open().err().unwrap().to_string();
    assert!(error.starts_with("there is no file ") && error.contains("--> p.toml:2:"), "{error}");
}

#[test]
fn a_damaged_record_names_its_stage_and_its_line() {
    let place = place();
    fs::write(place.path("bad.jsonl"), "{\"text\": \"a\"}\nnot json\n").unwrap();
    let file = pipeline(
        &place,
        "[[source]]\nfiles = [\"@/bad.jsonl\"]\nformat = \"jsonl\"\n[[stage]]\nkind = \"json\"\n",
    );
    let error = records(&file.open().unwrap()).find_map(Result::err).unwrap().to_string();
    assert!(error.starts_with("the record is no object of JSON"), "{error}");
    assert!(error.contains("while the stage `json` (p.toml:4) made element 1"), "{error}");
}

#[test]
fn sources_with_stages_of_their_own_are_mixed_by_weight() {
    let place = place();
    let mixed = "[[source]]\nfiles = [\"@/a.jsonl\"]\nweight = 3\n\
        [[source.stage]]\nkind = \"filter\"\nfield = \"lang\"\nequals = [\"en\", \"fr\"]\n\
        [[source.stage]]\nkind = \"json\"\n\
        [[source]]\nfiles = [\"@/b.jsonl\"]\n[[source.stage]]\nkind = \"json\"\n\
        [[stage]]\nkind = \"shard\"\nindex = 1\ncount = 2\n\
        [[stage]]\nkind = \"limit\"\ncount = 6\n";
    let file = pipeline(&place, mixed);
    let whole = mixed
        .replace("count = 2", "count = 1")
        .replace("index = 1", "index = 0")
        .replace("count = 6", "count = 12");
    let whole = pipeline(&place, &whole);
    let all = texts(&whole.open().unwrap());
    assert_eq!((all.len(), all.iter().filter(|t| t.starts_with('b')).count()), (12, 3), "{all:?}");
    let half: Vec<String> = all.iter().skip(1).step_by(2).cloned().collect();
    assert_eq!(texts(&file.open().unwrap()), half);
    let other = mixed.replace("[\"en\", \"fr\"]", "[\"de\"]");
    assert_eq!(
        texts(&pipeline(&place, &other).open().unwrap()).iter().filter(|t| t.starts_with('a')).count(),
        0
    );
    let names: Vec<&str> = file.open().unwrap().stages().iter().map(|stage| stage.name).collect();
    assert_eq!(names, ["source", "filter", "json", "source", "json", "mix", "shard", "read", "limit"]);
    let unlike = mixed.replace("[[source]]\nfiles = [\"@/b.jsonl\"]\n[[source.stage]]\nkind = \"json\"", "[[source]]\nfiles = [\"@/b.jsonl\"]\n[[source.stage]]\nkind = \"tokenize\"\ntokenizer = \"@/tokenizer\"");
    let error = pipeline(&place, &unlike).open().err().unwrap();
    assert_eq!(error.message(), "the sources have elements of different kinds");
}

#[test]
fn chats_become_rows_and_threads_change_nothing() {
    let place = place();
    let file = pipeline(&place, CHATS);
    let take = |threads| -> Vec<Features> {
        features(&file.open_with(threads).unwrap()).take(6).map(Result::unwrap).collect()
    };
    let batches = take(PipelineThreads::AsTold);
    assert_eq!(batches, take(PipelineThreads::None));
    assert_eq!(batches, take(PipelineThreads::Count(3)));
    let types: Vec<String> = batches[0].iter().map(|(name, t)| format!("{name} {}", t.ty())).collect();
    let expected = [
        "learned bool[2,65]",
        "tokens i32[2,65]",
        "tokens_positions i32[2,65]",
        "tokens_segment_ids i32[2,65]",
    ];
    assert_eq!(types, expected);
    let split = CHATS.replace("\"pack\"", "\"concat_then_split\"").replace("bins = 3\n", "");
    let rows: Vec<Features> =
        features(&pipeline(&place, &split).open().unwrap()).take(2).map(Result::unwrap).collect();
    assert_eq!(rows[0].keys().collect::<Vec<_>>(), batches[0].keys().collect::<Vec<_>>());
    // The form of an element behind each stage.
    let (sources, stages) = file.forms().unwrap();
    assert!(sources[0][0].element.as_ref().unwrap().starts_with("{\"prompt\": \"what is 0?\""));
    let kinds: Vec<&str> = stages.iter().map(|form| form.kind).collect();
    assert_eq!(kinds, ["shuffle", "repeat", "chat", "threads", "pack", "batch"]);
    assert!(stages[5].element.as_ref().unwrap().contains("tokens i32[2,65]: "), "{stages:?}");
    assert_eq!(stages[2].at.line(), 8);
}

#[test]
fn texts_are_tokenized_filtered_and_end() {
    let place = place();
    let file = |end: bool| {
        let text = format!(
            "[[source]]\nfiles = [\"@/*.jsonl\"]\nformat = \"jsonl\"\n[[stage]]\nkind = \"json\"\n\
            [[stage]]\nkind = \"tokenize\"\ntokenizer = \"@/tokenizer/tokenizer.json\"\nend = {end}\n\
            [[stage]]\nkind = \"filter\"\nmin_tokens = 5\nmax_tokens = 9\n"
        );
        features(&pipeline(&place, &text).open().unwrap())
            .map(|f| f.unwrap()["tokens"].to_i128_vec())
            .collect::<Vec<_>>()
    };
    // The first elements are those that filters leave.
    let first = "[[source]]\nfiles = [\"@/a.jsonl\"]\n[[stage]]\nkind = \"filter\"\nmin_bytes = 45\n[[stage]]\nkind = \"limit\"\ncount = 7\n";
    assert_eq!(texts(&pipeline(&place, first).open().unwrap()).len(), 7);
    let (with, without) = (file(true), file(false));
    assert!(!with.is_empty() && with.iter().chain(&without).all(|ids| (5..=9).contains(&ids.len())));
    let end = *with[0].last().unwrap();
    assert!(with.iter().all(|ids| *ids.last().unwrap() == end));
    assert!(without.iter().all(|ids| !ids.contains(&end)));
}

#[test]
fn the_keys_of_each_kind_of_stage_are_listed() {
    let help = stage_help();
    for part in [
        "source: Records of files.",
        "pack: Rows of whole texts",
        "  bins = 16",
        "  tokenizer = -",
        "concat_then_split: ",
    ] {
        assert!(help.contains(part), "{part} in {help}");
    }
}

/// A recipe that a pipeline feeds: overrides for [`Place::recipe`].
fn fed(place: &Place, out: &str, more: &[&str]) -> RunStart {
    let text = CHATS.replace('@', &place.dir.path().display().to_string());
    fs::write(place.path("p.toml"), text).unwrap();
    let mut overrides = vec!["model.context=64", "task=sft"];
    overrides.extend(more);
    let mut recipe = place.recipe(out, &overrides);
    recipe.data.paths = Vec::new();
    recipe.data.pipeline = Some(place.path("p.toml").display().to_string());
    RunStart::New(Box::new(recipe))
}

#[test]
fn a_run_that_a_pipeline_feeds_goes_on_with_the_same_bits() {
    let place = place();
    let whole = train(fed(&place, "whole", &[]), &Stop::default(), &mut Console::silent()).unwrap().run;
    let expected = result(&whole);
    assert_eq!(expected.0.len() as u64, STEPS, "a line a step, and no evaluation");
    for step in [1, 4, 7] {
        let outcome = until(fed(&place, &format!("stopped{step}"), &[]), &format!("step {step}/")).0.unwrap();
        assert_eq!(outcome.step, step);
        let outcome = until(resume(&outcome.run, &[]), "never").0.unwrap();
        assert_eq!(result(&outcome.run), expected, "stopped at step {step}");
    }
    // The pipeline is a source of the run: another one is no resumption.
    let outcome = until(fed(&place, "changed", &[]), "step 4/").0.unwrap();
    fs::write(place.path("p.toml"), CHATS.replace("seed = 3", "seed = 4")).unwrap();
    let error = until(resume(&outcome.run, &[]), "never").0.unwrap_err();
    assert!(error.message().contains("p.toml has changed"), "{error}");
}

#[test]
fn a_run_learns_the_answers_of_a_pipeline_and_says_where_there_are_none() {
    let place = place();
    let shown = |start: RunStart| until(start, "never").1;
    let told = "the first batch of the pipeline has no token to learn";
    let text = shown(fed(&place, "learning", &[]));
    assert!(!text.contains(told) && !text.contains("loss 0.0000"), "{text}");
    // Rows that end before the answers begin.
    let RunStart::New(mut recipe) = fed(&place, "cut", &["model.context=4"]) else { panic!("a new run") };
    let cut = CHATS.replace("length = 65", "length = 5\ntruncate = true");
    fs::write(place.path("p.toml"), cut.replace('@', &place.dir.path().display().to_string())).unwrap();
    recipe.steps = 1;
    let text = shown(RunStart::New(recipe));
    assert!(text.contains(told), "{text}");
}

#[test]
fn a_pipeline_of_another_shape_than_the_run_is_refused() {
    let place = place();
    let refused = |start: RunStart| train(start, &Stop::default(), &mut Console::silent()).unwrap_err();
    let error = refused(fed(&place, "short", &["model.context=32"]));
    assert!(
        error.message().ends_with("delivers batches of 2 rows of 65 tokens, but the run needs 2 of 33"),
        "{error}"
    );
    let error = refused(fed(&place, "wide", &["batch=4"]));
    assert!(error.message().ends_with("but the run needs 4 of 65"), "{error}");
    let RunStart::New(mut recipe) = fed(&place, "both", &[]) else { panic!("a new run") };
    recipe.data.paths = vec!["x".to_owned()];
    assert_eq!(refused(RunStart::New(recipe)).message(), "data.pipeline and data.paths are both given");
    assert!(!place.path("short").exists() && !place.path("both").exists());
}

#[test]
fn the_pipelines_that_come_along_can_be_read() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../recipes/pipelines");
    let read = |entry: std::io::Result<fs::DirEntry>| PipelineFile::read(entry.unwrap().path()).unwrap();
    let files: Vec<PipelineFile> = fs::read_dir(folder).unwrap().map(read).collect();
    assert!(!files.is_empty() && files.iter().all(|file| !file.tokenizers().is_empty()));
}
