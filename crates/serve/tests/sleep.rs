//! Engines that give their memory back.

use std::time::{Duration, Instant};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, default_device};
use jarrah_base::ErrorKind;
use jarrah_models::Pretrained;
use jarrah_serve::{Drafts, Engine, EngineOptions, EngineRequest, LoadOptions, Params, Served, Sleep};
use serde_json::json;

use crate::engine::{bits, is_alone, one, prompt};

/// The bytes that the device has in use.
fn in_use() -> usize {
    default_device().memory_stats().unwrap().in_use
}

fn request(seed: u32) -> EngineRequest {
    let params = Params {
        max_tokens: Some(40),
        ignore_eos: true,
        logprobs: Some(3),
        seed: Some(2),
        ..Params::default()
    };
    EngineRequest { prompt: prompt(100, seed), params, ..EngineRequest::default() }
}

/// An engine whose weights take 40 MiB, from a folder that is made for it.
fn large(folder: &std::path::Path, warm: bool) -> Engine {
    let json = json!({"model_type": "llama", "vocab_size": 300, "hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 4,
        "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 4096, "architectures": ["LlamaForCausalLM"]});
    let pretrained = Pretrained::random(json, &Key::new(1)).unwrap();
    pretrained.save(folder).unwrap();
    drop(pretrained);
    let options = EngineOptions { warm, sequences: 4, tokens_per_step: 64, ..EngineOptions::default() };
    Engine::start(Served::load(folder, &LoadOptions::default()).unwrap(), options).unwrap()
}

#[test]
fn memory_that_the_start_has_used_goes_back_once() {
    if !is_alone("sleep::memory_that_the_start_has_used_goes_back_once") {
        return;
    }
    let pool = || default_device().memory_stats().unwrap().pool;
    for warm in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let engine = large(folder.path(), warm);
        assert!(pool() > 8 << 20, "{}", pool());
        if !warm {
            one(&engine, request(1));
        }
        let begun = Instant::now();
        while pool() > 1 << 20 {
            assert!(begun.elapsed() < Duration::from_secs(60), "{} are kept", pool());
            std::thread::sleep(Duration::from_millis(10));
        }
        // What steps use they use again.
        one(&engine, request(1));
        std::thread::sleep(Duration::from_millis(100));
        assert!(pool() > 0);
    }
}

#[test]
fn memory_goes_back_while_an_engine_sleeps() {
    if !is_alone("sleep::memory_goes_back_while_an_engine_sleeps") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let engine = large(folder.path(), false);
    let memory = engine.memory();
    let before = bits(&one(&engine, request(1)));
    assert!(memory.cache > 100 << 20 && memory.weights > 40 << 20, "{memory:?}");
    let awake = in_use();
    for (sleep, gone) in
        [(Sleep::Pages, memory.cache), (Sleep::Weights, memory.cache + memory.weights * 9 / 10)]
    {
        // One that runs goes on behind the sleep, and one that comes meanwhile waits.
        let mut runs = engine.add(request(2)).unwrap();
        let first = runs.next().unwrap();
        engine.sleep(sleep).unwrap();
        assert_eq!(engine.asleep(), Some(sleep));
        let asleep = in_use();
        // But for what a step leaves.
        assert!(
            asleep + gone <= awake + (64 << 10),
            "{asleep} are in use, {awake} were, {gone} should be back: {sleep:?}"
        );
        assert!(default_device().memory_stats().unwrap().pool < 1 << 20, "{sleep:?}");
        let waits = engine.add(request(1)).unwrap();
        engine.wake().unwrap();
        assert!(engine.asleep().is_none() && !engine.is_paused());
        assert_eq!(bits(&waits.collect().unwrap()[0]), before, "{sleep:?}");
        let mut tokens = first.tokens;
        for delta in runs {
            tokens.extend(delta.tokens);
        }
        assert_eq!(tokens, one(&engine, request(2)).tokens, "{sleep:?}");
    }
    // Where the folder has gone it sleeps on, and wakes up with other weights.
    engine.sleep(Sleep::Weights).unwrap();
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    assert_eq!(engine.wake().unwrap_err().kind(), ErrorKind::Input);
    assert_eq!(engine.asleep(), Some(Sleep::Weights));
    let json = serde_json::from_slice(&std::fs::read(folder.path().join("config.json")).unwrap()).unwrap();
    let other = Pretrained::random(json, &Key::new(1)).unwrap().model;
    engine.set_weights(other.map_leaves(|x: &Array| x.astype(DType::F32))).unwrap();
    engine.wake().unwrap();
    assert_eq!(bits(&one(&engine, request(1))), before);
    // They come from no folder now.
    assert_eq!(engine.sleep(Sleep::Weights).unwrap_err().kind(), ErrorKind::Input);
    assert!(engine.asleep().is_none() && !engine.is_paused());
}

/// A folder with a model of these random numbers.
fn save(folder: &std::path::Path, seed: u64) {
    let json = Pretrained::preset("test-llama").unwrap();
    Pretrained::random(json, &Key::new(seed)).unwrap().save(folder).unwrap();
}

fn folder_engine(folder: &std::path::Path) -> Engine {
    let options = EngineOptions { warm: false, sequences: 4, page: 16, ..EngineOptions::default() };
    Engine::start(Served::load(folder, &LoadOptions::default()).unwrap(), options).unwrap()
}

fn short() -> EngineRequest {
    let params = Params { max_tokens: Some(8), logprobs: Some(3), ..Params::greedy() };
    EngineRequest { prompt: vec![1, 2, 3], params, ..EngineRequest::default() }
}

#[test]
fn an_engine_wakes_up_with_the_weights_that_slept_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), 1);
    let engine = folder_engine(folder.path());
    let before = bits(&one(&engine, short()));
    engine.sleep(Sleep::Weights).unwrap();
    save(folder.path(), 2);
    // What sleeps already sleeps on as it is.
    engine.sleep(Sleep::Weights).unwrap();
    let error = engine.wake().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().ends_with("has other weights than the engine fell asleep with"), "{error}");
    assert_eq!(engine.asleep(), Some(Sleep::Weights));
    save(folder.path(), 1);
    engine.wake().unwrap();
    assert_eq!(bits(&one(&engine, short())), before);
    // The others are taken where somebody says so.
    engine.sleep(Sleep::Weights).unwrap();
    save(folder.path(), 2);
    engine.load_weights(folder.path(), &LoadOptions::default()).unwrap();
    engine.wake().unwrap();
    assert_ne!(bits(&one(&engine, short())), before);
}

