//! Tensors whose axes lie in another order than row-major.

use std::ptr::null_mut;

use jarrah_pjrt::abi::*;

use crate::buffers::tiled;
use crate::caller::{Buffer, Client, Loaded, ask, destroy_event, wait};

const ROWS: [f32; 6] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
const COLUMNS: [f32; 6] = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0];

/// A matrix that lies column by column; `ROWS` are its elements.
fn columns(client: &Client) -> Buffer {
    let mut layout = tiled(&[0, 1]);
    let made = ask!(PJRT_Client_BufferFromHostBuffer(PJRT_Client_BufferFromHostBuffer_Args {
        client: client.0,
        data: ROWS.as_ptr().cast(),
        r#type: PJRT_Buffer_Type::F32,
        dims: [2i64, 3].as_ptr(),
        num_dims: 2,
        device: client.devices()[0],
        device_layout: &raw mut layout,
    }))
    .expect("a buffer");
    destroy_event(made.done_with_host_buffer);
    Buffer(made.buffer)
}

/// The elements in the order of the device's memory.
fn memory(buffer: &Buffer) -> [f32; 6] {
    let mut values = [0.0f32; 6];
    let copied = ask!(PJRT_Buffer_CopyRawToHost(PJRT_Buffer_CopyRawToHost_Args {
        buffer: buffer.0,
        dst: values.as_mut_ptr().cast(),
        transfer_size: 24,
    }))
    .expect("a copy");
    wait(copied.event).expect("values");
    values
}

/// The axes from the one that varies fastest.
fn order(buffer: &Buffer) -> Vec<i64> {
    let got = ask!(PJRT_Buffer_GetMemoryLayout(PJRT_Buffer_GetMemoryLayout_Args { buffer: buffer.0 }));
    // SAFETY: the layout is of the kind that it says, and the list has as many entries.
    unsafe {
        let tiled = got.expect("a layout").layout.layout.tiled;
        std::slice::from_raw_parts(tiled.minor_to_major, tiled.minor_to_major_size).to_vec()
    }
}

fn dims(buffer: &Buffer) -> Vec<i64> {
    let got =
        ask!(PJRT_Buffer_Dimensions(PJRT_Buffer_Dimensions_Args { buffer: buffer.0 })).expect("extents");
    // SAFETY: the list has as many entries.
    unsafe { std::slice::from_raw_parts(got.dims, got.num_dims) }.to_vec()
}

/// Doubles a matrix, and transposes it, in layouts that are wished for.
fn program(client: &Client, argument: &str, doubled: &str, transposed: &str) -> Loaded {
    let text = format!(
        r#"func.func @main(%x: tensor<2x3xf32> {{mhlo.layout_mode = "{argument}"}})
            -> (tensor<2x3xf32> {{mhlo.layout_mode = "{doubled}"}}, tensor<3x2xf32> {{mhlo.layout_mode = "{transposed}"}}) {{
          %0 = stablehlo.add %x, %x : tensor<2x3xf32>
          %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
          return %0, %1 : tensor<2x3xf32>, tensor<3x2xf32>
        }}"#
    );
    client.compile(&text).expect("an executable")
}

#[test]
fn buffers_lie_as_they_are_wished() {
    let client = Client::new(2);
    let buffer = columns(&client);
    assert_eq!((dims(&buffer), order(&buffer)), (vec![2, 3], vec![0, 1]));
    assert_eq!((memory(&buffer), buffer.read().expect("values")), (COLUMNS, ROWS.to_vec()));
    let copy = ask!(PJRT_Buffer_CopyToDevice(PJRT_Buffer_CopyToDevice_Args {
        buffer: buffer.0,
        dst_device: client.devices()[1],
    }));
    let copy = Buffer(copy.expect("a copy").dst_buffer);
    assert_eq!((memory(&copy), copy.read().expect("values")), (COLUMNS, ROWS.to_vec()));
}

