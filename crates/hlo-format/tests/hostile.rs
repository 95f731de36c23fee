//! Files that are made to break what reads them: they are refused, or read, and nothing else.

use jarrah_base::Result;
use jarrah_hlo::Program;
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::{bytecode, parse, parse_tree};

const DEEP: usize = 20_000;

/// `open` and `close` around `inside`, very often.
fn nested(open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(DEEP), close.repeat(DEEP))
}

fn message(text: &str) -> String {
    parse(text).expect_err("the text is refused").to_string()
}

#[test]
fn deep_types_are_refused() {
    let types = [
        nested("complex<", "f32", ">"),
        nested("!quant.uniform<i8:", "f32", ", 0.5>"),
        nested("tuple<", "tensor<f32>", ">"),
        nested("tensor<2x", "f32", ">"),
        nested("!stablehlo.future<", "tensor<f32>", ">"),
        nested("(", "tensor<f32>", ") -> tensor<f32>"),
        nested("() -> (", "tensor<f32>", ")"),
        nested("vector<", "f32", ">"),
        nested("!foreign<", "f32", ">"),
        "complex<".repeat(DEEP),
        "!quant.uniform<i8:".repeat(DEEP),
        "() -> ".repeat(DEEP),
    ];
    for ty in &types {
        for ty in [ty.clone(), format!("tensor<4x{ty}>")] {
            let text = format!("func.func @main(%x: {ty}) -> {ty} {{ return %x : {ty} }}");
            assert!(parse(&text).is_err(), "{}", &text[..60]);
        }
    }
    assert!(
        message(&format!("func.func @main(%x: tensor<{}>) {{}}", types[0])).contains("nested more than 100")
    );
}

#[test]
fn deep_attributes_regions_and_locations_are_refused() {
    let attributes = [
        nested("[", "1", "]"),
        nested("{a = ", "1", "}"),
        nested("#foreign<", "1", ">"),
        nested("dense<[", "1", "]> : tensor<1xi32>"),
        format!("dense<{}> : tensor<1xi32>", nested("[", "1", "]")),
        format!("affine_map<(d0) -> ({})>", nested("(", "d0", ")")),
        "[".repeat(DEEP),
    ];
    for attribute in attributes {
        let text = format!("func.func @main() attributes {{x = {attribute}}} {{ return }}");
        // Other dialects' attributes are kept as text.
        let _ = parse(&text);
        let text = format!("func.func @main() {{ %c = stablehlo.constant {attribute}\n return }}");
        assert!(parse(&text).is_err(), "{}", &text[..60]);
    }
    let regions = nested("\"stablehlo.case\"(%i) ({\n", "", "}) : (tensor<i32>) -> ()\n");
    assert!(parse(&format!("func.func @main(%i: tensor<i32>) {{ {regions} return }}")).is_err());
    let modules = nested("module {\n", "", "}\n");
    assert!(parse(&modules).is_err());
    for loc in [
        nested("callsite(", "unknown", " at unknown)"),
        nested("fused[", "unknown", "]"),
        nested("\"a\"(", "unknown", ")"),
    ] {
        let _ = parse(&format!("func.func @main() {{ return loc({loc}) }} loc({loc})"));
    }
}

/// `@main` calls `@f0`, which calls `@f1`, and so on.
fn chain(length: usize, last: &str) -> String {
    let call = |i: usize| {
        format!(
            "%y = call @{} (%x) : (tensor<f32>) -> tensor<f32>",
            if i < length { format!("f{i}") } else { last.into() }
        )
    };
    let mut text = format!(
        "func.func public @main(%x: tensor<f32>) -> tensor<f32> {{ {}\n return %y : tensor<f32> }}\n",
        call(0)
    );
    for i in 0..length {
        text += &format!(
            "func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {{ {}\n return %y : tensor<f32> }}\n",
            call(i + 1)
        );
    }
    text + "func.func private @last(%x: tensor<f32>) -> tensor<f32> { %y = stablehlo.negate %x : tensor<f32>\n return %y : tensor<f32> }\n"
}

/// What a text means, read as text and from bytecode.
fn both(text: &str) -> [Result<Program>; 2] {
    let module = parse_tree("<text>", text).expect("the syntax is right").remove(0);
    let bytes = bytecode::write(&module, bytecode::Version::CURRENT).expect("the module is bytecode too");
    let module = bytecode::read("<bytecode>", &bytes).expect("what was written is read");
    [parse(text), jarrah_hlo_format::import(&module)]
}

