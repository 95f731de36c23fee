//! `jarrah bench throughput|latency|startup`: what an engine takes for requests.

use std::path::Path;
use std::time::Instant;

use jarrah::array::random::Key;
use jarrah::array::{Array, DType, TreeExt};
use jarrah::models::Pretrained;
use jarrah::serve::{Engine, EngineOptions, EngineRequest, LoadOptions, Params, Served, Stream};
use jarrah::{Error, Result};
use serde_json::{Map, Value};

use crate::cli::{BenchLatency, BenchModel, BenchServing, BenchThroughput};
use crate::output::show;
use crate::source::{WEIGHTS_CACHE, weights_cache};

pub fn bench(arguments: &BenchServing) -> Result<()> {
    match arguments {
        BenchServing::Throughput(arguments) => throughput(arguments),
        BenchServing::Latency(arguments) => latency(arguments),
        BenchServing::Startup(arguments) => startup(arguments),
        BenchServing::Serve(arguments) => super::load::serve(arguments),
    }
}

/// The model of a folder, or of a published shape with random weights.
fn served(arguments: &BenchModel) -> Result<Served> {
    jarrah::train::use_threads(arguments.threads);
    let path = Path::new(arguments.name());
    if path.exists() {
        let quantize = arguments.quantize.clone();
        return Served::open(
            path,
            &LoadOptions { dtype: arguments.dtype, quantize, ..LoadOptions::default() },
        );
    }
    let json = Pretrained::preset(arguments.name())?;
    let dtype = arguments.dtype.unwrap_or(DType::BF16);
    let model = Pretrained::shapes(&json)?;
    // Leaf by leaf, so that no more than one is there in a wider type.
    let (key, mut number) = (Key::new(0), 0);
    let random = |_: &str, x: &Array| {
        number += 1;
        let leaf = (key.fold_in(number).normal(&x.shape()) * 0.02).astype(dtype);
        leaf.block_until_ready().map(|()| leaf)
    };
    let mut model = model.try_map_with_paths(random)?;
    if let Some(rules) = &arguments.quantize {
        rules.apply(&mut model)?;
    }
    Ok(Served::new(arguments.name(), model))
}

/// The options of the engine: sequences of the `length` that is needed, or as long as memory has room for.
fn options(arguments: &BenchModel, length: Option<usize>) -> EngineOptions {
    EngineOptions {
        max_length: arguments.max_model_len.or(length),
        sequences: arguments.max_num_seqs,
        tokens_per_step: arguments.max_num_batched_tokens,
        weights_cache: weights_cache(WEIGHTS_CACHE),
        paced: false,
        ..EngineOptions::default()
    }
}

/// The tokens of a prompt and of an answer where nobody says how many.
const INPUT: usize = 128;
const OUTPUT: usize = 64;

