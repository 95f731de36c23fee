//! Keys and values that are kept in files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jarrah_array::{Array, DType, TreeExt};
use jarrah_models::Decoder;
use jarrah_serve::{Engine, EngineMetrics, EngineOptions, EngineRequest, Offload, Params, Served, Stream};

use crate::engine::{bits, model, one, prompt};
use crate::windows::{gemma3, model_of};

/// Pages of sixteen tokens, of which the files have no more than 64 MiB.
fn options(folder: &Path) -> EngineOptions {
    EngineOptions {
        warm: false,
        sequences: 4,
        tokens_per_step: 64,
        page: 16,
        offload: Some(Offload { folder: folder.to_owned(), bytes: 64 << 20 }),
        ..EngineOptions::default()
    }
}

fn request(length: usize, seed: u32) -> EngineRequest {
    let params = Params { max_tokens: Some(8), logprobs: Some(3), seed: Some(2), ..Params::default() };
    EngineRequest { prompt: prompt(length, seed), params, ..EngineRequest::default() }
}

fn start(model: &Decoder, options: EngineOptions) -> Engine {
    Engine::start(Served::new("test", model.clone()), options).unwrap()
}

/// The bits of answers to these, asked one after another of an engine that then ends.
fn ask(model: &Decoder, options: EngineOptions, requests: &[EngineRequest]) -> (Vec<String>, EngineMetrics) {
    let engine = start(model, options);
    let all = requests.iter().map(|request| bits(&one(&engine, request.clone()))).collect();
    let metrics = engine.metrics();
    engine.shut_down();
    (all, metrics)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_restart_finds_prefixes_in_files_and_gives_the_same_bits() {
    for model in [model(DType::F32), model_of(&gemma3(40, 256))] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kv");
        let asked = [request(200, 1), request(90, 2)];
        let (first, metrics) = ask(&model, options(&path), &asked);
        assert_eq!((metrics.restored_pages, metrics.cached_prompt_tokens), (0, 0));
        assert!(!files(&path).is_empty());
        assert!(
            files(&path).iter().all(|file| file.extension().is_some_and(|end| end == "kv")),
            "nothing is left"
        );
        // 199 and 89 tokens have 12 and 5 whole pages.
        let (again, metrics) = ask(&model, options(&path), &asked);
        assert_eq!(again, first);
        assert_eq!(metrics.cached_prompt_tokens, 16 * (12 + 5), "{metrics:?}");
        assert_eq!((metrics.offload_queries, metrics.offload_hits), (290, metrics.cached_prompt_tokens));
        assert!(metrics.restored_pages > 0);
        // What goes on from it finds as much of it; another salt, other weights and another dtype of keys and values find nothing.
        let mut longer = request(150, 1);
        longer.prompt.truncate(100);
        longer.prompt.extend(prompt(30, 7));
        let (_, metrics) = ask(&model, options(&path), &[longer]);
        assert_eq!(metrics.cached_prompt_tokens, 96);
        let (_, metrics) = ask(&model, options(&path), &[EngineRequest { salt: vec![1], ..request(200, 1) }]);
        assert_eq!((metrics.restored_pages, metrics.cached_prompt_tokens), (0, 0));
        let other = model.map_leaves(|x: &Array| x * 1.001);
        let (_, metrics) = ask(&other, options(&path), &asked);
        assert_eq!((metrics.restored_pages, metrics.cached_prompt_tokens), (0, 0));
        let eight = EngineOptions { cache_dtype: Some(DType::I8), ..options(&path) };
        let (_, metrics) = ask(&model, eight, &asked);
        assert_eq!((metrics.restored_pages, metrics.cached_prompt_tokens), (0, 0));
    }
}

