/// `B_2k / (2k)!` for `k` from 1.
const BERNOULLI: [f64; 12] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
    77_683.0 / 14_101_100_039_391_805_440_000.0,
    -236_364_091.0 / 1_693_824_136_731_743_669_452_800_000.0,
];

/// `q^s zeta(s, q)` for `s > 1` and `q > 0`, by the formula of Euler and Maclaurin.
pub(super) fn scaled(s: f64, q: f64) -> f64 {
    let (mut a, mut k) = (q, 0.0);
    // `(1 + k/q)^-s`, which takes its error from the sum or from the logarithm: from the smaller.
    let power = |k: f64| if k < q { (-s * (k / q).ln_1p()).exp() } else { ((q + k) / q).powf(-s) };
    let mut terms = Vec::new();
    // The corrections below fall by `(s + 2k)^2 / (2 pi a)^2` from one to the next.
    while a < s + 12.0 {
        let term = power(k);
        if term < 1e-19 {
            return terms.iter().rev().sum();
        }
        terms.push(term);
        k += 1.0;
        a = q + k;
    }
    // `a^-s` times `a/(s-1) + 1/2 + sum over k of B_2k/(2k)! s (s+1) .. (s+2k-2) / a^(2k-1)`.
    let mut corrections = Vec::new();
    let mut factor = s / a;
    for (k, b) in BERNOULLI.iter().enumerate() {
        corrections.push(b * factor);
        let k = 2.0 * k as f64;
        factor *= (s + k + 1.0) / a * ((s + k + 2.0) / a);
    }
    let corrections: f64 = corrections.iter().rev().sum();
    let tail = power(k) * (corrections + 0.5 + a / (s - 1.0));
    terms.iter().rev().fold(tail, |sum, term| sum + term)
}

/// The Hurwitz zeta function `sum over k >= 0 of (q + k)^-s`.
///
/// Infinite at `s = 1`, NaN below. For `q <= 0` only whole `s` have a value, and at whole `q` only even ones: infinity.
pub fn zeta(s: f64, q: f64) -> f64 {
    if s.is_nan() || q.is_nan() || s < 1.0 {
        return f64::NAN;
    }
    if s == 1.0 {
        return f64::INFINITY;
    }
    if q > 0.0 {
        return if q.is_infinite() || s.is_infinite() { q.powf(-s) } else { q.powf(-s) * scaled(s, q) };
    }
    let even = s % 2.0 == 0.0;
    if s.floor() != s || s.is_infinite() {
        return f64::NAN;
    }
    if q.floor() == q {
        return if even { f64::INFINITY } else { f64::NAN };
    }
    // The terms with `q + k < 0` are those of `zeta(s, f) - zeta(s, 1 - q)` with the sign of `(-1)^s`.
    let steps = (-q).ceil();
    let (above, below) = (q + steps, -q - (steps - 1.0));
    let negative = zeta(s, below) - zeta(s, 1.0 - q);
    zeta(s, above) + if even { negative } else { -negative }
}