#[test]
fn programs_take_and_give_tensors_as_they_are_wished() {
    let client = Client::new(1);
    let twice = ROWS.map(|value| value * 2.0);
    let loaded = program(&client, "{0,1}", "{0,1}", "{1,0}");
    let results = loaded.run(&[&columns(&client)]).expect("results");
    assert_eq!((dims(&results[0]), order(&results[0])), (vec![2, 3], vec![0, 1]));
    assert_eq!(results[0].read().expect("values"), twice);
    assert_eq!(memory(&results[0]), COLUMNS.map(|value| value * 2.0));
    assert_eq!((dims(&results[1]), memory(&results[1])), (vec![3, 2], COLUMNS));
    let rows = client
        .upload(client.devices()[0], PJRT_Buffer_Type::F32, &[2, 3], bytes_of(&ROWS))
        .expect("a buffer");
    let (code, message) = loaded.run(&[&rows]).err().expect("an error");
    assert_eq!(code, PJRT_Error_Code::INVALID_ARGUMENT);
    assert!(message.contains("lies in the layout {1,0}; {0,1} is needed"), "{message}");
    let given = program(&client, "default", "{0,1}", "default").run(&[&rows]).expect("results");
    assert_eq!(
        (memory(&given[0]), given[0].read().expect("values")),
        (COLUMNS.map(|x| x * 2.0), twice.to_vec())
    );
}

/// A transpose whose result may lie anyhow moves nothing.
#[test]
fn a_transpose_may_lie_as_its_argument() {
    let client = Client::new(1);
    let results = program(&client, "auto", "auto", "auto");
    let rows = client
        .upload(client.devices()[0], PJRT_Buffer_Type::F32, &[2, 3], bytes_of(&ROWS))
        .expect("a buffer");
    let results = results.run(&[&rows]).expect("results");
    assert_eq!((order(&results[0]), order(&results[1])), (vec![1, 0], vec![0, 1]));
    assert_eq!((memory(&results[1]), results[1].read().expect("values")), (ROWS, COLUMNS.to_vec()));
}

#[test]
fn layouts_that_no_tensor_has_are_refused() {
    let client = Client::new(1);
    let fails = |layout: &str| {
        let text = format!(
            "func.func @main(%x: tensor<2x3xf32> {{mhlo.layout_mode = \"{layout}\"}}) -> tensor<2x3xf32> {{
               return %x : tensor<2x3xf32>
             }}"
        );
        client.compile(&text).err().expect("an error").1
    };
    assert!(
        fails("{0,1,2}").contains("argument 0 of type f32[2,3]: {0,1,2} is no layout of a tensor of rank 2")
    );
    assert!(fails("{0,0}").contains("{0,0} is no layout"));
    assert!(fails("column").contains("`column` is no layout"));
    assert!(fails("{1,0:T(8,128)}").contains("has tiles"));
    let mut layout = crate::buffers::strided(&[16, 4]);
    let gaps = ask!(PJRT_Client_CreateUninitializedBuffer(PJRT_Client_CreateUninitializedBuffer_Args {
        client: client.0,
        shape_dims: [2i64, 3].as_ptr(),
        shape_num_dims: 2,
        shape_element_type: PJRT_Buffer_Type::F32,
        shape_layout: &raw mut layout,
        device: client.devices()[0],
        memory: null_mut(),
    }));
    assert!(gaps.is_err_and(|(_, message)| message.contains("buffers are dense")));
}

fn bytes_of(values: &[f32; 6]) -> &[u8] {
    // SAFETY: floats have no bytes that are not initialized.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// A constraint says how a result lies that may lie anyhow.
#[test]
fn a_constraint_says_how_a_result_lies() {
    let client = Client::new(1);
    let text = r#"func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x2xf32> {mhlo.layout_mode = "auto"}) {
      %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %1 = stablehlo.custom_call @LayoutConstraint(%0) {
        operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]
      } : (tensor<3x2xf32>) -> tensor<3x2xf32>
      return %1 : tensor<3x2xf32>
    }"#;
    for (order_of_result, lies) in [("[1, 0]", [1, 0]), ("[0, 1]", [0, 1])] {
        let text = text.replace(
            "result_layouts = [dense<[1, 0]>",
            &format!("result_layouts = [dense<{order_of_result}>"),
        );
        let rows = client
            .upload(client.devices()[0], PJRT_Buffer_Type::F32, &[2, 3], bytes_of(&ROWS))
            .expect("a buffer");
        let results = client.compile(&text).expect("an executable").run(&[&rows]).expect("results");
        assert_eq!(
            (order(&results[0]), results[0].read().expect("values")),
            (lies.to_vec(), COLUMNS.to_vec())
        );
    }
}
