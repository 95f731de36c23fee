use std::sync::Arc;

use jarrah_base::{DType, Type};
use jarrah_hlo::Builder;
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel, Load, ProgramId, Store};
use smallvec::smallvec;

use super::{i32s, run};

#[test]
fn partial_blocks_are_clipped() {
    // Adds 10 times the block's number to blocks of two of five elements.
    let block = Type::reference(DType::I32, [2]);
    let mut b = Builder::new("body");
    let (input, output) = (b.param(block, ""), b.param(block, ""));
    let x = b.one(Load, &[input]).unwrap();
    let at = b.one(ProgramId { axis: 0 }, &[]).unwrap();
    let dims = b.ty(x).dims();
    let at = b.broadcast_in_dim(at, &dims, &[]).unwrap();
    let at = b.scale(at, 10.0).unwrap();
    let y = b.add(x, at).unwrap();
    b.push(Store, &[output, y]).unwrap();
    let spec = BlockSpec { axes: smallvec![BlockIndex::Block { size: 2, grid: 0 }] };
    let kernel = Kernel {
        grid: smallvec![3],
        inputs: vec![spec.clone()],
        outputs: vec![(Type::tensor(DType::I32, [5]), spec)],
        body: Arc::new(b.finish(&[]).unwrap()),
    };
    assert_eq!(run(kernel, &[i32s(&[5], &[1, 2, 3, 4, 5])]), i32s(&[5], &[1, 2, 13, 14, 25]));
}

#[test]
fn points_and_single_axes_are_dropped() {
    // out[i, j, 0] = x[0, j, i], one row of the result at a time.
    let (column, row) = (Type::reference(DType::I32, [2]), Type::reference(DType::I32, [2, 1]));
    let mut b = Builder::new("body");
    let (input, output) = (b.param(column, ""), b.param(row, ""));
    let x = b.one(Load, &[input]).unwrap();
    let x = b.reshape(x, &[2, 1]).unwrap();
    b.push(Store, &[output, x]).unwrap();
    let kernel = Kernel {
        grid: smallvec![3],
        inputs: vec![BlockSpec {
            axes: smallvec![BlockIndex::First, BlockIndex::Whole, BlockIndex::Point { grid: 0 }],
        }],
        outputs: vec![(
            Type::tensor(DType::I32, [3, 2, 1]),
            BlockSpec {
                axes: smallvec![BlockIndex::Point { grid: 0 }, BlockIndex::Whole, BlockIndex::Whole],
            },
        )],
        body: Arc::new(b.finish(&[]).unwrap()),
    };
    let x = i32s(&[1, 2, 3], &[0, 1, 2, 3, 4, 5]);
    assert_eq!(run(kernel, &[x]), i32s(&[3, 2, 1], &[0, 3, 1, 4, 2, 5]));
}
