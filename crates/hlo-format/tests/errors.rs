//! Every error has kind, place and words.

use jarrah_base::ErrorKind;
use jarrah_hlo_format::parse_named;

/// Asserts that the lines, put into a function on lines 2 and following, fail at `line:column` with `message`.
#[track_caller]
fn fails(body: &str, line: u32, column: u32, message: &str) {
    let text =
        format!("func.func @main(%x: tensor<4xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {{\n{body}\n}}\n");
    fails_whole(&text, line, column, message);
}

#[track_caller]
fn fails_whole(text: &str, line: u32, column: u32, message: &str) {
    let error = parse_named("bad.mlir", text).map(|p| format!("{p:?}")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    let place = error.location().map(|l| (l.file(), l.line(), l.column()));
    assert_eq!((place, error.message()), (Some(("bad.mlir", line, column)), message));
}

#[test]
fn in_the_syntax() {
    fails("%0 = stablehlo.add %x %x tensor<4xf32>", 2, 32, "expected `=`, found `<`");
    fails("%0 = stablehlo.add %x, %x : tensor<4yf32>", 2, 37, "expected `x` and the rest of the shape");
    fails("%0 = stablehlo.add %x, %x : i32", 2, 29, "expected a tensor type, found `i32`");
    fails("% = stablehlo.add", 2, 1, "expected a name after `%`");
    fails("%0 stablehlo.add", 2, 4, "expected `=`, found `stablehlo.add`");
    fails("%0 = stablehlo.constant dense<\"0x00", 2, 31, "the string has no end");
    fails_whole(
        "func.func @main(%x: tensor<f32>) {\n  return %x : tensor<f32>\n",
        3,
        1,
        "expected `}`, found the end of the text",
    );
    fails_whole("", 1, 1, "the text has no function");
    fails_whole("module @m {", 1, 12, "expected a function, found the end of the text");
    fails_whole("hello", 1, 1, "expected a function, found `hello`");
}

#[test]
fn in_ops_and_types_that_do_not_exist_here() {
    fails("%0 = stablehlo.fft %x, type = FFT : x", 2, 6, "the op stablehlo.fft is not supported");
    fails("%0 = \"stablehlo.fft\"(%x) : x", 2, 6, "the op stablehlo.fft is not supported");
    fails("%0 = stablehlo.custom_call @lapack(%x) : x", 2, 6, "the custom call lapack is not supported");
    let generic =
        "%0 = \"stablehlo.custom_call\"(%x) <{api_version = 1 : i32, call_target_name = \"tpu\"}> : x";
    fails(generic, 2, 6, "the custom call tpu is not supported");
    fails(
        "%0 = stablehlo.add %x, %x : tensor<4xcomplex<f16>>",
        2,
        38,
        "the element type complex<f16> is not supported",
    );
    fails(
        "%0 = stablehlo.add %x, %x : tensor<4xf8E4M5FN>",
        2,
        38,
        "the element type f8E4M5FN is not supported",
    );
    fails("%0 = stablehlo.add %x, %x : tensor<?xf32>", 2, 29, "an extent `?` has no name");
    fails(
        "%0 = stablehlo.add %x, %x : !stablehlo.token",
        2,
        29,
        "expected a tensor type, found `stablehlo.token`",
    );
}

#[test]
fn in_names_and_structure() {
    fails("return %y : tensor<4xf32>", 2, 1, "the value %y is not defined here");
    fails("return %x#1 : tensor<4xf32>", 2, 1, "the value %x#1 is not defined here");
    fails("%x = stablehlo.sine %x : tensor<4xf32>", 2, 1, "%x is defined twice");
    fails("%0 = stablehlo.sine %x : tensor<4xf32>", 1, 72, "the block does not end with a return");
    fails("return %x : tensor<4xf32>\nreturn %x : tensor<4xf32>", 2, 1, "is not the last op of its block");
    fails("%0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>", 2, 1, "there is no function @f");
    fails(
        "%0 = call @main(%x, %i) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>",
        2,
        1,
        "the function @main calls itself",
    );
    fails("return %i : tensor<4xi32>", 1, 1, "@main is said to return [f32[4]], but returns [i32[4]]");
    fails("%0:2 = stablehlo.sine %x : tensor<4xf32>", 2, 1, "has 1 results, 2 are named");
    let two = "func.func @a() { return }\nfunc.func @b() { return }";
    fails_whole(two, 1, 1, "none of the functions is @main: @a, @b");
    fails_whole("func.func @a() { return }\nfunc.func @a() { return }", 2, 1, "a second function @a");
}

#[test]
fn in_types_that_do_not_fit() {
    fails("%0 = stablehlo.add %x, %i : tensor<4xf32>", 2, 1, "dtypes differ: lhs f32[4], rhs i32[4]");
    fails("%0 = stablehlo.sine %x : tensor<5xf32>", 2, 1, "the result is f32[4], not f32[5]");
    let operand = "%0 = stablehlo.reshape %x : (tensor<5xf32>) -> tensor<2x2xf32>";
    fails(operand, 2, 1, "%x is f32[4], not f32[5]");
    fails(
        "%0 = stablehlo.compare LT, %i, %i, FLOAT : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>",
        2,
        1,
        "a comparison of kind FLOAT does not fit i32[4]",
    );
    fails(
        "%0 = stablehlo.compare UP, %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>",
        2,
        1,
        "`UP` is no comparison",
    );
    fails(
        "%0 = stablehlo.transpose %x : (tensor<4xf32>) -> tensor<4xf32>",
        2,
        1,
        "the attribute `dims` is missing",
    );
}

#[test]
fn in_constants() {
    fails(
        "%0 = stablehlo.constant dense<[1, 2, 3]> : tensor<4xi32>",
        2,
        39,
        "3 items along axis 0 of i32[4], not 4",
    );
    fails(
        "%0 = stablehlo.constant dense<[[1], 2]> : tensor<2x1xi32>",
        2,
        37,
        "expected `[` for i32[2,1], found `2`",
    );
    fails(
        "%0 = stablehlo.constant dense<300> : tensor<i8>",
        2,
        31,
        "expected an element of type i8, found `300`",
    );
    fails(
        "%0 = stablehlo.constant dense<1.5> : tensor<i8>",
        2,
        31,
        "expected an element of type i8, found `1.5`",
    );
    fails(
        "%0 = stablehlo.constant dense<true> : tensor<f32>",
        2,
        31,
        "expected an element of type f32, found `true`",
    );
    fails("%0 = stablehlo.constant dense<> : tensor<2xf32>", 2, 30, "no elements for f32[2]");
    fails(
        "%0 = stablehlo.constant dense<\"0x010\"> : tensor<3xi16>",
        2,
        31,
        "expected pairs of hexadecimal digits",
    );
    fails(
        "%0 = stablehlo.constant dense<\"0x01020304\"> : tensor<3xi16>",
        2,
        31,
        "4 bytes for i16[3], which has 6",
    );
}

#[test]
fn in_regions() {
    let body = "%c = stablehlo.constant dense<0.0> : tensor<f32>
%n = stablehlo.slice %x [0:1] : (tensor<4xf32>) -> tensor<1xf32>
%s = stablehlo.reshape %n : (tensor<1xf32>) -> tensor<f32>
%0 = stablehlo.reduce(%x init: %c) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
 reducer(%a: tensor<f32>, %b: tensor<f32>) {
  stablehlo.return %s : tensor<f32>
}";
    fails(body, 5, 1, "the region uses %s, which is no constant, from outside");
}

/// A huge tensor of one value is not filled in, and one that cannot exist is refused.
#[test]
fn in_sizes() {
    let text = "func.func @main() -> tensor<1000000x1000000xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000xf32>
  return %0 : tensor<1000000x1000000xf32>
}";
    let program = parse_named("big.mlir", text).unwrap();
    assert_eq!(program.instrs().len(), 2);
    let huge = "%0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000x1000000xf32>";
    fails(huge, 2, 38, "the tensor has too many elements");
    fails(
        "%0 = stablehlo.constant dense<1.0> : tensor<99999999999999999999xf32>",
        2,
        45,
        "the extent is too large",
    );
}

