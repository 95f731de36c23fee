//! What callers do wrong.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::{CompileOptionsProto, DeviceAssignment, OptionOverride, ShapeProto};

use crate::caller::{Client, DONATED, Failed, TWO, api, ask, call, failed};

const INVALID: PJRT_Error_Code = PJRT_Error_Code::INVALID_ARGUMENT;
const UNIMPLEMENTED: PJRT_Error_Code = PJRT_Error_Code::UNIMPLEMENTED;

fn error<T>(outcome: Result<T, Failed>) -> Failed {
    outcome.err().expect("an error")
}

#[test]
fn the_table_is_full() {
    let table = api();
    assert_eq!(table.struct_size, PJRT_Api::STRUCT_SIZE);
    assert_eq!((table.pjrt_api_version.major_version, table.pjrt_api_version.minor_version), (0, 114));
    macro_rules! filled {
        ($($name:ident($args:ident))*) => { $(assert!(table.$name.is_some(), stringify!($name));)* };
    }
    jarrah_pjrt::for_each_function!(filled);
}

/// Every function takes null, no size, and a struct of zeros without an object, and says so without a crash.
#[test]
fn nothing_is_an_error_everywhere() {
    let table = api();
    // These have nothing to be given, or free what may be nothing.
    let contented = [
        "PJRT_Plugin_Initialize",
        "PJRT_Plugin_Attributes",
        "PJRT_Event_Create",
        "PJRT_Client_Create",
        "PJRT_ExecuteContext_Create",
        "PJRT_TopologyDescription_Create",
    ];
    let mut quiet = Vec::new();
    macro_rules! each {
        ($($name:ident($args:ident))*) => {$(
            // SAFETY: null is looked for.
            let error = unsafe { table.$name.expect("a function")(null_mut()) };
            assert_eq!(failed(error), (INVALID, concat!(stringify!($args), " is null").to_owned()));
            let mut args = $args { struct_size: 0, ..Default::default() };
            let (code, message) = error_of(call(table.$name, &mut args));
            assert!(code == INVALID && message.contains("struct_size"), "{message}");
            if !contented.contains(&stringify!($name)) {
                if call(table.$name, &mut $args::default()).is_ok() {
                    quiet.push(stringify!($name));
                }
            }
        )*};
    }
    fn error_of(outcome: Result<(), Failed>) -> Failed {
        outcome.expect_err("an error")
    }
    jarrah_pjrt::for_each_function!(each);
    assert!(quiet.iter().all(|name| name.ends_with("_Destroy")), "{quiet:?}");
    let mut nothing = PJRT_Error_Destroy_Args::default();
    // SAFETY: null is looked for.
    unsafe {
        table.PJRT_Error_Destroy.expect("a function")(null_mut());
        table.PJRT_Error_Message.expect("a function")(null_mut());
        table.PJRT_Error_Destroy.expect("a function")(&raw mut nothing);
    }
}

/// A caller of an older version has smaller structs; what lies behind them is not touched.
#[test]
fn older_callers_have_smaller_structs() {
    let client = Client::new(1);
    #[repr(C)]
    struct Older {
        args: PJRT_Device_MemoryStats_Args,
        size: usize,
    }
    let mut args = PJRT_Device_MemoryStats_Args { device: client.devices()[0], ..Default::default() };
    // As far as the first field of the results, and a part of the next.
    let size = std::mem::offset_of!(PJRT_Device_MemoryStats_Args, peak_bytes_in_use) + 3;
    args.struct_size = size;
    args.bytes_in_use = -1;
    args.peak_bytes_in_use = -7;
    args.num_allocs = -7;
    call(api().PJRT_Device_MemoryStats, &mut args).expect("statistics");
    assert!(args.bytes_in_use >= 0);
    assert_eq!((args.peak_bytes_in_use, args.num_allocs, args.num_allocs_is_set), (-7, -7, false));
    let too_small = Older { args, size: 12 };
    args.struct_size = too_small.size;
    let (code, message) = error(call(api().PJRT_Device_MemoryStats, &mut args));
    assert_eq!((code, message.as_str()), (INVALID, "the device is null"));
}

