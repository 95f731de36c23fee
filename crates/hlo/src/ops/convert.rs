use std::cmp::Ordering;

use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::{Example, ints, varied};
use crate::rules::*;

/// Conversion to another element type.
///
/// To a narrower float: rounded to nearest even. To an integer: truncated and saturated, NaN to 0. To a truth value:
/// whether it is not zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Convert {
    /// The element type of the result.
    pub to: DType,
}

/// The bits of the operand read as another element type.
///
/// Narrower elements make one more axis, the last, along which the bits of an element of the operand lie from the lowest
/// up; wider elements take the last axis, which must hold the bits of one, together. A complex number is its real
/// part, then its imaginary one.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BitcastConvert {
    /// The element type of the result.
    pub to: DType,
}

impl Rules for Convert {
    fn name(&self) -> &'static str {
        "convert"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        Ok(TypeVec::from_slice(&[operands[0].with_dtype(self.to)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(if self.to.is_differentiable() { Jvp::Linear(1) } else { Jvp::Zero })
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, from) = (cx.cotangent()?, cx.ty(0).dtype());
        Ok(Transpose::Cotangents(vec![Some(cx.b.convert(ct, from)?)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The same numbers in another element type, rounded or truncated to it.",
            source: "StableHLO specification, convert",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("to half precision", Convert { to: DType::BF16 }, vec![varied(&[5], -2.0, 2.0)]),
            Example::new("to double", Convert { to: DType::F64 }, vec![varied(&[5], -2.0, 2.0)]),
            Example::new("to integer", Convert { to: DType::I32 }, vec![varied(&[5], -9.0, 9.0)]),
            Example::new("to float", Convert { to: DType::F32 }, vec![ints(&[3], &[-1, 0, 7])]),
            Example::new("to truth value", Convert { to: DType::Bool }, vec![ints(&[3], &[-1, 0, 7])]),
        ]
    }
}

impl BitcastConvert {
    /// Whether the result has the bytes of an operand of type `from`: elements narrower than a byte are packed, or
    /// unpacked, otherwise.
    pub fn keeps_bytes(&self, from: DType) -> bool {
        from.bits() == self.to.bits() || from.bits().is_multiple_of(8) && self.to.bits().is_multiple_of(8)
    }
}

impl Rules for BitcastConvert {
    fn name(&self) -> &'static str {
        "bitcast_convert"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let ty = operands[0];
        let (from, to) = (ty.dtype(), self.to);
        let (wide, narrow) = if from.is_complex() { (from, to) } else { (to, from) };
        if from.is_complex() != to.is_complex() && wide.real() != narrow {
            return Err(Error::program(format!(
                "{ty} cannot be read as {to}: one is complex, the other is not"
            ))
            .help("take the parts of complex numbers with real and imag"));
        }
        let (ratio, rest) = match from.bits() > to.bits() {
            true => (from.bits() / to.bits(), from.bits() % to.bits()),
            false => (to.bits() / from.bits(), to.bits() % from.bits()),
        };
        let fits = from.bits() >= to.bits() || ty.dims().last() == Some(&(ratio as usize));
        if rest != 0 || !fits {
            let error = format!("{ty} cannot be read as {to}: the elements differ in size");
            let error = Error::program(error);
            return Err(match rest {
                0 => error.help(format!("the last axis must hold the {ratio} parts of an element")),
                _ => error,
            });
        }
        let ty = ty.with_dtype(to);
        let dims = ty.dims();
        Ok(TypeVec::from_slice(&[match from.bits().cmp(&to.bits()) {
            Ordering::Equal => ty,
            Ordering::Greater => ty.with_dims(dims.iter().copied().chain([ratio as usize])),
            Ordering::Less => ty.with_dims(dims[..dims.len() - 1].iter().copied()),
        }]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("reading bits as another type is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        // An element that is wider takes the last axis.
        let [to, from] = [self.to, cx.types[0][0].dtype()].map(|dtype| dtype.bits());
        Ok(Rows::Core(usize::from(to > from)))
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The same bits read as another element type.",
            source: "StableHLO specification, bitcast_convert",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("bits of a float", BitcastConvert { to: DType::U32 }, vec![varied(&[4], -2.0, 2.0)]),
            Example::new(
                "float of bits",
                BitcastConvert { to: DType::F32 },
                vec![ints(&[2], &[1_065_353_216, 0])],
            ),
            Example::new("narrower", BitcastConvert { to: DType::U8 }, vec![ints(&[2], &[1_065_353_216, 7])]),
            Example::new(
                "wider",
                BitcastConvert { to: DType::I64 },
                vec![ints(&[2, 2], &[1_065_353_216, 7, -1, 5])],
            ),
            Example::new(
                "narrower than a byte",
                BitcastConvert { to: DType::I4 },
                vec![ints(&[2], &[1_065_353_216, 7])],
            ),
        ]
    }
}
