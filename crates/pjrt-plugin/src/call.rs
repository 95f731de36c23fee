//! What stands between C and the functions.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jarrah_base::panic_message;
use jarrah_pjrt::abi::{AbiStruct, PJRT_Error};

use crate::failure::{Failure, Outcome};

/// A function of the table, by its argument struct.
pub trait Call: AbiStruct {
    /// Reads the arguments and sets the results.
    fn call(&mut self) -> Outcome;
}

/// The function that C calls.
///
/// # Safety
/// `args` is null or points to a struct of which `struct_size` bytes exist, with pointers as the header demands.
pub unsafe extern "C" fn entry<A: Call>(args: *mut A) -> *mut PJRT_Error {
    // SAFETY: the caller promises the same.
    match guarded(|| unsafe { run(args) }) {
        Ok(()) => std::ptr::null_mut(),
        Err(failure) => failure.into_raw(),
    }
}

/// Calls `f`; a panic is a failure like any other.
pub fn guarded<T>(f: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|payload| {
        let failure = Failure::internal(format!(
            "the plugin panicked: {}",
            panic_message(&*payload).unwrap_or("no message")
        ));
        // Dropping a payload may panic again.
        std::mem::forget(payload);
        Err(failure)
    })
}

/// Calls the function on a complete struct: fields that the caller does not know of are zero, and are not written back.
///
/// # Safety
/// As for [`entry`].
unsafe fn run<A: Call>(args: *mut A) -> Outcome {
    if args.is_null() {
        return Err(Failure::invalid(format!("{} is null", A::NAME)));
    }
    // SAFETY: every struct begins with its size, and the caller promises that it is there.
    let size = unsafe { args.cast::<usize>().read() };
    let known = A::known(size);
    if known < size_of::<usize>() {
        return Err(Failure::invalid(format!(
            "struct_size of {} is {size}; whole it is {}",
            A::NAME,
            A::STRUCT_SIZE
        )));
    }
    let mut whole = MaybeUninit::<A>::zeroed();
    // SAFETY: the caller promises that `size` bytes are there, and `known` are no more, nor more than `A` has. Zeros are a
    // value of `A`, and so are the caller's whole fields followed by zeros.
    let mut whole = unsafe {
        std::ptr::copy_nonoverlapping(args.cast::<u8>(), whole.as_mut_ptr().cast(), known);
        whole.assume_init()
    };
    whole.call()?;
    // SAFETY: as above, in the other direction.
    unsafe { std::ptr::copy_nonoverlapping((&raw const whole).cast::<u8>(), args.cast(), known) };
    Ok(())
}
