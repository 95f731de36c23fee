//! The likeliest tokens of every family against transformers: see `oracle/hf_greedy.py`.

use std::path::Path;

use jarrah_array::DType;
use jarrah_formats::Tensors;
use jarrah_serve::{Engine, EngineOptions, EngineRequest, LoadOptions, Params, Served};

/// A prompt, the tokens behind it, and how many of them are certain.
type Case = (Vec<u32>, Vec<u32>, usize);

fn numbers(file: &Tensors, name: &str) -> Vec<i32> {
    file.get(name).unwrap().literal().unwrap().as_slice::<i32>().unwrap().to_vec()
}

fn cases(file: &Tensors, family: &str) -> Vec<Case> {
    let (prompts, lengths) = (numbers(file, "prompts"), numbers(file, &format!("{family}.lengths")));
    let tokens = numbers(file, &format!("{family}.tokens"));
    let certain = numbers(file, &format!("{family}.certain"));
    let (longest, new) = (prompts.len() / lengths.len(), tokens.len() / lengths.len());
    let ids = |all: &[i32]| all.iter().map(|&id| id as u32).collect::<Vec<u32>>();
    let case = |(i, &length): (usize, &i32)| {
        let prompt = ids(&prompts[i * longest..][..length as usize]);
        (prompt, ids(&tokens[i * new..][..new]), certain[i] as usize)
    };
    lengths.iter().enumerate().map(case).collect()
}

fn check(name: &str, engine: &Engine, cases: &[Case]) {
    let request = |(prompt, _, certain): &Case| EngineRequest {
        prompt: prompt.clone(),
        params: Params { max_tokens: Some(*certain), ignore_eos: true, ..Params::greedy() },
        ..EngineRequest::default()
    };
    let cases: Vec<&Case> = cases.iter().filter(|(.., certain)| *certain > 0).collect();
    let requests: Vec<EngineRequest> = cases.iter().copied().map(request).collect();
    let answers = engine.generate(&requests).unwrap();
    for ((prompt, tokens, certain), found) in cases.iter().zip(answers) {
        assert_eq!(found[0].tokens, tokens[..*certain], "{name} behind {prompt:?}");
    }
}

#[test]
fn the_likeliest_tokens_of_every_family_are_those_of_transformers() {
    let file = Tensors::open(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/greedy.safetensors")).unwrap();
    let families = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families");
    let mut found = 0;
    for folder in std::fs::read_dir(families).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        found += 1;
        let cases = cases(&file, name);
        let certain: usize = cases.iter().map(|(.., certain)| certain).sum();
        assert!(certain >= cases.len() * 5, "{name}: {certain} are certain");
        // In the dtype of the files, which may be several.
        let served = Served::load(&folder, &LoadOptions::default()).unwrap();
        if served.model.embed.table.dtype() != DType::F32 {
            let own = EngineOptions { warm: false, ..EngineOptions::default() };
            let params = Params { max_tokens: Some(2), ignore_eos: true, ..Params::greedy() };
            let asked = EngineRequest { prompt: vec![1, 2], params, ..EngineRequest::default() };
            let answers = Engine::start(served, own).unwrap().generate(&[asked]).unwrap();
            assert_eq!(answers[0][0].tokens.len(), 2, "{name}");
        }
        let start = |options: EngineOptions| {
            let load = LoadOptions { dtype: Some(DType::F32), ..LoadOptions::default() };
            let options = EngineOptions { warm: false, sequences: 32, page: 8, ..options };
            Engine::start(Served::load(&folder, &load).unwrap(), options).unwrap()
        };
        // Prompts in chunks, some of them found in the cache of those that come first; then all of them found there.
        let engine = start(EngineOptions { tokens_per_step: 32, ..EngineOptions::default() });
        check(name, &engine, &cases);
        check(name, &engine, &cases);
        // Where prompts fill pages.
        assert!(engine.metrics().prefix_hits > 0 || engine.max_length() < 16, "{name}");
        // One by one, in one piece, not found in the cache.
        let engine = start(EngineOptions {
            tokens_per_step: 64,
            prefix_caching: false,
            sequences: 1,
            ..EngineOptions::default()
        });
        for case in &cases[..3] {
            check(name, &engine, std::slice::from_ref(case));
        }
    }
    // Three tensors of each, and the prompts.
    assert_eq!(file.iter().count(), 3 * found + 1);
}

/// Files that name no token as the end of texts are refused, not served without an end.
#[test]
fn ends_are_tokens() {
    let family = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/llama");
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(family).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    let load = |ends: &str| {
        let generation = format!("{{\"eos_token_id\": {ends}}}");
        std::fs::write(copy.path().join("generation_config.json"), generation).unwrap();
        Served::load(copy.path(), &LoadOptions::default())
    };
    for (ends, read) in [("[3, 5]", vec![3, 5]), ("4", vec![4]), ("-1", vec![])] {
        assert_eq!(load(ends).unwrap().ends, read, "{ends}");
    }
    for ends in ["\"</s>\"", "[3, \"a\"]", "{}", "2.5", "true"] {
        let error = load(ends).err().expect("a model without an end").to_string();
        assert!(error.starts_with("`eos_token_id` in generation_config.json is "), "{ends}: {error}");
    }
}
