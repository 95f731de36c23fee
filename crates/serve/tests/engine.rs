//! Requests through an engine, alone and together.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Prepared, TreeExt, jit};
use jarrah_models::{Decoder, DecoderConfig, Pretrained};
use jarrah_nn::{Context, Module};
use jarrah_serve::{
    BeamParams, Completion, Drafts, Engine, EngineOptions, EngineRequest, Finish, LogitsProcessor, Lookup,
    Params, Pooling, Reasoning, Repetition, Served, Stream, TokenLogprobs, logprobs,
};
use jarrah_structured::{Beginning, Constraint, ReasoningFormat};
use jarrah_tokenizer::{Tokenizer, TrainOptions, train};

pub fn tokenizer() -> Tokenizer {
    train(&["the quick brown fox jumps over the lazy dog, and the dog sleeps"], &TrainOptions::new(280))
        .unwrap()
}

/// A model with weights large enough to prefer some tokens clearly.
pub fn model(dtype: DType) -> Decoder {
    let config =
        DecoderConfig { vocabulary: 300, context: 256, ..DecoderConfig::named("test-llama").unwrap() };
    Decoder::new(&config, &Key::new(3)).map_leaves(|w: &Array| (w * 6.0).astype(dtype))
}

/// Whether this process runs the test of this name alone, as others take memory too; otherwise one that does has passed it.
pub fn is_alone(name: &str) -> bool {
    const ALONE: &str = "JARRAH_TEST_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    let out = alone.args([name, "--exact", "--nocapture"]).env(ALONE, "1").output().unwrap();
    let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
    false
}

/// A smaller one of the same tokens.
fn other() -> Decoder {
    let mut config =
        DecoderConfig { vocabulary: 300, context: 256, ..DecoderConfig::named("test-llama").unwrap() };
    config.layers.truncate(1);
    Decoder::new(&config, &Key::new(4))
}

fn options() -> EngineOptions {
    EngineOptions { warm: false, sequences: 8, tokens_per_step: 64, page: 16, ..EngineOptions::default() }
}

fn from_text() -> Drafts {
    Drafts::Lookup(Lookup { shortest: 1, ..Lookup::default() })
}

fn by_model(model: Decoder) -> Option<Drafts> {
    Some(Drafts::Model { model: Box::new(model), tokens: 4 })
}

fn engine(options: EngineOptions) -> Engine {
    Engine::start(Served::with_tokenizer("test", model(DType::F32), tokenizer()), options).unwrap()
}

/// Every bit but of what was found in caches.
pub fn bits(whole: &Completion) -> String {
    let bits = |told: &TokenLogprobs| -> Vec<(u32, u32, usize)> {
        let all = std::iter::once(&told.chosen).chain(&told.top);
        all.map(|p| (p.token, p.logprob.to_bits(), p.rank)).collect()
    };
    let told: Vec<_> = whole.logprobs.iter().map(bits).collect();
    let prompt = whole.prompt_logprobs.as_ref();
    let prompt: Option<Vec<_>> = prompt.map(|all| all.iter().map(|told| told.as_ref().map(bits)).collect());
    format!("{:?} {:?} {told:?} {prompt:?} {:?}", whole.text, whole.tokens, whole.finish)
}

pub fn one(engine: &Engine, request: EngineRequest) -> Completion {
    engine.add(request).unwrap().collect().unwrap().remove(0)
}

pub fn prompt(length: usize, seed: u32) -> Vec<u32> {
    (0..length as u32).map(|i| (i * i * 7 + 11 * i + seed * 31) % 260).collect()
}

fn request(length: usize, seed: u32, params: Params) -> EngineRequest {
    EngineRequest { prompt: prompt(length, seed), params, ..EngineRequest::default() }
}

/// Prompts of many lengths, with what else a request may ask for.
fn requests() -> Vec<EngineRequest> {
    let base = |most: usize| Params {
        max_tokens: Some(most),
        logprobs: Some(5),
        seed: Some(7),
        ..Params::default()
    };
    let mut all = vec![
        request(1, 0, base(40)),
        request(5, 1, Params { temperature: 0.0, ..base(60) }),
        request(17, 2, Params { prompt_logprobs: Some(3), ..base(5) }),
        request(64, 3, Params { top_k: 20, ..base(30) }),
        request(150, 4, Params { prompt_logprobs: Some(0), top_p: 0.8, ..base(12) }),
        request(200, 5, Params { temperature: 0.0, ..base(20) }),
        // The same prompt again, and one that goes on from it: both find pages of others.
        request(200, 5, Params { temperature: 1.3, min_p: 0.01, ..base(20) }),
        request(
            40,
            6,
            Params { repetition_penalty: 1.2, presence_penalty: 0.5, frequency_penalty: 0.1, ..base(30) },
        ),
        request(33, 7, Params { logit_bias: vec![(3, 4.0), (9, -100.0)], ..base(25) }),
        request(3, 8, Params { allowed_tokens: Some((20..40).collect()), ..base(25) }),
        request(12, 9, Params { min_tokens: 20, stop_tokens: (0..150).collect(), ..base(30) }),
    ];
    let mut longer = all[5].clone();
    longer.prompt.extend(prompt(20, 77));
    all.push(longer);
    all
}

