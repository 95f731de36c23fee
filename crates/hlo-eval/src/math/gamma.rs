use std::f64::consts::PI;
use std::sync::LazyLock;

use super::zeta::zeta;

/// The logarithm of the absolute value of the gamma function; infinite at its poles and at both infinities.
pub fn lgamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// The zero of `digamma` among positive numbers, in two parts.
const ZERO: [f64; 2] = [1.461_632_144_968_362_3, 9.549_995_429_965_697e-17];

/// Coefficients of the Taylor series of `digamma` around [`ZERO`], from the first power on:
/// `(-1)^(n+1) zeta(n + 1, zero)`.
static TAYLOR: LazyLock<[f64; 44]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let zeta = zeta(i as f64 + 2.0, ZERO[0]);
        if i % 2 == 0 { zeta } else { -zeta }
    })
});

/// Coefficients `B_2k / 2k` of the asymptotic series.
const ASYMPTOTIC: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 120.0,
    1.0 / 252.0,
    -1.0 / 240.0,
    1.0 / 132.0,
    -691.0 / 32_760.0,
    1.0 / 12.0,
    -3617.0 / 8_160.0,
];

/// The logarithmic derivative of the gamma function; NaN at 0, at negative integers and at minus infinity.
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x.floor() == x {
            return f64::NAN;
        }
        // Reflection: `digamma(1 - x) - pi / tan(pi x)`, where the tangent has period one.
        return digamma(1.0 - x) - PI / (PI * (x - x.round())).tan();
    }
    if x < 1.06 {
        return near_zero(x + 1.0) - 1.0 / x;
    }
    if x <= 10.0 {
        // `digamma(x) = digamma(x - 1) + 1 / (x - 1)`, down to where the series holds.
        let steps = (x - 1.06).floor();
        let inverses: f64 = (1..=steps as u32).map(|k| 1.0 / (x - f64::from(k))).sum();
        return near_zero(x - steps) + inverses;
    }
    let inverse = 1.0 / (x * x);
    let tail = ASYMPTOTIC.iter().rev().fold(0.0, |sum, c| (sum + c) * inverse);
    x.ln() - 0.5 / x - tail
}

/// `digamma` between 1.06 and 2.06.
fn near_zero(x: f64) -> f64 {
    let step = x - ZERO[0] - ZERO[1];
    TAYLOR.iter().rev().fold(0.0, |sum, c| (sum + c) * step)
}
