use jarrah_base::{DType, Element, ElementKind, Error, Literal, Result, Type, with_element};
use jarrah_hlo::ops::DotGeneral;

use crate::copy::permuted;

/// Extents of a product of stacks of matrices.
struct Sizes {
    batch: usize,
    rows: usize,
    columns: usize,
    contracted: usize,
}

/// Sums of products: each is one chain of fused multiply-adds from 0 over the contracted axes in row-major order, in
/// `f64` for `f64` operands and in `f32` for narrower floats, rounded once at the end. Integers wrap.
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
    match lhs.dtype() {
        DType::F64 => product(&sizes, &lhs, &rhs, to, |x| x, f64::mul_add, |x| x),
        DType::F32 | DType::BF16 | DType::F16 => {
            product(&sizes, &lhs, &rhs, to, |x| x as f32, f32::mul_add, f64::from)
        }
        _ => integer_product(&sizes, &lhs, &rhs, to),
    }
}

fn product<A: Copy + Default>(
    sizes: &Sizes,
    lhs: &Literal,
    rhs: &Literal,
    to: Type,
    narrow: fn(f64) -> A,
    multiply_add: fn(A, A, A) -> A,
    widen: fn(A) -> f64,
) -> Result<Literal> {
    let load = |x: &Literal| -> Vec<A> { x.to_f64_vec().into_iter().map(narrow).collect() };
    let sums = sums(sizes, &load(lhs), &load(rhs), multiply_add);
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        for (out, sum) in out.as_mut_slice::<T>()?.iter_mut().zip(sums) {
            *out = T::from_f64(widen(sum));
        }
    });
    Ok(out)
}

fn integer_product(sizes: &Sizes, lhs: &Literal, rhs: &Literal, to: Type) -> Result<Literal> {
    let load = |x: &Literal| -> Vec<i128> { (0..x.len()).map(|i| x.get_i128(i)).collect() };
    let sums = sums(sizes, &load(lhs), &load(rhs), |x, y, sum| sum.wrapping_add(x.wrapping_mul(y)));
    let truth = to.dtype().kind() == ElementKind::Bool;
    let mut out = Literal::zeros(to)?;
    with_element!(to.dtype(), T => {
        for (out, sum) in out.as_mut_slice::<T>()?.iter_mut().zip(sums) {
            *out = T::from_i128(if truth { (sum != 0).into() } else { sum });
        }
    });
    Ok(out)
}

/// `out[b, m, n] = sum over k of lhs[b, m, k] * rhs[b, k, n]`, `k` ascending.
fn sums<A: Copy + Default>(
    sizes: &Sizes,
    lhs: &[A],
    rhs: &[A],
    multiply_add: impl Fn(A, A, A) -> A,
) -> Vec<A> {
    let &Sizes { batch, rows, columns, contracted } = sizes;
    let mut out = vec![A::default(); batch * rows * columns];
    for b in 0..batch {
        for m in 0..rows {
            let row = b * rows + m;
            let sums = &mut out[row * columns..][..columns];
            for k in 0..contracted {
                let x = lhs[row * contracted + k];
                let line = &rhs[(b * contracted + k) * columns..][..columns];
                for (sum, &y) in sums.iter_mut().zip(line) {
                    *sum = multiply_add(x, y, *sum);
                }
            }
        }
    }
    out
}
