//! Custom calls for routines of LAPACK, of cuSOLVER and its kin, and for XLA's own decompositions.

use jarrah_base::{DType, Result, Type};
use jarrah_hlo::Value;
use jarrah_hlo::ops::{
    Axes, Cholesky, Comparison, DotGeneral, Eig, Eigh, ElementwiseKind, Geqrf, Hessenberg,
    HouseholderProduct, Imag, Iota, Lu, MatrixTranspose, Real, Reducer, Scan, Schur, Svd, TriangularSolve,
    Tridiagonal, TridiagonalSolve,
};
use jarrah_hlo::{Builder, Program};

use super::block::{Outcome, all};
use super::custom_calls::{arguments, config};
use super::cx::Cx;
use super::movement;
use crate::ir::Attr;

/// The LAPACK or cuSOLVER routine, or XLA decomposition, that a target names.
enum Routine {
    Eig,
    Eigh,
    Geqrf,
    Hessenberg,
    Lu,
    LuWithPermutation,
    MultiplyByHouseholder,
    PivotsToPermutation,
    HouseholderProduct,
    Cholesky,
    Schur,
    Svd,
    SvdUntransposed,
    TriangularSolve,
    Tridiagonal,
    TridiagonalSolve,
}

fn routine(target: &str) -> Option<Routine> {
    let lapack = target.strip_prefix("lapack_").and_then(|t| t.strip_suffix("_ffi"));
    // The first letter is the element type, which the operands have too.
    let lapack = lapack.and_then(|t| t.strip_prefix(['s', 'd', 'c', 'z']));
    let solver =
        ["cusolver_", "hipsolver_", "cu_", "hip_", "cuhybrid_", "hiphybrid_", "cusparse_", "hipsparse_"];
    let solver = solver.iter().find_map(|prefix| target.strip_prefix(prefix));
    let solver = solver.map(|name| name.strip_suffix("_ffi").unwrap_or(name));
    Some(match lapack.or(solver).unwrap_or(target) {
        "Eigh" | "syevd" | "heevd" => Routine::Eigh,
        "LuDecomposition" => Routine::LuWithPermutation,
        "ProductOfElementaryHouseholderReflectors" | "orgqr" | "ungqr" => Routine::HouseholderProduct,
        "Qr" | "geqrf" => Routine::Geqrf,
        "gees" => Routine::Schur,
        "geev" | "eig_real" | "eig_comp" => Routine::Eig,
        "gehrd" => Routine::Hessenberg,
        "gesdd" | "gesvd" => Routine::Svd,
        "gesvdj" | "gesvdp" => Routine::SvdUntransposed,
        "getrf" => Routine::Lu,
        "gtsv" | "gtsv2" => Routine::TridiagonalSolve,
        "lu_pivots_to_permutation" => Routine::PivotsToPermutation,
        "ormqr" | "unmqr" => Routine::MultiplyByHouseholder,
        "potrf" => Routine::Cholesky,
        "sytrd" | "hetrd" => Routine::Tridiagonal,
        "trsm" => Routine::TriangularSolve,
        _ => return None,
    })
}

/// A routine's flag: a letter given as its code, or a truth value as `Y` or `N`.
fn letter(cx: &Cx<'_, '_>, name: &str) -> Option<char> {
    match config(cx)?.get(name)? {
        Attr::Integer(n, _) => u8::try_from(*n).ok().map(char::from),
        Attr::Bool(b) => Some(if *b { 'Y' } else { 'N' }),
        _ => None,
    }
}

/// Whether the routine reads the lower triangle.
fn lower(cx: &Cx<'_, '_>) -> Result<bool> {
    match (letter(cx, "uplo"), letter(cx, "lower")) {
        (Some('L'), _) | (None, Some('Y')) => Ok(true),
        (Some('U'), _) | (None, Some('N')) => Ok(false),
        // XLA's `backend_config` has it as the first number of a list.
        _ => match cx.op.text("backend_config") {
            Some(text) if !text.is_empty() => Ok(text.split(',').next() == Some("1")),
            _ => Err(cx.fail("says nothing about which triangle it reads")),
        },
    }
}

