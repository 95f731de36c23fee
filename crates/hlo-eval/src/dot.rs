use jarrah_base::{DType, Error, Literal, Result, Type, c64, c128, chains};
use jarrah_hlo::ops::DotGeneral;

use crate::copy::permuted;

/// Extents of a product of stacks of matrices.
struct Sizes {
    batch: usize,
    rows: usize,
    columns: usize,
    contracted: usize,
}

/// Sums of products over the contracted axes in row-major order: each [block](chains) of them is one chain of fused
/// multiply-adds from 0, and blocks are added in order, in `f64` for `f64` operands and in `f32` for narrower floats,
/// rounded once at the end. Complex numbers are multiplied and added in their own type, each operation on their parts
/// rounded. Integers wrap.
pub fn dot_general(op: &DotGeneral, lhs: &Literal, rhs: &Literal, to: Type) -> Result<Literal> {
    let (lhs_dims, rhs_dims) = (lhs.dims(), rhs.dims());
    let free = |rank: usize, batch: &[usize], contract: &[usize]| -> Vec<usize> {
        (0..rank).filter(|a| !batch.contains(a) && !contract.contains(a)).collect()
    };
    let lhs_free = free(lhs_dims.len(), &op.lhs_batch, &op.lhs_contract);
    let rhs_free = free(rhs_dims.len(), &op.rhs_batch, &op.rhs_contract);
    let count = |dims: &[usize], axes: &[usize]| -> usize { axes.iter().map(|&a| dims[a]).product() };
    let sizes = Sizes {
        batch: count(&lhs_dims, &op.lhs_batch),
        rows: count(&lhs_dims, &lhs_free),
        columns: count(&rhs_dims, &rhs_free),
        contracted: count(&lhs_dims, &op.lhs_contract),
    };
    let lhs = permuted(lhs, &[&op.lhs_batch[..], &lhs_free, &op.lhs_contract].concat())?;
    let rhs = permuted(rhs, &[&op.rhs_batch[..], &op.rhs_contract, &rhs_free].concat())?;
    if lhs.dtype() != rhs.dtype() {
        return Err(Error::internal(format!("a product of {} and {}", lhs.dtype(), rhs.dtype())));
    }
    match lhs.dtype().accumulator() {
        DType::F64 => {
            let sums = sums(&sizes, &lhs.to_f64_vec(), &rhs.to_f64_vec(), f64::mul_add, |a, b| a + b);
            Literal::from_f64s(to, &sums)
        }
        DType::F32 => {
            let load = |x: &Literal| -> Vec<f32> { x.to_f64_vec().into_iter().map(|x| x as f32).collect() };
            let sums = sums(&sizes, &load(&lhs), &load(&rhs), f32::mul_add, |a, b| a + b);
            Literal::from_f64s(to, &sums.into_iter().map(f64::from).collect::<Vec<_>>())
        }
        DType::C64 => {
            let load = |x: &Literal| -> Vec<c64> {
                x.to_c128_vec().into_iter().map(|z| c64::new(z.re as f32, z.im as f32)).collect()
            };
            let sums = sums(&sizes, &load(&lhs), &load(&rhs), |x, y, sum| sum + x * y, |a, b| a + b);
            let wide = sums.into_iter().map(|z| c128::new(z.re.into(), z.im.into()));
            Literal::from_c128s(to, &wide.collect::<Vec<_>>())
        }
        DType::C128 => {
            let sums =
                sums(&sizes, &lhs.to_c128_vec(), &rhs.to_c128_vec(), |x, y, sum| sum + x * y, |a, b| a + b);
            Literal::from_c128s(to, &sums)
        }
        _ => {
            let add = |x: i128, y: i128, sum: i128| sum.wrapping_add(x.wrapping_mul(y));
            let mut sums = sums(&sizes, &lhs.to_i128_vec(), &rhs.to_i128_vec(), add, i128::wrapping_add);
            if to.dtype() == DType::Bool {
                sums.iter_mut().for_each(|sum| *sum = (*sum != 0).into());
            }
            Literal::from_i128s(to, &sums)
        }
    }
}

/// `out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]`, `k` ascending within a block, and blocks in order.
fn sums<A: Copy + Default>(
    sizes: &Sizes,
    lhs: &[A],
    rhs: &[A],
    multiply_add: impl Fn(A, A, A) -> A,
    add: impl Fn(A, A) -> A,
) -> Vec<A> {
    let &Sizes { batch, rows, columns, contracted } = sizes;
    let mut out = vec![A::default(); batch * rows * columns];
    let mut chain = vec![A::default(); columns];
    for b in 0..batch {
        for m in 0..rows {
            let row = b * rows + m;
            let sums = &mut out[row * columns..][..columns];
            for block in chains(contracted) {
                let first = block.start == 0;
                chain.fill(A::default());
                for k in block {
                    let x = lhs[row * contracted + k];
                    let line = &rhs[(b * contracted + k) * columns..][..columns];
                    for (sum, &y) in chain.iter_mut().zip(line) {
                        *sum = multiply_add(x, y, *sum);
                    }
                }
                for (sum, &block) in sums.iter_mut().zip(&chain) {
                    *sum = if first { block } else { add(*sum, block) };
                }
            }
        }
    }
    out
}
