//! Our own client of plugins on our own plugin, next to the client that the plugin drives.

use std::sync::Arc;

use jarrah_base::{DType, HostView, Literal, Result, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::{Alias, Program};
use jarrah_hlo_format::parse;
use jarrah_pjrt::client::{Plugin, PluginClient, PluginTopology};
use jarrah_runtime::{
    Arg, Client, CompileOptions, DeviceAttribute, DeviceId, Event, ExecuteOptions, HostSource, MemoryKind,
    Placement,
};

use crate::caller::TWO;

/// Our plugin's function table, without a library.
fn plugin() -> &'static Plugin {
    // SAFETY: the table is that of this process.
    unsafe { Plugin::from_table(jarrah_pjrt_plugin::GetPjrtApi(), "of this process") }.expect("a plugin")
}

fn client(devices: i64) -> PluginClient {
    PluginClient::new(plugin(), vec![("num_devices".into(), DeviceAttribute::Integer(devices))])
        .expect("a client")
}

fn program(text: &str) -> Program {
    parse(text).expect("a program")
}

fn floats(values: [f32; 4]) -> Literal {
    Literal::from_slice(&[4], &values).expect("a tensor")
}

/// A loop that is long enough to be handed to the device's thread, then a branch, a sort and some functions.
const MANY: &str = r#"
module @many {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<4xi32>) -> (tensor<4x3xf32>, tensor<4xi32>, tensor<i1>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %x = %arg0) : tensor<i32>, tensor<4x3xf32>
      cond {
        %end = stablehlo.constant dense<50> : tensor<i32>
        %less = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %y = stablehlo.sine %x : tensor<4x3xf32>
        %z = stablehlo.add %x, %y : tensor<4x3xf32>
        stablehlo.return %next, %z : tensor<i32>, tensor<4x3xf32>
      }
    %1 = "stablehlo.sort"(%arg1) ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>):
        %less = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<4xi32>) -> tensor<4xi32>
    %2 = stablehlo.slice %1 [0:1] : (tensor<4xi32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %4 = stablehlo.compare LT, %3, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %0#1, %1, %4 : tensor<4x3xf32>, tensor<4xi32>, tensor<i1>
  }
}
"#;

fn results(client: &dyn Client, program: &Program, arguments: &[Literal]) -> Result<Vec<Literal>> {
    let executable = client.compile(program, &CompileOptions::default())?;
    let buffers = arguments.iter().map(|one| client.upload(one)).collect::<Result<_>>()?;
    executable.run(buffers)?.iter().map(|result| result.read()).collect()
}

#[test]
fn values_are_those_of_the_client_behind() {
    let cpu = CpuClient::new();
    let plugged = client(1);
    let matrix: Vec<f64> = (0..12).map(|i| f64::from(i) * 0.37 - 2.0).collect();
    let matrix = Literal::from_f64s(Type::tensor(DType::F32, [4, 3]), &matrix).expect("a tensor");
    let integers = Literal::from_slice(&[4], &[3i32, -7, 12, 0]).expect("a tensor");
    for (text, arguments) in [
        (MANY, vec![matrix, integers]),
        (TWO, vec![floats([1.0, -0.0, f32::NAN, 1e30]), floats([2.0, 0.0, 1.0, 1e30])]),
    ] {
        let program = program(text);
        let wanted = results(&cpu, &program, &arguments).expect("results");
        let got = results(&plugged, &program, &arguments).expect("results");
        assert_eq!(wanted.len(), got.len());
        for (wanted, got) in wanted.iter().zip(&got) {
            assert_eq!((wanted.ty(), wanted.bytes()), (got.ty(), got.bytes()), "{}", program.name());
        }
    }
}

#[test]
fn tensors_of_every_type_come_back_as_they_went() {
    let plugged = client(2);
    for dtype in DType::ALL {
        let ty = Type::tensor(dtype, [2, 3]);
        let bytes: Vec<u8> = (0..ty.bytes().expect("a size")).map(|i| (i % 2) as u8).collect();
        let literal = Literal::from_bytes(ty, &bytes).expect("a tensor");
        let lent = HostSource::Shared(HostView::new(bytes.clone()));
        let place = Placement { device: DeviceId(1), memory: MemoryKind::Device };
        let shared = plugged.buffer_from_host(ty, lent, place).expect("a buffer");
        let copied = plugged.copy(&shared, DeviceId(0).into()).expect("a copy");
        let (promised, promise) = plugged.promise(ty, place).expect("a promise");
        assert!(!promised.ready().is_ready(), "{dtype}");
        promise.keep(Ok(HostSource::Borrowed(&bytes)));
        for buffer in [plugged.upload(&literal).expect("a buffer"), shared, copied, promised] {
            assert_eq!(buffer.read().expect("a tensor").bytes(), bytes, "{dtype}");
        }
    }
    // A narrow integer has zeros above it on both sides.
    let ty = Type::tensor(DType::I4, [3]);
    let literal = Literal::from_f64s(ty, &[-8.0, -1.0, 7.0]).expect("a tensor");
    let buffer = plugged.upload(&literal).expect("a buffer");
    assert_eq!(buffer.read().expect("a tensor").to_f64_vec(), [-8.0, -1.0, 7.0]);
}

