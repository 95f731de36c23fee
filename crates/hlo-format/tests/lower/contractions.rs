//! Products by the algorithms that they name.

use jarrah_hlo_format::{parse, print};

use super::{f32s, run};

fn product(precision: &str, operations: usize) -> f64 {
    let text = format!(
        "
func.func @main(%x: tensor<1x2xf32>, %y: tensor<2x1xf32>) -> tensor<1x1xf32> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = {precision}, rhs_precision_type = {precision}, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = {operations}, allow_imprecise_accumulation = false> : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}}"
    );
    let fine = 1.0 + 2f32.powi(-20);
    run(&text, &[f32s(&[1, 2], &[fine, 2.0]), f32s(&[2, 1], &[1.0, 0.5])])[0].get_f64(0)
}

#[test]
fn narrow_operands_are_rounded() {
    assert_eq!(product("bf16", 1), 2.0);
}

#[test]
fn several_narrow_products_are_as_good_as_a_wide_one() {
    let exact = 2.0 + 2f64.powi(-20);
    for operations in [3, 6, 9] {
        assert_eq!(product("bf16", operations), exact, "{operations}");
    }
    assert_eq!(product("tf32", 3), exact);
}

#[test]
fn sums_have_the_type_of_a_wider_result() {
    let text = "
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<f64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2xf32>, tensor<2xf32>) -> tensor<f64>
  return %0 : tensor<f64>
}";
    let fine = 1.0 + 2f32.powi(-20);
    let results = run(text, &[f32s(&[2], &[fine, 1.0]), f32s(&[2], &[fine, 1.0])]);
    assert_eq!(results[0].get_f64(0), f64::from(fine) * f64::from(fine) + 1.0);
}

/// Of two types, `bf16` holds what is in `f8E5M2` and in `f8E4M3FN`; it does not hold what is in `f16`, nor the least of `f8E8M0FNU`.
#[test]
fn operands_of_two_narrow_types_are_multiplied_as_the_narrowest_that_holds_both() {
    for (lhs, rhs, expected) in [
        ("f8E5M2", "f8E4M3FN", "bf16"),
        ("bf16", "f8E4M3FN", "bf16"),
        ("f16", "f8E4M3FN", "f32"),
        ("bf16", "f8E8M0FNU", "f32"),
        ("bf16", "f32", "f32"),
    ] {
        let text = format!(
            "
func.func @main(%x: tensor<2x{lhs}>, %y: tensor<2x{rhs}>) -> tensor<f32> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<2x{lhs}>, tensor<2x{rhs}>) -> tensor<f32>
  return %0 : tensor<f32>
}}"
        );
        let printed = print(&parse(&text).unwrap());
        let product = printed.lines().find(|line| line.contains("dot_general")).unwrap();
        let operands = format!("(tensor<2x{expected}>, tensor<2x{expected}>)");
        assert!(product.contains(&operands), "{lhs} by {rhs}: {printed}");
    }
}
