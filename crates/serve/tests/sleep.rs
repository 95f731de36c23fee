//! Engines that give their memory back.

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

#[test]
fn memory_goes_back_while_an_engine_sleeps() {
    if !is_alone("sleep::memory_goes_back_while_an_engine_sleeps") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let json = json!({"model_type": "llama", "vocab_size": 300, "hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 4,
        "num_attention_heads": 8, "num_key_value_heads": 8, "max_position_embeddings": 4096, "architectures": ["LlamaForCausalLM"]});
    let pretrained = Pretrained::random(json, &Key::new(1)).unwrap();
    pretrained.save(folder.path()).unwrap();
    drop(pretrained);
    let options = EngineOptions { warm: false, sequences: 4, ..EngineOptions::default() };
    let served = Served::load(folder.path(), &LoadOptions::default()).unwrap();
    let engine = Engine::start(served, options).unwrap();
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
        assert!(
            asleep + gone <= awake,
            "{asleep} are in use, {awake} were, {gone} should be back: {sleep:?}"
        );
        assert!(default_device().memory_stats().unwrap().pool < 1 << 20, "{sleep:?}");
        let waits = engine.add(request(1)).unwrap();
        engine.wake().unwrap();
        assert!(engine.asleep().is_none() && !engine.is_paused());
        assert_eq!(bits(&waits.collect().unwrap()[0]), before, "{sleep:?}");
        let mut tokens = first.tokens;
        while let Some(delta) = runs.next() {
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
    while let Some(delta) = stream.next() {
        tokens.extend(delta.tokens);
    }
    assert_eq!(tokens, alone);
    assert!(engine.metrics().accepted_tokens[0] > 0);
}
