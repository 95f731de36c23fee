use jarrah_base::{Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, matrices, square, with_last};
use crate::builder::Builder;
use crate::example::{Example, positive_definite, varied};
use crate::program::Value;
use crate::rules::*;

/// Hermitian matrices as `A = Q T Q^H` with a real tridiagonal `T`: `(a, diagonal, off_diagonal, taus)`, packed.
///
/// Only one triangle is read and overwritten; the other one of `a` is that of the operand. From the lower triangle the
/// vectors of the reflections stand as in [`super::Hessenberg`], from the upper one above the superdiagonal.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Tridiagonal {
    /// Whether the lower triangle is read.
    pub lower: bool,
}

/// Solutions `X` of `T X = B` with tridiagonal matrices: operands are what stands below the diagonal, the diagonal, and
/// what stands above it, each `[.., n]`, and `B`, `[.., n, k]`. The first element below and the last one above are not
/// read. A singular matrix gives NaN.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TridiagonalSolve;

impl Rules for Tridiagonal {
    fn name(&self) -> &'static str {
        "jarrah.tridiagonal"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let a = operands[0];
        decomposable("the operand", a)?;
        let n = square("the operand", a)?;
        let vector = |n: usize| with_last(a, &[n]);
        let real = a.dtype().real();
        let beside = n.saturating_sub(1);
        Ok(TypeVec::from_slice(&[
            a,
            vector(n).with_dtype(real),
            vector(beside).with_dtype(real),
            vector(beside),
        ]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse("a tridiagonal form has no derivative in JAX either; differentiate eigh"))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a tridiagonal form is not linear"))
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
        Cost::new(4.0 / 3.0 * operands[0].elements()? as f64 * n, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Hermitian matrices as `Q T Q^H` with a real tridiagonal `T`, packed.",
            source: "LAPACK sytrd; jax.lax.linalg.tridiagonal",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("lower", Tridiagonal { lower: true }, vec![positive_definite(&[], 4)]),
            Example::new("upper, a stack", Tridiagonal { lower: false }, vec![positive_definite(&[2], 3)]),
        ]
    }
}

impl TridiagonalSolve {
    /// `diagonal * x + below * (x one row up) + above * (x one row down)`.
    fn product(
        b: &mut Builder,
        [below, diagonal, above]: [Option<Value>; 3],
        x: Value,
    ) -> Result<Option<Value>> {
        let ty = b.ty(x);
        let n = ty.dim(ty.rank() - 2);
        let mut sum = None;
        for (band, shift) in [(below, 1), (diagonal, 0), (above, -1)] {
            let Some(band) = band else { continue };
            let shifted = if shift == 0 || n == 0 { x } else { shift_rows(b, x, shift, n)? };
            let band = b.along_columns(band, ty)?;
            let term = b.mul(band, shifted)?;
            sum = Some(match sum {
                Some(sum) => b.add(sum, term)?,
                None => term,
            });
        }
        Ok(sum)
    }
}

/// `out[i] = x[i - shift]` along the last axis but one, zero where there is none; `shift` is 1 or -1.
fn shift_rows(b: &mut Builder, x: Value, shift: isize, n: usize) -> Result<Value> {
    let ty = b.ty(x);
    let edge = b.slice_last(x, 2, 0, 1)?;
    let edge = b.zeros_like(edge)?;
    if shift > 0 {
        let kept = b.slice_last(x, 2, 0, n - 1)?;
        b.concatenate(&[edge, kept], ty.rank() - 2)
    } else {
        let kept = b.slice_last(x, 2, 1, n)?;
        b.concatenate(&[kept, edge], ty.rank() - 2)
    }
}

impl Rules for TridiagonalSolve {
    fn name(&self) -> &'static str {
        "jarrah.tridiagonal_solve"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 4)?;
        let x = operands[3];
        decomposable("the right-hand side", x)?;
        let (n, _) = matrices("the right-hand side", x)?;
        let band = with_last(x, &[n]);
        for (ty, name) in operands.iter().zip(["below", "the diagonal", "above"]) {
            if *ty != band {
                return Err(Error::program(format!("{name} is {ty}; the right-hand side {x} needs {band}")));
            }
        }
        Ok(TypeVec::from_slice(&[x]))
    }

    /// `X' = T^-1 (B' - T' X)`.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let x = cx.result()?;
        let b = &mut *cx.b;
        let bands = [0, 1, 2].map(|i| cx.tangents[i].value());
        let turned = TridiagonalSolve::product(b, bands, x)?;
        let right = match (cx.tangents[3].value(), turned) {
            (Some(db), Some(turned)) => b.sub(db, turned)?,
            (Some(db), None) => db,
            (None, Some(turned)) => b.neg(turned)?,
            (None, None) => return Err(Error::internal("no operand has a tangent")),
        };
        let [below, diagonal, above] = [cx.operands[0], cx.operands[1], cx.operands[2]];
        Ok(Jvp::Tangents(vec![Tangent::Value(b.one(self.clone(), &[below, diagonal, above, right])?)]))
    }

    /// The transposed matrix has its off-diagonals exchanged.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        if (0..3).any(|i| cx.is_linear(i)) {
            return Ok(Transpose::Refuse("a tridiagonal solution is not linear in its matrix"));
        }
        let (below, diagonal, above) = (cx.known(0)?, cx.known(1)?, cx.known(2)?);
        let (ct, b) = (cx.cotangent()?, &mut *cx.b);
        let ty = b.ty(diagonal);
        let n = ty.dim(ty.rank() - 1);
        let (new_below, new_above) = if n == 0 {
            (above, below)
        } else {
            let edge = b.slice_last(diagonal, 1, 0, 1)?;
            let edge = b.zeros_like(edge)?;
            let (up, down) = (b.slice_last(above, 1, 0, n - 1)?, b.slice_last(below, 1, 1, n)?);
            (b.concatenate(&[edge, up], ty.rank() - 1)?, b.concatenate(&[down, edge], ty.rank() - 1)?)
        };
        let solution = b.one(self.clone(), &[new_below, diagonal, new_above, ct])?;
        Ok(Transpose::Cotangents(vec![None, None, None, Some(solution)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Core(1));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(8.0 * operands[3].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Solutions of tridiagonal systems, the matrix given by its three diagonals.",
            source: "LAPACK gtsv; jax.lax.linalg.tridiagonal_solve",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let band = |dims: &[usize], low, high| varied(dims, low, high);
        vec![
            Example::new(
                "one right-hand side",
                TridiagonalSolve,
                vec![
                    band(&[4], -1.0, 1.0),
                    band(&[4], 2.0, 3.0),
                    band(&[4], -0.5, 1.0),
                    band(&[4, 1], -1.0, 1.0),
                ],
            ),
            Example::new(
                "a stack",
                TridiagonalSolve,
                vec![
                    band(&[2, 3], -1.0, 1.0),
                    band(&[2, 3], 2.0, 3.0),
                    band(&[2, 3], -0.5, 1.0),
                    band(&[2, 3, 2], -1.0, 1.0),
                ],
            ),
        ]
    }
}
