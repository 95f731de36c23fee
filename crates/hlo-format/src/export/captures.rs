use jarrah_base::work;
use jarrah_hlo::{Instr, Op, Program, Value};
use rustc_hash::FxHashSet;

/// Whether regions that simply use outer values say which of them the programs take, and in which order: each of
/// the first `count` parameters is used, for the first time in order, and no two stand for one value.
///
/// Otherwise the region begins with an op that names them.
pub(super) fn follow_from_use(programs: &[&Program], values: &[Value]) -> bool {
    let count = values.len();
    work::step(values.len());
    let mut met = FxHashSet::default();
    let distinct = values.iter().all(|v| met.insert(v));
    let mut seen = 0;
    let mut in_order = |value: Value| {
        if value.index() < count && value.index() > seen {
            return false;
        }
        seen += usize::from(value.index() == seen && seen < count);
        true
    };
    for program in programs {
        for instr in program.instrs() {
            work::step(1 + instr.operands.len());
            if !mentioned(instr).all(&mut in_order) {
                return false;
            }
        }
        work::step(program.results().len());
        if !program.results().iter().all(|&v| in_order(v)) {
            return false;
        }
    }
    distinct && seen == count
}

/// The operands of an instruction in the order in which the tree mentions them.
fn mentioned(instr: &Instr) -> impl Iterator<Item = Value> {
    let constants = match &instr.op {
        Op::While(op) => op.consts,
        _ => 0,
    };
    let (captured, explicit) = instr.operands.split_at(constants);
    explicit.iter().chain(captured).copied()
}
