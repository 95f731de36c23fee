//! Calls of programs back into the process that made them, as the Python package writes them.

use std::ffi::{c_char, c_void};

use jarrah_base::{Error, Result};
use jarrah_hlo::host::{Config, Handler, HandlerCall, Registry};
use jarrah_pjrt::element;

use crate::propagate::QUESTION;

/// The name by which programs call.
const TARGET: &str = "jarrah_host_callback";

/// The bytes there are for the message of an error.
const CAPACITY: usize = 1 << 14;

/// The function of C that does all calls: `context` says which. It returns 0, or else writes a message.
type Function = unsafe extern "C" fn(
    context: u64,
    operands: i32,
    operand_data: *const *const c_void,
    results: i32,
    result_data: *const *mut c_void,
    error: *mut c_char,
    capacity: u64,
) -> i32;

struct HostCallback;

/// Adds the handlers that programs of JAX call by name to those of a client.
pub fn register(registry: &Registry) -> Result<()> {
    // What is given to it is computed, and nothing becomes of it.
    registry.register("dce_sink", |_: &mut HandlerCall<'_>| Ok(()))?;
    // A question that was answered when the program was compiled.
    registry.register(QUESTION, |_: &mut HandlerCall<'_>| Ok(()))?;
    // Programs name a callback by its address.
    registry.register_local(TARGET, HostCallback)
}

/// The function and the context that a program names, `ADDRESS:CONTEXT` in decimals.
fn parse(text: &str) -> Option<(Function, u64)> {
    let (address, context) = text.split_once(':')?;
    let address = address.parse::<usize>().ok().filter(|&address| address != 0)?;
    let address = std::ptr::with_exposed_provenance::<c_void>(address);
    // SAFETY: functions and pointers have the same size here. Whoever wrote the program into this process promises that a
    // function of this type is at the address.
    let function = unsafe { std::mem::transmute::<*const c_void, Function>(address) };
    Some((function, context.parse().ok()?))
}

/// Calls the function that a configuration names; the pointers are to values of the types that it knows.
///
/// # Errors
/// It names none, or the function fails.
pub fn call(config: &str, operands: &[*const c_void], results: &[*mut c_void]) -> Result<()> {
    let (function, context) =
        parse(config).ok_or_else(|| Error::program("a call of the host is without `ADDRESS:CONTEXT`"))?;
    let mut message = vec![0u8; CAPACITY];
    // SAFETY: as for `parse`; the pointers are to as many bytes as the types say, and last as long as the call.
    let outcome = unsafe {
        function(
            context,
            operands.len() as i32,
            operands.as_ptr(),
            results.len() as i32,
            results.as_ptr(),
            message.as_mut_ptr().cast(),
            CAPACITY as u64,
        )
    };
    if outcome == 0 {
        return Ok(());
    }
    let end = message.iter().position(|&byte| byte == 0).unwrap_or(CAPACITY);
    // As XLA's CPU client has it: the caller of the program is not at fault.
    Err(Error::internal(String::from_utf8_lossy(&message[..end])))
}

impl Handler for HostCallback {
    fn call(&self, call: &mut HandlerCall<'_>) -> Result<()> {
        let config = match call.config {
            Config::Text(text, _) => text,
            _ => "",
        };
        let operands: Vec<*const c_void> =
            call.operands.iter().map(|operand| operand.bytes.as_ptr().cast()).collect();
        let results: Vec<*mut c_void> =
            call.results.iter_mut().map(|result| result.bytes.as_mut_ptr().cast()).collect();
        self::call(config, &operands, &results)?;
        call.results.iter_mut().for_each(|result| element::from_host(result.ty.dtype(), result.bytes));
        Ok(())
    }
}