#[test]
fn errors_can_be_used_by_their_own_table() {
    let mut args = PJRT_Buffer_IsDeleted_Args::default();
    // SAFETY: the error is used as the header says, and freed once.
    unsafe {
        let error = api().PJRT_Buffer_IsDeleted.expect("a function")(&raw mut args);
        let table = (*error).vtable.as_ref().expect("a table");
        assert_eq!(table.struct_size, PJRT_Error_FunctionTable::STRUCT_SIZE);
        assert_eq!(table.get_code.expect("a function")(error), INVALID);
        let (mut message, mut size) = (std::ptr::null(), 0);
        table.message.expect("a function")(error, &raw mut message, &raw mut size);
        assert_eq!(crate::caller::text(message, size), "the buffer is null");
        table.destroy.expect("a function")(error);
    }
}

#[test]
fn programs_that_cannot_be_read_are_errors() {
    let client = Client::new(1);
    let options = CompileOptionsProto::default();
    let (code, message) = error(client.compile_as("hlo", b"", &options));
    assert!(code == UNIMPLEMENTED && message.contains("XLA's HLO"), "{message}");
    let (code, message) = error(client.compile_as("vhlo", b"", &options));
    assert!(code == UNIMPLEMENTED && message.contains("`vhlo`"), "{message}");
    for text in ["", "module {", "module { func.func @main() { return 1 } }", "\0\u{1}"] {
        let (code, _) = error(client.compile(text));
        assert_eq!(code, INVALID, "{text:?}");
    }
    let (_, message) = error(client.compile(&TWO.replace("stablehlo.multiply", "stablehlo.multiplex")));
    assert!(message.contains("--> the program:5:"), "{message}");
    let bytecode = crate::mutants::written(TWO).expect("bytecode");
    assert!(client.compile_as("mlir", &bytecode, &options).is_ok());
    for len in 0..bytecode.len() {
        let (code, _) = error(client.compile_as("mlir", &bytecode[..len], &options));
        assert_eq!(code, INVALID, "{len} bytes");
    }
}

#[test]
fn options_that_cannot_be_met_are_errors() {
    let client = Client::new(2);
    let fails = |options: CompileOptionsProto| error(client.compile_as("mlir", TWO.as_bytes(), &options));
    let on = |devices: &[i64], replicas: i64| CompileOptionsProto {
        num_replicas: replicas,
        device_assignment: Some(DeviceAssignment { devices: vec![devices.to_vec()] }),
        ..CompileOptionsProto::default()
    };
    let (code, message) = fails(on(&[7], 1));
    assert!(code == INVALID && message.contains("there is no device 7"), "{message}");
    assert_eq!(fails(on(&[0, 1], 1)).0, INVALID);
    assert_eq!(fails(on(&[-1], 1)).0, INVALID);
    assert_eq!(fails(CompileOptionsProto { num_replicas: -3, ..CompileOptionsProto::default() }).0, INVALID);
    assert_eq!(fails(CompileOptionsProto { num_replicas: 3, ..CompileOptionsProto::default() }).0, INVALID);
    let many = CompileOptionsProto {
        num_replicas: 1 << 20,
        num_partitions: 1 << 20,
        ..CompileOptionsProto::default()
    };
    let (code, message) = fails(many);
    assert!(code == INVALID && message.contains("1099511627776 replicas and partitions"), "{message}");
    let column = ShapeProto {
        element_type: 11,
        dimensions: vec![2, 2],
        minor_to_major: Some(vec![0, 1]),
        tuple: vec![],
    };
    let (code, _) =
        fails(CompileOptionsProto { argument_layouts: vec![column], ..CompileOptionsProto::default() });
    assert_eq!(code, UNIMPLEMENTED);
    let (_, message) = error(client.compile_as("mlir", TWO.as_bytes(), &on(&[0], 1)).and_then(|loaded| {
        let there = client.buffer_on(client.devices()[1], &[0.0; 4]);
        loaded.run(&[&there, &there])
    }));
    assert!(message.contains("lies on device 1, the run is on 0"), "{message}");
}

