//! The first three derivatives of elementwise and special functions against values of 100 digits (`oracle/derivatives.py`), on the
//! device, forwards and backwards, in `f32` and `f64`.

use std::collections::BTreeMap;

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
        "sinc" => x.sinc(),
        "logaddexp" => x.logaddexp(1.0),
        "logaddexp2" => x.logaddexp2(3.0),
        "hypot" => x.hypot(1.0),
        "betaln" => special::betaln(x, 2.5),
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
    ("betainc", [30.0, 32.0, 130.0], [24.0, 24.0, 150.0], "it is the exponential of a sum of logarithms"),
    (
        "betaln",
        [6.5, 4.0, 8.0],
        [16.0, 50.0, 900.0],
        "it is the sum of terms that are larger, where the larger argument is 8 or more",
    ),
    ("cbrt", [4.0, 4.0, 5.0], [4.0, 4.0, 4.0], "eight operations are rounded"),
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
    ("gammainc", [25.0, 29.0, 27.0], [36.0, 37.0, 48.0], "it is the exponential of a sum of logarithms"),
    ("gammaincc", [37.0, 35.0, 41.0], [33.0, 37.0, 38.0], "it is the exponential of a sum of logarithms"),
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
    ("power_by_x", [4.0, 4.0, 4.0], [4.0, 4.0, 5.0], "eight operations are rounded"),
    ("rel_entr", [6.0, 4.0, 4.0], [5.0, 4.0, 4.0], "its derivative is zero at 1.5 / e"),
    ("sinc", [33.0, 130.0, 165.0], [46.0, 340.0, 80.0], "its derivatives are zero between whole numbers"),
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
            // The derivatives of incomplete functions in their other arguments are loops, which have no reverse mode.
            let incomplete = matches!(name, "betainc" | "gammainc" | "gammaincc");
            let backward = (!incomplete).then(|| ("backward", backward(&f, &x)));
            for (mode, found) in [("forward", forward(&f, &x))].into_iter().chain(backward) {
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
        let has = |x: f64| jvp(|x: &Array| apply(kind, &[x]), &Array::scalar(x), &Array::scalar(1.0f64)).1;
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
    Array::scalar(x)
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