#[test]
fn devices_are_those_of_the_client_behind() {
    let cpu = CpuClient::with_options(CpuOptions { devices: 3, ..CpuOptions::default() });
    let plugged = client(3);
    assert_eq!(plugged.platform(), "jarrah");
    assert_eq!(plugged.devices().len(), 3);
    for (device, behind) in plugged.devices().iter().zip(cpu.devices()) {
        assert_eq!(
            (device.id, device.process, &device.kind, &device.memories),
            (behind.id, behind.process, &behind.kind, &behind.memories)
        );
    }
    let program = program(TWO);
    let options = CompileOptions { devices: vec![DeviceId(2), DeviceId(1)], ..CompileOptions::default() };
    let replicas = plugged.compile(&program, &options).expect("an executable");
    let put = |device: u32, values| {
        let values = floats(values);
        let source = HostSource::Borrowed(values.bytes());
        plugged.buffer_from_host(values.ty(), source, DeviceId(device).into()).expect("a buffer")
    };
    let args =
        |device| vec![Arg::Borrow(put(device, [device as f32; 4])), Arg::Borrow(put(device, [2.0; 4]))];
    let run: &dyn jarrah_runtime::Executable = &replicas;
    let execution = run.execute(vec![args(2), args(1)], &ExecuteOptions::default()).expect("a run");
    assert!(execution.done.iter().all(|done| Event::wait(done).is_ok()));
    for (results, device) in execution.results.iter().zip([2, 1]) {
        assert_eq!(results[0].placement().device, DeviceId(device));
        assert_eq!(results[0].read().expect("a tensor").to_f64_vec(), [f64::from(device) + 2.0; 4]);
    }
    // A portable program runs where its arguments are, and not where they are not.
    let portable = Client::compile(&plugged, &program, &CompileOptions::default()).expect("an executable");
    let results = portable.run_args(args(1)).expect("results");
    assert_eq!(results[1].placement().device, DeviceId(1));
    assert_eq!(results[1].read().expect("a tensor").to_f64_vec(), [2.0; 4]);
    let error = portable.run_on(DeviceId(0), args(1)).expect_err("arguments elsewhere").to_string();
    assert!(error.contains("argument 0 of sum_and_product") && error.contains("lies on device 1"), "{error}");
    assert!(plugged.memory_stats(DeviceId(1)).expect("statistics").in_use > 0);
    assert!(plugged.memory_stats(DeviceId(3)).is_err());
}

#[test]
fn arguments_that_are_given_up_are_gone() {
    let plugged = client(1);
    let program = program(TWO);
    let mut options = CompileOptions::donating(&[0]);
    let any = Client::compile(&plugged, &program, &options).expect("an executable");
    options.aliases = vec![Alias::may(1, 1)];
    let second = Client::compile(&plugged, &program, &options).expect("an executable");
    for executable in [&any, &second] {
        assert_eq!(executable.memory().results, 16, "one of two results has memory of its own");
        for donated in [[false, false], [true, false], [false, true], [true, true]] {
            let buffers = [[1.0, 2.0, 3.0, 4.0], [5.0; 4]]
                .map(|values| plugged.upload(&floats(values)).expect("a buffer"));
            let args = buffers.iter().zip(donated).map(|(buffer, donated)| match donated {
                true => Arg::Donate(buffer.clone()),
                false => Arg::Borrow(buffer.clone()),
            });
            let results = executable.run_args(args.collect()).expect("results");
            assert_eq!(results[0].read().expect("a tensor").to_f64_vec(), [6.0, 7.0, 8.0, 9.0]);
            assert_eq!(results[1].read().expect("a tensor").to_f64_vec(), [5.0, 10.0, 15.0, 20.0]);
            assert_eq!(buffers.each_ref().map(|buffer| buffer.is_deleted()), donated);
            for (buffer, donated) in buffers.iter().zip(donated) {
                assert!(buffer.ready().wait().is_ok());
                assert_eq!(buffer.read().is_err(), donated);
            }
        }
    }
    options.aliases = vec![Alias::must(0, 0)];
    let error =
        Client::compile(&plugged, &program, &options).map(|_| ()).expect_err("what cannot be demanded");
    assert!(error.to_string().contains("parameter 0 must become a result in place"), "{error}");
    // Given up and used twice.
    let buffer = plugged.upload(&floats([1.0; 4])).expect("a buffer");
    let twice = vec![Arg::Donate(buffer.clone()), Arg::Borrow(buffer.clone())];
    assert!(any.run_args(twice).is_err() && !buffer.is_deleted());
}

