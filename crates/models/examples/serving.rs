//! What a decoder of 1.1 billion parameters does in a second, next to reading its weights once: steps of one sequence and of eight, and the
//! first 512 tokens of a sequence, with weights in `bf16`, of eight bits and of four.
//!
//! `cargo run --release -p jarrah-models --example serving [bf16] [q8_0] [q4_0] [int8] [..]`

use std::time::Instant;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Prepared, Result, TreeExt, jit};
use jarrah_models::Decoder;
use jarrah_nn::{Linear, State, Tokens, edit};
use jarrah_quant::{Scheme, quantize};
use serde_json::json;

/// How long a sequence may get.
const LENGTH: usize = 1024;

/// Tokens of a prompt.
const PROMPT: usize = 512;

fn main() -> Result<()> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let all = ["bf16", "q8_0", "q4_0"].map(String::from);
    for name in if named.is_empty() { &all[..] } else { &named } {
        measure(name)?;
    }
    Ok(())
}

fn measure(name: &str) -> Result<()> {
    let config = json!({
        "model_type": "llama", "vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632,
        "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4,
        "max_position_embeddings": 2048, "rms_norm_eps": 1e-5, "rope_theta": 10000,
    });
    let config = jarrah_models::ModelFamily::of(&config)?.config(&config)?;
    let model =
        jit(move |key: &Key| Decoder::new(&config, key).map_leaves(|x: &Array| x.astype(DType::BF16)));
    let mut model = model.call(Key::new(0))?;
    if name != "bf16" {
        let scheme = Scheme::ALL.iter().find(|scheme| scheme.name == name).copied();
        let scheme = scheme.ok_or_else(|| Error::input(format!("there is no scheme `{name}`")))?;
        edit(&mut model, .., |_, layer: &mut Linear| {
            let weight = quantize(&layer.weight.get(), scheme);
            TreeExt::<Array>::leaves(&weight).into_iter().for_each(|leaf| drop(leaf.block_until_ready()));
            layer.weight = weight.into();
        });
    }
    // A step looks up rows of the embeddings.
    let bytes: usize = TreeExt::<Array>::leaves(&model)
        .into_iter()
        .map(|leaf: &Array| leaf.size() * leaf.dtype().size())
        .sum::<usize>()
        - 2 * 32000 * 2048;
    let cache = |model: &Decoder, batch| model.init_cache(batch, LENGTH, DType::BF16);
    let caches = [1, 8].map(|batch| cache(&model, batch));
    let weights = Prepared::new(model);
    let step = jit(|(model, cache, (tokens, positions)): &(Decoder, State, (Array, Array))| {
        let batch = tokens.shape()[0];
        let last = Array::full(&[batch], tokens.shape()[1] as i32 - 1, DType::I32);
        let (logits, cache) = model.decode_at(tokens, cache, &Tokens::next(positions, tokens), &last);
        (cache, logits.argmax(1).astype(DType::I32).reshape(&[batch, 1]))
    })
    .donate(1)
    .prepared(&weights);
    let read = reading(bytes);
    println!(
        "{name}: weights {:.0} MB, read once in {:.1} ms ({:.1} GB/s)",
        bytes as f64 / 1e6,
        read,
        bytes as f64 / read / 1e6
    );
    let [mut cache, mut eight] = caches;
    let prompt = Array::arange(PROMPT).astype(DType::I32).reshape(&[1, PROMPT]);
    let mut times = Vec::new();
    for round in 0..4 {
        let start = Instant::now();
        let (after, next) = step.call((cache, (prompt.clone(), Array::full(&[1], 0, DType::I32))))?;
        next.to_vec::<i32>()?;
        cache = after;
        if round > 0 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    let time = median(&mut times);
    println!("  512 tokens in {time:.0} ms: {:.0} tokens/s", 512e3 / time);
    let decode = |mut cache: State, batch: usize| -> Result<State> {
        let mut token = Array::full(&[batch, 1], 1, DType::I32);
        let mut times = Vec::new();
        for position in 16..64 {
            let start = Instant::now();
            (cache, token) = step.call((cache, (token, Array::full(&[batch], position, DType::I32))))?;
            token.to_vec::<i32>()?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let time = median(&mut times);
        println!(
            "  batch {batch}: a step in {time:.1} ms ({:.1} at best), {:.1} tokens/s, {:.2} x the time of reading",
            times[0],
            1e3 * batch as f64 / time,
            time / read
        );
        Ok(cache)
    };
    decode(cache, 1)?;
    eight = decode(eight, 8)?;
    drop(eight);
    Ok(())
}

/// How long two threads read so many bytes, in milliseconds.
fn reading(bytes: usize) -> f64 {
    let data = vec![1u64; bytes / 8];
    let sum = |part: &[u64]| {
        // Several sums side by side, so that the loads and not the additions are what takes the time.
        let mut lanes = [0u64; 64];
        for chunk in part.chunks_exact(64) {
            lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane = lane.wrapping_add(*x));
        }
        lanes.iter().fold(0u64, |s, x| s.wrapping_add(*x))
    };
    let mut times = Vec::new();
    for _ in 0..7 {
        let start = Instant::now();
        let (a, b) = data.split_at(data.len() / 2);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| sum(b));
            std::hint::black_box(sum(a).wrapping_add(other.join().unwrap_or(0)))
        });
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    median(&mut times)
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
