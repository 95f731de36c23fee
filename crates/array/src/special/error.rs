use jarrah_base::DType;
use jarrah_hlo::ops::{Elementwise, ElementwiseKind};

use super::{polynomial, unary};
use crate::array::Array;
use crate::custom::with_slope;
use crate::elementwise::where_;
use crate::lax;
use crate::trace::apply_one;

/// The error function, `2/sqrt(pi) * integral of e^(-t^2) from 0 to x`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::erf(&Array::from_slice(&[0.0f64, 9.0])).to_vec::<f64>()?, [0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn erf(x: &Array) -> Array {
    x.erf()
}

/// The complementary error function, `1 - erf(x)`, accurate where that is small.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// assert!((special::erfc(&Array::scalar_in(5.0, DType::F64)).item::<f64>()? / 1.537459794428035e-12 - 1.0).abs() < 1e-12);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn erfc(x: &Array) -> Array {
    unary(ElementwiseKind::Erfc, x)
}

/// The inverse of the error function on `[-1, 1]`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let x = Array::scalar_in(0.3, DType::F64);
/// assert!((special::erfinv(&special::erf(&x)).item::<f64>()? - 0.3).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn erfinv(x: &Array) -> Array {
    x.erf_inv()
}

/// The scaled complementary error function, `e^(x^2) erfc(x)`, without underflow for large `x`.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// // About 1 / (x sqrt(pi)).
/// assert!((special::erfcx(&Array::scalar_in(100.0, DType::F64)).item::<f64>()? - 0.005641613782989433).abs() < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn erfcx(x: &Array) -> Array {
    let x = &x.inexact();
    apply_one(Elementwise { kind: ElementwiseKind::ErfcxSlope }, &[&x.zeros_like(), x])
}

/// The distribution function of the standard normal distribution, `erfc(-x / sqrt(2)) / 2`.
///
/// ```
/// use jarrah_array::{Array, special};
/// assert_eq!(special::ndtr(&Array::from_slice(&[0.0f64, 40.0])).to_vec::<f64>()?, [0.5, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn ndtr(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        erfc(&(x * -std::f64::consts::FRAC_1_SQRT_2)) * 0.5
    }
    with_slope(&x.inexact(), value, |x, _| density(x))
}

/// `e^(-x^2 / 2) / sqrt(2 pi)`, of which the exponent is exact in two parts; its derivative is `-x` times it.
#[track_caller]
fn density(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        // Beyond 40 it is 0.
        let x = &x.clip(-40, 40);
        let leading = match x.dtype() {
            DType::F64 => lax::reduce_precision(x, 11, 25),
            DType::F32 => lax::reduce_precision(x, 8, 11),
            _ => x.clone(),
        };
        let rest = (x - &leading) * (x + &leading);
        (leading.square() * -0.5).exp()
            * (rest * -0.5).exp()
            * (0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2)
    }
    with_slope(x, value, |x, y| -x * y)
}

/// The logarithm of [`ndtr`], without underflow for negative numbers.
///
/// `ln(erfcx(-x / sqrt(2)) / 2) - x^2 / 2` below 0. Its derivative, the inverse Mills ratio, is computed from
/// [`erfcx`] too, so it does not overflow.
///
/// ```
/// use jarrah_array::{Array, DType, special};
/// let y = special::log_ndtr(&Array::scalar_in(-100.0, DType::F64)).item::<f64>()?;
/// assert!((y + 5005.524208694205).abs() < 1e-9);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn log_ndtr(x: &Array) -> Array {
    fn value(x: &Array) -> Array {
        let negative = x.lt(0);
        let below = where_(&negative, x, 0);
        let above = where_(&negative, 0, x);
        let tail = (erfcx(&(&below * -std::f64::consts::FRAC_1_SQRT_2)) * 0.5).log() - below.square() * 0.5;
        let bulk = (-(erfc(&(above * std::f64::consts::FRAC_1_SQRT_2)) * 0.5)).log1p();
        where_(&negative, tail, bulk)
    }
    let slope = |x: &Array, _: &Array| {
        let negative = x.lt(0);
        let scaled = erfcx(&(where_(&negative, x, 0) * -std::f64::consts::FRAC_1_SQRT_2));
        let above = where_(&negative, 0, x);
        let tail = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2 / scaled;
        where_(&negative, tail, density(&above) / ndtr(&above))
    };
    with_slope(&x.inexact(), value, slope)
}

