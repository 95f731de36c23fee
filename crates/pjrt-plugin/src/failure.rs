//! Failures of the functions of the table.

use jarrah_base::Error;
use jarrah_pjrt::abi::PJRT_Error_Code;
use jarrah_pjrt::error::code_of;

/// Why a function of the table failed.
#[derive(Clone, Debug)]
pub struct Failure {
    pub code: PJRT_Error_Code,
    pub message: String,
}

pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// The caller is wrong.
    pub fn invalid(message: impl Into<String>) -> Failure {
        Failure { code: PJRT_Error_Code::INVALID_ARGUMENT, message: message.into() }
    }

    /// The caller is right, and this plugin cannot.
    pub fn unimplemented(message: impl Into<String>) -> Failure {
        Failure { code: PJRT_Error_Code::UNIMPLEMENTED, message: message.into() }
    }

    /// The failure, with what it is about.
    pub fn during(self, what: impl std::fmt::Display) -> Failure {
        Failure { message: format!("{what}: {}", self.message), ..self }
    }

    /// A defect of this library.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure { code: PJRT_Error_Code::INTERNAL, message: message.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure { code: code_of(&error), message: error.to_string() }
    }
}
