//! What JAX asks of LAPACK and its kin.

use jarrah_base::Literal;
use jarrah_hlo_format::lower::LowerOptions;

use super::{f32s, i32s, lower_with, refusal, run};

fn near(actual: &Literal, expected: &[f64]) {
    let actual = actual.to_f64_vec();
    assert_eq!(actual.len(), expected.len());
    let close = actual.iter().zip(expected).all(|(a, e)| (a - e).abs() < 1e-5);
    assert!(close, "{actual:?} is not {expected:?}");
}

fn called(target: &str, config: &str, operands: &str, results: &str) -> String {
    let types: Vec<&str> = operands.split(", ").collect();
    let params: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("%x{i}: {ty}")).collect();
    let uses: Vec<String> = (0..types.len()).map(|i| format!("%x{i}")).collect();
    let count = results.split(", ").count();
    let (names, left) = match count {
        1 => ("%0".to_owned(), "%0".to_owned()),
        n => ((0..n).map(|i| format!("%0#{i}")).collect::<Vec<_>>().join(", "), format!("%0:{n}")),
    };
    format!(
        "func.func @main({}) -> ({results}) {{
  {left} = stablehlo.custom_call @{target}({}) {{api_version = 4 : i32, mhlo.backend_config = {{{config}}}}} : ({operands}) -> ({results})
  return {names} : {results}
}}",
        params.join(", "),
        uses.join(", ")
    )
}

#[test]
fn factors_and_solutions() {
    let a = f32s(&[2, 2], &[4.0, 9.0, 2.0, 5.0]);
    let text =
        called("lapack_spotrf_ffi", "uplo = 76 : ui8", "tensor<2x2xf32>", "tensor<2x2xf32>, tensor<i32>");
    let results = run(&text, std::slice::from_ref(&a));
    near(&results[0], &[2.0, 0.0, 1.0, 2.0]);
    assert_eq!(results[1], i32s(&[], &[0]));
    // From the right, with the transpose of a unit lower triangle: X [1 2; 0 1] = [1 4].
    let config = "diag = 85 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8";
    let text = called("lapack_strsm_ffi", config, "tensor<2x2xf32>, tensor<1x2xf32>", "tensor<1x2xf32>");
    near(&run(&text, &[a, f32s(&[1, 2], &[1.0, 4.0])])[0], &[1.0, 2.0]);
}

#[test]
fn rows_are_counted_from_one_by_lapack_and_from_zero_by_xla() {
    let a = f32s(&[2, 2], &[1.0, 2.0, 4.0, 4.0]);
    let results = "tensor<2x2xf32>, tensor<2xi32>, tensor<i32>";
    let lapack = run(&called("lapack_sgetrf_ffi", "", "tensor<2x2xf32>", results), std::slice::from_ref(&a));
    near(&lapack[0], &[4.0, 4.0, 0.25, 1.0]);
    assert_eq!(lapack[1], i32s(&[2], &[2, 2]));
    let results = "tensor<2x2xf32>, tensor<2xi32>, tensor<2xi32>";
    let xla = run(&called("LuDecomposition", "", "tensor<2x2xf32>", results), &[a]);
    assert_eq!(xla[1..], [i32s(&[2], &[1, 1]), i32s(&[2], &[1, 0])]);
}

#[test]
fn exchanges_as_a_permutation() {
    let text = called("cu_lu_pivots_to_permutation", "", "tensor<2x2xi32>", "tensor<2x3xi32>");
    let results = run(&text, &[i32s(&[2, 2], &[2, 1, 1, 2])]);
    assert_eq!(results, [i32s(&[2, 3], &[2, 1, 0, 1, 2, 0])]);
}

#[test]
fn values_and_vectors() {
    let a = f32s(&[2, 2], &[0.0, 2.0, 2.0, 3.0]);
    let results = "tensor<2x2xf32>, tensor<2xf32>, tensor<i32>";
    let config = "mode = 86 : ui8, uplo = 76 : ui8";
    let eigh =
        run(&called("lapack_ssyevd_ffi", config, "tensor<2x2xf32>", results), std::slice::from_ref(&a));
    near(&eigh[1], &[-1.0, 4.0]);
    let text = "
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%x) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>)
  %1 = stablehlo.broadcast_in_dim %0#1, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.multiply %0#2, %1 : tensor<2x2xf32>
  %3 = stablehlo.dot_general %2, %0#3, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0#1, %3 : tensor<2xf32>, tensor<2x2xf32>
}";
    let svd = run(text, std::slice::from_ref(&a));
    near(&svd[0], &[4.0, 1.0]);
    near(&svd[1], &[0.0, 2.0, 2.0, 3.0]);
}

