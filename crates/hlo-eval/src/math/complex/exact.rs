//! Sums and products with the error they make.

/// `a + b = sum + error`.
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// `a * b = product + error`, unless that underflows.
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

/// The sum of a few terms, as if in four times the precision, rounded.
pub fn sum<const N: usize>(mut terms: [f64; N]) -> f64 {
    for _ in 0..3 {
        for i in 1..N {
            let (sum, error) = two_sum(terms[i], terms[i - 1]);
            (terms[i], terms[i - 1]) = (sum, error);
        }
    }
    terms.iter().sum()
}

/// `a b + c d` without cancellation, after Kahan.
pub fn dot(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let error = c.mul_add(d, -product);
    a.mul_add(b, product) + error
}
