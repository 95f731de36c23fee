use super::{f32s, i32s, refusal, run};

#[test]
fn annotations_return_their_operands() {
    let text = r#"
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<2xf32>
  %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"#;
    let x = f32s(&[2], &[1.0, 2.0]);
    assert_eq!(run(text, std::slice::from_ref(&x)), [x]);
}

#[test]
fn functions_that_are_called_by_a_target() {
    let text = r#"
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1#0, %1#1 : tensor<3xf32>, tensor<2xf32>, tensor<2xi32>
}"#;
    let results = run(text, &[f32s(&[3], &[0.0, 3.0, -9.0])]);
    assert_eq!(results[0].get_f64(0), 0.0);
    assert_eq!(results[0].get_f64(2), -1.0);
    assert_eq!(results[1], f32s(&[2], &[-9.0, 0.0]));
    assert_eq!(results[2], i32s(&[2], &[2, 0]));
}

#[test]
fn the_first_elements_in_the_order_of_a_function() {
    let text = r#"
module {
  func.func public @main(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<-1> : tensor<i32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%x, %0, %low, %none) {called_computations = [@larger], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
    return %1#0, %1#1 : tensor<2x2xf32>, tensor<2x2xi32>
  }
  func.func private @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}"#;
    let results = run(text, &[f32s(&[2, 4], &[1.0, 4.0, 2.0, 3.0, 8.0, 5.0, 7.0, 6.0])]);
    assert_eq!(results[0], f32s(&[2, 2], &[4.0, 3.0, 8.0, 7.0]));
    assert_eq!(results[1], i32s(&[2, 2], &[1, 3, 0, 2]));
}

#[test]
fn other_targets_are_refused_by_name() {
    let text = |target: &str| {
        format!(
            "
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {{
  %0 = stablehlo.custom_call @{target}(%x) {{api_version = 4 : i32}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}"
        )
    };
    let unknown = refusal(&text("something"));
    assert_eq!(unknown, ("the custom call @something (api_version 4) is not known".to_owned(), 3));
    let (message, _) = refusal(&text("xla_ffi_python_cpu_callback"));
    assert!(message.contains("calls back into the process that exported the program"), "{message}");
}