/// The decomposition that a custom call stands for; `None` for another target.
pub(super) fn custom_call(cx: &mut Cx<'_, '_>, target: &str) -> Result<Option<Outcome>> {
    let Some(routine) = routine(target) else { return Ok(None) };
    let operands = arguments(cx)?;
    let mut results: Vec<Option<Value>> = match routine {
        Routine::Cholesky => {
            let lower = lower(cx)?;
            some(&[cx.one(Cholesky { lower }, &operands)?])
        }
        Routine::TriangularSolve => return triangular(cx, &operands).map(Some),
        Routine::HouseholderProduct => some(&[cx.one(HouseholderProduct, &operands)?]),
        Routine::Geqrf => some(&cx.push(Geqrf, &operands)?),
        Routine::Hessenberg => some(&cx.push(Hessenberg, &operands)?),
        Routine::LuWithPermutation => some(&cx.push(Lu, &operands)?),
        Routine::Lu => {
            let results = cx.push(Lu, &operands)?;
            // LAPACK counts rows from 1.
            let ones = cx.b().ones_like(results[1])?;
            some(&[results[0], cx.b().add(results[1], ones)?])
        }
        Routine::Eigh => {
            let lower = lower(cx)?;
            some(&cx.push(Eigh { lower }, &operands)?)
        }
        Routine::Eig => eig(cx, &operands)?,
        Routine::Svd => {
            let (full, vectors) = svd_mode(cx);
            svd(cx, &operands, full, vectors, false)?
        }
        Routine::SvdUntransposed => {
            let (full, _) = svd_mode(cx);
            svd(cx, &operands, full, true, true)?
        }
        Routine::Schur => {
            let compute_vectors = letter(cx, "mode") == Some('V');
            some(&cx.push(Schur { compute_vectors }, &operands)?)
        }
        Routine::Tridiagonal => {
            let lower = lower(cx)?;
            some(&cx.push(Tridiagonal { lower }, &operands)?)
        }
        Routine::TridiagonalSolve => {
            let solution = cx.one(TridiagonalSolve, &operands)?;
            match cx.result_count()? {
                1 => some(&[solution]),
                _ => vec![None, None, None, Some(solution)],
            }
        }
        Routine::MultiplyByHouseholder => some(&[multiply_by_householder(cx, &operands)?]),
        Routine::PivotsToPermutation => some(&[pivots_to_permutation(cx, &operands)?]),
    };
    let count = cx.result_count()?;
    results.truncate(count);
    while results.len() < count {
        let index = results.len();
        // The last result is the routine's status: always success, since a failed decomposition is NaN.
        let info = index + 1 == count && cx.result_dtype(index)? == DType::I32;
        results.push(match operands.first() {
            Some(&operand) if info => {
                let ty = result_type(cx, index, operand)?;
                Some(cx.b().zeros(ty)?)
            }
            _ => None,
        });
    }
    for (i, result) in results.iter().enumerate() {
        let used = cx.op.results.get(i).is_some_and(|&id| cx.lower.is_used(id));
        if result.is_none() && used {
            return Err(cx.fail(format!("result {i} of @{target} is not supported")));
        }
    }
    Ok(Some(results.into_iter().collect()))
}

/// The type of the result `index`: as stated if complete, else with the extents in a shape operand if there is one,
/// else with the extents of `operand` where none are stated.
fn result_type(cx: &mut Cx<'_, '_>, index: usize, operand: Value) -> Result<Type> {
    let leaf = cx.result(index)?;
    if leaf.concrete().is_some() {
        return cx.result_type(index);
    }
    let dtype = cx.result_dtype(index)?;
    let shapes = cx.optional_numbers("indices_of_shape_operands")?.unwrap_or_default();
    if let Some(at) = shapes.get(index).and_then(|&at| usize::try_from(at).ok()) {
        let dims = cx.needed_sizes(at)?;
        return Ok(Type::tensor(dtype, dims));
    }
    let (ty, stated) = (cx.ty(operand), leaf.tensor().dims.as_deref().unwrap_or(&[]));
    let dim = |(axis, extent): (usize, &Option<u64>)| match extent {
        Some(n) => usize::try_from(*n).ok(),
        None => ty.extents().nth(axis),
    };
    let dims: Option<Vec<usize>> = stated.iter().enumerate().map(dim).collect();
    match (dims, &leaf.tensor().dims) {
        (Some(dims), Some(_)) => Ok(Type::tensor(dtype, dims)),
        _ => cx.result_type(index),
    }
}

