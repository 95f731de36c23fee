use jarrah_base::Result;
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Value};

/// `dot(transpose(x), y) = dot(x, y)` with the axes renamed, where the free axes of `x` keep their order.
pub fn dot(b: &mut Builder, op: &DotGeneral, operands: &[Value]) -> Result<Option<Value>> {
    let mut new = op.clone();
    let (mut lhs, mut rhs) = (operands[0], operands[1]);
    let mut changed = false;
    while let Some((from, batch, contract)) = through(b, lhs, &new.lhs_batch, &new.lhs_contract) {
        (lhs, new.lhs_batch, new.lhs_contract, changed) = (from, batch, contract, true);
    }
    while let Some((from, batch, contract)) = through(b, rhs, &new.rhs_batch, &new.rhs_contract) {
        (rhs, new.rhs_batch, new.rhs_contract, changed) = (from, batch, contract, true);
    }
    if changed { Ok(Some(b.one(new, &[lhs, rhs])?)) } else { Ok(None) }
}

/// If `value` is a transpose: its operand, with the batch and contracted axes renamed.
fn through(b: &Builder, value: Value, batch: &[usize], contract: &[usize]) -> Option<(Value, Axes, Axes)> {
    let instr = b.definition(value)?;
    let Op::TransposeAxes(transpose) = &instr.op else { return None };
    let order = &transpose.permutation;
    let free = (0..order.len()).filter(|a| !batch.contains(a) && !contract.contains(a));
    let free: Axes = free.map(|a| order[a]).collect();
    if !free.windows(2).all(|w| w[0] < w[1]) {
        return None;
    }
    let renamed = |axes: &[usize]| axes.iter().map(|&a| order[a]).collect();
    Some((instr.operands[0], renamed(batch), renamed(contract)))
}
