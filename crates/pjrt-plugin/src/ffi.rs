//! The extension by which frameworks register functions that programs call.

use jarrah_pjrt::abi::*;

use crate::call::{Call, entry};
use crate::error::{Failure, Outcome};
use crate::execute::ContextObject;
use crate::object::{borrow, text};
use crate::table::{base, keep};

/// The extension.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_FFI_Extension {
        base: base::<PJRT_FFI_Extension>(PJRT_Extension_Type::FFI, next),
        type_register: Some(entry),
        user_data_add: Some(entry),
        register_handler: Some(entry),
    })
}

impl Call for PJRT_FFI_Type_Register_Args {
    fn call(&mut self) -> Outcome {
        let name = text(self.type_name, self.type_name_size, "name of the type")?;
        Err(Failure::unimplemented(format!(
            "PJRT_FFI_Type_Register: the type `{name}` is for handlers in C, which programs cannot call"
        )))
    }
}

impl Call for PJRT_FFI_UserData_Add_Args {
    fn call(&mut self) -> Outcome {
        borrow::<ContextObject>(self.context)?;
        Err(Failure::unimplemented(
            "PJRT_FFI_UserData_Add: the data is for handlers in C, which programs cannot call",
        ))
    }
}

impl Call for PJRT_FFI_Register_Handler_Args {
    fn call(&mut self) -> Outcome {
        let name = text(self.target_name, self.target_name_size, "name of the target")?;
        Err(Failure::unimplemented(format!(
            "PJRT_FFI_Register_Handler: `{name}` is a handler in C, which programs cannot call"
        )))
    }
}