#[test]
fn who_wakes_it_up_beside_who_lets_it_sleep_takes_no_weights_from_a_step() {
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), 1);
    let engine = folder_engine(folder.path());
    let before = bits(&one(&engine, short()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..30).for_each(|_| engine.sleep(Sleep::Weights).unwrap()));
            scope.spawn(|| (0..30).for_each(|_| engine.wake().unwrap()));
        }
        let answers: Vec<_> = (0..60).map(|_| engine.add(short()).unwrap()).collect();
        scope.spawn(|| {
            for answer in answers {
                assert_eq!(bits(&answer.collect().unwrap()[0]), before);
            }
        });
        // The last to come may have let it sleep.
        while engine.metrics().waiting + engine.metrics().running > 0 {
            engine.wake().unwrap();
        }
    });
}

#[test]
fn drafts_go_on_behind_sleep() {
    let model = crate::engine::model(DType::F32);
    let drafts = || Drafts::Model { model: Box::new(crate::engine::model(DType::F32)), tokens: 3 };
    let options = EngineOptions { warm: false, sequences: 4, page: 16, ..EngineOptions::default() };
    let engine = Engine::start(Served::new("test", model.clone()), options.clone()).unwrap();
    let alone = one(&engine, request(1)).tokens;
    let engine =
        Engine::start(Served::new("test", model), EngineOptions { drafts: Some(drafts()), ..options })
            .unwrap();
    let mut stream = engine.add(request(1)).unwrap();
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.extend(stream.next().unwrap().tokens);
        engine.sleep(Sleep::Pages).unwrap();
        engine.wake().unwrap();
    }
    for delta in stream {
        tokens.extend(delta.tokens);
    }
    assert_eq!(tokens, alone);
    assert!(engine.metrics().accepted_tokens[0] > 0);
}
