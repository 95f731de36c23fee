//! Programs for the devices of a mesh, as one program.

use super::{f32s, i32s, lower, lower_with, refusal, run};
use jarrah_hlo_format::lower::LowerOptions;

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
fn a_sum_of_narrow_floats_over_devices_is_rounded_once() {
    let body = r#"tensor<1xf32>) {
      %1 = stablehlo.convert %p : (tensor<1xf32>) -> tensor<1xbf16>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
        %s = stablehlo.add %a, %b : tensor<bf16>
        stablehlo.return %s : tensor<bf16>
      }) : (tensor<1xbf16>) -> tensor<1xbf16>
      %3 = stablehlo.convert %2 : (tensor<1xbf16>) -> tensor<1xf32>
      sdy.return %3 : tensor<1xf32>"#;
    let attributes = r#"in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"}"#;
    let text = module(MESH, ("tensor<4xf32>", "tensor<4xf32>"), attributes, body, "");
    // One by one they are rounded up three times, to 1 + 3 / 128.
    let small = 3. / 512.;
    assert_eq!(run(&text, &[f32s(&[4], &[1., small, small, small])]), [f32s(&[4], &[1. + 2. / 128.; 4])]);
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
        with(r#"["x"=100, "y"=100]"#, "tensor<2xf32>", "@mesh, [{}]")
            .contains("needs more than 4096 devices")
    );
    assert!(
        with(r#"["x"=100000, "y"=100000]"#, "tensor<2xf32>", "@mesh, [{}]")
            .contains("a mesh has more than 1048576 devices")
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
    let error = lower_with(&text, &LowerOptions::default()).unwrap_err();
    assert!(error.message().contains("the function @again calls itself"), "{error}");
}

/// A module with a manual computation over a mesh `x` by `y` of 2 by 2 devices, each of which has one number.
fn of_numbers(body: &str, more: &str) -> String {
    let attributes = r#"in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"}"#;
    let body = format!("tensor<1xf32>) {{\n{body}");
    module(MESH, ("tensor<4xf32>", "tensor<4xf32>"), attributes, &body, more)
}

const ALONG_X: &str = "[[0, 2], [1, 3]]";
const ALONG_Y: &str = "[[0, 1], [2, 3]]";

#[test]
fn exchanges_along_one_axis_after_another_pair_by_op() {
    let ty = "tensor<1xf32>";
    for (first, second) in [(ALONG_Y, ALONG_X), (ALONG_X, ALONG_Y)] {
        let body =
            format!("%1 = {}\n%2 = {}\nsdy.return %2 : {ty}", sum("%p", ty, first), sum("%1", ty, second));
        let x = f32s(&[4], &[1., 10., 100., 1000.]);
        assert_eq!(run(&of_numbers(&body, ""), &[x]), [f32s(&[4], &[1111.; 4])]);
    }
}

/// A branch on `x == 0`, or `y == 0`, whose first branch has a sum along `y`.
fn branch_on(coordinate: &str) -> String {
    let ty = "tensor<1xf32>";
    let body = format!(
        "%id = stablehlo.partition_id : tensor<ui32>
      %two = stablehlo.constant dense<2> : tensor<ui32>
      %at = stablehlo.{coordinate} %id, %two : tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %first = stablehlo.compare EQ, %at, %zero : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %1 = \"stablehlo.if\"(%first) ({{
        %2 = {}
        stablehlo.return %2 : {ty}
      }}, {{
        stablehlo.return %p : {ty}
      }}) : (tensor<i1>) -> {ty}
      sdy.return %1 : {ty}",
        sum("%p", ty, ALONG_Y)
    );
    of_numbers(&body, "")
}

#[test]
fn each_device_takes_its_own_branch() {
    let x = f32s(&[4], &[1., 10., 100., 1000.]);
    assert_eq!(run(&branch_on("divide"), &[x]), [f32s(&[4], &[11., 11., 100., 1000.])]);
}

#[test]
fn devices_that_would_wait_for_each_other_are_named_with_op_and_line() {
    let (message, line) = refusal(&branch_on("remainder"));
    assert!(
        message.contains("processes wait for each other for ever: device 0 (0, 0) at stablehlo.all_reduce"),
        "{message}"
    );
    assert_eq!(line, 11, "{message}");
}

/// A branch for devices that have less than five, which sums along `y`, and one for the others.
#[test]
fn devices_whose_data_takes_them_different_ways_are_named_by_the_run() {
    let ty = "tensor<1xf32>";
    let body = format!(
        "%x = stablehlo.reshape %p : (tensor<1xf32>) -> tensor<f32>
      %five = stablehlo.constant dense<5.0> : tensor<f32>
      %few = stablehlo.compare LT, %x, %five : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1 = \"stablehlo.if\"(%few) ({{
        %2 = {}
        stablehlo.return %2 : {ty}
      }}, {{
        stablehlo.return %p : {ty}
      }}) : (tensor<i1>) -> {ty}
      sdy.return %1 : {ty}",
        sum("%p", ty, ALONG_Y)
    );
    let program = lower(&of_numbers(&body, ""));
    let run = |x: &[f32]| jarrah_hlo_eval::evaluate(&program, &[f32s(&[4], x)]);
    assert_eq!(run(&[1., 2., 10., 20.]).unwrap(), [f32s(&[4], &[3., 3., 10., 20.])]);
    let error = run(&[1., 2., 3., 20.]).unwrap_err().to_string();
    assert!(error.contains("processes 2, 3 take different branches of stablehlo.if"), "{error}");
    assert!(error.contains("test.mlir:8"), "{error}");
}

