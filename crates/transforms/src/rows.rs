use std::cell::RefCell;

use jarrah_base::{Error, Result, work};
use jarrah_hlo::{Instr, Program, RowGrowth, Rows, RowsCx, RowsWithin, Value};
use rustc_hash::FxHashSet;

use crate::dce::dce;
use crate::engine::explain;

/// How the results of a program grow with a number of rows, if it may run over more rows than there are.
///
/// The program is given as it was traced over `rows[0]` rows, and over `rows[1]`, which are fewer. What it computes of the first
/// `n` rows, for any `n` between, has to be what the program over `n` rows computes: results that do not grow are the same, of a
/// result that grows the first positions are, whatever stands in the rows behind. For that the programs have to be the same
/// but for extents that follow the rows, and each instruction has to keep rows apart. (A program that is the same at both ends and
/// another one between is not found out: look at that number of rows, too.)
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_hlo::{Builder, RowGrowth};
/// use jarrah_transforms::rows;
/// let double = |n: usize| {
///     let mut b = Builder::new("double");
///     let x = b.param(Type::tensor(DType::F32, [n, 3]), "x");
///     let y = b.add(x, x)?;
///     b.finish(&[y])
/// };
/// assert_eq!(rows(&double(36)?, &double(33)?, [36, 33])?, [Some(RowGrowth { axis: 0, each: 1 })]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The programs differ, or an instruction mixes rows: the error is about the first that does, and stands at its line.
pub fn rows(more: &Program, fewer: &Program, rows: [usize; 2]) -> Result<Vec<Option<RowGrowth>>> {
    more.check_expansion()?;
    let look = Look { rows, known: RefCell::default() };
    let (more, fewer) = (dce(more)?, dce(fewer)?);
    look.check(&more, &fewer)?;
    more.results().iter().zip(fewer.results()).map(|(&a, &b)| look.growth((&more, a), (&fewer, b))).collect()
}

struct Look {
    rows: [usize; 2],
    /// The programs inside that keep rows apart.
    known: RefCell<FxHashSet<[*const Program; 2]>>,
}

impl Look {
    fn growth(
        &self,
        (more, a): (&Program, Value),
        (fewer, b): (&Program, Value),
    ) -> Result<Option<RowGrowth>> {
        RowGrowth::of([more.ty(a), fewer.ty(b)], self.rows)
    }

    /// Checks that an instruction keeps rows apart.
    fn instruction(&self, (more, a): (&Program, &Instr), (fewer, b): (&Program, &Instr)) -> Result<()> {
        let [many, few] = self.rows;
        if a.op.name() != b.op.name() {
            let (here, there) = (a.op.called(), b.op.called());
            let error = format!("over {many} rows this is {here}, over {few} it is {there}");
            return Err(Error::program(error));
        }
        if a.operands != b.operands || a.results().len() != b.results().len() {
            return Err(Error::program(format!("over {many} rows this is of other values than over {few}")));
        }
        let growths = |of: &mut dyn Iterator<Item = (Value, Value)>| -> Result<Vec<Option<RowGrowth>>> {
            of.map(|(a, b)| self.growth((more, a), (fewer, b))).collect()
        };
        let operands = growths(&mut a.operands.iter().copied().zip(b.operands.iter().copied()))?;
        let results = growths(&mut a.results().zip(b.results()))?;
        let mut growing = operands.iter().chain(&results).flatten();
        let first = growing.next().copied();
        if first.is_none() && a.op == b.op {
            return Ok(());
        }
        let types = [(more, a), (fewer, b)].map(|(program, instr)| {
            instr.operands.iter().map(|&value| program.ty(value)).collect::<Vec<_>>()
        });
        let cx = RowsCx { operands: &operands, results: &results, types: [&types[0], &types[1]], sub: self };
        let refuse = |why: &str| Err(Error::program(format!("rows cannot be added here: {why}")));
        let inner = match a.op.rows_apart(&b.op, &cx)? {
            Rows::Apart => return Ok(()),
            Rows::Refuse(why) => return refuse(why),
            Rows::Alike => None,
            Rows::Elementwise => Some(0),
            Rows::Core(inner) => Some(inner),
        };
        if a.op != b.op {
            return refuse("what it does depends on the number of rows");
        }
        if let (Some(inner), Some(first)) = (inner, first) {
            let in_front = types[0].first().is_none_or(|ty| first.axis + inner < ty.rank());
            if !in_front || growing.any(|&growth| growth != first) || results.contains(&None) {
                return refuse("rows are no axis in front of what it computes together");
            }
        }
        Ok(())
    }
}

impl RowsWithin for Look {
    fn check(&self, more: &Program, fewer: &Program) -> Result<()> {
        let key = [std::ptr::from_ref(more), std::ptr::from_ref(fewer)];
        if self.known.borrow().contains(&key) {
            return Ok(());
        }
        work::step(more.instrs().len());
        for (a, b) in more.instrs().iter().zip(fewer.instrs()) {
            self.instruction((more, a), (fewer, b)).map_err(|error| match error.location() {
                Some(_) => error,
                None => explain(error, a, "bucketing", more),
            })?;
        }
        let count =
            |program: &Program| [program.params().len(), program.instrs().len(), program.results().len()];
        if count(more) != count(fewer) || more.results() != fewer.results() {
            let [many, few] = self.rows;
            let name = more.name();
            return Err(Error::program(format!(
                "{name} is another program over {many} rows than over {few}"
            )));
        }
        self.known.borrow_mut().insert(key);
        Ok(())
    }
}
