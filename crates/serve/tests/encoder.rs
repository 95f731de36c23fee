//! Vectors and classes of texts by encoders.

use std::path::{Path, PathBuf};

use jarrah_array::{Array, DType};
use jarrah_models::{Bert, PretrainedModel, TokenTypes};
use jarrah_nn::{Context, Module, Tokens};
use jarrah_serve::{Engine, EngineOptions, EngineRequest, Params, Pooling, ServedEncoder};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/encoders").join(name)
}

fn model(name: &str) -> Bert {
    PretrainedModel::load(folder(name), Some(DType::F32)).unwrap().model
}

fn engine(name: &str, options: EngineOptions) -> Engine {
    Engine::start_encoder(ServedEncoder::load(&folder(name), Some(DType::F32)).unwrap(), options).unwrap()
}

fn text(length: usize, seed: usize) -> Vec<u32> {
    (0..length).map(|i| ((i * i * 7 + 11 * i + seed * 31) % 20) as u32).collect()
}

fn request(tokens: Vec<u32>, second: Option<usize>, pooling: Pooling) -> EngineRequest {
    EngineRequest { prompt: tokens, second, pooling: Some(pooling), ..EngineRequest::default() }
}

fn ask(engine: &Engine, requests: &[EngineRequest]) -> Vec<Vec<f32>> {
    let answers = engine.generate(requests).unwrap();
    answers.into_iter().map(|mut all| all.remove(0).vector.unwrap()).collect()
}

/// The states of a text alone, as it is.
fn alone(model: &Bert, request: &EngineRequest) -> Vec<f32> {
    let count = request.prompt.len();
    let ids: Vec<i32> = request.prompt.iter().map(|&id| id as i32).collect();
    let second = request.second.unwrap_or(count);
    let types: Vec<i32> = (0..count).map(|at| i32::from(at >= second)).collect();
    let mut cx = Context::eval()
        .with(Tokens::masked(&Array::full(&[1, count], 1, DType::I32)))
        .with(TokenTypes(Array::new(&types, &[1, count])));
    let tokens = Array::new(&ids, &[1, count]);
    if request.pooling == Some(Pooling::Classes) {
        return model.call(&tokens, &mut cx).to_vec::<f32>().unwrap();
    }
    let states = model.hidden(&tokens, &mut cx).to_vec::<f32>().unwrap();
    let width = states.len() / count;
    let state = |at: usize| states[at * width..][..width].to_vec();
    match request.pooling.unwrap() {
        Pooling::First => state(0),
        Pooling::Last => state(count - 1),
        _ => (0..width).map(|i| (0..count).map(|at| state(at)[i]).sum::<f32>() / count as f32).collect(),
    }
}

#[test]
fn vectors_and_classes_are_those_of_the_model_whatever_is_beside() {
    for (name, kinds) in [
        ("bert_vectors", vec![Pooling::First, Pooling::Last, Pooling::Mean]),
        ("bert_classes", vec![Pooling::Classes, Pooling::Mean]),
    ] {
        let own = model(name);
        let most = own.positions.table.shape()[0];
        let requests: Vec<EngineRequest> = (0..40)
            .map(|i| {
                let length = 1 + i * 5 % most;
                let second = (i % 3 == 0).then_some(length / 2);
                request(text(length, i), second, kinds[i % kinds.len()])
            })
            .chain([request(text(most, 99), None, kinds[0])])
            .collect();
        let together = ask(&engine(name, EngineOptions::default()), &requests);
        let small =
            engine(name, EngineOptions { tokens_per_step: 4, sequences: 3, ..EngineOptions::default() });
        let cut = ask(&small, &requests);
        for ((request, together), cut) in requests.iter().zip(together).zip(cut) {
            assert_eq!(together, cut, "the same bits in steps of four tokens");
            let wanted = alone(&own, request);
            let largest = wanted.iter().fold(0.0f32, |a, x| a.max(x.abs()));
            assert_eq!(wanted.len(), together.len());
            for (x, y) in together.iter().zip(&wanted) {
                assert!((x - y).abs() < 1e-5 * largest, "{request:?}: {x} for {y}", request = request.prompt);
            }
        }
        assert_eq!(small.metrics().cache_usage, 0.0);
    }
}

#[test]
fn what_an_encoder_lacks_is_refused_in_words() {
    let engine = engine("bert_vectors", EngineOptions::default());
    assert!(engine.is_encoder() && engine.classes().is_empty());
    let asks = |request: EngineRequest| engine.add(request).err().unwrap().message().to_owned();
    assert!(asks(request(vec![1], None, Pooling::Classes)).contains("no classes"));
    let text = EngineRequest { prompt: vec![1], params: Params::greedy(), ..EngineRequest::default() };
    assert!(asks(text).contains("writes none"));
    assert!(asks(request(self::text(500, 1), None, Pooling::First)).contains("more than"));
    let model = ServedEncoder::load(&folder("bert_vectors"), None).unwrap();
    let error = Engine::start_encoder(model, EngineOptions { adapters: 1, ..EngineOptions::default() })
        .err()
        .unwrap();
    assert!(error.message().contains("no adapters"));
}

#[test]
fn what_becomes_of_a_text_stands_in_the_folder() {
    let copy = tempfile::tempdir().unwrap();
    for file in std::fs::read_dir(folder("bert_vectors")).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), copy.path().join(file.file_name())).unwrap();
    }
    assert!(ServedEncoder::is_at(copy.path()));
    assert_eq!(ServedEncoder::load(copy.path(), None).unwrap().pooling, Pooling::First);
    std::fs::create_dir(copy.path().join("1_Pooling")).unwrap();
    let say = |json: &str| std::fs::write(copy.path().join("1_Pooling/config.json"), json).unwrap();
    say(
        r#"{"word_embedding_dimension": 8, "pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}"#,
    );
    assert_eq!(ServedEncoder::load(copy.path(), None).unwrap().pooling, Pooling::Mean);
    for wrong in [r#"{"pooling_mode_max_tokens": true}"#, "{}", "["] {
        say(wrong);
        assert!(ServedEncoder::load(copy.path(), None).is_err(), "{wrong}");
    }
    let classes = ServedEncoder::load(&folder("bert_classes"), None).unwrap();
    assert_eq!(classes.pooling, Pooling::Classes);
    assert!(!classes.classes.is_empty());
}
