//! Programs for the devices of a mesh, as one program.

use super::{f32s, i32s, lower_with, refusal, run};
use jarrah_hlo_format::lower::Options;

/// A module with a mesh `x` by `y` of 2 by 2 devices, whose main function is a manual computation.
fn module(mesh: &str, signature: (&str, &str), attributes: &str, body: &str, more: &str) -> String {
    let (from, to) = signature;
    format!(
        "module {{
  sdy.mesh @mesh = <{mesh}>
  func.func @main(%x: {from}) -> {to} {{
    %0 = sdy.manual_computation(%x) {attributes} (%p: {body}
    }} : ({from}) -> {to}
    return %0 : {to}
  }}
{more}}}"
    )
}

const MESH: &str = r#"["x"=2, "y"=2]"#;

/// A sum over the devices of each group.
fn sum(operand: &str, ty: &str, groups: &str) -> String {
    format!(
        r#""stablehlo.all_reduce"({operand}) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{groups}> : tensor<2x2xi64>, use_global_device_ids}}> ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }}) : ({ty}) -> {ty}"#
    )
}

#[test]
fn devices_get_parts_and_their_results_are_put_together() {
    let body = format!(
        "tensor<1x2xf32>) {{
      %1 = {}
      %2 = stablehlo.subtract %p, %1 : tensor<1x2xf32>
      sdy.return %2 : tensor<1x2xf32>",
        sum("%p", "tensor<1x2xf32>", "[[0, 2], [1, 3]]")
    );
    let attributes = r#"in_shardings=[<@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"y"}, {"x"}]>] manual_axes={"x", "y"}"#;
    let text = module(MESH, ("tensor<2x4xf32>", "tensor<2x4xf32>"), attributes, &body, "");
    let x = f32s(&[2, 4], &[1., 2., 3., 4., 10., 20., 30., 40.]);
    // Each device has less the sum of its column: what the device above or below has, negated.
    let expected = f32s(&[2, 4], &[-10., -20., -1., -2., -30., -40., -3., -4.]);
    assert_eq!(run(&text, &[x]), [expected]);
}

#[test]
fn loops_and_calls_with_exchanges_inside() {
    let body = r#"tensor<1xi32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:3 = stablehlo.while(%i = %c, %held = %p, %seen = %p) : tensor<i32>, tensor<1xi32>, tensor<1xi32>
      cond {
        %n = stablehlo.constant dense<2> : tensor<i32>
        %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %2 = stablehlo.add %i, %one : tensor<i32>
        %3 = func.call @passed(%held) : (tensor<1xi32>) -> tensor<1xi32>
        %ten = stablehlo.constant dense<10> : tensor<1xi32>
        %4 = stablehlo.multiply %seen, %ten : tensor<1xi32>
        %5 = stablehlo.add %4, %3 : tensor<1xi32>
        stablehlo.return %2, %3, %5 : tensor<i32>, tensor<1xi32>, tensor<1xi32>
      }
      sdy.return %1#2 : tensor<1xi32>"#;
    let callee = r#"  func.func private @passed(%x: tensor<1xi32>) -> tensor<1xi32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<1xi32>) -> tensor<1xi32>
    return %0 : tensor<1xi32>
  }
"#;
    let attributes = r#"in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"}"#;
    let text = module(MESH, ("tensor<4xi32>", "tensor<4xi32>"), attributes, body, callee);
    // Each sees its own number, then that of the one before, then that of the one before this.
    assert_eq!(run(&text, &[i32s(&[4], &[1, 2, 3, 4])]), [i32s(&[4], &[143, 214, 321, 432])]);
}

#[test]
fn branches_with_exchanges_inside_and_the_number_of_a_device() {
    let body = format!(
        "tensor<f32>) {{
      %c = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.compare GT, %p, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = \"stablehlo.if\"(%1) ({{
        %3 = func.call @number() : () -> tensor<f32>
        %4 = {}
        stablehlo.return %4 : tensor<f32>
      }}, {{
        stablehlo.return %p : tensor<f32>
      }}) : (tensor<i1>) -> tensor<f32>
      %5 = stablehlo.reshape %2 : (tensor<f32>) -> tensor<1xf32>
      sdy.return %5 : tensor<1xf32>",
        sum("%3", "tensor<f32>", "[[0, 1], [2, 3]]")
    );
    let callee = "  func.func private @number() -> tensor<f32> {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.convert %0 : (tensor<ui32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
