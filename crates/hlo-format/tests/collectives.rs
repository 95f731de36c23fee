//! Collectives as ops of StableHLO, written and read again.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{
    AxisGroups, AxisIndex, Collective, CollectiveKind, ManualComputation, NamedAxis, Reducer,
};
use jarrah_hlo::sharding::{AxisPart, DimSharding, Mesh, MeshRef, TensorSharding};
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::ir::IrModule;
use jarrah_hlo_format::lower::{LowerOptions, entry};
use jarrah_hlo_format::{export, parse, print};

/// The program that a module is for so many replicas and partitions.
fn read(module: &IrModule, processes: (usize, usize)) -> Program {
    let options = LowerOptions { processes, ..LowerOptions::default() };
    let entry = entry(module, &options).unwrap_or_else(|error| panic!("{error}"));
    entry.program.verify().expect("the program that was read verifies");
    entry.program
}

/// The program read again from its text and from its bytecode.
fn again(program: &Program, processes: (usize, usize)) -> Program {
    let text = print(program);
    let modules = jarrah_hlo_format::parse_tree("<text>", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let found = read(&modules[0], processes);
    let bytes = bytecode::write(&export(program), Version::CURRENT).expect("it has a portable form");
    let module = bytecode::read("bytes", &bytes).expect("it was written here");
    assert!(read(&module, processes) == found, "{text}");
    assert_eq!(print(&found), text);
    found
}

/// The axes of so many replicas and partitions, without those of one device.
fn axes((replicas, partitions): (usize, usize)) -> Vec<NamedAxis> {
    let axes = [NamedAxis::replica(replicas), NamedAxis::partition(partitions)];
    axes.into_iter().filter(|axis| axis.size > 1).collect()
}

/// A program of one collective of a matrix, whose first axis has a slice for each rank.
fn of(op: &Collective, dtype: DType) -> Program {
    let ranks = op.over.group_size().unwrap_or(2);
    let mut b = Builder::new("exchange");
    let x = b.param(Type::tensor(dtype, [ranks, 3]), "x");
    let y = b.one(op.clone(), &[x]).expect("the collective fits");
    b.finish(&[y]).expect("a result")
}

fn groups(lists: &[&[u32]]) -> Option<Box<[Box<[u32]>]>> {
    Some(lists.iter().map(|&list| list.into()).collect())
}

/// The kinds for groups of this size.
fn kinds(ranks: usize) -> Vec<CollectiveKind> {
    let shift = (0..ranks).map(|at| (at % 3 != 1).then_some(((at + 1) % ranks) as u32));
    let mut kinds = vec![
        CollectiveKind::AllGather,
        CollectiveKind::AllToAll,
        CollectiveKind::AllReduce(Reducer::Add),
        CollectiveKind::AllReduce(Reducer::Max),
        CollectiveKind::AllReduce(Reducer::Mul),
        CollectiveKind::ReduceScatter(Reducer::Add),
        CollectiveKind::ReduceScatter(Reducer::Min),
    ];
    if ranks > 1 {
        kinds.push(CollectiveKind::Permute(shift.collect()));
    }
    kinds
}

/// The text names every device by its number, so it is for JAX, too; it is read as the program that was written.
#[test]
fn collectives_of_devices_are_those_of_stablehlo() {
    for processes in [(1, 8), (8, 1), (2, 4), (1, 3), (6, 1)] {
        let everyone = AxisGroups::axes(axes(processes));
        let count = everyone.positions() as u32;
        let (rows, back): (Vec<Vec<u32>>, Vec<Vec<u32>>) = match count {
            8 => (vec![(0..4).collect(), (4..8).collect()], (0..4).map(|at| vec![at + 4, at]).collect()),
            _ => (vec![(0..count).rev().collect()], (0..count).map(|at| vec![at]).collect()),
        };
        for lists in [None, Some(rows), Some(back)] {
            let stated = lists.map(|lists| lists.into_iter().map(Into::into).collect());
            let over = AxisGroups { axes: everyone.axes.clone(), groups: stated };
            for kind in kinds(over.group_size().unwrap()) {
                // An exchange of slices over all replicas and partitions at once is an op of ours.
                let ours = processes == (2, 4)
                    && over.groups.is_none()
                    && matches!(kind, CollectiveKind::AllToAll | CollectiveKind::Permute(_));
                let program = of(&Collective { kind: kind.clone(), over: over.clone() }, DType::F32);
                assert_eq!(print(&program).contains("\"jarrah."), ours, "{}", print(&program));
                let found = again(&program, processes);
                match kind {
                    // The pairs of a permutation are those of all devices.
                    CollectiveKind::Permute(_) => assert!(again(&found, processes) == found),
                    _ => assert!(found == program, "{}", print(&program)),
                }
            }
        }
        for axis in axes(processes) {
            let mut b = Builder::new("number");
            let number = b.one(AxisIndex { axis }, &[]).unwrap();
            let program = b.finish(&[number]).unwrap();
            assert!(!print(&program).contains("\"jarrah."));
            assert!(again(&program, processes) == program);
        }
    }
}

#[test]
fn groups_of_different_sizes_and_truth_values() {
    let over = AxisGroups { axes: axes((1, 3)).into(), groups: groups(&[&[2, 0], &[1]]) };
    for (reducer, dtype) in
        [(Reducer::Add, DType::BF16), (Reducer::Or, DType::Bool), (Reducer::Xor, DType::U8)]
    {
        let program = of(&Collective { kind: CollectiveKind::AllReduce(reducer), over: over.clone() }, dtype);
        assert!(print(&program).contains("dense<[[2, 0], [1, -1]]>"), "{}", print(&program));
        assert!(again(&program, (1, 3)) == program);
    }
}

/// A program that speaks of partitions alone is written for one replica, one that speaks of replicas alone for any partitions.
#[test]
fn the_module_says_how_many_devices_there_are() {
    let sum = |axis: NamedAxis| {
        let over = AxisGroups::axis(axis);
        print(&of(&Collective { kind: CollectiveKind::AllReduce(Reducer::Add), over }, DType::F32))
    };
    let partitions = sum(NamedAxis::partition(4));
    assert!(
        partitions.contains("mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32"),
        "{partitions}"
    );
    assert!(partitions.contains("use_global_device_ids"), "{partitions}");
    let replicas = sum(NamedAxis::replica(4));
    assert!(replicas.contains("mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32"), "{replicas}");
    assert!(!replicas.contains("channel_handle"), "{replicas}");
}

#[test]
fn a_value_for_several_devices_is_broadcast_or_ours() {
    let axis = NamedAxis::partition(4);
    let permute = |sources: [Option<u32>; 4]| {
        let kind = CollectiveKind::Permute(sources.into());
        of(&Collective { kind, over: AxisGroups::axis(axis.clone()) }, DType::F32)
    };
    for (sources, name) in [
        ([Some(0), Some(0), Some(0), None], "stablehlo.collective_broadcast"),
        ([Some(0), Some(0), Some(2), Some(2)], "stablehlo.collective_broadcast"),
        ([None, Some(0), Some(0), Some(2)], "jarrah.permute"),
    ] {
        let program = permute(sources);
        assert!(print(&program).contains(name), "{}", print(&program));
        let found = again(&program, (1, 4));
        assert!(again(&found, (1, 4)) == found);
    }
}

/// A manual computation of so many devices, whose body is given the axis `y` of two and the place of a callee.
fn manual(mesh: &Mesh) -> Program {
    let axis = |name: &str| {
        let size = mesh.axis(name).expect("an axis of the mesh").size;
        NamedAxis { name: name.into(), size }
    };
    let ty = Type::tensor(DType::F32, [2, 3]);
    let mut b = Builder::new("shared");
    let x = b.param(ty, "");
    let op =
        Collective { kind: CollectiveKind::ReduceScatter(Reducer::Add), over: AxisGroups::axis(axis("y")) };
    let part = b.one(op, &[x]).unwrap();
    let all =
        b.one(Collective { kind: CollectiveKind::AllGather, over: AxisGroups::axis(axis("y")) }, &[part]);
    let number = b.one(AxisIndex { axis: axis("x") }, &[]).unwrap();
    let number = b.convert(number, DType::F32).unwrap();
    let number = b.broadcast_in_dim(number, &[2, 3], &[]).unwrap();
    let y = b.add(all.unwrap(), number).unwrap();
    let callee = b.finish(&[y]).unwrap().into();
    let mut b = Builder::new("body");
    let x = b.param(ty, "");
    let y = b.one(jarrah_hlo::ops::Call { callee }, &[x]).unwrap();
    let over = AxisGroups::axes(vec![axis("x"), axis("y")]);
    let sum = b.one(Collective { kind: CollectiveKind::AllReduce(Reducer::Max), over }, &[y]).unwrap();
    let y = b.add(y, sum).unwrap();
    let body = b.finish(&[y]).unwrap().into();
    let whole = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), 2);
    let along = |name: &str| AxisPart { name: name.into(), part: None };
    let rows = DimSharding { axes: vec![along("x"), along("y")], ..DimSharding::default() };
    let cut = TensorSharding { dims: vec![rows, DimSharding::default()], ..whole };
    let op = ManualComputation {
        body,
        mesh: mesh.clone(),
        axes: vec!["x".into(), "y".into()],
        operands: vec![cut.clone()],
        results: vec![cut],
    };
    let mut b = Builder::new("mapped");
    let x = b.param(Type::tensor(DType::F32, [2 * mesh.len(), 3]), "x");
    let y = b.one(op, &[x]).unwrap();
    b.finish(&[y]).unwrap()
}

