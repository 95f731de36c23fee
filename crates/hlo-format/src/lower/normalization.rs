use crate::spelled;
use jarrah_base::Result;

use super::block::{Outcome, all};
use super::cx::Cx;
use crate::ir::Attr;

/// `epsilon`, which keeps a variance from zero, and the feature axis.
fn parameters(cx: &Cx<'_, '_>) -> Result<(f64, usize)> {
    let Attr::Float(epsilon, _) = cx.attr("epsilon")? else {
        return Err(cx.fail("`epsilon` is no number"));
    };
    Ok((*epsilon, cx.size("feature_index")?))
}

pub(super) fn inference(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.some()?;
    let (epsilon, axis) = parameters(cx)?;
    Ok(all(&[spelled::batch_norm_inference(cx.b(), operands, epsilon, axis)?]))
}

pub(super) fn training(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.some()?;
    let (epsilon, axis) = parameters(cx)?;
    Ok(all(&spelled::batch_norm_training(cx.b(), operands, epsilon, axis)?))
}

pub(super) fn grad(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operands = cx.some()?;
    let (epsilon, axis) = parameters(cx)?;
    Ok(all(&spelled::batch_norm_grad(cx.b(), operands, epsilon, axis)?))
}
