use std::sync::{Arc, LazyLock};

use jarrah_base::{Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use super::sub;
use crate::example::{Example, varied};
use crate::host::{CallOperand, CallResult, Config, HandlerCall, NamedHandler};
use crate::program::Operands;
use crate::rules::*;

/// Calls host code: `results = target(config, operands)`.
///
/// Nothing here knows what the host code computes: the call has no derivative, and `effects` is all that the stack
/// knows of what else it does.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct CustomCall {
    /// The host code that is called.
    pub target: CallTarget,
    /// The attributes that the call passes besides the operands.
    pub config: Config,
    /// The types of the results.
    pub results: Vec<Type>,
    /// The effects of the call besides computing its results.
    pub effects: Effects,
    /// Results that begin with the contents of an operand, and share its memory where nothing else needs that.
    pub aliases: Vec<OutputAlias>,
    /// How a batch of calls is made.
    pub batching: VmapMethod,
}

/// The host code of a custom call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CallTarget {
    /// A name that the client's [`Registry`](crate::host::Registry) has when the program is compiled.
    Named(Arc<str>),
    /// A function of this process. A program that calls one cannot be written to a file.
    #[serde(skip)]
    Function(NamedHandler),
}

/// A result that begins with the contents of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct OutputAlias {
    /// The index of the result.
    pub result: usize,
    /// The index of the operand, which has the type of the result.
    pub operand: usize,
}

/// How a batch of host calls is made, as `vmap_method` says for callbacks of JAX.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum VmapMethod {
    /// One call for each element, in order.
    #[default]
    Sequential,
    /// One call; operands without a batch axis get one of extent one in front.
    ExpandDims,
    /// One call; operands without a batch axis are repeated along one.
    BroadcastAll,
}

impl CustomCall {
    /// A pure call of `target` without configuration or aliases, one element of a batch at a time.
    pub fn new(target: CallTarget, results: Vec<Type>) -> Self {
        CustomCall {
            target,
            config: Config::empty(),
            results,
            effects: Effects::NONE,
            aliases: Vec::new(),
            batching: VmapMethod::default(),
        }
    }

    /// The operand whose contents the result `index` begins with.
    pub fn aliased(&self, index: usize) -> Option<usize> {
        self.aliases.iter().find(|alias| alias.result == index).map(|alias| alias.operand)
    }

    /// Runs the call on the thread at hand. Aliased operands stand in their results already, and are empty.
    ///
    /// # Errors
    /// The host code's own; its panic; the target is a name.
    pub fn run<'a>(&'a self, operands: Vec<CallOperand<'a>>, results: Vec<CallResult<'a>>) -> Result<()> {
        match &self.target {
            CallTarget::Function(function) => {
                function.call(&mut HandlerCall { config: &self.config, operands, results })
            }
            CallTarget::Named(name) => {
                Err(Error::program(format!("the custom call @{name} was not looked up before it was run"))
                    .help("resolve the program by a registry that has the handler"))
            }
        }
    }

    /// The results for `operands`, on the thread at hand.
    ///
    /// # Errors
    /// As [`CustomCall::run`].
    pub fn evaluate(&self, mut operands: Vec<Literal>) -> Result<Vec<Literal>> {
        let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
        self.infer(&types)?;
        let mut results = Vec::with_capacity(self.results.len());
        for (i, &ty) in self.results.iter().enumerate() {
            results.push(match self.aliased(i) {
                Some(operand) => {
                    std::mem::replace(&mut operands[operand], Literal::zeros(ty.with_dims([0]))?)
                }
                None => Literal::zeros(ty)?,
            });
        }
        let views = operands.iter().zip(types);
        let inputs = views.map(|(x, ty)| CallOperand { ty, bytes: x.bytes() }).collect();
        let outputs = results.iter_mut().map(|x| CallResult { ty: x.ty(), bytes: x.bytes_mut() }).collect();
        self.run(inputs, outputs)?;
        Ok(results)
    }

    fn check_aliases(&self, operands: &[Type]) -> Result<()> {
        for (i, alias) in self.aliases.iter().enumerate() {
            let OutputAlias { result, operand } = *alias;
            let (Some(of_result), Some(of_operand)) = (self.results.get(result), operands.get(operand))
            else {
                return Err(Error::program(format!(
                    "result {result} is to share memory with operand {operand}, there are {} and {}",
                    self.results.len(),
                    operands.len()
                )));
            };
            if of_result != of_operand {
                return Err(Error::program(format!(
                    "result {result} is {of_result}, operand {operand}, whose memory it is to share, is {of_operand}"
                )));
            }
            if self.aliases[..i].iter().any(|a| a.result == result || a.operand == operand) {
                let error = format!("result {result} or operand {operand} is to share memory twice");
                return Err(Error::program(error));
            }
        }
        Ok(())
    }
}

