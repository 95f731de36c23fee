use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use super::elementwise::equal_types;
use crate::example::Example;
use crate::rules::*;

/// Twenty rounds of the Threefry-2x32 block cipher, element by element: `(k0, k1, x0, x1) -> (y0, y1)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Threefry2x32;

impl Rules for Threefry2x32 {
    fn name(&self) -> &'static str {
        "jarrah.threefry2x32"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 4)?;
        let ty = equal_types(operands)?;
        if ty.dtype() != DType::U32 {
            return Err(Error::program(format!("works on u32, not on {ty}")));
        }
        Ok(TypeVec::from_slice(&[ty, ty]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a cipher is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        // Twenty rounds of three operations, and six key injections of three.
        Cost::new(78.0 * results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Twenty rounds of the Threefry-2x32 block cipher, element by element.",
            source: "Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011)",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let words = |w: [u32; 2]| Literal::from_slice(&[2], &w).expect("invariant: two elements");
        let operands = vec![words([0, u32::MAX]), words([0, u32::MAX]), words([0, 1]), words([0, 2])];
        vec![Example::new("vector", Threefry2x32, operands)]
    }
}
