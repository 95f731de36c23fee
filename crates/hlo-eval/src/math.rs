//! Functions of `f64` that the standard library lacks or is less accurate in.

mod bessel;
pub mod complex;
mod erf;
mod gamma;
mod zeta;

pub use bessel::{bessel_i, bessel_i0e, bessel_i0e_slope, bessel_i1e};
pub use erf::{erf_inv, erfcx_slope};
pub use gamma::{digamma, lgamma, polygamma};
pub use zeta::zeta;

/// The number, not negative, whose hyperbolic cosine is `x`; NaN below one.
pub fn acosh(x: f64) -> f64 {
    if x < 1.0 { f64::NAN } else { libm::acosh(x) }
}

/// `1 / (1 + e^-x)`.
pub fn logistic(x: f64) -> f64 {
    if x < 0.0 {
        let e = x.exp();
        e / (1.0 + e)
    } else {
        1.0 / (1.0 + (-x).exp())
    }
}
