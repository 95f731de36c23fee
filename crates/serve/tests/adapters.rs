//! Several adapters in one batch.

use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt};
use jarrah_models::Pretrained;
use jarrah_nn::{Linear, Lora, Variable, edit};
use jarrah_serve::{BeamParams, Completion, Engine, EngineOptions, EngineRequest, Params, Served};

fn base() -> Pretrained {
    let mut base = Pretrained::random(Pretrained::preset("test-llama").unwrap(), &Key::new(0)).unwrap();
    base.model = base.model.map_leaves(|w: &Array| w * 6.0);
    base
}

/// The base with an adapter of this rank that changes much, on layers that `filter` means, and its folder.
fn adapted(folder: &Path, seed: u64, rank: usize, filter: &str) -> Pretrained {
    let mut model = base();
    let mut count = seed * 1000;
    edit(&mut model.model, filter, |_, layer: &mut Linear| {
        count += 1;
        let mut lora = Lora::over(layer.weight.clone(), &Key::new(count), rank, 4.0);
        let b = Key::new(count + 500).normal(&lora.adapter.b.shape()) * 0.5;
        lora.adapter.b = Variable::from(b).of_kind(jarrah_nn::Kind::LORA);
        layer.weight = lora.into();
    });
    model.save_adapter(folder).unwrap();
    model
}

fn served(model: Pretrained) -> Served {
    Served { json: Some(model.json.clone()), ..Served::new("base", model.model) }
}

fn options() -> EngineOptions {
    EngineOptions {
        warm: false,
        sequences: 8,
        tokens_per_step: 16,
        page: 8,
        adapters: 2,
        adapter_rank: 4,
        ..EngineOptions::default()
    }
}

fn request(adapter: Option<&str>, seed: u32) -> EngineRequest {
    let params =
        Params { max_tokens: Some(12), logprobs: Some(3), prompt_logprobs: Some(1), ..Params::greedy() };
    EngineRequest {
        prompt: (0..20 + seed % 7).map(|i| (i * 7 + seed * 13) % 30).collect(),
        params,
        adapter: adapter.map(str::to_owned),
        ..EngineRequest::default()
    }
}

fn bits(whole: &Completion) -> String {
    let told = whole.logprobs.iter().chain(whole.prompt_logprobs.iter().flatten().flatten());
    let bits: Vec<(u32, u32)> = told.map(|t| (t.chosen.token, t.chosen.logprob.to_bits())).collect();
    format!("{:?} {bits:?}", whole.tokens)
}

fn one(engine: &Engine, request: EngineRequest) -> String {
    bits(&engine.add(request).unwrap().collect().unwrap()[0])
}

#[test]
fn answers_with_adapters_have_the_bits_of_models_with_that_adapter_whatever_stands_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    let models = [
        base(),
        adapted(&paths[0], 1, 2, "blocks.*.attention.{q,v}"),
        adapted(&paths[1], 2, 4, "blocks.**"),
        adapted(&paths[2], 3, 1, "blocks.0.mlp.down"),
    ];
    let plain = EngineOptions { adapters: 0, ..options() };
    let alone: Vec<Vec<String>> = models
        .into_iter()
        .map(|model| {
            let engine = Engine::start(served(model), plain.clone()).unwrap();
            (0..6).map(|seed| one(&engine, request(None, seed))).collect()
        })
        .collect();
    assert_ne!(alone[0][0], alone[1][0]);

    let engine = Engine::start(served(base()), options()).unwrap();
    engine.load_adapter("a", &paths[0]).unwrap();
    engine.load_adapter("b", &paths[1]).unwrap();
    let names = [None, Some("a"), Some("b")];
    let mixed: Vec<(usize, u32, EngineRequest)> = (0..18)
        .map(|i| (i % 3, i as u32 / 3))
        .map(|(which, seed)| (which, seed, request(names[which], seed)))
        .collect();
    let requests: Vec<EngineRequest> = mixed.iter().map(|(.., request)| request.clone()).collect();
    for round in 0..2 {
        for ((which, seed, _), whole) in mixed.iter().zip(engine.generate(&requests).unwrap()) {
            assert_eq!(bits(&whole[0]), alone[*which][*seed as usize], "round {round}: {which} {seed}");
        }
    }

    // There is no room for a third; it takes the place of one, and the name of the other.
    let error = engine.load_adapter("c", &paths[2]).unwrap_err();
    assert_eq!(error.message(), "there is room for 2 adapters, and none is left");
    engine.unload_adapter("a").unwrap();
    assert_eq!(engine.adapters(), ["b"]);
    let error = engine.add(request(Some("a"), 0)).err().unwrap();
    assert_eq!((error.message(), error.advice()), ("there is no adapter a", Some("there are b")));
    engine.load_adapter("c", &paths[2]).unwrap();
    engine.unload_adapter("b").unwrap();
    engine.load_adapter("b", &paths[0]).unwrap();
    for seed in 0..6 {
        assert_eq!(one(&engine, request(Some("c"), seed)), alone[3][seed as usize]);
        assert_eq!(one(&engine, request(Some("b"), seed)), alone[1][seed as usize]);
        assert_eq!(one(&engine, request(None, seed)), alone[0][seed as usize]);
    }
}

