//! Logits through caches are the bits of the training form: however prompts are cut, whatever else is in the batch, wherever the cache
//! lies, on any number of threads and any instruction set.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::process::Command;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, jit, try_trace};
use jarrah_models::{Decoder, DecoderConfig, Extents};
use jarrah_nn::{State, Tokens};

use crate::gpt::{grouped, logits};

const VOCABULARY: usize = 19;
/// More than two blocks of the kernels' 64 keys.
const CONTEXT: usize = 150;
const LENGTHS: [usize; 8] = [70, 5, 131, 1, 70, 131, 5, 131];

/// A model with weights large enough for attention to be sharp.
fn model(dtype: DType) -> Decoder {
    model_with(8.0, dtype)
}

fn model_with(factor: f64, dtype: DType) -> Decoder {
    let extents = Extents {
        vocabulary: Some(VOCABULARY),
        context: Some(CONTEXT),
        layers: Some(2),
        heads: Some(4),
        width: Some(24),
        ..Extents::default()
    };
    let config = grouped(DecoderConfig::gpt2(&extents).unwrap(), 2);
    Decoder::new(&config, &Key::new(4)).map_leaves(|w: &Array| (w * factor).astype(dtype))
}

fn prompts() -> Vec<Vec<i32>> {
    let word = |i: usize, j: usize| ((i * 7919 + j * j * 31 + j * 17 + 3) % VOCABULARY) as i32;
    LENGTHS.iter().enumerate().map(|(i, &length)| (0..length).map(|j| word(i, j)).collect()).collect()
}

/// The numbers below `count` in an order that `seed` picks.
fn permutation(count: usize, seed: u64) -> Vec<i32> {
    Key::new(seed).permutation(count).to_vec().unwrap()
}

/// How sequences go through a cache.
#[derive(Clone, Copy, Debug)]
struct How {
    /// The tokens of each that go in at once.
    chunk: usize,
    /// The positions of a page, and the order in which pages are given out; none: a run for each sequence.
    pages: Option<(usize, u64)>,
    dtype: Option<DType>,
}

type Step = (Decoder, Array, State, (Array, Option<Array>));

/// The bits of the logits after each token of each sequence, fed together.
fn decoded(model: &Decoder, sequences: &[Vec<i32>], how: How) -> Vec<Vec<u32>> {
    let batch = sequences.len();
    let dtype = how.dtype.unwrap_or(model.embed.table.dtype());
    let (mut cache, table) = match how.pages {
        None => (model.init_cache(batch, CONTEXT, dtype), None),
        Some((page, seed)) => {
            let most = CONTEXT.div_ceil(page);
            // Sequences have the pages that they need; -1 is none.
            let mut free = permutation(batch * most + 3, seed).into_iter();
            let mut table = vec![-1; batch * most];
            for at in 0..most {
                for (b, tokens) in sequences.iter().enumerate() {
                    if at * page < tokens.len() {
                        table[b * most + at] = free.next().unwrap();
                    }
                }
            }
            let cache = model.init_cache(batch * most + 3, page, dtype);
            (cache, Some(Array::new(&table, &[batch, most])))
        }
    };
    let step = jit(|(model, tokens, cache, (seen, pages)): &Step| {
        let at = Tokens { pages: pages.clone(), ..Tokens::next(seen, tokens) };
        let (logits, cache) = model.decode(tokens, cache, &at);
        (logits.astype(DType::F32), cache)
    })
    .donate(2);
    let mut seen = vec![0; batch];
    let mut rows = vec![Vec::new(); batch];
    while (0..batch).any(|b| seen[b] < sequences[b].len()) {
        let mut ids = Vec::new();
        let mut fed = Vec::new();
        for (b, tokens) in sequences.iter().enumerate() {
            // Chunks of different lengths, filled up; what is finished feeds nothing.
            let most = if b % 3 == 1 { how.chunk.div_ceil(2) } else { how.chunk };
            let part = &tokens[seen[b]..tokens.len().min(seen[b] + most)];
            ids.extend(part);
            ids.resize((b + 1) * how.chunk, 0);
            fed.push(part.len());
        }
        let positions: Vec<i32> = seen.iter().map(|&n| n as i32).collect();
        let at = (Array::from_slice(&positions), table.clone());
        let tokens = Array::new(&ids, &[batch, how.chunk]);
        let (logits, next) = step.call((model.clone(), tokens, cache, at)).unwrap();
        cache = next;
        let logits: Vec<f32> = logits.to_vec().unwrap();
        for b in 0..batch {
            let from = b * how.chunk * VOCABULARY;
            rows[b].extend(logits[from..from + fed[b] * VOCABULARY].iter().map(|x| x.to_bits()));
            seen[b] += fed[b];
        }
    }
    rows
}

