//! The first three derivatives of elementwise and special functions against values of 100 digits (`oracle/derivatives.py`), on the
//! device, forwards and backwards, in `f32` and `f64`.

use std::collections::BTreeMap;

use jarrah_array::random::random_gamma_grad;
use jarrah_array::{Array, DType, Error, Literal, grad, jvp, lax, nn, special, stack, vmap};
use jarrah_hlo::ops::{Elementwise, ElementwiseKind};
use jarrah_testing::golden_tensors;

/// The bound of a derivative in units in the last place.
const ULPS: f64 = 4.0;

fn apply(kind: ElementwiseKind, operands: &[&Array]) -> Array {
    lax::apply_op(Elementwise { kind }, operands).remove(0)
}

/// A constant like `x`.
fn like(x: &Array, value: f64) -> Array {
    Array::full(&x.shape(), value, x.dtype())
}

/// The function that the goldens call `name`.
fn function(name: &str, x: &Array) -> Array {
    use ElementwiseKind::{Atan2, Polygamma, Power, Zeta};
    match name {
        "i0" => special::i0(x),
        "i1" => special::i1(x),
        "power_of_x" => apply(Power, &[x, &like(x, 2.5)]),
        "power_by_x" => apply(Power, &[&like(x, 3.0), x]),
        "atan2_of_x" => apply(Atan2, &[x, &like(x, 2.0)]),
        "atan2_by_x" => apply(Atan2, &[&like(x, 2.0), x]),
        "polygamma" => apply(Polygamma, &[&like(x, 2.0), x]),
        "zeta" => apply(Zeta, &[&like(x, 2.5), x]),
        "exp2" => x.exp2(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "reciprocal" => x.reciprocal(),
        "sinc" | "sinc_far" => x.sinc(),
        "logaddexp" => x.logaddexp(1.0),
        "logaddexp2" => x.logaddexp2(3.0),
        "hypot" => x.hypot(1.0),
        "betaln" => special::betaln(x, 2.5),
        "betaln_of_small" => special::betaln(x, 2f64.powi(-20)),
        "betaln_of_large" => special::betaln(x, 10000.0),
        "poch" => special::poch(x, 2.5),
        "comb" => special::comb(x, 2.5),
        "soft_sign" => nn::soft_sign(x),
        "squareplus" => nn::squareplus(x, 4.0),
        "gelu" => nn::gelu(x),
        "softplus" => nn::softplus(x),
        "log_sigmoid" => nn::log_sigmoid(x),
        "logit" => special::logit(x),
        "erfcx" => special::erfcx(x),
        "ndtr" => special::ndtr(x),
        "log_ndtr" => special::log_ndtr(x),
        "ndtri" => special::ndtri(x),
        "xlogy_of_x" => special::xlogy(x, 3.0),
        "xlogy_by_x" => special::xlogy(&like(x, 2.5), x),
        "xlog1py_by_x" => special::xlog1py(&like(x, 2.5), x),
        "entr" => special::entr(x),
        "rel_entr" => special::rel_entr(x, 1.5),
        "kl_div" => special::kl_div(x, 1.5),
        "boxcox" => special::boxcox(x, 1.5),
        "boxcox1p" => special::boxcox1p(x, 1.5),
        "boxcox_by_lambda" => special::boxcox(&like(x, 3.0), x),
        "boxcox1p_by_lambda" => special::boxcox1p(&like(x, 1.0 / 64.0), x),
        "gammainc" => special::gammainc(&like(x, 2.5), x),
        "gammaincc" => special::gammaincc(&like(x, 2.5), x),
        "betainc" => special::betainc(&like(x, 2.5), 1.5, x),
        "exp1" => special::exp1(x),
        "expi" => special::expi(x),
        "dawsn" => special::dawsn(x),
        "spence" => special::spence(x),
        name => {
            let kind = ElementwiseKind::from_name(name).unwrap_or_else(|| panic!("there is no {name}"));
            apply(kind, &[x])
        }
    }
}

/// The derivatives of order 1, 2 and 3 of `f` at each element, by tangents.
fn forward(f: &(dyn Fn(&Array) -> Array + Sync), x: &Array) -> [Array; 3] {
    let one = x.ones_like();
    let first = |x: &Array| jvp(|x: &Array| f(x), x, &one).1;
    let second = |x: &Array| jvp(first, x, &one).1;
    let third = jvp(second, x, &one).1;
    [first(x), second(x), third]
}

/// Those by cotangents: a function of each element for itself has the derivatives of the sum.
fn backward(f: &(dyn Fn(&Array) -> Array + Sync), x: &Array) -> [Array; 3] {
    let first = |x: &Array| grad(|x: &Array| f(x).sum(..))(x);
    let second = |x: &Array| grad(|x: &Array| first(x).sum(..))(x);
    [first(x), second(x), grad(|x: &Array| second(x).sum(..))(x)]
}

/// Functions of which a derivative is off by more than [`ULPS`]: the bounds of each in `f32` and in `f64`, and why. Next to a zero of a
/// derivative that lies between two floats, what its terms lose is many units of their sum.
const WIDER: &[(&str, [f64; 3], [f64; 3], &str)] = &[
    ("asinh", [4.0, 4.0, 9.0], [4.0, 4.0, 9.0], "its third derivative is zero at 0.707"),
    ("atan", [4.0, 4.0, 20.0], [4.0, 4.0, 9.0], "its third derivative is zero at 0.577"),
    ("atan2_by_x", [4.0, 4.0, 9.0], [4.0, 4.0, 5.0], "its third derivative is zero at 1.155"),
    ("atan2_of_x", [4.0, 4.0, 17.0], [4.0, 4.0, 40.0], "its third derivative is zero at 1.155"),
    ("bessel_i0e", [4.0, 4.0, 4.0], [5.0, 6.0, 5.0], "it is an integral of 64 terms"),
    (
        "bessel_i1e",
        [30.0, 22.0, 330.0],
        [55.0, 70.0, 40.0],
        "its derivatives are zero at 1.5, 2.8 and 4.0, and differences of two",
    ),
    ("betainc", [30.0, 33.0, 130.0], [24.0, 24.0, 210.0], "it is the exponential of a sum of logarithms"),
    ("betaln", [6.0, 6.0, 6.0], [5.0, 5.0, 5.0], "a dozen operations are rounded"),
    ("betaln_of_small", [7.0, 8.0, 5.5], [7.0, 8.0, 6.0], "a dozen operations are rounded"),
    ("betaln_of_large", [5.5, 5.5, 4.5], [5.5, 5.5, 4.5], "a dozen operations are rounded"),
    ("boxcox1p", [4.0, 4.0, 5.0], [4.0, 4.0, 5.0], "eight operations are rounded"),
    ("boxcox_by_lambda", [4.0, 4.0, 6.0], [4.0, 9.0, 9.0], "a dozen operations are rounded"),
    ("boxcox1p_by_lambda", [40.0, 40.0, 40.0], [40.0, 40.0, 40.0], "it is the exponential of a product"),
    ("cbrt", [4.0, 4.0, 5.0], [4.0, 4.0, 4.0], "eight operations are rounded"),
    (
        "comb",
        [24.0, 34.0, 180.0],
        [30.0, 28.0, 75.0],
        "it is the exponential of logarithms below 10, and its third derivative a difference of products",
    ),
    (
        "dawsn",
        [65.0, 1_300.0, 24_000.0],
        [50.0, 520.0, 9_800.0],
        "1 - 2 x y cancels between 2 and 7, at every order once more",
    ),
    ("entr", [57.0, 4.0, 4.0], [70.0, 4.0, 4.0], "its derivative is zero at 1 / e"),
    ("erf", [4.0, 4.0, 6.0], [4.0, 4.0, 5.0], "its third derivative is zero at 0.707"),
    ("erf_inv", [16.0, 39.0, 48.0], [60.0, 140.0, 160.0], "e^(y^2) of a rounded y"),
    (
        "erfc",
        [4.0, 4.0, 570.0],
        [4.0, 4.0, 68.0],
        "its third derivative is zero at 0.707, and made of subnormal numbers at -9.6",
    ),
    ("expi", [4.0, 9.0, 4.0], [4.0, 8.0, 4.0], "its second derivative is zero at 1"),
    ("gammainc", [25.0, 29.0, 30.0], [36.0, 37.0, 50.0], "it is the exponential of a sum of logarithms"),
    ("gammaincc", [37.0, 35.0, 41.0], [33.0, 38.0, 38.0], "it is the exponential of a sum of logarithms"),
    (
        "gelu",
        [72.0, 600.0, 130.0],
        [650.0, 750.0, 860.0],
        "it is the exponential of a rounded polynomial, and its second derivative is zero at 1.42",
    ),
    ("hypot", [4.0, 4.0, 5.0], [4.0, 4.0, 5.0], "eight operations are rounded"),
    ("kl_div", [4.0, 4.0, 5.0], [4.0, 4.0, 4.0], "eight operations are rounded"),
    (
        "log_ndtr",
        [4.0, 4.0, 3_100.0],
        [4.0, 5.0, 4_100.0],
        "its third derivative, 2 / x^3, is a difference of numbers of the size of 1 / x",
    ),
    (
        "logaddexp",
        [42.0, 42.0, 58.0],
        [4.0, 4.0, 42.0],
        "the difference of the two is rounded, and its third derivative is zero at 2.3 and -0.3",
    ),
    (
        "logaddexp2",
        [30.0, 33.0, 28.0],
        [230.0, 295.0, 285.0],
        "the exponential of a rounded product with ln(2)",
    ),
    ("logistic", [4.0, 4.0, 87.0], [4.0, 4.0, 70.0], "its third derivative is zero at 1.317"),
    ("logit", [4.0, 9.0, 4.0], [4.0, 10.0, 4.0], "its second derivative is zero at 0.5"),
    (
        "ndtr",
        [4.0, 4.0, 80.0],
        [4.0, 4.0, 25.0],
        "its third derivative is zero at 1, and made of subnormal numbers at -13.5",
    ),
    ("ndtri", [160.0, 255.0, 255.0], [140.0, 420.0, 470.0], "e^(y^2 / 2) of a rounded y"),
    (
        "poch",
        [26.0, 30.0, 160.0],
        [42.0, 34.0, 180.0],
        "it is the exponential of logarithms below 8, and its third derivative a difference of products",
    ),
    ("power_by_x", [4.0, 4.0, 4.0], [4.0, 4.0, 5.0], "eight operations are rounded"),
    ("rel_entr", [6.0, 4.0, 4.0], [5.0, 4.0, 4.0], "its derivative is zero at 1.5 / e"),
    ("sinc", [33.0, 165.0, 210.0], [46.0, 340.0, 80.0], "its derivatives are zero between whole numbers"),
    ("soft_sign", [4.0, 5.0, 4.0], [4.0, 4.0, 4.0], "eight operations are rounded"),
    ("spence", [4.0, 4.0, 4.0], [4.0, 4.0, 9.0], "its third derivative is a difference of two beyond 3"),
    ("sqrt", [4.0, 4.0, 6.0], [4.0, 4.0, 6.0], "eight operations are rounded"),
    ("squareplus", [4.5, 6.0, 7.5], [4.0, 4.0, 7.0], "a dozen operations are rounded"),
    ("tanh", [4.0, 4.0, 8.0], [4.0, 4.0, 31.0], "its third derivative is zero at 0.658"),
];

/// A derivative, and by how many units in the last place it is off.
#[derive(Clone, Copy, Debug, Default)]
#[allow(dead_code, reason = "a failure shows it")]
struct Miss {
    ulps: f64,
    at: f64,
    found: f64,
    expected: f64,
}

/// By how much each derivative is off at most.
fn worst(
    golden: &BTreeMap<String, Literal>,
    name: &str,
    dtype: DType,
    derivatives: &[Array; 3],
) -> Result<[Miss; 3], Error> {
    let part = |part: &str| golden[&format!("{name}/{dtype}/{part}")].to_f64_vec();
    let (x, expected, rest) = (part("x"), part("d"), part("rest"));
    let unit = |x: f64| match dtype {
        DType::F32 => f64::from((x as f32).next_up() - x as f32),
        _ => x.next_up() - x,
    };
    let mut all = [Miss::default(); 3];
    for (order, derivative) in derivatives.iter().enumerate() {
        let found = derivative.astype(DType::F64).to_vec::<f64>()?;
        for (i, (&at, &found)) in x.iter().zip(&found).enumerate() {
            let (expected, rest) = (expected[order * x.len() + i], rest[order * x.len() + i]);
            let off = match expected {
                _ if expected.is_nan() || found == expected && expected == 0.0 => 0.0,
                0.0 => f64::INFINITY,
                _ => ((found - expected) / unit(expected.abs()) - rest).abs(),
            };
            let ulps = if off.is_nan() { f64::INFINITY } else { off };
            if ulps > all[order].ulps {
                all[order] = Miss { ulps, at, found, expected };
            }
        }
    }
    Ok(all)
}

/// Derivatives that are off by more than their bounds.
pub(crate) fn misses() -> Result<Vec<String>, Error> {
    let golden = golden_tensors("derivatives.safetensors")?;
    let names = golden.keys().filter_map(|key| key.strip_suffix("/f64/x"));
    let mut wrong = Vec::new();
    for name in names {
        let row = WIDER.iter().find(|row| row.0 == name);
        for dtype in [DType::F32, DType::F64] {
            let x = Array::from_literal(golden[&format!("{name}/{dtype}/x")].clone());
            let f = move |x: &Array| function(name, x);
            let bounds = row.map_or([ULPS; 3], |row| if dtype == DType::F32 { row.1 } else { row.2 });
            for (mode, found) in [("forward", forward(&f, &x)), ("backward", backward(&f, &x))] {
                for (order, miss) in worst(&golden, name, dtype, &found)?.into_iter().enumerate() {
                    if miss.ulps > bounds[order] {
                        wrong.push(format!("{name} {dtype} {mode} {}: {miss:?}", order + 1));
                    }
                }
            }
        }
    }
    Ok(wrong)
}

#[test]
fn three_derivatives_of_every_function_keep_their_digits() {
    let wrong = misses().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_elementwise_function_with_a_derivative_is_looked_at() {
    let golden = golden_tensors("derivatives.safetensors").unwrap();
    for &kind in ElementwiseKind::ALL {
        if kind.arity() != 1 || !kind.accepts_dtype(DType::F64) {
            continue;
        }
        let has = |x: f64| {
            jvp(
                |x: &Array| apply(kind, &[x]),
                &Array::scalar_in(x, DType::F64),
                &Array::scalar_in(1.0, DType::F64),
            )
            .1
        };
        let slope = |x: f64| has(x).item::<f64>().unwrap();
        // Others are constant or lines between their kinks.
        let straight = slope(1.2) == slope(1.3) && slope(0.1) == slope(0.2);
        assert!(straight || golden.contains_key(&format!("{}/f64/x", kind.name())), "{}", kind.name());
    }
}

#[test]
fn modes_of_differentiation_agree_on_functions_that_saturate() {
    let x = Array::from_slice(&[-700.0f64, -40.0, -1e-300, 0.0, 0.3, 20.0, 700.0]);
    for f in [
        |x: &Array| x.tanh(),
        |x: &Array| x.sigmoid(),
        |x: &Array| x.expm1(),
        |x: &Array| special::i0(x),
        |x: &Array| x.sinc(),
    ] {
        let [forward, ..] = forward(&f, &x);
        let [backward, ..] = backward(&f, &x);
        let mapped = vmap(grad(f))(&x);
        assert!(forward.array_equal(&backward).item::<bool>().unwrap(), "{forward} {backward}");
        assert!(forward.array_equal(&mapped).item::<bool>().unwrap(), "{forward} {mapped}");
    }
}

fn scalar(x: f64) -> Array {
    Array::scalar_in(x, DType::F64)
}

#[test]
fn derivatives_at_zero_are_those_of_the_function() {
    let at =
        |f: fn(&Array) -> Array, x: f64| forward(&f, &scalar(x)).map(|slope| slope.item::<f64>().unwrap());
    assert_eq!(at(special::i0, 0.0), [0.0, 0.5, 0.0]);
    assert_eq!(at(special::i1, 0.0), [0.5, 0.0, 0.375]);
    assert_eq!(at(special::i0e, 0.0)[0], 0.0);
    for zero in [0.0, -0.0] {
        let [first, _, third] = at(special::i1e, zero);
        assert!((first - 0.5f64).abs() < 3e-16 && (third - 1.875f64).abs() < 1e-14, "{first} {third}");
    }
    assert_eq!(at(special::i0, 1e-300)[0], 5e-301);
    let third = std::f64::consts::PI.powi(2) / -3.0;
    let sinc = at(Array::sinc, 0.0);
    assert!(sinc[0] == 0.0 && sinc[2] == 0.0 && (sinc[1] / third - 1.0).abs() < 4e-16, "{sinc:?}");
    assert_eq!(at(Array::cbrt, 0.0)[0], f64::INFINITY);
}

#[test]
fn power_transformations_have_slopes_by_lambda_at_and_next_to_zero() {
    type Function = fn(&Array, &Array) -> Array;
    let functions: [(Function, f64); 2] =
        [(|x, l| special::boxcox(x, l), 2.0), (|x, l| special::boxcox1p(x, l), 3.0)];
    for (f, base) in functions {
        let (x, log) = (scalar(2.0), f64::ln(base));
        for (dtype, near) in
            [(DType::F16, 4e-3f64), (DType::BF16, 3e-2), (DType::F32, 1e-6), (DType::F64, 1e-15)]
        {
            for lambda in [0.0, 1e-30, -1e-20, 1e-8] {
                let (x, at) = (x.astype(dtype), scalar(lambda).astype(dtype));
                let g = |lambda: &Array| f(&x, lambda);
                let mixed = grad(|x: &Array| grad(|lambda: &Array| f(x, lambda))(&at))(&x);
                let slopes = forward(&g, &at).map(|slope| slope.astype(DType::F64).item::<f64>().unwrap());
                let expected = [log.powi(2) / 2.0, log.powi(3) / 3.0, log.powi(4) / 4.0];
                for (found, expected) in slopes.into_iter().zip(expected) {
                    assert!(
                        (found / expected - 1.0).abs() < near.max(lambda * 3.0),
                        "{dtype} {lambda}: {found} {expected}"
                    );
                }
                // `log(x) / x` of `x`, or of `1 + x`.
                let (mixed, expected) = (mixed.astype(DType::F64).item::<f64>().unwrap(), log / base);
                assert!(
                    (mixed / expected - 1.0).abs() < near.max(lambda * 3.0),
                    "{dtype} {lambda}: {mixed} {expected}"
                );
                let value = f(&x, &at).astype(DType::F64).item::<f64>().unwrap();
                assert!(
                    (value / log - 1.0).abs() < near.max(lambda * 3.0),
                    "{dtype} {lambda}: {value} {log}"
                );
            }
        }
    }
    let edge =
        |lambda: f64| jvp(|l: &Array| special::boxcox(&scalar(0.0), l), &scalar(lambda), &scalar(1.0)).1;
    assert_eq!(edge(2.0).item::<f64>().unwrap(), 0.25, "of -1 / lambda");
}

/// A function of two arguments at a point, with its first two derivatives by the first, in a dtype.
fn of_two(f: fn(&Array, &Array) -> Array, x: f64, y: f64, dtype: DType) -> [f64; 3] {
    let (x, y) = (scalar(x).astype(dtype), scalar(y).astype(dtype));
    let [first, second, _] = forward(&|x: &Array| f(x, &y), &x);
    [f(&x, &y), first, second].map(|y| y.astype(DType::F64).item::<f64>().unwrap())
}

fn close(found: f64, expected: f64, digits: f64) {
    assert!((found / expected - 1.0).abs() < digits, "{found}, not {expected}");
}

#[test]
fn products_of_few_factors_keep_their_digits_however_large_these_are() {
    let poch = |z, m, dtype| of_two(|z, m| special::poch(z, m), z, m, dtype);
    let comb = |n, k, dtype| of_two(|n, k| special::comb(n, k), n, k, dtype);
    for (dtype, digits) in [(DType::F32, 5e-7), (DType::F64, 1e-15)] {
        let [value, first, second] = poch(1e6, 2.0, dtype);
        close(value, 1.000_001e12, digits);
        close(first, 2_000_001.0, digits);
        close(second, 2.0, 1e-2);
        close(poch(3e4, 2.0, dtype)[0], 900_030_000.0, digits);
        close(poch(1e6, -2.0, dtype)[0], 1.000_003_000_007e-12, digits);
        close(poch(1e6, 2.5, dtype)[0], 1_000_001_875_000_507.8, digits);
        close(comb(1e6, 2.0, dtype)[0], 499_999_500_000.0, digits);
        close(comb(1e6, 2.5, dtype)[0], 300_900_547_036_039.25, 3.0 * digits);
        close(comb(1000.0, 3.0, dtype)[0], 166_167_000.0, digits);
    }
    // Pochhammer's symbol at negative `z`, where a factor of the product may be 0.
    assert_eq!(poch(-1.0, 2.0, DType::F64)[..2], [0.0, -1.0]);
    assert_eq!(poch(-2.5, 3.0, DType::F64)[..2], [-1.875, 5.75]);
    assert_eq!(comb(60.0, 2.0, DType::F16)[..2], [1770.0, 59.5]);
    assert_eq!([comb(10.0, 2.0, DType::BF16)[0], comb(100.0, 2.0, DType::BF16)[0]], [45.0, 4960.0]);
    assert_eq!(comb(2.0, 5.0, DType::F32), [0.0; 3]);
    // By the number of factors too.
    let by_m = grad(|m: &Array| special::poch(&scalar(1e6), m))(&scalar(2.0)).item::<f64>().unwrap();
    close(by_m, 1.000_001e12 * 13.815_512_057_963_192, 1e-14);
}

#[test]
fn the_logarithm_of_beta_has_slopes_where_an_argument_is_small() {
    let betaln = |x, y, dtype| of_two(|x, y| special::betaln(x, y), x, y, dtype);
    close(betaln(5.0, 1e-6, DType::F32)[1], -2.213_229_307_834_661_6e-7, 5e-7);
    for (dtype, digits) in [(DType::F16, 2e-3), (DType::F32, 5e-7), (DType::F64, 1e-15)] {
        let [_, first, second] = betaln(1.0, 2f64.powi(-10), dtype);
        close(first, -0.001_605_235_560_910_952, digits);
        close(second, 0.002_344_674_695_609_395_8, digits);
    }
    // Below 0, and at the ends.
    let slope = betaln(-0.5, 0.25, DType::F64)[1];
    close(slope, -2.877_649_146_234_951, 1e-14);
}

#[test]
fn divergences_keep_their_digits_where_the_two_are_equal_and_far_apart() {
    let kl = |p, q, dtype| of_two(|p, q| special::kl_div(p, q), p, q, dtype);
    let kl_by_q = |p, q, dtype| of_two(|q, p| special::kl_div(p, q), q, p, dtype);
    let rel_by_q = |p, q, dtype| of_two(|q, p| special::rel_entr(p, q), q, p, dtype);
    // `p / q^2` by `q`.
    for (q, expected) in [(1e6, 1.5e-12), (1e10, 1.5e-20), (1.5, 1.0 / 1.5), (1e-3, 1.5e6)] {
        for (dtype, digits) in [(DType::F32, 5e-7), (DType::F64, 1e-15)] {
            close(kl_by_q(1.5, q, dtype)[2], expected, digits);
            close(rel_by_q(1.5, q, dtype)[2], expected, digits);
        }
    }
    for (exponent, expected) in [
        (-20, 4.547_472_063_262_434e-13),
        (-10, 4.766_820_135_208_675_6e-7),
        (-2, 0.028_929_439_142_762_196),
        (-1, 0.108_197_662_162_246_56),
    ] {
        let p = 1.0 + 2f64.powi(exponent);
        for (dtype, digits) in [(DType::F32, 8e-7), (DType::F64, 2e-15)] {
            let [value, first, second] = kl(p, 1.0, dtype);
            close(value, expected, digits);
            close(first, p.ln(), digits);
            close(second, 1.0 / p, digits);
        }
    }
    close(kl(0.999, 1.0, DType::F64)[0], 5.001_667_500_500_2e-7, 1e-13);
    close(
        special::rel_entr(&scalar(1e30 * (1.0 + 2f64.powi(-20))), 1e30).item::<f64>().unwrap(),
        9.536_747_711_486_146e23,
        1e-15,
    );
    assert_eq!(kl(0.0, 2.0, DType::F32), [2.0, -1.0, 0.0]);
    assert_eq!(kl(-1.0, 2.0, DType::F32)[0], f64::INFINITY);
}

#[test]
fn functions_that_grow_are_finite_up_to_the_largest_number() {
    let at = |f: fn(&Array) -> Array, x: f64, dtype: DType| {
        let x = scalar(x).astype(dtype);
        let [first, second, _] = forward(&f, &x);
        [f(&x), first, second].map(|y| y.astype(DType::F64).item::<f64>().unwrap())
    };
    let functions: [(fn(&Array) -> Array, f64, DType, [f64; 3]); 10] = [
        (
            special::expi,
            90.0,
            DType::F32,
            [1.371_416_869_507_252e37, 1.356_003_660_353_156_5e37, 1.340_936_953_015_899_2e37],
        ),
        (
            special::expi,
            91.5,
            DType::F32,
            [6.044_366_234_564_421e37, 5.977_560_771_091_624e37, 5.912_232_238_074_229e37],
        ),
        (
            special::expi,
            712.0,
            DType::F64,
            [2.321_680_084_105_211_5e306, 2.318_414_698_298_643_6e306, 2.315_158_497_879_685e306],
        ),
        (
            special::expi,
            12.0,
            DType::F16,
            [14_959.532_666_397_528, 13_562.899_284_916_994, 12_432.657_677_840_578],
        ),
        (
            special::i0,
            91.5,
            DType::F32,
            [2.284_237_152_977_456e38, 2.271_720_499_214_125e38, 2.259_409_606_537_957_4e38],
        ),
        (
            special::i0,
            13.0,
            DType::F16,
            [49_444.489_582_217_575, 47_502.987_358_995_86, 45_790.413_631_525_58],
        ),
        (
            special::i0,
            713.0,
            DType::F64,
            [6.705_128_263_670_996e307, 6.700_424_559_186_402e307, 6.695_730_753_770_314e307],
        ),
        (
            special::i1,
            91.5,
            DType::F32,
            [2.271_720_499_214_125e38, 2.259_409_606_537_957_4e38, 2.247_298_837_355_125_2e38],
        ),
        (
            special::i1,
            13.0,
            DType::F16,
            [47_502.987_358_995_86, 45_790.413_631_525_58, 44_261.730_614_316_35],
        ),
        (
            special::i1,
            713.0,
            DType::F64,
            [6.700_424_559_186_402e307, 6.695_730_753_770_314e307, 6.691_046_812_701_312e307],
        ),
    ];
    for (f, x, dtype, expected) in functions {
        let digits = match dtype {
            DType::F16 => 4e-3,
            DType::F32 => 2e-6,
            _ => 1e-14,
        };
        for (found, expected) in at(f, x, dtype).into_iter().zip(expected) {
            close(found, expected, digits);
        }
    }
}

#[test]
fn complex_derivatives_keep_their_digits_where_functions_saturate() {
    type Function = fn(&Array) -> Array;
    type Row = (&'static str, Function, [f64; 2], [[f64; 2]; 2]);
    // At the point rounded to `c64` and to `c128`.
    let rows: [Row; 27] = [
        (
            "tanh",
            |z| z.tanh(),
            [5.0, 0.0],
            [[0.000_181_583_230_943_806_67, 0.0], [0.000_181_583_230_943_806_67, 0.0]],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [-5.0, 1.0],
            [
                [-7.556_136_944_294_743e-5, 0.000_165_140_636_020_187],
                [-7.556_136_944_294_743e-5, 0.000_165_140_636_020_187],
            ],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [20.0, 0.0],
            [[1.699_341_702_116_635_5e-17, 0.0], [1.699_341_702_116_635_5e-17, 0.0]],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [-20.0, -3.0],
            [
                [1.631_657_409_238_251e-17, 4.748_224_083_071_304e-18],
                [1.631_657_409_238_251e-17, 4.748_224_083_071_304e-18],
            ],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [40.0, 1.0],
            [
                [-3.004_332_781_958_356_5e-35, -6.564_586_891_082_386e-35],
                [-3.004_332_781_958_356_5e-35, -6.564_586_891_082_386e-35],
            ],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [0.3, 0.4],
            [
                [1.030_845_379_685_190_2, -0.257_839_476_482_500_7],
                [1.030_845_386_697_624_8, -0.257_839_463_866_523_57],
            ],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [0.01, 1.5],
            [
                [188.294_293_913_373_25, -54.179_861_908_671_23],
                [188.294_293_413_588_15, -54.179_863_024_929_04],
            ],
        ),
        (
            "tanh",
            |z| z.tanh(),
            [-1.0, 2.0],
            [
                [-0.302_001_598_235_960_9, -0.568_103_020_892_08],
                [-0.302_001_598_235_960_9, -0.568_103_020_892_08],
            ],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [20.0, 0.0],
            [[2.061_153_613_941_849e-9, 0.0], [2.061_153_613_941_849e-9, 0.0]],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [-20.0, 1.0],
            [
                [1.113_646_058_487_900_2e-9, 1.734_400_960_787_701_4e-9],
                [1.113_646_058_487_900_2e-9, 1.734_400_960_787_701_4e-9],
            ],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [60.0, -2.0],
            [
                [-3.643_994_253_087_162e-27, 7.962_272_704_491_333e-27],
                [-3.643_994_253_087_162e-27, 7.962_272_704_491_333e-27],
            ],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [-60.0, 1.0],
            [
                [4.731_162_956_444_112_6e-27, 7.368_349_734_967_186e-27],
                [4.731_162_956_444_112_6e-27, 7.368_349_734_967_186e-27],
            ],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [0.5, 0.25],
            [
                [0.238_037_033_306_290_7, -0.014_665_206_182_901_18],
                [0.238_037_033_306_290_7, -0.014_665_206_182_901_18],
            ],
        ),
        (
            "logistic",
            |z| z.sigmoid(),
            [3.0, -2.0],
            [
                [-0.017_120_590_148_146_157, 0.048_894_563_953_576_754],
                [-0.017_120_590_148_146_157, 0.048_894_563_953_576_754],
            ],
        ),
        (
            "asin",
            |z| z.asin(),
            [1.0, -1e-08],
            [[5_000.000_027_693_677, -5_000.000_002_693_678], [5_000.000_012_5, -4_999.999_987_5]],
        ),
        (
            "asin",
            |z| z.asin(),
            [-1.0, 1e-08],
            [[5_000.000_027_693_677, -5_000.000_002_693_678], [5_000.000_012_5, -4_999.999_987_5]],
        ),
        (
            "asin",
            |z| z.asin(),
            [0.5, 2.0],
            [
                [0.431_770_789_563_647_45, 0.087_192_231_928_370_99],
                [0.431_770_789_563_647_45, 0.087_192_231_928_370_99],
            ],
        ),
        (
            "asin",
            |z| z.asin(),
            [1e-08, 0.001],
            [
                [0.999_999_500_000_327_6, 9.999_985_414_216_505e-12],
                [0.999_999_500_000_375_1, 9.999_985_000_018_753e-12],
            ],
        ),
        ("atan", |z| z.atan(), [-1e-08, 1.0], [[0.25, 50_000_000.303_873_55], [0.25, 50_000_000.0]]),
        ("atan", |z| z.atan(), [1e-08, -1.0], [[0.25, 50_000_000.303_873_55], [0.25, 50_000_000.0]]),
        ("atan", |z| z.atan(), [0.5, 0.5], [[0.8, -0.4], [0.8, -0.4]]),
        (
            "atan",
            |z| z.atan(),
            [3.0, 1e-08],
            [[0.099_999_999_999_999_99, -5.999_999_963_535_174e-10], [0.099_999_999_999_999_99, -6.0e-10]],
        ),
        (
            "asinh",
            |z| z.asinh(),
            [1e-08, 1.0],
            [[5_000.000_027_693_677, -5_000.000_002_693_678], [5_000.000_012_5, -4_999.999_987_5]],
        ),
        (
            "asinh",
            |z| z.asinh(),
            [0.25, -1.0],
            [
                [1.056_103_593_304_459_4, 0.932_309_473_102_544_8],
                [1.056_103_593_304_459_4, 0.932_309_473_102_544_8],
            ],
        ),
        ("atanh", |z| z.atanh(), [1.0, 1e-08], [[0.25, 50_000_000.303_873_55], [0.25, 50_000_000.0]]),
        (
            "atanh",
            |z| z.atanh(),
            [0.5, 0.25],
            [
                [1.124_324_324_324_324_4, 0.345_945_945_945_945_97],
                [1.124_324_324_324_324_4, 0.345_945_945_945_945_97],
            ],
        ),
        (
            "atanh",
            |z| z.atanh(),
            [1e-08, 0.001],
            [
                [0.999_999_000_000_905_1, 1.999_996_082_845_415e-11],
                [0.999_999_000_001_000_1, 1.999_996_000_006_000_4e-11],
            ],
        ),
    ];
    for (name, f, [re, im], expected) in rows {
        for (dtype, expected, digits) in [(DType::F32, expected[0], 1e-6), (DType::F64, expected[1], 2e-15)] {
            let z = lax::complex(&scalar(re).astype(dtype), &scalar(im).astype(dtype));
            let slope = jvp(|z: &Array| f(z), &z, &z.ones_like()).1;
            let [re, im] = [slope.real(), slope.imag()].map(|x| x.astype(DType::F64).item::<f64>().unwrap());
            let off = (re - expected[0]).hypot(im - expected[1]);
            let size = expected[0].hypot(expected[1]);
            assert!(off <= digits * size, "{name} {dtype} at {z}: {re} {im}, not {expected:?}");
        }
    }
}

#[test]
fn powers_have_slopes_where_the_exponent_less_one_is_rounded() {
    for (dtype, digits) in [(DType::F32, 5e-7), (DType::F64, 1e-15)] {
        let p = scalar(0.1).astype(dtype);
        let exact = p.astype(DType::F64).item::<f64>().unwrap();
        for (x, power) in [
            (10_000_000_000.0, [10.000_000_343_111_923, 10.000_000_000_000_002]),
            (1e+30, [1_000.000_104_438_327, 1_000.000_000_000_000_5]),
            (1e-10, [0.099_999_996_702_395_2, 0.099_999_999_999_999_99]),
            (3.0, [1.116_123_175_861_064_8, 1.116_123_174_033_904_4]),
        ] {
            let power = power[usize::from(dtype == DType::F64)];
            let slopes = forward(&|x: &Array| x.pow(&p), &scalar(x).astype(dtype));
            let [first, second, _] = slopes.map(|y| y.astype(DType::F64).item::<f64>().unwrap());
            let x = scalar(x).astype(dtype).astype(DType::F64).item::<f64>().unwrap();
            close(first, exact * (power / x), digits);
            if x < 1e20 {
                close(second / first * x, exact - 1.0, 2.0 * digits);
            }
        }
    }
    // Where the power is zero, or is not differentiable.
    let slope = |x: f64, p: f64| grad(|x: &Array| x.pow(&scalar(p)))(&scalar(x)).item::<f64>().unwrap();
    assert_eq!(
        [slope(0.0, 1.0), slope(0.0, 2.0), slope(0.0, 0.0), slope(0.0, 0.1)],
        [1.0, 0.0, 0.0, f64::INFINITY]
    );
}

/// The derivative of `f` at `(x, y)` by what `word` names, the first first: 0 is `x`, 1 is `y`.
fn mixed(
    f: &(dyn Fn(&Array, &Array) -> Array + Sync),
    word: &[usize],
    x: &Array,
    y: &Array,
    back: bool,
) -> Array {
    let Some((last, word)) = word.split_last() else { return f(x, y) };
    let both = (x.clone(), y.clone());
    if back {
        let slopes = grad(|(x, y): &(Array, Array)| mixed(f, word, x, y, back))(&both);
        return if *last == 0 { slopes.0 } else { slopes.1 };
    }
    let (one, zero) = (x.ones_like(), x.zeros_like());
    let along = if *last == 0 { (one, zero) } else { (zero, one) };
    jvp(|(x, y): &(Array, Array)| mixed(f, word, x, y, back), &both, &along).1
}

/// Up to the third order, in each order of the arguments.
fn words() -> Vec<Vec<usize>> {
    let mut words = vec![vec![]];
    for first in 0..15 {
        for digit in [0, 1] {
            let word: Vec<usize> = [&words[first][..], &[digit]].concat();
            if word.len() <= 3 {
                words.push(word);
            }
        }
        if words.len() == 15 {
            break;
        }
    }
    words
}

/// Number `i` by `x` and number `j` by `y` of `x^y`: `x^(y-i)` times `sum of (j over m) c^(m)(y) log(x)^(j-m)`, with the `m`-th derivatives of
/// `c(y) = y (y-1) .. (y-i+1)`.
fn slope_of_power(i: usize, j: usize, x: f64, y: f64) -> f64 {
    let mut c: Vec<f64> = [&[1.0][..], &[0.0, 1.0], &[0.0, -1.0, 1.0], &[0.0, 2.0, -3.0, 1.0]][i].to_vec();
    let (mut sum, mut binomial) = (0.0, 1.0);
    for m in 0..=j {
        let value = c.iter().rev().fold(0.0, |sum, c| sum * y + c);
        sum += binomial * value * x.ln().powi((j - m) as i32);
        binomial *= (j - m) as f64 / (m + 1) as f64;
        c = c.iter().enumerate().skip(1).map(|(k, c)| k as f64 * c).collect();
    }
    sum * x.powf(y - i as f64)
}

#[test]
fn powers_have_mixed_derivatives_at_whole_exponents() {
    let exponents = [0.0, 1.0, 2.0, 3.0, -1.0, 0.5, 2.5];
    for word in words() {
        let i = word.iter().filter(|digit| **digit == 0).count();
        for (dtype, digits) in [(DType::F32, 1e-5), (DType::F64, 1e-13)] {
            for x in [3.0, 1.0, 0.25, 1e-8] {
                for y in exponents {
                    let expected = slope_of_power(
                        i,
                        word.len() - i,
                        scalar(x).astype(dtype).astype(DType::F64).item().unwrap(),
                        y,
                    );
                    for back in [false, true] {
                        let (x, y) = (scalar(x).astype(dtype), scalar(y).astype(dtype));
                        let found = mixed(&|x, y| x.pow(y), &word, &x, &y, back);
                        let found = found.astype(DType::F64).item::<f64>().unwrap();
                        assert!(
                            (found - expected).abs() <= digits * expected.abs().max(1e-6),
                            "{word:?} {dtype} at {x}, {y}: {found}, not {expected}"
                        );
                    }
                }
            }
        }
    }
    // Along lines through whole exponents.
    for (f, at, expected) in [
        (
            (|x| (x + 2.0).pow(x - 1.0)) as fn(&Array) -> Array,
            1.0,
            [1.098_612_288_668_109_8, 1.873_615_627_479_248_6, 3.189_860_204_146_793_4],
        ),
        (|x| (x * 2.0).pow(x), 1.0, [3.386_294_361_119_891, 7.733_494_750_076_184, 17.866_533_554_206_41]),
    ] {
        for slopes in [forward(&f, &scalar(at)), backward(&f, &scalar(at))] {
            for (found, expected) in slopes.iter().zip(expected) {
                close(found.item::<f64>().unwrap(), expected, 1e-14);
            }
        }
    }
}

#[test]
fn complex_powers_have_mixed_derivatives_at_the_exponent_zero() {
    let number = |re: f64, im: f64| lax::complex(&scalar(re), &scalar(im));
    let (x, zero) = (number(3.0, 4.0), number(0.0, 0.0));
    let along = (zero.clone(), number(1.0, 0.0));
    let slope = |(x, y): &(Array, Array)| jvp(|x: &Array| x.pow(y), x, &x.ones_like()).1;
    let found = jvp(slope, &(x, zero), &along).1;
    // `1 / x`.
    close(found.real().item::<f64>().unwrap(), 0.12, 1e-14);
    close(found.imag().item::<f64>().unwrap(), -0.16, 1e-14);
}

#[test]
fn derivatives_of_powers_by_the_base_at_zero_and_far_away() {
    let slopes = |x: f64, p: f64, dtype: DType| {
        let p = scalar(p).astype(dtype);
        let f = move |x: &Array| x.pow(&p);
        let x = scalar(x).astype(dtype);
        let values = |slopes: [Array; 3]| slopes.map(|y| y.astype(DType::F64).item::<f64>().unwrap());
        let (forward, backward) = (values(forward(&f, &x)), values(backward(&f, &x)));
        assert_eq!(forward, backward, "{x} {dtype}");
        forward
    };
    for dtype in [DType::F32, DType::F64] {
        assert_eq!(slopes(0.0, 0.0, dtype), [0.0; 3]);
        assert_eq!(slopes(0.0, 1.0, dtype), [1.0, 0.0, 0.0]);
        assert_eq!(slopes(0.0, 2.0, dtype), [0.0, 2.0, 0.0]);
        assert_eq!(slopes(0.0, 3.0, dtype), [0.0, 0.0, 6.0]);
        assert_eq!(slopes(-2.0, 0.0, dtype), [0.0; 3]);
        assert_eq!(slopes(-2.0, 1.0, dtype), [1.0, 0.0, 0.0]);
        assert_eq!(slopes(-2.0, 3.0, dtype), [12.0, -12.0, 6.0]);
        assert_eq!(slopes(f64::INFINITY, 1.0, dtype), [1.0, 0.0, 0.0]);
        // The power that the product 0 is multiplied with is infinite.
        assert_eq!(slopes(1e-30, 0.0, dtype), [0.0; 3]);
        assert_eq!(slopes(1e-30, 1.0, dtype), [1.0, 0.0, 0.0]);
        assert_eq!(slopes(1e-30, 2.0, dtype)[1..], [2.0, 0.0]);
    }
    // The power is infinite, the derivative is not.
    let second = slopes(1e-20, 2f64.powi(-30), DType::F32)[1];
    close(second, -9.313_225_3e30, 1e-6);
    let x = scalar(1e-20).astype(DType::F32);
    for found in [forward(&|x: &Array| x.pow(x), &x), backward(&|x: &Array| x.pow(x), &x)] {
        close(f64::from(found[1].item::<f32>().unwrap()), 1e20, 1e-6);
    }
}

#[test]
fn incomplete_functions_have_slopes_at_whole_parameters() {
    for (dtype, digits) in [(DType::F32, 1e-4), (DType::F64, 1e-12)] {
        let number = |x: f64| scalar(x).astype(dtype);
        let value = |x: Array| x.astype(DType::F64).item::<f64>().unwrap();
        for (a, x, expected) in [
            (1.0, 2.5, 0.147_509_388_394_386_13),
            (2.0, 5.5, 0.038_781_801_129_196_66),
            (3.0, 5.5, 0.087_116_871_751_675_36),
            (4.0, 20.0, 5.748_877_659_600_568e-6),
            (2.0, 0.5, 0.151_034_236_909_170_5),
            (1.5, 5.5, 0.021_518_606_153_526_306),
        ] {
            let x = number(x);
            let upper = |a: &Array| special::gammaincc(a, &x);
            close(value(jvp(upper, &number(a), &number(1.0)).1), expected, digits);
            close(value(grad(|a: &Array| special::gammainc(a, &x))(&number(a))), -expected, digits);
        }
        for (a, x, expected) in [(1.0, 2.5, 1.797_032_233_261_672), (2.0, 2.5, 1.212_319_290_080_356_7)] {
            close(value(random_gamma_grad(&number(a), &number(x))), expected, digits);
        }
        for (a, b, x, expected) in [
            (1.0, 2.0, 0.25, [-0.419_003_782_989_952_15, 0.161_821_165_754_126_77]),
            (2.0, 2.0, 0.25, [-0.169_733_493_924_982_9, 0.102_106_748_631_190_16]),
            (1.0, 2.0, 0.75, [-0.082_201_942_923_544_62, 0.086_643_397_569_993_16]),
            (2.0, 2.0, 0.875, [-0.032_090_590_597_687_67, 0.075_679_128_744_055_45]),
            (3.0, 2.0, 0.75, [-0.106_921_530_052_291_4, 0.228_053_602_324_346_37]),
            (2.5, 2.0, 0.625, [-0.165_411_836_699_262_13, 0.240_870_753_792_737]),
            (2.0, 1.0, 0.25, [-0.086_643_397_569_993_16, 0.082_201_942_923_544_62]),
            (5.0, 4.0, 0.5, [-0.123_552_165_854_459_3, 0.139_581_993_872_152_68]),
        ] {
            let x = number(x);
            let slopes = grad(|(a, b): &(Array, Array)| special::betainc(a, b, &x))(&(number(a), number(b)));
            close(value(slopes.0), expected[0], digits);
            close(value(slopes.1), expected[1], digits);
        }
    }
}

#[test]
fn slopes_of_boxcox1p_by_lambda_keep_the_digits_of_small_numbers() {
    for (dtype, digits) in [(DType::F32, 1e-6), (DType::F64, 1e-14)] {
        for x in [1e-3, 1e-6, 1e-8] {
            let x = scalar(x).astype(dtype);
            let expected = x.astype(DType::F64).item::<f64>().unwrap().ln_1p();
            let one = scalar(1.0).astype(dtype);
            for word in [[0, 1], [1, 0]] {
                for back in [false, true] {
                    let found = mixed(&|x, lambda| special::boxcox1p(x, lambda), &word, &x, &one, back);
                    close(found.astype(DType::F64).item::<f64>().unwrap(), expected, digits);
                }
            }
        }
    }
}

#[test]
fn second_derivatives_do_not_vanish_where_two_arguments_are_equal() {
    type Function = fn(&Array, &Array) -> Array;
    let functions: [(&str, Function, f64, f64); 6] = [
        ("logaddexp", |x, y| x.logaddexp(y), 1.0, 0.25),
        ("logaddexp2", |x, y| x.logaddexp2(y), 3.0, 0.173_286_795_139_986_33),
        ("hypot", |x, y| x.hypot(y), 1.0, 0.353_553_390_593_273_8),
        ("betaln", |x, y| special::betaln(x, y), 1.0, 1.0),
        ("beta", |x, y| special::beta(x, y), 1.0, 2.0),
        ("cumlogsumexp", |x, y| stack(&[y, x], 0).cumlogsumexp(0).index(1), 0.0, 0.25),
    ];
    for (name, f, at, expected) in functions {
        for dtype in [DType::F32, DType::F64] {
            let y = scalar(at).astype(dtype);
            let g = move |x: &Array| f(x, &y);
            for slopes in [forward(&g, &scalar(at).astype(dtype)), backward(&g, &scalar(at).astype(dtype))] {
                let second = slopes[1].astype(DType::F64).item::<f64>().unwrap();
                assert!((second / expected - 1.0).abs() < 1e-5, "{name} {dtype}: {second}, not {expected}");
            }
        }
    }
}

#[test]
fn activations_have_derivatives_where_squares_and_cubes_are_infinite() {
    type Function = fn(&Array) -> Array;
    let functions: [(&str, Function); 3] =
        [("gelu", nn::gelu), ("gelu_exact", nn::gelu_exact), ("squareplus", |x| nn::squareplus(x, 4.0))];
    for (name, f) in functions {
        for (dtype, x) in [(DType::F16, 300.0), (DType::BF16, 1e30), (DType::F32, 1e30), (DType::F64, 1e200)]
        {
            for (x, expected) in [(x, 1.0), (-x, 0.0)] {
                let at = scalar(x).astype(dtype);
                for slopes in [forward(&f, &at), backward(&f, &at)] {
                    let slopes = slopes.map(|slope| slope.astype(DType::F64).item::<f64>().unwrap());
                    let near = [expected, 0.0, 0.0].iter().zip(slopes).all(|(a, b)| (a - b).abs() < 1e-4);
                    assert!(near, "{name} {dtype} at {x}: {slopes:?}");
                }
            }
        }
    }
    let value =
        |x: f64| nn::squareplus(&scalar(x).astype(DType::F16), 4.0).astype(DType::F64).item::<f64>().unwrap();
    assert_eq!(value(300.0), 300.0);
    assert!((value(-300.0) - 0.003_333_3).abs() < 4e-6, "{}", value(-300.0));
}

#[test]
fn derivatives_of_half_floats_are_finite_far_from_zero() {
    let slope = |f: fn(&Array) -> Array, x: f64| {
        let x = scalar(x).astype(DType::F16);
        grad(|x: &Array| f(x))(&x).astype(DType::F64).item::<f64>().unwrap()
    };
    for (found, expected) in [
        (slope(special::dawsn, 8.0), -0.008_004),
        (slope(Array::asinh, 1000.0), 0.001),
        (slope(Array::acosh, 1000.0), 0.001),
    ] {
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }
}

#[test]
fn the_cardinal_sine_of_half_floats_has_derivatives_far_from_zero() {
    // At whole numbers they are `+-1 / x`, `-+2 / x^2` and `-+pi^2 / x` and less.
    for (x, expected) in [(40.0, [1.0 / 40.0, -2.0 / 1600.0, -0.246_646]), (100.0, [0.01, -2e-4, -0.098_69])]
    {
        for slopes in [
            forward(&|x: &Array| x.sinc(), &scalar(x).astype(DType::F16)),
            backward(&|x: &Array| x.sinc(), &scalar(x).astype(DType::F16)),
        ] {
            for (found, expected) in slopes.iter().zip(expected) {
                close(found.astype(DType::F64).item::<f64>().unwrap(), expected, 4e-3);
            }
        }
    }
    assert_eq!(
        forward(&|x: &Array| x.sinc(), &scalar(3e19).astype(DType::F32))[0].item::<f32>().unwrap(),
        3.333_333_3e-20
    );
}

#[test]
fn the_scaled_error_function_has_its_limits() {
    let y = special::erfcx(&Array::from_slice(&[f64::NEG_INFINITY, -2f64.powi(1023), f64::INFINITY]));
    assert_eq!(y.to_vec::<f64>().unwrap(), [f64::INFINITY, f64::INFINITY, 0.0]);
    assert_eq!(grad(|x: &Array| special::erfcx(x))(&scalar(f64::INFINITY)).item::<f64>().unwrap(), 0.0);
}

#[test]
fn erf_inv_keeps_its_digits_next_to_one() {
    let x = scalar(1.0 - f64::EPSILON / 2.0);
    let y = x.erf_inv().item::<f64>().unwrap();
    assert!((y / 5.863_584_748_755_168 - 1.0).abs() < 3e-16, "{y}");
}