/// Whoever looks for the largest batch looks for this code.
#[test]
fn a_program_that_does_not_fit_has_a_code_of_its_own() {
    let source = "func.func @main() -> tensor<1099511627776xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<1099511627776xf32>
  return %0 : tensor<1099511627776xf32>
}";
    let (code, message) = error(Client::new(1).compile(source).map(drop));
    assert!(code == PJRT_Error_Code::RESOURCE_EXHAUSTED && message.contains("of memory"), "{message}");
}

#[test]
fn memory_that_the_system_does_not_have_has_the_same_code() {
    let client = Client::new(1);
    let (code, message) =
        error(ask!(PJRT_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args {
            client: client.0,
            shape_dims: [1i64 << 46].as_ptr(),
            shape_num_dims: 1,
            shape_element_type: PJRT_Buffer_Type::U8,
            device: client.devices()[0],
        })));
    assert!(code == PJRT_Error_Code::RESOURCE_EXHAUSTED && message.contains("of memory"), "{message}");
}

#[test]
fn options_of_xla_have_their_names_and_types() {
    use OptionOverride::{Double, Integer, Text, Truth};
    let client = Client::new(1);
    let compile = |name: &str, value: OptionOverride| {
        let env_option_overrides = vec![(name.to_owned(), value)];
        let options = CompileOptionsProto { env_option_overrides, ..CompileOptionsProto::default() };
        client.compile_as("mlir", TWO.as_bytes(), &options).map(drop)
    };
    let text = |text: &str| Text(text.to_owned());
    for name in ["fast", "xla_", "xla_embed_ir", "xla_embed_ir_in_executables"] {
        assert_eq!(error(compile(name, Truth(true))), (INVALID, format!("No such compile option: '{name}'")));
    }
    let (flag, level) = ("xla_embed_ir_in_executable", "xla_backend_optimization_level");
    for (name, value) in [
        (flag, Truth(true)),
        (flag, text("False")),
        (level, Integer(3)),
        (level, text("2")),
        ("xla_dump_to", text("somewhere")),
    ] {
        compile(name, value).unwrap();
    }
    for (name, value, shown, kind) in [
        (flag, text("invalid_value"), "invalid_value", "bool"),
        (flag, Integer(1), "1", "bool"),
        (level, Double(1.5), "1.5", "int32"),
        (level, text("9999999999"), "9999999999", "int32"),
    ] {
        let message = format!("While setting option {name}, '{shown}' is not a valid {kind} value.");
        assert_eq!(error(compile(name, value)), (INVALID, message));
    }
}

#[test]
fn partitions_that_have_whole_tensors_run_by_themselves() {
    let client = Client::new(2);
    let options = CompileOptionsProto { num_partitions: 2, ..CompileOptionsProto::default() };
    let sharded = |text: &str| {
        DONATED.replace("{tf.aliasing_output = 0 : i32}", &format!("{{mhlo.sharding = \"{text}\"}}"))
    };
    let fails = |text: &str| error(client.compile_as("mlir", sharded(text).as_bytes(), &options)).1;
    assert!(fails("{maximal device=1}").contains("does not cut a tensor of rank 1"));
    assert!(fails("{devices=[3]<=[3]}").contains("cannot be cut into 3 equal parts"));
    let said = fails("{columns}");
    assert!(said.contains("is no sharding"), "{said}");
    let whole =
        client.compile_as("mlir", sharded("{replicated}").as_bytes(), &options).expect("an executable");
    let devices = client.devices();
    let (a, b) = (client.buffer_on(devices[0], &[1.0; 4]), client.buffer_on(devices[1], &[2.0; 4]));
    let results = whole.run_on(&[&[a.0], &[b.0]], &[], null_mut()).expect("results");
    assert_eq!(results[0][0].read().expect("values"), [2.0; 4]);
    assert_eq!(results[1][0].read().expect("values"), [3.0; 4]);
}

