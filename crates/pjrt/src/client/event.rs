//! Events of a plugin as those of the runtime.

use std::ffi::c_void;

use jarrah_base::Result;
use jarrah_runtime::{Event, Promise};

use super::plugin::{Object, Plugin, ask};
use crate::abi::*;

/// The promise that an event of the plugin keeps when it is over.
struct Duty {
    event: Object<PJRT_Event>,
    promise: Promise,
}

/// The completion that an event, which the plugin gave to us, stands for. Null is an event that is over.
pub(super) fn completion(plugin: &'static Plugin, event: *mut PJRT_Event) -> Event {
    let Ok(object) = Object::new(plugin, event) else { return Event::done() };
    let (promise, completion) = Event::promise();
    let duty = Box::into_raw(Box::new(Duty { event: object, promise }));
    let asked = ask!(
        plugin,
        PJRT_Event_OnReady(PJRT_Event_OnReady_Args {
            event: event,
            callback: Some(over),
            user_arg: duty.cast()
        })
    );
    if asked.is_err() {
        // SAFETY: the callback was refused, so nobody but us has the pointer that `into_raw` made.
        let Duty { event, promise } = *unsafe { Box::from_raw(duty) };
        promise.complete(wait(&event));
    }
    completion
}

/// Waits for an event of the plugin.
fn wait(event: &Object<PJRT_Event>) -> Result<()> {
    ask!(event.plugin(), PJRT_Event_Await(PJRT_Event_Await_Args { event: event.get() })).map(|_| ())
}

/// # Safety
/// `duty` is a [`Duty`] of `completion`, handed over once; `error` is null or an error that is ours to free.
unsafe extern "C" fn over(error: *mut PJRT_Error, duty: *mut c_void) {
    // SAFETY: the plugin hands back what it was given, once.
    let Duty { event, promise } = *unsafe { Box::from_raw(duty.cast::<Duty>()) };
    let outcome = event.plugin().outcome(error);
    drop(event);
    promise.complete(outcome);
}