";
    let attributes =
        r#"in_shardings=[<@mesh, []>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"}"#;
    let text = module(MESH, ("tensor<f32>", "tensor<4xf32>"), attributes, &body, callee);
    assert_eq!(run(&text, &[f32s(&[], &[1.])]), [f32s(&[4], &[1., 1., 5., 5.])]);
    assert_eq!(run(&text, &[f32s(&[], &[-1.])]), [f32s(&[4], &[-1.; 4])]);
}

#[test]
fn axes_that_are_not_manual_are_not_seen_and_computations_nest() {
    let inner = format!(
        "tensor<1x4xf32>) {{
      %1 = sdy.manual_computation(%p) in_shardings=[<@mesh, [{{}}, {{\"y\"}}]>] out_shardings=[<@mesh, [{{}}, {{\"y\"}}]>] manual_axes={{\"y\"}} (%q: tensor<1x2xf32>) {{
        %2 = {}
        sdy.return %2 : tensor<1x2xf32>
      }} : (tensor<1x4xf32>) -> tensor<1x4xf32>
      %3 = stablehlo.add %1, %p : tensor<1x4xf32>
      sdy.return %3 : tensor<1x4xf32>",
        sum("%q", "tensor<1x2xf32>", "[[0, 1], [2, 3]]")
    );
    let attributes =
        r#"in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"}"#;
    let text = module(MESH, ("tensor<2x4xf32>", "tensor<2x4xf32>"), attributes, &inner, "");
    let x = f32s(&[2, 4], &[1., 2., 3., 4., 10., 20., 30., 40.]);
    let expected = f32s(&[2, 4], &[5., 8., 7., 10., 50., 80., 70., 100.]);
    assert_eq!(run(&text, &[x]), [expected]);
}

#[test]
fn devices_have_the_numbers_that_the_mesh_gives_them() {
    let body = "tensor<1xi32>) {
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.convert %1 : (tensor<ui32>) -> tensor<i32>
      %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
      %4 = stablehlo.add %3, %p : tensor<1xi32>
      sdy.return %4 : tensor<1xi32>";
    let attributes = r#"in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"}"#;
    let mesh = r#"["x"=3], device_ids=[2, 0, 1]"#;
    let text = module(mesh, ("tensor<3xi32>", "tensor<3xi32>"), attributes, body, "");
    assert_eq!(run(&text, &[i32s(&[3], &[10, 20, 30])]), [i32s(&[3], &[12, 20, 31])]);
}

#[test]
fn what_a_manual_computation_cannot_be() {
    let body = "tensor<2xf32>) {\n      sdy.return %p : tensor<2xf32>";
    let with = |mesh: &str, ty: &str, given: &str| {
        let attributes =
            format!(r#"in_shardings=[<{given}>] out_shardings=[<@mesh, [{{}}]>] manual_axes={{"x", "y"}}"#);
        refusal(&module(mesh, (ty, "tensor<2xf32>"), &attributes, body, "")).0
    };
    let of = |given: &str| with(MESH, "tensor<4xf32>", given);
    assert!(of(r#"@mesh, [{"z"}]"#).contains(r#"the mesh has no axis "z""#));
    assert!(of(r#"@mesh, [{"x":(1)2}]"#).contains("`in_shardings` cuts along a part of an axis"));
    assert!(of(r#"@mesh, [{}], unreduced={"x"}"#).contains("has values that are not reduced"));
    assert!(of("@other, [{}]").contains("there is no mesh @other"));
    assert!(of("@mesh, [{}]").contains("argument 0 of a region is tensor<2xf32>, not f32[4]"));
    assert!(
        with(MESH, "tensor<5xf32>", r#"@mesh, [{"x"}]"#).contains("f32[5] cannot be cut into 2 along axis 0")
    );
    assert!(
        with(r#"["x"=100000, "y"=100000]"#, "tensor<2xf32>", "@mesh, [{}]")
            .contains("needs more than 4096 devices")
    );
}

#[test]
fn functions_that_exchange_and_call_themselves() {
    let body = "tensor<f32>) {
      %1 = func.call @again(%p) : (tensor<f32>) -> tensor<f32>
      sdy.return %1 : tensor<f32>";
    let callee = format!(
        "  func.func private @again(%x: tensor<f32>) -> tensor<f32> {{
    %0 = {}
    %1 = func.call @again(%0) : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }}
",
        sum("%x", "tensor<f32>", "[[0, 1], [2, 3]]")
    );
    let attributes = r#"in_shardings=[<@mesh, []>] out_shardings=[<@mesh, []>] manual_axes={"x", "y"}"#;
    let text = module(MESH, ("tensor<f32>", "tensor<f32>"), attributes, body, &callee);
    let error = lower_with(&text, &Options::default()).unwrap_err();
    assert!(error.message().contains("the function @again calls itself"), "{error}");
}
