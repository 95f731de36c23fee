//! Positions: every stage resumes anywhere, and lanes on any number of threads and hosts.

use jarrah_base::{ErrorKind, Result};
use jarrah_data::random::{Generator, Pcg64};
use jarrah_data::{
    IterDataset, IterState, Lanes, MapDataset, PackOptions, ReadOptions, ShardOptions, SplitOptions,
};

use super::order::{Value, golden, in_turn};

const NO_THREADS: ReadOptions = ReadOptions { threads: 0, buffer: 0 };

/// Reads a state as a checkpoint stores it.
fn stored(state: &IterState) -> IterState {
    serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap()
}

#[test]
fn every_stage_resumes_at_every_element() {
    let golden = golden();
    for (i, pipeline) in golden["pipelines"].as_array().unwrap().iter().enumerate() {
        let many = golden["pipelines"].as_array().unwrap().len() > 64;
        let dataset = in_turn(&pipeline["stages"], NO_THREADS);
        let count = pipeline["elements"].as_array().unwrap().len();
        let mut whole = dataset.iter().unwrap();
        let (mut elements, mut states) = (Vec::new(), vec![whole.state()]);
        for _ in 0..count {
            elements.push(whole.next().unwrap().unwrap());
            states.push(whole.state());
        }
        let threads = in_turn(&pipeline["stages"], ReadOptions { threads: 2, buffer: 7 });
        for (at, state) in states.iter().enumerate().step_by(if many { 23 } else { 3 }) {
            let options = if at % 2 == 0 { &dataset } else { &threads };
            let mut resumed = options.iter().unwrap();
            resumed.set_state(&stored(state)).unwrap();
            assert_eq!(resumed.state(), *state, "pipeline {i} at {at}: {}", pipeline["stages"]);
            let rest: Vec<Value> = resumed.take(count - at).collect::<Result<_>>().unwrap();
            assert!(rest == elements[at..], "pipeline {i} at {at}: {}", pipeline["stages"]);
        }
    }
}

struct Draw(Generator<Pcg64>);

impl Draw {
    fn below(&mut self, n: i64) -> i64 {
        self.0.integers(0, n).unwrap()
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }
}

fn tokens(x: i64) -> jarrah_data::Features {
    let tokens: Vec<i32> = (0..1 + x % 5).map(|t| (x * 10 + t) as i32).collect();
    [("a".to_owned(), jarrah_base::Literal::from_slice(&[tokens.len()], &tokens).unwrap())].into()
}

/// Shuffled and mixed records in lanes with random stages of their own.
fn drawn(draw: &mut Draw) -> Lanes<Vec<i64>> {
    let seed = draw.below(1 << 20) as u64;
    let records = MapDataset::range(0, 40 + draw.below(300), 1);
    let records = if draw.yes() { records.shuffle(seed) } else { records };
    let other = MapDataset::range(10_000, 10_000 + 20 + draw.below(50), 1).shuffle(seed + 1);
    let records = if draw.yes() { MapDataset::mix(&[records, other], Some(&[0.7, 0.3])) } else { records };
    let records = if draw.yes() { records.repeat(Some(2)) } else { records };
    let lanes = [1, 2, 4, 6, 12][draw.below(5) as usize];
    let (filter, fan, window, random, kind) = (draw.yes(), draw.yes(), draw.yes(), draw.yes(), draw.below(5));
    records.lanes(lanes, move |lane| {
        let mut ds = lane.to_iter();
        if filter {
            ds = ds.filter(|x| x % 3 != 1);
        }
        if fan {
            ds = ds.flat_map(|x| (0..x % 4).map(|i| 4 * x + i).collect());
        }
        if window {
            ds = ds.window_shuffle(7, seed);
        }
        if random {
            ds = ds.random_map(seed, |rng, x| Ok(x * 100 + rng.integers(0, 100)?));
        }
        let numbers = |row: jarrah_data::Features| -> Vec<i64> {
            row.values().flat_map(|l| l.to_i128_vec()).map(|x| x as i64).collect()
        };
        match kind {
            0 => ds.map(|x| vec![x]),
            1 => ds.batch_with(3, false, Ok),
            2 => ds.map(tokens).pack(PackOptions::new("a", 8, 3)).map(numbers),
            3 => ds.map(tokens).concat_then_split(SplitOptions::new("a", 6)).map(numbers),
            _ => ds.map_with_index(|i, x| vec![i as i64, x]),
        }
    })
}

