//! Devices that exchange values: each collective gives what its equation says, and a device that fails or goes another way fails the run.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::ops::{
    Assert, AxisGroups, AxisIndex, Case, Collective, CollectiveKind, Comparison, NamedAxis, Reducer,
};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_runtime::{Arg, Client, CompileOptions, DeviceId, ExecuteOptions};
use jarrah_testing::programs::Rng;

fn client(devices: usize) -> CpuClient {
    CpuClient::with_options(CpuOptions { threads: 1, devices, ..CpuOptions::default() })
}

/// The results of a program on several devices, given the arguments of each.
fn run(
    client: &CpuClient,
    program: &Program,
    partitions: usize,
    arguments: &[Vec<Literal>],
) -> Vec<Vec<Literal>> {
    try_run(client, program, partitions, arguments).unwrap()
}

fn try_run(
    client: &CpuClient,
    program: &Program,
    partitions: usize,
    arguments: &[Vec<Literal>],
) -> jarrah_base::Result<Vec<Vec<Literal>>> {
    let devices: Vec<DeviceId> = (0..arguments.len() as u32).map(DeviceId).collect();
    let options = CompileOptions { devices: devices.clone(), partitions, ..CompileOptions::default() };
    let executable = client.compile(program, &options)?;
    let upload = |(device, all): (&DeviceId, &Vec<Literal>)| {
        let one = |x: &Literal| {
            let source = jarrah_runtime::HostSource::Borrowed(x.bytes());
            client.buffer_from_host(x.ty(), source, (*device).into()).map(Arg::Borrow)
        };
        all.iter().map(one).collect::<jarrah_base::Result<Vec<Arg>>>()
    };
    let given = devices.iter().zip(arguments).map(upload).collect::<jarrah_base::Result<Vec<_>>>()?;
    let ran = executable.execute(given, &ExecuteOptions::default())?;
    ran.results.iter().map(|all| all.iter().map(|x| x.read()).collect()).collect()
}

/// Groups of equal size among `count` positions, in random order.
pub fn groups(rng: &mut Rng, count: usize) -> Option<Box<[Box<[u32]>]>> {
    if rng.below(3) == 0 {
        return None;
    }
    let sizes: Vec<usize> = (1..=count).filter(|size| count.is_multiple_of(*size)).collect();
    let size = sizes[rng.below(sizes.len())];
    let mut order: Vec<u32> = (0..count as u32).collect();
    for at in (1..count).rev() {
        order.swap(at, rng.below(at + 1));
    }
    Some(order.chunks(size).map(Into::into).collect())
}

fn position(device: usize, over: &AxisGroups, partitions: usize) -> usize {
    over.axes.iter().fold(0, |at, axis| {
        let coordinate = match &*axis.name {
            NamedAxis::REPLICA => device / partitions,
            _ => device % partitions,
        };
        at * axis.size + coordinate
    })
}

/// The devices of a device's group, by rank.
fn members(device: usize, over: &AxisGroups, devices: usize, partitions: usize) -> Vec<usize> {
    let apart = |name: &str| !over.axes.iter().any(|axis| *axis.name == *name);
    let same = |other: usize| {
        (!apart(NamedAxis::REPLICA) || other / partitions == device / partitions)
            && (!apart(NamedAxis::PARTITION) || other % partitions == device % partitions)
    };
    let group = over.group(position(device, over, partitions));
    let at =
        |wanted: usize| (0..devices).find(|&d| same(d) && position(d, over, partitions) == wanted).unwrap();
    group.into_iter().map(at).collect()
}

