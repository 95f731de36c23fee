//! Programs that call back.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use jarrah_pjrt::abi::PJRT_Error_Code;
use jarrah_pjrt::compile_options::CompileOptionsProto;

use crate::caller::Client;

/// Adds its operand and the context; a context of 13 is an error.
unsafe extern "C" fn add(
    context: u64,
    operands: i32,
    operand_data: *const *const c_void,
    results: i32,
    result_data: *const *mut c_void,
    error: *mut c_char,
    capacity: u64,
) -> i32 {
    assert_eq!((operands, results), (1, 1));
    if context == 13 {
        let message = c"unlucky";
        assert!(capacity as usize > message.count_bytes());
        // SAFETY: there are `capacity` bytes.
        unsafe { std::ptr::copy_nonoverlapping(message.as_ptr(), error, message.count_bytes() + 1) };
        return 1;
    }
    // SAFETY: the program has one operand and one result of four floats.
    unsafe {
        let operand = std::slice::from_raw_parts((*operand_data).cast::<f32>(), 4);
        let result = std::slice::from_raw_parts_mut((*result_data).cast::<f32>(), 4);
        for (to, from) in result.iter_mut().zip(operand) {
            *to = from + context as f32;
        }
    }
    0
}

fn program(config: &str) -> String {
    format!(
        "module @calls {{ func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {{
            %0 = stablehlo.custom_call @jarrah_host_callback(%arg0) {{
                api_version = 1 : i32, backend_config = \"{config}\", has_side_effect = true
            }} : (tensor<4xf32>) -> tensor<4xf32>
            return %0 : tensor<4xf32>
        }} }}"
    )
}

#[test]
fn a_program_calls_back() {
    let client = Client::new(1);
    let address = add as *const () as usize;
    let run = |config: &str| {
        let program = client.compile(&program(config))?;
        program.run(&[&client.buffer(&[1.0, 2.0, 3.0, 4.0])])?[0].read()
    };
    assert_eq!(run(&format!("{address}:5")).expect("values"), [6.0, 7.0, 8.0, 9.0]);
    let (code, message) = run(&format!("{address}:13")).expect_err("an error");
    assert!(code == PJRT_Error_Code::INTERNAL && message.contains("unlucky"), "{message}");
    for config in ["", "0:1", "x:1", "5"] {
        let (_, message) = run(config).expect_err("an error");
        assert!(message.contains("ADDRESS:CONTEXT"), "{message}");
    }
}

/// JAX raises errors of calls as other exceptions than those of results.
#[test]
fn the_failure_of_a_run_on_several_devices_is_that_of_its_results() {
    let client = Client::new(2);
    let replicas = CompileOptionsProto { num_replicas: 2, ..CompileOptionsProto::default() };
    let program = program(&format!("{}:13", add as *const () as usize));
    let program = client.compile_as("mlir", program.as_bytes(), &replicas).expect("an executable");
    let places = client.devices();
    let arguments = [client.buffer_on(places[0], &[1.0; 4]), client.buffer_on(places[1], &[2.0; 4])];
    let results = program.run_on(&[&[arguments[0].0], &[arguments[1].0]], &[], null_mut()).expect("results");
    for result in results.iter().flatten() {
        let (code, message) = result.read().expect_err("an error");
        assert!(code == PJRT_Error_Code::INTERNAL && message.contains("unlucky"), "{message}");
    }
}

#[test]
fn calls_by_unknown_names_are_errors() {
    let client = Client::new(1);
    let (_, message) =
        client.compile(&program("").replace("host_callback", "unheard")).err().expect("an error");
    assert!(message.contains("@jarrah_unheard"), "{message}");
}

