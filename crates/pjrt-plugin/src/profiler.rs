//! The profiler: when executions began and ended, as `tensorflow.profiler.XSpace`.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use jarrah_pjrt::abi::*;
use jarrah_pjrt::proto::Writer;

use crate::call::guarded;
use crate::extension::{base, keep};
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give, list_mut, place};

/// The extension, with the profiler's own table.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    let api = PLUGIN_Profiler_Api {
        r#priv: std::ptr::null_mut(),
        error_destroy: Some(error_destroy),
        error_message: Some(error_message),
        error_get_code: Some(error_get_code),
        create: Some(create),
        destroy: Some(destroy),
        start: Some(start),
        stop: Some(stop),
        collect_data: Some(collect_data),
        ..PLUGIN_Profiler_Api::default()
    };
    keep(PJRT_Profiler_Extension {
        base: base::<PJRT_Profiler_Extension>(PJRT_Extension_Type::Profiler, next),
        profiler_api: std::ptr::from_mut(Box::leak(Box::new(api))),
        traceme_context_id: 0,
    })
}

/// An execution that is over.
#[derive(Clone)]
struct Ran {
    name: String,
    begun: u64,
    ended: u64,
}

/// How many profilers are started; executions are recorded while there are any.
static STARTED: AtomicUsize = AtomicUsize::new(0);

static RECORDED: Mutex<Vec<Ran>> = Mutex::new(Vec::new());

fn recorded() -> MutexGuard<'static, Vec<Ran>> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nanoseconds since the epoch, by which profiles of several sources are put side by side.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// An execution that was begun.
pub struct Span(Ran);

impl Span {
    /// Begins a span if anyone profiles.
    pub fn begin(name: &str) -> Option<Span> {
        let profiled = STARTED.load(Ordering::Relaxed) > 0;
        profiled.then(|| Span(Ran { name: name.to_owned(), begun: now(), ended: 0 }))
    }

    pub fn end(self) {
        recorded().push(Ran { ended: now(), ..self.0 });
    }
}

/// A profiler of C's.
struct ProfilerObject(Mutex<State>);

#[derive(Default)]
struct State {
    /// Where the records of this profiler begin, while it is started.
    since: Option<usize>,
    records: Vec<Ran>,
    /// The records as C gets them, once it has asked; they stay where they are until the profiler is started again.
    space: Vec<u8>,
}

impl Object for ProfilerObject {
    type Handle = PLUGIN_Profiler;
    const WHAT: &'static str = "profiler";
}

impl ProfilerObject {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(&self) -> Outcome {
        let mut state = self.state();
        if state.since.is_some() {
            return Err(Failure::invalid("the profiler is started already"));
        }
        let mut recorded = recorded();
        if STARTED.fetch_add(1, Ordering::Relaxed) == 0 {
            recorded.clear();
        }
        state.since = Some(recorded.len());
        state.space.clear();
        Ok(())
    }

    fn stop(&self) -> Outcome {
        let mut state = self.state();
        let since = state.since.take().ok_or_else(|| Failure::invalid("the profiler is not started"))?;
        state.records.extend(recorded().get(since..).unwrap_or(&[]).iter().cloned());
        STARTED.fetch_sub(1, Ordering::Relaxed);
        Ok(())
    }
}

