//! Host code that programs call: handlers, what a call gives them, and the registry of their names.

mod config;
mod registry;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use jarrah_base::{ElementKind, Error, Literal, Result, Type, panic_message};

pub use config::{CallAttribute, CallAttributes, Config};
pub use registry::Registry;

/// Host code that runs in the place of an op: see [`CustomCall`](crate::ops::CustomCall).
///
/// A closure is one:
///
/// ```
/// use jarrah_hlo::host::{HandlerCall, Registry};
///
/// let registry = Registry::new();
/// registry.register("negate", |call: &mut HandlerCall<'_>| {
///     let x = call.operands[0].literal()?;
///     let negated: Vec<f64> = x.to_f64_vec().iter().map(|x| -x).collect();
///     call.results[0].write(&jarrah_base::Literal::from_f64s(x.ty(), &negated)?)
/// })?;
/// assert_eq!(registry.names(), ["negate"]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub trait Handler: Send + Sync {
    /// Writes the results of one call.
    ///
    /// Runs on the thread that runs the program. An error, and a panic too, becomes an error of that run.
    ///
    /// # Errors
    /// Whatever keeps the handler from computing the results.
    fn call(&self, call: &mut HandlerCall<'_>) -> Result<()>;
}

impl<F: Fn(&mut HandlerCall<'_>) -> Result<()> + Send + Sync> Handler for F {
    fn call(&self, call: &mut HandlerCall<'_>) -> Result<()> {
        self(call)
    }
}

/// One call of a handler: memory of the program that runs, without a copy.
#[derive(Debug)]
pub struct HandlerCall<'a> {
    /// The configuration that the program states besides the operands.
    pub config: &'a Config,
    /// The operands. One that shares its memory with a result is empty here: its contents are in the result.
    pub operands: Vec<CallOperand<'a>>,
    /// The results, to be written; their contents are unspecified but for those that share an operand's memory.
    pub results: Vec<CallResult<'a>>,
}

/// A tensor that a handler reads.
#[derive(Clone, Copy, Debug)]
pub struct CallOperand<'a> {
    /// Its type.
    pub ty: Type,
    /// Its elements: little-endian, dense, row-major.
    pub bytes: &'a [u8],
}

/// A tensor that a handler writes.
#[derive(Debug)]
pub struct CallResult<'a> {
    /// Its type.
    pub ty: Type,
    /// Its elements: little-endian, dense, row-major.
    pub bytes: &'a mut [u8],
}

impl CallOperand<'_> {
    /// A copy of the tensor.
    ///
    /// # Errors
    /// There is no memory for it, or the operand shares its memory with a result.
    pub fn literal(&self) -> Result<Literal> {
        Literal::from_bytes(self.ty, self.bytes)
    }
}

impl CallResult<'_> {
    /// Writes `value`.
    ///
    /// # Errors
    /// It has another type.
    pub fn write(&mut self, value: &Literal) -> Result<()> {
        if value.ty() != self.ty {
            return Err(Error::program(format!("the result is {}, {} was declared", value.ty(), self.ty)));
        }
        self.bytes.copy_from_slice(value.bytes());
        Ok(())
    }
}

/// A handler with a name for people; two are equal if they are one handler.
#[derive(Clone)]
pub struct NamedHandler {
    name: Arc<str>,
    handler: Arc<dyn Handler>,
}

impl NamedHandler {
    /// The handler, called `name` in errors and dumps.
    pub fn new(name: impl Into<Arc<str>>, handler: impl Handler + 'static) -> Self {
        NamedHandler { name: name.into(), handler: Arc::new(handler) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs the handler; a panic becomes an error.
    ///
    /// # Errors
    /// The handler's own, or its panic.
    pub fn call(&self, call: &mut HandlerCall<'_>) -> Result<()> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.handler.call(call)));
        outcome.unwrap_or_else(|panic| {
            let text = panic_message(&*panic).map_or(String::new(), |text| format!(": {text}"));
            let error = Error::program(format!("the host function {} panicked{text}", self.name));
            Err(error.help(
                "return an Err for what may fail there; the panic itself was reported above, with its line",
            ))
        })?;
        for result in &mut call.results {
            normalize(result);
        }
        Ok(())
    }

    fn address(&self) -> *const () {
        Arc::as_ptr(&self.handler).cast()
    }
}

/// Gives equal values equal bytes, which the rest of the stack relies on: truth values are 0 or 1, and bits above
/// narrow elements are zero.
fn normalize(result: &mut CallResult<'_>) {
    let dtype = result.ty.dtype();
    match (dtype.kind(), dtype.bits()) {
        (ElementKind::Bool, _) => result.bytes.iter_mut().for_each(|b| *b = u8::from(*b != 0)),
        (_, bits @ 2..8) => result.bytes.iter_mut().for_each(|b| *b &= 0xff >> (8 - bits)),
        _ => {}
    }
}

impl PartialEq for NamedHandler {
    fn eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }
}

impl Eq for NamedHandler {}

impl Hash for NamedHandler {
    /// Its name: its address differs from process to process, and so would [`Program::fingerprint`](crate::Program::fingerprint).
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Debug for NamedHandler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (host function)", self.name)
    }
}
