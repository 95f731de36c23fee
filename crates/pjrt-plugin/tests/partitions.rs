//! Programs whose arguments and results are cut over devices.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::{CompileOptionsProto, DeviceAssignment};

use crate::caller::{Buffer, Client, Executable, Loaded, ask, call};
use crate::extensions::find;

/// A program for partitions on these devices.
fn compile(client: &Client, devices: &[i64], text: &str) -> Loaded {
    let options = CompileOptionsProto {
        num_partitions: devices.len() as i64,
        use_spmd_partitioning: true,
        use_shardy_partitioner: true,
        device_assignment: Some(DeviceAssignment { devices: devices.iter().map(|&id| vec![id]).collect() }),
        ..CompileOptionsProto::default()
    };
    client.compile_as("mlir", text.as_bytes(), &options).expect("an executable")
}

fn upload(client: &Client, device: usize, dims: &[i64], values: &[f32]) -> Buffer {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    client.upload(client.devices()[device], PJRT_Buffer_Type::F32, dims, &bytes).expect("a buffer")
}

fn dims(buffer: &Buffer) -> Vec<i64> {
    let got =
        ask!(PJRT_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args { buffer: buffer.0 })).expect("extents");
    // SAFETY: the list has as many entries.
    unsafe { std::slice::from_raw_parts(got.dims, got.num_dims) }.to_vec()
}

fn device(buffer: &Buffer) -> *mut PJRT_Device {
    ask!(PJRT_Buffer_Device(PJRT_Buffer_Device_Args { buffer: buffer.0 })).expect("a device").device
}

/// The transpose of a matrix over four devices, and its sums along the rows.
const SPLIT: &str = r#"
module @split {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(
    %a: tensor<2x4xf32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<f32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, []>}
  ) -> (
    tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
    tensor<2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}
  ) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
    return %0, %1 : tensor<4x2xf32>, tensor<2xf32>
  }
}
"#;

#[test]
fn arguments_are_joined_and_results_are_cut() {
    let client = Client::new(4);
    let order = [3, 1, 0, 2];
    let loaded = compile(&client, &order, SPLIT);
    // The partitions' parts, on the devices that run them.
    let tiles = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]];
    let parts: Vec<Buffer> =
        tiles.iter().zip(order).map(|(tile, on)| upload(&client, on as usize, &[1, 2], tile)).collect();
    let scalars: Vec<Buffer> = order.iter().map(|&on| upload(&client, on as usize, &[], &[10.0])).collect();
    let lists: Vec<[*mut PJRT_Buffer; 2]> = parts.iter().zip(&scalars).map(|(a, b)| [a.0, b.0]).collect();
    let lists: Vec<&[*mut PJRT_Buffer]> = lists.iter().map(|list| &list[..]).collect();
    let results = loaded.run_on(&lists, &[], null_mut()).expect("results");
    for (partition, results) in results.iter().enumerate() {
        let column = if partition % 2 == 0 { [0.0, 1.0, 2.0, 3.0] } else { [4.0, 5.0, 6.0, 7.0] };
        assert_eq!((dims(&results[0]), results[0].read().expect("values")), (vec![4, 1], column.to_vec()));
        assert_eq!(results[1].read().expect("values"), [16.0, 32.0]);
        let on = client.devices()[order[partition] as usize];
        assert_eq!((device(&results[0]), device(&results[1])), (on, on));
    }
    // A donated argument is deleted on every device.
    assert!(parts.iter().chain(&scalars).all(Buffer::is_deleted));
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let client = Client::new(4);
    let loaded = compile(&client, &[0, 1, 2, 3], SPLIT);
    let run = |place: [usize; 4], dims: &[i64]| {
        let values = vec![0.0; dims.iter().product::<i64>() as usize];
        let parts = place.map(|on| upload(&client, on, dims, &values));
        let scalars = [0, 1, 2, 3].map(|on| upload(&client, on, &[], &[0.0]));
        let lists: Vec<[*mut PJRT_Buffer; 2]> = parts.iter().zip(&scalars).map(|(a, b)| [a.0, b.0]).collect();
        let lists: Vec<&[*mut PJRT_Buffer]> = lists.iter().map(|list| &list[..]).collect();
        loaded.run_on(&lists, &[], null_mut()).map(|_| ()).map_err(|(_, message)| message)
    };
    assert_eq!(run([0, 1, 2, 3], &[1, 2]), Ok(()));
    let error = run([0, 1, 2, 3], &[2, 4]).expect_err("an error");
    assert!(error.contains("argument 0 of split is f32[1,2], f32[2,4] was given"), "{error}");
    let error = run([0, 0, 2, 3], &[1, 2]).expect_err("an error");
    assert!(error.contains("argument 0 of split lies on device 0, the run is on 1"), "{error}");
}

