//! Models some of whose layers see a window: what these hold, and what they find.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, default_device, jit};
use jarrah_models::{Decoder, Pretrained};
use jarrah_nn::{Context, Module};
use jarrah_serve::{Drafts, Engine, EngineOptions, EngineRequest, Params, Served, Stream, logprobs};
use serde_json::{Value, json};

use crate::engine::{bits, is_alone, one, prompt};

/// Six layers like Gemma 3's: five see a window, and one all.
pub fn gemma3(window: usize, context: usize) -> Value {
    json!({"model_type": "gemma3_text", "vocab_size": 300, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 6,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "query_pre_attn_scalar": 8, "sliding_window": window,
        "max_position_embeddings": context})
}

/// Eight layers like Gemma 4's, of which three borrow keys and values; what sees all has wider heads, and `groups` of them.
fn gemma4(groups: usize) -> Value {
    json!({"model_type": "gemma4_text", "vocab_size": 300, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 8,
        "num_attention_heads": 4, "num_key_value_heads": 2, "num_global_key_value_heads": groups, "attention_k_eq_v": groups < 2,
        "head_dim": 8, "global_head_dim": 16, "sliding_window": 20, "max_position_embeddings": 256,
        "hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": 300, "num_kv_shared_layers": 3,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
            "sliding_attention", "sliding_attention", "full_attention"]})
}

/// Four layers like Llama 4's: three see chunks, and one all.
fn llama4(chunk: usize, context: usize) -> Value {
    json!({"model_type": "llama4_text", "vocab_size": 300, "hidden_size": 32, "intermediate_size": 48, "intermediate_size_mlp": 48,
        "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "attention_chunk_size": chunk,
        "num_local_experts": 2, "num_experts_per_tok": 1, "moe_layers": [1], "max_position_embeddings": context})
}

/// Weights large enough to prefer some tokens clearly.
pub fn model_of(json: &Value) -> Decoder {
    Pretrained::random(json.clone(), &Key::new(3)).unwrap().model.map_leaves(|w: &Array| w * 4.0)
}

fn options() -> EngineOptions {
    EngineOptions { warm: false, sequences: 8, tokens_per_step: 64, page: 16, ..EngineOptions::default() }
}

fn requests() -> Vec<EngineRequest> {
    let request = |(length, seed, most): (usize, u32, usize)| EngineRequest {
        prompt: prompt(length, seed),
        params: Params { max_tokens: Some(most), logprobs: Some(4), seed: Some(1), ..Params::default() },
        ..EngineRequest::default()
    };
    let mut all: Vec<EngineRequest> =
        [(1, 0, 60), (17, 1, 10), (150, 2, 30), (90, 3, 40), (200, 4, 20)].into_iter().map(request).collect();
    // One that goes on from another, and one that leaves it early.
    let mut longer = all[4].clone();
    longer.prompt.extend(prompt(12, 9));
    all.push(longer);
    let mut other = all[2].clone();
    other.prompt.truncate(70);
    other.prompt.extend(prompt(60, 8));
    all.push(other);
    all
}

#[test]
fn layers_with_windows_change_no_bit_at_any_load() {
    let mistral = json!({"model_type": "mistral", "vocab_size": 300, "hidden_size": 32, "intermediate_size": 48,
        "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "sliding_window": 33,
        "max_position_embeddings": 256});
    let mut heads = gemma3(20, 256);
    // Modules of random weights say nothing right.
    heads["num_nextn_predict_layers"] = 2.into();
    for json in [gemma3(20, 256), gemma4(2), gemma4(1), mistral, llama4(24, 256), heads.clone()] {
        let model = model_of(&json);
        let start = |options| Engine::start(Served::new("test", model.clone()), options).unwrap();
        let forward = {
            let model = model.clone();
            jit(move |tokens: &Array| model.call(tokens, &mut Context::eval()).astype(DType::F32))
        };
        let mut alone = Vec::new();
        for request in requests() {
            let whole = one(&start(options()), request.clone());
            let tokens: Vec<u32> = request.prompt.iter().chain(&whole.tokens).copied().collect();
            let ids: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
            let logits = forward.call(Array::new(&ids, &[1, ids.len()])).unwrap().to_vec::<f32>().unwrap();
            for (at, told) in (request.prompt.len() - 1..).zip(&whole.logprobs) {
                assert_eq!(*told, logprobs(&logits[at * 300..][..300], tokens[at + 1], 4), "{json} at {at}");
            }
            alone.push(bits(&whole));
        }
        let draft = match () {
            () if json == heads => Drafts::Heads { tokens: 3 },
            // Of a model with many layers the first one, whose keys and values take so little that windows give back pages.
            () if json["model_type"] == "gemma3_text" => {
                let mut first = model.clone();
                first.blocks.truncate(1);
                Drafts::Model { model: Box::new(first), tokens: 3 }
            }
            () => Drafts::Model { model: Box::new(model.clone()), tokens: 3 },
        };
        let cases = [
            ("together", options()),
            ("small chunks", EngineOptions { tokens_per_step: 8, ..options() }),
            ("large steps", EngineOptions { tokens_per_step: 512, sequences: 16, page: 64, ..options() }),
            ("no cache of prefixes", EngineOptions { prefix_caching: false, ..options() }),
            ("drafts", EngineOptions { drafts: Some(draft), ..options() }),
            (
                "few pages",
                EngineOptions { cache_bytes: Some(start(options()).memory().cache / 5), ..options() },
            ),
        ];
        for (name, options) in cases {
            let engine = start(options);
            let streams: Vec<Stream> =
                (0..2).flat_map(|_| requests()).map(|request| engine.add(request).unwrap()).collect();
            for (i, stream) in streams.into_iter().enumerate() {
                let whole = stream.collect().unwrap().remove(0);
                assert_eq!(bits(&whole), alone[i % alone.len()], "{json}, {name}: request {i}");
            }
            let metrics = engine.metrics();
            assert_eq!(metrics.preemptions > 0, name == "few pages", "{name}: {metrics:?}");
            assert_eq!(metrics.prefix_hits > 0, name != "no cache of prefixes", "{name}: {metrics:?}");
            assert_eq!((metrics.cache_usage, metrics.running, metrics.waiting), (0.0, 0, 0));
            let accepted: u64 = metrics.accepted_tokens.iter().sum();
            assert!(name != "drafts" || json == heads || accepted > 0, "{json}: {metrics:?}");
        }
    }
}