#[test]
fn damaged_files_cost_nothing_but_time() {
    let folder = tempfile::tempdir().unwrap();
    let (model, asked) = (model(DType::F32), [request(200, 1)]);
    let (first, _) = ask(&model, options(folder.path()), &asked);
    let all = files(folder.path());
    for (i, file) in all.iter().enumerate() {
        let mut content = std::fs::read(file).unwrap();
        match i % 4 {
            0 => content.truncate(content.len() / 2),
            1 => content.clear(),
            2 => content[100] ^= 1,
            // The page of another block.
            _ => content = std::fs::read(&all[(i + 4) % all.len()]).unwrap(),
        }
        std::fs::write(file, content).unwrap();
    }
    let engine = start(&model, options(folder.path()));
    assert_eq!(bits(&one(&engine, asked[0].clone())), first[0]);
    assert_eq!(engine.metrics().restored_pages, 0);
    assert_eq!(engine.metrics().cached_prompt_tokens, 0);
    assert!(files(folder.path()).len() < all.len(), "the first that was read is gone");
    engine.shut_down();
    // Those that were not looked at are as they were; the prefix that is found ends before the first of them.
    for _ in 0..all.len() {
        let (again, _) = ask(&model, options(folder.path()), &asked);
        assert_eq!(again, first);
    }
    let (_, metrics) = ask(&model, options(folder.path()), &asked);
    assert_eq!(metrics.cached_prompt_tokens, 16 * 12);
}

#[test]
fn pages_that_go_to_others_come_back_from_files() {
    let model = model(DType::F32);
    for bytes in [64 << 20, 64 << 10] {
        let folder = tempfile::tempdir().unwrap();
        let wide = start(&model, EngineOptions { offload: None, ..options(folder.path()) });
        let alone: Vec<String> = (0..6).map(|i| bits(&one(&wide, request(120 + 10 * i, i as u32)))).collect();
        let few = EngineOptions {
            cache_bytes: Some(wide.memory().cache / 3),
            offload: Some(Offload { folder: folder.path().to_owned(), bytes }),
            ..options(folder.path())
        };
        let engine = start(&model, few);
        for round in 0..3 {
            let streams: Vec<Stream> =
                (0..6).map(|i| engine.add(request(120 + 10 * i, i as u32)).unwrap()).collect();
            for (i, stream) in streams.into_iter().enumerate() {
                let whole = stream.collect().unwrap().remove(0);
                assert_eq!(bits(&whole), alone[i], "request {i} in round {round}");
            }
        }
        let metrics = engine.metrics();
        assert!(metrics.offloaded_pages > 0, "{metrics:?}");
        assert!(metrics.restored_pages > 0 || bytes < 1 << 20, "{metrics:?}");
        assert_eq!((metrics.cache_usage, metrics.running), (0.0, 0));
        engine.shut_down();
        let held: u64 = files(folder.path()).iter().map(|file| file.metadata().unwrap().len()).sum();
        assert!(held <= bytes, "{held} of {bytes}");
    }
}

#[test]
fn what_is_of_no_use_to_others_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut asked = request(200, 1);
    asked.params.skip_prefix_cache = true;
    ask(&model(DType::F32), options(folder.path()), &[asked]);
    assert!(files(folder.path()).is_empty());
    let off = EngineOptions { prefix_caching: false, ..options(folder.path()) };
    let error = Engine::start(Served::new("test", model(DType::F32)), off).map(drop).unwrap_err();
    assert!(error.message().contains("the prefix cache's, which is off"), "{error}");
}

#[test]
fn a_folder_that_keeps_nothing_is_refused_at_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let refused = |offload: Offload| {
        let options = EngineOptions { offload: Some(offload), ..options(file.path()) };
        Engine::start(Served::new("test", model(DType::F32)), options).map(drop).unwrap_err()
    };
    for folder in [file.path().to_owned(), file.path().join("kv")] {
        let error = refused(Offload { folder: folder.clone(), bytes: 64 << 20 });
        let path = folder.display().to_string();
        assert!(error.message().starts_with(&format!("cannot keep keys and values in {path}: ")), "{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    let error = refused(Offload { folder: folder.path().to_owned(), bytes: 100 });
    assert!(
        error.message().starts_with("the files of keys and values may have 100 bytes, and one"),
        "{error}"
    );
    assert!(files(folder.path()).is_empty());
}

/// A pipe that nobody reads takes nothing, as a file system does whose server has gone.
#[cfg(unix)]
#[test]
fn storage_that_takes_nothing_does_not_hold_up_an_engine_that_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (model, asked) = (model(DType::F32), [request(100, 1)]);
    let (first, _) = ask(&model, options(folder.path()), &asked);
    for file in files(folder.path()) {
        std::fs::remove_file(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
    }
    let engine = start(&model, options(folder.path()));
    assert_eq!(bits(&one(&engine, asked[0].clone())), first[0]);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| engine.shut_down());
        // The second signal of a server.
        while !engine.is_closing() {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(300));
        assert!(!engine.has_ended(), "it waits for what is written");
        engine.cancel_all();
    });
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}
