use jarrah_hlo::{Op, Program};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

type Numbering<'p> = FxHashMap<(&'p Op, SmallVec<[usize; 4]>), usize>;

/// Whether two programs compute the same expressions of their parameters, whatever the order of their instructions
/// and whatever they compute besides.
pub(crate) fn same_expressions(a: &Program, b: &Program) -> bool {
    if a.param_types() != b.param_types() || a.result_types() != b.result_types() {
        return false;
    }
    let mut numbering = Numbering::default();
    let mut next = a.params().len();
    number(a, &mut numbering, &mut next) == number(b, &mut numbering, &mut next)
}

/// Numbers the values of a program so that equal expressions have equal numbers, and returns those of its results.
fn number<'p>(program: &'p Program, numbering: &mut Numbering<'p>, next: &mut usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..program.params().len()).collect();
    for instr in program.instrs() {
        let operands = instr.operands.iter().map(|v| numbers[v.index()]).collect();
        let count = instr.results().len();
        let first = *numbering.entry((&instr.op, operands)).or_insert_with(|| {
            let first = *next;
            *next += count;
            first
        });
        numbers.extend(first..first + count);
    }
    program.results().iter().map(|v| numbers[v.index()]).collect()
}
