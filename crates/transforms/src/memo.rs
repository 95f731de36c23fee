use std::sync::{Mutex, MutexGuard, PoisonError};

use jarrah_base::Result;
use jarrah_hlo::ops::Rule;
use jarrah_hlo::{Op, Program, ProgramRef};

/// Each program that is kept counts for so many instructions more than it has.
const FIXED: u64 = 1 << 10;

/// The programs that one transformation was applied to last, with options of type `O`, and what it made of them: for code that
/// traces the same function again and again, and would derive the same program each time.
///
/// Programs are told apart by [`Program::is_identical`], so that errors of what was derived name the right lines.
pub struct Memo<O> {
    /// The most instructions that are kept, of all programs with what they call.
    kept: u64,
    /// The one that was asked for last is the last.
    made: Mutex<Vec<Made<O>>>,
}

struct Made<O> {
    of: Program,
    options: O,
    program: ProgramRef,
}

impl<O> Made<O> {
    fn weight(&self) -> u64 {
        FIXED + self.of.expanded() + self.program.expanded()
    }
}

impl<O: PartialEq> Memo<O> {
    /// One that keeps so many instructions, of all programs with what they call.
    pub const fn new(kept: u64) -> Self {
        Memo { kept, made: Mutex::new(Vec::new()) }
    }

    /// `make` applied to a program, or the kept result for an identical one. Of a program that holds functions of this process or large
    /// constants, or has a quarter of the instructions that are kept, nothing is kept.
    ///
    /// # Errors
    /// The errors of `make`.
    pub fn get(
        &self,
        of: Program,
        options: O,
        make: impl FnOnce(&Program, &O) -> Result<Program>,
    ) -> Result<ProgramRef> {
        // A long program is compared for long.
        if of.expanded() > self.kept / 4 || of.calls_functions() || holds_data(&of) {
            return Ok(make(&of, &options)?.into());
        }
        let mut all = self.lock();
        let same = |made: &Made<O>| made.options == options && made.of.is_identical(&of);
        if let Some(known) = all.iter().position(same) {
            let made = all.remove(known);
            let program = made.program.clone();
            all.push(made);
            return Ok(program);
        }
        drop(all);
        let program: ProgramRef = make(&of, &options)?.into();
        self.keep(Made { of, options, program: program.clone() });
        Ok(program)
    }

    /// Keeps one more, and of the others those that were asked for last.
    fn keep(&self, made: Made<O>) {
        if made.weight() > self.kept {
            return;
        }
        let mut all = self.lock();
        all.push(made);
        let mut weight = 0;
        let kept = all.iter().rev().take_while(|made| {
            weight += made.weight();
            weight <= self.kept
        });
        let dropped = all.len() - kept.count();
        let dropped: Vec<Made<O>> = all.drain(..dropped).collect();
        drop(all);
        drop(dropped);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let all = std::mem::take(&mut *self.lock());
        drop(all);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Made<O>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a program, or one inside, holds large constants, or a rule that is a function of this process, which may hold arrays.
fn holds_data(program: &Program) -> bool {
    const LARGE: usize = 1 << 16;
    program.instrs().iter().any(|instr| {
        let own = match &instr.op {
            Op::CustomRule(rule) => matches!(rule.rule, Rule::Batch(_)),
            Op::Constant(constant) => constant.value.bytes().len() > LARGE,
            _ => false,
        };
        own || instr.op.programs().iter().any(|inner| holds_data(inner))
    })
}
