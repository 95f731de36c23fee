//! Sums of cotangents, of which many are slices among zeros.

use std::sync::Arc;

use jarrah_base::Result;
use smallvec::SmallVec;

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::{DynamicSlice, ElementwiseKind, Reducer, Scatter, Update};
use crate::program::Value;

/// An addition that made a value: its base, and the terms added to a part of it.
enum Addition {
    /// `base` with `update` added to the slice from `starts` on.
    Slice { base: Value, update: Value, starts: SmallVec<[Value; 6]> },
    /// `base` with updates added at the places that `indices` name.
    Scatter { base: Value, scatter: Arc<Scatter>, indices: Value, updates: Value },
}

impl Builder {
    /// `sum + term`. A term that is slices among zeros, which is what the cotangents of `dynamic_slice` are, and those of `gather`, is
    /// added slice by slice: the rest of the sum is not touched. So a loop over slices of an array takes as long backwards as forwards.
    /// The updates of a scatter are not moved into a sum that was computed just before: one loop adds both where the sum is made.
    ///
    /// # Errors
    /// As [`Builder::push`].
    pub fn accumulate(&mut self, sum: Value, term: Value) -> Result<Value> {
        let takes_scatters = self.definition(sum).is_none() || self.addition(sum).is_some();
        let mut additions = Vec::new();
        let mut base = term;
        while let Some(addition) = self.addition(base) {
            base = match &addition {
                Addition::Slice { base, .. } => *base,
                Addition::Scatter { base, .. } if takes_scatters => *base,
                Addition::Scatter { .. } => break,
            };
            additions.push(addition);
        }
        let mut sum = if self.is_zeros(base) && !additions.is_empty() { sum } else { self.add(sum, base)? };
        for addition in additions.into_iter().rev() {
            sum = match addition {
                Addition::Slice { update, starts, .. } => self.add_slice(sum, update, &starts)?,
                Addition::Scatter { scatter, indices, updates, .. } => {
                    self.one(Op::Scatter(scatter), &[sum, indices, updates])?
                }
            };
        }
        Ok(sum)
    }

    /// `x` with `update` added to the slice from `starts` on.
    fn add_slice(&mut self, x: Value, update: Value, starts: &[Value]) -> Result<Value> {
        let mut operands: SmallVec<[Value; 6]> = SmallVec::from_slice(&[x]);
        operands.extend_from_slice(starts);
        let slice = self.one(DynamicSlice { sizes: self.ty(update).dims() }, &operands)?;
        operands.insert(1, self.add(slice, update)?);
        self.one(crate::ops::DynamicUpdateSlice, &operands)
    }

    /// The addition that made `x`, if `x` is a slice put among zeros, a slice added by [`Builder::add_slice`], or a scatter.
    fn addition(&self, x: Value) -> Option<Addition> {
        let instr = self.definition(x)?;
        match &instr.op {
            Op::DynamicUpdateSlice(_) => {
                let (base, update) = (instr.operands[0], instr.operands[1]);
                let starts = &instr.operands[2..];
                let update = if self.is_zeros(base) { update } else { self.added(update, base, starts)? };
                Some(Addition::Slice { base, update, starts: SmallVec::from_slice(starts) })
            }
            Op::Scatter(scatter) if matches!(scatter.update, Update::Reduce(Reducer::Add)) => {
                let &[base, indices, updates] = &instr.operands[..] else { return None };
                Some(Addition::Scatter { base, scatter: scatter.clone(), indices, updates })
            }
            _ => None,
        }
    }

    /// The term `t` if `slice` is `t` plus the slice of `base` from `starts` on.
    fn added(&self, slice: Value, base: Value, starts: &[Value]) -> Option<Value> {
        let sum = self.definition(slice)?;
        if !matches!(&sum.op, Op::Elementwise(op) if op.kind == ElementwiseKind::Add) {
            return None;
        }
        let read = self.definition(sum.operands[0])?;
        let same = matches!(read.op, Op::DynamicSlice(_))
            && read.operands[0] == base
            && read.operands[1..] == *starts;
        same.then_some(sum.operands[1])
    }

    /// Whether all elements are the number 0.
    fn is_zeros(&self, mut x: Value) -> bool {
        while let Some(instr) = self.definition(x) {
            match &instr.op {
                Op::BroadcastInDim(_) => x = instr.operands[0],
                Op::Constant(constant) => return constant.value.bytes().iter().all(|&byte| byte == 0),
                _ => return false,
            }
        }
        false
    }
}
