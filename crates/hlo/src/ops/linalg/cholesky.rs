use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{Part, square};
use super::triangular_solve::{MatrixTranspose, TriangularSolve};
use crate::example::{Example, positive_definite};
use crate::rules::*;

/// The triangular factor of Hermitian positive definite matrices: `A = L L^H`, or `A = U^H U`.
///
/// Only the triangle of `A` that the factor has is read; the other triangle of the factor is zero. A matrix that is not
/// positive definite gives NaN.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Cholesky {
    /// Whether the lower factor is wanted.
    pub lower: bool,
}

impl Rules for Cholesky {
    fn name(&self) -> &'static str {
        "cholesky"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        square("the operand", operands[0])?;
        Ok(operands.into())
    }

    /// `L' = L phi(L^-1 A' L^-H)`, where `phi` is the lower triangle with half the diagonal (Murray, 2016).
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let factor = cx.result()?;
        let b = &mut *cx.b;
        let change = cx.tangents[0].instantiate(b)?;
        let change = b.hermitian(change, self.lower)?;
        let l = if self.lower { factor } else { b.adjoint(factor)? };
        let right = TriangularSolve { left_side: false, transpose_a: MatrixTranspose::Adjoint, ..LOWER };
        let inner = b.one(right, &[l, change])?;
        let inner = b.one(LOWER, &[l, inner])?;
        let triangle = b.part(inner, Part::Lower)?;
        let diagonal = b.part(inner, Part::Diagonal)?;
        let half = b.scale(diagonal, 0.5)?;
        let phi = b.sub(triangle, half)?;
        let tangent = b.matmul(l, phi)?;
        let tangent = if self.lower { tangent } else { b.adjoint(tangent)? };
        Ok(Jvp::Tangents(vec![Tangent::Value(tangent)]))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a Cholesky factor is not linear"))
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
        Cost::new(operands[0].elements()? as f64 * n / 3.0, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The triangular factor of Hermitian positive definite matrices: `A = L L^H` or `A = U^H U`.",
            source: "StableHLO specification, cholesky",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("lower", Cholesky { lower: true }, vec![positive_definite(&[], 4)]),
            Example::new("upper", Cholesky { lower: false }, vec![positive_definite(&[], 3)]),
            Example::new("a stack", Cholesky { lower: true }, vec![positive_definite(&[2], 3)]),
        ]
    }
}

/// `L^-1 b`.
const LOWER: TriangularSolve = TriangularSolve {
    left_side: true,
    lower: true,
    unit_diagonal: false,
    transpose_a: MatrixTranspose::None,
};
