use jarrah_base::Literal;
use jarrah_hlo::ops::Constant;
use jarrah_hlo::{Builder, Op, Program, Value};
use rustc_hash::FxHashMap;

use super::block::Block;

/// The most elements of a value that shapes depend on, and the most instructions that compute it.
const MAX_ELEMENTS: usize = 1 << 16;
const MAX_INSTRUCTIONS: usize = 1 << 16;

impl Block<'_> {
    /// The contents of `value`, if they follow from constants and from known arguments.
    pub fn known(&mut self, value: Value) -> Option<Literal> {
        if let Some(known) = self.known.get(&value) {
            return Some(known.clone());
        }
        let program = self.computation(value)?;
        let computed = jarrah_hlo_eval::evaluate(&program, &[]).ok()?.pop()?;
        self.known.insert(value, computed.clone());
        Some(computed)
    }

    /// A program without parameters that computes `value`, if that is possible and it is small.
    fn computation(&self, value: Value) -> Option<Program> {
        let mut needed = vec![value];
        let mut reached = FxHashMap::default();
        let mut steps = MAX_INSTRUCTIONS;
        while let Some(value) = needed.pop() {
            if self.known.contains_key(&value) || reached.contains_key(&value) {
                continue;
            }
            let instr = self.b.definition(value)?;
            let small = instr.results().all(|v| self.b.ty(v).elements().is_ok_and(|n| n <= MAX_ELEMENTS));
            if !small || !ends_within(&instr.op, &mut steps) {
                return None;
            }
            reached.extend(instr.results().map(|v| (v, instr)));
            needed.extend(&instr.operands);
        }
        // Values are numbered in the order of computation; parameters that occur are known.
        let mut order: Vec<_> = reached.into_iter().collect();
        order.sort_unstable_by_key(|(value, _)| *value);
        let mut b = Builder::new("shape");
        let mut map: FxHashMap<Value, Value> = FxHashMap::default();
        for (target, instr) in order {
            if map.contains_key(&target) {
                continue;
            }
            let mut operands = Vec::new();
            for operand in &instr.operands {
                let mapped = match (map.get(operand), self.known.get(operand)) {
                    (Some(&mapped), _) => mapped,
                    (None, Some(known)) => b.one(Constant { value: known.clone() }, &[]).ok()?,
                    (None, None) => return None,
                };
                map.insert(*operand, mapped);
                operands.push(mapped);
            }
            let results = b.push(instr.op.clone(), &operands).ok()?;
            map.extend(instr.results().zip(results));
        }
        let result = map.get(&value).copied()?;
        b.finish(&[result]).ok()
    }
}

/// Whether an op only computes results, in at most `steps` steps, which are counted down.
fn ends_within(op: &Op, steps: &mut usize) -> bool {
    let counts = !matches!(
        op,
        Op::While(_)
            | Op::Scan(_)
            | Op::CustomCall(_)
            | Op::Kernel(_)
            | Op::Load(_)
            | Op::Store(_)
            | Op::ProgramId(_)
    );
    if !counts || *steps == 0 {
        return false;
    }
    *steps -= 1;
    op.programs().iter().all(|p| p.instrs().iter().all(|i| ends_within(&i.op, steps)))
}
