use jarrah_base::{Element, Error, Literal, Result, Type, with_element};
use jarrah_hlo::ops::{RngAlgorithm, RngBitGenerator};

use crate::threefry::block;

/// The state after, and the bits, as XLA computes them on processors: the default algorithm is Philox.
pub fn rng_bit_generator(op: &RngBitGenerator, state: &Literal) -> Result<Vec<Literal>> {
    let mut words = state.as_slice::<u64>()?.to_vec();
    let &[key, counter, ..] = &words[..] else {
        return Err(Error::internal(format!("the state {} has no counter", state.ty())));
    };
    let dims = op.ty.dims();
    let wide = op.ty.dtype().size() == 8;
    let count: usize = dims.iter().product();
    let (bits, used) = match op.algorithm {
        RngAlgorithm::Threefry => threefry(key, counter, &dims, wide),
        RngAlgorithm::Default | RngAlgorithm::Philox => {
            let high = words.get(2).copied().unwrap_or(key);
            philox(key, u128::from(high) << 64 | u128::from(counter), count, wide)
        }
    };
    match &mut words[..] {
        [_, low, high] => {
            let next = (u128::from(*high) << 64 | u128::from(*low)).wrapping_add(u128::from(used));
            (*low, *high) = (next as u64, (next >> 64) as u64);
        }
        words => words[1] = counter.wrapping_add(used),
    }
    Ok(vec![Literal::from_slice(&[words.len()], &words)?, narrowed(op.ty, &bits)?])
}

/// The low bits of each word.
fn narrowed(ty: Type, bits: &[u64]) -> Result<Literal> {
    let size = ty.dtype().size();
    if ty.dtype().is_integer() {
        let mut out = Literal::zeros(ty)?;
        with_element!(ty.dtype(), T => {
            for (to, &bits) in out.as_mut_slice::<T>()?.iter_mut().zip(bits) {
                *to = <T as Element>::from_i128(i128::from(bits));
            }
        });
        return Ok(out);
    }
    let bytes: Vec<u8> = bits.iter().flat_map(|b| b.to_le_bytes()[..size].to_vec()).collect();
    Literal::from_bytes(ty, &bytes)
}

/// Words of 32 bits, or of 64 if `wide`, and by how much the counter moves.
fn threefry(key: u64, counter: u64, dims: &[usize], wide: bool) -> (Vec<u64>, u64) {
    let count: usize = dims.iter().product();
    let words = |at: u64| {
        let at = counter.wrapping_add(at);
        block([key as u32, (key >> 32) as u32], [at as u32, (at >> 32) as u32])
    };
    if wide {
        let bits = (0..count as u64).map(|i| {
            let [low, high] = words(i);
            u64::from(low) | u64::from(high) << 32
        });
        return (bits.collect(), count as u64);
    }
    // One axis is cut into halves, whose elements take turns along it: the first of even extent, else the largest.
    let first_largest = |best: usize, i: usize| if dims[i] > dims[best] { i } else { best };
    let split =
        dims.iter().position(|d| d % 2 == 0).unwrap_or_else(|| (1..dims.len()).fold(0, first_largest));
    let extent = dims.get(split).copied().unwrap_or(1);
    let half = extent.div_ceil(2);
    let inner: usize = dims.iter().skip(split + 1).product();
    let outer: usize = dims.iter().take(split).product();
    let mut bits = Vec::with_capacity(count);
    for o in 0..outer {
        for i in 0..extent {
            for rest in 0..inner {
                let at = (o * half + i / 2) * inner + rest;
                bits.push(u64::from(words(at as u64)[i % 2]));
            }
        }
    }
    (bits, (outer * half * inner) as u64)
}

/// The blocks of consecutive counters, one after another.
fn philox(key: u64, counter: u128, count: usize, wide: bool) -> (Vec<u64>, u64) {
    let per_block = if wide { 2 } else { 4 };
    let blocks = count.div_ceil(per_block);
    let mut bits = Vec::with_capacity(blocks * per_block);
    for i in 0..blocks {
        let block = philox_block([key as u32, (key >> 32) as u32], counter.wrapping_add(i as u128));
        if wide {
            bits.extend(block.chunks(2).map(|w| u64::from(w[0]) | u64::from(w[1]) << 32));
        } else {
            bits.extend(block.map(u64::from));
        }
    }
    bits.truncate(count);
    (bits, blocks as u64)
}

/// Ten rounds of Philox-4x32.
fn philox_block(mut key: [u32; 2], counter: u128) -> [u32; 4] {
    let mut x = [0, 32, 64, 96].map(|shift| (counter >> shift) as u32);
    for _ in 0..10 {
        let a = u64::from(x[0]) * 0xD251_1F53;
        let b = u64::from(x[2]) * 0xCD9E_8D57;
        x = [(b >> 32) as u32 ^ x[1] ^ key[0], b as u32, (a >> 32) as u32 ^ x[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    x
}