#[test]
fn deep_calls_are_refused() {
    for program in both(&chain(DEEP, "last")) {
        let message = program.expect_err("too deep").to_string();
        assert!(message.contains("@main nest more than 100 deep"), "{message}");
    }
    for program in both(&chain(90, "last")) {
        program.expect("deep enough for anybody");
    }
    // In a ring, and into a ring that is not there for the entry.
    for (length, last, name) in
        [(DEEP, "f0", "@f"), (DEEP, "main", "@"), (1, "f0", "@f0"), (0, "main", "@main")]
    {
        for program in both(&chain(length, last)) {
            let message = program.expect_err("endless").to_string();
            assert!(
                message.contains(&format!("the function {name}")) && message.contains("calls itself"),
                "{message}"
            );
        }
    }
}

/// Sizes follow from constants here, but not soon: each step combines as many elements as a value may have with as many.
#[test]
fn shapes_that_take_long_to_compute_are_refused() {
    let windows = |i: usize| {
        format!(
            "%{} = \"stablehlo.reduce_window\"(%{i}, %z) <{{
              window_dimensions = array<i64: 65536>, padding = dense<[[32768, 32767]]> : tensor<1x2xi64>
            }}> ({{
            ^bb0(%a: tensor<i32>, %b: tensor<i32>):
              %c = stablehlo.multiply %a, %b : tensor<i32>
              %d = stablehlo.subtract %c, %a : tensor<i32>
              stablehlo.return %d : tensor<i32>
            }}) : (tensor<65536xi32>, tensor<i32>) -> tensor<65536xi32>\n",
            i + 1
        )
    };
    let calls =
        |i: usize| format!("%{} = call @step(%{i}) : (tensor<65536xi32>) -> tensor<65536xi32>\n", i + 1);
    let within = |step: &dyn Fn(usize) -> String, steps: usize| {
        let steps: String = (0..steps).map(step).collect();
        let count = steps.matches(" = \"").count() + steps.matches(" = call").count();
        format!(
            "func.func public @main(%x: tensor<f32>) -> tensor<?xf32> {{
              %0 = stablehlo.constant dense<1> : tensor<65536xi32>
              %z = stablehlo.constant dense<0> : tensor<i32>
              {steps}
              %size = stablehlo.slice %{count} [3:4] : (tensor<65536xi32>) -> tensor<1xi32>
              %y = stablehlo.dynamic_broadcast_in_dim %x, %size, dims = []
                : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
              return %y : tensor<?xf32>
            }}
            func.func private @step(%0: tensor<65536xi32>) -> tensor<65536xi32> {{
              %1 = stablehlo.abs %0 : tensor<65536xi32>
              return %1 : tensor<65536xi32>
            }}"
        )
    };
    for text in [within(&windows, 40), within(&calls, 20_000)] {
        for program in both(&text) {
            let message = program.expect_err("too long").to_string();
            assert!(message.contains("is not known before the program runs"), "{message}");
        }
    }
    for program in both(&within(&calls, 100)) {
        assert_eq!(program.expect("soon enough").result_types()[0].to_string(), "f32[1]");
    }
}

#[test]
fn results_without_room_are_errors() {
    let iota = "func.func @main() -> tensor<4611686018427387904xi8> {
        %x = stablehlo.iota dim = 0 : tensor<4611686018427387904xi8>
        return %x : tensor<4611686018427387904xi8> }";
    let spread = "func.func @main(%x: tensor<f32>) -> tensor<100000x1000000xf32> {
        %y = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> tensor<100000x1000000xf32>
        return %y : tensor<100000x1000000xf32> }";
    let padded = "func.func @main(%x: tensor<f32>) -> tensor<100000000001xf32> {
        %z = stablehlo.reshape %x : (tensor<f32>) -> tensor<1xf32>
        %y = stablehlo.pad %z, %x, low = [0], high = [100000000000], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<100000000001xf32>
        return %y : tensor<100000000001xf32> }";
    for (text, op) in [(iota, "[iota]"), (spread, "[broadcast_in_dim]"), (padded, "[pad]")] {
        let program = parse(text).expect("nothing is computed yet");
        let x = jarrah_base::Literal::scalar(1.0f32);
        let error = evaluate(&program, &vec![x; program.params().len()]).expect_err("no room").to_string();
        assert!(error.contains(op) && error.contains("bytes of memory, of which"), "{error}");
        assert!(error.contains("<text>:2") || error.contains("<text>:3"), "{error}");
    }
    let constants = [
        "dense<0> : tensor<4611686018427387904xi8>",
        "dense<1.5> : tensor<100000x1000000xf32>",
        "dense<1.5> : tensor<4294967296x4294967296x4294967296xf32>",
        "dense<[]> : tensor<0x4611686018427387904x9xf32>",
        "dense<\"0x00\"> : tensor<4611686018427387904xi8>",
    ];
    for constant in constants {
        let ty = constant.split(" : ").nth(1).expect("a type");
        let _ = parse(&format!(
            "func.func @main() -> {ty} {{ %x = stablehlo.constant {constant}\n return %x : {ty} }}"
        ));
    }
}