/// The options say in how many processes a program runs, also where the module does not.
#[test]
fn processes_have_numbers_and_exchange_values() {
    let client = Client::new(2);
    let replicas = CompileOptionsProto { num_replicas: 2, ..CompileOptionsProto::default() };
    let partitions = CompileOptionsProto { num_partitions: 2, ..CompileOptionsProto::default() };
    let source = |op: &str| {
        format!(
            "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = {op}
  return %0 : tensor<4xf32>
}}"
        )
    };
    let number = |name: &str| {
        source(&format!(
            "stablehlo.{name} : tensor<ui32>
  %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<4xf32>"
        ))
        .replace("return %0", "return %2")
    };
    let sum = |groups: &str, channel: &str| {
        source(&format!(
            "\"stablehlo.all_reduce\"(%x) ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }}) {{replica_groups = {groups}{channel}}} : (tensor<4xf32>) -> tensor<4xf32>"
        ))
    };
    let (none, each) = ("dense<> : tensor<0x0xi64>", "dense<[[0], [1]]> : tensor<2x1xi64>");
    let channel = ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
    let permute = |pairs: &str| {
        source(&format!(
            "\"stablehlo.collective_permute\"(%x) {{source_target_pairs = dense<{pairs}> : tensor<{}x2xi64>}} : (tensor<4xf32>) -> tensor<4xf32>",
            pairs.matches("], [").count() + 1
        ))
    };
    let devices = client.devices();
    for (text, options, first, second) in [
        (number("replica_id"), &replicas, 0.0, 1.0),
        (number("replica_id"), &partitions, 0.0, 0.0),
        (number("partition_id"), &partitions, 0.0, 1.0),
        (number("partition_id"), &replicas, 0.0, 0.0),
        (sum(none, ""), &replicas, 3.0, 3.0),
        (sum(none, ""), &partitions, 1.0, 2.0),
        (sum(none, channel), &partitions, 3.0, 3.0),
        (sum(each, ""), &replicas, 1.0, 2.0),
        (permute("[[0, 0]]"), &replicas, 1.0, 0.0),
        (permute("[[0, 0], [1, 1]]"), &replicas, 1.0, 2.0),
        (permute("[[0, 1], [1, 0]]"), &replicas, 2.0, 1.0),
    ] {
        let loaded = client.compile_as("mlir", text.as_bytes(), options).expect("an executable");
        let (a, b) = (client.buffer_on(devices[0], &[1.0; 4]), client.buffer_on(devices[1], &[2.0; 4]));
        let results = loaded.run_on(&[&[a.0], &[b.0]], &[], null_mut()).expect("results");
        let read = |at: usize| results[at][0].read().expect("values")[0];
        assert_eq!((read(0), read(1)), (first, second), "{text}");
    }
}

#[test]
fn arguments_that_do_not_fit_are_errors() {
    let client = Client::new(1);
    let two = client.compile(TWO).expect("an executable");
    let (four, three) = (client.buffer(&[1.0; 4]), client.buffer(&[1.0; 3]));
    let (code, message) = error(two.run(&[&four]));
    assert!(code == INVALID && message.contains("takes 2 arguments, 1 were given"), "{message}");
    let (code, message) = error(two.run(&[&four, &three]));
    assert!(code == INVALID && message.contains("is f32[4], f32[3] was given"), "{message}");
    let (_, message) = error(two.run_on(&[&[four.0, null_mut()]], &[], null_mut()));
    assert_eq!(message, "the buffer is null");
    let (_, message) = error(two.run_on(&[], &[], null_mut()));
    assert!(message.contains("runs on 1 devices, there are arguments for 0"), "{message}");
    ask!(PJRT_LoadedExecutable_Delete(PJRT_LoadedExecutable_Delete_Args { executable: two.0 }))
        .expect("deleted");
    let (_, message) = error(two.run(&[&four, &four]));
    assert_eq!(message, "the executable sum_and_product was deleted");
}

