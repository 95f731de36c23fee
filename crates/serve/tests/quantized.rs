//! Models whose weights, or keys and values, are in few bits.

use jarrah_array::DType;
use jarrah_array::random::Key;
use jarrah_models::{Pretrained, QuantizeRules};
use jarrah_serve::{Completion, Engine, EngineOptions, EngineRequest, Params, Served};

fn engine(rules: &str, options: EngineOptions) -> Engine {
    let mut json = Pretrained::preset("test-llama").unwrap();
    for (entry, value) in [
        ("vocab_size", 300),
        ("hidden_size", 64),
        ("intermediate_size", 96),
        ("head_dim", 32),
        ("max_position_embeddings", 256),
    ] {
        json[entry] = value.into();
    }
    let mut model = Pretrained::random(json, &Key::new(3)).unwrap().model;
    rules.parse::<QuantizeRules>().unwrap().apply(&mut model).unwrap();
    Engine::start(Served::new("test", model), EngineOptions { warm: false, page: 16, ..options }).unwrap()
}

fn requests() -> Vec<EngineRequest> {
    let params = Params { max_tokens: Some(12), logprobs: Some(3), seed: Some(7), ..Params::default() };
    let prompt =
        |length: u32, seed: u32| (0..length).map(|i| (i * i * 7 + 11 * i + seed * 31) % 260).collect();
    [(1, 0), (7, 1), (40, 2), (90, 3), (90, 3), (21, 4)]
        .map(|(length, seed)| EngineRequest {
            prompt: prompt(length, seed),
            params: params.clone(),
            ..EngineRequest::default()
        })
        .to_vec()
}

/// Tokens, and the bits of their probabilities.
fn bits(whole: &Completion) -> (Vec<u32>, Vec<u32>) {
    let told = whole.logprobs.iter().map(|told| told.chosen.logprob.to_bits());
    (whole.tokens.clone(), told.collect())
}

fn alone(rules: &str, options: &EngineOptions) -> Vec<(Vec<u32>, Vec<u32>)> {
    let one = |request: EngineRequest| {
        bits(&engine(rules, options.clone()).add(request).unwrap().collect().unwrap().remove(0))
    };
    requests().into_iter().map(one).collect()
}

fn together(engine: &Engine) -> Vec<(Vec<u32>, Vec<u32>)> {
    let streams: Vec<_> = requests().into_iter().map(|request| engine.add(request).unwrap()).collect();
    streams.into_iter().map(|stream| bits(&stream.collect().unwrap()[0])).collect()
}

/// Whatever weights, keys and values are held in, an answer has the same bits alone and among others, however its prompt is cut and whatever is cached.
#[test]
fn answers_in_few_bits_have_the_same_bits_alone_and_together() {
    for (rules, cache) in [
        ("int4:16", None),
        ("int8, head=int8", None),
        ("w8a8, head=w8a8", None),
        ("uint4:16, blocks.*.mlp.down=nf4:16", None),
        ("fp8", Some(DType::F8E4M3FN)),
        ("mxfp4, blocks.*.mlp.down=mxfp4", Some(DType::I8)),
        ("int8", Some(DType::F8E5M2)),
    ] {
        let own = EngineOptions { cache_dtype: cache, ..EngineOptions::default() };
        let wanted = alone(rules, &own);
        for options in [
            EngineOptions { sequences: 8, tokens_per_step: 64, ..own.clone() },
            EngineOptions { sequences: 8, tokens_per_step: 8, ..own.clone() },
            EngineOptions { sequences: 4, tokens_per_step: 16, prefix_caching: false, ..own.clone() },
        ] {
            let engine = engine(rules, options.clone());
            assert_eq!(together(&engine), wanted, "{rules}, {options:?}");
        }
    }
}

/// Keys and values of 8 bits take about half the room of those of 16, and what is computed with them is near.
#[test]
fn keys_and_values_of_eight_bits_take_less_room() {
    let room = |dtype: DType| {
        engine("int8", EngineOptions { cache_dtype: Some(dtype), ..EngineOptions::default() }).memory()
    };
    let (half, eight) = (room(DType::BF16), room(DType::F8E4M3FN));
    assert_eq!(half.cache_tokens, eight.cache_tokens);
    // Of 32 bytes and a scale of four to 64 bytes.
    assert_eq!(eight.cache * 64, half.cache * 36);
    let first = |dtype: DType| {
        let options = EngineOptions { cache_dtype: Some(dtype), ..EngineOptions::default() };
        let whole = engine("int8", options).add(requests().remove(3)).unwrap().collect().unwrap().remove(0);
        whole.logprobs[0].chosen.logprob
    };
    let exact = first(DType::F32);
    for dtype in [DType::F8E4M3FN, DType::F8E5M2, DType::I8] {
        assert!((first(dtype) - exact).abs() < 0.1, "{dtype}: {} for {exact}", first(dtype));
    }
}
