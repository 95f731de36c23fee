//! The profiler: when executions, their steps and transfers began and ended, as `tensorflow.profiler.XSpace`.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_char, c_int};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jarrah_base::memory::size;
use jarrah_pjrt::abi::*;
use jarrah_pjrt::proto::Writer;
use jarrah_runtime::{
    Client, DeviceId, ObservedRun, ObservedStep, Observer, Observing, RunObserver, Transfer,
};

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

/// The most parts of a timeline: those behind them are left out.
const MOST: usize = 1 << 20;

/// A part of a timeline: an execution, a step of one, or a transfer.
#[derive(Clone)]
struct Record {
    what: What,
    /// The thread that did the work.
    thread: Thread,
    began: Instant,
    ended: Instant,
}

#[derive(Clone)]
enum What {
    Execution(Arc<str>, DeviceId),
    Step(Arc<[ObservedStep]>, usize),
    Transfer(Option<DeviceId>, DeviceId, usize),
}

impl What {
    fn name(&self) -> String {
        match self {
            What::Execution(name, _) => name.to_string(),
            What::Step(steps, number) => {
                steps.get(*number).map_or(String::new(), |step| step.label.to_string())
            }
            What::Transfer(None, to, bytes) => format!("{} from the host to device {to}", size(*bytes)),
            What::Transfer(Some(from), to, bytes) => {
                format!("{} from device {from} to device {to}", size(*bytes))
            }
        }
    }

    /// The line of a timeline on which it stands: executions by device, their steps and transfers by thread.
    fn line(&self, thread: &Thread) -> String {
        match self {
            What::Execution(_, device) => format!("executions of device {device}"),
            What::Step(..) | What::Transfer(..) => match thread.name() {
                Some(name) => format!("thread {name}"),
                None => format!("{:?}", thread.id()),
            },
        }
    }
}

/// The clients of this process, and what was recorded of them while profilers are started.
struct Recording {
    clients: Vec<Weak<dyn Client>>,
    started: usize,
    observing: Vec<Observing>,
    records: Vec<Record>,
}

fn recording() -> MutexGuard<'static, Recording> {
    static RECORDING: Mutex<Recording> =
        Mutex::new(Recording { clients: Vec::new(), started: 0, observing: Vec::new(), records: Vec::new() });
    RECORDING.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recording {
    fn observe(&mut self, client: &dyn Client) {
        // A client that tells nothing has no line.
        self.observing.extend(client.observe(Arc::new(Timeline)).ok());
    }
}

/// Makes a client known to profilers.
pub fn watch(client: &Arc<dyn Client>) {
    let mut recording = recording();
    recording.clients.retain(|known| known.strong_count() > 0);
    recording.clients.push(Arc::downgrade(client));
    if recording.started > 0 {
        recording.observe(&**client);
    }
}

/// Records what the clients of this process do.
struct Timeline;

impl Timeline {
    fn add(what: What, began: Instant, ended: Instant) {
        let mut recording = recording();
        if recording.records.len() < MOST {
            recording.records.push(Record { what, thread: thread::current(), began, ended });
        }
    }
}

impl Observer for Timeline {
    fn run(&self, run: &ObservedRun<'_>) -> Option<Box<dyn RunObserver>> {
        let (program, steps) = (run.program.into(), run.steps.clone());
        Some(Box::new(Execution { program, device: run.device, steps, began: Instant::now() }))
    }

    fn transfer(&self, transfer: &Transfer) {
        let Transfer { from, to, bytes, began, ended } = *transfer;
        Timeline::add(What::Transfer(from, to, bytes), began, ended);
    }
}

/// An execution that was begun.
struct Execution {
    program: Arc<str>,
    device: DeviceId,
    steps: Arc<[ObservedStep]>,
    began: Instant,
}

impl RunObserver for Execution {
    fn step(&self, number: usize, began: Instant, ended: Instant) {
        Timeline::add(What::Step(self.steps.clone(), number), began, ended);
    }

    fn end(self: Box<Self>) {
        Timeline::add(What::Execution(self.program, self.device), self.began, Instant::now());
    }
}

/// A profiler of C's.
struct ProfilerObject(Mutex<State>);

#[derive(Default)]
struct State {
    /// Where the records of this profiler begin, while it is started.
    since: Option<usize>,
    records: Vec<Record>,
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
        let mut recording = recording();
        if recording.started == 0 {
            recording.records.clear();
            let clients: Vec<_> = recording.clients.iter().filter_map(Weak::upgrade).collect();
            clients.iter().for_each(|client| recording.observe(&**client));
        }
        recording.started += 1;
        state.since = Some(recording.records.len());
        state.space.clear();
        Ok(())
    }

    fn stop(&self) -> Outcome {
        let mut state = self.state();
        let since = state.since.take().ok_or_else(|| Failure::invalid("the profiler is not started"))?;
        let mut recording = recording();
        state.records.extend(recording.records.get(since..).unwrap_or(&[]).iter().cloned());
        recording.started -= 1;
        if recording.started == 0 {
            recording.observing.clear();
        }
        Ok(())
    }
}

/// One plane: a line for the executions of each device, one for the steps and transfers of each thread, and a table of the names.
fn space(records: &[Record]) -> Vec<u8> {
    let names: BTreeSet<String> = records.iter().map(|record| record.what.name()).collect();
    let numbers: BTreeMap<&str, u64> = names.iter().map(String::as_str).zip(1..).collect();
    let mut lines: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for record in records {
        lines.entry(record.what.line(&record.thread)).or_default().push(record);
    }
    // Profiles of several sources are put side by side by nanoseconds since the epoch.
    let (now, since) = (Instant::now(), SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
    let first = records.iter().map(|record| record.began).min().unwrap_or(now);
    let first_since = since.saturating_sub(now - first).as_nanos() as u64;
    let picoseconds = |time: Duration| (time.as_nanos() as u64).saturating_mul(1000);
    let mut space = Writer::default();
    space.message(1, |plane| {
        plane.varint(1, 1);
        plane.bytes(2, b"/host:Jarrah");
        for (id, (name, records)) in (1..).zip(&lines) {
            plane.message(3, |line| {
                line.varint(1, id);
                line.bytes(2, name.as_bytes());
                line.varint(3, first_since);
                for record in records {
                    line.message(4, |event| {
                        event.varint(1, numbers.get(&*record.what.name()).copied().unwrap_or(0));
                        event.varint(2, picoseconds(record.began - first));
                        event.varint(3, picoseconds(record.ended - record.began));
                    });
                }
            });
        }
        for (name, number) in &numbers {
            plane.message(4, |entry| {
                entry.varint(1, *number);
                entry.message(2, |metadata| {
                    metadata.varint(1, *number);
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
