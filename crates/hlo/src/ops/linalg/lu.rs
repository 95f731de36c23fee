use jarrah_base::{DType, Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{Part, decomposable, matrices, with_last};
use super::triangular_solve::TriangularSolve;
use crate::example::{Example, well_conditioned};
use crate::rules::*;

/// The factors of `P A = L U` with partial pivoting: `(lu, pivots, permutation)`.
///
/// `lu` `[.., m, n]` has `U` in its upper triangle and `L`, whose diagonal is one, below. In step `k` row `k` was
/// exchanged with row `pivots[.., k]`, counted from 0; row `i` of `P A` is row `permutation[.., i]` of `A`. Both are
/// `i32`. The pivot is the first of the largest elements, for complex ones by `|re| + |im|`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lu;

impl Rules for Lu {
    fn name(&self) -> &'static str {
        "jarrah.lu"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let (m, n) = matrices("the operand", a)?;
        let indices = a.with_dtype(DType::I32);
        Ok(TypeVec::from_slice(&[a, with_last(indices, &[m.min(n)]), with_last(indices, &[m])]))
    }

    /// `L' = L tril(L^-1 P A' U^-1, -1)` and `U' = triu(L^-1 P A' U^-1) U`, both factors completed to square ones by the
    /// identity (de Hoog, Anderssen, Lukas, 2011).
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let [lu, pivots, permutation] = cx.all_results()?;
        let ty = cx.ty(0);
        let (m, n) = matrices("the operand", ty)?;
        let k = m.min(n);
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let change = b.permuted_rows(change, permutation)?;
        let narrow = b.slice_last(lu, 1, 0, k)?;
        let l = b.part(narrow, Part::StrictlyLower)?;
        let l = b.padded(l, m, m)?;
        let eye = b.eye(b.ty(l))?;
        let l = b.add(l, eye)?;
        let flat = b.slice_last(lu, 2, 0, k)?;
        let u = b.part(flat, Part::Upper)?;
        let u = b.padded(u, n, n)?;
        let u = if n > k {
            let eye = b.eye(b.ty(u))?;
            let above = b.slice_last(eye, 2, 0, k)?;
            let above = b.zeros_like(above)?;
            let below = b.slice_last(eye, 2, k, n)?;
            let rest = b.concatenate(&[above, below], ty.rank() - 2)?;
            b.add(u, rest)?
        } else {
            u
        };
        let unit = TriangularSolve { unit_diagonal: true, ..TriangularSolve::left(true) };
        let inner = b.one(unit, &[l, change])?;
        let inner = b.one(TriangularSolve::right(false), &[u, inner])?;
        let lower = b.part(inner, Part::StrictlyLower)?;
        let from_l = b.matmul(l, lower)?;
        let upper = b.part(inner, Part::Upper)?;
        let from_u = b.matmul(upper, u)?;
        let tangent = b.add(from_l, from_u)?;
        let zero = |b: &crate::Builder, v| Tangent::Zero(b.ty(v));
        Ok(Jvp::Tangents(vec![Tangent::Value(tangent), zero(b, pivots), zero(b, permutation)]))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("an LU decomposition is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let (m, n) = matrices("the operand", operands[0])?;
        let k = m.min(n) as f64;
        Cost::new(operands[0].elements()? as f64 * k, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The factors of `P A = L U` with partial pivoting, in one matrix, with pivots and permutation.",
            source: "LAPACK getrf; jax.lax.linalg.lu",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("square", Lu, vec![well_conditioned(&[4, 4])]),
            Example::new("tall, a stack", Lu, vec![well_conditioned(&[2, 4, 2])]),
            Example::new("wide", Lu, vec![well_conditioned(&[2, 4])]),
        ]
    }
}