/// The same through the training form, each sequence for itself.
fn trained(model: &Decoder, sequences: &[Vec<i32>]) -> Vec<Vec<u32>> {
    let forward = jit(|(model, tokens): &(Decoder, Array)| logits(model, tokens).astype(DType::F32));
    let one = |tokens: &Vec<i32>| {
        let logits = forward.call((model.clone(), Array::new(tokens, &[1, tokens.len()]))).unwrap();
        logits.to_vec::<f32>().unwrap().iter().map(|x| x.to_bits()).collect()
    };
    sequences.iter().map(one).collect()
}

const WAYS: [(usize, Option<(usize, u64)>); 4] =
    [(64, None), (17, None), (64, Some((16, 1))), (17, Some((5, 2)))];

#[test]
fn cuts_batches_and_pages_do_not_change_a_bit() {
    for dtype in [DType::F32, DType::BF16] {
        let (model, prompts) = (model(dtype), prompts());
        let expected = trained(&model, &prompts);
        assert_ne!(expected[0][..VOCABULARY], expected[0][VOCABULARY..2 * VOCABULARY], "logits differ");
        for (chunk, pages) in WAYS {
            let how = How { chunk, pages, dtype: None };
            assert!(decoded(&model, &prompts, how) == expected, "{dtype} in a batch of 8, {how:?}");
        }
        for (which, chunk, pages) in [(0, 1, None), (0, 1, Some((7, 3))), (2, CONTEXT, None)] {
            let (how, alone) = (How { chunk, pages, dtype: None }, &prompts[which..=which]);
            assert!(decoded(&model, alone, how) == expected[which..=which], "{dtype} alone, {how:?}");
        }
    }
}

/// What is stored in few bits is another function, but of the same tokens alone.
#[test]
fn caches_of_few_bits_give_the_same_logits_in_any_batch_and_layout() {
    let (model, prompts) = (model_with(3.0, DType::F32), prompts());
    let exact = trained(&model, &prompts);
    let distance = |a: &[Vec<u32>], b: &[Vec<u32>]| {
        let of = |x: &u32| f64::from(f32::from_bits(*x));
        let pairs = || a.iter().flatten().zip(b.iter().flatten());
        let square = pairs().map(|(x, y)| (of(x) - of(y)).powi(2)).sum::<f64>();
        (square / pairs().map(|(_, y)| of(y).powi(2)).sum::<f64>()).sqrt()
    };
    // The relative error of a rounded element.
    for (dtype, unit) in [
        (DType::BF16, 2f64.powi(-8)),
        (DType::I8, 0.5 / 127.0),
        (DType::F8E4M3FN, 2f64.powi(-4)),
        (DType::F8E5M2, 2f64.powi(-3)),
    ] {
        let dtype = Some(dtype);
        let alone: Vec<Vec<u32>> = prompts
            .iter()
            .flat_map(|p| decoded(&model, std::slice::from_ref(p), How { chunk: 64, pages: None, dtype }))
            .collect();
        for (chunk, pages) in WAYS {
            let how = How { chunk, pages, dtype };
            assert!(decoded(&model, &prompts, how) == alone, "{how:?}");
        }
        let off = distance(&alone, &exact);
        assert!(off > 0.0 && off < unit, "{dtype:?} is off by {off:.1e}");
    }
}

const MARK: &str = "hash of logits:";

