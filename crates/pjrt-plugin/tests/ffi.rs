//! Handlers in C that programs call.

use std::ffi::c_void;

use jarrah_pjrt::abi::*;

use crate::caller::{Client, call, text};
use crate::extensions::find;

/// What a handler finds in a frame of a list of operands, results and attributes.
unsafe fn entries<'a, T>(places: *mut *mut c_void, at: usize) -> &'a mut T {
    // SAFETY: the frame has an entry of this type there.
    unsafe { &mut *(*places.add(at)).cast() }
}

/// Says which version it was made for, if it is asked.
unsafe fn told_version(frame: &XLA_FFI_CallFrame, major: i32) -> bool {
    let extension = frame.extension_start.cast::<XLA_FFI_Metadata_Extension>();
    if extension.is_null() {
        return false;
    }
    // SAFETY: the plugin asks by this extension only.
    unsafe {
        let version = &mut (*(*extension).metadata).api_version;
        (version.major_version, version.minor_version) = (major, 3);
    }
    true
}

/// `result = scale * operand + sum(shift)`; a name of "bad" is an error, and the result comes after the handler has returned.
unsafe extern "C" fn scale(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
    // SAFETY: the plugin gives a frame as the interface has it.
    unsafe {
        let frame = &mut *frame;
        if told_version(frame, 0) {
            return std::ptr::null_mut();
        }
        let api = &*frame.api;
        assert_eq!(frame.struct_size, std::mem::offset_of!(XLA_FFI_CallFrame, future));
        assert_eq!((frame.args.size, frame.rets.size, frame.attrs.size), (1, 1, 4));
        let names: Vec<String> = (0..4)
            .map(|at| {
                let name = &**frame.attrs.names.add(at);
                text(name.ptr, name.len)
            })
            .collect();
        assert_eq!(names, ["more", "name", "scale", "shift"]);
        let kinds = std::slice::from_raw_parts(frame.attrs.types, 4);
        use XLA_FFI_AttrType as Kind;
        assert_eq!(kinds, [Kind::DICTIONARY, Kind::STRING, Kind::SCALAR, Kind::ARRAY]);
        assert_eq!(entries::<XLA_FFI_Attrs>(frame.attrs.attrs, 0).size, 1);
        let name = entries::<XLA_FFI_ByteSpan>(frame.attrs.attrs, 1);
        if text(name.ptr, name.len) == "bad" {
            let mut args = XLA_FFI_Error_Create_Args {
                message: c"a bad name".as_ptr(),
                errc: PJRT_Error_Code::INVALID_ARGUMENT,
                ..Default::default()
            };
            return api.XLA_FFI_Error_Create.expect("a function")(&raw mut args);
        }
        let factor = entries::<XLA_FFI_Scalar>(frame.attrs.attrs, 2);
        assert_eq!(factor.dtype, XLA_FFI_DataType::F32);
        let factor = factor.value.cast::<f32>().read();
        let shift = entries::<XLA_FFI_Array>(frame.attrs.attrs, 3);
        assert_eq!(shift.dtype, XLA_FFI_DataType::S64);
        let shift: i64 = std::slice::from_raw_parts(shift.data.cast::<i64>(), shift.size).iter().sum();
        let (from, to) =
            (entries::<XLA_FFI_Buffer>(frame.args.args, 0), entries::<XLA_FFI_Buffer>(frame.rets.rets, 0));
        assert_eq!((from.dtype, from.rank, *from.dims), (XLA_FFI_DataType::F32, 1, 4));

        let mut memory = XLA_FFI_DeviceMemory_Allocate_Args {
            ctx: frame.ctx,
            size: 100,
            alignment: 64,
            ..Default::default()
        };
        assert!(api.XLA_FFI_DeviceMemory_Allocate.expect("a function")(&raw mut memory).is_null());
        assert!(memory.data.addr().is_multiple_of(64));
        let mut stream = XLA_FFI_Stream_Get_Args { ctx: frame.ctx, ..Default::default() };
        let error = api.XLA_FFI_Stream_Get.expect("a function")(&raw mut stream);
        let mut message = XLA_FFI_Error_GetMessage_Args { error, ..Default::default() };
        api.XLA_FFI_Error_GetMessage.expect("a function")(&raw mut message);
        assert_eq!(std::ffi::CStr::from_ptr(message.message), c"a handler has no stream here");
        let mut destroy = XLA_FFI_Error_Destroy_Args { error, ..Default::default() };
        api.XLA_FFI_Error_Destroy.expect("a function")(&raw mut destroy);

        let mut future = XLA_FFI_Future_Create_Args::default();
        assert!(api.XLA_FFI_Future_Create.expect("a function")(&raw mut future).is_null());
        frame.future = future.future;
        let (from, to, future, table) = (
            from.data.expose_provenance(),
            to.data.expose_provenance(),
            future.future.expose_provenance(),
            std::ptr::from_ref(api).expose_provenance(),
        );
        std::thread::spawn(move || {
            let from = std::slice::from_raw_parts(std::ptr::with_exposed_provenance::<f32>(from), 4);
            let to = std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut::<f32>(to), 4);
            for (to, from) in to.iter_mut().zip(from) {
                *to = factor * from + shift as f32;
            }
            let api = &*std::ptr::with_exposed_provenance::<XLA_FFI_Api>(table);
            let future = std::ptr::with_exposed_provenance_mut(future);
            let mut args = XLA_FFI_Future_SetAvailable_Args { future, ..Default::default() };
            assert!(api.XLA_FFI_Future_SetAvailable.expect("a function")(&raw mut args).is_null());
        });
        std::ptr::null_mut()
    }
}

