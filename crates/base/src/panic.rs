use std::any::Any;

/// The message of a panic, if it has one in text, as `panic!` does.
///
/// ```
/// let payload = std::panic::catch_unwind(|| panic!("no {}", "luck")).unwrap_err();
/// assert_eq!(jarrah_base::panic_message(&*payload), Some("no luck"));
/// ```
pub fn panic_message(payload: &(dyn Any + Send)) -> Option<&str> {
    payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied())
}
