use std::sync::Arc;

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, DynamicSlice, Kernel, KernelOutput, Start};
use jarrah_hlo::{Builder, Op, ProgramRef, Value};
use jarrah_hlo_eval::evaluate;
use smallvec::smallvec;

use super::{i32s, run, run_all};

use BlockIndex::{At, Block, First, Point, PointAt, Whole};

fn ty(dims: &[usize]) -> Type {
    Type::tensor(DType::I32, dims.iter().copied())
}

fn spec(axes: &[BlockIndex]) -> BlockSpec {
    BlockSpec::new(axes.iter().copied())
}

fn body(params: &[Type], make: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> ProgramRef {
    let mut b = Builder::new("body");
    let params: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    let results = make(&mut b, &params);
    Arc::new(b.finish(&results).unwrap())
}

/// A kernel of one result, whose body `make` writes.
fn kernel(
    grid: &[usize],
    inputs: &[(&[usize], &[BlockIndex])],
    output: (&[usize], &[BlockIndex], Start),
    make: impl FnOnce(&mut Builder, &[Value]) -> Value,
) -> Kernel {
    let empty = body(&[], |_, _| Vec::new());
    let mut kernel = Kernel::new(
        grid.iter().copied().collect(),
        inputs.iter().map(|(_, axes)| spec(axes)).collect(),
        Vec::new(),
        empty,
    );
    kernel.outputs = vec![KernelOutput { ty: ty(output.0), block: spec(output.1), start: output.2 }];
    let operands: Vec<Type> = inputs.iter().map(|(dims, _)| ty(dims)).collect();
    kernel.body = body(&kernel.body_params(&operands).unwrap(), |b, p| vec![make(b, p)]);
    kernel
}

/// The results, which are those of the definition.
fn both(kernel: &Kernel, operands: &[Literal]) -> Vec<Literal> {
    let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
    let results = run_all(kernel.clone(), operands);
    assert_eq!(evaluate(&kernel.definition(&types).unwrap(), operands).unwrap(), results);
    results
}

#[test]
fn definitions_give_the_bits_of_kernels() {
    for example in Op::examples() {
        let Op::Kernel(kernel) = &example.op else { continue };
        both(kernel, &example.operands);
    }
}

#[test]
fn partial_blocks_are_clipped() {
    // Adds 10 times the block's number to blocks of two of five elements; a fourth block is outside.
    let axes = [Block { size: 2, grid: 0 }];
    let kernel = kernel(&[4], &[(&[5], &axes)], (&[5], &axes, Start::Fresh), |b, p| {
        let at = b.broadcast_in_dim(p[0], &[2], &[]).unwrap();
        let at = b.scale(at, 10.0).unwrap();
        b.add(p[1], at).unwrap()
    });
    assert_eq!(both(&kernel, &[i32s(&[5], &[1, 2, 3, 4, 5])]), [i32s(&[5], &[1, 2, 13, 14, 25])]);
}

#[test]
fn points_and_single_axes_are_dropped() {
    // out[i, j, 0] = x[0, j, i], one row of the result at a time.
    let kernel = kernel(
        &[3],
        &[(&[1, 2, 3], &[First, Whole, Point { grid: 0 }])],
        (&[3, 2, 1], &[Point { grid: 0 }, Whole, Whole], Start::Fresh),
        |b, p| b.reshape(p[1], &[2, 1]).unwrap(),
    );
    let x = i32s(&[1, 2, 3], &[0, 1, 2, 3, 4, 5]);
    assert_eq!(both(&kernel, &[x]), [i32s(&[3, 2, 1], &[0, 3, 1, 4, 2, 5])]);
}

#[test]
fn what_is_held_outside_of_a_result_is_zero() {
    // Both points add one to a block of two of one element, and write what they held beside it.
    let mut kernel =
        kernel(&[2], &[], (&[1], &[At { size: 2, unit: 1, result: 0 }], Start::Zeros), |b, p| {
            let one = b.full(ty(&[2]), 1.0).unwrap();
            let sum = b.sum(p[1], &[0]).unwrap();
            let sum = b.broadcast_in_dim(sum, &[2], &[]).unwrap();
            b.add(sum, one).unwrap()
        });
    kernel.map = Some(body(&[ty(&[])], |b, _| vec![b.scalar(0i32).unwrap()]));
    assert_eq!(both(&kernel, &[]), [i32s(&[1], &[2])]);
}

#[test]
fn the_last_store_wins_and_the_rest_are_zeros() {
    let mut kernel = kernel(&[3], &[], (&[4], &[Point { grid: 0 }], Start::Fresh), |_, p| p[0]);
    kernel.outputs[0].block = spec(&[PointAt { result: 0 }]);
    // Positions 0, 1 and 2 store at 1, 3 and 1.
    kernel.map = Some(body(&[ty(&[])], |b, p| {
        let list = b.constant(i32s(&[3], &[1, 3, 1])).unwrap();
        let one = b.one(DynamicSlice { sizes: smallvec![1] }, &[list, p[0]]).unwrap();
        vec![b.reshape(one, &[]).unwrap()]
    }));
    assert_eq!(both(&kernel, &[]), [i32s(&[4], &[0, 2, 0, 1])]);
}

#[test]
fn scratch_is_zero_for_each_of_the_independent_points() {
    // out[i, j] = 1 + 2 + ... + (j + 1), by a scratch array that counts.
    let axes = [Point { grid: 0 }, Point { grid: 1 }];
    for (in_order, expected) in
        [([true, true], [1, 3, 6, 10, 15, 21]), ([false, true], [1, 3, 6, 1, 3, 6]), ([false, false], [1; 6])]
    {
        let mut kernel = kernel(&[2, 3], &[], (&[2, 3], &axes, Start::Fresh), |_, p| p[0]);
        kernel.arbitrary = in_order.into_iter().collect();
        kernel.scratch = vec![ty(&[]); 2];
        kernel.body = body(&kernel.body_params(&[]).unwrap(), |b, p| {
            let one = b.scalar(1i32).unwrap();
            let count = b.add(p[2], one).unwrap();
            let sum = b.add(p[3], count).unwrap();
            vec![sum, count, sum]
        });
        assert_eq!(both(&kernel, &[]), [i32s(&[2, 3], &expected)], "{in_order:?}");
    }
}

#[test]
fn a_grid_without_points_gives_what_results_begin_with() {
    let axes = [Whole];
    let mut kernel = kernel(&[0], &[(&[2], &axes)], (&[2], &axes, Start::Operand(0)), |_, p| p[1]);
    kernel.arbitrary = smallvec![true];
    let x = i32s(&[2], &[3, 4]);
    assert_eq!(run(kernel.clone(), std::slice::from_ref(&x)), x);
    assert_eq!(both(&kernel, std::slice::from_ref(&x)), [x]);
}
