use jarrah_base::{DType, Type};
use jarrah_hlo::ops::*;
use smallvec::smallvec;

use super::{f32s, i32_scalar, i32s, run};

fn matrix() -> jarrah_base::Literal {
    i32s(&[2, 3], &[0, 1, 2, 3, 4, 5])
}

#[test]
fn iota() {
    let ty = Type::tensor(DType::F32, [2, 3]);
    assert_eq!(run(Iota { ty, axis: 1 }, &[]), f32s(&[2, 3], &[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]));
    assert_eq!(run(Iota { ty, axis: 0 }, &[]), f32s(&[2, 3], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]));
}

#[test]
fn broadcast() {
    let op = BroadcastInDim { dims: smallvec![2, 2, 3], axes: smallvec![0, 2] };
    let x = i32s(&[1, 3], &[7, 8, 9]);
    assert_eq!(run(op, &[x]), i32s(&[2, 2, 3], &[7, 8, 9, 7, 8, 9, 7, 8, 9, 7, 8, 9]));
}

#[test]
fn reshape_transpose_reverse() {
    let reshape = Reshape { dims: smallvec![3, 2] };
    assert_eq!(run(reshape, &[matrix()]), i32s(&[3, 2], &[0, 1, 2, 3, 4, 5]));
    let transpose = TransposeAxes { permutation: smallvec![1, 0] };
    assert_eq!(run(transpose, &[matrix()]), i32s(&[3, 2], &[0, 3, 1, 4, 2, 5]));
    let cube = i32s(&[2, 1, 3], &[0, 1, 2, 3, 4, 5]);
    let transpose = TransposeAxes { permutation: smallvec![2, 0, 1] };
    assert_eq!(run(transpose, &[cube]), i32s(&[3, 2, 1], &[0, 3, 1, 4, 2, 5]));
    assert_eq!(run(Reverse { axes: smallvec![1] }, &[matrix()]), i32s(&[2, 3], &[2, 1, 0, 5, 4, 3]));
    assert_eq!(run(Reverse { axes: smallvec![0, 1] }, &[matrix()]), i32s(&[2, 3], &[5, 4, 3, 2, 1, 0]));
    assert_eq!(run(Reverse { axes: smallvec![0] }, &[i32s(&[0], &[])]), i32s(&[0], &[]));
}

#[test]
fn slices() {
    let op = Slice { starts: smallvec![0, 0], limits: smallvec![2, 3], strides: smallvec![1, 2] };
    assert_eq!(run(op, &[matrix()]), i32s(&[2, 2], &[0, 2, 3, 5]));
    let op = Slice { starts: smallvec![1, 1], limits: smallvec![2, 2], strides: smallvec![1, 1] };
    assert_eq!(run(op, &[matrix()]), i32s(&[1, 1], &[4]));
}

#[test]
fn padding() {
    let x = || i32s(&[3], &[1, 2, 3]);
    let pad = |low: i64, high: i64, interior: usize| {
        let op = Pad { low: smallvec![low], high: smallvec![high], interior: smallvec![interior] };
        run(op, &[x(), i32_scalar(9)]).as_slice::<i32>().unwrap().to_vec()
    };
    assert_eq!(pad(2, 1, 0), [9, 9, 1, 2, 3, 9]);
    assert_eq!(pad(0, 0, 1), [1, 9, 2, 9, 3]);
    assert_eq!(pad(-1, 0, 1), [9, 2, 9, 3]);
    assert_eq!(pad(-2, -1, 1), [2, 9]);
    assert_eq!(pad(-2, 2, 0), [3, 9, 9]);
    assert_eq!(pad(-4, 3, 0), [9, 9]);
    assert_eq!(pad(3, -4, 0), [9, 9]);
    let op = Pad { low: smallvec![1, 0], high: smallvec![0, -1], interior: smallvec![0, 0] };
    assert_eq!(run(op, &[matrix(), i32_scalar(9)]), i32s(&[3, 2], &[9, 9, 0, 1, 3, 4]));
}

#[test]
fn concatenation() {
    let joined = run(Concatenate { axis: 1 }, &[matrix(), i32s(&[2, 1], &[6, 7])]);
    assert_eq!(joined, i32s(&[2, 4], &[0, 1, 2, 6, 3, 4, 5, 7]));
}

#[test]
fn dynamic_slices_are_moved_inside() {
    let slice = |i, j| {
        let op = DynamicSlice { sizes: smallvec![1, 2] };
        run(op, &[matrix(), i32_scalar(i), i32_scalar(j)]).as_slice::<i32>().unwrap().to_vec()
    };
    assert_eq!(slice(1, 0), [3, 4]);
    assert_eq!(slice(7, 2), [4, 5]);
    assert_eq!(slice(-3, 1), [1, 2]);
    let update = |i, j| {
        let update = i32s(&[1, 2], &[8, 9]);
        run(DynamicUpdateSlice, &[matrix(), update, i32_scalar(i), i32_scalar(j)])
    };
    assert_eq!(update(0, 1), i32s(&[2, 3], &[0, 8, 9, 3, 4, 5]));
    assert_eq!(update(9, 9), i32s(&[2, 3], &[0, 1, 2, 3, 8, 9]));
}