#[test]
fn sequences_are_as_long_as_the_model_was_made_for_or_as_memory_has_room_for() {
    const CONTEXT: usize = 1 << 24;
    let mut json = Pretrained::preset("test-llama").unwrap();
    for (name, value) in [
        ("max_position_embeddings", CONTEXT),
        ("num_attention_heads", 64),
        ("num_key_value_heads", 64),
        ("head_dim", 256),
    ] {
        json[name] = value.into();
    }
    let model = Pretrained::random(json, &Key::new(0)).unwrap().model;
    let start = |cache_bytes, max_length| {
        Engine::start(
            Served::new("wide", model.clone()),
            EngineOptions { cache_bytes, max_length, ..options() },
        )
    };
    // Keys and values of a token: 2 layers of 64 heads with 256 numbers each.
    let token = 2 * 2 * 64 * 256 * 4;
    let engine = start(Some(100 << 20), None).unwrap();
    assert_eq!((engine.max_length(), engine.context()), (400, CONTEXT));
    let params = Params { max_tokens: Some(3), ignore_eos: true, ..Params::greedy() };
    let whole = one(&engine, EngineRequest { prompt: vec![1, 2], params, ..EngineRequest::default() });
    assert_eq!(whole.tokens.len(), 3);
    let (engine, before) = (start(None, None).unwrap(), jarrah_base::memory::available());
    let length = engine.max_length();
    assert!((2048..CONTEXT).contains(&length) && length * token == engine.memory().cache, "{length}");
    assert!(length == 2048 || length * token <= before / 4, "{length}");
    // A length that is asked for is taken, or refused.
    let error = start(None, Some(CONTEXT)).err().unwrap();
    assert!(error.message().starts_with("keys and values takes ") && error.advice().is_some(), "{error}");
    let error = start(Some(100 << 20), Some(401)).err().unwrap();
    assert!(error.message().starts_with("a sequence of 401 tokens needs "), "{error}");
}

#[test]
fn numbers_that_no_engine_can_have_are_refused() {
    for (name, wrong) in [
        ("sequences", EngineOptions { sequences: 0, ..options() }),
        ("sequences", EngineOptions { sequences: usize::MAX, ..options() }),
        ("tokens_per_step", EngineOptions { tokens_per_step: 1 << 40, ..options() }),
        ("page", EngineOptions { page: usize::MAX / 2, ..options() }),
        ("adapters", EngineOptions { adapters: usize::MAX, ..options() }),
        ("adapter_rank", EngineOptions { adapters: 1, adapter_rank: usize::MAX, ..options() }),
    ] {
        let error = Engine::start(Served::new("test", other()), wrong).err().expect("no such engine");
        assert!(error.message().starts_with(&format!("{name} is ")), "{error}");
    }
}

#[test]
fn answers_have_the_same_bits_alone_and_together_however_prompts_are_cut_and_whatever_is_cached() {
    let alone: Vec<String> =
        requests().into_iter().map(|request| bits(&one(&engine(options()), request))).collect();
    let cases = [
        ("together", options()),
        ("small chunks", EngineOptions { tokens_per_step: 8, ..options() }),
        ("large steps", EngineOptions { tokens_per_step: 512, sequences: 16, page: 64, ..options() }),
        ("no cache of prefixes", EngineOptions { prefix_caching: false, ..options() }),
        ("drafts from the text", EngineOptions { drafts: Some(from_text()), ..options() }),
        ("drafts by another model", EngineOptions { drafts: by_model(other()), ..options() }),
        (
            "drafts by the model, in small steps",
            EngineOptions { drafts: by_model(model(DType::F32)), tokens_per_step: 8, ..options() },
        ),
        // Room for little more than the longest: answers give back their pages for others.
        (
            "few pages",
            EngineOptions { cache_bytes: Some(engine(options()).memory().cache / 6), page: 16, ..options() },
        ),
    ];
    for (name, options) in cases {
        let engine = engine(options);
        let streams: Vec<Stream> = (0..2)
            .flat_map(|_| requests())
            .enumerate()
            .map(|(i, request)| engine.add(EngineRequest { priority: (i % 3) as i32, ..request }).unwrap())
            .collect();
        for (i, stream) in streams.into_iter().enumerate() {
            let whole = stream.collect().unwrap().remove(0);
            assert_eq!(bits(&whole), alone[i % alone.len()], "{name}: request {i}");
        }
        let metrics = engine.metrics();
        if name == "drafts from the text" {
            assert!(metrics.drafted_tokens > metrics.accepted_tokens.iter().sum::<u64>(), "{metrics:?}");
            assert!(metrics.accepted_tokens[0] > 0, "{metrics:?}");
        }
        if name == "few pages" {
            assert!(metrics.preemptions > 0, "{metrics:?}");
        }
        assert_eq!(metrics.prefix_hits > 0, name != "no cache of prefixes", "{name}: {metrics:?}");
        // No page is held by nobody.
        assert_eq!((metrics.cache_usage, metrics.running, metrics.waiting), (0.0, 0, 0));
    }
}

/// The probabilities of a prompt and of an answer are those of the training form of the model, bit for bit.
#[test]
fn probabilities_are_those_of_the_training_form() {
    for dtype in [DType::F32, DType::BF16] {
        let model = model(dtype);
        let engine = Engine::start(Served::new("test", model.clone()), options()).unwrap();
        let params = Params {
            max_tokens: Some(40),
            logprobs: Some(4),
            prompt_logprobs: Some(4),
            seed: Some(1),
            ..Params::default()
        };
        let asked = request(90, 3, params);
        let whole = one(&engine, asked.clone());
        let mut tokens = asked.prompt.clone();
        tokens.extend(&whole.tokens);
        let ids: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
        let forward = jit(move |tokens: &Array| model.call(tokens, &mut Context::eval()).astype(DType::F32));
        let logits = forward.call(Array::new(&ids, &[1, ids.len()])).unwrap().to_vec::<f32>().unwrap();
        let expected = |at: usize| logprobs(&logits[at * 300..][..300], tokens[at + 1], 4);
        let told: Vec<TokenLogprobs> = whole
            .prompt_logprobs
            .unwrap()
            .into_iter()
            .skip(1)
            .map(Option::unwrap)
            .chain(whole.logprobs)
            .collect();
        assert_eq!(told.len(), tokens.len() - 1);
        for (at, told) in told.iter().enumerate() {
            assert_eq!(*told, expected(at), "{dtype} at {at}");
        }
    }
}

