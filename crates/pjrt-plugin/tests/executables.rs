//! Executables: running, what is known of them, serialization, ahead-of-time compilation.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::{CompileOptionsProto, DeviceAssignment};
use jarrah_pjrt::proto::{Writer, fields};

use crate::caller::{Client, DONATED, Executable, Loaded, TWO, api, ask, call, program, text};

#[test]
fn a_program_runs() {
    let client = Client::new(1);
    let two = client.compile(TWO).expect("an executable");
    let (a, b) = (client.buffer(&[1.0, 2.0, 3.0, 4.0]), client.buffer(&[5.0; 4]));
    for _ in 0..3 {
        let results = two.run(&[&a, &b]).expect("results");
        assert_eq!(results[0].read().expect("values"), [6.0, 7.0, 8.0, 9.0]);
        assert_eq!(results[1].read().expect("values"), [5.0, 10.0, 15.0, 20.0]);
    }
}

#[test]
fn replicas_run_on_their_devices() {
    let client = Client::new(3);
    let devices = client.devices();
    let options = CompileOptionsProto {
        num_replicas: 2,
        device_assignment: Some(DeviceAssignment { devices: vec![vec![2, 0]] }),
        ..CompileOptionsProto::default()
    };
    let increment = client.compile_as("mlir", DONATED.as_bytes(), &options).expect("an executable");
    let (a, b) = (client.buffer_on(devices[2], &[1.0; 4]), client.buffer_on(devices[0], &[2.0; 4]));
    let results = increment.run_on(&[&[a.0], &[b.0]], &[], null_mut()).expect("results");
    assert_eq!(results[0][0].read().expect("values"), [2.0; 4]);
    assert_eq!(results[1][0].read().expect("values"), [3.0; 4]);
    let device =
        ask!(PJRT_Buffer_Device(PJRT_Buffer_Device_Args { buffer: results[0][0].0 })).expect("a device");
    assert_eq!(device.device, devices[2]);
    let got =
        ask!(PJRT_LoadedExecutable_GetDeviceAssignment(PJRT_LoadedExecutable_GetDeviceAssignment_Args {
            executable: increment.0
        }))
        .expect("an assignment");
    // SAFETY: pointer and length came together; the deleter is called once.
    let assignment = unsafe {
        let bytes = std::slice::from_raw_parts(got.serialized_bytes.cast(), got.serialized_bytes_size);
        let assignment = DeviceAssignment::read(bytes).expect("an assignment");
        got.serialized_device_assignment_deleter.expect("a deleter")(got.serialized_device_assignment);
        assignment
    };
    assert_eq!(Some(assignment), options.device_assignment);
    let args = ask!(PJRT_LoadedExecutable_AddressableDeviceLogicalIds(
        PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args { executable: increment.0 }
    ))
    .expect("numbers");
    // SAFETY: the list has as many entries.
    let ids = unsafe {
        std::slice::from_raw_parts(
            args.addressable_device_logical_ids,
            args.num_addressable_device_logical_ids,
        )
    };
    let ids: Vec<_> = ids.iter().map(|id| (id.replica, id.partition)).collect();
    assert_eq!(ids, [(0, 0), (1, 0)]);
}

#[test]
fn a_portable_program_runs_where_its_arguments_are() {
    let client = Client::new(2);
    let devices = client.devices();
    let options = CompileOptionsProto { compile_portable_executable: true, ..CompileOptionsProto::default() };
    let increment = client.compile_as("mlir", DONATED.as_bytes(), &options).expect("an executable");
    for device in devices {
        for wish in [device, null_mut()] {
            let a = client.buffer_on(device, &[1.0; 4]);
            let results = increment.run_on(&[&[a.0]], &[], wish).expect("results");
            let result = &results[0][0];
            assert_eq!(result.read().expect("values"), [2.0; 4]);
            let lies =
                ask!(PJRT_Buffer_Device(PJRT_Buffer_Device_Args { buffer: result.0 })).expect("a device");
            assert_eq!(lies.device, device);
        }
    }
}

