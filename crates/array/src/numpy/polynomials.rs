//! Polynomials by their coefficients, that of the highest power first.

use jarrah_base::{Error, Location};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::linalg;
use crate::numpy::concatenate;
use crate::operators::promote_types;
use crate::signal::Mode;

#[track_caller]
fn vector(op: &str, x: &Array) {
    if x.rank() != 1 || x.size() == 0 {
        let error = Error::program(format!("coefficients are {}, a vector is needed", x.ty()));
        fail(with_context(error.op(op).at(Location::caller())));
    }
}

/// The vector with zeros before it, `size` elements in all.
#[track_caller]
fn padded(x: &Array, size: usize) -> Array {
    let zeros = Array::zeros_of(x.ty().with_dims([size - x.size()]));
    concatenate(&[&zeros, x], 0)
}

impl Array {
    /// The coefficients of the sum of two polynomials.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (p, q) = (Array::from_slice(&[1i32, 0, 2]), Array::from_slice(&[3i32, 4]));
    /// // (x^2 + 2) + (3 x + 4)
    /// assert_eq!(p.polyadd(&q).to_vec::<i32>()?, [1, 3, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn polyadd(&self, other: &Array) -> Array {
        vector("polyadd", self);
        vector("polyadd", other);
        let size = self.size().max(other.size());
        padded(self, size) + padded(other, size)
    }

    /// The coefficients of the difference of two polynomials.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let (p, q) = (Array::from_slice(&[3i32, 4]), Array::from_slice(&[1i32, 0, 2]));
    /// // (3 x + 4) - (x^2 + 2)
    /// assert_eq!(p.polysub(&q).to_vec::<i32>()?, [-1, 3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn polysub(&self, other: &Array) -> Array {
        vector("polysub", self);
        vector("polysub", other);
        let size = self.size().max(other.size());
        padded(self, size) - padded(other, size)
    }

    /// The coefficients of the product of two polynomials.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let square = Array::from_slice(&[1.0f32, 2.0]).polymul(&Array::from_slice(&[1.0f32, 2.0]));
    /// assert_eq!(square.to_vec::<f32>()?, [1.0, 4.0, 4.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polymul(&self, other: &Array) -> Array {
        vector("polymul", self);
        vector("polymul", other);
        self.inexact().convolve(&other.inexact(), Mode::Full)
    }

    /// The quotient and the remainder of two polynomials; the remainder has as many coefficients as this.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 4.0, 5.0]);
    /// let (quotient, remainder) = x.polydiv(&Array::from_slice(&[1.0f32, 2.0]));
    /// assert_eq!((quotient.to_vec::<f32>()?, remainder.to_vec::<f32>()?), (vec![1.0, 2.0], vec![0.0, 0.0, 1.0]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polydiv(&self, divisor: &Array) -> (Array, Array) {
        vector("polydiv", self);
        vector("polydiv", divisor);
        let dtype = promote_types(self.inexact().dtype(), divisor.inexact().dtype());
        let (mut rest, divisor) = (self.astype(dtype), divisor.astype(dtype));
        let (n, m) = (self.size(), divisor.size());
        if m > n {
            return (Array::zeros_of(rest.ty().with_dims([1])), rest);
        }
        let mut quotient = Vec::with_capacity(n + 1 - m);
        for place in 0..=n - m {
            let factor = rest.index(place) / divisor.index(0);
            let part = rest.slice(0, place..place + m) - &factor * &divisor;
            rest = concatenate(&[&rest.slice(0, ..place), &part, &rest.slice(0, place + m..)], 0);
            quotient.push(factor.reshape(&[1]));
        }
        (concatenate(&quotient.iter().collect::<Vec<_>>(), 0), rest)
    }

    /// The coefficients of the derivative of a polynomial, `order` times.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, 4.0, 5.0]).polyder(1).to_vec::<f32>()?, [2.0, 4.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polyder(&self, order: usize) -> Array {
        vector("polyder", self);
        let mut x = self.inexact();
        for _ in 0..order {
            let degree = x.size() - 1;
            let powers: Vec<f64> = (1..=degree).rev().map(|power| power as f64).collect();
            x = x.slice(0, ..degree) * Array::from_slice(&powers).astype(x.dtype());
            if degree == 0 {
                break;
            }
        }
        x
    }

    /// The coefficients of the integral of a polynomial from zero, `order` times.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[2.0f32, 4.0]).polyint(1).to_vec::<f32>()?, [1.0, 4.0, 0.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn polyint(&self, order: usize) -> Array {
        vector("polyint", self);
        let mut x = self.inexact();
        for _ in 0..order {
            let powers: Vec<f64> = (1..=x.size()).rev().map(|power| power as f64).collect();
            let zero = Array::zeros_of(x.ty().with_dims([1]));
            x = concatenate(&[&(&x / Array::from_slice(&powers).astype(x.dtype())), &zero], 0);
        }
        x
    }

    /// The coefficients of the polynomial with these roots and the leading coefficient one; of a square matrix, that of its
    /// eigenvalues.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, 2.0]).poly().to_vec::<f32>()?, [1.0, -3.0, 2.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn poly(&self) -> Array {
        let roots = if self.rank() == 2 { linalg::eigvals(self) } else { self.inexact() };
        vector("poly", &roots);
        let mut product = Array::full(&[1], 1, roots.dtype());
        let zero = Array::zeros_of(roots.ty().with_dims([1]));
        for i in 0..roots.size() {
            let root = roots.index(i);
            product = concatenate(&[&product, &zero], 0) - root * concatenate(&[&zero, &product], 0);
        }
        product
    }

    /// The roots of the polynomial with these coefficients, of which the first is not zero, as complex numbers: the eigenvalues
    /// of the companion matrix.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let roots = Array::from_slice(&[1.0f64, -3.0, 2.0]).roots();
    /// assert!((roots.real().sort(0) - Array::from_slice(&[1.0f64, 2.0])).abs().max(..).item::<f64>()? < 1e-12);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn roots(&self) -> Array {
        vector("roots", self);
        let x = self.inexact();
        let degree = x.size() - 1;
        let first = -(x.slice(0, 1..) / x.index(0));
        let shift = Array::eye_in(degree, degree, -1, x.dtype());
        match degree {
            0 => linalg::eigvals(&shift),
            1 => linalg::eigvals(&first.expand_dims(0)),
            _ => linalg::eigvals(&concatenate(&[&first.expand_dims(0), &shift.slice(0, 1..)], 0)),
        }
    }
}
