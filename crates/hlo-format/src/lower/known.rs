use jarrah_base::{Literal, Type};
use jarrah_hlo::ops::Constant;
use jarrah_hlo::{Builder, Instr, Op, Program, Value};
use rustc_hash::FxHashMap;

use super::block::Block;

/// The most elements of a value that shapes depend on.
const MAX_ELEMENTS: usize = 1 << 16;
/// The work that one import may spend on values that shapes depend on, in operations on elements: some seconds.
pub const WORK: f64 = (1 << 30) as f64;
/// The work of evaluating an instruction, whatever it computes.
const OVERHEAD: f64 = 256.0;

impl Block<'_> {
    /// The contents of `value`, if they follow from constants and from known arguments, and `work` is enough to compute them.
    pub fn known(&mut self, value: Value, work: &mut f64) -> Option<Literal> {
        if let Some(known) = self.known.get(&value) {
            return Some(known.clone());
        }
        let program = self.computation(value, work)?;
        let computed = jarrah_hlo_eval::evaluate(&program, &[]).ok()?.pop()?;
        self.known.insert(value, computed.clone());
        Some(computed)
    }

    /// A program without parameters that computes `value`, if that is possible and it is small.
    fn computation(&self, value: Value, work: &mut f64) -> Option<Program> {
        let mut needed = vec![value];
        let mut reached = FxHashMap::default();
        while let Some(value) = needed.pop() {
            if self.known.contains_key(&value) || reached.contains_key(&value) {
                continue;
            }
            let instr = self.b.definition(value)?;
            if !spend(instr, &|v| self.b.ty(v), 1.0, work) {
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

/// Whether an instruction that runs `times` times only computes small results, with at most `work` operations, which are
/// subtracted from `work`.
fn spend(instr: &Instr, ty: &dyn Fn(Value) -> Type, times: f64, work: &mut f64) -> bool {
    let computes = !matches!(instr.op, Op::While(_) | Op::Scan(_) | Op::CustomCall(_) | Op::Kernel(_));
    let operands: Vec<Type> = instr.operands.iter().map(|&v| ty(v)).collect();
    let results: Vec<Type> = instr.results().map(ty).collect();
    let small = |ty: &Type| ty.elements().is_ok_and(|n| n <= MAX_ELEMENTS);
    if !computes || !operands.iter().chain(&results).all(small) {
        return false;
    }
    // A call or a branch costs as much as the programs it runs, which are counted below; other ops may run theirs on each
    // element.
    let own = match &instr.op {
        Op::Case(_) => 1.0,
        op if op.callee().is_some() => 1.0,
        op => {
            let Ok(cost) = op.cost(&operands, &results) else { return false };
            let elements = operands.iter().chain(&results).filter_map(|ty| ty.elements().ok()).sum::<usize>();
            cost.flops.max(elements as f64).max(1.0)
        }
    };
    *work -= times * (OVERHEAD + own);
    let inner = times * own;
    let fits = |program: &Program, work: &mut f64| {
        program.instrs().iter().all(|instr| spend(instr, &|v| program.ty(v), inner, work))
    };
    *work >= 0.0 && instr.op.programs().iter().all(|program| fits(program, work))
}
