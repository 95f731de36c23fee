use jarrah_base::Literal;
use jarrah_hlo::Op;
use jarrah_hlo::ops::{Reducer, SortOrder};

use super::{f32s, i32s, lower, run};

const SUM: &str = "
func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %init = stablehlo.constant dense<INIT> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}";

#[test]
fn a_sum_from_zero_is_only_a_sum() {
    let program = lower(&SUM.replace("INIT", "0.0"));
    assert!(matches!(program.instrs(), [i] if matches!(&i.op, Op::Reduce(r) if r.reducer == Reducer::Add)));
}

#[test]
fn another_initial_value_is_added() {
    let x = f32s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(run(&SUM.replace("INIT", "10.0"), &[x]), [f32s(&[2], &[16.0, 25.0])]);
}

#[test]
fn tensors_are_taken_to_the_type_that_the_body_works_in() {
    let text = r#"
func.func @main(%x: tensor<3xi8>, %init: tensor<i8>) -> tensor<i32> {
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  return %0 : tensor<i32>
}"#;
    let bytes = |values: &[i8], dims: &[usize]| jarrah_base::Literal::from_slice(dims, values).unwrap();
    assert_eq!(run(text, &[bytes(&[100, 100, 100], &[3]), bytes(&[1], &[])]), [i32s(&[], &[301])]);
}

#[test]
fn a_body_may_use_constants_from_outside() {
    let text = r#"
func.func @main(%x: tensor<3xi32>) -> tensor<i32> {
  %c = stablehlo.constant dense<2> : tensor<i32>
  %init = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.multiply %b, %c : tensor<i32>
    %2 = stablehlo.add %a, %1 : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}"#;
    assert_eq!(run(text, &[i32s(&[3], &[1, 2, 3])]), [i32s(&[], &[12])]);
}

#[test]
fn plain_comparators_are_orders_of_their_own() {
    let text = |direction: &str| {
        format!(
            r#"
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {{
  %0 = "stablehlo.sort"(%x) <{{dimension = -1 : i64, is_stable = true}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.compare {direction}, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }}) : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}}"#
        )
    };
    let order = |text: &str| match &lower(text).instrs()[0].op {
        Op::Sort(sort) => sort.order.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(order(&text("LT")), SortOrder::Ascending { keys: 1 });
    assert_eq!(order(&text("GT")), SortOrder::Descending { keys: 1 });
    assert!(matches!(order(&text("LE")), SortOrder::General(_)));
    assert_eq!(run(&text("GT"), &[i32s(&[4], &[3, 1, 4, 1])]), [i32s(&[4], &[4, 3, 1, 1])]);
}

#[test]
fn the_largest_elements_by_the_total_order() {
    let text = "
func.func @main(%x: tensor<5xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0, %1 = chlo.top_k(%x, k = 4) : tensor<5xf32> -> (tensor<4xf32>, tensor<4xi32>)
  return %0, %1 : tensor<4xf32>, tensor<4xi32>
}";
    let x = f32s(&[5], &[-0.0, f32::INFINITY, -f32::NAN, 0.0, -1.0]);
    let results = run(text, &[x]);
    assert_eq!(results[0], f32s(&[4], &[f32::INFINITY, 0.0, -0.0, -1.0]));
    assert_eq!(results[1], i32s(&[4], &[1, 3, 0, 4]));
}

/// JAX's client writes `top_k` so: a comparator of one comparison, without the canonical zeros and NaNs of `jnp.sort`.
#[test]
fn a_comparator_of_one_comparison_is_a_named_order() {
    let text = |compare: &str, dtype: &str, general: &str| {
        format!(
            r#"
func.func @main(%x: tensor<9xf32>) -> (tensor<9xf32>, tensor<9xi32>) {{
  %p = stablehlo.iota dim = 0 : tensor<9xi32>
  %k = stablehlo.convert %x : (tensor<9xf32>) -> tensor<9x{dtype}>
  %0:2 = "stablehlo.sort"(%p, %k) <{{dimension = 0 : i64, is_stable = true}}> ({{
  ^bb0(%i: tensor<i32>, %j: tensor<i32>, %a: tensor<{dtype}>, %b: tensor<{dtype}>):
    %1 = stablehlo.compare {compare} : (tensor<{dtype}>, tensor<{dtype}>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }}) {general} : (tensor<9xi32>, tensor<9x{dtype}>) -> (tensor<9xi32>, tensor<9x{dtype}>)
  %2 = stablehlo.convert %0#1 : (tensor<9x{dtype}>) -> tensor<9xf32>
  return %2, %0#0 : tensor<9xf32>, tensor<9xi32>
}}"#
        )
    };
    let ordered = |text: &str| {
        let ops = lower(text).instrs().iter().map(|i| i.op.clone()).collect::<Vec<_>>();
        ops.iter().any(|op| matches!(op, Op::Sort(sort) if !matches!(sort.order, SortOrder::General(_))))
    };
    let numbers = [0.0, 2.0, -0.0, 1.0, -4.0, 0.0, -0.0, 2.0, -1.0];
    let mut with_nans = numbers;
    (with_nans[1], with_nans[4]) = (f32::NAN, -f32::NAN);
    for dtype in ["f32", "f64", "bf16", "f16", "f8E4M3FNUZ", "f8E5M2", "f4E2M1FN"] {
        for pair in ["GT, %a, %b", "LT, %a, %b", "GT, %b, %a", "LT, %b, %a"] {
            for (kind, x) in [("FLOAT", &numbers), ("TOTALORDER", &numbers), ("TOTALORDER", &with_nans)] {
                let named = text(&format!("{pair}, {kind}"), dtype, "");
                let general = text(&format!("{pair}, {kind}"), dtype, "{jarrah.general}");
                assert!(ordered(&named) && !ordered(&general), "{dtype} {pair} {kind}");
                let (found, by_program) = (run(&named, &[f32s(&[9], x)]), run(&general, &[f32s(&[9], x)]));
                assert_eq!(found[1], by_program[1], "{dtype} {pair} {kind}");
                assert_eq!(found[0].bytes(), by_program[0].bytes(), "{dtype} {pair} {kind}");
            }
        }
    }
    assert!(!ordered(&text("GE, %a, %b, FLOAT", "f32", "")), "an order that is not strict");
    assert!(!ordered(&text("GT, %a, %a, FLOAT", "f32", "")), "one element with itself");
}

#[test]
fn a_scatter_may_combine_in_a_wider_type() {
    let text = r#"
func.func @main(%x: tensor<3xi8>, %i: tensor<2x1xi32>, %u: tensor<2xi8>) -> tensor<3xi32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi8>, tensor<2x1xi32>, tensor<2xi8>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}"#;
    let bytes = |dims: &[usize], values: &[i8]| Literal::from_slice(dims, values).unwrap();
    let arguments = [bytes(&[3], &[100, 0, 7]), i32s(&[2, 1], &[0, 0]), bytes(&[2], &[100, 1])];
    assert_eq!(run(text, &arguments), [i32s(&[3], &[201, 0, 7])]);
}

