//! Functions of the host by name: programs that call them can be saved, and run wherever the name is known.
//!
//! ```
//! use jarrah_array::{Array, ffi, jit};
//!
//! ffi::register_ffi_target("docs.double", |call: &mut ffi::HandlerCall<'_>| {
//!     let x = call.operands[0].literal()?;
//!     let doubled: Vec<f32> = x.to_f64_vec().iter().map(|x| 2.0 * *x as f32).collect();
//!     call.results[0].write(&jarrah_array::Literal::from_slice(&x.ty().dims(), &doubled)?)
//! })?;
//! let f = jit(|x: &Array| ffi::ffi_call("docs.double", &[x], &[x.ty()], &Default::default()).swap_remove(0) + 1.0);
//! assert_eq!(f.call(Array::from_slice(&[1.0f32, 2.0]))?.to_vec::<f32>()?, [3.0, 5.0]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

use jarrah_base::{Location, Result, Type};
use jarrah_hlo::Effects;
use jarrah_hlo::ops::{CallTarget, CustomCall, VmapMethod};

pub use jarrah_hlo::host::{CallAttribute, CallAttributes, Config, Handler, HandlerCall};

use crate::array::Array;
use crate::device::default_device;
use crate::trace::apply_at;

/// How a function of the host is called.
#[derive(Clone, Debug)]
pub struct FfiOptions {
    /// The attributes that the function gets besides the operands.
    pub config: Config,
    /// Whether the call has effects besides computing its results: then it runs exactly as often as the program says.
    pub has_side_effect: bool,
    /// How calls are made for a batch under [`crate::vmap`].
    pub vmap_method: VmapMethod,
}

impl Default for FfiOptions {
    fn default() -> Self {
        FfiOptions { config: Config::empty(), has_side_effect: false, vmap_method: VmapMethod::default() }
    }
}

/// Registers `handler` as the function of this name for programs on the default device's client.
///
/// # Errors
/// The name is taken.
///
/// ```
/// use jarrah_array::ffi::{HandlerCall, register_ffi_target};
/// let copy = |call: &mut HandlerCall<'_>| call.results[0].write(&call.operands[0].literal()?);
/// register_ffi_target("docs.copy", copy)?;
/// assert!(register_ffi_target("docs.copy", copy).is_err());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn register_ffi_target(name: &str, handler: impl Handler + 'static) -> Result<()> {
    default_device().client().registry().register(name, handler)
}

/// The results, of these types, of the function that was registered under a name.
///
/// It has no derivative; give one with [`crate::custom_jvp`] or [`crate::custom_vjp`]. A name that nobody has registered is an
/// error where the program is compiled.
///
/// ```
/// use jarrah_array::ffi::{FfiOptions, HandlerCall, ffi_call, register_ffi_target};
/// use jarrah_array::{Array, Literal};
/// register_ffi_target("docs.count", |call: &mut HandlerCall<'_>| {
///     let count = call.operands[0].literal()?.ty().dims().iter().product::<usize>();
///     call.results[0].write(&Literal::from_slice(&[], &[count as i32])?)
/// })?;
/// let x = Array::zeros(&[2, 3]);
/// let results = ffi_call("docs.count", &[&x], &[Array::scalar(0).ty()], &FfiOptions::default());
/// assert_eq!(results[0].item::<i32>()?, 6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ffi_call(name: &str, operands: &[&Array], results: &[Type], options: &FfiOptions) -> Vec<Array> {
    let call = CustomCall {
        config: options.config.clone(),
        effects: if options.has_side_effect { Effects::OBSERVED } else { Effects::NONE },
        batching: options.vmap_method,
        ..CustomCall::new(CallTarget::Named(name.into()), results.to_vec())
    };
    apply_at(Location::caller(), call, operands)
}