#[test]
fn clients_of_another_kind_are_refused() {
    let make = |name: &str, value: PJRT_NamedValue_Value, r#type| {
        let option = PJRT_NamedValue {
            name: name.as_ptr().cast(),
            name_size: name.len(),
            r#type,
            value,
            value_size: 1,
            ..Default::default()
        };
        let args = ask!(PJRT_Client_Create(PJRT_Client_Create_Args {
            create_options: &raw const option,
            num_options: 1
        }));
        error(args).1
    };
    let number = |number| PJRT_NamedValue_Value { int64_value: number };
    assert!(make("colour", number(1), PJRT_NamedValue_Type::Int64).contains("there is no option colour"));
    assert!(make("num_devices", number(0), PJRT_NamedValue_Type::Int64).contains("has to be positive"));
    assert!(make("num_devices", number(1), PJRT_NamedValue_Type::Bool).contains("cannot be Bool(true)"));
    assert!(make("num_devices", number(1), PJRT_NamedValue_Type(77)).contains("unknown type 77"));
}

/// Sizes whose sums no address can hold, of values side by side, through a loop, and within one.
#[test]
fn programs_that_no_memory_can_hold_are_errors() {
    let client = Client::new(1);
    let tensor = "tensor<4611686018427387904xi8>";
    let list = |of: &dyn Fn(usize) -> String| (0..5).map(of).collect::<Vec<_>>().join(", ");
    let params = list(&|at| format!("%arg{at}: {tensor}"));
    let types = list(&|_| tensor.to_owned());
    let sums: String = (0..5)
        .map(|at| format!("%s{at} = stablehlo.add %arg{at}, %arg{} : {tensor}\n", (at + 1) % 5))
        .collect();
    let inits = list(&|at| format!("%c{at} = %arg{at}"));
    let looped = |step: &str, next: String| {
        format!(
            "%one = stablehlo.constant dense<1> : tensor<i32>
            %r:6 = stablehlo.while(%i = %one, {inits}) : tensor<i32>, {types}
            cond {{
              %less = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %less : tensor<i1>
            }} do {{
              %j = stablehlo.add %i, %one : tensor<i32>
              {step}
              stablehlo.return %j, {next} : tensor<i32>, {types}
            }}"
        )
    };
    let results = |name: &'static str| move |at: usize| format!("%{name}{at}");
    let after = list(&|at| format!("%r#{}", at + 1));
    // Each step reverses sums of what it carries.
    let sorted: String = (0..5)
        .map(|at| {
            format!(
                "%t{at} = stablehlo.add %c{at}, %c{} : {tensor}
                %n{at} = \"stablehlo.reverse\"(%t{at}) <{{dimensions = array<i64: 0>}}> : ({tensor}) -> {tensor}\n",
                (at + 2) % 5
            )
        })
        .collect();
    let rotated = list(&|at| format!("%c{}", (at + 1) % 5));
    for (ops, returned) in [
        (sums, list(&results("s"))),
        (looped("", rotated), after.clone()),
        (looped(&sorted, list(&results("n"))), after),
    ] {
        let text = format!(
            "module @huge {{ func.func public @main({params}) -> ({types}) {{ {ops}
            return {returned} : {types} }} }}"
        );
        let (code, message) = error(client.compile(&text));
        assert!(code != PJRT_Error_Code::INTERNAL && message.contains("TB of memory"), "{message}");
    }
}