/// A model of one layer with the tokens of `model`.
fn small(model: &Decoder) -> Decoder {
    model_of(
        &json!({"model_type": "llama", "vocab_size": 300, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 1,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": model.context}),
    )
}

/// The bytes of keys and values that a text of 4,096 tokens holds.
fn held(json: &Value, drafts: Option<Drafts>) -> usize {
    let model = model_of(json);
    let options = EngineOptions { tokens_per_step: 512, page: 64, sequences: 4, drafts, ..options() };
    let engine = Engine::start(Served::new("test", model), options).unwrap();
    // So many that the text has not ended when the engine pauses, and on one more page.
    let params = Params { max_tokens: Some(60), ignore_eos: true, ..Params::greedy() };
    let mut stream =
        engine.add(EngineRequest { prompt: prompt(4096, 1), params, ..EngineRequest::default() }).unwrap();
    stream.next().unwrap();
    engine.pause();
    let metrics = engine.metrics();
    assert_eq!(metrics.running, 1);
    let bytes = metrics.cache_usage * engine.memory().cache as f64;
    drop(stream);
    engine.resume();
    bytes.round() as usize
}

#[test]
fn layers_with_windows_hold_the_pages_of_their_windows() {
    // Keys and values of a layer on a page: 64 tokens of two heads of eight numbers.
    const PAGE: usize = 2 * 64 * 2 * 8 * 4;
    // All 65 pages of the last layer, and of each of the others those of 512 tokens, which begin within a page.
    assert_eq!(held(&gemma3(512, 8192), None), (65 + 5 * 9) * PAGE);
    assert_eq!(held(&llama4(512, 8192), None), (65 + 3 * 9) * PAGE);
    // Windows that no text leaves hold everything.
    assert_eq!(held(&gemma3(8192, 8192), None), 6 * 65 * PAGE);
    assert_eq!(held(&llama4(8192, 8192), None), 4 * 65 * PAGE);
    // Drafts need a page beside each page.
    let draft = |json: &Value| Some(Drafts::Model { model: Box::new(small(&model_of(json))), tokens: 3 });
    let windows = gemma3(512, 8192);
    assert_eq!(held(&windows, draft(&windows)), (65 + 5 * 9) * 2 * PAGE);
    let mut heads = windows.clone();
    heads["num_nextn_predict_layers"] = 1.into();
    assert_eq!(held(&heads, Some(Drafts::Heads { tokens: 2 })), (65 + 5 * 9) * 2 * PAGE);
    // Where windows are almost as long as texts, pages that nobody gives back are cheaper.
    let long = gemma3(7000, 8192);
    assert_eq!(held(&long, draft(&long)), 65 * (6 + 1) * PAGE);
}

#[test]
fn memory_that_layers_share_is_written_in_place() {
    if !is_alone("windows::memory_that_layers_share_is_written_in_place") {
        return;
    }
    let four = |groups| {
        let mut json = gemma4(groups);
        json["max_position_embeddings"] = 8192.into();
        json
    };
    for json in [gemma3(64, 8192), four(2), four(1)] {
        let options = EngineOptions {
            warm: false,
            sequences: 256,
            cache_bytes: Some(128 << 20),
            ..EngineOptions::default()
        };
        let engine = Engine::start(Served::new("test", model_of(&json)), options).unwrap();
        let cache = engine.memory().cache;
        assert!(cache > 100 << 20, "{json}: {cache}");
        let before = default_device().memory_stats().unwrap().in_use;
        let params = Params { max_tokens: Some(3), ignore_eos: true, ..Params::greedy() };
        let asked = EngineRequest { prompt: prompt(200, 1), params, ..EngineRequest::default() };
        assert_eq!(one(&engine, asked).tokens.len(), 3);
        let peak = default_device().memory_stats().unwrap().peak;
        // Every memory has keys and values, of which none is copied.
        assert!(peak < before + cache / 8, "{json}: {peak} at most, {before} before");
    }
}