/// Requests with prompts that have nothing in common.
fn requests(engine: &Engine, round: usize, count: usize, input: usize, output: usize) -> Vec<EngineRequest> {
    let vocabulary = engine.vocabulary() as u64;
    let token = |request: usize, i: usize| {
        let mix = (round as u64 * 7919 + request as u64 * 104_729 + i as u64 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((mix >> 33) % vocabulary) as u32
    };
    let params = Params { max_tokens: Some(output), ignore_eos: true, ..Params::greedy() };
    (0..count)
        .map(|request| EngineRequest {
            prompt: (0..input).map(|i| token(request, i)).collect(),
            params: params.clone(),
            ..EngineRequest::default()
        })
        .collect()
}

/// Prints numbers, each with its unit.
fn print(json: bool, numbers: &[(&str, f64, &str)]) -> Result<()> {
    if json {
        let all: Map<String, Value> =
            numbers.iter().map(|(name, value, _)| ((*name).to_owned(), (*value).into())).collect();
        return show(&format!("{}\n", Value::Object(all)));
    }
    let width = numbers.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let line = |(name, value, unit): &(&str, f64, &str)| format!("{name:width$}  {value:.2} {unit}\n");
    show(&numbers.iter().map(line).collect::<String>())
}

fn throughput(arguments: &BenchThroughput) -> Result<()> {
    let BenchThroughput { model, num_prompts, .. } = arguments;
    let served = served(model)?;
    // By default, in a model with a short context, prompts take two thirds of it and answers the rest.
    let context = served.model.context;
    let output_len = arguments.output_len.unwrap_or(OUTPUT.min((context / 3).max(1)));
    let input_len = arguments.input_len.unwrap_or(INPUT.min(context.saturating_sub(output_len).max(1)));
    let engine = Engine::start(served, options(model, Some(input_len + output_len)))?;
    let requests = requests(&engine, 0, *num_prompts, input_len, output_len);
    let begun = Instant::now();
    engine.generate(&requests)?;
    let seconds = begun.elapsed().as_secs_f64();
    let count = *num_prompts as f64;
    print(
        model.json,
        &[
            ("requests", count / seconds, "requests/s"),
            ("tokens", count * (input_len + output_len) as f64 / seconds, "tokens/s"),
            ("output_tokens", count * output_len as f64 / seconds, "tokens/s"),
            ("elapsed", seconds, "s"),
        ],
    )
}

/// The times of a batch: to the first token of the last request to have one, and to the end.
fn timed(engine: &Engine, requests: &[EngineRequest]) -> Result<(f64, f64)> {
    let begun = Instant::now();
    let streams: Vec<Stream> =
        requests.iter().map(|request| engine.add(request.clone())).collect::<Result<_>>()?;
    let mut first = 0.0f64;
    let mut rest = Vec::new();
    for mut stream in streams {
        stream.next().ok_or_else(|| Error::internal("an answer has a token"))?;
        first = first.max(begun.elapsed().as_secs_f64());
        rest.push(stream);
    }
    for stream in rest {
        stream.collect()?;
    }
    Ok((first, begun.elapsed().as_secs_f64()))
}

fn latency(arguments: &BenchLatency) -> Result<()> {
    let BenchLatency { model, batch_size, input_len, output_len, num_iters } = arguments;
    let engine = Engine::start(served(model)?, options(model, Some(input_len + output_len)))?;
    let (mut firsts, mut wholes) = (Vec::new(), Vec::new());
    // The first round is not counted.
    for round in 0..=*num_iters {
        let (first, whole) = timed(&engine, &requests(&engine, round, *batch_size, *input_len, *output_len))?;
        if round > 0 {
            firsts.push(first);
            wholes.push(whole);
        }
    }
    let (first, whole) = (median(&mut firsts), median(&mut wholes));
    let count = *batch_size as f64;
    let further = (output_len - 1) as f64;
    let step = (whole - first) / further.max(1.0);
    print(
        model.json,
        &[
            ("latency", whole * 1e3, "ms"),
            ("worst", wholes.last().copied().unwrap_or(whole) * 1e3, "ms"),
            ("first_token", first * 1e3, "ms"),
            ("prompt_tokens", count * *input_len as f64 / first, "tokens/s"),
            ("step", step * 1e3, "ms"),
            ("output_tokens", if further > 0.0 { count / step } else { 0.0 }, "tokens/s"),
        ],
    )
}

/// The median; the times are in order then.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn startup(arguments: &BenchModel) -> Result<()> {
    let begun = Instant::now();
    let served = served(arguments)?;
    let loaded = begun.elapsed().as_secs_f64();
    let engine = Engine::start(served, options(arguments, None))?;
    let started = begun.elapsed().as_secs_f64();
    let request = requests(&engine, 0, 1, 16.min(engine.max_length() - 1), 1);
    engine.generate(&request)?;
    let whole = begun.elapsed().as_secs_f64();
    print(
        arguments.json,
        &[
            ("weights", loaded * 1e3, "ms"),
            ("memory", (started - loaded) * 1e3, "ms"),
            ("token", (whole - started) * 1e3, "ms"),
            ("first_token", whole * 1e3, "ms"),
        ],
    )?;
    // The engine writes its packed weights when it ends, so that the next start finds them.
    engine.shut_down();
    Ok(())
}