/// Devices that go different ways need not agree where the ways that they take have no exchange.
#[test]
fn devices_take_known_ways_without_exchanges_apart() {
    let ty = "tensor<1xf32>";
    let body = format!(
        "%id = stablehlo.partition_id : tensor<ui32>
      %two = stablehlo.constant dense<2> : tensor<ui32>
      %y = stablehlo.remainder %id, %two : tensor<ui32>
      %way = stablehlo.convert %y : (tensor<ui32>) -> tensor<i32>
      %1 = \"stablehlo.case\"(%way) ({{
        stablehlo.return %p : {ty}
      }}, {{
        %2 = stablehlo.add %p, %p : {ty}
        stablehlo.return %2 : {ty}
      }}, {{
        %2 = {}
        stablehlo.return %2 : {ty}
      }}) : (tensor<i32>) -> {ty}
      sdy.return %1 : {ty}",
        sum("%p", ty, ALONG_Y)
    );
    let x = f32s(&[4], &[1., 10., 100., 1000.]);
    assert_eq!(run(&of_numbers(&body, ""), &[x]), [f32s(&[4], &[1., 20., 100., 2000.])]);
}

#[test]
fn each_device_takes_its_own_number_of_steps() {
    let ty = "tensor<1xf32>";
    let looped = |coordinate: &str| {
        let body = format!(
            "%id = stablehlo.partition_id : tensor<ui32>
      %two = stablehlo.constant dense<2> : tensor<ui32>
      %steps = stablehlo.{coordinate} %id, %two : tensor<ui32>
      %zero = stablehlo.constant dense<0> : tensor<ui32>
      %1:2 = stablehlo.while(%i = %zero, %v = %p) : tensor<ui32>, {ty}
      cond {{
        %2 = stablehlo.compare LE, %i, %steps : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<ui32>
        %2 = stablehlo.add %i, %one : tensor<ui32>
        %3 = {}
        stablehlo.return %2, %3 : tensor<ui32>, {ty}
      }}
      sdy.return %1#1 : {ty}",
            sum("%v", ty, ALONG_Y)
        );
        of_numbers(&body, "")
    };
    let x = f32s(&[4], &[1., 10., 100., 1000.]);
    // Twice for the second row: the sum of two sums.
    let expected = f32s(&[4], &[11., 11., 2200., 2200.]);
    assert_eq!(run(&looped("divide"), std::slice::from_ref(&x)), [expected]);
    let error = jarrah_hlo_eval::evaluate(&lower(&looped("remainder")), &[x]).unwrap_err().to_string();
    assert!(error.contains("processes 0, 1 take different numbers of steps of stablehlo.while"), "{error}");
    assert!(error.contains("test.mlir:9"), "{error}");
}

/// A loop of five steps that adds what all devices have along `x`.
#[test]
fn a_loop_that_counts_has_no_check() {
    let ty = "tensor<1xf32>";
    let body = format!(
        "%zero = stablehlo.constant dense<0> : tensor<i32>
      %1:2 = stablehlo.while(%i = %zero, %v = %p) : tensor<i32>, {ty}
      cond {{
        %five = stablehlo.constant dense<5> : tensor<i32>
        %2 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      }} do {{
        %one = stablehlo.constant dense<1> : tensor<i32>
        %2 = stablehlo.add %i, %one : tensor<i32>
        %3 = {}
        stablehlo.return %2, %3 : tensor<i32>, {ty}
      }}
      sdy.return %1#1 : {ty}",
        sum("%v", ty, ALONG_X)
    );
    let program = lower(&of_numbers(&body, ""));
    assert!(program.effects().is_pure());
    let x = f32s(&[4], &[1., 10., 100., 1000.]);
    let found = jarrah_hlo_eval::evaluate(&program, &[x]).unwrap();
    assert_eq!(found, [f32s(&[4], &[1616., 16160., 1616., 16160.])]);
}

#[test]
fn groups_that_cannot_be_are_refused() {
    let ty = "tensor<1xf32>";
    let of = |groups: &str| {
        let body = format!("%1 = {}\nsdy.return %1 : {ty}", sum("%p", ty, groups));
        refusal(&of_numbers(&body, "")).0
    };
    assert!(of("[[0, 1], [1, 3]]").contains("names process 1 twice"));
    assert!(of("[[0, 1], [2, -1]]").contains("does not name process 3"));
    assert!(of("[[0, 1], [2, 4]]").contains("a process that is not there"));
    let permute = |pairs: &str| {
        let body = format!(
            "%1 = \"stablehlo.collective_permute\"(%p) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, \
             source_target_pairs = dense<{pairs}> : tensor<2x2xi64>}}> : ({ty}) -> {ty}\nsdy.return %1 : {ty}"
        );
        refusal(&of_numbers(&body, "")).0
    };
    assert!(permute("[[0, 1], [2, 1]]").contains("names a source or a target twice"));
    assert!(permute("[[0, 1], [2, 7]]").contains("a process that is not there"));
}