fn some(values: &[Value]) -> Vec<Option<Value>> {
    values.iter().copied().map(Some).collect()
}

fn triangular(cx: &mut Cx<'_, '_>, operands: &[Value]) -> Result<Outcome> {
    let transpose_a = match letter(cx, "trans_x") {
        Some('T') => MatrixTranspose::Transpose,
        Some('C') => MatrixTranspose::Adjoint,
        _ => MatrixTranspose::None,
    };
    let solve = TriangularSolve {
        left_side: letter(cx, "side") == Some('L'),
        lower: lower(cx)?,
        unit_diagonal: letter(cx, "diag") == Some('U'),
        transpose_a,
    };
    let [a, b, ..] = *operands else {
        return Err(cx.fail("takes a matrix and a right side"));
    };
    Ok(all(&[cx.one(solve, &[a, b])?]))
}

/// Eigenvalues, as real and imaginary parts if the operand is real, then eigenvectors.
fn eig(cx: &mut Cx<'_, '_>, operands: &[Value]) -> Result<Vec<Option<Value>>> {
    let asked =
        |cx: &Cx<'_, '_>, names: [&str; 2]| names.iter().any(|n| matches!(letter(cx, n), Some('V' | 'Y')));
    let left = asked(cx, ["compute_left", "left"]);
    let right = asked(cx, ["compute_right", "right"]);
    let mut found = cx.push(Eig { left, right }, operands)?.into_iter();
    let values = found.next();
    let mut results = Vec::new();
    match values {
        Some(values) if cx.result_dtype(0)?.is_float() => {
            results.push(Some(cx.one(Real, &[values])?));
            results.push(Some(cx.one(Imag, &[values])?));
        }
        values => results.push(values),
    }
    for asked in [left, right] {
        results.push(if asked { found.next() } else { None });
    }
    Ok(results)
}

/// Whether to compute full matrices, and whether to compute singular vectors at all.
fn svd_mode(cx: &Cx<'_, '_>) -> (bool, bool) {
    match letter(cx, "mode") {
        Some(mode) => (mode == 'A', mode != 'N'),
        None => (letter(cx, "full_matrices") == Some('Y'), letter(cx, "compute_uv") != Some('N')),
    }
}

/// The overwritten operand, which nothing reads, then singular values and vectors.
fn svd(
    cx: &mut Cx<'_, '_>,
    operands: &[Value],
    full_matrices: bool,
    compute_uv: bool,
    untransposed: bool,
) -> Result<Vec<Option<Value>>> {
    if letter(cx, "transposed") == Some('Y') {
        return Err(cx.fail("a transposed decomposition is not supported"));
    }
    let found = cx.push(Svd { full_matrices, compute_uv }, operands)?;
    let mut results = vec![None];
    results.extend(found.iter().copied().map(Some));
    if untransposed && let &[_, _, vh] = &found[..] {
        let rank = cx.ty(vh).rank();
        let v = cx.b().move_axis(vh, rank - 1, rank - 2)?;
        results[3] = Some(cx.b().unary(ElementwiseKind::Conj, v)?);
    }
    Ok(results)
}