/// The axes of a mesh become groups of its devices, in a callee as well, whose body is written once for each mesh.
#[test]
fn axes_of_a_mesh_are_groups_of_its_devices() {
    let in_order = Mesh::new(&[("x", 2), ("y", 2)]).unwrap();
    let otherwise = Mesh::of_axes(in_order.axes().to_vec(), vec![3, 1, 0, 2]).unwrap();
    for (mesh, pairs) in [(&in_order, "dense<[[0, 1], [2, 3]]>"), (&otherwise, "dense<[[0, 2], [3, 1]]>")] {
        let program = manual(mesh);
        let text = print(&program);
        assert!(text.contains(pairs) && !text.contains("\"jarrah."), "{text}");
        assert!(text.contains("mhlo.num_partitions = 4"), "{text}");
        let found = again(&program, (1, 4));
        assert!(again(&found, (1, 4)) == found);
        let x: Vec<f32> = (0..24).map(|at| at as f32 * 0.5).collect();
        let given = Literal::from_slice(&[8, 3], &x).unwrap();
        let sum =
            |k: usize, at: usize| x[(k - k % 2) * 6 + at] + x[(k - k % 2 + 1) * 6 + at] + (k / 2) as f32;
        let largest = |at: usize| sum(0, at).max(sum(2, at));
        let expected: Vec<f32> =
            (0..4).flat_map(|k| (0..6).map(move |at| sum(k, at) + largest(at))).collect();
        let found = jarrah_hlo_eval::evaluate(&parse(&text).unwrap(), &[given]).unwrap();
        assert_eq!(found, [Literal::from_slice(&[8, 3], &expected).unwrap()]);
    }
}

/// An axis that nothing binds has no devices to name.
#[test]
fn axes_that_nothing_binds_keep_their_names() {
    let over = AxisGroups { axes: Box::new([NamedAxis { name: "i".into(), size: 4 }]), groups: None };
    for kind in kinds(4) {
        let program = of(&Collective { kind, over: over.clone() }, DType::F32);
        assert!(print(&program).contains("\"jarrah."));
        assert!(parse(&print(&program)).unwrap() == program);
    }
}
