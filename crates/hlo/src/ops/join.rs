use jarrah_base::{DType, Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::{BroadcastInDim, Reducer, Slice, check};
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// The operands one after another along an axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Concatenate {
    /// The axis.
    pub axis: usize,
}

/// Operand 0 with the scalar operand 1 around and between its elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Pad {
    /// Elements added before each axis; negative numbers remove.
    pub low: SmallVec<[i64; 6]>,
    /// Elements added after each axis; negative numbers remove.
    pub high: SmallVec<[i64; 6]>,
    /// Elements added between neighbours.
    pub interior: Dims,
}

impl Rules for Concatenate {
    fn name(&self) -> &'static str {
        "concatenate"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some((&first, rest)) = operands.split_first() else {
            return Err(Error::program("takes at least one operand, none was given"));
        };
        check::tensors(&[first], &["operand 0"])?;
        check::axes("axis", &[self.axis], first.rank(), &format!("operand 0 {first}"))?;
        let mut total = first.dim(self.axis);
        for (i, &ty) in rest.iter().enumerate() {
            let name = format!("operand {}", i + 1);
            check::tensors(&[ty], &[&name])?;
            check::same_dtype("operand 0", first, &name, ty)?;
            if ty.rank() != first.rank() {
                return Err(Error::program(format!("ranks differ: operand 0 is {first}, {name} is {ty}")));
            }
            for (axis, (a, b)) in first.extents().zip(ty.extents()).enumerate() {
                if axis != self.axis && a != b {
                    return Err(Error::program(format!(
                        "extents along axis {axis} differ: operand 0 {first} has {a}, {name} {ty} has {b}"
                    ))
                    .help(format!("only extents along axis {} may differ", self.axis)));
                }
            }
            let extent = ty.dim(self.axis);
            total = total
                .checked_add(extent)
                .ok_or_else(|| Error::program(format!("the extent {total} + {extent} overflows")))?;
        }
        let mut dims = first.dims();
        dims[self.axis] = total;
        Ok(smallvec![first.with_dims(dims)])
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(cx.operands.len()))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let mut starts: Dims = smallvec![0; cx.b.ty(ct).rank()];
        let strides: Dims = smallvec![1; starts.len()];
        let mut limits = cx.b.ty(ct).dims();
        let mut cotangents = Vec::with_capacity(cx.operands.len());
        for i in 0..cx.operands.len() {
            let extent = cx.ty(i).dim(self.axis);
            limits[self.axis] = starts[self.axis] + extent;
            let slice = Slice { starts: starts.clone(), limits: limits.clone(), strides: strides.clone() };
            cotangents.push(if cx.is_linear(i) { Some(cx.b.one(slice, &[ct])?) } else { None });
            starts[self.axis] += extent;
        }
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let operands: Vec<Value> = (0..cx.operands.len()).map(|i| cx.batched(i)).collect::<Result<_>>()?;
        let result = cx.b.one(Concatenate { axis: self.axis + 1 }, &operands)?;
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    pure!(Recompute);
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let meets = cx.operands.iter().flatten().any(|growth| growth.axis == self.axis);
        Ok(if meets { Rows::Refuse("it puts something before or behind the rows") } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Tensors one after another along an axis.",
            source: "StableHLO specification, concatenate",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let x = varied(&[2, 3], -1.0, 1.0);
        vec![
            Example::new("rows", Concatenate { axis: 0 }, vec![x.clone(), varied(&[1, 3], 1.0, 2.0)]),
            Example::new(
                "columns, one empty",
                Concatenate { axis: 1 },
                vec![x.clone(), varied(&[2, 0], 0.0, 1.0), varied(&[2, 2], 1.0, 2.0)],
            ),
            Example::new("alone", Concatenate { axis: 1 }, vec![x]),
            Example::new("integers", Concatenate { axis: 0 }, vec![ints(&[2], &[1, 2]), ints(&[1], &[3])]),
        ]
    }
}

impl Pad {
    /// The type of the padded tensor.
    fn padded(&self, operand: Type) -> Result<Type> {
        let mut dims: Dims = SmallVec::new();
        for (axis, dim) in operand.extents().enumerate() {
            let (low, high, interior) = (self.low[axis], self.high[axis], self.interior[axis]);
            if (low, high, interior) == (0, 0, 0) {
                dims.push(dim);
                continue;
            }
            let extent = dim as i128;
            let spread = extent + (extent - 1).max(0) * interior as i128;
            let padded = usize::try_from(spread + i128::from(low) + i128::from(high)).map_err(|_| {
                Error::program(format!(
                    "padding axis {axis} of operand {operand} by {low} and {high} leaves less than nothing"
                ))
            })?;
            dims.push(padded);
        }
        Ok(operand.with_dims(dims))
    }

    /// Where the padding of a tensor with the extents of `operand` stands.
    fn mask(&self, b: &mut crate::Builder, operand: Type) -> Result<Value> {
        let inside = b.zeros(operand.with_dtype(DType::Bool))?;
        let outside = b.full(Type::scalar(DType::Bool), 1.0)?;
        b.one(self.clone(), &[inside, outside])
    }
}

