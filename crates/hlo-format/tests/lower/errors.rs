use super::refusal;

fn refused(body: &str) -> (String, u32) {
    refusal(&format!("func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{\n{body}\n}}"))
}

#[test]
fn stated_types_must_be_those_of_the_ops() {
    let (message, line) = refused(
        "  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>",
    );
    assert_eq!((&message[..], line), ("the result is f32[3,2], tensor<2x3xf32> is stated", 2));
    let (message, line) =
        refused("  %0 = stablehlo.constant dense<0.0> : tensor<2xf32>\n  return %0 : tensor<2xf32>");
    assert_eq!((&message[..], line), ("result 0 is f32[2], the function states tensor<2x3xf32>", 3));
}

#[test]
fn what_needs_more_devices_says_how_many() {
    let (message, line) = refused(
        r#"  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>"#,
    );
    assert_eq!((&message[..], line), ("needs 4 devices; the program is built for one", 2));
}

#[test]
fn functions_that_are_missing_or_call_themselves() {
    let (message, line) = refused(
        "  %0 = call @other(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>",
    );
    assert_eq!((&message[..], line), ("there is no function @other", 2));
    let (message, _) = refused(
        "  %0 = call @main(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n  return %0 : tensor<2x3xf32>",
    );
    assert_eq!(message, "the function @main calls itself");
}

#[test]
fn calls_that_double_at_each_level_stay_small() {
    let mut text = String::from("module {\n");
    for level in 0..60 {
        let callee = match level {
            59 => "stablehlo.negate %x".to_owned(),
            _ => format!("func.call @f{}(%x)", level + 1),
        };
        let ty = if level == 59 { "tensor<f32>" } else { "(tensor<f32>) -> tensor<f32>" };
        let name = if level == 0 { "main".to_owned() } else { format!("f{level}") };
        text += &format!(
            "func.func @{name}(%x: tensor<f32>) -> tensor<f32> {{\n  %0 = {callee} : {ty}\n  %1 = {} : {ty}\n  return %1 : tensor<f32>\n}}\n",
            callee.replace("%x", "%0")
        );
    }
    text.push('}');
    assert_eq!(super::lower(&text).instrs().len(), 2);
}

#[test]
fn grids_of_processes_that_stand_in_themselves() {
    let text = r#"
module {
  func.func @main() -> tensor<ui32> {
    %0 = "interpreter.run_parallel"() {programs = [[@main]]} : () -> tensor<ui32>
    return %0 : tensor<ui32>
  }
}"#;
    assert_eq!(refusal(text), ("regions and calls nest more than 100 deep".to_owned(), 4));
}

#[test]
fn attributes_of_kernels_are_checked() {
    let kernel = |attributes: &str| {
        refused(&format!(
            r#"  %0 = "jarrah.kernel"(%x) <{{{attributes}}}> ({{
  ^bb0(%i: tensor<i32>, %a: tensor<3xf32>):
    stablehlo.return %a : tensor<3xf32>
  }}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>"#
        ))
        .0
    };
    let rows = r#"inputs = [[{point = 0 : i64}, "whole"]], outputs = [[{point = 0 : i64}, "whole"]]"#;
    for (attributes, part) in [
        (format!("{rows}, grid = array<i64: 2>, arbitrary = array<i64: 1>"), "the grid has no axis 1"),
        (format!("{rows}, grid = array<i64: 4294967296>"), "the grid is too large"),
        (format!("{rows}, grid = array<i64: 2>, form = \"graph\""), "`graph` is no form of a kernel"),
        (format!("{rows}, grid = array<i64: 2>, flops = -1 : i64"), "`flops` is no natural number"),
        (format!("{rows}, grid = array<i64: 2>, starts = [\"new\"]"), "`starts` is no list"),
        (format!("{rows}, grid = array<i64: 2>, starts = []"), "an entry for each of 1 results"),
        (
            format!("{rows}, grid = array<i64: 2>, scratch = [3 : i64]"),
            "`scratch` is no list of tensor types",
        ),
        (
            format!("{rows}, grid = array<i64: 2>, starts = [\"zeros\"]"),
            "the body takes 2 values; 3 are needed",
        ),
        (
            "grid = array<i64: 2>, inputs = [[{at = 0 : i64}]], outputs = [[]]".to_owned(),
            "an axis has `block` and `grid`",
        ),
        (
            "grid = array<i64: 2>, inputs = [[{block = 4294967296 : i64, grid = 0 : i64}]], outputs = [[]]"
                .to_owned(),
            "a block is too large",
        ),
    ] {
        let message = kernel(&attributes);
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
}