/// A list of serialized `xla.OpSharding`; nothing if there is no list.
fn list(texts: *const *const std::ffi::c_char, sizes: *const usize, count: usize) -> Option<Vec<Vec<u8>>> {
    // SAFETY: the lists have as many entries, and each text has as many bytes.
    (!texts.is_null()).then(|| unsafe {
        let texts = std::slice::from_raw_parts(texts, count);
        let texts = texts.iter().zip(std::slice::from_raw_parts(sizes, count));
        texts.map(|(&text, &size)| std::slice::from_raw_parts(text.cast(), size).to_vec()).collect()
    })
}

/// The shardings of an executable's arguments, and of its results.
fn shardings(executable: &Executable) -> [Option<Vec<Vec<u8>>>; 2] {
    let extension = find::<PJRT_Shardings_Extension>(PJRT_Extension_Type::Shardings);
    let executable = executable.0;
    let mut parameters =
        PJRT_Shardings_PJRT_Executable_ParameterShardings_Args { executable, ..Default::default() };
    call(extension.PJRT_Shardings_PJRT_Executable_ParameterShardings, &mut parameters).expect("shardings");
    let mut outputs =
        PJRT_Shardings_PJRT_Executable_OutputShardings_Args { executable, ..Default::default() };
    call(extension.PJRT_Shardings_PJRT_Executable_OutputShardings, &mut outputs).expect("shardings");
    [
        list(parameters.shardings, parameters.sharding_sizes, parameters.num_parameters),
        list(outputs.shardings, outputs.sharding_sizes, outputs.num_outputs),
    ]
}

/// Of the kind 3 (field 1), tiles 2x2 (field 3), devices 0 to 3 (field 4).
const TILES: &[u8] = &[8, 3, 26, 2, 2, 2, 34, 4, 0, 1, 2, 3];

#[test]
fn shardings_are_told_as_they_were_stated() {
    let client = Client::new(4);
    let on = [0, 1, 2, 3];
    let told = |text: &str| shardings(&compile(&client, &on, text).executable());
    // Nothing is written for what is whole everywhere.
    let [arguments, results] = told(SPLIT);
    assert_eq!(arguments, Some(vec![TILES.to_vec(), vec![]]));
    // Devices along an axis that cuts nothing share tiles (field 6).
    let columns = vec![8, 3, 26, 3, 1, 2, 2, 34, 4, 0, 2, 1, 3, 48, 1];
    assert_eq!(results, Some(vec![columns, vec![]]));
    // A program without results has no list of their shardings.
    let none = r#"module {
      sdy.mesh @mesh = <["x"=4]>
      func.func public @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { return }
    }"#;
    assert_eq!(told(none)[1], None);
    let one = client.compile(crate::caller::TWO).expect("an executable");
    assert_eq!(shardings(&one.executable()), [None, None]);
}

/// Results whose shardings may be chosen have those that follow from the arguments'.
#[test]
fn shardings_of_results_follow_from_those_of_arguments() {
    let client = Client::new(4);
    let text = r#"
module @open {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func private @twice(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.add %a, %a : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
  func.func public @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
      -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x3xf32>, tensor<4x4xf32>) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = func.call @twice(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.reverse %a, dims = [0] : tensor<4x4xf32>
    %3 = stablehlo.slice %a [0:3, 0:3] : (tensor<4x4xf32>) -> tensor<3x3xf32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}, {}]> : tensor<3x3xf32>
    return %1, %2, %4, %0 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<3x3xf32>, tensor<4x4xf32>
  }
}"#;
    let told = |open: &[bool]| {
        let options = CompileOptionsProto {
            num_partitions: 4,
            allow_spmd_sharding_propagation_to_output: open.to_vec(),
            ..CompileOptionsProto::default()
        };
        let loaded = client.compile_as("mlir", text.as_bytes(), &options).expect("an executable");
        shardings(&loaded.executable())[1].clone().expect("shardings")
    };
    // The third cannot be cut evenly.
    assert_eq!(told(&[true]), [TILES, &[], &[], TILES]);
    assert_eq!(told(&[true, true, true, false]), [TILES, &[], &[], &[]]);
    assert_eq!(told(&[]), [[]; 4] as [[u8; 0]; 4]);
}

#[test]
fn assignments_of_another_shape_are_errors() {
    let client = Client::new(4);
    let options = CompileOptionsProto {
        num_partitions: 4,
        device_assignment: Some(DeviceAssignment { devices: vec![vec![0, 1], vec![2, 3]] }),
        ..CompileOptionsProto::default()
    };
    let (code, message) = client.compile_as("mlir", SPLIT.as_bytes(), &options).err().expect("an error");
    assert_eq!(code, PJRT_Error_Code::INVALID_ARGUMENT);
    assert!(message.contains("devices for 2 replicas of 2 partitions are assigned"), "{message}");
}
