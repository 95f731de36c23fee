//! `ragged_all_to_all`, beside the loops of its definition.

use std::ops::Range;

use jarrah_base::{DType, Literal, Type};
use jarrah_testing::programs::Rng;

use super::on_devices::both;
use super::{f32s, refusal};

/// The devices of an exchange, its groups as `replica_groups` has them, and whether it is over a channel.
struct World {
    processes: (usize, usize),
    stated: &'static [&'static [usize]],
    /// The groups by the devices' numbers, all partitions of the first replica first.
    groups: &'static [&'static [usize]],
    channel: bool,
}

const WORLDS: [World; 6] = [
    World { processes: (1, 1), stated: &[&[0]], groups: &[&[0]], channel: true },
    World { processes: (1, 2), stated: &[&[0, 1]], groups: &[&[0, 1]], channel: true },
    World { processes: (1, 4), stated: &[&[2, 0, 3, 1]], groups: &[&[2, 0, 3, 1]], channel: true },
    World { processes: (1, 4), stated: &[&[0, 2], &[3, 1]], groups: &[&[0, 2], &[3, 1]], channel: true },
    World { processes: (2, 2), stated: &[&[1, 0]], groups: &[&[1, 0], &[3, 2]], channel: true },
    World { processes: (2, 2), stated: &[&[0, 1]], groups: &[&[0, 2], &[1, 3]], channel: false },
];

/// The rows of a tensor of two columns: those sent, and the result where none arrives.
const SENT: usize = 7;
const RESULT: usize = 9;

fn function(world: &World, slices: usize, numbers: &str) -> (String, String) {
    let (sent, result) = (format!("tensor<{SENT}x2xf32>"), format!("tensor<{RESULT}x2xf32>"));
    let table = format!("tensor<{slices}x{numbers}>");
    let types = format!("{sent}, {result}, {table}, {table}, {table}, {table}");
    let channel = if world.channel { "channel_id = 1 : i64, " } else { "" };
    let (lists, width) = (world.stated, world.stated[0].len());
    let text = format!(
        "func.func @each(%a: {sent}, %b: {result}, %c: {table}, %d: {table}, %e: {table}, %f: {table}) -> {result} {{
%0 = stablehlo.custom_call @ragged_all_to_all(%a, %b, %c, %d, %e, %f) {{api_version = 4 : i32, \
backend_config = {{{channel}replica_groups = dense<{lists:?}> : tensor<{}x{width}xi64>}}}} : ({types}) -> {result}
return %0 : {result}
}}",
        lists.len()
    );
    (text, types)
}

/// The arguments of all devices: of one group at a time, since the slices that arrive at a device lie apart.
struct Tables {
    offsets: Vec<Vec<usize>>,
    sizes: Vec<Vec<usize>>,
    targets: Vec<Vec<usize>>,
    arriving: Vec<Vec<usize>>,
}

fn tables(rng: &mut Rng, world: &World, each: usize) -> Tables {
    let (count, slices) = (world.processes.0 * world.processes.1, world.stated[0].len() * each);
    let empty = || vec![vec![0; slices]; count];
    let mut all = Tables { offsets: empty(), sizes: empty(), targets: empty(), arriving: empty() };
    for group in world.groups {
        for (rank, &device) in group.iter().enumerate() {
            // Slices from all ranks, in a random order, with gaps.
            let mut from: Vec<(usize, usize)> =
                (0..group.len()).flat_map(|sender| (0..each).map(move |k| (sender, k))).collect();
            for at in (1..from.len()).rev() {
                from.swap(at, rng.below(at + 1));
            }
            let mut start = 0;
            for (sender, k) in from {
                start += rng.below(2);
                let size = rng.below(4).min(RESULT.saturating_sub(start)).min(SENT);
                let entry = rank * each + k;
                let offset = rng.below(SENT - size + 1);
                all.offsets[group[sender]][entry] = offset;
                all.sizes[group[sender]][entry] = size;
                all.targets[group[sender]][entry] = start;
                all.arriving[device][sender * each + k] = size;
                start += size;
            }
        }
    }
    all
}

/// The result of each device, as the senders write it.
fn model(
    world: &World,
    each: usize,
    tables: &Tables,
    sent: &[Vec<f32>],
    output: &[Vec<f32>],
) -> Vec<Vec<f32>> {
    let mut results = output.to_vec();
    for group in world.groups {
        for &sender in *group {
            for entry in (0..group.len() * each).filter(|&entry| tables.sizes[sender][entry] > 0) {
                let rows =
                    |start: usize| -> Range<usize> { 2 * start..2 * (start + tables.sizes[sender][entry]) };
                let taken = rows(tables.offsets[sender][entry]);
                let placed = rows(tables.targets[sender][entry]);
                results[group[entry / each]][placed].copy_from_slice(&sent[sender][taken]);
            }
        }
    }
    results
}

#[test]
fn random_slices_of_rows_arrive_where_their_senders_say() {
    for seed in 0..36 {
        let rng = &mut Rng::new(seed + 7);
        let world = &WORLDS[seed as usize % WORLDS.len()];
        let (each, numbers, dtype) = [(1, "i32", DType::I32), (2, "i64", DType::I64)][seed as usize / 6 % 2];
        let count = world.processes.0 * world.processes.1;
        let slices = world.stated[0].len() * each;
        let tables = tables(rng, world, each);
        let values = |rows: usize, from: usize| -> Vec<Vec<f32>> {
            let row =
                |device: usize| (0..2 * rows).map(move |at| (1000 * device + from + at) as f32).collect();
            (0..count).map(row).collect()
        };
        let (sent, output) = (values(SENT, 0), values(RESULT, 500));
        let table = |table: &Vec<usize>| {
            let numbers: Vec<f64> = table.iter().map(|&n| n as f64).collect();
            Literal::from_f64s(Type::tensor(dtype, [slices]), &numbers).unwrap()
        };
        let arguments: Vec<Vec<Literal>> = (0..count)
            .map(|at| {
                let tables = [&tables.offsets, &tables.sizes, &tables.targets, &tables.arriving];
                let rows = [f32s(&[SENT, 2], &sent[at]), f32s(&[RESULT, 2], &output[at])];
                rows.into_iter().chain(tables.map(|all| table(&all[at]))).collect()
            })
            .collect();
        let (text, types) = function(world, slices, numbers);
        let found = both(&text, (&types, &format!("tensor<{RESULT}x2xf32>")), world.processes, &arguments);
        let expected = model(world, each, &tables, &sent, &output);
        for (device, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found[0], f32s(&[RESULT, 2], expected), "seed {seed}, device {device}");
        }
    }
}

#[test]
fn lists_that_do_not_fit_the_ranks_are_refused() {
    let world = &WORLDS[0];
    let (text, _) = function(world, 2, "f32");
    let (message, line) = refusal(&text.replace("@each", "@main"));
    assert!(message.contains("its offsets and sizes are no lists of integers") && line == 2, "{message}");
}
