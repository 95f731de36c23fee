use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, square, with_last};
use crate::builder::Builder;
use crate::example::{Example, well_conditioned};
use crate::ops::{Complex, ElementwiseKind, Imag, Real, Reducer};
use crate::program::Value;
use crate::rules::*;

/// The eigenvalues of general matrices, then their left and right eigenvectors as asked for; all complex.
///
/// Columns `u` with `u^H A = w u^H` and `v` with `A v = w v` have length one, and their largest element is positive.
/// Values stand in the order of the Schur form, which is unspecified; a complex pair of a real matrix stands together,
/// the positive imaginary part first.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Eig {
    /// Whether there are left eigenvectors.
    pub left: bool,
    /// Whether there are right eigenvectors.
    pub right: bool,
}

impl Eig {
    /// The tangents of values and vectors for the tangent `change`: with `P = V^-1 A' V`, `w' = diag(P)` and
    /// `V' = U + V diag(c)`, where `U = V (F * P)`, `F_ij = 1 / (w_j - w_i)` off the diagonal, and `c` keeps lengths one
    /// and the largest elements real.
    fn tangents(b: &mut Builder, w: Value, v: Value, change: Value) -> Result<(Value, Value)> {
        let ty = b.ty(v);
        let rank = ty.rank();
        let p = b.solve(v, change)?;
        let p = b.matmul(p, v)?;
        let dw = b.diagonal(p)?;
        let (across, down) = (b.along_rows(w, ty)?, b.along_columns(w, ty)?);
        let gaps = b.sub(across, down)?;
        let f = b.reciprocal_off_diagonal(gaps)?;
        let fp = b.mul(f, p)?;
        let u = b.matmul(v, fp)?;
        let conjugate = b.conjugate(v)?;
        let along = b.mul(conjugate, u)?;
        let along = b.sum(along, &[rank - 2])?;
        let shrink = b.one(Real, &[along])?;
        let shrink = b.neg(shrink)?;
        // The element that is real.
        let size = b.unary(ElementwiseKind::Abs, v)?;
        let largest = b.reduce(Reducer::ArgMax(DType::I32), size, &[rank - 2])?;
        let largest = b.along_rows(largest, ty.with_dtype(DType::I32))?;
        let row = b.iota(ty.with_dtype(DType::I32), rank - 2)?;
        let chosen = b.compare(crate::ops::Comparison::Eq, row, largest)?;
        let mut at_largest = |x: Value| -> Result<Value> {
            let zero = b.zeros(ty)?;
            let x = b.select(chosen, x, zero)?;
            b.sum(x, &[rank - 2])
        };
        let (du, dv) = (at_largest(u)?, at_largest(v)?);
        let (du, dv) = (b.one(Imag, &[du])?, b.one(Real, &[dv])?);
        let turn = b.div(du, dv)?;
        let turn = b.neg(turn)?;
        let c = b.one(Complex, &[shrink, turn])?;
        let c = b.along_rows(c, ty)?;
        let kept = b.mul(v, c)?;
        Ok((dw, b.add(u, kept)?))
    }
}

impl Rules for Eig {
    fn name(&self) -> &'static str {
        "jarrah.eig"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let n = square("the operand", a)?;
        let dtype = a.dtype().real().complex().ok_or_else(|| Error::internal("checked above"))?;
        let mut results = TypeVec::from_slice(&[with_last(a, &[n]).with_dtype(dtype)]);
        results.extend([self.left, self.right].iter().filter(|&&v| v).map(|_| a.with_dtype(dtype)));
        Ok(results)
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let all = Eig { right: true, ..self.clone() };
        let factors = cx.b.push(all, cx.operands)?;
        let (w, v) = (factors[0], factors[factors.len() - 1]);
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let change = b.convert(change, b.ty(v).dtype())?;
        let (dw, dv) = Eig::tangents(b, w, v, change)?;
        let (mut results, mut tangents) = (vec![w], vec![Tangent::Value(dw)]);
        if self.left {
            // u^H A = w u^H says A^H u = conj(w) u.
            let (w, change) = (b.conjugate(w)?, b.adjoint(change)?);
            let (_, du) = Eig::tangents(b, w, factors[1], change)?;
            results.push(factors[1]);
            tangents.push(Tangent::Value(du));
        }
        if self.right {
            results.push(v);
            tangents.push(Tangent::Value(dv));
        }
        Ok(Jvp::Replace { results, tangents })
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("an eigendecomposition is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let n = square("the operand", operands[0])? as f64;
        Cost::new(25.0 * operands[0].elements()? as f64 * n, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The eigenvalues of general matrices, and their left and right eigenvectors as asked for.",
            source: "LAPACK geev; jax.lax.linalg.eig",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let eig = |left, right| Eig { left, right };
        vec![
            Example::new("values only", eig(false, false), vec![well_conditioned(&[3, 3])]),
            Example::new("right vectors", eig(false, true), vec![well_conditioned(&[2, 3, 3])]),
            Example::new("both sides", eig(true, true), vec![well_conditioned(&[3, 3])]),
        ]
    }
}
