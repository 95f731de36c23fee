use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::*;
use smallvec::smallvec;

use super::{f32s, i32s, program, run};

fn table() -> Literal {
    i32s(&[3, 2], &[0, 1, 10, 11, 20, 21])
}

#[test]
fn rows_are_gathered_and_clamped() {
    let indices = i32s(&[2, 2], &[2, 0, -5, 9]);
    let op = Gather::rows(table().ty(), indices.ty()).unwrap();
    assert_eq!(run(op, &[table(), indices]), i32s(&[2, 2, 2], &[20, 21, 0, 1, 0, 1, 20, 21]));
}

#[test]
fn elements_are_gathered_along_an_axis() {
    let indices = i32s(&[3, 1], &[1, 0, 1]);
    let op = Gather::along(table().ty(), 1);
    assert_eq!(run(op, &[table(), indices]), i32s(&[3, 1], &[1, 10, 21]));
}

/// The example of the specification's `gather`, its indices and slices.
#[test]
fn the_specification_s_gather() {
    let operand: Vec<i32> = (1..=48).collect();
    let operand = i32s(&[2, 3, 4, 2], &operand);
    let indices = Literal::from_slice(
        &[2, 2, 3, 2],
        &[0i64, 0, 1, 0, 2, 1, 0, 1, 1, 1, 0, 9, 0, 0, 2, 1, 2, 2, 1, 2, 0, 1, 1, 0],
    );
    let op = Gather {
        offset_axes: smallvec![3, 4],
        collapsed_axes: smallvec![1],
        operand_batch_axes: smallvec![0],
        indices_batch_axes: smallvec![1],
        index_map: smallvec![2, 1],
        index_vector_axis: 3,
        sizes: smallvec![1, 1, 2, 2],
        sorted: false,
    };
    let expected = [
        1, 2, 3, 4, 3, 4, 5, 6, 13, 14, 15, 16, 33, 34, 35, 36, 35, 36, 37, 38, 41, 42, 43, 44, 1, 2, 3, 4,
        13, 14, 15, 16, 21, 22, 23, 24, 43, 44, 45, 46, 33, 34, 35, 36, 27, 28, 29, 30,
    ];
    assert_eq!(run(op, &[operand, indices.unwrap()]), i32s(&[2, 2, 3, 2, 2], &expected));
}

fn scatter_rows(update: Update, indices: &[i32], updates: &[f32]) -> Vec<f32> {
    let operand = f32s(&[3, 2], &[0.0, 1.0, 10.0, 11.0, 20.0, 21.0]);
    let indices = i32s(&[indices.len()], indices);
    let op = Scatter::rows(operand.ty(), indices.ty(), update);
    let updates = f32s(&[updates.len() / 2, 2], updates);
    run(op, &[operand, indices, updates]).as_slice::<f32>().unwrap().to_vec()
}

#[test]
fn updates_come_in_order_and_those_outside_are_dropped() {
    let assigned = scatter_rows(Update::Assign, &[1, -1, 1, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(assigned, [0.0, 1.0, 5.0, 6.0, 20.0, 21.0]);
    let added = scatter_rows(Update::Reduce(Reducer::Add), &[1, 0, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(added, [3.0, 5.0, 16.0, 19.0, 20.0, 21.0]);
    // 1e8 + 1 is 1e8 in this precision, so the order shows.
    let added = scatter_rows(Update::Reduce(Reducer::Add), &[0, 0, 0], &[1e8, 0.0, 1.0, 0.0, -1e8, 0.0]);
    assert_eq!(added[0], 0.0);
    let largest = scatter_rows(Update::Reduce(Reducer::Max), &[2, 2], &[30.0, 5.0, f32::NAN, 4.0]);
    assert!(largest[4].is_nan());
    assert_eq!(largest[5], 21.0);
}

#[test]
fn windows_that_reach_outside_are_dropped_whole() {
    let op = Scatter {
        window_axes: smallvec![1],
        inserted_axes: smallvec![],
        operand_batch_axes: smallvec![],
        indices_batch_axes: smallvec![],
        index_map: smallvec![0],
        index_vector_axis: 1,
        sorted: false,
        unique: false,
        update: Update::Reduce(Reducer::Add),
    };
    let result = run(op, &[i32s(&[4], &[0; 4]), i32s(&[2, 1], &[3, 1]), i32s(&[2, 2], &[1, 2, 3, 4])]);
    assert_eq!(result, i32s(&[4], &[0, 3, 4, 0]));
}

#[test]
fn a_program_combines() {
    let scalar = Type::scalar(DType::I32);
    let twice_minus = {
        let mut b = jarrah_hlo::Builder::new("twice_minus");
        let (x, u) = (b.param(scalar, ""), b.param(scalar, ""));
        let twice = b.add(x, x).unwrap();
        let result = b.sub(twice, u).unwrap();
        std::sync::Arc::new(b.finish(&[result]).unwrap())
    };
    let (operand, indices) = (i32s(&[2], &[5, 7]), i32s(&[2], &[1, 1]));
    let op = Scatter::rows(operand.ty(), indices.ty(), Update::Reduce(Reducer::General(twice_minus)));
    // (7 * 2 - 1) * 2 - 2
    assert_eq!(run(op, &[operand, indices, i32s(&[2], &[1, 2])]), i32s(&[2], &[5, 24]));
}

#[test]
fn inference_names_what_differs() {
    let (f, i) = (Type::tensor(DType::F32, [5, 3]), Type::tensor(DType::I32, [4]));
    let gather = Gather::rows(f, i).unwrap();
    let error = program(gather.clone(), &[f, i.with_dtype(DType::F32)]).unwrap_err();
    assert_eq!(error.message(), "indices must be integers, they are f32[4]");
    let error = program(gather, &[f.with_dims([5, 2]), i]).unwrap_err();
    assert_eq!(error.message(), "a slice has 3 elements along axis 1, operand f32[5,2] has 2");
    let scatter = Scatter::rows(f, i, Update::Assign);
    let error = program(scatter, &[f, i, f]).unwrap_err();
    assert_eq!(error.message(), "updates f32[5,3] axis 0 is 5, indices i32[4] give 4");
}