/// A sequence of attempts: each has some hosts with some threads, delivers some elements, stores its position once in a while, and is killed. Hosts step
/// together. The elements up to the stored positions are those of one uninterrupted worker, in its order.
fn survives(number: u64) {
    let mut draw = Draw(Generator::new(Pcg64::seeded(number)));
    let lanes = drawn(&mut draw);
    let whole: Vec<Vec<i64>> = lanes.to_iter(NO_THREADS).iter().unwrap().collect::<Result<_>>().unwrap();
    let (mut delivered, mut position): (Vec<Vec<i64>>, Option<IterState>) = (Vec::new(), None);
    for attempt in 0.. {
        let last = attempt == 6;
        // In step, hosts deliver the order of one where their number divides that of lanes.
        let hosts = if last { 1 } else { [1, 1, 2, 3, 4][draw.below(5) as usize] };
        let hosts = if lanes.count().is_multiple_of(hosts) { hosts } else { 1 };
        let threads = draw.below(4) as usize;
        let options = ReadOptions { threads, buffer: draw.below(40) as usize };
        let mut iterators = Vec::new();
        for host in 0..hosts {
            let shard = lanes.shard(ShardOptions::new(host, hosts).unwrap());
            let mut iterator = shard.to_iter(options).iter().unwrap();
            if let Some(position) = &position {
                iterator.set_state(&stored(position)).unwrap();
            }
            iterators.push(iterator);
        }
        let (mut taken, mut ended) = (Vec::new(), false);
        let steps = if last { usize::MAX } else { draw.below(20) as usize };
        for _ in 0..steps {
            // Where a lane of a host has ended, the hosts' turns are no longer those of one host: the run stores its position and is started
            // anew with one host.
            let before: Vec<IterState> = iterators.iter().map(|it| it.state()).collect();
            let step: Vec<Option<Vec<i64>>> =
                iterators.iter_mut().map(|it| it.next().transpose().unwrap()).collect();
            let states: Vec<IterState> = iterators.iter().map(|it| it.state()).collect();
            let uneven = hosts > 1 && any_ended(&states);
            if uneven || step.iter().any(Option::is_none) {
                position = Some(IterState::merge(&before).unwrap());
                ended = true;
                break;
            }
            // The first element of a step is of the host whose turn it is in the order of all.
            let mut step: Vec<Vec<i64>> = step.into_iter().flatten().collect();
            step.rotate_left((delivered.len() + taken.len()) % hosts as usize);
            taken.extend(step);
        }
        if !ended {
            let states: Vec<IterState> = iterators.iter().map(|it| it.state()).collect();
            // Killed before it stored its position: what was delivered since counts for nothing.
            if draw.below(4) == 0 && !last {
                continue;
            }
            position = Some(IterState::merge(&states).unwrap());
        }
        delivered.extend(taken);
        assert_eq!(delivered, whole[..delivered.len()], "sequence {number}, attempt {attempt}");
        if last {
            break;
        }
    }
    assert_eq!(delivered.len(), whole.len(), "sequence {number}");
}

fn any_ended(states: &[IterState]) -> bool {
    states.iter().flat_map(|s| s.parents()).any(|lane| lane.values()[2] == 1)
}

#[test]
fn any_workers_and_kills_deliver_what_one_uninterrupted_worker_does() {
    let count = std::env::var("JARRAH_ELASTIC").map_or(40, |n| n.parse().unwrap());
    (0..count).for_each(survives);
}

