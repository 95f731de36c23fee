//! A device whose steps are those of the reference evaluator: slow, and right by definition.
//!
//! The executor of the crate `execute` runs compiled programs here as on every device; each instruction is one step, which
//! evaluates it ([`jarrah_hlo_eval`]). No pass runs that a device can do without, so that instructions are those of the program. Its memory
//! is blocks that only it can read, filled with a pattern where nothing was written.

mod device;
mod store;

use std::ops::Deref;

use jarrah_execute::{DeviceOptions, Devices};
use jarrah_runtime::{Client, MemoryKind};

use device::Evaluator;

/// Runs programs on the reference evaluator, each within the call that begins it.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_hlo::Builder;
/// use jarrah_reference::ReferenceClient;
/// use jarrah_runtime::{Client, CompileOptions};
///
/// let mut b = Builder::new("double");
/// let x = b.param(Type::tensor(DType::F32, [2]), "x");
/// let y = b.add(x, x)?;
/// let client = ReferenceClient::new();
/// let double = client.compile(&b.finish(&[y])?, &CompileOptions::default())?;
/// let y = double.run(vec![client.upload(&Literal::from_slice(&[2], &[1.0f32, 2.0])?)?])?;
/// assert_eq!(y[0].read()?, Literal::from_slice(&[2], &[2.0f32, 4.0])?);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct ReferenceClient(Devices<Evaluator>);

impl ReferenceClient {
    /// A client with one device.
    pub fn new() -> ReferenceClient {
        let options = DeviceOptions {
            kind: "reference".to_owned(),
            memories: vec![MemoryKind::Device],
            asynchronous: false,
            cache: None,
            observers: Vec::new(),
        };
        ReferenceClient(Devices::new(vec![Evaluator::default()], options))
    }
}

impl Default for ReferenceClient {
    fn default() -> Self {
        ReferenceClient::new()
    }
}

/// The methods of the client are those of its devices, compiled in this crate.
impl Deref for ReferenceClient {
    type Target = dyn Client;

    #[inline(never)]
    fn deref(&self) -> &(dyn Client + 'static) {
        &self.0
    }
}
