//! One program for each constraint on attributes and element types, and what refuses it.

use jarrah_hlo_format::{assembly, lower};

fn refused(body: &str, expected: &str) {
    let text = if body.contains("func.func") {
        body.to_owned()
    } else {
        format!(
            "func.func @main(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %f: tensor<f32>, %n: tensor<i32>, %b: tensor<i8>) {{\n{body}\nreturn }}"
        )
    };
    let module = assembly::parse("test", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let error = match module.verify() {
        Err(error) => error,
        Ok(()) => lower::entry(&module, &lower::LowerOptions::default()).map(|_| ()).expect_err(&text),
    };
    assert!(error.message().contains(expected), "{error}\n{text}");
}

#[test]
fn accuracies_and_precisions() {
    let accuracy = |fields: &str| {
        format!(
            r#"%0 = "stablehlo.tan"(%f) {{result_accuracy = #stablehlo.result_accuracy<{fields}>}} : (tensor<f32>) -> tensor<f32>"#
        )
    };
    let highest = "atol = 0.5, mode = #stablehlo.result_accuracy_mode<HIGHEST>";
    refused(&accuracy(highest), "which the mode HIGHEST does not take");
    refused(
        &accuracy("ulps = -1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>"),
        "a tolerance of result_accuracy is negative",
    );
    let product = |rest: &str| {
        format!(
            r#"%0 = "stablehlo.dot_general"(%x, %x) {{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, {rest}}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>"#
        )
    };
    let high = "#stablehlo<precision HIGH>";
    refused(&product(&format!("precision_config = [{high}, {high}, {high}]")), "at most 2 are expected");
    refused(&product("precision_config = [\"HIGH\"]"), "a list of #stablehlo.precision");
    let algorithm = |side: &str, sum: &str, [l, r, n]: [i64; 3]| {
        format!(
            "algorithm = #stablehlo.dot_algorithm<lhs_precision_type = {side}, rhs_precision_type = {side}, accumulation_type = {sum}, lhs_component_count = {l}, rhs_component_count = {r}, num_primitive_operations = {n}, allow_imprecise_accumulation = false>"
        )
    };
    let tf32 = algorithm("tf32", "f32", [1, 1, 3]);
    refused(&product(&format!("precision_config = [{high}, {high}], {tf32}")), "should be DEFAULT");
    refused(&product(&algorithm("tf32", "f32", [0, 1, 1])), "lhs_component_count is 0");
    refused(&product(&algorithm("tf32", "f32", [1, -1, 1])), "rhs_component_count is -1");
    refused(&product(&algorithm("tf32", "f32", [1, 1, 0])), "num_primitive_operations is 0");
    refused(&product(&algorithm("i8", "f32", [1, 1, 1])), "none that the specification lists");
    refused(&product(&algorithm("f32", "f32", [1, 1, 3])), "none that the specification lists");
}

#[test]
fn names_of_composites() {
    for name in ["plain", "a.", ".a", "1.a", "a.-", "a..b"] {
        let text = format!(
            "func.func @f() {{ return }}\nfunc.func @main() {{ stablehlo.composite \"{name}\" {{decomposition = @f}} : () -> ()\nreturn }}"
        );
        refused(&text, "one as in \"dialect.name\" is expected");
    }
    let good = "func.func @f() { return }\nfunc.func @main() { stablehlo.composite \"a.b_1.$c\" {decomposition = @f} : () -> ()\nreturn }";
    assembly::parse("test", good).unwrap().verify().unwrap();
}

#[test]
fn bodies_of_reductions() {
    let body = |t: &str| {
        format!("({{ ^bb0(%p: {t}, %q: {t}):\n%s = stablehlo.add %p, %q : {t}\nstablehlo.return %s : {t} }})")
    };
    let narrow = body("tensor<i8>");
    refused(
        &format!(
            "%0 = \"stablehlo.reduce\"(%i, %b) {narrow} {{dimensions = array<i64: 0>}} : (tensor<2x3xi32>, tensor<i8>) -> tensor<3xi8>"
        ),
        "operand 0 has elements of type i32",
    );
    let window = "window_dimensions = array<i64: 1, 1>";
    refused(
        &format!(
            "%0 = \"stablehlo.reduce_window\"(%x, %n) {} {{{window}}} : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>",
            body("tensor<f32>")
        ),
        "initial value 0 has elements of type i32",
    );
    refused(
        &format!(
            "%0 = \"stablehlo.reduce_window\"(%x, %f) {} {{{window}, padding = dense<0> : tensor<4x1xi64>}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
            body("tensor<f32>")
        ),
        "a tensor<Nx2xi64> is expected",
    );
    let select = "^bb0(%c: tensor<f32>, %d: tensor<f32>):\n%e = stablehlo.compare GE, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>\n";
    let scatter = |end: &str, attributes: &str| {
        format!(
            "%0 = \"stablehlo.select_and_scatter\"(%x, %x, %f) ({{ {select}{end} }}, {} {{{attributes}}} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>",
            &body("tensor<f32>")[1..]
        )
    };
    refused(&scatter("stablehlo.return %e : tensor<i1>", ""), "one for each of 2 axes is needed");
    refused(&scatter("stablehlo.return %c : tensor<f32>", window), "should return one tensor<i1>");
}

#[test]
fn extents_that_constants_contradict() {
    let shape = "%s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>\n";
    for op in [
        "%0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>",
        "%0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<2x3xf32>",
        "%0 = stablehlo.dynamic_broadcast_in_dim %f, %s, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>",
        "%0 = \"stablehlo.rng\"(%f, %f, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>",
    ] {
        refused(&format!("{shape}{op}"), "says the extents [3, 2], f32[2,3] is stated");
    }
}

#[test]
fn other_constraints() {
    let map = |t: &str, axes: &str| {
        format!(
            "%0 = \"stablehlo.map\"(%x) ({{ ^bb0(%p: {t}):\n%c = stablehlo.constant dense<1.0> : tensor<f32>\nstablehlo.return %c : tensor<f32> }}) {{dimensions = array<i64: {axes}>}} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
        )
    };
    refused(&map("tensor<f32>", "1, 0"), "all axes in their order are expected");
    refused(&map("tensor<f32>", "0, 1, 2"), "all axes in their order are expected");
    refused(&map("tensor<i32>", "0, 1"), "argument 0 of the region has another element type");
    refused("%0 = \"stablehlo.is_finite\"(%i) : (tensor<2x3xi32>) -> tensor<2x3xi1>", "floats are expected");
    refused(
        "%s = stablehlo.constant dense<2> : tensor<1xi32>\n%0 = \"stablehlo.set_dimension_size\"(%x, %s) {dimension = 0 : i64} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<2x3xf32>",
        "operand 1 has rank 1, 0 is expected",
    );
    refused(
        "%0 = \"chlo.constant_like\"(%i) {value = 1.5 : f32} : (tensor<2x3xi32>) -> tensor<2x3xi32>",
        "the value has another type",
    );
    refused("func.func private @f() -> !stablehlo.thing\nfunc.func @main() { return }", "there is no type");
}
