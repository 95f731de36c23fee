//! Handles and the objects behind them, and other pointers that C hands over.
//!
//! The functions of this file dereference pointers. They are called with pointers out of argument structs only, and whoever
//! calls the table promises what the header asks of those: that a pointer is null or points to what its type says, for as
//! long as the call lasts.

use std::ffi::c_char;

use jarrah_pjrt::abi::PJRT_NamedValue;
use jarrah_pjrt::named;
use jarrah_runtime::DeviceAttribute;

use crate::failure::{Failure, Outcome};

/// What lies behind a handle.
pub trait Object: Sized {
    /// The opaque type that C sees.
    type Handle;
    /// The object's name in errors.
    const WHAT: &'static str;
}

/// Moves an object to where C owns it.
pub fn give<T: Object>(object: T) -> *mut T::Handle {
    Box::into_raw(Box::new(object)).cast()
}

/// Takes back what [`give`] gave; nothing if the handle is null.
pub fn take<T: Object>(handle: *mut T::Handle) -> Option<Box<T>> {
    let object = handle.cast::<T>();
    // SAFETY: the caller promises that a handle that is not null was given to it and not freed before, which `give` alone does
    // for this type.
    (!object.is_null()).then(|| unsafe { Box::from_raw(object) })
}

/// The object behind a handle.
pub fn borrow<'a, T: Object>(handle: *const T::Handle) -> Outcome<&'a T> {
    // SAFETY: the caller promises that a handle that is not null is that of a live object of this type. Objects are changed
    // behind locks only, so shared references are enough.
    unsafe { handle.cast::<T>().as_ref() }.ok_or_else(|| Failure::invalid(format!("the {} is null", T::WHAT)))
}

/// The object behind a handle that may be null.
pub fn optional<'a, T: Object>(handle: *const T::Handle) -> Option<&'a T> {
    (!handle.is_null()).then(|| borrow::<T>(handle).ok()).flatten()
}

/// The handle of an object that a client or topology keeps at its place.
pub fn handle<T: Object>(object: &T) -> *mut T::Handle {
    std::ptr::from_ref(object).cast_mut().cast()
}

/// A place of the caller's to be read and written.
pub fn place<'a, T>(pointer: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller promises that a pointer that is not null points to a value of this type that nobody else uses during
    // the call.
    unsafe { pointer.as_mut() }.ok_or_else(|| Failure::invalid("a place for a result is null"))
}

/// A value of the caller's.
pub fn value<'a, T>(pointer: *const T, what: &str) -> Outcome<&'a T> {
    // SAFETY: the caller promises that a pointer that is not null points to a value of this type during the call.
    unsafe { pointer.as_ref() }.ok_or_else(|| Failure::invalid(format!("the {what} is null")))
}

/// A list of the caller's.
pub fn list<'a, T>(pointer: *const T, len: usize, what: &str) -> Outcome<&'a [T]> {
    match (pointer.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => {
            Err(Failure::invalid(format!("the list of {what} is null and said to have {len} entries")))
        }
        // SAFETY: the caller promises that so many values of this type stand there during the call; `isize::MAX` bytes are
        // the most that an allocation can have.
        (false, _) if len <= isize::MAX as usize / size_of::<T>().max(1) => unsafe {
            Ok(std::slice::from_raw_parts(pointer, len))
        },
        _ => Err(Failure::invalid(format!("the list of {what} is said to have {len} entries"))),
    }
}

/// A list of the caller's to be written.
pub fn list_mut<'a, T>(pointer: *mut T, len: usize, what: &str) -> Outcome<&'a mut [T]> {
    list(pointer.cast_const(), len, what)?;
    match len {
        0 => Ok(&mut []),
        // SAFETY: as for `list`, which has looked at pointer and length; the caller promises that nobody else uses the list
        // during the call.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, len) }),
    }
}

/// Bytes of the caller's.
pub fn bytes<'a>(pointer: *const c_char, len: usize, what: &str) -> Outcome<&'a [u8]> {
    list(pointer.cast::<u8>(), len, what)
}

/// A text of the caller's.
pub fn text<'a>(pointer: *const c_char, len: usize, what: &str) -> Outcome<&'a str> {
    std::str::from_utf8(bytes(pointer, len, what)?)
        .map_err(|error| Failure::invalid(format!("the {what} is not UTF-8: {error}")))
}

/// Named values of the caller's.
pub fn options(options: *const PJRT_NamedValue, count: usize) -> Outcome<Vec<(String, DeviceAttribute)>> {
    list(options, count, "options")?;
    // SAFETY: the caller promises that the values are there, and are what they say.
    Ok(unsafe { named::read(options, count) }?)
}

/// Pointer and length of a text, as C takes them.
pub fn raw_text(text: &str) -> (*const c_char, usize) {
    (text.as_ptr().cast(), text.len())
}
