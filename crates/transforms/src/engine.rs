use jarrah_base::{Error, Result, Type};
use jarrah_hlo::{Instr, JvpProgram, Program, SplitProgram, Transforms};

use crate::batch::{Batching, batch_along};
use crate::jvp::derived;
use crate::partial::{ResidualPolicy, split};
use crate::transpose::transpose;

/// The transformations as an argument: rules of ops that hold sub-programs apply them to these.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgramTransforms<'a> {
    /// Which residuals partial evaluation of a sub-program keeps.
    pub policy: ResidualPolicy,
    /// How programs are batched.
    pub batching: Batching<'a>,
    /// Whether tangents are computed, not only transposed.
    pub tangents: Tangents,
}

/// Whether the tangents of a program are computed, or their linear map is only transposed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tangents {
    /// They are computed.
    #[default]
    Computed,
    /// Only the transpose of what would compute them is made.
    Transposed,
}

impl ProgramTransforms<'_> {
    /// The engine under the default policy.
    pub const DEFAULT: ProgramTransforms<'static> = ProgramTransforms {
        policy: ResidualPolicy::Recompute,
        batching: Batching { axis: None, one_by_one: false },
        tangents: Tangents::Computed,
    };
}

impl Transforms for ProgramTransforms<'_> {
    fn jvp(&self, program: &Program, active: &[bool], instantiate: &[bool]) -> Result<JvpProgram> {
        derived(program, active, instantiate, self.tangents)
    }

    fn runs_tangents(&self) -> bool {
        self.tangents == Tangents::Computed
    }

    fn partial_eval_as_is(
        &self,
        program: &Program,
        known: &[bool],
        unknown: &[bool],
    ) -> Result<SplitProgram> {
        split(program, known, unknown, ResidualPolicy::SaveAll, false)
    }

    fn partial_eval(&self, program: &Program, known: &[bool], unknown: &[bool]) -> Result<SplitProgram> {
        split(program, known, unknown, self.policy, false)
    }

    fn transpose(&self, program: &Program, linear: &[bool], active: &[bool]) -> Result<Program> {
        transpose(program, linear, active)
    }

    fn batch(
        &self,
        program: &Program,
        size: usize,
        batched: &[bool],
        force: &[bool],
    ) -> Result<(Program, Vec<bool>)> {
        batch_along(program, size, self.batching, batched, force)
    }
}

/// Checks that `mask`, called `what`, has as many entries as there are `of`.
pub(crate) fn check_mask(what: &str, mask: &[bool], count: usize, of: &str) -> Result<()> {
    if mask.len() == count {
        return Ok(());
    }
    Err(Error::internal(format!("{} entries say which {of} are {what}, but there are {count}", mask.len())))
}

/// Checks that a rule's answer has the types it must have.
pub(crate) fn check_types(
    what: &str,
    found: impl ExactSizeIterator<Item = Type>,
    expected: impl ExactSizeIterator<Item = Type>,
) -> Result<()> {
    if found.len() != expected.len() {
        return Err(Error::internal(format!("the rule gave {} {what}, not {}", found.len(), expected.len())));
    }
    for (i, (found, expected)) in found.zip(expected).enumerate() {
        if found != expected {
            return Err(Error::internal(format!("{what} {i} by the rule are {found}, not {expected}")));
        }
    }
    Ok(())
}

/// The error of an op that refuses a rule: `reason` may end in advice, after a semicolon.
pub(crate) fn refusal(what: &str, reason: &str) -> Error {
    match reason.split_once("; ") {
        Some((reason, advice)) => Error::program(format!("{what}: {reason}")).help(advice),
        None => Error::program(format!("{what}: {reason}")),
    }
}

/// `error`, with the instruction it concerns and what was going on.
pub(crate) fn explain(error: Error, instr: &Instr, doing: &str, program: &Program) -> Error {
    let mut error = error.op(instr.op.called());
    if let Some(location) = instr.source.location {
        error = error.at(location);
    }
    let scope = instr.source.scope.path();
    let place = if scope.is_empty() { String::new() } else { format!(", in {scope}") };
    error.context(format!("while {doing} {}{place}", program.name()))
}
