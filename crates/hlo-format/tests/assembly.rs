//! Text of the tree: what is read, what is written, what is refused and where.

use jarrah_base::{DType, ErrorKind};
use jarrah_hlo_format::assembly::{PrintOptions, parse, parse_split, print, write};
use jarrah_hlo_format::ir::{Attr, Definition, IrModule, Loc};

fn folder() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/assembly")
}

/// The module, after checking that it survives every way of printing it.
#[track_caller]
fn round_trip(name: &str, text: &str) -> IrModule {
    let module = parse(name, text).unwrap_or_else(|e| panic!("{e}"));
    for generic in [false, true] {
        for locations in [false, true] {
            let options = PrintOptions { generic, locations, ..PrintOptions::default() };
            let printed = print(&module, &options);
            let again = parse(name, &printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
            assert!(module.same(&again), "{printed}");
            assert_eq!(print(&again, &options), printed);
            let mut bytes = Vec::new();
            write(&module, &options, &mut bytes).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), printed);
        }
    }
    module
}

/// With `BLESS=1` in the environment the outputs are written instead of compared.
#[test]
fn each_file_has_its_output() {
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "mlir") {
            continue;
        }
        count += 1;
        let name = path.file_name().unwrap().to_string_lossy();
        let module = round_trip(&name, &std::fs::read_to_string(&path).unwrap());
        module.verify().unwrap_or_else(|e| panic!("{e}"));
        let printed = print(&module, &PrintOptions::default());
        let expected = path.with_extension("out");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&expected, &printed).unwrap();
        }
        assert_eq!(printed, std::fs::read_to_string(&expected).unwrap(), "{name}");
    }
    assert!(count >= 5);
}

/// A constant's text between `dense<` and `>`, after a round trip.
#[track_caller]
fn constant(elements: &str, ty: &str) -> String {
    let text = format!(
        "func.func @f() -> {ty} {{\n  %0 = stablehlo.constant dense<{elements}> : {ty}\n  return %0 : {ty}\n}}"
    );
    let module = round_trip("constant.mlir", &text);
    let printed = print(&module, &PrintOptions::default());
    let (_, rest) = printed.split_once("dense<").unwrap();
    rest.split_once('>').unwrap().0.to_owned()
}

#[test]
fn constants_are_canonical() {
    assert_eq!(constant("[1, 2]", "tensor<2xi4>"), "[1, 2]");
    assert_eq!(constant("[-1, 15]", "tensor<2xi4>"), "-1");
    assert_eq!(constant("[[3], [3]]", "tensor<2x1xui64>"), "3");
    assert_eq!(constant("18446744073709551615", "tensor<ui64>"), "18446744073709551615");
    assert_eq!(constant("\"0x05\"", "tensor<3xi1>"), "[true, false, true]");
    assert_eq!(constant("\"0x010001\"", "tensor<3xi1>"), "[true, false, true]");
    assert_eq!(constant("[0.1, 1.0e-45]", "tensor<2xf32>"), "[1.000000e-01, 1.401298e-45]");
    assert_eq!(constant("0xFF800000", "tensor<f32>"), "0xFF800000");
    assert_eq!(constant("0.333333333333333314829616256247", "tensor<f64>"), "3.333333333333333e-01");
    assert_eq!(
        constant("[(1.0, 2.0), (1.0, 2.0)]", "tensor<2xcomplex<f64>>"),
        "(1.000000e+00, 2.000000e+00)"
    );
    assert_eq!(constant("", "tensor<0x2xf32>"), "");
    assert_eq!(constant("1.5", "tensor<2xf8E5M2>"), "1.500000e+00");
    assert_eq!(constant("[1, // one > zero\n 2]", "tensor<2xindex>"), "[1, 2]");
    let many: Vec<String> = (0..200).map(|i| i.to_string()).collect();
    let printed = constant(&format!("[{}]", many.join(", ")), "tensor<200xi8>".replace("i8", "ui8").as_str());
    assert!(printed.starts_with("\"0x000102"), "{printed}");
}