impl Rules for CustomCall {
    fn name(&self) -> &'static str {
        "custom_call"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        self.check_aliases(operands)?;
        Ok(TypeVec::from_slice(&self.results))
    }

    /// Without float results there is nothing to differentiate: a debug print stays as it is.
    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        match self.results.iter().any(|ty| ty.dtype().is_differentiable()) {
            true => Ok(Jvp::Refuse(
                "nothing is known of what host code computes; wrap the call in custom_jvp or custom_vjp",
            )),
            false => Ok(Jvp::Zero),
        }
    }

    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        Ok(PartialEval::AllOrNothing)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse(
            "nothing is known of what host code computes; wrap the call in custom_jvp or custom_vjp",
        ))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        if self.batching == VmapMethod::Sequential {
            return sub::one_by_one(cx, self.clone());
        }
        let mut operands = Operands::new();
        for (i, operand) in cx.operands.iter().enumerate() {
            let aliased = self.aliases.iter().any(|alias| alias.operand == i);
            operands.push(match (operand.batched, self.batching) {
                (false, VmapMethod::ExpandDims) if !aliased => cx.b.broadcast_leading(operand.value, 1)?,
                _ => cx.batched(i)?,
            });
        }
        let results = self.results.iter().map(|ty| ty.with_leading(cx.size)).collect();
        let results = cx.b.push(CustomCall { results, ..self.clone() }, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    fn effects(&self) -> Effects {
        self.effects
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Refuse("it gives rows to a function of the host"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Calls host code: `results = target(config, operands)`.",
            source: "StableHLO, custom_call; jax.pure_callback, jax.experimental.io_callback, jax.ffi.ffi_call",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let x = varied(&[3], -1.0, 1.0);
        let double = CustomCall::new(CallTarget::Function(DOUBLE.clone()), vec![x.ty()]);
        let look = CustomCall {
            effects: Effects::ORDERED,
            ..CustomCall::new(CallTarget::Function(LOOK.clone()), vec![])
        };
        let batched = |batching| CustomCall { batching, ..double.clone() };
        let aliased = CustomCall { aliases: vec![OutputAlias { result: 0, operand: 0 }], ..double.clone() };
        vec![
            Example::new("a function of this process", double.clone(), vec![x.clone()]),
            Example::new("a batch by one more axis", batched(VmapMethod::ExpandDims), vec![x.clone()]),
            Example::new("a batch by repetition", batched(VmapMethod::BroadcastAll), vec![x.clone()]),
            Example::new("in place", aliased, vec![x.clone()]),
            Example::new("an effect alone", look, vec![x]),
        ]
    }
}

/// Twice its operand, whatever the extents, also in place.
static DOUBLE: LazyLock<NamedHandler> = LazyLock::new(|| {
    NamedHandler::new("double", |call: &mut HandlerCall<'_>| {
        let (from, to) = (&call.operands[0], &mut call.results[0]);
        let x = if from.bytes.is_empty() { Literal::from_bytes(to.ty, to.bytes)? } else { from.literal()? };
        let values: Vec<f64> = x.to_f64_vec().iter().map(|x| 2.0 * x).collect();
        to.write(&Literal::from_f64s(to.ty, &values)?)
    })
});

/// Reads its operand and returns nothing.
static LOOK: LazyLock<NamedHandler> = LazyLock::new(|| {
    NamedHandler::new("look", |call: &mut HandlerCall<'_>| call.operands[0].literal().map(drop))
});
