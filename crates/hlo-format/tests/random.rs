use jarrah_base::{DType, Element, Literal, Type};
use jarrah_hlo::Builder;
use jarrah_hlo_eval::evaluate;
use jarrah_hlo_format::spelled;

/// `stablehlo.rng` with these parameters, uniform or normal.
fn draw<T: Element>(dims: &[usize], uniform: bool, parameters: [T; 2], stream: u32) -> Literal {
    let ty = Type::tensor(T::DTYPE, dims.iter().copied());
    let mut b = Builder::new("draw");
    let scalar = Type::scalar(T::DTYPE);
    let (x, y) = (b.param(scalar, "a"), b.param(scalar, "b"));
    let rng = if uniform { spelled::rng_uniform } else { spelled::rng_normal };
    let numbers = rng(&mut b, ty, x, y, stream).unwrap();
    let program = b.finish(&[numbers]).unwrap();
    evaluate(&program, &parameters.map(Literal::scalar)).unwrap().remove(0)
}

fn moments(x: &Literal) -> (f64, f64) {
    let x = x.to_f64_vec();
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    (mean, x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / x.len() as f64)
}

#[test]
fn uniform_numbers_fill_their_interval() {
    for numbers in [
        draw(&[64, 64], true, [-1.0f32, 3.0], 0),
        draw(&[64, 64], true, [-1.0f64, 3.0], 1),
        draw(&[64, 64], true, [half(-1.0), half(3.0)], 2),
    ] {
        let all = numbers.to_f64_vec();
        assert!(all.iter().all(|x| (-1.0..3.0).contains(x)));
        let (mean, variance) = moments(&numbers);
        assert!((mean - 1.0).abs() < 0.06 && (variance - 16.0 / 12.0).abs() < 0.06, "{mean} {variance}");
    }
}

fn half(x: f64) -> jarrah_base::f16 {
    <jarrah_base::f16 as Element>::from_f64(x)
}

#[test]
fn integers_take_every_value_of_their_range() {
    let numbers = draw(&[2000], true, [-2i8, 3], 0);
    let found: std::collections::BTreeSet<i64> = numbers.to_f64_vec().iter().map(|&x| x as i64).collect();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
    // The span does not fit the signed type.
    let wide = draw(&[2000], true, [i32::MIN, i32::MAX], 0).to_f64_vec();
    assert!(wide.iter().any(|&x| x < -1e9) && wide.iter().any(|&x| x > 1e9));
    assert!(draw(&[9], true, [7u64, 7], 0).to_f64_vec().iter().all(|&x| x == 7.0));
}

#[test]
fn truth_values_are_either_bound() {
    let ty = Type::tensor(DType::Bool, [1000]);
    let mut b = Builder::new("draw");
    let scalar = Type::scalar(DType::Bool);
    let (low, high) = (b.param(scalar, ""), b.param(scalar, ""));
    let numbers = spelled::rng_uniform(&mut b, ty, low, high, 0).unwrap();
    let bounds = [false, true].map(|x| Literal::from_bools(&[], &[x]).unwrap());
    let drawn = evaluate(&b.finish(&[numbers]).unwrap(), &bounds).unwrap();
    let heads = drawn[0].to_f64_vec().iter().sum::<f64>();
    assert!((heads - 500.0).abs() < 60.0, "{heads}");
}

#[test]
fn normal_numbers_have_their_moments() {
    let numbers = draw(&[4096], false, [2.0f32, 0.5], 3);
    let (mean, variance) = moments(&numbers);
    assert!(numbers.to_f64_vec().iter().all(|x| x.is_finite()));
    assert!((mean - 2.0).abs() < 0.03 && (variance - 0.25).abs() < 0.02, "{mean} {variance}");
}

#[test]
fn streams_differ_and_repeat() {
    let at = |stream| draw(&[5], true, [0.0f32, 1.0], stream);
    assert_eq!(at(4), at(4));
    assert_ne!(at(4), at(5));
}

#[test]
fn parameters_of_another_type_are_an_error() {
    let mut b = Builder::new("draw");
    let x = b.param(Type::scalar(DType::F64), "");
    let error = spelled::rng_uniform(&mut b, Type::tensor(DType::F32, [2]), x, x, 0).unwrap_err();
    assert_eq!(error.message(), "f32[2] is drawn with parameters f32[], not f64[]");
}