#[test]
fn an_executable_knows_itself() {
    let client = Client::new(1);
    let two = client.compile(TWO).expect("an executable");
    let executable = two.executable();
    drop(two);
    let name =
        ask!(PJRT_Executable_Name(PJRT_Executable_Name_Args { executable: executable.0 })).expect("a name");
    assert_eq!(text(name.executable_name, name.executable_name_size), "sum_and_product");
    let types = ask!(PJRT_Executable_OutputElementTypes(PJRT_Executable_OutputElementTypes_Args {
        executable: executable.0
    }))
    .expect("types");
    // SAFETY: the list has as many entries.
    let types = unsafe { std::slice::from_raw_parts(types.output_types, types.num_output_types) };
    assert_eq!(types, [PJRT_Buffer_Type::F32; 2]);
    let dims = ask!(PJRT_Executable_OutputDimensions(PJRT_Executable_OutputDimensions_Args {
        executable: executable.0
    }))
    .expect("dimensions");
    // SAFETY: as above; there is one dimension for each result.
    let (dims, ranks) = unsafe {
        (
            std::slice::from_raw_parts(dims.dims, 2),
            std::slice::from_raw_parts(dims.dim_sizes, dims.num_outputs),
        )
    };
    assert_eq!((dims, ranks), (&[4, 4][..], &[1, 1][..]));
    let kinds = ask!(PJRT_Executable_OutputMemoryKinds(PJRT_Executable_OutputMemoryKinds_Args {
        executable: executable.0
    }))
    .expect("kinds");
    // SAFETY: as above.
    let kind = unsafe { text(*kinds.memory_kinds.add(1), *kinds.memory_kind_sizes.add(1)) };
    assert_eq!((kinds.num_outputs, kind.as_str()), (2, "device"));
    let stats = ask!(PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args {
        executable: executable.0,
        host_temp_size_in_bytes: -1,
    }))
    .expect("statistics");
    assert_eq!((stats.argument_size_in_bytes, stats.output_size_in_bytes), (32, 32));
    assert_eq!((stats.alias_size_in_bytes, stats.host_temp_size_in_bytes), (0, 0));
    let cost = ask!(PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args {
        executable: executable.0
    }))
    .expect("costs");
    // SAFETY: the list has as many entries, and they are fractions.
    let cost: Vec<_> = unsafe { std::slice::from_raw_parts(cost.properties, cost.num_properties) }
        .iter()
        .map(|value| (text(value.name, value.name_size), unsafe { value.value.float_value }))
        .collect();
    assert_eq!(cost, [("flops".to_owned(), 8.0), ("bytes accessed".to_owned(), 96.0)]);
    let fingerprint = |executable: &Executable| {
        let args =
            ask!(PJRT_Executable_Fingerprint(PJRT_Executable_Fingerprint_Args { executable: executable.0 }));
        let args = args.expect("a fingerprint");
        text(args.executable_fingerprint, args.executable_fingerprint_size)
    };
    let again = client.compile(TWO).expect("an executable").executable();
    let other = client.compile(DONATED).expect("an executable").executable();
    assert_eq!(fingerprint(&executable), fingerprint(&again));
    assert_ne!(fingerprint(&executable), fingerprint(&other));
}

#[test]
fn donation_shows_in_the_memory_of_a_run() {
    let client = Client::new(1);
    let executable = client.compile(DONATED).expect("an executable").executable();
    let stats = ask!(PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args {
        executable: executable.0
    }))
    .expect("statistics");
    assert_eq!((stats.output_size_in_bytes, stats.alias_size_in_bytes), (16, 16));
}

/// The text that an executable gives of its program.
fn optimized(executable: &Executable) -> String {
    let mut program = PJRT_Program::default();
    let ask_program = |program: &mut PJRT_Program| {
        ask!(PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args {
            executable: executable.0,
            program: program,
        }))
        .map(|_| ())
    };
    ask_program(&mut program).expect("a size");
    let mut code = vec![0u8; program.code_size];
    program.code = code.as_mut_ptr().cast();
    program.code_size -= 1;
    assert!(ask_program(&mut program).is_err());
    program.code_size = code.len();
    ask_program(&mut program).expect("a program");
    assert_eq!(text(program.format, program.format_size), "mlir");
    String::from_utf8(code).expect("UTF-8")
}

#[test]
fn the_program_is_given_as_text() {
    let client = Client::new(1);
    let executable = client.compile(TWO).expect("an executable").executable();
    let read = jarrah_hlo_format::parse(&optimized(&executable)).expect("a program");
    assert_eq!((read.name(), read.results().len()), ("sum_and_product", 2));
}

/// What nothing needs is gone, what is computed twice stands there once, and there are no kernels yet.
#[test]
fn the_text_is_that_of_the_simplified_program() {
    let client = Client::new(1);
    let source = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  %1 = stablehlo.exponential %x : tensor<4xf32>
  %2 = stablehlo.exponential %x : tensor<4xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}";
    let text = optimized(&client.compile(source).expect("an executable").executable());
    let count = |what| text.matches(what).count();
    let counts = ["sine", "exponential", "multiply", "kernel"].map(count);
    assert_eq!(counts, [0, 1, 1, 0], "{text}");
}

