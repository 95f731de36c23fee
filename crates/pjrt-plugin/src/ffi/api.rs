//! The table of functions that handlers may call.

use std::alloc::Layout;
use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use jarrah_base::Result;
use jarrah_pjrt::abi::*;
use jarrah_runtime::{Event, Promise};

use super::{register, type_id};
use crate::call::guarded;
use crate::error::foreign;
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give, place, text};

/// An error of a handler.
pub struct ErrorObject {
    code: PJRT_Error_Code,
    message: CString,
}

impl Object for ErrorObject {
    type Handle = XLA_FFI_Error;
    const WHAT: &'static str = "error of a handler";
}

impl ErrorObject {
    fn new(failure: &Failure) -> ErrorObject {
        let bytes = failure.message.bytes().filter(|&byte| byte != 0).collect::<Vec<u8>>();
        ErrorObject { code: failure.code, message: CString::new(bytes).unwrap_or_default() }
    }

    /// What the handler said.
    pub fn failure(&self) -> Failure {
        Failure { code: self.code, message: self.message.to_string_lossy().into_owned() }
    }
}

/// Work that a handler does after it has returned.
pub struct FutureObject {
    event: Event,
    promise: Mutex<Option<Promise>>,
}

impl Object for FutureObject {
    type Handle = XLA_FFI_Future;
    const WHAT: &'static str = "future";
}

impl FutureObject {
    /// Waits until the handler has said how it ended.
    pub fn wait(&self) -> Result<()> {
        self.event.wait()
    }

    fn complete(&self, outcome: Result<()>) -> Outcome {
        let promise = self.promise.lock().unwrap_or_else(PoisonError::into_inner).take();
        let promise = promise.ok_or_else(|| Failure::invalid("the future is set already"))?;
        promise.complete(outcome);
        Ok(())
    }
}

/// What a call of a handler has of its own.
pub struct Context {
    run: i64,
    memory: Mutex<HashMap<usize, Taken>>,
}

impl Default for Context {
    fn default() -> Self {
        static RUNS: AtomicI64 = AtomicI64::new(0);
        Context { run: RUNS.fetch_add(1, Ordering::Relaxed), memory: Mutex::default() }
    }
}

impl Object for Context {
    type Handle = XLA_FFI_ExecutionContext;
    const WHAT: &'static str = "execution context";
}

/// Memory that a handler asked for; what it does not free goes with the call.
struct Taken {
    data: *mut u8,
    layout: Layout,
}

// SAFETY: the memory belongs to the value.
unsafe impl Send for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout, and is freed once.
        unsafe { std::alloc::dealloc(self.data, self.layout) }
    }
}

struct Table(XLA_FFI_Api);

// SAFETY: the table lives as long as the process and never changes.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

/// The table, made at the first call.
pub fn table() -> *const XLA_FFI_Api {
    static TABLE: OnceLock<Table> = OnceLock::new();
    &raw const TABLE
        .get_or_init(|| {
            Table(XLA_FFI_Api {
                api_version: XLA_FFI_Api_Version {
                    major_version: XLA_FFI_API_MAJOR,
                    minor_version: XLA_FFI_API_MINOR,
                    ..Default::default()
                },
                XLA_FFI_Error_Create: Some(error_create),
                XLA_FFI_Error_GetMessage: Some(error_message),
                XLA_FFI_Error_Destroy: Some(error_destroy),
                XLA_FFI_Handler_Register: Some(handler_register),
                XLA_FFI_Stream_Get: Some(stream_get),
                XLA_FFI_Type_Register: Some(type_register),
                XLA_FFI_ExecutionContext_Get: Some(context_get),
                XLA_FFI_State_Set: Some(state_set),
                XLA_FFI_State_Get: Some(state_get),
                XLA_FFI_DeviceMemory_Allocate: Some(memory_allocate),
                XLA_FFI_DeviceMemory_Free: Some(memory_free),
                XLA_FFI_ThreadPool_Schedule: Some(pool_schedule),
                XLA_FFI_ThreadPool_NumThreads: Some(pool_threads),
                XLA_FFI_Future_Create: Some(future_create),
                XLA_FFI_Future_SetAvailable: Some(future_available),
                XLA_FFI_Future_SetError: Some(future_error),
                XLA_FFI_RunId_Get: Some(run_id),
                XLA_FFI_DeviceOrdinal_Get: Some(device_ordinal),
                ..Default::default()
            })
        })
        .0
}

/// Calls `f` on the arguments; a failure or a panic becomes an error object.
fn answer<A>(args: *mut A, f: impl FnOnce(&mut A) -> Outcome) -> *mut XLA_FFI_Error {
    match guarded(|| f(place(args)?)) {
        Ok(()) => std::ptr::null_mut(),
        Err(failure) => give(ErrorObject::new(&failure)),
    }
}

fn lacks<A>(what: &str) -> impl FnOnce(&mut A) -> Outcome {
    move |_| Err(Failure::unimplemented(format!("a handler has no {what} here")))
}

unsafe extern "C" fn error_create(args: *mut XLA_FFI_Error_Create_Args) -> *mut XLA_FFI_Error {
    let Ok(args) = place(args) else { return std::ptr::null_mut() };
    let message = match args.message.is_null() {
        true => String::new(),
        // SAFETY: the handler promises that a message is a text of C.
        false => unsafe { CStr::from_ptr(args.message) }.to_string_lossy().into_owned(),
    };
    give(ErrorObject::new(&Failure { code: args.errc, message }))
}

