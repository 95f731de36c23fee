use jarrah_base::{Error, Literal, Result, Type};
use jarrah_hlo::ops::{Case, Scan, While};

use crate::machine::Machine;

/// Repeats the body while the condition holds.
pub fn repeat(machine: &mut Machine<'_>, op: &While, operands: Vec<Literal>) -> Result<Vec<Literal>> {
    let mut consts = operands;
    let mut carry: Vec<Literal> = consts.split_off(op.consts);
    loop {
        let test = consts.iter().cloned().chain(carry.iter().cloned()).collect();
        let answers = machine.run(&op.cond, test)?;
        let answer = answers.first().ok_or_else(|| Error::internal("a condition without an answer"))?;
        if answer.get_i128(0) == 0 {
            return Ok(carry);
        }
        let arguments = consts.iter().cloned().chain(carry).collect();
        carry = machine.run(&op.body, arguments)?;
    }
}

/// Runs the branch that operand 0 selects; the last one if there is no such branch.
pub fn case(machine: &mut Machine<'_>, op: &Case, operands: Vec<Literal>) -> Result<Vec<Literal>> {
    let mut arguments = operands;
    let index = arguments.remove(0).get_i128(0);
    let chosen = usize::try_from(index).ok().and_then(|i| op.branches.get(i)).or(op.branches.last());
    let branch = chosen.ok_or_else(|| Error::internal("a case without branches"))?;
    machine.run(branch, arguments)
}

/// Loops over the leading axis of the arrays.
pub fn scan(
    machine: &mut Machine<'_>,
    op: &Scan,
    operands: Vec<Literal>,
    results: &[Type],
) -> Result<Vec<Literal>> {
    let mut consts = operands;
    let mut carry = consts.split_off(op.consts);
    let xs = carry.split_off(op.carry);
    let mut ys: Vec<Literal> =
        results[op.carry..].iter().map(|&ty| Literal::zeros(ty)).collect::<Result<_>>()?;
    for step in 0..op.length {
        let at = if op.reverse { op.length - 1 - step } else { step };
        let mut arguments = consts.clone();
        arguments.extend(carry);
        for x in &xs {
            let ty = x.ty().with_dims(x.ty().extents().skip(1));
            let size = ty.bytes()?;
            arguments.push(Literal::from_bytes(ty, &x.bytes()[at * size..][..size])?);
        }
        carry = machine.run(&op.body, arguments)?;
        for (y, slice) in ys.iter_mut().zip(carry.split_off(op.carry)) {
            let size = slice.bytes().len();
            y.bytes_mut()[at * size..][..size].copy_from_slice(slice.bytes());
        }
    }
    carry.extend(ys);
    Ok(carry)
}