/// Readers that know StableHLO only read the text.
#[test]
fn operations_that_stablehlo_lacks_are_custom_calls_in_the_text() {
    let client = Client::new(1);
    let source = r#"func.func @main(%x: tensor<4x3xf32>) -> tensor<3xf32> {
  %0:3 = "jarrah.svd"(%x) {full_matrices = false, compute_uv = true} : (tensor<4x3xf32>) -> (tensor<3xf32>, tensor<4x3xf32>, tensor<3x3xf32>)
  return %0#0 : tensor<3xf32>
}"#;
    let text = optimized(&client.compile(source).expect("an executable").executable());
    assert!(text.contains("stablehlo.custom_call @jarrah.svd("), "{text}");
    assert!(text.contains("full_matrices = false") && text.contains("api_version = 4"), "{text}");
    assert!(!text.contains("\"jarrah."), "{text}");
}

/// The bytes of a serialized executable.
fn serialize(executable: &Executable) -> Vec<u8> {
    let args = ask!(PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args { executable: executable.0 }));
    let args = args.expect("bytes");
    // SAFETY: pointer and length came together; the deleter is called once.
    unsafe {
        let bytes =
            std::slice::from_raw_parts(args.serialized_bytes.cast(), args.serialized_bytes_size).to_vec();
        args.serialized_executable_deleter.expect("a deleter")(args.serialized_executable);
        bytes
    }
}

fn deserialize(client: &Client, bytes: &[u8]) -> Result<Loaded, String> {
    let args = ask!(PJRT_Executable_DeserializeAndLoad(PJRT_Executable_DeserializeAndLoad_Args {
        client: client.0,
        serialized_executable: bytes.as_ptr().cast(),
        serialized_executable_size: bytes.len(),
    }));
    args.map(|args| Loaded(args.loaded_executable)).map_err(|(_, message)| message)
}

#[test]
fn executables_survive_their_client() {
    let bytes = {
        let client = Client::new(1);
        serialize(&client.compile(TWO).expect("an executable").executable())
    };
    let client = Client::new(1);
    let two = deserialize(&client, &bytes).expect("an executable");
    let a = client.buffer(&[2.0; 4]);
    assert_eq!(two.run(&[&a, &a]).expect("results")[1].read().expect("values"), [4.0; 4]);
    for len in 0..bytes.len() {
        assert!(deserialize(&client, &bytes[..len]).is_err(), "{len} bytes");
    }
    assert!(deserialize(&client, b"jarrah").is_err());
}

/// The module of one program beside the executable of another.
#[test]
fn an_executable_belongs_to_the_module_beside_it() {
    let client = Client::new(1);
    let other = TWO.replace("4xf32", "8xf32");
    let made = |source: &str| serialize(&client.compile(source).expect("an executable").executable());
    let (two, other) = (made(TWO), made(&other));
    let mut mixed = Writer::default();
    for field in fields(&two).map(|field| field.expect("a field")).filter(|(number, _)| *number < 5) {
        mixed.bytes(field.0, field.1.bytes().expect("a field"));
    }
    let (_, of_the_other) = fields(&other)
        .map(|field| field.expect("a field"))
        .find(|(number, _)| *number == 5)
        .expect("a field");
    mixed.bytes(5, of_the_other.bytes().expect("a field"));
    let error = deserialize(&client, &mixed.into_bytes()).err().expect("an error");
    assert!(error.contains("not of the same program"), "{error}");
}