#[test]
fn hosts_deliver_each_record_once_however_uneven_their_lanes() {
    for number in 0..20 {
        let mut draw = Draw(Generator::new(Pcg64::seeded(1000 + number)));
        let lanes = drawn(&mut draw);
        let mut whole: Vec<Vec<i64>> =
            lanes.to_iter(NO_THREADS).iter().unwrap().collect::<Result<_>>().unwrap();
        // Each host takes as many as it likes before the position is stored; then two hosts deliver the rest.
        let (mut all, mut states) = (Vec::new(), Vec::new());
        for host in 0..3 {
            let shard = lanes.shard(ShardOptions::new(host, 3).unwrap());
            let mut iterator = shard.to_iter(NO_THREADS).iter().unwrap();
            let count = draw.below(15) as usize;
            all.extend(iterator.by_ref().take(count).collect::<Result<Vec<_>>>().unwrap());
            states.push(iterator.state());
        }
        let merged = IterState::merge(&states).unwrap();
        for host in 0..2 {
            let shard = lanes.shard(ShardOptions::new(host, 2).unwrap());
            let mut iterator = shard.to_iter(ReadOptions { threads: 2, buffer: 5 }).iter().unwrap();
            iterator.set_state(&merged).unwrap();
            all.extend(iterator.collect::<Result<Vec<_>>>().unwrap());
        }
        all.sort();
        whole.sort();
        assert_eq!(all, whole, "sequence {number}");
    }
}

#[test]
fn a_position_of_another_pipeline_is_an_error_that_says_so() {
    let message = |dataset: &IterDataset<i64>, state: &IterState| {
        let e = dataset.iter().unwrap().set_state(state).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input);
        e.message().to_owned()
    };
    let range = MapDataset::range(0, 9, 1);
    let plain = range.to_iter();
    let limited = plain.limit(3);
    let position = limited.iter().unwrap().state();
    assert_eq!(
        message(&plain, &position),
        "the data position is one of the stage `limit`, but the pipeline has `read` there"
    );
    let mut ended = plain.iter().unwrap();
    ended.by_ref().for_each(drop);
    assert_eq!(
        message(&MapDataset::range(0, 5, 1).to_iter(), &ended.state()),
        "the data position is index 9, but the dataset has 5 elements"
    );
    let lanes = |count| range.lanes(count, |lane| lane.to_iter());
    let position = lanes(2).to_iter(NO_THREADS).iter().unwrap().state();
    assert_eq!(
        message(&lanes(3).to_iter(NO_THREADS), &position),
        "the data position is one of 2 lanes, but the pipeline has 3"
    );
    let host = lanes(2).shard(ShardOptions::new(0, 2).unwrap()).to_iter(NO_THREADS).iter().unwrap().state();
    assert_eq!(message(&lanes(2).to_iter(NO_THREADS), &host), "the data position has no lane 1");
    assert!(IterState::merge(&[host.clone(), host]).is_err());
}

/// Other numbers, or others of their places, in a state.
fn damaged(state: &serde_json::Value, draw: &mut Draw) -> serde_json::Value {
    use serde_json::Value;
    match state {
        Value::Number(_) if draw.below(3) == 0 => {
            let numbers = [0, 1, 2, 7, 1000, u64::from(u32::MAX), i64::MAX as u64, u64::MAX - 1, u64::MAX];
            numbers[draw.below(numbers.len() as i64) as usize].into()
        }
        Value::Array(list) => {
            let mut list: Vec<Value> = list.iter().map(|v| damaged(v, draw)).collect();
            if draw.below(20) == 0 {
                list.pop();
            }
            list.into()
        }
        Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), damaged(v, draw))).collect(),
        other => other.clone(),
    }
}

#[test]
fn a_damaged_position_is_refused_or_is_another_one_but_panics_and_hangs_nowhere() {
    let golden = golden();
    let mut draw = Draw(Generator::new(Pcg64::seeded(7)));
    let mut refused = 0;
    for pipeline in golden["pipelines"].as_array().unwrap().iter().take(64) {
        // An element of a cache is reached by making those before it, and a draw of no element ends no search for one.
        let stages = pipeline["stages"].to_string();
        if stages.contains("\"cache\"")
            || (stages.contains("\"epochs\":null") && stages.contains("\"filter\""))
        {
            continue;
        }
        let dataset = in_turn(&pipeline["stages"], NO_THREADS);
        let mut iterator = dataset.iter().unwrap();
        iterator.by_ref().take(5).for_each(drop);
        let state = serde_json::to_value(iterator.state()).unwrap();
        for _ in 0..30 {
            let damaged: IterState = serde_json::from_value(damaged(&state, &mut draw)).unwrap();
            let mut iterator = dataset.iter().unwrap();
            match iterator.set_state(&damaged) {
                Err(e) => {
                    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
                    refused += 1;
                }
                Ok(()) => iterator.take(3).for_each(drop),
            }
        }
    }
    assert!(refused > 100, "{refused}");
}
