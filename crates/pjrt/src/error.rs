//! Errors on their way from one side to the other.

use jarrah_base::{Error, ErrorKind};

use crate::abi::PJRT_Error_Code;

/// The code of an error of ours.
pub fn code_of(error: &Error) -> PJRT_Error_Code {
    match error.kind() {
        ErrorKind::Program | ErrorKind::Input => PJRT_Error_Code::INVALID_ARGUMENT,
        ErrorKind::Memory => PJRT_Error_Code::RESOURCE_EXHAUSTED,
        ErrorKind::Environment if is_exhaustion(error) => PJRT_Error_Code::RESOURCE_EXHAUSTED,
        ErrorKind::Environment => PJRT_Error_Code::UNAVAILABLE,
        ErrorKind::Internal => PJRT_Error_Code::INTERNAL,
    }
}

/// Whether an error of the machine says that the system has run out of memory or threads, which a smaller program may not need.
/// Such errors have a kind of their own only where what is needed is known before.
fn is_exhaustion(error: &Error) -> bool {
    let message = error.message();
    message.starts_with("the system has no ") || message.contains(" bytes of memory, of which ")
}

/// The error that C describes by a code and a message.
pub fn foreign(code: PJRT_Error_Code, message: &str) -> Error {
    let kind = match code {
        PJRT_Error_Code::INVALID_ARGUMENT
        | PJRT_Error_Code::NOT_FOUND
        | PJRT_Error_Code::ALREADY_EXISTS
        | PJRT_Error_Code::FAILED_PRECONDITION
        | PJRT_Error_Code::OUT_OF_RANGE
        | PJRT_Error_Code::UNIMPLEMENTED => ErrorKind::Program,
        PJRT_Error_Code::INTERNAL | PJRT_Error_Code::UNKNOWN | PJRT_Error_Code::DATA_LOSS => {
            ErrorKind::Internal
        }
        PJRT_Error_Code::RESOURCE_EXHAUSTED => ErrorKind::Memory,
        _ => ErrorKind::Environment,
    };
    Error::new(kind, message)
}
