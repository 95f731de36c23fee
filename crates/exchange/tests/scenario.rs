//! Random collectives, of which every rank knows the result by straightforward computation from everyone's data.

use jarrah_base::{Location, Result};
use jarrah_exchange::{CollectiveCall, Combine, Exchange, ReceiveInto, Tag};

use crate::random::Random;

/// Sums of `f32`, whose bits depend on the order.
pub fn add(into: &mut [u8], from: &[u8]) {
    for (a, b) in into.as_chunks_mut::<4>().0.iter_mut().zip(from.as_chunks::<4>().0) {
        *a = (f32::from_le_bytes(*a) + f32::from_le_bytes(*b)).to_le_bytes();
    }
}

pub const SUM: Combine<'static> = Combine { element: 4, function: &add };

/// The data of a rank: floats of very different sizes, so that sums in another order have other bits.
pub fn floats(seed: u64, rank: usize, count: usize) -> Vec<u8> {
    let mut random = Random::new(seed ^ ((rank as u64 + 1) << 40));
    let value = |_| {
        let bits = random.next();
        let scale = (2.0f32).powi((bits % 40) as i32 - 20);
        ((bits >> 8) as u32 as f32 / u32::MAX as f32 - 0.5) * scale
    };
    (0..count).map(value).flat_map(f32::to_le_bytes).collect()
}

/// The sum of these members' data in order.
pub fn sum(seed: u64, group: &[usize], count: usize) -> Vec<u8> {
    let mut total = floats(seed, group[0], count);
    group[1..].iter().for_each(|&rank| add(&mut total, &floats(seed, rank, count)));
    total
}

/// The ranks in random groups; that of `rank`.
fn group(random: &mut Random, size: usize, rank: usize) -> Vec<usize> {
    let order = random.order(size);
    let cut = random.below(size + 1);
    let (a, b) = order.split_at(cut);
    if a.contains(&rank) { a.to_vec() } else { b.to_vec() }
}

fn count(random: &mut Random) -> usize {
    match random.below(6) {
        0 => random.below(3),
        1 => random.below(100),
        // Around the largest small message.
        2 => 4090 + random.below(12),
        // Around pieces of large messages and several of them.
        3 => 32_760 + random.below(16),
        4 => random.below(20_000),
        _ => random.below(250_000),
    }
}

/// Runs `steps` random collectives of one seed as run `run`, and checks every result.
pub fn check(exchange: &dyn Exchange, run: u64, seed: u64, steps: u32) -> Result<()> {
    let mut random = Random::new(seed);
    let (rank, size) = (exchange.rank(), exchange.size());
    for step in 0..steps {
        let data = random.next();
        let group = group(&mut random, size, rank);
        let place = group.iter().position(|&member| member == rank).expect("a member");
        let n = count(&mut random);
        let kind = random.below(7);
        let choice = random.next() as usize;
        let tag = Tag { run: run as u32, step, turn: 7, ..Tag::default() };
        let named = |name| CollectiveCall::new(name, tag).at(Location::new("tests/model.rs", step + 1, 1));
        let what = format!("step {step} kind {kind} group {group:?} count {n} rank {rank}");
        let mine = floats(data, rank, n);
        match kind {
            0 => {
                let mut bytes = mine.clone();
                exchange.all_reduce(&named("all_reduce"), &group, &mut bytes, SUM)?;
                assert!(bytes == sum(data, &group, n), "{what}");
            }
            1 => {
                let whole = floats(data, rank, n * group.len());
                let mut into = vec![0; n * 4];
                exchange.reduce_scatter(&named("reduce_scatter"), &group, &whole, &mut into, SUM)?;
                let expected = sum(data, &group, n * group.len());
                assert!(into == expected[place * n * 4..(place + 1) * n * 4], "{what}");
            }
            2 => {
                // Each member's bytes have another length.
                let own = &floats(data, rank, n + rank);
                let all = exchange.all_gather(&named("all_gather"), &group, own)?;
                let expected: Vec<_> = group.iter().map(|&rank| floats(data, rank, n + rank)).collect();
                assert!(all == expected, "{what}");
            }
            3 => {
                let mut all = vec![0; n * 4 * group.len()];
                exchange.all_gather_into(&named("all_gather"), &group, &mine, &mut all)?;
                let expected: Vec<_> = group.iter().flat_map(|&rank| floats(data, rank, n)).collect();
                assert!(all == expected, "{what}");
            }
            4 => {
                let piece =
                    |from: usize, to: usize| floats(data + 31 * to as u64, from, (n >> (to % 3)) + to);
                let pieces: Vec<_> = group.iter().map(|&to| piece(rank, to)).collect();
                let pieces: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..]).collect();
                let all = exchange.all_to_all(&named("all_to_all"), &group, &pieces)?;
                let expected: Vec<_> = group.iter().map(|&from| piece(from, rank)).collect();
                assert!(all == expected, "{what}");
            }
            5 => {
                let root = group[choice % group.len()];
                let mut bytes = mine.clone();
                exchange.broadcast(&named("broadcast"), &group, root, &mut bytes)?;
                assert!(bytes == floats(data, root, n), "{what}");
            }
            _ => {
                // A ring of messages, every second rank receiving first.
                let (next, last) = ((rank + 1) % size, (rank + size - 1) % size);
                let collective = named("send");
                let mut bytes = Vec::new();
                if size > 1 && rank % 2 == 0 {
                    exchange.send(&collective, next, &mine)?;
                }
                if size > 1 {
                    exchange.receive(&collective, last, ReceiveInto::Any(&mut bytes))?;
                    assert!(bytes == floats(data, last, n), "{what}");
                }
                if size > 1 && rank % 2 == 1 {
                    exchange.send(&collective, next, &mine)?;
                }
                exchange.barrier(&named("barrier"), &(0..size).collect::<Vec<_>>())?;
            }
        }
    }
    Ok(())
}