/// One plane with one line: the executions, and a table of their names.
fn space(records: &[Ran]) -> Vec<u8> {
    let mut names: Vec<&str> = records.iter().map(|ran| ran.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let number = |name: &str| names.binary_search(&name).map_or(0, |at| at as u64 + 1);
    let first = records.iter().map(|ran| ran.begun).min().unwrap_or(0);
    let picoseconds = |nanoseconds: u64| nanoseconds.saturating_mul(1000);
    let mut space = Writer::default();
    space.message(1, |plane| {
        plane.varint(1, 1);
        plane.bytes(2, b"/host:Jarrah");
        plane.message(3, |line| {
            line.varint(1, 1);
            line.bytes(2, b"executions");
            line.varint(3, first);
            for ran in records {
                line.message(4, |event| {
                    event.varint(1, number(&ran.name));
                    event.varint(2, picoseconds(ran.begun - first));
                    event.varint(3, picoseconds(ran.ended.saturating_sub(ran.begun)));
                });
            }
        });
        for name in &names {
            plane.message(4, |entry| {
                entry.varint(1, number(name));
                entry.message(2, |metadata| {
                    metadata.varint(1, number(name));
                    metadata.bytes(2, name.as_bytes());
                });
            });
        }
    });
    space.into_bytes()
}

impl Drop for ProfilerObject {
    fn drop(&mut self) {
        // A profiler that is not started has nothing to stop.
        let _ = self.stop();
    }
}

/// An error of the profiler, whose handle is of another type than others'.
struct ProfilerError(Failure);

impl Object for ProfilerError {
    type Handle = PLUGIN_Profiler_Error;
    const WHAT: &'static str = "error of the profiler";
}

fn finish(outcome: impl FnOnce() -> Outcome) -> *mut PLUGIN_Profiler_Error {
    match guarded(outcome) {
        Ok(()) => std::ptr::null_mut(),
        Err(failure) => give(ProfilerError(failure)),
    }
}

unsafe extern "C" fn error_destroy(args: *mut PLUGIN_Profiler_Error_Destroy_Args) {
    if let Ok(args) = place(args) {
        drop(object::take::<ProfilerError>(args.error));
    }
}

unsafe extern "C" fn error_message(args: *mut PLUGIN_Profiler_Error_Message_Args) {
    if let Ok(args) = place(args) {
        let text = borrow::<ProfilerError>(args.error).map_or("", |error| &error.0.message);
        let (message, size): (*const c_char, usize) = object::raw_text(text);
        (args.message, args.message_size) = (message, size);
    }
}

unsafe extern "C" fn error_get_code(
    args: *mut PLUGIN_Profiler_Error_GetCode_Args,
) -> *mut PLUGIN_Profiler_Error {
    finish(|| {
        let args = place(args)?;
        args.code = borrow::<ProfilerError>(args.error)?.0.code.0 as c_int;
        Ok(())
    })
}

unsafe extern "C" fn create(args: *mut PLUGIN_Profiler_Create_Args) -> *mut PLUGIN_Profiler_Error {
    finish(|| {
        place(args)?.profiler = give(ProfilerObject(Mutex::default()));
        Ok(())
    })
}

unsafe extern "C" fn destroy(args: *mut PLUGIN_Profiler_Destroy_Args) -> *mut PLUGIN_Profiler_Error {
    finish(|| {
        drop(object::take::<ProfilerObject>(place(args)?.profiler));
        Ok(())
    })
}

unsafe extern "C" fn start(args: *mut PLUGIN_Profiler_Start_Args) -> *mut PLUGIN_Profiler_Error {
    finish(|| borrow::<ProfilerObject>(place(args)?.profiler)?.start())
}

unsafe extern "C" fn stop(args: *mut PLUGIN_Profiler_Stop_Args) -> *mut PLUGIN_Profiler_Error {
    finish(|| borrow::<ProfilerObject>(place(args)?.profiler)?.stop())
}

/// Without a buffer, gives the data and its size: it belongs to the profiler, and callers read it there. A buffer of the
/// caller's is filled.
unsafe extern "C" fn collect_data(args: *mut PLUGIN_Profiler_CollectData_Args) -> *mut PLUGIN_Profiler_Error {
    finish(|| {
        let args = place(args)?;
        let mut state = borrow::<ProfilerObject>(args.profiler)?.state();
        if state.space.is_empty() {
            state.space = space(&state.records);
        }
        let own = state.space.as_mut_ptr();
        if args.buffer.is_null() {
            args.buffer = own;
        } else if args.buffer != own {
            if args.buffer_size_in_bytes < state.space.len() {
                return Err(Failure::invalid("the profile does not fit into the buffer"));
            }
            list_mut(args.buffer, state.space.len(), "bytes")?.copy_from_slice(&state.space);
        }
        args.buffer_size_in_bytes = state.space.len();
        Ok(())
    })
}