#[test]
fn several_answers_have_seeds_of_their_own() {
    let engine = engine(options());
    let params = Params { n: 3, max_tokens: Some(20), seed: Some(5), ..Params::default() };
    let all = engine.add(request(30, 1, params.clone())).unwrap().collect().unwrap();
    for (i, whole) in all.iter().enumerate() {
        let alone = Params { n: 1, seed: Some(5 + i as u64), ..params.clone() };
        assert_eq!(one(&engine, request(30, 1, alone)).tokens, whole.tokens, "answer {i}");
    }
    assert_ne!(all[0].tokens, all[1].tokens);
}

#[test]
fn a_prompt_that_was_computed_is_found_again_unless_the_salt_differs() {
    let engine = engine(options());
    let params = || Params { max_tokens: Some(2), ..Params::greedy() };
    let cached = |salt: &[u8]| {
        let request = EngineRequest { salt: salt.to_vec(), ..request(100, 2, params()) };
        one(&engine, request).cached
    };
    assert_eq!([cached(b""), cached(b""), cached(b"x"), cached(b"x")], [0, 96, 0, 96]);
    engine.forget_prefixes();
    assert_eq!(cached(b""), 0);
}

#[test]
fn texts_end_where_they_should() {
    let engine = engine(options());
    let ask = |params: Params| one(&engine, request(20, 3, Params { seed: Some(3), ..params }));
    let whole = ask(Params { max_tokens: Some(30), ..Params::default() });
    assert!(matches!(whole.finish, Finish::MaxTokens) && whole.tokens.len() == 30, "{whole:?}");
    // A stop string that lies over the border of two tokens.
    let chars: Vec<char> = whole.text.chars().collect();
    let stop: String = chars[8..11].iter().collect();
    let at = whole.text.find(&stop).unwrap();
    let cut = ask(Params { stop: vec![stop.clone()], max_tokens: Some(30), ..Params::default() });
    assert!(matches!(&cut.finish, Finish::StopString(s) if *s == stop), "{cut:?}");
    assert_eq!(cut.text, whole.text[..at]);
    let kept = ask(Params {
        stop: vec![stop.clone()],
        include_stop: true,
        max_tokens: Some(30),
        ..Params::default()
    });
    assert_eq!(kept.text, whole.text[..at + stop.len()]);
    // A stop token.
    let token = whole.tokens[6];
    let first = whole.tokens.iter().position(|t| *t == token).unwrap();
    let ended = ask(Params { stop_tokens: vec![token], max_tokens: Some(30), ..Params::default() });
    assert!(matches!(ended.finish, Finish::StopToken(t) if t == token));
    assert_eq!(ended.tokens, whole.tokens[..=first]);
    // As much as there is room for.
    let full = one(&engine, request(250, 3, Params::greedy()));
    assert!(matches!(full.finish, Finish::MaxTokens | Finish::EndOfText) && full.tokens.len() <= 6);
    // A bad word does not come, in any cut.
    let word: String = chars[3..5].iter().collect();
    let bad =
        ask(Params { bad_words: vec![word.trim().to_owned()], max_tokens: Some(30), ..Params::default() });
    let banned = tokenizer().encode(word.trim()).unwrap();
    assert!(!bad.tokens.windows(banned.len()).any(|part| part == banned), "{bad:?}");
}

#[test]
fn wrong_requests_are_refused_in_words() {
    let engine = engine(options());
    let refused = |request: EngineRequest| engine.add(request).err().unwrap().message().to_owned();
    let with = |params: Params| refused(request(4, 0, params));
    assert_eq!(
        with(Params { temperature: -1.0, ..Params::default() }),
        "temperature is -1, it must be 0 or more"
    );
    assert_eq!(
        with(Params { top_p: 0.0, ..Params::default() }),
        "top_p is 0, it must be above 0 and at most 1"
    );
    assert_eq!(
        with(Params { temperature: f64::NAN, ..Params::default() }),
        "temperature is NaN, it must be 0 or more"
    );
    let vocabulary = engine.vocabulary();
    assert_eq!(
        with(Params { allowed_tokens: Some(vec![5, 9999]), ..Params::default() }),
        format!("allowed_token_ids has token 9999, the model has {vocabulary} tokens")
    );
    assert_eq!(
        refused(request(256, 0, Params::greedy())),
        "the prompt has 256 tokens and the answer up to 1, more than the 256 of a sequence"
    );
    assert_eq!(refused(request(0, 0, Params::greedy())), "the prompt has no token");
    let error = engine.add(EngineRequest { prompt: vec![299], ..EngineRequest::default() }).err().unwrap();
    assert!(error.message().starts_with("the prompt has token 299"), "{error}");
}

