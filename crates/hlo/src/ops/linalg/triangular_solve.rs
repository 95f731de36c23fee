use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{Part, matrices, square};
use crate::example::{Example, varied, well_conditioned};
use crate::rules::*;

/// The operation applied to a matrix before it is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MatrixTranspose {
    /// Nothing.
    None,
    /// It is transposed.
    Transpose,
    /// It is transposed and conjugated.
    Adjoint,
}

/// Solutions `X` of `op(A) X = B`, or of `X op(A) = B`, with triangular `A`; the other triangle is not read.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TriangularSolve {
    /// Whether `A` stands to the left of `X`.
    pub left_side: bool,
    /// Whether `A` is lower triangular.
    pub lower: bool,
    /// Whether the diagonal of `A` counts as ones, and is not read.
    pub unit_diagonal: bool,
    /// `op`.
    pub transpose_a: MatrixTranspose,
}

impl TriangularSolve {
    /// `A^-1 b`.
    pub fn left(lower: bool) -> Self {
        TriangularSolve { left_side: true, lower, unit_diagonal: false, transpose_a: MatrixTranspose::None }
    }

    /// `b A^-1`.
    pub fn right(lower: bool) -> Self {
        TriangularSolve { left_side: false, ..TriangularSolve::left(lower) }
    }
}

impl Rules for TriangularSolve {
    fn name(&self) -> &'static str {
        "triangular_solve"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let (a, b) = (operands[0], operands[1]);
        if a.dtype() != b.dtype() {
            return Err(Error::program(format!("dtypes differ: a {a}, b {b}")).help("convert one of them"));
        }
        let n = square("a", a)?;
        let (rows, cols) = matrices("b", b)?;
        let shared = if self.left_side { rows } else { cols };
        if n != shared {
            let what = if self.left_side { "rows" } else { "columns" };
            return Err(Error::program(format!("a {a} needs {n} {what}, b is {b}")));
        }
        if a.rank() != b.rank() || a.dims()[..a.rank() - 2] != b.dims()[..b.rank() - 2] {
            return Err(Error::program(format!("stacks differ: a {a}, b {b}")));
        }
        Ok(TypeVec::from_slice(&[b]))
    }

    /// `X' = op(A)^-1 (B' - op(A') X)`.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let x = cx.result()?;
        let (a, b) = (cx.operands[0], &mut *cx.b);
        let mut tangent = None;
        if let Some(da) = cx.tangents[0].value() {
            let part = match (self.lower, self.unit_diagonal) {
                (true, false) => Part::Lower,
                (true, true) => Part::StrictlyLower,
                (false, false) => Part::Upper,
                (false, true) => Part::StrictlyUpper,
            };
            let da = b.part(da, part)?;
            let da = match self.transpose_a {
                MatrixTranspose::None => da,
                MatrixTranspose::Transpose => b.flip(da)?,
                MatrixTranspose::Adjoint => b.adjoint(da)?,
            };
            let da = b.neg(da)?;
            tangent = Some(if self.left_side { b.matmul(da, x)? } else { b.matmul(x, da)? });
        }
        if let Some(db) = cx.tangents[1].value() {
            tangent = Some(match tangent {
                Some(t) => b.add(t, db)?,
                None => db,
            });
        }
        let tangent = tangent.ok_or_else(|| Error::internal("no operand has a tangent"))?;
        Ok(Jvp::Tangents(vec![Tangent::Value(b.one(self.clone(), &[a, tangent])?)]))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        if cx.is_linear(0) {
            return Ok(Transpose::Refuse("a triangular solution is not linear in its matrix"));
        }
        let (mut a, ct) = (cx.known(0)?, cx.cotangent()?);
        let transpose_a = match self.transpose_a {
            MatrixTranspose::None => MatrixTranspose::Transpose,
            MatrixTranspose::Transpose => MatrixTranspose::None,
            MatrixTranspose::Adjoint => {
                a = cx.b.conjugate(a)?;
                MatrixTranspose::None
            }
        };
        let solve = TriangularSolve { transpose_a, ..self.clone() };
        Ok(Transpose::Cotangents(vec![None, Some(cx.b.one(solve, &[a, ct])?)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(2));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let n = square("a", operands[0])? as f64;
        Cost::new(operands[1].elements()? as f64 * n, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Solutions of triangular systems: `op(A) X = B` or `X op(A) = B`.",
            source: "StableHLO specification, triangular_solve",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        use MatrixTranspose::{Adjoint, None, Transpose};
        let solve = |left_side, lower, unit_diagonal, transpose_a| TriangularSolve {
            left_side,
            lower,
            unit_diagonal,
            transpose_a,
        };
        let b = |dims: &[usize]| varied(dims, -1.0, 1.0);
        vec![
            Example::new(
                "lower",
                solve(true, true, false, None),
                vec![well_conditioned(&[3, 3]), b(&[3, 2])],
            ),
            Example::new(
                "upper, transposed",
                solve(true, false, false, Transpose),
                vec![well_conditioned(&[3, 3]), b(&[3, 4])],
            ),
            Example::new(
                "from the right, a unit diagonal",
                solve(false, true, true, None),
                vec![well_conditioned(&[3, 3]), b(&[2, 3])],
            ),
            Example::new(
                "from the right, adjoint, a stack",
                solve(false, false, false, Adjoint),
                vec![well_conditioned(&[2, 2, 2]), b(&[2, 3, 2])],
            ),
        ]
    }
}