/// Random collectives on replicas and partitions give what their equations say, whatever the number of devices, the groups and the
/// extents, small and large.
#[test]
fn collectives_give_what_their_equations_say() {
    let mut rng = Rng::new(47);
    for (replicas, partitions) in [(1, 2), (1, 8), (2, 4), (3, 1), (3, 2), (6, 1), (1, 1)] {
        let devices = replicas * partitions;
        let client = client(devices);
        for trial in 0..30 {
            let axes = match rng.below(3) {
                0 => vec![NamedAxis::replica(replicas)],
                1 => vec![NamedAxis::partition(partitions)],
                _ => vec![NamedAxis::replica(replicas), NamedAxis::partition(partitions)],
            };
            let count: usize = axes.iter().map(|axis| axis.size).product();
            let over = AxisGroups { axes: axes.into(), groups: groups(&mut rng, count) };
            let ranks = over.group_size().unwrap();
            let len = if trial % 10 == 9 { 40_000 + rng.below(100) } else { 1 + rng.below(40) };
            let kind = match rng.below(6) {
                0 => CollectiveKind::AllReduce(Reducer::Add),
                1 => CollectiveKind::AllReduce(Reducer::Max),
                2 => CollectiveKind::AllGather,
                3 => CollectiveKind::ReduceScatter(Reducer::Add),
                4 => CollectiveKind::AllToAll,
                _ => {
                    let source = |_| (rng.below(4) > 0).then(|| rng.below(ranks) as u32);
                    CollectiveKind::Permute((0..ranks).map(source).collect())
                }
            };
            let sliced = matches!(kind, CollectiveKind::ReduceScatter(_) | CollectiveKind::AllToAll);
            let ty = match sliced {
                true => Type::tensor(DType::F32, [ranks, len]),
                false => Type::tensor(DType::F32, [len]),
            };
            let mut b = Builder::new("exchange");
            let x = b.param(ty, "x");
            let y = b.one(Collective { kind: kind.clone(), over: over.clone() }, &[x]).unwrap();
            let program = b.finish(&[y]).unwrap();
            let size = ty.elements().unwrap();
            let data: Vec<Vec<f64>> =
                (0..devices).map(|_| (0..size).map(|_| rng.below(1000) as f64 - 500.0).collect()).collect();
            let given: Vec<Vec<Literal>> =
                data.iter().map(|x| vec![Literal::from_f64s(ty, x).unwrap()]).collect();
            let results = run(&client, &program, partitions, &given);
            for (device, result) in results.iter().enumerate() {
                let group = members(device, &over, devices, partitions);
                let rank = group.iter().position(|&d| d == device).unwrap();
                let fold =
                    |at: usize, f: fn(f64, f64) -> f64| group.iter().map(|&d| data[d][at]).reduce(f).unwrap();
                let expected: Vec<f64> = match &kind {
                    CollectiveKind::AllReduce(Reducer::Add) => {
                        (0..len).map(|i| fold(i, |a, b| a + b)).collect()
                    }
                    CollectiveKind::AllReduce(_) => (0..len).map(|i| fold(i, f64::max)).collect(),
                    CollectiveKind::AllGather => group.iter().flat_map(|&d| data[d].clone()).collect(),
                    CollectiveKind::ReduceScatter(_) => {
                        (0..len).map(|i| fold(rank * len + i, |a, b| a + b)).collect()
                    }
                    CollectiveKind::AllToAll => {
                        group.iter().flat_map(|&d| data[d][rank * len..(rank + 1) * len].to_vec()).collect()
                    }
                    CollectiveKind::Permute(sources) => match sources[rank] {
                        Some(source) => data[group[source as usize]].clone(),
                        None => vec![0.0; len],
                    },
                };
                let context = format!("{kind:?} over {over:?} of {len} at device {device}");
                assert_eq!(result[0].to_f64_vec(), expected, "{context}");
            }
        }
    }
}

/// Sums are taken in the order of the ranks: the bits are those of one device that adds in this order, and do not depend on threads.
#[test]
fn sums_are_taken_in_the_order_of_the_ranks() {
    let client = client(4);
    for len in [5, 50_000] {
        let ty = Type::tensor(DType::F32, [len]);
        let mut b = Builder::new("sum");
        let x = b.param(ty, "x");
        let over = AxisGroups::axis(NamedAxis::partition(4));
        let y = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap();
        let program = b.finish(&[y]).unwrap();
        let mut rng = Rng::new(len as u64);
        let mut number = || (rng.below(1 << 20) as f32 - 5e5) * 1.1e-3;
        let data: Vec<Vec<f32>> = (0..4).map(|_| (0..len).map(|_| number()).collect()).collect();
        let given: Vec<Vec<Literal>> =
            data.iter().map(|x| vec![Literal::from_slice(&[len], x).unwrap()]).collect();
        let expected: Vec<f32> =
            (0..len).map(|i| ((data[0][i] + data[1][i]) + data[2][i]) + data[3][i]).collect();
        let expected = Literal::from_slice(&[len], &expected).unwrap();
        for result in run(&client, &program, 4, &given) {
            assert!(result[0].bytes() == expected.bytes());
        }
    }
}

