use jarrah_base::{Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::{Example, varied};
use crate::rules::*;

/// Its operand, under a name by which a [`super::Saveable`] may say whether a checkpoint keeps it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CheckpointName {
    /// The name.
    pub name: Box<str>,
}

impl Rules for CheckpointName {
    fn name(&self) -> &'static str {
        "jarrah.checkpoint_name"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        Ok(operands.into())
    }

    /// The value has the name, its tangent has none.
    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Tangents(cx.tangents.to_vec()))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Cotangents(vec![Some(cx.cotangent()?)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, _: &[Type], _: &[Type]) -> Result<Cost> {
        Ok(Cost::default())
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Its operand, under a name that the policy of a checkpoint may mention.",
            source: "jax.ad_checkpoint.checkpoint_name",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![Example::new("vector", CheckpointName { name: "x".into() }, vec![varied(&[3], -1.0, 1.0)])]
    }
}
