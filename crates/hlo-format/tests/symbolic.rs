//! Modules with symbolic extents, made of modules with numbers.

use jarrah_base::Type;
use jarrah_base::{DType, Literal};
use jarrah_hlo_format::ir::IrModule;
use jarrah_hlo_format::symbolic::{Generalized, Polynomial, SymbolicScope, generalize};
use jarrah_hlo_format::{PrintOptions, assembly, import_for, print_tree};

/// The module with symbols of a text that has the size `n` and functions of it in it: `text` is given the size.
fn of(shape: &str, text: impl Fn(i64) -> String) -> Result<(SymbolicScope, Generalized), String> {
    let mut scope = SymbolicScope::new(&[]).unwrap();
    let shapes = vec![scope.shape(shape, None).unwrap()];
    let sizes = scope.sizes(&shapes).unwrap();
    let parse = |size: &Vec<i64>| assembly::parse("n.mlir", &text(size[0])).unwrap();
    let modules: Vec<IrModule> = sizes.all().iter().map(parse).collect();
    let made = generalize(&scope, &sizes, &modules, &shapes, 1).map_err(|error| error.to_string())?;
    Ok((scope, made))
}

fn rows(n: i64, op: &str, result: &str) -> String {
    format!(
        "func.func @main(%x: tensor<{n}x2xf32>) -> {result} {{
           %y = {op} : (tensor<{n}x2xf32>) -> {result}
           return %y : {result}
         }}"
    )
}

#[test]
fn extents_become_polynomials_and_ops_dynamic() {
    let (scope, made) =
        of("n, 2", |n| rows(n, "stablehlo.reshape %x", &format!("tensor<{}xf32>", 2 * n))).unwrap();
    let results: Vec<String> = made.results[0].iter().map(|extent| scope.display(extent)).collect();
    assert_eq!(results, ["2*n"]);
    let text = print_tree(&made.module, &PrintOptions::default());
    assert!(text.contains("stablehlo.dynamic_reshape") && text.contains("tensor<?x2xf32>"), "{text}");
    let program = import_for(&made.module, &[Type::tensor(DType::F32, [5, 2])]).unwrap();
    assert_eq!(program.result_types(), [Type::tensor(DType::F32, [10])]);
    let x = Literal::from_slice(&[5, 2], &[1f32; 10]).unwrap();
    assert_eq!(jarrah_hlo_eval::evaluate(&program, &[x]).unwrap()[0].dims(), [10]);
}

#[test]
fn what_is_no_polynomial_of_the_sizes_is_refused() {
    let slice = |limit: fn(i64) -> i64| {
        of("n, 2", move |n| {
            let limit = limit(n);
            let op = format!("stablehlo.slice %x [0:{limit}, 0:2]");
            rows(n, &op, &format!("tensor<{limit}x2xf32>"))
        })
    };
    assert!(slice(|n| n - 1).is_ok());
    for limit in [|n| n / 2, |n: i64| n.min(200), |n: i64| (n as f64).sqrt() as i64, |n| 1 + n % 2] {
        let error = slice(limit).expect_err("a refusal");
        assert!(error.contains("[slice]") && error.contains("no polynomial of the sizes"), "{error}");
    }
    // Another op at even sizes.
    let other = |n: i64| {
        rows(
            n,
            if n % 2 == 0 { "stablehlo.negate %x" } else { "stablehlo.abs %x" },
            &format!("tensor<{n}x2xf32>"),
        )
    };
    let error = of("n, 2", other).expect_err("a refusal");
    assert!(error.contains("stands here for n = ") && error.contains("negate for n = "), "{error}");
    // An attribute without a dynamic form.
    let reversed = |n: i64| {
        let result = format!("tensor<{}x2xf32>", n / n);
        let op = format!(
            "\"stablehlo.reduce_window\"(%x, %c) ({{
            ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %s = stablehlo.add %a, %b : tensor<f32>
              stablehlo.return %s : tensor<f32>
          }}) {{window_dimensions = array<i64: {n}, 1>}}"
        );
        format!(
            "func.func @main(%x: tensor<{n}x2xf32>) -> {result} {{
               %c = stablehlo.constant dense<0.0> : tensor<f32>
               %y = {op} : (tensor<{n}x2xf32>, tensor<f32>) -> {result}
               return %y : {result}
             }}"
        )
    };
    let error = of("n, 2", reversed).expect_err("a refusal");
    assert!(error.contains("window_dimensions is [") && error.contains("no constant"), "{error}");
}

#[test]
fn sizes_keep_to_the_constraints() {
    let mut scope = SymbolicScope::new(&["b <= 16", "n >= 100", "n <= 30*b"]).unwrap();
    let shapes = vec![scope.shape("b, 2*n, 7", None).unwrap()];
    let sizes = scope.sizes(&shapes).unwrap();
    for size in sizes.all() {
        let (b, n) = (size[0], size[1]);
        assert!(b <= 16 && n >= 100 && n <= 30 * b && b != 7, "{size:?}");
    }
    let two = Polynomial::constant(2);
    assert_eq!((two.as_constant(), two.evaluate(&[])), (Some(2), Some(2)));
}