#[test]
fn what_nobody_reads_any_more_is_aborted_and_gives_back_its_pages() {
    let engine = engine(options());
    let streams: Vec<Stream> = (0..20)
        .map(|i| engine.add(request(20, i, Params { ignore_eos: true, ..Params::default() })).unwrap())
        .collect();
    for (i, mut stream) in streams.into_iter().enumerate() {
        // Some are dropped while they wait, some while they run.
        if i % 2 == 0 {
            stream.next();
        }
    }
    let begun = Instant::now();
    while engine.metrics().running + engine.metrics().waiting > 0 {
        assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", engine.metrics());
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(engine.metrics().cache_usage, 0.0);
    assert_eq!(engine.metrics().finished.abort, 20);
}

#[test]
fn a_full_queue_refuses_and_keeps_what_it_has() {
    let engine = engine(EngineOptions { sequences: 1, waiting: 2, ..options() });
    engine.pause();
    let ask = || engine.add(request(5, 0, Params { max_tokens: Some(3), ..Params::greedy() }));
    let streams: Vec<Stream> = (0..2).map(|_| ask().unwrap()).collect();
    let error = ask().err().unwrap();
    assert_eq!(
        (error.kind(), error.message()),
        (jarrah_base::ErrorKind::Environment, "2 requests wait, as many as may")
    );
    assert_eq!(engine.metrics().rejected, 1);
    engine.resume();
    for stream in streams {
        assert_eq!(stream.collect().unwrap()[0].tokens.len(), 3);
    }
}

#[test]
fn shutting_down_finishes_what_runs_and_cancelling_ends_it() {
    let engine = self::engine(options());
    let ask = |engine: &Engine| {
        engine.add(request(30, 1, Params { max_tokens: Some(50), ignore_eos: true, ..Params::default() }))
    };
    let streams: Vec<Stream> = (0..12).map(|_| ask(&engine).unwrap()).collect();
    let other = engine.clone();
    let waits = std::thread::spawn(move || other.shut_down());
    for stream in streams {
        assert_eq!(stream.collect().unwrap()[0].tokens.len(), 50);
    }
    waits.join().unwrap();
    assert!(ask(&engine).err().unwrap().message().contains("shutting down"));

    let engine = self::engine(options());
    let stream = ask(&engine).unwrap();
    engine.cancel_all();
    assert!(matches!(stream.collect().unwrap()[0].finish, Finish::Cancelled));
    // The last handle's drop ends the engine under a running request.
    let engine = self::engine(options());
    let stream = ask(&engine).unwrap();
    drop(engine);
    assert!(matches!(stream.collect().unwrap()[0].finish, Finish::Cancelled));
}

#[test]
fn other_weights_take_the_place_between_two_steps() {
    let engine = engine(options());
    let params = || Params { max_tokens: Some(20), logprobs: Some(3), ..Params::greedy() };
    let before = one(&engine, request(60, 1, params()));
    let changed = model(DType::F32).map_leaves(|w: &Array| w * 0.9);
    engine.set_weights(changed.clone()).unwrap();
    let after = one(&engine, request(60, 1, params()));
    let fresh = Engine::start(Served::with_tokenizer("test", changed, tokenizer()), options()).unwrap();
    assert_eq!(after.cached, 0, "nothing of the old weights is used");
    assert_eq!(bits(&after), bits(&one(&fresh, request(60, 1, params()))));
    assert_ne!(bits(&after), bits(&before));
    // Those of another model are refused, and the engine goes on.
    let error = engine.set_weights(model(DType::BF16)).err().unwrap();
    let message = "these are weights of another model: embed.table is bf16[";
    assert!(error.message().starts_with(message), "{error}");
    assert!(error.message().ends_with("] in the model that is served"), "{error}");
    let mut config =
        DecoderConfig { vocabulary: 300, context: 256, ..DecoderConfig::named("test-llama").unwrap() };
    config.layers.push(config.layers[0].clone());
    let deeper = Decoder::new(&config, &Key::new(4));
    for (weights, says) in [
        (other(), "these are weights of another model: they lack blocks.1."),
        (deeper, "these are weights of another model: they have blocks.2."),
    ] {
        let error = engine.set_weights(weights).err().unwrap();
        assert!(error.message().starts_with(says), "{error}");
        assert!(error.message().contains("the model that is served"), "{error}");
    }
    assert_eq!(one(&engine, request(60, 1, params())).tokens, after.tokens);
}

#[test]
fn a_model_whose_logits_are_no_numbers_fails_the_request_and_nothing_else() {
    let broken = model(DType::F32).map_leaves(|w: &Array| w * f64::NAN);
    let engine = Engine::start(Served::with_tokenizer("test", broken, tokenizer()), options()).unwrap();
    for _ in 0..2 {
        let error = engine.add(request(9, 1, Params::greedy())).unwrap().collect().unwrap_err();
        assert_eq!(error.message(), "the model's logits are not numbers");
    }
    engine.set_weights(model(DType::F32)).unwrap();
    assert!(
        !one(&engine, request(9, 1, Params { max_tokens: Some(3), ..Params::greedy() })).tokens.is_empty()
    );
}

/// Puts weights without values into an engine when it chooses the last token of an answer, so that the step behind it fails.
struct Breaks {
    engine: Mutex<Option<Engine>>,
    at: usize,
}

impl LogitsProcessor for Breaks {
    fn process(&self, tokens: &[u32], _: &mut [f32]) {
        if tokens.len() == self.at
            && let Some(engine) = self.engine.lock().unwrap().take()
        {
            std::thread::spawn(move || engine.set_weights(Prepared::new(model(DType::F32)).shapes().clone()));
            // It is asked for before this step is over, and done behind it.
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

#[test]
fn a_step_that_fails_takes_nothing_from_an_answer_that_ended_before_it() {
    let engine = engine(options());
    let params = |most| Params { max_tokens: Some(most), ignore_eos: true, ..Params::greedy() };
    let alone = one(&engine, request(9, 1, params(3)));
    engine.pause();
    let breaks = Breaks { engine: Mutex::new(Some(engine.clone())), at: 9 + 2 };
    let ends = EngineRequest { processor: Some(Arc::new(breaks)), ..request(9, 1, params(3)) };
    let ends = engine.add(ends).unwrap();
    let runs = engine.add(request(9, 2, params(60))).unwrap();
    engine.resume();
    let error = runs.collect().unwrap_err();
    assert!(!error.message().is_empty());
    assert_eq!(ends.collect().unwrap()[0].tokens, alone.tokens);
    let metrics = engine.metrics();
    assert_eq!((metrics.running, metrics.waiting, metrics.finished.error), (0, 0, 1));
    // It goes on with weights that have values.
    engine.set_weights(model(DType::F32)).unwrap();
    assert_eq!(one(&engine, request(9, 1, params(3))).tokens, alone.tokens);
}

/// What goes into the output layer, against the whole prompt at once.
#[test]
fn vectors_are_those_of_the_training_form_however_prompts_are_cut() {
    let own = model(DType::F32);
    for options in [options(), EngineOptions { tokens_per_step: 8, ..options() }] {
        let engine = engine(options);
        for (length, seed) in [(1, 0), (40, 1), (90, 2), (90, 2)] {
            let tokens = prompt(length, seed);
            let ids: Vec<i32> = tokens.iter().map(|&id| id as i32).collect();
            let states = own.hidden(&Array::new(&ids, &[1, length]), &mut Context::eval());
            let states = states.to_vec::<f32>().unwrap();
            let width = states.len() / length;
            let embed = |pooling| engine.embed(vec![tokens.clone()], pooling, false).unwrap().remove(0);
            assert_eq!(embed(Pooling::Last), states[states.len() - width..]);
            assert_eq!(embed(Pooling::First), states[..width]);
            let mean = |i: usize| {
                states.iter().skip(i).step_by(width).map(|&x| f64::from(x)).sum::<f64>() / length as f64
            };
            for (i, x) in embed(Pooling::Mean).into_iter().enumerate() {
                assert!((f64::from(x) - mean(i)).abs() < 1e-4, "{x} {}", mean(i));
            }
        }
        // Beside answers.
        let alone = one(&engine, requests().remove(1));
        let stream = engine.add(requests().remove(1)).unwrap();
        let texts: Vec<Vec<u32>> = (0..20).map(|i| prompt(3 + i, i as u32)).collect();
        let together = engine.embed(texts.clone(), Pooling::Last, true).unwrap();
        assert_eq!(bits(&stream.collect().unwrap()[0]), bits(&alone));
        for (text, vector) in texts.into_iter().zip(together) {
            assert_eq!(engine.embed(vec![text], Pooling::Last, true).unwrap()[0], vector);
        }
    }
}

#[test]
fn answers_keep_to_a_form_and_drafts_do_not_change_them() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"a": {"enum": ["x", "yy"]}, "b": {"type": "integer", "minimum": 0, "maximum": 99}},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    let constraints = [
        Constraint::JsonSchema(schema),
        Constraint::Regex("[a-c]{3}-[0-9]+".into()),
        Constraint::Choice(vec!["one".into(), "two".into()]),
    ];
    let requests: Vec<EngineRequest> = (0..24)
        .map(|i| {
            let params =
                Params { temperature: 2.0, seed: Some(i), max_tokens: Some(60), ..Params::default() };
            EngineRequest {
                constraint: Some(constraints[i as usize % 3].clone()),
                ..request(9, i as u32, params)
            }
        })
        .collect();
    let lookup = EngineOptions { drafts: Some(from_text()), ..options() };
    let together = engine(lookup).generate(&requests).unwrap();
    let plain = engine(options());
    for (i, (request, whole)) in requests.into_iter().zip(together).enumerate() {
        let whole = &whole[0];
        assert_eq!(bits(whole), bits(&one(&plain, request)));
        if !matches!(whole.finish, Finish::EndOfText) {
            // A number may be as long as it likes.
            assert!(i % 3 == 1 && matches!(whole.finish, Finish::MaxTokens), "{whole:?}");
            continue;
        }
        match i % 3 {
            0 => {
                let value: serde_json::Value = serde_json::from_str(&whole.text).unwrap();
                assert!(
                    value["b"].as_u64().is_some_and(|b| b < 100) && value.as_object().unwrap().len() == 2
                );
            }
            1 => assert!(
                whole.text.as_bytes()[3] == b'-' && whole.text[4..].parse::<f64>().is_ok(),
                "{}",
                whole.text
            ),
            _ => assert!(["one", "two"].contains(&whole.text.as_str())),
        }
    }
    let wrong =
        EngineRequest { constraint: Some(Constraint::Regex("(".into())), ..request(3, 0, Params::greedy()) };
    assert!(plain.add(wrong).err().unwrap().message().contains("regular expression"));
}

/// Only even tokens, behind an odd prompt.
struct Even;

impl LogitsProcessor for Even {
    fn process(&self, tokens: &[u32], logits: &mut [f32]) {
        if tokens[0] % 2 == 1 {
            logits.iter_mut().skip(1).step_by(2).for_each(|logit| *logit = f32::NEG_INFINITY);
        }
    }
}

#[test]
fn a_processor_changes_the_logits_of_its_request() {
    let engine = engine(options());
    let mut asked = request(9, 0, Params { max_tokens: Some(20), ignore_eos: true, ..Params::greedy() });
    asked.processor = Some(std::sync::Arc::new(Even));
    asked.prompt[0] = 1;
    assert!(one(&engine, asked.clone()).tokens.iter().all(|token| token % 2 == 0));
    asked.prompt[0] = 2;
    let plain = EngineRequest { processor: None, ..asked.clone() };
    assert_eq!(one(&engine, asked).tokens, one(&engine, plain).tokens);
}

/// It breaks at the third token of an answer.
struct Broken;

impl LogitsProcessor for Broken {
    fn process(&self, tokens: &[u32], _: &mut [f32]) {
        assert!(tokens.len() < 11, "a processor of somebody's");
    }
}

#[test]
fn a_processor_that_panics_fails_its_request_and_nothing_else() {
    let engine = engine(options());
    let params = Params { max_tokens: Some(20), ignore_eos: true, ..Params::greedy() };
    let alone = one(&engine, request(30, 1, params.clone()));
    let broken = EngineRequest {
        processor: Some(std::sync::Arc::new(Broken)),
        ..request(9, 0, Params { n: 3, temperature: 1.0, ..params.clone() })
    };
    let (beside, failing) = (engine.add(request(30, 1, params)).unwrap(), engine.add(broken).unwrap());
    let error = failing.collect().unwrap_err();
    assert!(error.message().contains("panicked"), "{error}");
    assert_eq!(bits(&beside.collect().unwrap()[0]), bits(&alone));
    assert_eq!(engine.metrics().cache_usage, 0.0);
}

/// The task of a reader who cannot be woken.
struct Panics;

impl std::task::Wake for Panics {
    fn wake(self: std::sync::Arc<Self>) {
        panic!("a task of somebody's");
    }
}

#[test]
fn whoever_reads_when_the_engine_breaks_is_told() {
    let engine = engine(options());
    let params = Params { max_tokens: Some(200), ignore_eos: true, ..Params::greedy() };
    let beside: Vec<Stream> = (0..3).map(|i| engine.add(request(30, i, params.clone())).unwrap()).collect();
    let waker = std::task::Waker::from(std::sync::Arc::new(Panics));
    let mut stream = engine.add(request(3, 7, params.clone())).unwrap();
    // Until a poll finds nothing, and leaves its waker.
    while stream.poll_next(&mut std::task::Context::from_waker(&waker)).is_ready() {}
    for stream in beside {
        assert!(stream.collect().unwrap_err().message().contains("panic"));
    }
    assert!(engine.is_closing() && engine.has_ended());
    assert!(engine.add(request(3, 7, params)).err().unwrap().message().contains("ended by a panic"));
}

#[test]
fn beams_are_the_likeliest_texts() {
    let config = DecoderConfig { vocabulary: 8, context: 64, ..DecoderConfig::named("test-llama").unwrap() };
    let own = Decoder::new(&config, &Key::new(5)).map_leaves(|w: &Array| w * 6.0);
    let mut served = Served::new("test", own.clone());
    served.ends = vec![6];
    let engine = Engine::start(served, options()).unwrap();
    let asked = EngineRequest { prompt: vec![1, 2, 3], ..EngineRequest::default() };
    let search = |params: BeamParams| {
        let mut search = engine.beams(asked.clone(), params).unwrap();
        while search.step().unwrap() {}
        search.finish()
    };
    // As many beams as there are texts of two tokens: nothing is missed.
    let wide = BeamParams { width: 64, max_tokens: 3, ignore_eos: true, ..BeamParams::default() };
    let found = search(wide.clone());
    let mut all: Vec<(f64, Vec<u32>)> = Vec::new();
    for at in 0..512u32 {
        let text = [at / 64, at / 8 % 8, at % 8];
        let ids: Vec<i32> = [1, 2, 3].into_iter().chain(text.map(|t| t as i32)).collect();
        let logits = own.call(&Array::new(&ids, &[1, 6]), &mut Context::eval()).to_vec::<f32>().unwrap();
        let of = |(place, &token): (usize, &u32)| {
            f64::from(logprobs(&logits[(place + 2) * 8..][..8], token, 0).chosen.logprob)
        };
        all.push((text.iter().enumerate().map(of).sum(), text.to_vec()));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert_eq!(found.len(), 64);
    for (beam, (sum, tokens)) in found.iter().zip(&all) {
        assert!((beam.logprob - sum).abs() < 1e-6, "{beam:?} {sum} {tokens:?}");
    }
    assert_eq!(found[0].tokens, all[0].1);
    // One beam is the likeliest token each time, and an end token ends a beam.
    let greedy = engine.add(EngineRequest {
        params: Params { max_tokens: Some(9), ignore_eos: true, ..Params::greedy() },
        ..asked.clone()
    });
    let one = search(BeamParams { width: 1, max_tokens: 9, ignore_eos: true, ..BeamParams::default() });
    assert_eq!(one[0].tokens, greedy.unwrap().collect().unwrap()[0].tokens);
    let ended = search(BeamParams { ignore_eos: false, ..wide.clone() });
    assert!(ended.iter().all(|beam| !beam.tokens.contains(&6)));
    assert!(ended.iter().any(|beam| matches!(beam.finish, Finish::EndOfText) && beam.tokens.len() < 3));
    let stopped = search(BeamParams { stop_tokens: vec![all[0].1[0]], ..wide.clone() });
    assert!(stopped.iter().any(|beam| matches!(beam.finish, Finish::StopToken(_)) && beam.tokens.is_empty()));
    // A penalty of 0 orders by the sums; a large one prefers what is long.
    let by_sum = search(BeamParams { length_penalty: 0.0, ignore_eos: false, ..wide.clone() });
    assert!(by_sum.windows(2).all(|pair| pair[0].logprob >= pair[1].logprob));
    let long = search(BeamParams { length_penalty: 9.0, ignore_eos: false, ..wide.clone() });
    assert!(long[0].tokens.len() == 3);
    for wrong in [
        BeamParams { width: 0, ..wide.clone() },
        BeamParams { width: 129, ..wide.clone() },
        BeamParams { max_tokens: 0, ..wide.clone() },
        BeamParams { max_tokens: 62, ..wide.clone() },
        BeamParams { length_penalty: f64::NAN, ..wide },
    ] {
        assert!(engine.beams(asked.clone(), wrong).is_err());
    }
}

#[test]
fn chosen_tokens_are_told_repetition_ends_and_deltas_wait() {
    let engine = engine(options());
    let params = Params { max_tokens: Some(12), ignore_eos: true, ..Params::greedy() };
    let plain = one(&engine, request(20, 1, Params { logprobs: Some(5), ..params.clone() }));
    // Of tokens that are asked for: the same numbers as among the likeliest.
    let asked: Vec<u32> = plain.logprobs[0].top.iter().rev().map(|p| p.token).collect();
    let told = one(&engine, request(20, 1, Params { logprob_tokens: asked.clone(), ..params.clone() }));
    assert!(told.logprobs[0].top.iter().eq(plain.logprobs[0].top.iter().rev()));
    assert!(told.logprobs.iter().zip(&plain.logprobs).all(|(a, b)| a.chosen == b.chosen && a.top.len() == 5));
    // Without text.
    let bare = one(&engine, request(20, 1, Params { detokenize: false, ..params.clone() }));
    assert_eq!((bare.text.as_str(), &bare.tokens), ("", &plain.tokens));
    // One token forever.
    let same = Params { allowed_tokens: Some(vec![5]), ..params.clone() };
    let twice = Repetition { shortest: 1, longest: 2, times: 3 };
    let whole = one(&engine, request(20, 1, Params { repetition: Some(twice), ..same.clone() }));
    assert_eq!(whole.tokens, [5, 5, 5]);
    assert!(matches!(whole.finish, Finish::Repetition));
    let late = Params { repetition: Some(twice), min_tokens: 7, ..same };
    assert_eq!(one(&engine, request(20, 1, late)).tokens.len(), 7);
    // The first token at once, then four at a time, and what is left at the end; a slow reader gets more at a time.
    let stream = engine.add(request(20, 1, Params { stream_interval: 4, ..params.clone() })).unwrap();
    let mut counts = Vec::new();
    let mut whole = Completion::default();
    for delta in stream {
        counts.push(delta.tokens.len());
        whole.push(delta);
    }
    let (last, others) = counts.split_last().unwrap();
    assert!(others.iter().all(|count| count % 4 == 0 || count % 4 == 1) && *last <= 12, "{counts:?}");
    assert_eq!((whole.text, whole.tokens), (plain.text, plain.tokens));
    // Nothing of the prefix cache, and nothing into it.
    let apart = Params { skip_prefix_cache: true, ..params.clone() };
    assert_eq!(one(&engine, request(60, 9, apart.clone())).cached, 0);
    assert_eq!(one(&engine, request(60, 9, params.clone())).cached, 0);
    assert_eq!(one(&engine, request(60, 9, apart)).cached, 0);
    assert!(one(&engine, request(60, 9, params)).cached > 0);
}

/// A draft model that is the model itself is always right, however tokens are drawn; another one is not, and one of other tokens is refused.
#[test]
fn a_draft_model_draws_as_the_model_does() {
    let count = |draft: Decoder, temperature: f64| {
        let engine = engine(EngineOptions { drafts: by_model(draft), ..options() });
        let params = Params {
            max_tokens: Some(41),
            seed: Some(5),
            temperature,
            ignore_eos: true,
            ..Params::default()
        };
        let requests: Vec<EngineRequest> = (0..3).map(|i| request(20 + i, 1, params.clone())).collect();
        engine.generate(&requests).unwrap();
        let metrics = engine.metrics();
        (metrics.drafted_tokens, metrics.accepted_tokens.iter().sum::<u64>())
    };
    for temperature in [0.0, 1.0, 2.0] {
        // 40 tokens behind the first: eight drafts of four, each with one more.
        assert_eq!(count(model(DType::F32), temperature), (96, 96), "at {temperature}");
    }
    let (drafted, accepted) = count(other(), 1.0);
    assert!(accepted * 2 < drafted, "{accepted} of {drafted}");

    let start = |drafts| {
        let options = EngineOptions { drafts, ..options() };
        Engine::start(Served::with_tokenizer("test", model(DType::F32), tokenizer()), options)
    };
    let config = DecoderConfig { vocabulary: 299, ..DecoderConfig::named("test-llama").unwrap() };
    let error = start(by_model(Decoder::new(&config, &Key::new(0)))).err().unwrap();
    assert!(error.message().contains("299 tokens, and the model 300"), "{error}");
    let config =
        DecoderConfig { vocabulary: 300, context: 255, ..DecoderConfig::named("test-llama").unwrap() };
    let error = start(by_model(Decoder::new(&config, &Key::new(0)))).err().unwrap();
    assert!(error.message().contains("made for 255 tokens"), "{error}");
}

/// Modules for further tokens draft what they say of whole texts, and change no answer.
#[test]
fn heads_draft_what_they_say_of_the_whole_text() {
    for modules in 1..=3 {
        let mut json = jarrah_models::Pretrained::preset("test-llama").unwrap();
        json["num_nextn_predict_layers"] = modules.into();
        let loaded = jarrah_models::Pretrained::random(json, &Key::new(0)).unwrap().model;
        let own = loaded.map_leaves(|w: &Array| w * 3.0);
        let start = |drafts| {
            let options = EngineOptions { drafts, tokens_per_step: 16, ..options() };
            Engine::start(Served::new("test", own.clone()), options).unwrap()
        };
        let params = Params { max_tokens: Some(30), ..Params::greedy() };
        let prompt: Vec<u32> = (0..20).map(|i| i * i % 32).collect();
        let asked =
            EngineRequest { prompt: prompt.clone(), params: params.clone(), ..EngineRequest::default() };
        let plain = one(&start(None), asked.clone());
        let engine = start(Some(Drafts::Heads { tokens: modules }));
        let drafted = one(&engine, asked.clone());
        assert_eq!(bits(&drafted), bits(&plain));
        // As a pass over the whole text has it.
        let text: Vec<i32> = prompt.iter().chain(&plain.tokens).map(|&id| id as i32).collect();
        let (count, whole) = (text.len(), Array::new(&text, &[1, text.len()]));
        let (_, further) =
            own.call_mtp(&whole.slice(1, 0..count - 1), &whole.slice(1, 1..count), &mut Context::eval());
        let further: Vec<Vec<i32>> =
            further.iter().map(|logits| logits.argmax(-1).to_vec::<i32>().unwrap()).collect();
        let (mut at, mut tried, mut right) = (prompt.len() + 1, 0, 0);
        while at + 1 < count {
            let drafts = modules.min(count - 1 - at);
            let is_right = |k: &usize| further[*k][at - 2] == text[at + k];
            let accepted = (0..drafts).take_while(is_right).count();
            tried += drafts as u64;
            right += accepted as u64;
            at += 1 + accepted;
        }
        let metrics = engine.metrics();
        let accepted: u64 = metrics.accepted_tokens.iter().sum();
        assert_eq!((metrics.drafted_tokens, accepted), (tried, right), "{modules} modules");
        // Longer drafts, several texts at a time, drawn ones among them.
        let requests: Vec<EngineRequest> = (0..6)
            .map(|i| EngineRequest {
                prompt: prompt[i..].to_vec(),
                params: Params { temperature: i as f64 / 4.0, seed: Some(3), ..params.clone() },
                ..EngineRequest::default()
            })
            .collect();
        let together = start(Some(Drafts::Heads { tokens: modules + 2 })).generate(&requests).unwrap();
        for (request, found) in requests.into_iter().zip(together) {
            assert_eq!(bits(&found[0]), bits(&one(&engine, request)));
        }
    }
    let none = EngineOptions { drafts: Some(Drafts::Heads { tokens: 1 }), ..options() };
    let refused = Engine::start(Served::new("test", model(DType::F32)), none).err().unwrap();
    assert!(refused.message().contains("no module"), "{refused}");
}

/// Where the mark that begins reasoning is several tokens, a text that may be both it and the form is held to one of them.
#[test]
fn a_form_holds_beside_reasoning_whose_mark_is_no_token() {
    let engine = engine(options());
    let (mut forms, mut marks) = (0, 0);
    for seed in 0..40 {
        let params = Params { temperature: 2.0, seed: Some(seed), max_tokens: Some(40), ..Params::default() };
        let asked = EngineRequest {
            constraint: Some(Constraint::Choice(vec!["<tool>".into(), "no".into()])),
            reasoning: Some(Reasoning {
                format: ReasoningFormat::Qwen3,
                beginning: Beginning::Before,
                budget: None,
            }),
            ..request(9, seed as u32, params)
        };
        let whole = one(&engine, asked);
        match whole.text.strip_prefix("<think>") {
            Some(_) => marks += 1,
            None => {
                forms += 1;
                assert!(["<tool>", "no"].contains(&whole.text.as_str()), "{whole:?}");
            }
        }
    }
    assert!(forms > 0 && marks > 0, "{forms} {marks}");
}

/// Greedy tokens behind a prompt, of which the model sees what the engine says: where a sequence is full, its newer half is computed anew.
#[test]
fn an_answer_that_slides_goes_on_past_the_context() {
    const CONTEXT: usize = 24;
    const MOST: usize = 90;
    let short = |drafts| engine(EngineOptions { max_length: Some(CONTEXT), drafts, ..options() });
    let greedy = |most| Params { max_tokens: Some(most), ignore_eos: true, ..Params::greedy() };
    let plain = short(None);
    let slides = |request: EngineRequest| EngineRequest { slides: true, ..request };
    for length in [1, 9, CONTEXT - 1, CONTEXT] {
        let answer = one(&plain, slides(request(length, 2, greedy(MOST))));
        assert_eq!(answer.tokens.len(), MOST);
        assert!(matches!(answer.finish, Finish::MaxTokens), "{:?}", answer.finish);
        // As somebody does it by hand who begins again with the newer half. An engine that has room for one more token chooses the one behind a full context.
        let wider = engine(EngineOptions { max_length: Some(CONTEXT + 1), ..options() });
        let mut seen = prompt(length, 2);
        let mut expected: Vec<u32> = Vec::new();
        while expected.len() < MOST {
            let most = (CONTEXT + 1 - seen.len()).min(MOST - expected.len());
            let by_hand =
                EngineRequest { prompt: seen.clone(), params: greedy(most), ..EngineRequest::default() };
            let tokens = one(&wider, by_hand).tokens;
            expected.extend(&tokens);
            seen.extend(tokens);
            seen.drain(..seen.len() - seen.len() / 2);
        }
        assert_eq!(answer.tokens, expected, "{length}");
        // Drafts change nothing, nor does what is computed beside it.
        for drafts in [Some(from_text()), by_model(model(DType::F32)), by_model(other())] {
            let requests = [slides(request(length, 2, greedy(MOST))), slides(request(3, 5, greedy(MOST)))];
            let all = short(drafts).generate(&requests).unwrap();
            assert_eq!(all[0][0].tokens, expected, "{length}");
        }
    }
    // Without it, the answer ends where the context is full, and more is refused.
    let ends = one(&plain, request(9, 2, Params { max_tokens: None, ..greedy(1) }));
    assert_eq!(ends.tokens.len(), CONTEXT - 9);
    assert!(plain.add(request(9, 2, greedy(CONTEXT))).is_err());
    // Penalties, bad words and stop strings see the tokens before the sequence as well.
    let watched = Params {
        repetition_penalty: 1.3,
        bad_words: vec!["quick".into()],
        temperature: 1.0,
        seed: Some(5),
        ..greedy(MOST)
    };
    let watched = one(&plain, slides(request(9, 2, watched)));
    assert_eq!(watched.tokens.len(), MOST);
    assert!(!watched.text.contains("quick"));
    let drawn = Params {
        temperature: 1.0,
        seed: Some(5),
        max_tokens: Some(MOST),
        ignore_eos: true,
        ..Params::default()
    };
    let drawn = one(&plain, slides(request(9, 2, drawn)));
    let stop: String = drawn.text.chars().skip(drawn.text.chars().count() * 3 / 4).take(3).collect();
    let until = Params {
        temperature: 1.0,
        seed: Some(5),
        stop: vec![stop.clone()],
        ignore_eos: true,
        max_tokens: Some(MOST),
        ..Params::default()
    };
    let cut = one(&plain, slides(request(9, 2, until)));
    assert_eq!(cut.text, drawn.text[..drawn.text.find(&stop).unwrap()]);
    // A text that is stopped is told of before its sequence has left the engine.
    let left = (0..1000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        plain.metrics().running == 0
    });
    assert!(left, "{:?}", plain.metrics().running);
}