/// The quantiles of the standard normal distribution: the inverse of [`ndtr`].
///
/// ```
/// use jarrah_array::{Array, special};
/// let x = special::ndtri(&Array::from_slice(&[0.0f64, 0.5, 0.975])).to_vec::<f64>()?;
/// assert_eq!(x[..2], [f64::NEG_INFINITY, 0.0]);
/// assert!((x[2] - 1.959963984540054).abs() < 1e-14);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Wichura, Algorithm AS 241: the percentage points of the normal distribution (1988).
#[track_caller]
pub fn ndtri(p: &Array) -> Array {
    with_slope(&p.inexact(), quantile, |_, x| 1.0 / density(x))
}

#[track_caller]
fn quantile(p: &Array) -> Array {
    let q = p - 0.5;
    let central = q.abs().le(0.425);
    let r = 0.180625 - where_(&central, &q, 0).square();
    let middle = &q * polynomial(&r, &CENTRE[0]) / polynomial(&r, &CENTRE[1]);
    let smaller = where_(&q.lt(0), p, 1.0 - p);
    let r = (-where_(&central, 0.25, smaller).log()).sqrt();
    let near = &r - 1.6;
    let near = polynomial(&near, &NEAR[0]) / polynomial(&near, &NEAR[1]);
    let far = &r - 5.0;
    let far = polynomial(&far, &FAR[0]) / polynomial(&far, &FAR[1]);
    let tail = where_(&r.le(5), near, far) * q.sign();
    let x = where_(&central, middle, tail);
    // The ends, where the rational function is infinity over infinity; NaN outside.
    let x = where_(&p.eq(0), f64::NEG_INFINITY, where_(&p.eq(1), f64::INFINITY, x));
    where_(&(p.lt(0) | p.gt(1)), f64::NAN, x)
}

/// Numerators and denominators in `0.180625 - (p - 0.5)^2`, in `sqrt(-ln p) - 1.6` and in `sqrt(-ln p) - 5`.
const CENTRE: [[f64; 8]; 2] = [
    [
        2_509.080_928_730_122_6,
        33_430.575_583_588_13,
        67_265.770_927_008_7,
        45_921.953_931_549_87,
        13_731.693_765_509_46,
        1_971.590_950_306_551_3,
        133.141_667_891_784_38,
        3.387_132_872_796_366_5,
    ],
    [
        5_226.495_278_852_545,
        28_729.085_735_721_943,
        39_307.895_800_092_71,
        21_213.794_301_586_597,
        5_394.196_021_424_751,
        687.187_007_492_057_9,
        42.313_330_701_600_91,
        1.0,
    ],
];
const NEAR: [[f64; 8]; 2] = [
    [
        7.745_450_142_783_414e-4,
        0.022_723_844_989_269_184,
        0.241_780_725_177_450_6,
        1.270_458_252_452_368_4,
        3.647_848_324_763_204_5,
        5.769_497_221_460_691,
        4.630_337_846_156_545,
        1.423_437_110_749_683_5,
    ],
    [
        1.050_750_071_644_416_8e-9,
        5.475_938_084_995_345e-4,
        0.015_198_666_563_616_457,
        0.148_103_976_427_480_08,
        0.689_767_334_985_1,
        1.676_384_830_183_803_8,
        2.053_191_626_637_759,
        1.0,
    ],
];
const FAR: [[f64; 8]; 2] = [
    [
        2.010_334_399_292_288_1e-7,
        2.711_555_568_743_487_6e-5,
        0.001_242_660_947_388_078_4,
        0.026_532_189_526_576_124,
        0.296_560_571_828_504_87,
        1.784_826_539_917_291_3,
        5.463_784_911_164_114,
        6.657_904_643_501_103,
    ],
    [
        2.044_263_103_389_939_8e-15,
        1.421_511_758_316_445_8e-7,
        1.846_318_317_510_054_8e-5,
        7.868_691_311_456_133e-4,
        0.014_875_361_290_850_615,
        0.136_929_880_922_735_8,
        0.599_832_206_555_887_9,
        1.0,
    ],
];