/// Not a test of its own: [`threads_and_instructions_do_not_change_a_bit`] runs it in processes of their own.
#[test]
fn child() {
    if std::env::var_os("JARRAH_DECODING_CHILD").is_none() {
        return;
    }
    let prompts = prompts();
    let mut hasher = DefaultHasher::new();
    let mut add = |dtype, cached| {
        let model = model(dtype);
        trained(&model, &prompts[..3]).hash(&mut hasher);
        let how = How { chunk: 64, pages: Some((16, 1)), dtype: cached };
        decoded(&model, &prompts, how).hash(&mut hasher);
        decoded(&model, &prompts[..1], How { chunk: 1, pages: None, dtype: cached }).hash(&mut hasher);
    };
    add(DType::F32, None);
    add(DType::BF16, None);
    add(DType::F32, Some(DType::I8));
    println!("{MARK} {:016x}", hasher.finish());
}

fn in_a_child(threads: &str, tier: Option<&str>) -> Result<String, String> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["decoding::child", "--exact", "--nocapture"]);
    command.env("JARRAH_DECODING_CHILD", "1").env("JARRAH_THREADS", threads);
    match tier {
        Some(tier) => command.env("JARRAH_CPU", tier),
        None => command.env_remove("JARRAH_CPU"),
    };
    let out = command.output().unwrap();
    let text = [out.stdout, out.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).join("\n");
    let line = text.lines().find_map(|line| line.split_once(MARK)).map(|(_, hash)| hash.trim().to_owned());
    line.filter(|_| out.status.success()).ok_or(text)
}

#[test]
fn threads_and_instructions_do_not_change_a_bit() {
    let expected = in_a_child("1", None).unwrap();
    for threads in ["2", "7"] {
        assert_eq!(in_a_child(threads, None).unwrap(), expected, "{threads} threads");
    }
    for (tier, threads) in [("portable", "2"), ("avx2", "7"), ("avx512", "2")] {
        match in_a_child(threads, Some(tier)) {
            Ok(found) => assert_eq!(found, expected, "{tier}"),
            Err(text) => assert!(text.contains("does not have"), "{tier}: {text}"),
        }
    }
}

#[test]
fn what_has_no_place_is_dropped_and_disturbs_nothing() {
    let (model, prompts) = (model(DType::F32), prompts());
    let expected = trained(&model, &prompts[2..3]);
    // The last chunk of 60 goes from 120 to 180: behind the end of the run of 150, and to a page that the sequence does not have.
    let how = How { chunk: 60, pages: None, dtype: None };
    assert!(decoded(&model, &prompts[2..3], how) == expected);
    let paged = How { pages: Some((44, 5)), ..how };
    assert!(decoded(&model, &prompts[2..3], paged) == expected);
}

#[test]
fn sequences_that_do_not_fit_are_errors() {
    let model = model(DType::F32);
    let cache = model.init_cache(2, 8, DType::F32);
    let tokens = |batch: usize| Array::zeros(&[batch, 1]).astype(DType::I32);
    let says = |tokens: Array, seen: &Array, pages: Option<Array>| {
        let decode = || model.decode(&tokens, &cache, &Tokens { pages, ..Tokens::next(seen, &tokens) }).0;
        try_trace(decode).unwrap_err().message().to_owned()
    };
    let two = Array::from_slice(&[0i32, 1]);
    assert_eq!(says(tokens(3), &two, None), "positions are i32[2], they must be integers [3]");
    let three = Array::from_slice(&[0i32, 1, 2]);
    assert_eq!(says(tokens(3), &three, None), "3 sequences in a cache of 2 runs");
    let pages = Array::zeros(&[2, 4]);
    let expected = "pages are f32[2,4], they must be integers [2, pages of each]";
    assert_eq!(says(tokens(2), &two, Some(pages)), expected);
    let at = Tokens::next(&two, &tokens(2));
    let error = try_trace(|| model.decode(&Array::full(&[2, 3], 1, DType::I32), &cache, &at)).unwrap_err();
    assert_eq!(error.message(), "tokens i32[2,3] at positions i32[2,1]");
    let error = try_trace(|| model.init_cache(1, 8, DType::I32)).unwrap_err();
    assert_eq!(error.message(), "a cache cannot hold i32");
}