/// A token is an argument and a result like any other for the caller: a buffer that is ready when the run is over.
#[test]
fn tokens_come_and_go_as_buffers() {
    let client = Client::new(1);
    let address = add as *const () as usize;
    let ordered = |context: u64| {
        let text = format!(
            "module @ordered {{ func.func public @main(
                %arg0: !stablehlo.token, %arg1: tensor<4xf32> {{tf.aliasing_output = 1 : i32}}
            ) -> (!stablehlo.token, tensor<4xf32>) {{
                %0:2 = stablehlo.custom_call @jarrah_host_callback(%arg0, %arg1) {{
                    api_version = 1 : i32, backend_config = \"{address}:{context}\", has_side_effect = true
                }} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
                return %0#0, %0#1 : !stablehlo.token, tensor<4xf32>
            }} }}"
        );
        client.compile(&text).expect("an executable")
    };
    let (works, fails) = (ordered(2), ordered(13));
    let first = client.buffer(&[0.0]);
    let a = client.buffer(&[1.0; 4]);
    let results = works.run(&[&first, &a]).expect("results");
    assert!(a.is_deleted() && !first.is_deleted());
    assert_eq!(results[1].read().expect("values"), [3.0; 4]);
    let (_, message) = results[0].read().expect_err("a token");
    assert!(message.contains("a token has no contents"), "{message}");
    let again = works.run(&[&results[0], &results[1]]).expect("results");
    assert_eq!(again[1].read().expect("values"), [5.0; 4]);
    // The run is so short that it takes place within the call, and so does its error.
    let (_, message) = fails.run(&[&again[0], &again[1]]).err().expect("an error");
    assert!(message.contains("unlucky"), "{message}");
    let after = client.buffer(&[1.0; 4]);
    assert_eq!(works.run(&[&again[0], &after]).expect("results")[1].read().expect("values"), [3.0; 4]);
}

/// `%v`, which is `%x` after some milliseconds, if that is positive.
const HEAVY: &str = "
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<4xf32>) -> tensor<4x150x600xf32>
    %m = stablehlo.reshape %a : (tensor<4x150x600xf32>) -> tensor<600x600xf32>
    %p = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0] : (tensor<600x600xf32>, tensor<600x600xf32>) -> tensor<600x600xf32>
    %q = stablehlo.dot_general %p, %m, contracting_dims = [1] x [0] : (tensor<600x600xf32>, tensor<600x600xf32>) -> tensor<600x600xf32>
    %s = stablehlo.reduce(%q init: %zero) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<600x600xf32>, tensor<f32>) -> tensor<f32>
    %t = stablehlo.minimum %s, %zero : tensor<f32>
    %u = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %v = stablehlo.add %x, %u : tensor<4xf32>
";

/// JAX keeps one token for each ordered effect, and gives it to the next program with that effect, whatever became of the last.
#[test]
fn ordered_effects_go_on_after_a_run_that_failed() {
    let client = Client::new(1);
    let address = add as *const () as usize;
    // Products of matrices before the callback: without the token the run would outlast the call that begins it.
    let ordered = |context: u64| {
        let text = format!(
            "module @ordered {{ func.func public @main(
                %arg0: !stablehlo.token, %x: tensor<4xf32>
            ) -> (!stablehlo.token, tensor<4xf32>) {{
                {HEAVY}
                %0:2 = stablehlo.custom_call @jarrah_host_callback(%arg0, %v) {{
                    api_version = 1 : i32, backend_config = \"{address}:{context}\", has_side_effect = true
                }} : (!stablehlo.token, tensor<4xf32>) -> (!stablehlo.token, tensor<4xf32>)
                return %0#0, %0#1 : !stablehlo.token, tensor<4xf32>
            }} }}"
        );
        client.compile(&text).expect("an executable")
    };
    let (works, fails) = (ordered(2), ordered(13));
    let (first, a) = (client.buffer(&[0.0]), client.buffer(&[1.0; 4]));
    for _ in 0..2 {
        let (_, message) =
            fails.begin(&[&first, &a]).err().expect("an error of the call, which gives no token");
        assert!(message.contains("unlucky"), "{message}");
        let after = works.run(&[&first, &a]).expect("results");
        assert_eq!(after[1].read().expect("values"), [3.0; 4]);
    }
    // A buffer with an error in the place of a token says nothing of this run.
    let plain = program(&format!("{address}:13")).replace("%0 =", &format!("{HEAVY} %0 ="));
    let plain = plain.replace("%arg0", "%x").replace("callback(%x)", "callback(%v)");
    let plain = client.compile(&plain).expect("an executable");
    let broken = plain.begin(&[&a]).expect("the run outlasts the call").swap_remove(0);
    let after = works.run(&[&broken, &a]).expect("results");
    assert_eq!(after[1].read().expect("values"), [3.0; 4]);
    // In the place of an argument it is an error of the call too.
    let (_, message) = works.begin(&[&first, &broken]).err().expect("an error of the call");
    assert!(message.contains("unlucky"), "{message}");
}