#[test]
fn every_dtype_has_constants() {
    for dtype in DType::ALL {
        let (name, one) = match dtype {
            DType::Bool => ("i1".to_owned(), "true"),
            DType::C64 => ("complex<f32>".to_owned(), "(1.0, 0.0)"),
            DType::C128 => ("complex<f64>".to_owned(), "(1.0, 0.0)"),
            d if d.is_float() => {
                let upper = d.name().to_uppercase();
                let name = if d.bits() <= 8 { format!("f{}", &upper[1..]) } else { d.name().to_owned() };
                (name, "1.0")
            }
            d if d.name().starts_with('u') => (d.name().replacen('u', "ui", 1), "1"),
            d => (d.name().to_owned(), "1"),
        };
        constant(one, &format!("tensor<3x{name}>"));
        constant(&format!("[[{one}]]"), &format!("tensor<1x1x{name}>"));
    }
}

#[test]
fn locations_are_kept() {
    let text = "module {\n  func.func @f(%a: tensor<f32> loc(\"a\")) {\n    %0 = stablehlo.negate %a : tensor<f32> loc(#loc3)\n    return loc(unknown)\n  } loc(#loc1)\n} loc(#loc)\n#loc = loc(unknown)\n#loc1 = loc(\"x.py\":1:2)\n#loc2 = loc(callsite(#loc1 at fused[\"g\"(\"y.py\":3:4 to :9), \"z\"]))\n#loc3 = loc(\"scope\"(#loc2))\n";
    let module = round_trip("loc.mlir", text);
    let function = &module.ops()[0];
    assert_eq!(function.loc, Loc::File("x.py".into(), 1, 2));
    let Loc::Name(name, inner) = &function.regions[0].ops[0].loc else { panic!() };
    assert_eq!(&**name, "scope");
    assert!(matches!(&**inner, Loc::CallSite(both) if matches!(both.1, Loc::Fused(_))));
    let printed = print(&module, &PrintOptions { locations: true, ..PrintOptions::default() });
    assert!(printed.contains("#loc4 = loc(\"g\"(#loc3))\n"), "{printed}");
    assert!(printed.contains("#loc3 = loc(\"y.py\":3:4 to :9)\n"), "{printed}");
}

#[test]
fn parts_of_a_file() {
    let text =
        "#a = 1 : i8\nmodule @a attributes {x = #a} {}\n// ----- and so on\n\nmodule @b {}\n// -----\n";
    let modules = parse_split("parts.mlir", text).unwrap();
    let names: Vec<_> = modules.iter().map(|m| m.name()).collect();
    assert_eq!(names, [Some("a"), Some("b")]);
    assert!(matches!(modules[0].op.attr("x"), Some(Attr::Integer(1, _))));
    let error = parse_split("parts.mlir", &format!("{text}module @c [\n")).unwrap_err();
    assert_eq!(error.location().map(|l| (l.line(), l.column())), Some((7, 11)));
    assert_eq!(parse_split("empty.mlir", "").unwrap().len(), 1);
}

#[test]
fn large_constants_may_be_left_out() {
    let text = "func.func @f() -> tensor<3xi32> {\n  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>\n  return %0 : tensor<3xi32>\n}";
    let module = parse("f.mlir", text).unwrap();
    let printed = print(&module, &PrintOptions { elide_larger_than: Some(2), ..PrintOptions::default() });
    assert!(printed.contains("dense_resource<__elided__> : tensor<3xi32>"), "{printed}");
    assert!(
        parse("f.mlir", &printed).unwrap_err().to_string().contains("printed without its large constants")
    );
    assert_eq!(
        print(&module, &PrintOptions { elide_larger_than: Some(3), ..PrintOptions::default() }),
        print(&module, &PrintOptions::default())
    );
}

#[test]
fn strings_are_bytes() {
    let text = "module attributes {a = \"\\08\\FF\\C3\\A9 \\22\\\\\\n\"} {}";
    let module = round_trip("s.mlir", text);
    let printed = print(&module, &PrintOptions::default());
    assert!(printed.contains("\"\\08\\FF\\C3\\A9 \\22\\\\\\0A\""), "{printed}");
}

#[test]
fn every_op_can_be_looked_up() {
    for definition in Definition::all() {
        assert_eq!(Definition::find(definition.name), Some(definition));
    }
    assert!(Definition::find("stablehlo.ad").is_none());
}

/// Asserts that the lines, put into a function on lines 2 and following, fail at `line:column` with `message`.
#[track_caller]
fn fails(body: &str, line: u32, column: u32, message: &str) {
    fails_whole(
        &format!("func.func @main(%x: tensor<4xf32>, %i: tensor<i32>) {{\n{body}\nreturn\n}}\n"),
        line,
        column,
        message,
    );
}

