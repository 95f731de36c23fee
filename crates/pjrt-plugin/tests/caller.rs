//! A caller of the table.

use std::ffi::c_char;
use std::ptr::null_mut;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::CompileOptionsProto;

/// The code and message of an error.
pub type Failed = (PJRT_Error_Code, String);

/// The function table.
pub fn api() -> &'static PJRT_Api {
    // SAFETY: the table lives as long as the process.
    unsafe { jarrah_pjrt_plugin::GetPjrtApi().as_ref() }.expect("a table")
}

/// What an error object says; it is freed.
pub fn failed(error: *mut PJRT_Error) -> Failed {
    let mut message = PJRT_Error_Message_Args { error, ..Default::default() };
    let mut code = PJRT_Error_GetCode_Args { error, ..Default::default() };
    let mut destroy = PJRT_Error_Destroy_Args { error, ..Default::default() };
    // SAFETY: the error is one that the plugin gave, and is not used after it was freed.
    unsafe {
        api().PJRT_Error_Message.expect("a function")(&raw mut message);
        assert!(api().PJRT_Error_GetCode.expect("a function")(&raw mut code).is_null());
        let text = std::slice::from_raw_parts(message.message.cast(), message.message_size);
        let text = String::from_utf8(text.to_vec()).expect("UTF-8");
        api().PJRT_Error_Destroy.expect("a function")(&raw mut destroy);
        (code.code, text)
    }
}

/// Calls a function.
pub fn call<A>(function: AbiFunction<A>, args: &mut A) -> Result<(), Failed> {
    // SAFETY: tests fill the struct as the header demands.
    let error = unsafe { function.expect("a function")(args) };
    if error.is_null() { Ok(()) } else { Err(failed(error)) }
}

/// Calls a function of the table with an argument struct whose fields are given, and gives the struct back.
macro_rules! ask {
    ($function:ident($args:ident { $($field:ident: $value:expr),* $(,)? })) => {{
        let mut args = $args { $($field: $value,)* ..Default::default() };
        crate::caller::call(crate::caller::api().$function, &mut args).map(|()| args)
    }};
}
pub(crate) use ask;

/// A client of `devices` devices.
pub struct Client(pub *mut PJRT_Client);

impl Client {
    pub fn new(devices: i64) -> Client {
        let option = PJRT_NamedValue {
            name: c"num_devices".as_ptr(),
            name_size: 11,
            r#type: PJRT_NamedValue_Type::Int64,
            value: PJRT_NamedValue_Value { int64_value: devices },
            value_size: 1,
            ..Default::default()
        };
        let made = ask!(PJRT_Client_Create(PJRT_Client_Create_Args {
            create_options: &raw const option,
            num_options: 1
        }));
        Client(made.expect("a client").client)
    }

    pub fn devices(&self) -> Vec<*mut PJRT_Device> {
        let list = ask!(PJRT_Client_Devices(PJRT_Client_Devices_Args { client: self.0 })).expect("devices");
        // SAFETY: the list has as many entries, and lives as long as the client.
        unsafe { std::slice::from_raw_parts(list.devices, list.num_devices) }.to_vec()
    }

    pub fn buffer(&self, values: &[f32]) -> Buffer {
        self.buffer_on(self.devices()[0], values)
    }

    pub fn buffer_on(&self, device: *mut PJRT_Device, values: &[f32]) -> Buffer {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
        self.upload(device, PJRT_Buffer_Type::F32, &[values.len() as i64], &bytes).expect("a buffer")
    }

