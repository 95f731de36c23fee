//! Ops that the target cannot run become their definitions.
//!
//! `attention_tangent(x) = definition(x)`; the other kinds of attention too, unless the target has them.

use jarrah_base::Result;
use jarrah_hlo::ops::AttentionKind;
use jarrah_hlo::{Op, Program};

use crate::pipeline::TargetInfo;
use crate::rebuild::{Memo, rebuild};

pub fn run(program: &Program, target: &TargetInfo) -> Result<Program> {
    if target.attention {
        keep(program, &mut Memo::default())
    } else {
        replace(program, &mut Memo::default())
    }
}

fn keep(program: &Program, memo: &mut Memo) -> Result<Program> {
    pass(program, memo, keep, |kind| kind == AttentionKind::Tangent)
}

fn replace(program: &Program, memo: &mut Memo) -> Result<Program> {
    pass(program, memo, replace, |_| true)
}

fn pass(
    program: &Program,
    memo: &mut Memo,
    nested: fn(&Program, &mut Memo) -> Result<Program>,
    replaced: fn(AttentionKind) -> bool,
) -> Result<Program> {
    rebuild(program, |b, instr, operands| match &instr.op {
        Op::Attention(attention) if replaced(attention.kind) => {
            let definition = attention.definition(&b.types(operands))?;
            Ok(b.inline(&definition, operands)?.into())
        }
        op => match memo.apply_inside(op, nested)? {
            Some(op) => b.push(op, operands),
            None => Ok(b.copy(program, instr, operands)),
        },
    })
}
