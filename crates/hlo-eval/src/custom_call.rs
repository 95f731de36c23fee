use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::host::{Operand, Output};
use jarrah_hlo::ops::CustomCall;

/// Calls host code on the tensors' own memory.
pub fn custom_call(op: &CustomCall, mut operands: Vec<Literal>, types: &[Type]) -> Result<Vec<Literal>> {
    let mut results = Vec::with_capacity(types.len());
    for (i, &ty) in types.iter().enumerate() {
        results.push(match op.aliased(i) {
            Some(operand) => {
                std::mem::replace(&mut operands[operand], Literal::zeros(Type::tensor(ty.dtype(), [0usize]))?)
            }
            None => Literal::zeros(ty)?,
        });
    }
    let mut inputs: Vec<Operand<'_>> =
        operands.iter().map(|x| Operand { ty: x.ty(), bytes: x.bytes() }).collect();
    for alias in &op.aliases {
        let operand =
            inputs.get_mut(alias.operand).ok_or_else(|| Error::internal("an alias of no operand"))?;
        operand.ty = types[alias.result];
    }
    let outputs = results.iter_mut().map(|x| Output { ty: x.ty(), bytes: x.bytes_mut() }).collect();
    op.run(inputs, outputs)?;
    Ok(results)
}
