use jarrah_base::{DType, Literal, Result, Type};

use jarrah_hlo::Value;
use jarrah_hlo::ops::{Comparison, DynamicSlice, DynamicUpdateSlice, Scan, While};
use jarrah_hlo::{Builder, Results};

/// A [`Scan`] as a [`While`]: it counts its steps, slices the arrays and stacks what the body returns.
pub fn scan(b: &mut Builder, op: &Scan, operands: &[Value]) -> Result<Results> {
    let types: Vec<Type> = b.types(operands).to_vec();
    let (consts, rest) = operands.split_at(op.consts);
    let (carry, arrays) = rest.split_at(op.carry);
    let count = Type::scalar(DType::I32);
    let stacked: Vec<Type> =
        op.body.result_types()[op.carry..].iter().map(|ty| ty.with_leading(op.length)).collect();
    let length = Literal::scalar(i32::try_from(op.length).unwrap_or(i32::MAX));

    // Both programs take the constants, the arrays, the number of the step, the carry and the stacks.
    let fixed = consts.len() + arrays.len();
    let source = b.source();
    let begin = |name: &str| {
        let mut b = Builder::new(name);
        b.set_source(source);
        let fixed_types = types[..op.consts].iter().chain(&types[op.consts + op.carry..]);
        let all = fixed_types.chain([&count]).chain(&types[op.consts..][..op.carry]).chain(&stacked);
        let params: Vec<Value> = all.map(|&ty| b.param(ty, "")).collect();
        (b, params)
    };
    let (mut inner, params) = begin("steps_left");
    let limit = inner.constant(length.clone())?;
    let running = inner.compare(Comparison::Lt, params[fixed], limit)?;
    let cond = inner.finish(&[running])?;

    let (mut inner, params) = begin(op.body.name());
    let step = params[fixed];
    let one = inner.scalar(1i32)?;
    let zero = inner.scalar(0i32)?;
    let next = inner.add(step, one)?;
    let mut at = step;
    if op.reverse {
        let length = inner.constant(length)?;
        at = inner.sub(length, next)?;
    }
    let starts = |rank: usize| {
        let mut starts = vec![zero; rank];
        starts[0] = at;
        starts
    };
    let mut args: Vec<Value> = params[..op.consts].to_vec();
    args.extend(&params[fixed + 1..][..op.carry]);
    for &array in &params[op.consts..fixed] {
        let ty = inner.ty(array);
        let row = ty.without_leading();
        let mut operands = vec![array];
        operands.extend(starts(ty.rank()));
        let block = inner.one(DynamicSlice { sizes: row.with_leading(1).dims() }, &operands)?;
        args.push(inner.reshape(block, &row.dims())?);
    }
    let results = inner.inline(&op.body, &args)?;
    let mut returned = vec![next];
    returned.extend(&results[..op.carry]);
    for (&stack, &row) in params[fixed + 1 + op.carry..].iter().zip(&results[op.carry..]) {
        let block = inner.ty(row).with_leading(1).dims();
        let row = inner.reshape(row, &block)?;
        let mut operands = vec![stack, row];
        operands.extend(starts(block.len()));
        returned.push(inner.one(DynamicUpdateSlice, &operands)?);
    }
    let body = inner.finish(&returned)?;

    let mut operands: Vec<Value> = consts.iter().chain(arrays).copied().collect();
    operands.push(b.scalar(0i32)?);
    operands.extend(carry);
    for &ty in &stacked {
        operands.push(b.zeros(ty)?);
    }
    let mut results = b.push(While { cond: cond.into(), body: body.into(), consts: fixed }, &operands)?;
    results.remove(0);
    Ok(results)
}
