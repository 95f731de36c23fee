//! Arrays as text.

use jarrah_array::{Array, DType};

fn numbers(shape: &[usize]) -> Array {
    let count = shape.iter().product::<usize>() as i32;
    Array::new(&(0..count).collect::<Vec<i32>>(), shape)
}

#[test]
fn small_arrays_are_shown_whole() {
    assert_eq!(Array::scalar(1.5f32).to_string(), "f32[] 1.5");
    assert_eq!(numbers(&[0]).to_string(), "i32[0] []");
    assert_eq!(numbers(&[2, 0]).to_string(), "i32[2,0] []");
    assert_eq!(Array::from_slice(&[true, false]).to_string(), "bool[2] [ true, false]");
    assert_eq!(format!("{:?}", numbers(&[1, 3])), "i32[1,3] [[0, 1, 2]]");
    let blocks = "i32[2,2,3]\n[[[ 0,  1,  2],\n  [ 3,  4,  5]],\n\n [[ 6,  7,  8],\n  [ 9, 10, 11]]]";
    assert_eq!(numbers(&[2, 2, 3]).to_string(), blocks);
}

#[test]
fn a_precision_is_that_of_each_float() {
    let x = Array::from_slice(&[1.256f32, -20.0, f32::INFINITY]);
    assert_eq!(format!("{x:.2}"), "f32[3] [  1.26, -20.00,    inf]");
    assert_eq!(format!("{:.1}", Array::scalar_in(2.0, DType::F64)), "f64[] 2.0");
    assert_eq!(format!("{:.1}", Array::scalar(0.26f32).astype(DType::BF16)), "bf16[] 0.3");
    assert_eq!(format!("{:.1}", Array::scalar(jarrah_array::c64::new(1.0, -0.25))), "c64[] 1.0-0.2i");
    assert_eq!(format!("{:.1}", numbers(&[2])), "i32[2] [0, 1]");
}

#[test]
fn debugging_computes_nothing() {
    let sum = numbers(&[2]) + 1;
    assert_eq!(format!("{sum:?}"), "i32[2] <not computed yet>");
    assert_eq!(sum.to_string(), "i32[2] [1, 2]");
    assert_eq!(format!("{sum:?}"), "i32[2] [1, 2]");
}

#[test]
fn long_rows_are_broken() {
    let text = numbers(&[100]).to_string();
    assert!(text.lines().all(|line| line.len() <= 76), "{text}");
    assert_eq!(text.lines().nth(2).unwrap().split(", ").next().unwrap(), " 19");
    assert!(text.ends_with("98, 99]"), "{text}");
}

#[test]
fn large_arrays_are_shown_in_part() {
    assert_eq!(numbers(&[1001]).to_string(), "i32[1001] [   0,    1,    2, ...,  998,  999, 1000]");
    assert!(!numbers(&[1000]).to_string().contains("..."));
    let text = numbers(&[40, 50]).to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[1], "[[   0,    1,    2, ...,   47,   48,   49],");
    assert_eq!(lines[4], " ...,");
    assert_eq!(lines[7], " [1950, 1951, 1952, ..., 1997, 1998, 1999]]");
    // An axis that is short stays whole.
    assert_eq!(numbers(&[2, 1000]).to_string().matches("...").count(), 2);
}

#[test]
fn truth_values_are_bools() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    assert_eq!(x.gt(1.5).to_vec::<bool>().unwrap(), [false, true, true]);
    assert!(x.gt(0.0).all(0isize).item::<bool>().unwrap());
    assert_eq!(Array::from_slice(&[true, false]).dtype(), DType::Bool);
    let error = x.to_vec::<bool>().unwrap_err();
    assert_eq!(error.message(), "a tensor of f32 was read as bool");
}

#[test]
fn arrays_without_elements_are_short() {
    assert_eq!(Array::zeros(&[1_000_000, 0]).to_string(), "f32[1000000,0] []");
    assert_eq!(Array::zeros(&[0]).to_string(), "f32[0] []");
}

#[test]
fn complex_numbers_show_both_parts() {
    let z =
        Array::from_slice(&[jarrah_array::c64::new(1.0, -2.0), jarrah_array::c64::new(0.5, f32::INFINITY)]);
    assert_eq!(z.to_string(), "c64[2] [1.0-2.0i, 0.5+infi]");
}

#[test]
fn short_floats_show_as_many_digits_as_they_have() {
    let x = Array::from_slice(&[0.1f32, 1e30, -3.0, f32::NAN]);
    assert_eq!(x.astype(DType::BF16).to_string(), "bf16[4] [ 0.1, 1e30, -3.0,  NaN]");
    assert_eq!(x.astype(DType::F16).to_string(), "f16[4] [ 0.1,  inf, -3.0,  NaN]");
    assert_eq!(x.astype(DType::F8E5M2).index(0).to_string(), "f8e5m2[] 0.09");
}
