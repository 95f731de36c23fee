//! Weights that are read when they are needed, and kept as they are computed with.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jarrah_array::DType;
use jarrah_array::random::Key;
use jarrah_models::Pretrained;
use jarrah_serve::{
    Completion, Engine, EngineOptions, EngineRequest, LoadOptions, Offload, Params, Served, Sleep,
    WeightsCache,
};

type Bits = Vec<(Vec<u32>, Vec<u32>)>;

fn options(cache: Option<(&Path, u64)>) -> EngineOptions {
    let weights_cache = cache.map(|(folder, bytes)| WeightsCache { folder: folder.to_owned(), bytes });
    EngineOptions { warm: false, sequences: 4, page: 8, weights_cache, ..EngineOptions::default() }
}

fn bits(whole: &Completion) -> (Vec<u32>, Vec<u32>) {
    let told = whole.logprobs.iter().map(|told| told.chosen.logprob.to_bits());
    (whole.tokens.clone(), told.collect())
}

/// The answers of an engine, with the bits of their probabilities.
fn answers(engine: &Engine) -> Bits {
    let params = Params { max_tokens: Some(4), logprobs: Some(2), ignore_eos: true, ..Params::greedy() };
    let request = |length: u32| EngineRequest {
        prompt: (1..=length).collect(),
        params: params.clone(),
        ..EngineRequest::default()
    };
    // One after another, so that steps have the same sizes each time.
    [2, 7].map(|length| bits(&engine.generate(&[request(length)]).unwrap()[0][0])).to_vec()
}

fn whole(path: &Path, what: &LoadOptions) -> Bits {
    answers(&Engine::start(Served::load(path, what).unwrap(), options(None)).unwrap())
}

fn opened(path: &Path, what: &LoadOptions, cache: Option<(&Path, u64)>) -> Bits {
    let engine = Engine::start(Served::open(path, what).unwrap(), options(cache)).unwrap();
    let found = answers(&engine);
    // It ends when all is written.
    engine.shut_down();
    found
}

fn kept(folder: &Path) -> Vec<(PathBuf, SystemTime)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap());
    let mut all: Vec<(PathBuf, SystemTime)> =
        entries.map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap())).collect();
    all.sort();
    all
}

const LARGE: u64 = 1 << 30;

/// Whatever a folder has its weights in and whatever they are held in, answers have the same bits when nothing is read any more.
#[test]
fn a_second_start_answers_with_the_same_bits() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests");
    let mut cases: Vec<(PathBuf, LoadOptions)> = Vec::new();
    for name in ["gpt2", "llama_tied", "gemma3", "gpt_oss_mxfp4", "deepseek_v3_halves", "mixtral", "gpt_neox"]
    {
        cases.push((models.join("families").join(name), LoadOptions::default()));
    }
    cases.push((
        models.join("families/llama"),
        LoadOptions { dtype: Some(DType::BF16), ..LoadOptions::default() },
    ));
    for (name, rules) in
        [("gpt2", "int8"), ("llama", "fp8, head=int8"), ("mixtral", "int8"), ("llama", "w8a8")]
    {
        let quantize = Some(rules.parse().unwrap());
        cases.push((models.join("families").join(name), LoadOptions { quantize, ..LoadOptions::default() }));
    }
    let place = tempfile::tempdir().unwrap();
    save(place.path(), 5);
    for rules in ["int4:16, head=int8", "nf4:16", "w8a8"] {
        let quantize = Some(rules.parse().unwrap());
        cases.push((place.path().to_owned(), LoadOptions { quantize, ..LoadOptions::default() }));
    }
    cases.push((models.join("packed/gptq_order"), LoadOptions::default()));
    for (path, what) in &cases {
        let name = format!("{} {:?}", path.display(), what.quantize);
        let folder = tempfile::tempdir().unwrap();
        let expected = whole(path, what);
        assert_eq!(opened(path, what, None), expected, "{name}");
        let cache = Some((folder.path(), LARGE));
        assert_eq!(opened(path, what, cache), expected, "{name}, first");
        let first = kept(folder.path());
        let now = SystemTime::now();
        assert_eq!(opened(path, what, cache), expected, "{name}, second");
        let second = kept(folder.path());
        // All are used, and nothing is made that is not there.
        assert!(second.iter().all(|(_, used)| *used >= now - Duration::from_millis(50)), "{name}");
        assert_eq!(first.len(), second.len(), "{name}");
    }
}

/// A folder with a model of these random numbers, which was not written just now.
fn save(folder: &Path, seed: u64) {
    let json = Pretrained::preset("test-llama").unwrap();
    Pretrained::random(json, &Key::new(seed)).unwrap().save(folder).unwrap();
    std::thread::sleep(Duration::from_millis(2100));
}

#[test]
fn weights_that_were_changed_are_not_taken_for_what_they_were() {
    let (place, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let what = LoadOptions { quantize: Some("int8".parse().unwrap()), ..LoadOptions::default() };
    let cache = Some((folder.path(), LARGE));
    save(place.path(), 1);
    let first = whole(place.path(), &what);
    assert_eq!(opened(place.path(), &what, cache), first);
    let files = kept(folder.path()).len();
    assert!(files > 0);
    save(place.path(), 2);
    let second = whole(place.path(), &what);
    assert_ne!(first, second);
    assert_eq!(opened(place.path(), &what, cache), second);
    assert_eq!(kept(folder.path()).len(), 2 * files);
    // One that is damaged is removed, and made anew.
    for (path, _) in kept(folder.path()) {
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    assert_eq!(opened(place.path(), &what, cache), second);
    assert_eq!(opened(place.path(), &what, cache), second);
    // What is written a moment before is not kept.
    let json = Pretrained::preset("test-llama").unwrap();
    Pretrained::random(json, &Key::new(3)).unwrap().save(place.path()).unwrap();
    let other = tempfile::tempdir().unwrap();
    opened(place.path(), &what, Some((other.path(), LARGE)));
    assert!(kept(other.path()).is_empty());
}

/// Weights that nothing has as they are sleep, wake up, are hashed and exchanged as others are.
#[test]
fn weights_without_data_are_weights() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/tests/families/gpt2");
    let (folder, pages) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let what = LoadOptions { quantize: Some("int8".parse().unwrap()), ..LoadOptions::default() };
    let expected = whole(&path, &what);
    for _ in 0..2 {
        let served = Served::open(&path, &what).unwrap();
        let engine = Engine::start(served, options(Some((folder.path(), LARGE)))).unwrap();
        assert_eq!(answers(&engine), expected);
        engine.sleep(Sleep::Weights).unwrap();
        engine.wake().unwrap();
        assert_eq!(answers(&engine), expected);
        engine.load_weights(&path, &what).unwrap();
        assert_eq!(answers(&engine), expected);
    }
    let offload = Some(Offload { folder: pages.path().to_owned(), bytes: 1 << 20 });
    let options = EngineOptions { offload, ..options(Some((folder.path(), LARGE))) };
    assert_eq!(answers(&Engine::start(Served::open(&path, &what).unwrap(), options).unwrap()), expected);
    // A model as such has all of its data.
    assert!(Served::new("test", Pretrained::load(&path, None).unwrap().model).deferred.is_none());
}