/// A collective in a branch that not all devices take ends the run with an error that says where each stands.
#[test]
fn devices_that_go_different_ways_are_told_where_they_wait() {
    let client = client(2);
    let ty = Type::tensor(DType::F32, [4]);
    let branch = |exchanges: bool| {
        let mut b = Builder::new("branch");
        let x = b.param(ty, "x");
        let over = AxisGroups::axis(NamedAxis::partition(2));
        let y = match exchanges {
            true => b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap(),
            false => b.exp(x).unwrap(),
        };
        b.finish(&[y]).unwrap().into()
    };
    let mut b = Builder::new("ways");
    let x = b.param(ty, "x");
    let here = b.one(AxisIndex { axis: NamedAxis::partition(2) }, &[]).unwrap();
    let y: Value = b.one(Case { branches: vec![branch(true), branch(false)] }, &[here, x]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let given = vec![vec![Literal::zeros(ty).unwrap()]; 2];
    let error = try_run(&client, &program, 2, &given).unwrap_err().to_string();
    assert!(
        error.contains("wait for each other for ever: device 0 at all_reduce, device 1 at the end"),
        "{error}"
    );
}

/// A program of several devices says so where it is compiled for another number.
#[test]
fn a_collective_over_other_devices_is_an_error_at_its_line() {
    let client = client(4);
    let mut b = Builder::new("sum");
    let x = b.param(Type::scalar(DType::F32), "x");
    let over = AxisGroups::axis(NamedAxis::partition(4));
    let y = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, &[x]).unwrap();
    let program = b.finish(&[y]).unwrap();
    let zero = vec![Literal::scalar(0.0f32)];
    let error = try_run(&client, &program, 2, &[zero.clone(), zero]).unwrap_err().to_string();
    assert!(
        error.contains("along an axis of 4 devices; the program runs on 1 replicas of 2 partitions"),
        "{error}"
    );
}

/// A device that fails ends the run of all, also of groups that it is not in, and their memory stays until none reads it.
#[test]
fn a_device_that_fails_ends_the_run_of_all() {
    let client = client(4);
    let ty = Type::tensor(DType::F32, [30_000]);
    let mut b = Builder::new("fails");
    let (x, limit) = (b.param(ty, "x"), b.param(Type::scalar(DType::F32), "limit"));
    let pairs: Box<[Box<[u32]>]> = Box::new([Box::new([0, 1]), Box::new([2, 3])]);
    let over = AxisGroups { axes: Box::new([NamedAxis::partition(4)]), groups: Some(pairs) };
    let sum = Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over };
    let mut y = b.one(sum.clone(), &[x]).unwrap();
    let total = b.sum(y, &[0]).unwrap();
    let fits = b.compare(Comparison::Lt, total, limit).unwrap();
    b.push(Assert { message: "too much".into() }, &[fits]).unwrap();
    for _ in 0..3 {
        y = b.one(sum.clone(), &[y]).unwrap();
    }
    let program = b.finish(&[y]).unwrap();
    for fails in (0..4).cycle().take(60) {
        let given = |device: usize| {
            let limit = if device == fails { -1.0f32 } else { 1.0 };
            vec![Literal::zeros(ty).unwrap(), Literal::scalar(limit)]
        };
        let given: Vec<_> = (0..4).map(given).collect();
        let error = try_run(&client, &program, 4, &given).unwrap_err().to_string();
        assert!(error.contains("too much"), "{error}");
    }
}

/// Sums of narrow floats are rounded once, to the number next to the exact sum, where each addition by itself would round.
#[test]
fn sums_of_narrow_floats_are_rounded_once() {
    let client = client(8);
    for (dtype, len) in [(DType::BF16, 40), (DType::F16, 40), (DType::BF16, 40_000)] {
        let mut rng = Rng::new(len as u64);
        let ty = Type::tensor(dtype, [8, len]);
        // Numbers that the narrow type has, whose exact sums `f32` has.
        let data: Vec<Vec<f64>> =
            (0..8).map(|_| (0..8 * len).map(|_| (rng.below(255) as f64 - 127.0) / 64.0).collect()).collect();
        let given: Vec<Vec<Literal>> =
            data.iter().map(|x| vec![Literal::from_f64s(ty, x).unwrap()]).collect();
        let exact: Vec<f64> = (0..8 * len).map(|i| data.iter().map(|x| x[i]).sum()).collect();
        for scattered in [false, true] {
            let over = AxisGroups::axis(NamedAxis::partition(8));
            let kind = match scattered {
                true => CollectiveKind::ReduceScatter(Reducer::Add),
                false => CollectiveKind::AllReduce(Reducer::Add),
            };
            let mut b = Builder::new("sum");
            let x = b.param(ty, "x");
            let y = b.one(Collective { kind, over }, &[x]).unwrap();
            let program = b.finish(&[y]).unwrap();
            for (rank, result) in run(&client, &program, 8, &given).iter().enumerate() {
                let part = if scattered { &exact[rank * len..][..len] } else { &exact[..] };
                let expected = Literal::from_f64s(result[0].ty(), part).unwrap();
                assert!(result[0].bytes() == expected.bytes(), "{dtype:?} {len} {scattered} at {rank}");
            }
        }
    }
}