unsafe extern "C" fn error_message(args: *mut XLA_FFI_Error_GetMessage_Args) {
    if let Ok(args) = place(args) {
        let message = borrow::<ErrorObject>(args.error).map_or(c"".as_ptr(), |error| error.message.as_ptr());
        args.message = message;
    }
}

unsafe extern "C" fn error_destroy(args: *mut XLA_FFI_Error_Destroy_Args) {
    if let Ok(args) = place(args) {
        drop(object::take::<ErrorObject>(args.error));
    }
}

unsafe extern "C" fn handler_register(args: *mut XLA_FFI_Handler_Register_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let name = text(args.name.ptr, args.name.len, "name of the handler")?;
        let platform = text(args.platform.ptr, args.platform.len, "name of the platform")?;
        let bundle = &args.bundle;
        if bundle.instantiate.is_some() || bundle.prepare.is_some() || bundle.initialize.is_some() {
            return Err(Failure::unimplemented(format!("`{name}` has stages before its execution")));
        }
        let execute =
            bundle.execute.ok_or_else(|| Failure::invalid(format!("the handler `{name}` is null")))?;
        register(name, platform, execute)
    })
}

unsafe extern "C" fn stream_get(args: *mut XLA_FFI_Stream_Get_Args) -> *mut XLA_FFI_Error {
    answer(args, lacks("stream"))
}

unsafe extern "C" fn type_register(args: *mut XLA_FFI_Type_Register_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        place(args.type_id)?.type_id = type_id(text(args.name.ptr, args.name.len, "name of the type")?);
        Ok(())
    })
}

unsafe extern "C" fn context_get(args: *mut XLA_FFI_ExecutionContext_Get_Args) -> *mut XLA_FFI_Error {
    answer(args, lacks("data of the execution context"))
}

unsafe extern "C" fn state_set(args: *mut XLA_FFI_State_Set_Args) -> *mut XLA_FFI_Error {
    answer(args, lacks("state"))
}

unsafe extern "C" fn state_get(args: *mut XLA_FFI_State_Get_Args) -> *mut XLA_FFI_Error {
    answer(args, lacks("state"))
}

unsafe extern "C" fn memory_allocate(args: *mut XLA_FFI_DeviceMemory_Allocate_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let context = borrow::<Context>(args.ctx)?;
        let layout = Layout::from_size_align(args.size.max(1), args.alignment.max(1));
        let layout =
            layout.map_err(|_| Failure::invalid("there is no memory of such a size and alignment"))?;
        // SAFETY: the size is not zero.
        let data = unsafe { std::alloc::alloc(layout) };
        if data.is_null() {
            let message = format!("there are no {} bytes of memory left", args.size);
            return Err(Failure { code: PJRT_Error_Code::RESOURCE_EXHAUSTED, message });
        }
        let mut memory = context.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.insert(data.addr(), Taken { data, layout });
        args.data = data.cast();
        Ok(())
    })
}

unsafe extern "C" fn memory_free(args: *mut XLA_FFI_DeviceMemory_Free_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let mut memory = borrow::<Context>(args.ctx)?.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let freed = memory.remove(&args.data.addr());
        freed.map(|_| ()).ok_or_else(|| Failure::invalid("the memory is not the handler's"))
    })
}

unsafe extern "C" fn pool_schedule(args: *mut XLA_FFI_ThreadPool_Schedule_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let task = args.task.ok_or_else(|| Failure::invalid("the task is null"))?;
        // SAFETY: the handler promises that the task may be called once with its data, on any thread.
        unsafe { task(args.data) };
        Ok(())
    })
}

unsafe extern "C" fn pool_threads(args: *mut XLA_FFI_ThreadPool_NumThreads_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        // Tasks run within the call that schedules them.
        *place(args.num_threads)? = 1;
        Ok(())
    })
}

unsafe extern "C" fn future_create(args: *mut XLA_FFI_Future_Create_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let (promise, event) = Event::promise();
        args.future = give(FutureObject { event, promise: Mutex::new(Some(promise)) });
        Ok(())
    })
}

unsafe extern "C" fn future_available(args: *mut XLA_FFI_Future_SetAvailable_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| borrow::<FutureObject>(args.future)?.complete(Ok(())))
}

unsafe extern "C" fn future_error(args: *mut XLA_FFI_Future_SetError_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        let error = object::take::<ErrorObject>(args.error);
        let failure = error.map_or_else(|| Failure::internal("no error was given"), |error| error.failure());
        borrow::<FutureObject>(args.future)?.complete(Err(foreign(failure.code, &failure.message)))
    })
}

unsafe extern "C" fn run_id(args: *mut XLA_FFI_RunId_Get_Args) -> *mut XLA_FFI_Error {
    answer(args, |args| {
        args.run_id = borrow::<Context>(args.ctx)?.run;
        Ok(())
    })
}

unsafe extern "C" fn device_ordinal(args: *mut XLA_FFI_DeviceOrdinal_Get_Args) -> *mut XLA_FFI_Error {
    answer(args, lacks("number of its device"))
}
