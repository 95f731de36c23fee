//! Streams by which an execution exchanges data with the host: programs have no such ops, so no stream is ever made.

use jarrah_pjrt::abi::*;

use crate::call::Call;
use crate::failure::{Failure, Outcome};

macro_rules! no_streams {
    ($($args:ident)*) => {$(
        impl Call for $args {
            fn call(&mut self) -> Outcome {
                Err(Failure::unimplemented(concat!(
                    stringify!($args),
                    ": programs do not send to or receive from the host"
                )))
            }
        }
    )*};
}

no_streams! {
    PJRT_CopyToDeviceStream_Destroy_Args
    PJRT_CopyToDeviceStream_AddChunk_Args
    PJRT_CopyToDeviceStream_TotalBytes_Args
    PJRT_CopyToDeviceStream_GranuleSize_Args
    PJRT_CopyToDeviceStream_CurrentBytes_Args
}
