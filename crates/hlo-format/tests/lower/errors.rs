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