/// Sorts by the distance from a number, which the comparator uses from outside.
const NEAREST: &str = r#"
func.func @main(%x: tensor<2x3xi32>, %to: tensor<i32>) -> (tensor<2x3xi32>, tensor<2x3xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %0:2 = "stablehlo.sort"(%x, %i) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.subtract %a, %to : tensor<i32>
    %2 = stablehlo.abs %1 : tensor<i32>
    %3 = stablehlo.subtract %b, %to : tensor<i32>
    %4 = stablehlo.abs %3 : tensor<i32>
    %5 = stablehlo.compare LT, %2, %4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xi32>, tensor<2x3xi32>
}"#;

#[test]
fn a_comparator_may_use_scalars_from_outside() {
    let x = i32s(&[2, 3], &[1, 5, 9, 8, 4, 6]);
    let run = |to| run(NEAREST, &[x.clone(), i32s(&[], &[to])]);
    assert_eq!(run(6), [i32s(&[2, 3], &[5, 9, 1, 6, 8, 4]), i32s(&[2, 3], &[1, 2, 0, 2, 0, 1])]);
    assert_eq!(run(0), [i32s(&[2, 3], &[1, 5, 9, 4, 6, 8]), i32s(&[2, 3], &[0, 1, 2, 1, 2, 0])]);
    // A comparator takes scalars only, so that a tensor cannot travel with the operands.
    let mut tensor = NEAREST.replace("%to: tensor<i32>", "%to: tensor<1xi32>");
    for (op, x) in [("%1", "%a"), ("%3", "%b")] {
        tensor = tensor.replace(
            &format!("{op} = stablehlo.subtract {x}, %to : tensor<i32>"),
            &format!("{op} = stablehlo.reshape %to : (tensor<1xi32>) -> tensor<i32>"),
        );
    }
    let (message, _) = super::refusal(&tensor);
    assert_eq!(
        message,
        "the region uses a value of type i32[1] from outside; it may use scalars and constants"
    );
}

#[test]
fn a_map_may_use_scalars_from_outside() {
    let text = |op: &str| {
        format!(
            r#"
func.func @main(%x: tensor<3xi32>, %c: tensor<i32>) -> tensor<3xi32> {{
  %0 = "stablehlo.map"(%x) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%a: tensor<i32>):
    {op}
    stablehlo.return %1 : tensor<i32>
  }}) : (tensor<3xi32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}}"#
        )
    };
    let plain = text("%1 = stablehlo.subtract %a, %c : tensor<i32>");
    // An op that is not elementwise makes the map a loop.
    let looped = text(
        "%2 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.reshape %2 : (tensor<1xi32>) -> tensor<i32>
    %1 = stablehlo.subtract %a, %3 : tensor<i32>",
    );
    for text in [plain, looped] {
        assert_eq!(run(&text, &[i32s(&[3], &[5, 6, 7]), i32s(&[], &[2])]), [i32s(&[3], &[3, 4, 5])]);
    }
}

/// JAX's compiler moves the constants of regions to the beginning of the function, past a branch and a loop.
#[test]
fn constants_from_far_outside_are_seen_as_constants() {
    let text = r#"
func.func @main(%x: tensor<4xf32>, %p: tensor<i32>) -> (tensor<4xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.case"(%p) ({
    %1 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %3 = stablehlo.subtract %a, %zero : tensor<f32>
      %4 = stablehlo.compare LT, %3, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %1, %2 : tensor<4xf32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<f32>
}"#;
    let program = lower(text);
    let branch = program.instrs().iter().find_map(|i| match &i.op {
        Op::Case(case) => Some(case.branches[0].clone()),
        _ => None,
    });
    let branch = branch.unwrap();
    assert!(
        branch.instrs().iter().all(|i| i.operands.len() == 1),
        "no operand stands for the constant: {branch:?}"
    );
    let x = f32s(&[4], &[3.0, 1.0, 4.0, 1.5]);
    assert_eq!(run(text, &[x, i32s(&[], &[0])]), [f32s(&[4], &[1.0, 1.5, 3.0, 4.0]), f32s(&[], &[9.5])]);
}
