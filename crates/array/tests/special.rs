use jarrah_array::random::Key;
use jarrah_array::{Array, DType, grad, special, vmap};

/// JAX has no derivative of the incomplete beta function in its parameters.
#[test]
fn the_incomplete_beta_function_differentiates_in_its_parameters() {
    let f = |(a, b): &(Array, Array)| special::betainc(a, b, 0.3).sum(..);
    for (a, b) in [(0.4f64, 2.5f64), (7.0, 3.0), (30.0, 50.0)] {
        let at = |a: f64, b: f64| {
            f(&(Array::scalar_in(a, DType::F64), Array::scalar_in(b, DType::F64))).item::<f64>().unwrap()
        };
        let slopes = grad(f)(&(Array::scalar_in(a, DType::F64), Array::scalar_in(b, DType::F64)));
        let h = 1e-5f64;
        let (by_a, by_b) =
            ((at(a + h, b) - at(a - h, b)) / (2.0 * h), (at(a, b + h) - at(a, b - h)) / (2.0 * h));
        assert!((slopes.0.item::<f64>().unwrap() - by_a).abs() < 1e-8, "{a} {b}");
        assert!((slopes.1.item::<f64>().unwrap() - by_b).abs() < 1e-8, "{a} {b}");
    }
}

#[test]
fn incomplete_functions_batch() {
    let a = Array::from_slice(&[0.5f64, 3.0, 40.0]);
    let x = Array::from_slice(&[0.1f64, 5.0, 38.0]);
    let whole = special::gammainc(&a, &x).to_vec::<f64>().unwrap();
    let each = vmap(|(a, x): &(Array, Array)| special::gammainc(a, x))(&(a, x));
    assert_eq!(each.dtype(), DType::F64);
    for (one, other) in whole.iter().zip(each.to_vec::<f64>().unwrap()) {
        assert!((one - other).abs() < 1e-15);
    }
}

/// The mean of gamma-distributed numbers is their parameter, so that the mean of their derivatives is 1.
#[test]
fn gamma_distributed_numbers_differentiate_in_their_parameter() {
    for a in [0.2f64, 1.5, 30.0] {
        let mean = |a: &Array| Key::new(3).gamma_in(&[20_000], DType::F64, a).mean(0);
        let slope = grad(mean)(&Array::scalar_in(a, DType::F64)).item::<f64>().unwrap();
        assert!((slope - 1.0).abs() < 0.05, "{a}: {slope}");
    }
}