    /// A buffer of any type; `bytes` are its elements, row-major.
    pub fn upload(
        &self,
        device: *mut PJRT_Device,
        element: PJRT_Buffer_Type,
        dims: &[i64],
        bytes: &[u8],
    ) -> Result<Buffer, Failed> {
        let made = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
            client: self.0,
            data: bytes.as_ptr().cast(),
            r#type: element,
            dims: dims.as_ptr(),
            num_dims: dims.len(),
            device: device,
        }))?;
        destroy_event(made.done_with_host_buffer);
        Ok(Buffer(made.buffer))
    }

    pub fn compile(&self, text: &str) -> Result<Loaded, Failed> {
        self.compile_as("mlir", text.as_bytes(), &CompileOptionsProto::default())
    }

    pub fn compile_as(
        &self,
        format: &str,
        code: &[u8],
        options: &CompileOptionsProto,
    ) -> Result<Loaded, Failed> {
        self.compile_with(format, code, &options.write())
    }

    /// Compiles with serialized options.
    pub fn compile_with(&self, format: &str, code: &[u8], options: &[u8]) -> Result<Loaded, Failed> {
        let program = program(format, code);
        ask!(PJRT_Client_Compile(PJRT_Client_Compile_Args {
            client: self.0,
            program: &raw const program,
            compile_options: options.as_ptr().cast(),
            compile_options_size: options.len(),
        }))
        .map(|made| Loaded(made.executable))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        ask!(PJRT_Client_Destroy(PJRT_Client_Destroy_Args { client: self.0 })).expect("freed");
    }
}

/// A program in C's form; it points into its arguments.
pub fn program(format: &str, code: &[u8]) -> PJRT_Program {
    PJRT_Program {
        code: code.as_ptr().cast_mut().cast(),
        code_size: code.len(),
        format: format.as_ptr().cast(),
        format_size: format.len(),
        ..Default::default()
    }
}

/// A text that the plugin gave.
pub fn text(pointer: *const c_char, len: usize) -> String {
    // SAFETY: the plugin gave pointer and length together.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast(), len) };
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

pub fn destroy_event(event: *mut PJRT_Event) {
    ask!(PJRT_Event_Destroy(PJRT_Event_Destroy_Args { event: event })).expect("freed");
}

/// Waits for an event and frees it.
pub fn wait(event: *mut PJRT_Event) -> Result<(), Failed> {
    let outcome = ask!(PJRT_Event_Await(PJRT_Event_Await_Args { event: event })).map(|_| ());
    destroy_event(event);
    outcome
}

/// A buffer, freed at the end.
pub struct Buffer(pub *mut PJRT_Buffer);

impl Buffer {
    pub fn read(&self) -> Result<Vec<f32>, Failed> {
        let bytes = self.bytes()?;
        let values = bytes.as_chunks().0.iter().copied().map(f32::from_ne_bytes);
        Ok(values.collect())
    }

    /// The elements as they lie in memory.
    pub fn bytes(&self) -> Result<Vec<u8>, Failed> {
        let ask_size = ask!(PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args { src: self.0 }))?;
        let mut bytes = vec![0u8; ask_size.dst_size];
        let read = ask!(PJRT_Buffer_ToHostBuffer(PJRT_Buffer_ToHostBuffer_Args {
            src: self.0,
            dst: bytes.as_mut_ptr().cast(),
            dst_size: bytes.len(),
        }))?;
        wait(read.event)?;
        Ok(bytes)
    }

    pub fn is_deleted(&self) -> bool {
        ask!(PJRT_Buffer_IsDeleted(PJRT_Buffer_IsDeleted_Args { buffer: self.0 }))
            .expect("an answer")
            .is_deleted
    }

    pub fn delete(&self) {
        ask!(PJRT_Buffer_Delete(PJRT_Buffer_Delete_Args { buffer: self.0 })).expect("deleted");
    }

    pub fn address(&self) -> Result<usize, Failed> {
        let args = ask!(PJRT_Buffer_UnsafePointer(PJRT_Buffer_UnsafePointer_Args { buffer: self.0 }))?;
        Ok(args.buffer_pointer)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        ask!(PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args { buffer: self.0 })).expect("freed");
    }
}

/// A loaded executable, freed at the end.
pub struct Loaded(pub *mut PJRT_LoadedExecutable);

impl Loaded {
    pub fn run(&self, args: &[&Buffer]) -> Result<Vec<Buffer>, Failed> {
        self.run_keeping(args, &[])
    }