#[test]
fn products_of_reflections_times_a_matrix() {
    // Q R = A, so that Q^T A is R, and Q R is A again.
    let text = |transpose: bool| {
        format!(
            "
func.func @main(%a: tensor<3x2xf32>, %c: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {{
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {{mhlo.backend_config = {{}}}} : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  %1 = stablehlo.custom_call @lapack_sormqr_ffi(%0#0, %0#1, %c) {{mhlo.backend_config = {{left = true, transpose = {transpose}}}}} : (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1, %0#0 : tensor<3x2xf32>, tensor<3x2xf32>
}}"
        )
    };
    let a = f32s(&[3, 2], &[3.0, 1.0, 0.0, 2.0, 4.0, 1.0]);
    let results = run(&text(true), &[a.clone(), a.clone()]);
    let (r, packed) = (results[0].to_f64_vec(), results[1].to_f64_vec());
    near(&results[0], &[packed[0], packed[1], 0.0, packed[3], 0.0, 0.0]);
    let r = f32s(&[3, 2], &r.iter().map(|&x| x as f32).collect::<Vec<_>>());
    near(&run(&text(false), &[a.clone(), r])[0], &a.to_f64_vec());
}

#[test]
fn matrices_of_which_it_is_not_known_how_many_there_are() {
    let x = f32s(&[2, 2, 2], &[4.0, 2.0, 2.0, 5.0, 9.0, 3.0, 3.0, 2.0]);
    let (matrix, info) = ("tensor<?x2x2xf32>", "tensor<?xi32>");
    let text = |target: &str, config: &str, results: &[&str], wanted: usize| {
        let (result, results) = (results[wanted], results.join(", "));
        let count = results.split(", ").count();
        format!(
            "func.func @main(%x: {matrix}) -> ({result}, {info}) {{
  %0:{count} = stablehlo.custom_call @{target}(%x) {{mhlo.backend_config = {{{config}}}}} : ({matrix}) -> ({results})
  return %0#{wanted}, %0#{last} : {result}, {info}
}}",
            last = count - 1
        )
    };
    let values = "tensor<?x2xf32>";
    let cases = [
        (text("lapack_spotrf_ffi", "uplo = 76 : ui8", &[matrix, info], 0), vec![2.0, 0.0, 1.0, 2.0]),
        (
            text("lapack_ssyevd_ffi", "mode = 86 : ui8, uplo = 76 : ui8", &[matrix, values, info], 1),
            vec![2.438_447_2, 6.561_552_8],
        ),
        (
            text("lapack_sgesdd_ffi", "mode = 78 : ui8", &[matrix, values, matrix, matrix, info], 1),
            vec![6.561_552_8, 2.438_447_2],
        ),
        (text("lapack_sgetrf_ffi", "", &[matrix, "tensor<?x2xi32>", info], 0), vec![4.0, 2.0, 0.5, 4.0]),
    ];
    for (text, first) in cases {
        let program =
            lower_with(&text, &LowerOptions::for_arguments(std::slice::from_ref(&x))).unwrap().program;
        let results = jarrah_hlo_eval::evaluate(&program, std::slice::from_ref(&x)).unwrap();
        let found = results[0].to_f64_vec();
        assert_eq!(found.len(), 2 * first.len(), "{text}");
        for (found, expected) in found.iter().zip(&first) {
            assert!((found - expected).abs() < 1e-5, "{found}, not {expected}: {text}");
        }
        assert_eq!(results[1], i32s(&[2], &[0, 0]), "{text}");
    }
}

#[test]
fn extents_that_an_operand_says() {
    let text = "
func.func @main(%x: tensor<?x2xi32>) -> tensor<?x?xi32> {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x2xi32>) -> tensor<i32>
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %1 = stablehlo.concatenate %0, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%x, %1) {indices_of_shape_operands = dense<1> : tensor<1xi64>, mhlo.backend_config = {}} : (tensor<?x2xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %2 : tensor<?x?xi32>
}";
    let x = i32s(&[2, 2], &[2, 1, 1, 2]);
    let program = lower_with(text, &LowerOptions::for_arguments(std::slice::from_ref(&x))).unwrap().program;
    let results = jarrah_hlo_eval::evaluate(&program, &[x]).unwrap();
    assert_eq!(results, [i32s(&[2, 3], &[2, 1, 0, 1, 2, 0])]);
}

#[test]
fn results_that_nothing_here_computes_are_named() {
    let results = "tensor<2x2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<i32>";
    let (message, _) = refusal(&called("lapack_sgesdd_ffi", "mode = 65 : ui8", "tensor<2x2xf32>", results));
    assert_eq!(message, "result 0 of @lapack_sgesdd_ffi is not supported");
}
