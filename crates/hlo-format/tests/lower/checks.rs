use jarrah_hlo_format::lower::{LowerOptions, check};

use super::lower_with;

/// The failures of the checks of a text, each as its line and what is wrong.
fn failures(text: &str) -> Vec<(u32, String)> {
    let options = LowerOptions { checks: true, ..LowerOptions::default() };
    let entry = lower_with(text, &options).unwrap();
    let results = jarrah_hlo_eval::evaluate(&entry.program, &[]).unwrap();
    let failed = entry.checks.iter().filter_map(|c| Some((c.location?.line(), check(c, &results).err()?)));
    failed.collect()
}

#[test]
fn what_is_equal_nearly_and_closely() {
    let text = r#"func.func @main() {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, -0.0, 2.0]> : tensor<4xf32>
  check.expect_eq_const %x, dense<[1.0, 0x7FC00001, 0.0, 2.0]> : tensor<4xf32>
  check.expect_eq_const %x, dense<[1.0, 0x7FC00000, 0.0, 2.0000002]> : tensor<4xf32>
  check.expect_almost_eq_const %x, dense<[1.00009, 0x7FC00000, 0.0, 2.0]> : tensor<4xf32>
  check.expect_almost_eq_const %x, dense<[1.0002, 0x7FC00000, 0.0, 2.0]> : tensor<4xf32>
  %y = stablehlo.constant dense<[1.0000001, 0x7FC00000, 0.0, 2.0000004]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%x, %y) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  %z = stablehlo.constant dense<[1.0000006, 0x7FC00000, 0.0, 2.0]> : tensor<4xf32>
  stablehlo.custom_call @check.expect_close(%x, %z) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return
}"#;
    let failed = failures(text);
    let lines: Vec<u32> = failed.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [4, 6, 10]);
    assert_eq!(failed[0].1, "element [3] of f32[4] is 2e0, 2.000000238418579e0 was expected");
    assert!(failed[2].1.contains("5 steps apart, at most 3 are allowed"), "{}", failed[2].1);
}

#[test]
fn checks_of_functions_that_are_called() {
    let text = r#"
module {
  func.func public @main() -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = call @inner(%c) : (tensor<i32>) -> tensor<i32>
    %1 = call @inner(%0) : (tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @inner(%x: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.add %x, %x : tensor<i32>
    check.expect_eq_const %0, dense<2> : tensor<i32>
    return %0 : tensor<i32>
  }
}"#;
    let entry = lower_with(text, &LowerOptions { checks: true, ..LowerOptions::default() }).unwrap();
    assert_eq!((entry.checks.len(), entry.own_results()), (2, 1));
    assert_eq!(failures(text), [(11, "element [] of i32[] is 4, 2 was expected".to_owned())]);
    assert_eq!(lower_with(text, &LowerOptions::default()).unwrap().program.results().len(), 1);
}

#[test]
fn what_was_probed_is_compared() {
    let text = r#"func.func @main() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = interpreter.probe %a, probe_id = "a" : tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  %2 = interpreter.probe %1, probe_id = "a" : tensor<2xi32>
  check.expect_serialized_eq %a, probe_id = "a" : tensor<2xi32>
  check.expect_serialized_eq %a, probe_id = "a", iter = 1 : tensor<2xi32>
  return
}"#;
    let lines: Vec<u32> = failures(text).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [7]);
}

#[test]
fn a_check_with_a_result_returns_whether_it_holds() {
    let text = |value: &str| {
        format!(
            "func.func @main() -> tensor<i1> {{
  %a = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %b = stablehlo.constant dense<[{value}, 0x7FC00000]> : tensor<2xf32>
  %0 = stablehlo.custom_call @check.eq(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<i1>
  return %0 : tensor<i1>
}}"
        )
    };
    assert_eq!(super::run(&text("1.00005"), &[])[0].get_i128(0), 1);
    assert_eq!(super::run(&text("1.001"), &[])[0].get_i128(0), 0);
    assert_eq!(failures(&text("1.001")).len(), 1);
}

#[test]
fn one_number_may_stand_for_all() {
    let text = "func.func @main() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0)]> : tensor<2xcomplex<f32>>
  check.expect_eq_const %a, dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  return
}";
    assert_eq!(failures(text), [(3, "element [1] of c64[2] is 3e0, 2e0 was expected".to_owned())]);
    let other = text.replace("dense<(1.0, 2.0)> : tensor<2x", "dense<(1.0, 2.0)> : tensor<3x");
    assert!(lower_with(&other, &LowerOptions { checks: true, ..LowerOptions::default() }).is_err());
}