#[test]
fn in_nesting() {
    let deep = format!("func.func @main() attributes {{a = {}}} {{ return }}", "[".repeat(100_000));
    let error = parse_named("deep.mlir", &deep).unwrap_err();
    assert_eq!(error.message(), "nested more than 100 deep");
    let regions = "\"jarrah.remat\"() ({\n".repeat(50_000);
    let error = parse_named("deep.mlir", &format!("func.func @main() {{\n{regions}")).unwrap_err();
    assert_eq!(error.message(), "nested more than 100 deep");
    let locations = format!("#l = loc({}", "callsite(".repeat(100_000));
    assert_eq!(parse_named("deep.mlir", &locations).unwrap_err().message(), "nested more than 100 deep");
    let mut chain = String::from("func.func @main() { call @f0() : () -> ()\n return }\n");
    for i in 0..5_000 {
        chain.push_str(&format!("func.func private @f{i}() {{ call @f{}() : () -> ()\n return }}\n", i + 1));
    }
    chain.push_str("func.func private @f5000() { return }\n");
    let error = parse_named("chain.mlir", &chain).unwrap_err();
    assert_eq!(error.message(), "regions and calls nest more than 100 deep");
}

#[test]
fn locations_that_name_each_other_end() {
    let text = "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.sine %x : tensor<f32> loc(#a)\n return %0 : tensor<f32>\n}\n#a = loc(#b)\n#b = loc(\"n\"(#a))\n";
    let program = parse_named("cycle.mlir", text).unwrap();
    assert_eq!(program.instrs()[0].source.location, None);
}
