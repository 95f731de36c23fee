//! The other processes of a framework's run, which find each other through the framework's store of keys and values.
//!
//! The first process makes the place where the processes of this machine meet, and says in the store where it is. No message goes
//! through the store but that.
//!
//! [`jarrah_leave`] is for the end of a process: JAX's processes wait there for each other, and the exchange ends a wait for values of a
//! process only if that process has said goodbye.

use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use jarrah_exchange::{Exchange, Patience, Rendezvous, join};
use jarrah_pjrt::abi::*;
use jarrah_runtime::{DeviceId, Event};

use crate::error::ErrorObject;
use crate::failure::{Failure, Outcome};
use crate::object::{self, bytes, take};

/// The time in which the first process has to say where the processes meet, and all have to come there.
const WAIT: Duration = Duration::from_secs(300);

/// The word of a first process that ends before the others meet, in the place of the folder.
const LEFT: &str = "left";

/// A process that has waited so long for the first one says so.
const SAID: Duration = Duration::from_secs(5);

/// This process among those of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    pub process: usize,
    pub processes: usize,
}

/// The functions of a framework's store of keys and values.
pub struct KeyValues {
    get: PJRT_KeyValueGetCallback,
    get_arg: *mut c_void,
    put: PJRT_KeyValuePutCallback,
    put_arg: *mut c_void,
}

/// The meeting of the processes, which is there until all have come.
pub struct Met {
    pub exchange: Arc<dyn Exchange>,
    _rendezvous: Option<Rendezvous>,
}

impl KeyValues {
    /// The store that the creator of a client gives.
    ///
    /// # Errors
    /// It gives none.
    pub fn of(args: &PJRT_Client_Create_Args) -> Outcome<KeyValues> {
        match (args.kv_get_callback, args.kv_put_callback) {
            (Some(get), Some(put)) => {
                Ok(KeyValues { get, get_arg: args.kv_get_user_arg, put, put_arg: args.kv_put_user_arg })
            }
            _ => Err(Failure::invalid(
                "a client of several processes needs a store of keys and values, by which the processes find each other",
            )),
        }
    }

    /// The value of a key, which may take so long to come.
    fn get(&self, key: &str, at_most: Duration) -> Outcome<Vec<u8>> {
        let mut error: PJRT_CallbackError = callback_error;
        let mut args = PJRT_KeyValueGetCallback_Args {
            key: key.as_ptr().cast(),
            key_size: key.len(),
            timeout_in_ms: at_most.as_millis() as c_int,
            callback_error: &raw mut error,
            user_arg: self.get_arg,
            ..Default::default()
        };
        // SAFETY: the creator of the client gave the function and its argument for the time of the creation.
        heard(unsafe { (self.get)(&raw mut args) })?;
        let value = bytes(args.value, args.value_size, "value of a key")?.to_vec();
        if let Some(free) = args.value_deleter_callback {
            // SAFETY: the function that gave the value says that this one takes it.
            unsafe { free(args.value) };
        }
        Ok(value)
    }

    fn put(&self, key: &str, value: &[u8]) -> Outcome {
        let mut error: PJRT_CallbackError = callback_error;
        let mut args = PJRT_KeyValuePutCallback_Args {
            key: key.as_ptr().cast(),
            key_size: key.len(),
            value: value.as_ptr().cast(),
            value_size: value.len(),
            callback_error: &raw mut error,
            user_arg: self.put_arg,
            ..Default::default()
        };
        // SAFETY: as in `get`.
        heard(unsafe { (self.put)(&raw mut args) })
    }