#[track_caller]
fn fails_whole(text: &str, line: u32, column: u32, message: &str) {
    let error = parse("bad.mlir", text)
        .and_then(|m| m.verify().map(|()| print(&m, &PrintOptions::default())))
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input, "{error}");
    let place = error.location().map(|l| (l.file(), l.line(), l.column()));
    assert_eq!((place, error.message()), (Some(("bad.mlir", line, column)), message));
}

#[test]
fn errors_of_syntax() {
    fails("%0 = stablehlo.add %x %x : tensor<4xf32>", 2, 23, "expected `,`, found `%x`");
    fails("%0 = stablehlo.add %x, %y : tensor<4xf32>", 2, 24, "there is no value `%y` here");
    fails("%0 = stablehlo.add %x, %x#1 : tensor<4xf32>", 2, 24, "`%x` has 1 values, no #1");
    fails("%0 = stablehlo.add %x, %x : tensor<4yf32>", 2, 37, "expected `x` and the rest of the shape");
    fails("%0 = stablehlo.add %x, %x : tensor<4xf3>", 2, 38, "expected a type, found `f3`");
    fails(
        "%0 = stablehlo.add %x, %x : tensor<5xf32>",
        2,
        29,
        "operand 0 is a tensor<4xf32>, not a tensor<5xf32>",
    );
    fails("%0 = stablehlo.ad %x, %x : tensor<4xf32>", 2, 6, "there is no op stablehlo.ad");
    fails(
        "%0 = stablehlo.compare LESS, %x, %x",
        2,
        24,
        "expected one of EQ, NE, GE, GT, LE, LT, found `LESS`",
    );
    fails("%0, %1 = stablehlo.abs %x : tensor<4xf32>", 2, 1, "2 names for 1 results");
    fails("%x = stablehlo.abs %x : tensor<4xf32>", 2, 1, "`%x` is defined twice");
    fails("%0 = stablehlo.sort %x : tensor<4xf32>", 2, 6, "stablehlo.sort has no syntax of its own");
    fails(
        "%0 = stablehlo.slice %x [0:4:] : (tensor<4xf32>) -> tensor<4xf32>",
        2,
        30,
        "expected an integer, found `]`",
    );
    fails("%0 = stablehlo.transpose %x, dims = [a] : (", 2, 38, "expected an integer, found `a`");
    fails(
        "%0 = \"stablehlo.iota\"() {a = 1 : i8, a} : () -> tensor<2xi8>",
        2,
        38,
        "there are two attributes a",
    );
    fails("%0 = \"stablehlo.iota\"() {a = 300 : i8} : () -> tensor<2xi8>", 2, 30, "300 is no i8");
    fails("%0 = stablehlo.iota dim = 0 {a = #b} : tensor<2xi8>", 2, 34, "there is no alias #b");
    fails(
        "%0 = stablehlo.iota dim = 0 {a = #stablehlo.b<1>} : tensor<2xi8>",
        2,
        34,
        "there is no attribute #stablehlo.b",
    );
    fails_whole("module @m {", 1, 12, "expected an op or `}`, found the end of the text");
    fails_whole("#a = #b\n#b = #a\nmodule attributes {a = #a} {}", 2, 6, "`#a` is defined by itself");
    fails_whole(&format!("module attributes {{a = {}", "[".repeat(200)), 1, 123, "nested more than 100 deep");
    let help = parse("bad.mlir", "%0 = stablehlo.cosin %1").unwrap_err().to_string();
    assert!(help.contains("did you mean stablehlo.cosine?"), "{help}");
}