impl Rules for Pad {
    fn name(&self) -> &'static str {
        "pad"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check::tensors(operands, &["operand", "padding value"])?;
        let (operand, value) = (operands[0], operands[1]);
        check::same_dtype("operand", operand, "padding value", value)?;
        if value.rank() != 0 {
            return Err(Error::program(format!("padding value is {value}, a scalar is needed")));
        }
        check::one_per_axis("low", self.low.len(), "operand", operand)?;
        check::one_per_axis("high", self.high.len(), "operand", operand)?;
        check::one_per_axis("interior", self.interior.len(), "operand", operand)?;
        Ok(smallvec![self.padded(operand)?])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(2))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, operand) = (cx.cotangent()?, cx.ty(0));
        let mut cotangents = vec![None, None];
        if cx.is_linear(0) {
            let zero = cx.b.zeros(Type::scalar(operand.dtype()))?;
            let unpad = Pad {
                low: self.low.iter().map(|l| -l).collect(),
                high: self.high.iter().map(|h| -h).collect(),
                interior: smallvec![0; self.interior.len()],
            };
            let mut unpadded = cx.b.one(unpad, &[ct, zero])?;
            if self.interior.iter().any(|&i| i > 0) {
                let slice = Slice {
                    starts: smallvec![0; self.interior.len()],
                    limits: cx.b.ty(unpadded).dims(),
                    strides: self.interior.iter().map(|i| i + 1).collect(),
                };
                unpadded = cx.b.one(slice, &[unpadded])?;
            }
            cotangents[0] = Some(unpadded);
        }
        if cx.is_linear(1) {
            let mask = self.mask(cx.b, operand)?;
            let zeros = cx.b.zeros(cx.b.ty(ct))?;
            let padding = cx.b.select(mask, ct, zeros)?;
            let axes: Vec<usize> = (0..operand.rank()).collect();
            cotangents[1] = Some(cx.b.reduce(Reducer::Add, padding, &axes)?);
        }
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let (value, operand_ty) = (cx.operands[1], cx.ty(0));
        let operand = cx.batched(0)?;
        let mut pad = self.clone();
        pad.low.insert(0, 0);
        pad.high.insert(0, 0);
        pad.interior.insert(0, 0);
        if !value.batched {
            let result = cx.b.one(pad, &[operand, value.value])?;
            return Ok(Batch::Results(vec![Batched::yes(result)]));
        }
        let zero = cx.b.zeros(Type::scalar(operand_ty.dtype()))?;
        let padded = cx.b.one(pad, &[operand, zero])?;
        let dims = cx.b.ty(padded).dims();
        let mask = self.mask(cx.b, operand_ty)?;
        let mask =
            cx.b.one(BroadcastInDim { axes: (1..dims.len()).collect(), dims: dims.clone() }, &[mask])?;
        let values = cx.b.one(BroadcastInDim { axes: smallvec![0], dims }, &[value.value])?;
        let result = cx.b.select(mask, values, padded)?;
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    pure!(Recompute);
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        // Behind the last row stands padding, and over fewer rows too: there may be more of it.
        let Some(to) = cx.results[0] else { return Ok(Rows::Refuse("it cuts rows off")) };
        let mut before = fewer.clone();
        if cx.operands[0].is_none() {
            before.high[to.axis] = self.high[to.axis];
        }
        let moves = (self.low[to.axis], self.high[to.axis], self.interior[to.axis]) != (0, 0, 0);
        if cx.operands[0].is_some() && moves {
            return Ok(Rows::Refuse("it puts something before, between or behind the rows"));
        }
        Ok(if *self == before { Rows::Apart } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "A tensor with a scalar around it and between its elements: \
                      `out[low + i * (interior + 1)] = x[i]`, the scalar elsewhere.",
            source: "StableHLO specification, pad",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let x = || varied(&[2, 3], -1.0, 1.0);
        let value = || varied(&[], 1.0, 2.0);
        let pad = |low: &[i64], high: &[i64], interior: &[usize]| Pad {
            low: low.into(),
            high: high.into(),
            interior: interior.into(),
        };
        vec![
            Example::new("around", pad(&[1, 0], &[2, 1], &[0, 0]), vec![x(), value()]),
            Example::new("between", pad(&[0, 1], &[0, 0], &[2, 1]), vec![x(), value()]),
            Example::new("cropping", pad(&[-1, 2], &[0, -2], &[0, 0]), vec![x(), value()]),
            Example::new("cropping what is between", pad(&[-1, 0], &[1, -1], &[1, 2]), vec![x(), value()]),
            Example::new("empty", pad(&[1], &[1], &[3]), vec![varied(&[0], 0.0, 1.0), value()]),
            Example::new("rank 0", pad(&[], &[], &[]), vec![varied(&[], -1.0, 1.0), value()]),
            Example::new("integers", pad(&[1], &[0], &[1]), vec![ints(&[3], &[1, 2, 3]), ints(&[], &[9])]),
        ]
    }
}