    /// Meets the other processes. All make their clients in the same order.
    ///
    /// # Errors
    /// A process does not come, or is on another machine.
    pub fn meet(&self, place: Place) -> Outcome<Met> {
        if let Some(exchange) = launched(place)? {
            return Ok(Met { exchange, _rendezvous: None });
        }
        static CLIENTS: AtomicU64 = AtomicU64::new(0);
        let key = format!("jarrah/exchange/{}", CLIENTS.fetch_add(1, Ordering::Relaxed));
        let (address, rendezvous) = match place.process {
            0 => {
                let rendezvous = Rendezvous::create()?;
                let address = rendezvous.address().to_owned();
                let text = address.to_str().ok_or_else(|| {
                    Failure::invalid("the folder of temporary files has a name that is no text")
                })?;
                self.put(&key, text.as_bytes())?;
                (address, Some(rendezvous))
            }
            _ => {
                let text = self.get(&key, SAID).or_else(|_| {
                    let (own, processes) = (place.process, place.processes);
                    eprintln!("process {own} of {processes} waits for process 0 to ask for its devices");
                    self.get(&key, WAIT)
                })?;
                let text = String::from_utf8(text).map_err(|_| {
                    Failure::invalid("process 0 says that it is at an address that is no text")
                })?;
                if text == LEFT {
                    return Err(jarrah_base::Error::environment(
                        "process 0 has ended, and had not asked for its devices",
                    )
                    .into());
                }
                (Path::new(&text).to_owned(), None)
            }
        };
        if !address.is_dir() {
            return Err(Failure::unimplemented(format!(
                "process 0 is at {}, which is not here: processes of one machine see the same folder of temporary files, and those of several exchange values by MPI, with which the plugin can be built (--features mpi)",
                address.display()
            )));
        }
        let patience = Patience { join: WAIT, ..Patience::default() };
        let exchange = join(&address, place.process, place.processes, &patience)?;
        Ok(Met { exchange, _rendezvous: rendezvous })
    }
}

/// A client's exchange with the other processes, and the runs for which this process has to stay in it.
pub struct Joined {
    exchange: Arc<dyn Exchange>,
    /// By device, the end of its last run over several processes: runs of a device take place one after another.
    last: Mutex<HashMap<DeviceId, Event>>,
}

/// The exchanges of the clients of this process.
static JOINED: Mutex<Vec<Weak<Joined>>> = Mutex::new(Vec::new());

impl Joined {
    pub fn new(exchange: Arc<dyn Exchange>) -> Arc<Joined> {
        let joined = Arc::new(Joined { exchange, last: Mutex::default() });
        held(&JOINED).push(Arc::downgrade(&joined));
        joined
    }

    /// Notes a run over several processes.
    pub fn began(&self, devices: &[DeviceId], done: &[Event]) {
        held(&self.last).extend(devices.iter().copied().zip(done.iter().cloned()));
    }

    fn is_at_work(&self) -> bool {
        held(&self.last).values().any(|done| !done.is_ready())
    }
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says goodbye to the other processes, whose waits for values of this process fail from now on. As long as runs over several
/// processes are in flight nothing is said, and the answer is no.
#[unsafe(no_mangle)]
pub extern "C" fn jarrah_leave() -> bool {
    let joined: Vec<Arc<Joined>> = held(&JOINED).iter().filter_map(Weak::upgrade).collect();
    if joined.iter().any(|joined| joined.is_at_work()) {
        return false;
    }
    for joined in joined {
        // After a failure the others know already.
        let _ = joined.exchange.close();
    }
    true
}

/// The exchange of MPI, where `mpirun` or `srun` has started this process. MPI begins once in a process, so all clients share it.
#[cfg(feature = "mpi")]
fn launched(place: Place) -> Outcome<Option<Arc<dyn Exchange>>> {
    static MPI: Mutex<Option<Arc<dyn Exchange>>> = Mutex::new(None);
    let mut known = held(&MPI);
    if known.is_none() {
        *known = jarrah_exchange::from_env()?;
    }
    let Some(exchange) = &*known else { return Ok(None) };
    if (exchange.rank(), exchange.size()) != (place.process, place.processes) {
        let (rank, size) = (exchange.rank(), exchange.size());
        return Err(Failure::invalid(format!(
            "MPI says that this is process {rank} of {size}, the framework that it is process {} of {}",
            place.process, place.processes
        )));
    }
    Ok(Some(exchange.clone()))
}

/// Without MPI processes find each other by the store alone.
#[cfg(not(feature = "mpi"))]
fn launched(_: Place) -> Outcome<Option<Arc<dyn Exchange>>> {
    Ok(None)
}

/// The failure that a callback returned.
fn heard(error: *mut PJRT_Error) -> Outcome {
    match take::<ErrorObject>(error) {
        None => Ok(()),
        Some(error) => Err(error.into_failure().during("the store of keys and values")),
    }
}

/// Makes the error that a callback returns.
unsafe extern "C" fn callback_error(
    code: PJRT_Error_Code,
    message: *const c_char,
    message_size: usize,
) -> *mut PJRT_Error {
    let text = object::text(message, message_size, "message of an error").unwrap_or("no message");
    Failure { code, message: text.to_owned() }.into_raw()
}
