//! Events.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

use jarrah_pjrt::abi::*;

use crate::caller::{ask, destroy_event, failed, wait};

/// Counts calls: 1 for each success, 1000 for each error.
unsafe extern "C" fn count(error: *mut PJRT_Error, counter: *mut c_void) {
    // SAFETY: the tests give a counter that lives long enough.
    let counter = unsafe { counter.cast::<AtomicU32>().as_ref() }.expect("a counter");
    let by = match error.is_null() {
        true => 1,
        false => {
            assert_eq!(failed(error), (PJRT_Error_Code::RESOURCE_EXHAUSTED, "no".to_owned()));
            1000
        }
    };
    counter.fetch_add(by, Ordering::SeqCst);
}

fn create() -> *mut PJRT_Event {
    ask!(PJRT_Event_Create(PJRT_Event_Create_Args {})).expect("an event").event
}

fn is_ready(event: *mut PJRT_Event) -> bool {
    ask!(PJRT_Event_IsReady(PJRT_Event_IsReady_Args { event: event })).expect("an answer").is_ready
}

fn on_ready(event: *mut PJRT_Event, counter: &AtomicU32) {
    ask!(PJRT_Event_OnReady(PJRT_Event_OnReady_Args {
        event: event,
        callback: Some(count),
        user_arg: std::ptr::from_ref(counter).cast_mut().cast(),
    }))
    .expect("registered");
}

#[test]
fn an_event_is_set_once() {
    let counter = AtomicU32::new(0);
    let event = create();
    on_ready(event, &counter);
    assert!(!is_ready(event));
    let early = ask!(PJRT_Event_Error(PJRT_Event_Error_Args { event: event })).map(|_| ());
    assert_eq!(early, Err((PJRT_Error_Code::INVALID_ARGUMENT, "the event is not ready".into())));
    let set = || ask!(PJRT_Event_Set(PJRT_Event_Set_Args { event: event })).map(|_| ());
    set().expect("set");
    assert!(is_ready(event) && set().is_err());
    on_ready(event, &counter);
    assert_eq!(counter.load(Ordering::SeqCst), 2);
    wait(event).expect("success");
}

#[test]
fn an_error_reaches_everyone_who_waits() {
    let counter = AtomicU32::new(0);
    let event = create();
    on_ready(event, &counter);
    let waiting = {
        let event = event.expose_provenance();
        std::thread::spawn(move || {
            let event = std::ptr::with_exposed_provenance_mut(event);
            ask!(PJRT_Event_Await(PJRT_Event_Await_Args { event: event })).map(|_| ())
        })
    };
    ask!(PJRT_Event_Set(PJRT_Event_Set_Args {
        event: event,
        error_code: PJRT_Error_Code::RESOURCE_EXHAUSTED,
        error_message: c"no".as_ptr(),
        error_message_size: 2,
    }))
    .expect("set");
    let expected = Err((PJRT_Error_Code::RESOURCE_EXHAUSTED, "no".to_owned()));
    assert_eq!(waiting.join().expect("a result"), expected);
    assert_eq!(ask!(PJRT_Event_Error(PJRT_Event_Error_Args { event: event })).map(|_| ()), expected);
    on_ready(event, &counter);
    assert_eq!(counter.load(Ordering::SeqCst), 2000);
    destroy_event(event);
}

/// Nobody waits for ever: who was to set an event and freed it has given it up.
#[test]
fn an_event_that_is_freed_unset_fails() {
    static GIVEN_UP: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn given_up(error: *mut PJRT_Error, _: *mut c_void) {
        let (code, message) = failed(error);
        assert!(code == PJRT_Error_Code::INTERNAL && message.contains("given up"), "{message}");
        GIVEN_UP.fetch_add(1, Ordering::SeqCst);
    }
    let event = create();
    let args = ask!(PJRT_Event_OnReady(PJRT_Event_OnReady_Args { event: event, callback: Some(given_up) }));
    args.expect("registered");
    destroy_event(event);
    assert_eq!(GIVEN_UP.load(Ordering::SeqCst), 1);
    destroy_event(std::ptr::null_mut());
}
