//! Where a panic says that it is; tests of other crates use this file too.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock};

/// The message, file and line of the panic in `f`.
pub fn panic_of(f: impl FnOnce()) -> (String, String, u32) {
    static SEEN: OnceLock<Mutex<Option<(String, String, u32)>>> = OnceLock::new();
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let seen = SEEN.get_or_init(Mutex::default);
    let me = std::thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() != me {
            return;
        }
        let message = info.payload_as_str().unwrap_or("").to_owned();
        let place = info.location().unwrap();
        *seen.lock().unwrap() = Some((message, place.file().to_owned(), place.line()));
    }));
    let outcome = catch_unwind(AssertUnwindSafe(f));
    std::panic::set_hook(before);
    assert!(outcome.is_err(), "it did not panic");
    seen.lock().unwrap().take().unwrap()
}

/// Checks that `f`, which starts on the line after this call, panics there, and returns the message.
#[track_caller]
pub fn panics_here(f: impl FnOnce()) -> String {
    let here = std::panic::Location::caller();
    let (message, file, line) = panic_of(f);
    assert_eq!(file, here.file(), "{message}");
    assert_eq!(line, here.line() + 1, "{message}");
    message
}
