use std::f64::consts::PI;
use std::sync::LazyLock;

use super::zeta::{scaled, zeta};

/// The logarithm of the absolute value of the gamma function; infinite at its poles and at both infinities.
///
/// Next to its zeros among negative numbers, one on either side of most poles, the error is absolute: 4e-16.
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

/// `n!`
fn factorial(n: f64) -> f64 {
    (1..=n as u32).fold(1.0, |product, k| product * f64::from(k))
}

/// `(-1)^(n+1) n! zeta(n + 1, x)`, and `digamma(x)` for `n = 0`; NaN unless `n` is a natural number.
pub fn polygamma(n: f64, x: f64) -> f64 {
    if x.is_nan() || !(n >= 0.0 && n.floor() == n) {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma(x);
    }
    let s = n + 1.0;
    let size = if n <= 170.0 && (x <= 0.0 || (1e-300..1e300).contains(&x.powf(-s))) {
        factorial(n) * zeta(s, x)
    } else if x > 0.0 && x.is_finite() && n.is_finite() {
        (lgamma(s) - s * x.ln()).exp() * scaled(s, x)
    } else {
        lgamma(s).exp() * zeta(s, x)
    };
    if n % 2.0 == 0.0 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of 40 digits, rounded.
    #[test]
    fn lgamma_keeps_its_digits_next_to_the_positive_zeros() {
        let values = [
            (1.000_000_1, -5.772_155_829_918_507e-8),
            (1.999_999_9, -4.227_843_030_986_13e-8),
            (0.9999, 5.772_979_156_119_386e-5),
            (2.001, 4.231_067_348_001_17e-4),
        ];
        for (x, value) in values {
            assert!((lgamma(x) / value - 1.0).abs() < 1e-15, "{x}: {}", lgamma(x));
        }
    }

    #[test]
    fn lgamma_is_absolutely_exact_next_to_the_negative_zeros() {
        let values = [
            (-2.457_024_738_220_800_6, 5.619_192_358_950_096e-17),
            (-2.457, 3.749_630_595_809_979e-5),
            (-2.747_682_646_727_413, 1.023_493_185_707_028_4e-15),
            (-3.143_580_888_349_98, 1.697_865_590_612_108_4e-15),
            (-3.955_294_284_858_598, -4.143_827_507_577_05e-16),
        ];
        for (x, value) in values {
            assert!((lgamma(x) - value).abs() < 4e-16, "{x}: {:e}", lgamma(x));
        }
    }
}