    /// Runs on one device; the arguments `kept` are not given up.
    pub fn run_keeping(&self, args: &[&Buffer], kept: &[i64]) -> Result<Vec<Buffer>, Failed> {
        let args: Vec<_> = args.iter().map(|buffer| buffer.0).collect();
        Ok(self.run_on(&[&args], kept, null_mut())?.swap_remove(0))
    }

    /// Begins a run on one device.
    pub fn begin(&self, args: &[&Buffer]) -> Result<Vec<Buffer>, Failed> {
        let args: Vec<_> = args.iter().map(|buffer| buffer.0).collect();
        let (mut results, events) = self.begin_on(&[&args], &[], null_mut())?;
        events.into_iter().for_each(destroy_event);
        Ok(results.swap_remove(0))
    }

    /// Runs on several devices.
    pub fn run_on(
        &self,
        lists: &[&[*mut PJRT_Buffer]],
        kept: &[i64],
        device: *mut PJRT_Device,
    ) -> Result<Vec<Vec<Buffer>>, Failed> {
        let (results, events) = self.begin_on(lists, kept, device)?;
        // Errors of the run are seen in the results.
        events.into_iter().for_each(|event| drop(wait(event)));
        Ok(results)
    }

    fn begin_on(
        &self,
        lists: &[&[*mut PJRT_Buffer]],
        kept: &[i64],
        device: *mut PJRT_Device,
    ) -> Result<(Vec<Vec<Buffer>>, Vec<*mut PJRT_Event>), Failed> {
        let mut options = PJRT_ExecuteOptions {
            non_donatable_input_indices: kept.as_ptr(),
            num_non_donatable_input_indices: kept.len(),
            ..Default::default()
        };
        let outputs = self.outputs();
        let pointers: Vec<_> = lists.iter().map(|list| list.as_ptr()).collect();
        let mut results = vec![vec![null_mut(); outputs]; lists.len()];
        let places: Vec<_> = results.iter_mut().map(Vec::as_mut_ptr).collect();
        let mut events = vec![null_mut(); lists.len()];
        ask!(PJRT_LoadedExecutable_Execute(PJRT_LoadedExecutable_Execute_Args {
            executable: self.0,
            options: &raw mut options,
            argument_lists: pointers.as_ptr(),
            num_devices: lists.len(),
            num_args: lists.first().map_or(0, |list| list.len()),
            output_lists: places.as_ptr(),
            device_complete_events: events.as_mut_ptr(),
            execute_device: device,
        }))?;
        let results = results.into_iter().map(|list| list.into_iter().map(Buffer).collect()).collect();
        Ok((results, events))
    }

    pub fn executable(&self) -> Executable {
        let got = ask!(PJRT_LoadedExecutable_GetExecutable(PJRT_LoadedExecutable_GetExecutable_Args {
            loaded_executable: self.0
        }));
        Executable(got.expect("an executable").executable)
    }

    fn outputs(&self) -> usize {
        let executable = self.executable();
        let count =
            ask!(PJRT_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args { executable: executable.0 }));
        count.expect("a number").num_outputs
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let freed =
            ask!(PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args { executable: self.0 }));
        freed.expect("freed");
    }
}

/// An executable, freed at the end.
pub struct Executable(pub *mut PJRT_Executable);

impl Drop for Executable {
    fn drop(&mut self) {
        let freed = ask!(PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args { executable: self.0 }));
        freed.expect("freed");
    }
}

impl Executable {
    /// The program as text.
    pub fn program(&self) -> Result<String, Failed> {
        let mut program = PJRT_Program::default();
        let ask = |program: &mut PJRT_Program| {
            let executable = self.0;
            ask!(PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args {
                executable: executable,
                program: program,
            }))
        };
        ask(&mut program)?;
        let mut code = vec![0u8; program.code_size];
        program.code = code.as_mut_ptr().cast();
        ask(&mut program)?;
        Ok(String::from_utf8(code).expect("UTF-8"))
    }
}

/// Adds one to its argument, which may be given up.
pub const DONATED: &str = r#"
module @increment {
  func.func public @main(%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
"#;

/// The sum and the product of two tensors.
pub const TWO: &str = r#"
module @sum_and_product {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
    %1 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}
"#;