#[test]
fn a_deleted_buffer_is_read_to_the_end_by_who_began() {
    let plugged = client(1);
    let (buffer, promise) = plugged.promise(floats([0.0; 4]).ty(), Placement::default()).expect("a promise");
    let reader = buffer.reader().expect("a reader");
    buffer.delete();
    assert!(buffer.is_deleted() && !buffer.ready().is_ready());
    buffer.delete();
    promise.keep(Ok(HostSource::Borrowed(floats([1.0, 2.0, 3.0, 4.0]).bytes())));
    assert_eq!(reader.view().expect("a view").bytes(), floats([1.0, 2.0, 3.0, 4.0]).bytes());
    let error = buffer.read().expect_err("a deleted buffer").to_string();
    assert!(error.starts_with("INVALID_ARGUMENT: "), "{error}");
    // Handles may go in any order, and before what they began is over.
    let (buffer, promise) = plugged.promise(floats([0.0; 4]).ty(), Placement::default()).expect("a promise");
    let executable =
        Client::compile(&plugged, &program(TWO), &CompileOptions::default()).expect("an executable");
    let results = executable.run(vec![buffer.clone(), buffer]).expect("results");
    drop((executable, plugged));
    promise.keep(Ok(HostSource::Borrowed(floats([3.0; 4]).bytes())));
    assert_eq!(results[1].read().expect("a tensor").to_f64_vec(), [9.0; 4]);
}

#[test]
fn lent_memory_is_held_until_the_plugin_is_done_with_it() {
    struct Lent(Arc<[u8; 64]>);
    impl AsRef<[u8]> for Lent {
        fn as_ref(&self) -> &[u8] {
            &*self.0
        }
    }
    let plugged = client(1);
    let memory = Arc::new([7u8; 64]);
    let lent = HostSource::Shared(HostView::new(Lent(memory.clone())));
    let buffer = plugged
        .buffer_from_host(Type::tensor(DType::U8, [64]), lent, Placement::default())
        .expect("a buffer");
    assert_eq!(buffer.read().expect("a tensor").bytes(), [7u8; 64]);
    drop((buffer, plugged));
    assert_eq!(Arc::strong_count(&memory), 1);
}

#[test]
fn errors_say_what_the_plugin_said() {
    let plugged = client(1);
    let ty = floats([0.0; 4]).ty();
    // What a buffer fails by is the error of everything that is made of it.
    let (failing, promise) = plugged.promise(ty, Placement::default()).expect("a promise");
    let executable =
        Client::compile(&plugged, &program(TWO), &CompileOptions::default()).expect("an executable");
    let results = executable.run(vec![failing.clone(), failing]).expect("results");
    promise.keep(Err(jarrah_base::Error::environment("the cable is cut")));
    let error = results[0].read().expect_err("a failed buffer");
    assert_eq!(error.kind(), jarrah_base::ErrorKind::Environment);
    assert!(error.to_string().contains("UNAVAILABLE: the cable is cut"), "{error}");
    // A promise that is dropped.
    let (failing, promise) = plugged.promise(ty, Placement::default()).expect("a promise");
    drop(promise);
    let error = failing.ready().wait().expect_err("a promise that was not kept").to_string();
    assert!(error.contains("was never given"), "{error}");
    // Arguments.
    let one = plugged.upload(&floats([1.0; 4])).expect("a buffer");
    let error = executable.run(vec![one.clone()]).expect_err("one argument").to_string();
    assert!(error.contains("sum_and_product takes 2 arguments, 1 were given"), "{error}");
    let foreign = CpuClient::new().upload(&floats([1.0; 4])).expect("a buffer");
    let error = executable.run(vec![one.clone(), foreign]).expect_err("a foreign buffer").to_string();
    assert!(error.contains("another client"), "{error}");
    let other = plugged.upload(&Literal::scalar(1i32)).expect("a buffer");
    let error = executable.run(vec![one, other]).expect_err("a wrong type").to_string();
    assert!(error.contains("argument 1 of sum_and_product is f32[4], i32[] was given"), "{error}");
    let short = plugged.buffer_from_host(ty, HostSource::Borrowed(&[0]), Placement::default());
    assert!(short.expect_err("a byte").to_string().contains("f32[4] has 16 bytes, 1 were given"));
    // Options that the plugin does not know.
    let wrong = PluginClient::new(plugin(), vec![("speed".into(), DeviceAttribute::Integer(9))]);
    let error = wrong.map(|_| ()).expect_err("an option").to_string();
    assert!(error.contains("there is no option speed") && error.contains("of this process"), "{error}");
}

