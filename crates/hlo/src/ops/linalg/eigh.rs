use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, square, with_last};
use crate::example::{Example, positive_definite};
use crate::rules::*;

/// The eigenvectors and eigenvalues of Hermitian matrices, `A V = V diag(w)`: `(v, w)`, values ascending.
///
/// Only one triangle of `A` is read. Vectors are columns of length one; their signs, or phases, are unspecified.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Eigh {
    /// Whether the lower triangle is read.
    pub lower: bool,
}

impl Rules for Eigh {
    fn name(&self) -> &'static str {
        "jarrah.eigh"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let n = square("the operand", a)?;
        Ok(TypeVec::from_slice(&[a, with_last(a, &[n]).with_dtype(a.dtype().real())]))
    }

    /// `w' = diag(P)` and `V' = V (F * P)`, where `P = V^H A' V` and `F_ij = 1 / (w_j - w_i)` off the diagonal; `A'` is
    /// the Hermitian matrix of the triangle that is read.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let [v, w] = cx.all_results()?;
        let ty = cx.ty(0);
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let change = b.hermitian(change, self.lower)?;
        let wide = b.convert(w, ty.dtype())?;
        let (across, down) = (b.along_rows(wide, ty)?, b.along_columns(wide, ty)?);
        let gaps = b.sub(across, down)?;
        let f = b.reciprocal_off_diagonal(gaps)?;
        let vh = b.adjoint(v)?;
        let p = b.matmul(vh, change)?;
        let p = b.matmul(p, v)?;
        let fp = b.mul(f, p)?;
        let dv = b.matmul(v, fp)?;
        let dw = b.diagonal(p)?;
        let dw = b.real_part(dw)?;
        Ok(Jvp::Tangents(vec![Tangent::Value(dv), Tangent::Value(dw)]))
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
        Cost::new(9.0 * operands[0].elements()? as f64 * n, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The eigenvectors and eigenvalues of Hermitian matrices, values ascending.",
            source: "LAPACK syevd; jax.lax.linalg.eigh",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("lower", Eigh { lower: true }, vec![positive_definite(&[], 4)]),
            Example::new("upper, a stack", Eigh { lower: false }, vec![positive_definite(&[2], 3)]),
        ]
    }
}
