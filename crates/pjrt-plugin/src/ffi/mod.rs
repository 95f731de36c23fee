//! Handlers in C that programs call, by XLA's foreign function interface, and the extension that registers them.
//!
//! A handler is called in the stage of execution only; it has no state of its own, no stream and no data of the execution
//! context, and asking for those is an error. What it schedules runs within the call. Tensors of elements narrower than a
//! byte are not handed over.

mod api;
mod frame;

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, Result};
use jarrah_hlo::host::{Handler, HandlerCall as HostCall, Registry};
use jarrah_pjrt::abi::*;

use crate::backend;
use crate::call::{Call, entry};
use crate::extension::{base, keep};
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give, text};

/// The extension.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_FFI_Extension {
        base: base::<PJRT_FFI_Extension>(PJRT_Extension_Type::FFI, next),
        type_register: Some(entry),
        user_data_add: Some(entry),
        register_handler: Some(entry),
    })
}

/// The handlers of this process, by name.
static HANDLERS: Mutex<BTreeMap<String, Foreign>> = Mutex::new(BTreeMap::new());

fn handlers() -> MutexGuard<'static, BTreeMap<String, Foreign>> {
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handler in C.
#[derive(Clone, Copy)]
struct Foreign(XLA_FFI_Handler);

impl Handler for Foreign {
    fn call(&self, call: &mut HostCall<'_>) -> Result<()> {
        frame::call(self.0, call)
    }
}

/// Gives the handlers to a client, which looks names up when it compiles. Those that it has already stay.
pub fn offer(registry: &Registry) {
    for (name, handler) in handlers().iter() {
        if registry.get(name).is_none() {
            // Another thread may have offered it just now, which is as good.
            let _ = registry.register(name, *handler);
        }
    }
}

/// Adds a handler under a name that no other has.
fn register(name: &str, platform: &str, handler: XLA_FFI_Handler) -> Outcome {
    if !platform.eq_ignore_ascii_case(backend::PLATFORM) {
        return Err(Failure::invalid(format!(
            "the handler `{name}` is for the platform `{platform}`, this one is `{}`",
            backend::PLATFORM
        )));
    }
    frame::check_version(name, handler)?;
    let mut handlers = handlers();
    match handlers.get(name) {
        Some(known) if known.0 as usize != handler as usize => {
            Err(Failure::invalid(format!("another handler `{name}` is registered already")))
        }
        _ => {
            handlers.insert(name.to_owned(), Foreign(handler));
            Ok(())
        }
    }
}

/// The number of a type that handlers share objects of, by its name.
fn type_id(name: &str) -> i64 {
    static TYPES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut types = TYPES.lock().unwrap_or_else(PoisonError::into_inner);
    let at = types.iter().position(|known| known == name).unwrap_or_else(|| {
        types.push(name.to_owned());
        types.len() - 1
    });
    at as i64 + 1
}

impl Call for PJRT_FFI_Type_Register_Args {
    fn call(&mut self) -> Outcome {
        self.type_id = type_id(text(self.type_name, self.type_name_size, "name of the type")?);
        Ok(())
    }
}

/// The execution context of a program: the data that a caller of the C interface adds for the handlers of its custom calls.
pub struct ContextObject;

impl Object for ContextObject {
    type Handle = PJRT_ExecuteContext;
    const WHAT: &'static str = "execution context";
}

impl Call for PJRT_ExecuteContext_Create_Args {
    fn call(&mut self) -> Outcome {
        self.context = give(ContextObject);
        Ok(())
    }
}

impl Call for PJRT_ExecuteContext_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<ContextObject>(self.context));
        Ok(())
    }
}

impl Call for PJRT_FFI_UserData_Add_Args {
    fn call(&mut self) -> Outcome {
        borrow::<ContextObject>(self.context)?;
        Err(Failure::unimplemented(
            "PJRT_FFI_UserData_Add: handlers are given no data of the execution context",
        ))
    }
}

impl Call for PJRT_FFI_Register_Handler_Args {
    fn call(&mut self) -> Outcome {
        let name = text(self.target_name, self.target_name_size, "name of the target")?;
        let platform = text(self.platform_name, self.platform_name_size, "name of the platform")?;
        if self.handler.is_null() {
            return Err(Failure::invalid(format!("the handler `{name}` is null")));
        }
        // SAFETY: functions and pointers have the same size here, and the caller promises that this one is a handler.
        let handler = unsafe { std::mem::transmute::<*mut c_void, XLA_FFI_Handler>(self.handler) };
        register(name, platform, handler)
    }
}

/// The failure as an error of a run.
fn error(failure: Failure) -> Error {
    crate::error::foreign(failure.code, &failure.message)
}
