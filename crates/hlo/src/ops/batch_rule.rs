//! How a batch of a program is made, by code of this process.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::builder::Builder;
use crate::program::{Program, Value};
use crate::rules::Transforms;

/// Makes a batch of one function.
pub trait MakeBatch: Send + Sync {
    /// The program over a batch of `size` elements, in which the parameters in `batched` have an axis in front, and which of its
    /// results have that axis.
    ///
    /// # Errors
    /// The rule does not fit the function.
    fn make(&self, size: usize, batched: &[bool]) -> Result<(Program, Vec<bool>)>;
}

/// The rule by which a batch of a [`CustomRule`](super::CustomRule) is made: that of a function, or of its derivatives.
///
/// Two are equal if they are one. A file holds no rule: the program that is read runs, but cannot be batched.
#[derive(Clone, Serialize, Deserialize)]
pub struct BatchRule {
    #[serde(skip)]
    function: Option<Arc<dyn MakeBatch>>,
    /// For each time that the function was differentiated, which of the operands had tangents.
    derivatives: Vec<Vec<bool>>,
}

impl BatchRule {
    /// The rule of a function.
    pub fn new(function: Arc<dyn MakeBatch>) -> Self {
        BatchRule { function: Some(function), derivatives: Vec::new() }
    }

    /// The rule of a program that a file holds, where it is lost.
    pub fn lost() -> Self {
        BatchRule { function: None, derivatives: Vec::new() }
    }

    /// The rule of the function with its tangents, where the operands in `active` have one. It is the derivative of the rule.
    pub fn derivative(&self, active: &[bool]) -> Self {
        let mut rule = self.clone();
        rule.derivatives.push(active.to_vec());
        rule
    }

    /// As [`MakeBatch::make`]; of a derivative the parameters are primals, then tangents, and so are the results.
    ///
    /// # Errors
    /// The rule does not fit the function, has no derivative, or was lost in a file.
    pub fn apply(&self, sub: &dyn Transforms, size: usize, batched: &[bool]) -> Result<(Program, Vec<bool>)> {
        let Some(function) = &self.function else {
            let error = Error::program("the batching rule of the function is lost: a file holds none");
            return Err(error.op("custom_vmap").help("batch the function where it was traced"));
        };
        made(&**function, &self.derivatives, sub, size, batched)
    }

    fn address(&self) -> *const () {
        self.function.as_ref().map_or(std::ptr::null(), |function| Arc::as_ptr(function).cast())
    }
}

fn made(
    function: &dyn MakeBatch,
    derivatives: &[Vec<bool>],
    sub: &dyn Transforms,
    size: usize,
    batched: &[bool],
) -> Result<(Program, Vec<bool>)> {
    let Some((active, before)) = derivatives.split_last() else { return function.make(size, batched) };
    let (primals, tangents) = batched.split_at(active.len());
    let mut tangents = tangents.iter();
    let tangent_of: Vec<Option<bool>> =
        active.iter().map(|&active| if active { tangents.next().copied() } else { None }).collect();
    let pairs = || primals.iter().zip(&tangent_of);
    // A primal and its tangent have one type, so they are batched together: where only tangents are, around the rule.
    let together = pairs().any(|(&primal, tangent)| primal && tangent.unwrap_or(true));
    let inner: Vec<bool> = match together {
        true => pairs().map(|(&primal, tangent)| primal || tangent.unwrap_or(false)).collect(),
        false => vec![false; active.len()],
    };
    let (program, marked) = made(function, before, sub, size, &inner)?;
    let types = program.result_types();
    let wanted: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
    let derived = sub.jvp(&program, active, &wanted)?.program;
    if !together {
        return sub.batch(&derived, size, batched, &vec![false; derived.results().len()]);
    }
    let of_tangents = marked.iter().zip(&wanted).filter(|(_, wanted)| **wanted).map(|(&marked, _)| marked);
    let returned = marked.iter().copied().chain(of_tangents).collect();
    let of_tangents = inner.iter().zip(active).filter(|(_, active)| **active).map(|(&inner, _)| inner);
    let needed: Vec<bool> = inner.iter().copied().chain(of_tangents).collect();
    let mut b = Builder::new(derived.name());
    let mut args: Vec<Value> = Vec::with_capacity(batched.len());
    for ((ty, &needed), &given) in derived.param_types().into_iter().zip(&needed).zip(batched) {
        args.push(match needed && !given {
            true => {
                let one = b.param(ty.without_leading(), "");
                b.broadcast_leading(one, size)?
            }
            false => b.param(ty, ""),
        });
    }
    let results = b.inline(&derived, &args)?;
    Ok((b.finish(&results)?, returned))
}

impl PartialEq for BatchRule {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address() && self.derivatives == other.derivatives
    }
}

impl Eq for BatchRule {}

impl Hash for BatchRule {
    /// No address, which differs from process to process: [`Program::fingerprint`](crate::Program::fingerprint) does not.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.derivatives.hash(state);
    }
}

impl fmt::Debug for BatchRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BatchRule({} derivatives)", self.derivatives.len())
    }
}
