//! Exchanges say goodbye when their process ends, also those that are never dropped: a static has the client of most programs.
#![allow(unsafe_code, reason = "the system's list of functions to call at the end of a process is one of C")]

use std::ffi::c_int;
use std::sync::{Arc, Mutex, Once, Weak};

use crate::exchange::Exchange;
use crate::lock::held;

unsafe extern "C" {
    safe fn atexit(function: extern "C" fn()) -> c_int;
}

/// The exchanges that may be open.
static OPEN: Mutex<Vec<Weak<dyn Exchange>>> = Mutex::new(Vec::new());

extern "C" fn close_all() {
    let open = std::mem::take(&mut *held(&OPEN));
    for exchange in open.iter().filter_map(Weak::upgrade) {
        // After a failure the others know already.
        let _ = exchange.close();
    }
}

/// The exchange, which says goodbye at the end of the process if nobody has closed it before.
pub(crate) fn closed_at_exit(exchange: Arc<dyn Exchange>) -> Arc<dyn Exchange> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        // Where the system has no place for one more function, others see an end without a goodbye.
        let _ = atexit(close_all);
    });
    let mut open = held(&OPEN);
    open.retain(|exchange| exchange.strong_count() > 0);
    open.push(Arc::downgrade(&exchange));
    drop(open);
    exchange
}
