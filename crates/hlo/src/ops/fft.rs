use jarrah_base::{DType, Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::{Complex, Imag, Real};
use crate::builder::Builder;
use crate::example::{Example, varied, varied_complex};
use crate::program::Value;
use crate::rules::*;

/// Which Fourier transform.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FftKind {
    /// `y_k = sum over j of x_j e^(-2 pi i j k / n)`.
    Fft,
    /// The inverse: the other sign, and divided by `n`.
    Ifft,
    /// Of real numbers; of the last axis the elements `0..=n / 2` are kept, of which the others are mirror images.
    Rfft,
    /// The inverse of `Rfft`: imaginary parts that no real numbers have are not read.
    Irfft,
}

/// Discrete Fourier transforms of the last axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Fft {
    /// Which one.
    pub kind: FftKind,
    /// The extents of the last axes, one to three, on the side that has all elements.
    pub lengths: Dims,
}

impl Fft {
    fn as_kind(&self, kind: FftKind) -> Fft {
        Fft { kind, ..self.clone() }
    }

    /// The transpose of the sum over all `x`, of which the result has the first elements only.
    fn transpose_real(&self, b: &mut Builder, ct: Value) -> Result<Value> {
        let ty = b.ty(ct);
        let axis = ty.rank() - 1;
        let all = self.lengths.last().copied().unwrap_or_default();
        let mut missing = ty.dims().to_vec();
        missing[axis] = all - missing[axis];
        let zeros = b.zeros(ty.with_dims(missing))?;
        let padded = b.concatenate(&[ct, zeros], axis)?;
        let transformed = b.one(self.as_kind(FftKind::Fft), &[padded])?;
        b.one(Real, &[transformed])
    }

    /// Elements that stand for their mirror image too count twice: `conj(m * rfft(ct)) / n`.
    fn transpose_to_real(&self, b: &mut Builder, ct: Value) -> Result<Value> {
        let y = b.one(self.as_kind(FftKind::Rfft), &[ct])?;
        let ty = b.ty(y);
        let all = self.lengths.last().copied().unwrap_or_default();
        let real = ty.with_dtype(ty.dtype().real());
        let position = b.iota(real.with_dtype(DType::I32), ty.rank() - 1)?;
        let (zero, middle) = (b.zeros_like(position)?, b.full(b.ty(position), (all / 2) as f64)?);
        let count: f64 = self.lengths.iter().map(|&n| n as f64).product();
        let (once, twice) = (b.full(real, 1.0 / count)?, b.full(real, 2.0 / count)?);
        let first = b.compare(super::Comparison::Eq, position, zero)?;
        let mut factor = b.select(first, once, twice)?;
        if all % 2 == 0 {
            let last = b.compare(super::Comparison::Eq, position, middle)?;
            factor = b.select(last, once, factor)?;
        }
        let (re, im) = (b.one(Real, &[y])?, b.one(Imag, &[y])?);
        let (re, im) = (b.mul(re, factor)?, b.mul(im, factor)?);
        let im = b.neg(im)?;
        b.one(Complex, &[re, im])
    }
}

impl Rules for Fft {
    fn name(&self) -> &'static str {
        "fft"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let x = operands[0];
        let (count, lengths) = (self.lengths.len(), super::check::list(&self.lengths));
        if !(1..=3).contains(&count) || count > x.rank() {
            let error =
                format!("lengths {lengths} are of {count} axes; one to three of the operand {x} can be");
            return Err(Error::program(error));
        }
        let dtype = match self.kind {
            FftKind::Rfft if matches!(x.dtype(), DType::F32 | DType::F64) => x.dtype().complex(),
            FftKind::Irfft if x.dtype().is_complex() => Some(x.dtype().real()),
            FftKind::Fft | FftKind::Ifft if x.dtype().is_complex() => Some(x.dtype()),
            _ => None,
        };
        let Some(dtype) = dtype else {
            let needed = if self.kind == FftKind::Rfft { "f32 or f64" } else { "complex numbers" };
            return Err(Error::program(format!("transforms {needed}, the operand is {x}")));
        };
        let first = x.rank() - count;
        let mut dims = x.dims().to_vec();
        for (i, &length) in self.lengths.iter().enumerate() {
            let half = i + 1 == count && matches!(self.kind, FftKind::Irfft | FftKind::Rfft);
            let halved = if length == 0 { 0 } else { length / 2 + 1 };
            let expected = if half && self.kind == FftKind::Irfft { halved } else { length };
            if dims[first + i] != expected {
                let error = format!("lengths {lengths} need {expected} elements along axis {}", first + i);
                return Err(Error::program(format!("{error}, the operand is {x}")));
            }
            if half {
                dims[first + i] = if self.kind == FftKind::Rfft { halved } else { length };
            }
        }
        Ok(TypeVec::from_slice(&[x.with_dims(dims).with_dtype(dtype)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let ct = match self.kind {
            FftKind::Fft | FftKind::Ifft => cx.b.one(self.clone(), &[ct])?,
            FftKind::Rfft => self.transpose_real(cx.b, ct)?,
            FftKind::Irfft => self.transpose_to_real(cx.b, ct)?,
        };
        Ok(Transpose::Cotangents(vec![Some(ct)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, _: &RowsCx<'_>) -> Result<Rows> {
        Ok(Rows::Core(self.lengths.len()))
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let elements = operands[0].elements()?.max(results[0].elements()?) as f64;
        let stages: f64 = self.lengths.iter().map(|&n| (n.max(2) as f64).log2()).sum();
        Cost::new(5.0 * elements * stages, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Discrete Fourier transforms of the last one to three axes.",
            source: "StableHLO specification, fft",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let fft = |kind, lengths: &[usize]| Fft { kind, lengths: Dims::from_slice(lengths) };
        let (real, complex) =
            (|dims: &[usize]| varied(dims, -1.0, 1.0), |dims: &[usize]| varied_complex(dims, -1.0, 1.0));
        vec![
            Example::new("a prime length", fft(FftKind::Fft, &[5]), vec![complex(&[2, 5])]),
            Example::new("two axes, inverse", fft(FftKind::Ifft, &[2, 3]), vec![complex(&[2, 3])]),
            Example::new("real, even", fft(FftKind::Rfft, &[6]), vec![real(&[2, 6])]),
            Example::new("real, odd, three axes", fft(FftKind::Rfft, &[2, 2, 3]), vec![real(&[2, 2, 3])]),
            Example::new("back to real, even", fft(FftKind::Irfft, &[3, 4]), vec![complex(&[3, 3])]),
            Example::new("back to real, odd", fft(FftKind::Irfft, &[5]), vec![complex(&[2, 3])]),
        ]
    }
}