/// Ahead of time, and loaded: both say the same of a program.
#[test]
fn a_program_is_compiled_without_devices() {
    let topology = PluginTopology::new(plugin(), "cpu:4", Vec::new()).expect("a topology");
    let devices = topology.devices().expect("devices");
    assert_eq!(devices.iter().map(|device| device.id).collect::<Vec<_>>(), [0, 1, 2, 3]);
    let program = program(TWO);
    let ahead = topology.compile(&program).expect("an executable");
    let loaded = client(1).compile(&program, &CompileOptions::default()).expect("an executable");
    for compiled in [&ahead, loaded.compiled()] {
        let cost = compiled.cost().expect("estimates");
        assert!(cost.contains(&("flops".into(), DeviceAttribute::Float(8.0))), "{cost:?}");
        assert_eq!(compiled.memory().expect("memory").arguments, 32);
        let optimized = compiled.optimized().expect("a program");
        assert_eq!(optimized.format, "mlir");
        assert!(String::from_utf8(optimized.code).expect("text").contains("module @sum_and_product"));
    }
    let error = PluginTopology::new(plugin(), "moon", Vec::new()).map(|_| ()).expect_err("no topology");
    assert!(error.to_string().contains("there is no topology `moon`"), "{error}");
}

/// A plugin of an older or another version, in memory of its size.
#[test]
fn a_shorter_table_lacks_functions_and_nothing_else() {
    use jarrah_pjrt::abi::*;
    // SAFETY: the table is that of this process.
    let whole = unsafe { *jarrah_pjrt_plugin::GetPjrtApi() };
    let table = |size: usize, major: i32| {
        let mut table = whole;
        table.struct_size = size;
        table.pjrt_api_version.major_version = major;
        // SAFETY: so many bytes of the table are there; a plugin's table stays as long as the process.
        let bytes = unsafe { std::slice::from_raw_parts((&raw const table).cast::<u64>(), size / 8) };
        Vec::leak(bytes.to_vec()).as_ptr().cast::<PJRT_Api>()
    };
    let reaches = std::mem::offset_of!(PJRT_Api, PJRT_Device_MemoryStats);
    // SAFETY: the table has the size that it says, and stays.
    let short =
        unsafe { Plugin::from_table(table(reaches, PJRT_API_MAJOR), "the old one") }.expect("a plugin");
    let error = PluginClient::new(short, Vec::new()).and_then(|client| client.memory_stats(DeviceId(0)));
    let error = error.expect_err("no such function").to_string();
    assert!(error.contains("the old one") && error.contains("has no PJRT_Device_MemoryStats"), "{error}");
    // SAFETY: as above.
    let other = unsafe { Plugin::from_table(table(PJRT_Api::STRUCT_SIZE, 1), "the other one") };
    let error = other.map(|_| ()).expect_err("another major version").to_string();
    assert!(error.contains("the other one has version 1."), "{error}");
    // SAFETY: null is looked for.
    assert!(unsafe { Plugin::from_table(std::ptr::null(), "none") }.is_err());
}