#[test]
fn errors_of_constants() {
    let constant = |text: &str| format!("%0 = stablehlo.constant {text}");
    fails(&constant("dense<[1, 2]> : tensor<3xi32>"), 2, 36, "2 items along axis 0, which has extent 3");
    fails(&constant("dense<[1, 2, 3, 4]> : tensor<3xi32>"), 2, 41, "more than 3 elements");
    fails(&constant("dense<[[1]]> : tensor<1xi32>"), 2, 32, "expected an element of type i32, found ``");
    fails(&constant("dense<[1]> : tensor<1x1xi32>"), 2, 32, "expected 2 nested lists");
    fails(&constant("dense<[1 2]> : tensor<2xi32>"), 2, 34, "expected `,` or `]`");
    fails(&constant("dense<1.5> : tensor<i32>"), 2, 31, "expected an element of type i32, found `1.5`");
    fails(&constant("dense<256> : tensor<i8>"), 2, 31, "expected an element of type i8, found `256`");
    fails(&constant("dense<\"0x0G\"> : tensor<i8>"), 2, 34, "expected hexadecimal digits");
    fails(&constant("dense<\"0x000000\"> : tensor<2xi8>"), 2, 34, "3 bytes for 2 elements of 1 each");
    fails(&constant("dense<1> : tensor<?xi8>"), 2, 30, "the extents of a constant are known");
    fails(
        &constant("dense<[1]> : tensor<1099511627776xi8>"),
        2,
        31,
        "too few elements: there should be 1099511627776",
    );
    fails(&constant("dense_resource<a> : tensor<1xi8>"), 2, 40, "the text has no resource a");
}

#[test]
fn errors_of_structure() {
    fails(
        "%0 = \"stablehlo.abs\"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>",
        2,
        6,
        "2 operands, where there should be 1",
    );
    fails("%0 = \"stablehlo.iota\"() : () -> tensor<4xf32>", 2, 6, "the attribute iota_dimension is missing");
    fails(
        "%0 = \"stablehlo.iota\"() {iota_dimension = \"a\"} : () -> tensor<4xf32>",
        2,
        6,
        "the attribute iota_dimension should be an integer of type i64",
    );
    fails("%0 = stablehlo.iota dim = 1 : tensor<4xf32>", 2, 6, "the result has no axis 1");
    fails("func.call @f() : () -> ()", 2, 1, "there is no @f");
    fails(
        "%0 = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>",
        2,
        6,
        "the operands have other types than the arguments of @main",
    );
    fails("return", 2, 1, "only the last op of a region may be a return");
    fails(
        "%0 = stablehlo.abs %x : (tensor<4xf32>) -> tensor<5xf32>",
        2,
        6,
        "operands and results have different shapes",
    );
    fails(
        "%0 = stablehlo.negate %x : (tensor<4xf32>) -> tensor<?xf16>",
        2,
        6,
        "operands and results have different element types",
    );
    fails("%0 = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<5xf32>", 2, 6, "4 elements become 5");
    fails(
        "%0 = stablehlo.transpose %x, dims = [1] : (tensor<4xf32>) -> tensor<4xf32>",
        2,
        6,
        "[1] is no permutation of 1 axes",
    );
    fails(
        "%0 = stablehlo.broadcast_in_dim %x, dims = [2] : (tensor<4xf32>) -> tensor<4x4xf32>",
        2,
        6,
        "the result has no axis 2",
    );
    let body = "%0 = \"stablehlo.if\"(%p) ({\n  stablehlo.return %x : tensor<4xf32>\n}, {\n}) : (tensor<i1>) -> tensor<4xf32>";
    fails(
        &format!("%p = stablehlo.constant dense<true> : tensor<i1>\n{body}"),
        3,
        6,
        "a region does not end with a return",
    );
    fails_whole("func.func @f() {\n  return\n}\nfunc.func @f() {\n  return\n}", 4, 1, "@f is defined twice");
    fails_whole(
        "func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {\n  return %a : tensor<2xf32>\n}",
        2,
        3,
        "the returned values have other types than the function's results",
    );
}

#[test]
fn unknown_extents_fit_anything() {
    let text = "func.func @f(%a: tensor<?x4xf32>, %b: tensor<2x?xf32>) -> tensor<?x?xf32> {\n  %0 = stablehlo.add %a, %b : (tensor<?x4xf32>, tensor<2x?xf32>) -> tensor<?x?xf32>\n  return %0 : tensor<?x?xf32>\n}";
    round_trip("dynamic.mlir", text).verify().unwrap();
}

#[test]
fn aliases_that_multiply_are_refused() {
    let mut text = "#a0 = [1, 2, 3, 4]\n".to_owned();
    for i in 1..60 {
        text.push_str(&format!("#a{i} = [#a{0}, #a{0}]\n", i - 1));
    }
    text.push_str("module attributes {a = #a59} {}\n");
    let error = parse("bomb.mlir", &text).unwrap_err();
    assert!(error.message().contains("stand for too much"), "{error}");
}
