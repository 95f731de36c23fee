//! Events.

use std::sync::{Mutex, PoisonError};

use jarrah_base::Result;
use jarrah_pjrt::abi::*;
use jarrah_runtime::{Event, Promise};

use crate::call::{Call, guarded};
use crate::error::foreign;
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, give};

/// An event; one that C made itself comes with the duty to complete it.
pub struct EventObject {
    event: Event,
    promise: Mutex<Option<Promise>>,
}

impl Object for EventObject {
    type Handle = PJRT_Event;
    const WHAT: &'static str = "event";
}

/// The handle of a new event object.
pub fn raw(event: Event) -> *mut PJRT_Event {
    give(EventObject { event, promise: Mutex::new(None) })
}

/// The event behind a handle.
pub fn event(handle: *mut PJRT_Event) -> Outcome<&'static Event> {
    borrow::<EventObject>(handle).map(|object| &object.event)
}

fn failure_of(outcome: &Result<()>) -> *mut PJRT_Error {
    match outcome {
        Ok(()) => std::ptr::null_mut(),
        Err(error) => Failure::from(error.clone()).into_raw(),
    }
}

/// A pointer that C wishes to get back, on whichever thread.
#[derive(Clone, Copy)]
pub struct UserArg(pub *mut std::ffi::c_void);

// SAFETY: the pointer is handed back as it came, and nothing else is done with it; who asks for a call from another thread
// has to bear it.
unsafe impl Send for UserArg {}
// SAFETY: as above.
unsafe impl Sync for UserArg {}

impl UserArg {
    /// The pointer; a method, so that closures capture the whole value.
    pub fn get(self) -> *mut std::ffi::c_void {
        self.0
    }
}

impl Call for PJRT_Event_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<EventObject>(self.event));
        Ok(())
    }
}

impl Call for PJRT_Event_IsReady_Args {
    fn call(&mut self) -> Outcome {
        self.is_ready = event(self.event)?.is_ready();
        Ok(())
    }
}

impl Call for PJRT_Event_Error_Args {
    fn call(&mut self) -> Outcome {
        match event(self.event)?.outcome() {
            Some(outcome) => Ok(outcome?),
            None => Err(Failure::invalid("the event is not ready")),
        }
    }
}

impl Call for PJRT_Event_Await_Args {
    fn call(&mut self) -> Outcome {
        Ok(event(self.event)?.wait()?)
    }
}

impl Call for PJRT_Event_OnReady_Args {
    fn call(&mut self) -> Outcome {
        let callback = self.callback.ok_or_else(|| Failure::invalid("the callback is null"))?;
        let user = UserArg(self.user_arg);
        // The callback may free the event.
        event(self.event)?.clone().on_ready(move |outcome| {
            // SAFETY: the caller promises that the function may be called once with this pointer; the error is its to free.
            unsafe { callback(failure_of(outcome), user.get()) }
        });
        Ok(())
    }
}

impl Call for PJRT_Event_Create_Args {
    fn call(&mut self) -> Outcome {
        let (promise, event) = Event::promise();
        self.event = give(EventObject { event, promise: Mutex::new(Some(promise)) });
        Ok(())
    }
}

impl Call for PJRT_Event_Set_Args {
    fn call(&mut self) -> Outcome {
        let object = borrow::<EventObject>(self.event)?;
        let message = object::text(self.error_message, self.error_message_size, "message of an event")?;
        let promise = object.promise.lock().unwrap_or_else(PoisonError::into_inner).take();
        let promise = promise.ok_or_else(|| {
            Failure::invalid("the event is set already, or is not one that PJRT_Event_Create made")
        })?;
        promise.complete(match self.error_code {
            PJRT_Error_Code::OK => Ok(()),
            code => Err(foreign(code, message)),
        });
        Ok(())
    }
}

/// Does `work` once `after` is over, at once if it is, and completes the returned event with the outcome. The error of
/// `after` is that of the event.
pub fn then(after: &Event, work: impl FnOnce() -> Outcome + Send + 'static) -> Event {
    let (promise, event) = Event::promise();
    after.on_ready(move |outcome| {
        let outcome = outcome
            .clone()
            .and_then(|()| guarded(work).map_err(|failure| foreign(failure.code, &failure.message)));
        promise.complete(outcome);
    });
    event
}