#[test]
fn an_adapter_that_is_unloaded_keeps_its_place_until_its_last_answer_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    let model = adapted(&paths[0], 1, 2, "blocks.*.attention.{q,v}");
    adapted(&paths[1], 2, 4, "blocks.**");
    let alone = one(
        &Engine::start(served(model), EngineOptions { adapters: 0, ..options() }).unwrap(),
        request(None, 1),
    );
    let engine = Engine::start(served(base()), EngineOptions { adapters: 1, ..options() }).unwrap();
    engine.load_adapter("a", &paths[0]).unwrap();
    engine.pause();
    let stream = engine.add(request(Some("a"), 1)).unwrap();
    engine.unload_adapter("a").unwrap();
    assert!(
        engine
            .load_adapter("b", &paths[1])
            .unwrap_err()
            .message()
            .starts_with("there is room for one adapter")
    );
    engine.resume();
    assert_eq!(bits(&stream.collect().unwrap()[0]), alone);
    // The answer's place is free a moment after its end was told.
    let mut tries = 0;
    while let Err(error) = engine.load_adapter("b", &paths[1]) {
        assert!(tries < 1000, "{error}");
        tries += 1;
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_search_goes_on_with_its_adapter_when_another_one_gets_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    adapted(&paths[0], 1, 2, "blocks.*.attention.{q,v}");
    adapted(&paths[1], 2, 4, "blocks.**");
    let engine = Engine::start(served(base()), options()).unwrap();
    let found = |change: &dyn Fn()| {
        let params = BeamParams { width: 3, max_tokens: 8, ..BeamParams::default() };
        let mut search = engine.beams(request(Some("a"), 1), params).unwrap();
        assert!(search.step().unwrap());
        change();
        while search.step().unwrap() {}
        let all = search.finish();
        all.into_iter().map(|beam| (beam.tokens, beam.logprob.to_bits())).collect::<Vec<_>>()
    };
    engine.load_adapter("a", &paths[0]).unwrap();
    let alone = found(&|| ());
    let beside = found(&|| {
        engine.unload_adapter("a").unwrap();
        engine.load_adapter("a", &paths[1]).unwrap();
    });
    assert_eq!(beside, alone);
    assert_ne!(found(&|| ()), alone);
}

#[test]
fn folders_that_are_no_adapter_of_the_model_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    adapted(&path, 1, 8, "blocks.*.attention.q");
    let engine = Engine::start(served(base()), options()).unwrap();
    let error = |name: &str, path: &Path| engine.load_adapter(name, path).unwrap_err();
    assert_eq!(error("a", &path).message(), "the adapter has rank 8, there is room for 4");
    assert!(error("a", &folder.path().join("none")).to_string().contains("none"));
    assert_eq!(engine.adapters(), [""; 0]);
    let engine = Engine::start(served(base()), EngineOptions { adapters: 0, ..options() }).unwrap();
    let error = engine.load_adapter("a", &path).unwrap_err();
    assert!(error.to_string().contains("there is room for"), "{error}");
}
