use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, square, with_last};
use crate::example::{Example, well_conditioned};
use crate::rules::*;

/// `A = Q H Q^H` with a Hessenberg matrix `H`, zero below the first subdiagonal: `(a, taus)`, packed.
///
/// `H` stands on and above the subdiagonal; `Q` is a product of `n - 1` reflections as in [`super::Geqrf`], their vectors
/// one row lower.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Hessenberg;

impl Rules for Hessenberg {
    fn name(&self) -> &'static str {
        "jarrah.hessenberg"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        decomposable("the operand", operands[0])?;
        let n = square("the operand", operands[0])?;
        let taus = with_last(operands[0], &[n.saturating_sub(1)]);
        Ok(TypeVec::from_slice(&[operands[0], taus]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse("a Hessenberg form has no derivative in JAX either"))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a Hessenberg form is not linear"))
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
        Cost::new(10.0 / 3.0 * operands[0].elements()? as f64 * n, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "`A = Q H Q^H` with a Hessenberg matrix `H`, packed with the reflections that make `Q`.",
            source: "LAPACK gehrd; jax.lax.linalg.hessenberg",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![Example::new("a stack", Hessenberg, vec![well_conditioned(&[2, 4, 4])])]
    }
}