#[test]
fn the_shared_library_is_loaded_by_its_path() {
    let here = std::env::current_exe().expect("a path");
    let name = format!("{}jarrah_pjrt_plugin{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = here.with_file_name(name);
    assert!(library.exists(), "cargo builds {} with these tests", library.display());
    let plugged = PluginClient::load(&library, Vec::new()).expect("a client");
    let arguments = [floats([1.0, 2.0, 3.0, 4.0]), floats([2.0; 4])];
    let got = results(&plugged, &program(TWO), &arguments).expect("results");
    assert_eq!(got[1].to_f64_vec(), [2.0, 4.0, 6.0, 8.0]);
    let missing = here.with_file_name("libmoon.so");
    let error = PluginClient::load(&missing, Vec::new()).map(|_| ()).expect_err("no library").to_string();
    assert!(error.contains("libmoon.so"), "{error}");
    // What is no library, and a library that is no plugin.
    let error = PluginClient::load(&here, Vec::new()).map(|_| ()).expect_err("a program").to_string();
    assert!(error.contains("cannot be loaded as a PJRT plugin"), "{error}");
}

/// A sum by a scan, which StableHLO does not have.
const SCAN: &str = r#"
module @running_sum {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<4xf32>) -> tensor<4xf32> {
    %0:2 = "jarrah.scan"(%arg0, %arg1) <{carry = 1 : i64, consts = 0 : i64, length = 4 : i64, reverse = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %1, %1 : tensor<f32>, tensor<f32>
    }) : (tensor<f32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
    return %0#1 : tensor<4xf32>
  }
}
"#;

#[test]
fn ops_of_ours_are_given_to_our_plugin_alone() {
    use jarrah_pjrt::abi::*;
    unsafe extern "C" fn moon(args: *mut PJRT_Client_PlatformName_Args) -> *mut PJRT_Error {
        // SAFETY: the caller's struct is whole.
        unsafe { ((*args).platform_name, (*args).platform_name_size) = (c"moon".as_ptr(), 4) };
        std::ptr::null_mut()
    }
    let program = program(SCAN);
    let arguments = [Literal::scalar(1.0f32), floats([1.0, 2.0, 3.0, 4.0])];
    let sums = results(&client(1), &program, &arguments).expect("results");
    assert_eq!(sums[0].to_f64_vec(), [2.0, 4.0, 7.0, 11.0]);
    // SAFETY: the table is that of this process.
    let mut table = unsafe { *jarrah_pjrt_plugin::GetPjrtApi() };
    table.PJRT_Client_PlatformName = Some(moon);
    // SAFETY: the table is whole, and stays.
    let plugin = unsafe { Plugin::from_table(Box::leak(Box::new(table)), "another") }.expect("a plugin");
    let other = PluginClient::new(plugin, Vec::new()).expect("a client");
    let error = results(&other, &program, &arguments).expect_err("an op of ours").to_string();
    assert!(
        error.contains("[jarrah.scan] is no op of StableHLO: the platform moon does not know it"),
        "{error}"
    );
}

#[test]
fn many_threads_use_one_client() {
    let plugged = client(2);
    let program = program(MANY);
    let executable =
        Client::compile(&plugged, &program, &CompileOptions::donating(&[0])).expect("an executable");
    let matrix = |number: u32| {
        let values: Vec<f64> = (0..12).map(|i| f64::from(i * number % 17) * 0.1).collect();
        Literal::from_f64s(Type::tensor(DType::F32, [4, 3]), &values).expect("a tensor")
    };
    let integers = Literal::from_slice(&[4], &[4i32, 3, 2, 1]).expect("a tensor");
    let wanted: Vec<_> = (0..8)
        .map(|number| {
            results(&CpuClient::new(), &program, &[matrix(number), integers.clone()]).expect("results")
        })
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..8u32 {
            let (plugged, executable, integers, wanted, matrix) =
                (&plugged, &executable, &integers, &wanted, &matrix);
            scope.spawn(move || {
                for round in 0..20 {
                    let number = (thread + round) % 8;
                    let put = |literal: &Literal| {
                        let place = DeviceId(round % 2).into();
                        plugged.buffer_from_host(literal.ty(), HostSource::Borrowed(literal.bytes()), place)
                    };
                    let (x, order) =
                        (put(&matrix(number)).expect("a buffer"), put(integers).expect("a buffer"));
                    let reader = x.reader().expect("a reader");
                    let given = if round % 3 == 0 { Arg::Borrow(x.clone()) } else { Arg::Donate(x.clone()) };
                    let results =
                        executable.run_args(vec![given, Arg::Borrow(order.clone())]).expect("results");
                    // What a run has begun to read is not gone before the run is over.
                    order.delete();
                    drop((x, order));
                    assert_eq!(
                        results[0].read().expect("a tensor").bytes(),
                        wanted[number as usize][0].bytes()
                    );
                    assert_eq!(reader.view().expect("a view").bytes(), matrix(number).bytes());
                }
            });
        }
    });
}