/// A matrix multiplied by the square matrix that the product of reflections is.
fn multiply_by_householder(cx: &mut Cx<'_, '_>, operands: &[Value]) -> Result<Value> {
    let &[a, taus, c] = operands else {
        return Err(cx.fail("takes reflections, their factors and a matrix"));
    };
    let ty = cx.ty(a);
    let rank = ty.rank();
    let (&[.., rows, columns], &[.., count]) = (&*ty.dims(), &*cx.ty(taus).dims()) else {
        return Err(cx.fail(format!("{ty} is no matrix")));
    };
    let zero = cx.b().zeros(Type::scalar(ty.dtype()))?;
    let more = |n: usize, most: usize| (most as i64 - n as i64).max(0);
    let widen = |cx: &mut Cx<'_, '_>, x: Value, n: i64| -> Result<Value> {
        let rank = cx.ty(x).rank();
        let mut high = vec![0; rank];
        high[rank - 1] = n;
        movement::padded(cx, x, zero, &vec![0; rank], &high, &vec![0; rank])
    };
    let a = widen(cx, a, more(columns, rows))?;
    let taus = widen(cx, taus, more(count, rows))?;
    let q = cx.one(HouseholderProduct, &[a, taus])?;
    let (left, transpose) = (letter(cx, "left") == Some('Y'), letter(cx, "transpose") == Some('Y'));
    let q = if transpose { cx.b().unary(ElementwiseKind::Conj, q)? } else { q };
    let batch: Axes = (0..rank - 2).collect();
    // The product that contracts one axis of each operand.
    let dot = |lhs: usize, rhs: usize| DotGeneral {
        lhs_batch: batch.clone(),
        rhs_batch: batch.clone(),
        lhs_contract: Axes::from_slice(&[lhs]),
        rhs_contract: Axes::from_slice(&[rhs]),
        out: ty.dtype(),
    };
    if left {
        cx.one(dot(if transpose { rank - 2 } else { rank - 1 }, rank - 2), &[q, c])
    } else {
        cx.one(dot(rank - 1, if transpose { rank - 1 } else { rank - 2 }), &[c, q])
    }
}

/// The permutation that exchanging row `i` with row `pivots[.., i]`, in order, gives.
fn pivots_to_permutation(cx: &mut Cx<'_, '_>, operands: &[Value]) -> Result<Value> {
    let &[pivots] = operands else {
        return Err(cx.fail("takes pivots"));
    };
    let ty = result_type(cx, 0, pivots)?;
    let axis = ty.rank().checked_sub(1).ok_or_else(|| cx.fail("has a scalar result"))?;
    let length = cx.ty(pivots).extents().last().unwrap_or(0);
    let rows = cx.one(Iota { ty, axis }, &[])?;
    let first = cx.b().zeros(Type::scalar(ty.dtype()))?;
    let steps = cx.b().move_axis(pivots, axis, 0)?;
    let pivot = cx.ty(steps).without_leading();
    let body = exchange(ty, pivot)?;
    let scan = Scan { body: body.into(), consts: 0, carry: 2, length, reverse: false };
    Ok(cx.push(scan, &[first, rows, steps])?[1])
}

/// `(i, rows, j)` to `(i + 1, rows with i and j exchanged)`.
fn exchange(ty: Type, pivot: Type) -> Result<Program> {
    let mut b = Builder::new("exchange");
    let i = b.param(Type::scalar(ty.dtype()), "");
    let rows = b.param(ty, "");
    let j = b.param(pivot, "");
    let axis = ty.rank() - 1;
    let axes: Axes = (0..axis).collect();
    let positions = b.iota(ty, axis)?;
    let zeros = b.zeros(ty)?;
    let (all_i, all_j) = (b.broadcast_in_dim(i, &ty.dims(), &[])?, b.broadcast_in_dim(j, &ty.dims(), &axes)?);
    let mut at = Vec::new();
    for wanted in [all_i, all_j] {
        let here = b.compare(Comparison::Eq, positions, wanted)?;
        let only = b.select(here, rows, zeros)?;
        let row = b.reduce(Reducer::Add, only, &[axis])?;
        at.push((here, b.broadcast_in_dim(row, &ty.dims(), &axes)?));
    }
    // An exchange with a row that does not exist changes nothing.
    let exists = b.reduce(Reducer::Or, at[1].0, &[axis])?;
    let exists = b.broadcast_in_dim(exists, &ty.dims(), &axes)?;
    let exchanged = b.select(at[1].0, at[0].1, rows)?;
    let here = b.binary(ElementwiseKind::And, at[0].0, exists)?;
    let exchanged = b.select(here, at[1].1, exchanged)?;
    let one = b.ones_like(i)?;
    let next = b.binary(ElementwiseKind::Add, i, one)?;
    b.finish(&[next, exchanged])
}