/// A handler of another major version.
unsafe extern "C" fn alien(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
    // SAFETY: as above.
    unsafe { told_version(&*frame, 7) };
    std::ptr::null_mut()
}

fn register(name: &str, platform: &str, handler: XLA_FFI_Handler) -> Result<(), String> {
    let extension = find::<PJRT_FFI_Extension>(PJRT_Extension_Type::FFI);
    let mut args = PJRT_FFI_Register_Handler_Args {
        target_name: name.as_ptr().cast(),
        target_name_size: name.len(),
        handler: handler as *mut c_void,
        platform_name: platform.as_ptr().cast(),
        platform_name_size: platform.len(),
        ..Default::default()
    };
    call(extension.register_handler, &mut args).map_err(|(_, message)| message)
}

fn program(name: &str) -> String {
    format!(
        "module @calls {{ func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{
            %0 = stablehlo.custom_call @test_scale(%arg0) {{
                api_version = 4 : i32,
                backend_config = {{
                    scale = 2.0 : f32, shift = array<i64: 1, 2>, name = \"{name}\", more = {{one = 1 : i32}}
                }}
            }} : (tensor<4xf32>) -> tensor<4xf32>
            return %0 : tensor<4xf32>
        }} }}"
    )
}

#[test]
fn a_program_calls_a_handler() {
    let client = Client::new(1);
    register("test_scale", "jarrah", scale).expect("registered");
    register("test_scale", "Jarrah", scale).expect("the same again");
    let run = |name: &str| {
        let a = client.buffer(&[1.0, 2.0, 3.0, 4.0]);
        client.compile(&program(name))?.run(&[&a])?[0].read()
    };
    assert_eq!(run("good").expect("values"), [5.0, 7.0, 9.0, 11.0]);
    let (_, message) = run("bad").expect_err("an error");
    assert!(message.contains("a bad name"), "{message}");
}

#[test]
fn handlers_that_do_not_fit_are_refused() {
    let message = register("test_other", "CUDA", scale).expect_err("an error");
    assert!(message.contains("is for the platform `CUDA`"), "{message}");
    let message = register("test_alien", "jarrah", alien).expect_err("an error");
    assert!(message.contains("made for version 7.3"), "{message}");
    register("test_taken", "jarrah", scale).expect("registered");
    unsafe extern "C" fn other(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
        // SAFETY: as above.
        unsafe { scale(frame) }
    }
    let message = register("test_taken", "jarrah", other).expect_err("an error");
    assert!(message.contains("registered already"), "{message}");
}
