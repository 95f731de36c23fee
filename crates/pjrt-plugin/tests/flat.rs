//! Programs that come and go leave nothing behind. `JARRAH_PROGRAMS=10000` asks for more of them.

use jarrah_base::memory::{held, size};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::CompileOptionsProto;

use crate::caller::{Client, ask};
use crate::mutants::written;
use jarrah_testing::mutants::{alone, asked};

/// By so many bytes the programs may make the process larger: the names of files and scopes are kept up to a bound, and
/// allocators keep some of what they got.
const GROWTH: usize = 2 << 20;

/// A program that shares no shape, constant, name or place with that of another number, and the extents of its arguments.
fn unlike(number: usize) -> (String, [usize; 2]) {
    // No two numbers below 97 * 101 give the same extents, and their order has no trend.
    let (m, n) = (1 + number * 7 % 97, 1 + number * 13 % 101);
    let (matrix, row) = (format!("tensor<{m}x{n}xf32>"), format!("tensor<{n}xf32>"));
    let text = format!(
        r#"
#file = loc("file_{number}.py":{number}:7)
#scope = loc("jit(step_{number})/layer_{number}/norm"(#file))
#argument = loc("weights_{number}"(#file))
module @program_{number} attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(
    %arg0: {matrix} {{tf.aliasing_output = 0 : i32}} loc(#argument), %arg1: {matrix} loc(#argument)
  ) -> ({matrix} {{jax.result_info = "result_{number}"}}, {row}) {{
    %c = stablehlo.constant dense<{number}.5> : {matrix} loc(#scope)
    %z = stablehlo.constant dense<0.0> : tensor<f32> loc(#scope)
    %0 = stablehlo.add %arg0, %c : {matrix} loc(#scope)
    %1 = call @product_{number}(%0, %arg1) : ({matrix}, {matrix}) -> {matrix} loc(#scope)
    %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.add across dimensions = [0]
      : ({matrix}, tensor<f32>) -> {row} loc(#scope)
    return %1, %2 : {matrix}, {row} loc(#scope)
  }} loc(#scope)
  func.func private @product_{number}(%arg0: {matrix}, %arg1: {matrix}) -> {matrix} {{
    %0 = stablehlo.multiply %arg0, %arg1 : {matrix} loc(#scope)
    return %0 : {matrix} loc(#scope)
  }} loc(#scope)
}} loc(#file)
"#
    );
    (text, [m, n])
}

/// Compiles a program, asks what is known of it, runs it and checks what comes out, and frees everything.
fn cycle(client: &Client, number: usize) {
    let (text, [m, n]) = unlike(number);
    let code = if number.is_multiple_of(2) { text.into_bytes() } else { written(&text).expect("bytecode") };
    let loaded = client.compile_as("mlir", &code, &CompileOptionsProto::default()).expect("an executable");
    let executable = loaded.executable();
    assert!(executable.program().expect("text").contains(&format!("@program_{number}")));
    ask!(PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args { executable: executable.0 }))
        .expect("estimates");
    let buffer = |value: f32| {
        let bytes = value.to_ne_bytes().repeat(m * n);
        let dims = [m as i64, n as i64];
        client.upload(client.devices()[0], PJRT_Buffer_Type::F32, &dims, &bytes).expect("a buffer")
    };
    let results = loaded.run(&[&buffer(0.5), &buffer(2.0)]).expect("results");
    let value = 2.0 * (number + 1) as f32;
    assert_eq!(results[0].read().expect("values"), vec![value; m * n]);
    assert_eq!(results[1].read().expect("values"), vec![value * m as f32; n]);
    let wrong = client.compile(&format!("module @wrong_{number} {{ nonsense_{number} }}")).map(|_| ());
    assert!(wrong.is_err());
}

#[test]
fn programs_leave_memory_flat() {
    alone("flat::programs_leave_memory_flat", || {
        let client = Client::new(1);
        let count = asked("JARRAH_PROGRAMS", 2_500);
        let (mut before, warm) = (0, count / 5);
        for number in 0..count {
            if number == warm {
                before = held();
            }
            cycle(&client, number);
        }
        let after = held();
        println!("{} after {warm} programs, {} after {count}", size(before), size(after));
        assert!(after < before + GROWTH, "memory grew from {} to {}", size(before), size(after));
    });
}
