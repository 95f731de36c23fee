//! Windows that let a signal fade in and out: `n` points, symmetric, as `f32`.

use jarrah_base::DType;
use std::f64::consts::PI;

use crate::array::Array;
use crate::special;

/// `terms[0] + terms[1] cos(2 pi k / (n - 1)) + terms[2] cos(4 pi k / (n - 1))`
#[track_caller]
fn cosines(n: usize, terms: &[f64]) -> Array {
    let at = |k: usize| match n {
        1 => 1.0,
        _ => {
            let phase = 2.0 * PI * k as f64 / (n - 1) as f64;
            terms.iter().enumerate().map(|(i, term)| term * (i as f64 * phase).cos()).sum()
        }
    };
    Array::from_slice(&(0..n).map(|k| at(k) as f32).collect::<Vec<_>>())
}

/// The triangular window, zero at both ends.
///
/// ```
/// use jarrah_array::numpy;
/// assert_eq!(numpy::bartlett(5).to_vec::<f32>()?, [0.0, 0.5, 1.0, 0.5, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn bartlett(n: usize) -> Array {
    let middle = n.saturating_sub(1) as f64 / 2.0;
    let at = |k: usize| if n == 1 { 1.0 } else { 1.0 - (k as f64 - middle).abs() / middle };
    Array::from_slice(&(0..n).map(|k| at(k) as f32).collect::<Vec<_>>())
}

/// Blackman's window, `0.42 - 0.5 cos(2 pi k / (n - 1)) + 0.08 cos(4 pi k / (n - 1))`.
///
/// ```
/// use jarrah_array::numpy;
/// let w = numpy::blackman(5).to_vec::<f32>()?;
/// assert!(w.iter().zip([0.0, 0.34, 1.0, 0.34, 0.0]).all(|(a, b)| (a - b).abs() < 1e-6));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn blackman(n: usize) -> Array {
    cosines(n, &[0.42, -0.5, 0.08])
}

/// Hamming's window, `0.54 - 0.46 cos(2 pi k / (n - 1))`.
///
/// ```
/// use jarrah_array::numpy;
/// assert_eq!(numpy::hamming(5).to_vec::<f32>()?, [0.08, 0.54, 1.0, 0.54, 0.08]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hamming(n: usize) -> Array {
    cosines(n, &[0.54, -0.46])
}

/// Von Hann's window, `0.5 - 0.5 cos(2 pi k / (n - 1))`.
///
/// ```
/// use jarrah_array::numpy;
/// assert_eq!(numpy::hanning(5).to_vec::<f32>()?, [0.0, 0.5, 1.0, 0.5, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hanning(n: usize) -> Array {
    cosines(n, &[0.5, -0.5])
}

/// Kaiser's window, `I0(beta sqrt(1 - (2 k / (n - 1) - 1)^2)) / I0(beta)`: rectangular for `beta` 0, narrower the larger it is.
///
/// ```
/// use jarrah_array::numpy;
/// assert_eq!(numpy::kaiser(3, 0.0).to_vec::<f32>()?, [1.0, 1.0, 1.0]);
/// let [first, middle, last] = numpy::kaiser(3, 8.0).to_vec::<f32>()?[..] else { unreachable!() };
/// assert!(first < 0.01 && middle == 1.0 && last == first);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kaiser(n: usize, beta: f64) -> Array {
    let middle = n.saturating_sub(1) as f64 / 2.0;
    let at = |k: usize| if n == 1 { 0.0 } else { (k as f64 - middle) / middle };
    let inside: Vec<f64> = (0..n).map(|k| beta * (1.0 - at(k).powi(2)).max(0.0).sqrt()).collect();
    let window = special::i0(&Array::from_slice(&inside)) / special::i0(&Array::scalar_in(beta, DType::F64));
    window.astype(jarrah_base::DType::F32)
}
