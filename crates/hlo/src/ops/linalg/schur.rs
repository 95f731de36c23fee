use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use super::matrix::{decomposable, square};
use crate::example::{Example, well_conditioned};
use crate::rules::*;

/// `A = Z T Z^H` with a unitary `Z`: `(t, z)`, or `(t)` alone.
///
/// `T` is upper triangular; of real matrices it is real, with a block of two for each complex pair of eigenvalues, whose
/// diagonal elements are equal and whose other two have opposite signs. The order of eigenvalues is unspecified.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Schur {
    /// Whether `z` is returned.
    pub compute_vectors: bool,
}

impl Rules for Schur {
    fn name(&self) -> &'static str {
        "jarrah.schur"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        decomposable("the operand", operands[0])?;
        square("the operand", operands[0])?;
        Ok(std::iter::repeat_n(operands[0], 1 + usize::from(self.compute_vectors)).collect())
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Refuse("a Schur form has no derivative in JAX either; differentiate eig"))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a Schur form is not linear"))
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
            summary: "`A = Z T Z^H` with a unitary `Z` and a triangular, or over the reals block triangular, `T`.",
            source: "LAPACK gees; jax.lax.linalg.schur",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("with vectors", Schur { compute_vectors: true }, vec![well_conditioned(&[2, 4, 4])]),
            Example::new("the form alone", Schur { compute_vectors: false }, vec![well_conditioned(&[3, 3])]),
        ]
    }
}
