use jarrah_base::{Error, Literal, Result, Type, c64};
use serde::{Deserialize, Serialize};

use crate::example::{Example, varied};
use crate::rules::*;

/// Complex numbers of their parts: `re + i im`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Complex;

/// The real parts of complex numbers; floats are their own.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Real;

/// The imaginary parts of complex numbers; those of floats are zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Imag;

/// Cotangents pair with tangents by `Re(ct * t)`, without a conjugate, as in JAX. So the transpose of making a number of
/// its parts is `(Re ct, -Im ct)`.
impl Rules for Complex {
    fn name(&self) -> &'static str {
        "complex"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let ty = super::elementwise::equal_types(operands)?;
        let Some(dtype) = ty.dtype().complex() else {
            return Err(
                Error::program(format!("takes parts of f32 or f64, not of {ty}")).help("convert them")
            );
        };
        Ok(TypeVec::from_slice(&[ty.with_dtype(dtype)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(2))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let real = if cx.is_linear(0) { Some(cx.b.one(Real, &[ct])?) } else { None };
        let imaginary = if cx.is_linear(1) {
            let imaginary = cx.b.one(Imag, &[ct])?;
            Some(cx.b.neg(imaginary)?)
        } else {
            None
        };
        Ok(Transpose::Cotangents(vec![real, imaginary]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs { summary: "Complex numbers of their parts.", source: "StableHLO specification, complex" }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![Example::new("parts", Complex, vec![varied(&[2, 3], -1.0, 1.0), varied(&[2, 3], -0.9, 1.1)])]
    }
}

fn part(operands: &[Type]) -> Result<TypeVec> {
    arity(operands, 1)?;
    let (ty, dtype) = (operands[0], operands[0].dtype());
    if !dtype.is_complex() && !dtype.is_float() {
        return Err(Error::program(format!("takes complex numbers or floats, the operand is {ty}")));
    }
    Ok(TypeVec::from_slice(&[ty.with_dtype(dtype.real())]))
}

/// The cotangent `ct` of a part, as a cotangent of the number `ty`: `(ct, 0)` of the real, `(0, -ct)` of the imaginary
/// part.
fn whole(cx: &mut TransposeCx<'_>, imaginary: bool) -> Result<Transpose> {
    let (ct, ty) = (cx.cotangent()?, cx.ty(0));
    if !ty.dtype().is_complex() {
        let of_float = if imaginary { cx.b.zeros(ty)? } else { ct };
        return Ok(Transpose::Cotangents(vec![Some(of_float)]));
    }
    let zero = cx.b.zeros(ty.with_dtype(ty.dtype().real()))?;
    let parts = if imaginary { [zero, cx.b.neg(ct)?] } else { [ct, zero] };
    Ok(Transpose::Cotangents(vec![Some(cx.b.one(Complex, &parts)?)]))
}

fn numbers() -> Literal {
    let (re, im) = (varied(&[6], -1.0, 1.0).to_f64_vec(), varied(&[6], -0.9, 1.1).to_f64_vec());
    let values: Vec<c64> = re.iter().zip(&im).map(|(&re, &im)| c64::new(re as f32, im as f32)).collect();
    Literal::from_slice(&[6], &values).expect("invariant: as many values as elements")
}

macro_rules! part {
    ($op:ident $name:literal $imaginary:literal $summary:literal) => {
        impl Rules for $op {
            fn name(&self) -> &'static str {
                $name
            }

            fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
                part(operands)
            }

            fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
                Ok(Jvp::Linear(1))
            }

            fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
                whole(cx, $imaginary)
            }

            fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
                Ok(Batch::Elementwise)
            }

            fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
                Ok(Checked::AsIs)
            }

            rows!(Elementwise);

            fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
                Cost::movement(operands, results)
            }

            fn docs(&self) -> Docs {
                Docs { summary: $summary, source: concat!("StableHLO specification, ", $name) }
            }

            no_programs!();
            pure!(Recompute);
            keeps_precision!();

            fn examples() -> Vec<Example> {
                vec![
                    Example::new("of complex numbers", $op, vec![numbers()]),
                    Example::new("of floats", $op, vec![varied(&[3], -1.0, 1.0)]),
                ]
            }
        }
    };
}

part!(Real "real" false "The real parts of complex numbers.");
part!(Imag "imag" true "The imaginary parts of complex numbers.");