#[test]
fn programs_compile_without_a_client() {
    let name = "cpu:2";
    let made = ask!(PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args {
        topology_name: name.as_ptr().cast(),
        topology_name_size: name.len(),
    }));
    let topology = made.expect("a topology").topology;
    let list = ask!(PJRT_TopologyDescription_GetDeviceDescriptions(
        PJRT_TopologyDescription_GetDeviceDescriptions_Args { topology: topology }
    ));
    assert_eq!(list.expect("descriptions").num_descriptions, 2);
    let given = program("mlir", TWO.as_bytes());
    let options = CompileOptionsProto {
        device_assignment: Some(DeviceAssignment { devices: vec![vec![1]] }),
        ..CompileOptionsProto::default()
    };
    let bytes = options.write();
    let compiled = ask!(PJRT_Compile(PJRT_Compile_Args {
        topology: topology,
        program: &raw const given,
        compile_options: bytes.as_ptr().cast(),
        compile_options_size: bytes.len(),
    }));
    let executable = Executable(compiled.expect("an executable").executable);
    let client = Client::new(2);
    let loaded = ask!(PJRT_Client_Load(PJRT_Client_Load_Args { client: client.0, executable: executable.0 }));
    let two = Loaded(loaded.expect("an executable").loaded_executable);
    let a = client.buffer_on(client.devices()[1], &[3.0; 4]);
    assert_eq!(two.run(&[&a, &a]).expect("results")[0].read().expect("values"), [6.0; 4]);
    // A client with fewer devices cannot load it.
    let small = Client::new(1);
    let refused = ask!(PJRT_Client_Load(PJRT_Client_Load_Args { client: small.0, executable: executable.0 }));
    assert!(refused.is_err_and(|(_, message)| message.contains("there is no device 1")));
    let fingerprint = |topology| {
        ask!(PJRT_TopologyDescription_Fingerprint(PJRT_TopologyDescription_Fingerprint_Args {
            topology: topology
        }))
        .expect("a fingerprint")
        .fingerprint
    };
    let of_client =
        ask!(PJRT_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args { client: client.0 }));
    let of_client = of_client.expect("a topology").topology;
    assert_eq!(fingerprint(topology), fingerprint(of_client));
    let mut destroy = PJRT_TopologyDescription_Destroy_Args { topology, ..Default::default() };
    call(api().PJRT_TopologyDescription_Destroy, &mut destroy).expect("freed");
}

#[test]
fn topologies_are_written_and_read() {
    let client = Client::new(3);
    let topology =
        ask!(PJRT_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args { client: client.0 }));
    let topology = topology.expect("a topology").topology;
    let written = ask!(PJRT_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args {
        topology: topology
    }))
    .expect("bytes");
    let read = ask!(PJRT_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args {
        serialized_topology: written.serialized_bytes,
        serialized_topology_size: written.serialized_bytes_size,
    }))
    .expect("a topology")
    .topology;
    // SAFETY: the deleter is called once.
    unsafe { written.serialized_topology_deleter.expect("a deleter")(written.serialized_topology) };
    let list = ask!(PJRT_TopologyDescription_GetDeviceDescriptions(
        PJRT_TopologyDescription_GetDeviceDescriptions_Args { topology: read }
    ));
    assert_eq!(list.expect("descriptions").num_descriptions, 3);
    let mut destroy = PJRT_TopologyDescription_Destroy_Args { topology: read, ..Default::default() };
    call(api().PJRT_TopologyDescription_Destroy, &mut destroy).expect("freed");
    for name in ["cpu:0", "tpu", "-1"] {
        let made = ask!(PJRT_TopologyDescription_Create(PJRT_TopologyDescription_Create_Args {
            topology_name: name.as_ptr().cast(),
            topology_name_size: name.len(),
        }));
        assert!(made.is_err(), "{name}");
    }
}

#[test]
fn results_lie_in_the_memory_that_the_program_says() {
    let client = Client::new(1);
    let pinned =
        DONATED.replace("-> tensor<4xf32>", "-> (tensor<4xf32> {mhlo.memory_kind = \"pinned_host\"})");
    let increment = client.compile(&pinned).expect("an executable");
    let result = increment.run(&[&client.buffer(&[1.0; 4])]).expect("results").remove(0);
    let memory =
        ask!(PJRT_Buffer_Memory(PJRT_Buffer_Memory_Args { buffer: result.0 })).expect("a memory").memory;
    let kind = ask!(PJRT_Memory_Kind(PJRT_Memory_Kind_Args { memory: memory })).expect("a kind");
    assert_eq!(text(kind.kind, kind.kind_size), "pinned_host");
    assert_eq!(result.read().expect("values"), [2.0; 4]);
    let refused = client.compile(&pinned.replace("pinned_host", "attic")).err().expect("an error");
    assert!(refused.1.contains("no kind of memory `attic`"), "{}", refused.1);
}

/// Frameworks hand out addresses of buffers, so a result never lies where an argument does that was not given up.
#[test]
fn a_result_that_is_an_argument_is_a_copy() {
    let client = Client::new(1);
    let identity = "module @identity { func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
        return %arg0 : tensor<4xf32>
    } }";
    let run = |text: &str| {
        let a = client.buffer(&[1.0; 4]);
        let address = a.address().expect("an address");
        let result = client.compile(text).expect("an executable").run(&[&a]).expect("results").remove(0);
        assert_eq!(result.read().expect("values"), [1.0; 4]);
        result.address().expect("an address") == address
    };
    assert!(!run(identity));
    assert!(run(
        &identity.replace("%arg0: tensor<4xf32>", "%arg0: tensor<4xf32> {tf.aliasing_output = 0 : i32}")
    ));
}
