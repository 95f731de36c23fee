use jarrah_base::{DType, Error, Literal, Result, Type, c128, chains, flushed_multiply_add};
use jarrah_hlo::ops::DotGeneral;

use crate::copy::permuted;

/// Extents of a product of stacks of matrices.
struct Sizes {
    batch: usize,
    rows: usize,
    columns: usize,
    contracted: usize,
}

impl Sizes {
    /// The sizes of the product of the parts of complex numbers.
    fn of_parts(&self) -> Sizes {
        Sizes { columns: 2 * self.columns, contracted: 2 * self.contracted, ..*self }
    }
}

/// The sides of the real product that a product of complex numbers is: `x, y` in turn along the contracted axis of
/// the left side; `u, v` in turn along the columns of the right side, and below each row of these one of `-v, u`.
fn real_sides(sizes: &Sizes, lhs: &Literal, rhs: &Literal) -> [Vec<f64>; 2] {
    let left = lhs.to_c128_vec().into_iter().flat_map(|z| [z.re, z.im]).collect();
    let mut right = Vec::new();
    for row in rhs.to_c128_vec().chunks_exact(sizes.columns.max(1)) {
        right.extend(row.iter().flat_map(|z| [z.re, z.im]));
        right.extend(row.iter().flat_map(|z| [-z.im, z.re]));
    }
    [left, right]
}

fn singles(x: &Literal) -> Vec<f32> {
    x.to_f64_vec().into_iter().map(|x| x as f32).collect()
}

/// Matrices of `rows` rows of `columns` elements with a row of zeros more where that makes their number even.
fn with_pairs(x: &[f32], rows: usize, columns: usize) -> Vec<f32> {
    let zeros = vec![0.0; rows % 2 * columns];
    x.chunks((rows * columns).max(1)).flat_map(|matrix| [matrix, &zeros]).flatten().copied().collect()
}

/// Sums of products over the contracted axes in row-major order: each [block](chains) of them is one chain of fused
/// multiply-adds from 0, and blocks are added in order, in `f64` for `f64` operands and in `f32` for narrower floats,
/// rounded once at the end. Of `bf16` and what is multiplied as such, the chain takes each two elements with the second one first, a zero where there is none,
/// and counts subnormal numbers as zeros. A product of complex numbers is a [real one of their parts](real_sides). Integers wrap.
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
    let contracted = sizes.contracted;
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
        DType::F32 if lhs.dtype().factor() == DType::BF16 => {
            let sizes = Sizes { contracted: sizes.contracted.next_multiple_of(2), ..sizes };
            let sums = sums_of(
                &sizes,
                &with_pairs(&singles(&lhs), contracted, 1),
                &with_pairs(&singles(&rhs), contracted, sizes.columns),
                (flushed_multiply_add, |a, b| a + b),
                |k| k ^ 1,
            );
            Literal::from_f64s(to, &sums.into_iter().map(f64::from).collect::<Vec<_>>())
        }
        DType::F32 => {
            let sums = sums(&sizes, &singles(&lhs), &singles(&rhs), f32::mul_add, |a, b| a + b);
            Literal::from_f64s(to, &sums.into_iter().map(f64::from).collect::<Vec<_>>())
        }
        DType::C64 => {
            let [lhs, rhs] = real_sides(&sizes, &lhs, &rhs)
                .map(|parts| -> Vec<f32> { parts.into_iter().map(|x| x as f32).collect() });
            let sums = sums(&sizes.of_parts(), &lhs, &rhs, f32::mul_add, |a, b| a + b);
            let parts = sums.chunks_exact(2).map(|z| c128::new(z[0].into(), z[1].into()));
            Literal::from_c128s(to, &parts.collect::<Vec<_>>())
        }
        DType::C128 => {
            let [lhs, rhs] = real_sides(&sizes, &lhs, &rhs);
            let sums = sums(&sizes.of_parts(), &lhs, &rhs, f64::mul_add, |a, b| a + b);
            let parts = sums.chunks_exact(2).map(|z| c128::new(z[0], z[1]));
            Literal::from_c128s(to, &parts.collect::<Vec<_>>())
        }
        _ => {
            let add = |x: i128, y: i128, sum: i128| sum.wrapping_add(x.wrapping_mul(y));
            let mut sums = sums(&sizes, &lhs.to_i128_vec(), &rhs.to_i128_vec(), add, i128::wrapping_add);
            match to.dtype() {
                DType::Bool => sums.iter_mut().for_each(|sum| *sum = (*sum as i64 != 0).into()),
                to if to.is_float() => sums.iter_mut().for_each(|sum| *sum = (*sum as i64).into()),
                _ => {}
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
    sums_of(sizes, lhs, rhs, (multiply_add, add), |k| k)
}

/// [`sums`] with `k` in another order: `order` maps the places of each block to one another.
fn sums_of<A: Copy + Default>(
    sizes: &Sizes,
    lhs: &[A],
    rhs: &[A],
    (multiply_add, add): (impl Fn(A, A, A) -> A, impl Fn(A, A) -> A),
    order: impl Fn(usize) -> usize,
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
                for k in block.map(&order) {
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
