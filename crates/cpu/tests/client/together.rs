use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::{Builder, Program, Value};

use super::{check, numbers};

const F32: DType = DType::F32;

/// Rounds of small updates of arrays of many sizes; those of a round touch nothing of each other, and each array is scaled by
/// the sum of its neighbour of the round before.
fn rounds(sizes: &[usize], rounds: usize) -> Program {
    let mut b = Builder::new("rounds");
    let mut arrays: Vec<Value> = sizes.iter().map(|&n| b.param(Type::tensor(F32, [n]), "x")).collect();
    for _ in 0..rounds {
        let sums: Vec<Value> = arrays.iter().map(|&x| b.sum(x, &[0]).unwrap()).collect();
        for i in 0..arrays.len() {
            let small = b.scalar(1f32 / 1024.0).unwrap();
            let sum = b.mul(sums[(i + 1) % sums.len()], small).unwrap();
            let wide = b.broadcast_in_dim(sum, &b.ty(arrays[i]).dims(), &[]).unwrap();
            let scaled = b.mul(arrays[i], wide).unwrap();
            arrays[i] = b.add(scaled, arrays[i]).unwrap();
        }
    }
    b.finish(&arrays).unwrap()
}

#[test]
fn small_steps_side_by_side_keep_their_order() {
    // Together some hundred kilobytes, so that groups become regions; two are too large for a group.
    let sizes: Vec<usize> = (0..70).map(|i| 1 + i * 37 % 4096).chain([1 << 17, 90_001]).collect();
    let args: Vec<Literal> =
        sizes.iter().enumerate().map(|(i, &n)| numbers(F32, &[n], i as u64 + 1)).collect();
    check("rounds", &rounds(&sizes, 3), &args, 0.0);
}
