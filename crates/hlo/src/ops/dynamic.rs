use jarrah_base::{DType, Dims, Error, Result, Type, with_element};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::{Axes, BroadcastInDim, Clamp, Concatenate, Constant, Gather, Reshape, Scatter, Update, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// The block of operand 0 that starts at the scalar operands 1.., moved inside where it would reach out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DynamicSlice {
    /// The extents of the block.
    pub sizes: Dims,
}

/// Operand 0 with the block that starts at the scalar operands 2.. replaced by operand 1.
///
/// The block is moved inside where it would reach out.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct DynamicUpdateSlice;

/// Checks that `starts` are scalars of one integer type, one for each axis of `operand`.
fn check_starts(operand: Type, starts: &[Type]) -> Result<()> {
    if starts.len() != operand.rank() {
        let (rank, found) = (operand.rank(), starts.len());
        return Err(Error::program(format!("operand {operand} needs {rank} starts, {found} were given")));
    }
    for (axis, &start) in starts.iter().enumerate() {
        if start.rank() != 0 || !start.dtype().is_integer() {
            let text = format!("start {axis} is {start}, an integer scalar is needed");
            return Err(Error::program(text));
        }
        check::same_dtype("start 0", starts[0], &format!("start {axis}"), start)?;
    }
    Ok(())
}

/// The starts with one more, 0, in front.
fn with_leading_start(b: &mut Builder, starts: &[Batched]) -> Result<SmallVec<[Value; 6]>> {
    let dtype = starts.first().map_or(DType::I32, |s| b.ty(s.value).dtype());
    let mut all: SmallVec<[Value; 6]> = smallvec![b.zeros(Type::scalar(dtype))?];
    all.extend(starts.iter().map(|s| s.value));
    Ok(all)
}

/// The starts as the rows of a matrix, one row per batch element; there is at least one start.
fn start_matrix(cx: &mut BatchCx<'_>, first: usize) -> Result<Value> {
    let mut columns: SmallVec<[Value; 6]> = SmallVec::new();
    for i in first..cx.operands.len() {
        let start = cx.batched(i)?;
        columns.push(cx.b.one(Reshape { dims: smallvec![cx.size, 1] }, &[start])?);
    }
    cx.b.one(Concatenate { axis: 1 }, &columns)
}

/// The largest index of an index type, for comparison with extents.
fn index_max(dtype: DType) -> usize {
    dtype.integer_range().map_or(usize::MAX, |(_, high)| high.min(i64::MAX.into()) as usize)
}

/// A tensor like `indices` that holds `limits` along `vector_axis`, each cut to the largest index of the type.
pub(super) fn limits_like(
    b: &mut Builder,
    indices: Value,
    vector_axis: usize,
    limits: &[usize],
) -> Result<Value> {
    let ty = b.ty(indices);
    let dtype = ty.dtype();
    let max = index_max(dtype);
    let value = with_element!(dtype, T => {
        let values: Vec<T> = limits
            .iter()
            .map(|&l| <T as jarrah_base::Element>::from_i128(l.min(max) as i128))
            .collect();
        jarrah_base::Literal::from_slice(&[limits.len()], &values)?
    });
    let (value, axes): (_, Axes) = if vector_axis == ty.rank() {
        (value.reshape(&[])?, smallvec![])
    } else {
        (value, smallvec![vector_axis])
    };
    let limits = b.one(Constant { value }, &[])?;
    b.one(BroadcastInDim { dims: ty.dims(), axes }, &[limits])
}

/// Index vectors moved into `[0, limits]`.
pub(super) fn clamp_indices(
    b: &mut Builder,
    indices: Value,
    vector_axis: usize,
    limits: &[usize],
) -> Result<Value> {
    let high = limits_like(b, indices, vector_axis, limits)?;
    let low = b.zeros(b.ty(indices))?;
    b.one(Clamp, &[low, indices, high])
}

impl Rules for DynamicSlice {
    fn name(&self) -> &'static str {
        "dynamic_slice"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let [operand, starts @ ..] = operands else {
            return Err(Error::program("takes an operand and its starts, nothing was given"));
        };
        check::tensors(&[*operand], &["operand"])?;
        check_starts(*operand, starts)?;
        check::one_per_axis("sizes", self.sizes.len(), "operand", *operand)?;
        for (axis, (&size, dim)) in self.sizes.iter().zip(operand.extents()).enumerate() {
            if size > dim {
                let text =
                    format!("the block has {size} elements along axis {axis}, operand {operand} has {dim}");
                return Err(Error::program(text));
            }
        }
        Ok(smallvec![operand.with_dims(self.sizes.iter().copied())])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let mut cotangents = vec![None; cx.operands.len()];
        let zeros = cx.b.zeros(cx.ty(0))?;
        let mut operands: SmallVec<[Value; 6]> = smallvec![zeros, cx.cotangent()?];
        for i in 1..cx.operands.len() {
            operands.push(cx.known(i)?);
        }
        cotangents[0] = Some(cx.b.one(DynamicUpdateSlice, &operands)?);
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let [operand, starts @ ..] = cx.operands else {
            return Err(Error::internal("a dynamic_slice without operands"));
        };
        let result = if starts.iter().any(|s| s.batched) {
            let indices = start_matrix(cx, 1)?;
            let rank = self.sizes.len();
            let shift = usize::from(operand.batched);
            let mut sizes = self.sizes.clone();
            if operand.batched {
                sizes.insert(0, cx.size.min(1));
            }
            let batch: Axes = if operand.batched { smallvec![0] } else { smallvec![] };
            let gather = Gather {
                offset_axes: (1..=rank).collect(),
                collapsed_axes: Axes::new(),
                operand_batch_axes: batch.clone(),
                indices_batch_axes: batch,
                index_map: (shift..rank + shift).collect(),
                index_vector_axis: 1,
                sizes,
                sorted: false,
            };
            cx.b.one(gather, &[operand.value, indices])?
        } else {
            let mut operands: SmallVec<[Value; 6]> = smallvec![operand.value];
            operands.extend(with_leading_start(cx.b, starts)?);
            let mut sizes = self.sizes.clone();
            sizes.insert(0, cx.size);
            cx.b.one(DynamicSlice { sizes }, &operands)?
        };
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    pure!(Recompute);
    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        let of = cx.b.ty(cx.operands[0]);
        for (axis, (&start, &size)) in cx.operands[1..].iter().zip(&self.sizes).enumerate() {
            cx.position(start, of, axis, of.dim(axis) - size)?;
        }
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let Some(RowGrowth { axis, .. }) = cx.operands[0] else { return Ok(Rows::Alike) };
        let (mut sizes, parts) = (fewer.sizes.clone(), [self.sizes[axis], fewer.sizes[axis]]);
        sizes[axis] = self.sizes[axis];
        if self.sizes != sizes || !cx.is_whole(0, axis, parts) {
            return Ok(Rows::Refuse("it takes rows by their position"));
        }
        Ok(Rows::Apart)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        // Only the block is read.
        Ok(Cost::movement(results, results)?.plus(Cost::movement(&operands[1..], &[])?))
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The block `out[i] = x[clamp(start, 0, dim - size) + i]` of a tensor.",
            source: "StableHLO specification, dynamic_slice",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let x = || varied(&[4, 5], -1.0, 1.0);
        let slice = |sizes: &[usize]| DynamicSlice { sizes: sizes.into() };
        let start = |i| ints(&[], &[i]);
        vec![
            Example::new("inside", slice(&[2, 3]), vec![x(), start(1), start(2)]),
            Example::new("clamped", slice(&[2, 3]), vec![x(), start(9), start(-4)]),
            Example::new("everything", slice(&[4, 5]), vec![x(), start(1), start(1)]),
            Example::new("empty", slice(&[0, 2]), vec![x(), start(1), start(1)]),
            Example::new("rank 0", slice(&[]), vec![varied(&[], -1.0, 1.0)]),
            Example::new("integers", slice(&[2]), vec![ints(&[4], &[3, 1, 4, 1]), start(1)]),
        ]
    }
}

impl Rules for DynamicUpdateSlice {
    fn name(&self) -> &'static str {
        "dynamic_update_slice"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let [operand, update, starts @ ..] = operands else {
            let text = format!("takes an operand, an update and starts, {} were given", operands.len());
            return Err(Error::program(text));
        };
        check::tensors(&[*operand, *update], &["operand", "update"])?;
        check::same_dtype("operand", *operand, "update", *update)?;
        check_starts(*operand, starts)?;
        if operand.rank() != update.rank() {
            return Err(Error::program(format!("ranks differ: operand is {operand}, update is {update}")));
        }
        for (axis, (size, dim)) in update.extents().zip(operand.extents()).enumerate() {
            if size > dim {
                let text = format!(
                    "update {update} has {size} elements along axis {axis}, operand {operand} has {dim}"
                );
                return Err(Error::program(text));
            }
        }
        Ok(smallvec![*operand])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(2))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let update = cx.ty(1);
        let mut starts: SmallVec<[Value; 6]> = SmallVec::new();
        for i in 2..cx.operands.len() {
            starts.push(cx.known(i)?);
        }
        let mut cotangents = vec![None; cx.operands.len()];
        // Read before it is written, the cotangent is updated in place.
        if cx.is_linear(1) {
            let mut operands: SmallVec<[Value; 6]> = smallvec![ct];
            operands.extend(starts.iter().copied());
            cotangents[1] = Some(cx.b.one(DynamicSlice { sizes: update.dims() }, &operands)?);
        }
        if cx.is_linear(0) {
            let mut operands: SmallVec<[Value; 6]> = smallvec![ct, cx.b.zeros(update)?];
            operands.extend(starts);
            cotangents[0] = Some(cx.b.one(DynamicUpdateSlice, &operands)?);
        }
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let (operand_ty, update_ty) = (cx.ty(0), cx.ty(1));
        let (operand, update) = (cx.batched(0)?, cx.batched(1)?);
        let starts = &cx.operands[2..];
        let result = if starts.iter().any(|s| s.batched) {
            let rank = operand_ty.rank();
            let limits: Dims =
                operand_ty.extents().zip(update_ty.extents()).map(|(dim, size)| dim - size).collect();
            let indices = start_matrix(cx, 2)?;
            let indices = clamp_indices(cx.b, indices, 1, &limits)?;
            let scatter = Scatter {
                window_axes: (1..=rank).collect(),
                inserted_axes: Axes::new(),
                operand_batch_axes: smallvec![0],
                indices_batch_axes: smallvec![0],
                index_map: (1..=rank).collect(),
                index_vector_axis: 1,
                sorted: false,
                unique: true,
                update: Update::Assign,
            };
            cx.b.one(scatter, &[operand, indices, update])?
        } else {
            let mut operands: SmallVec<[Value; 6]> = smallvec![operand, update];
            operands.extend(with_leading_start(cx.b, starts)?);
            cx.b.one(DynamicUpdateSlice, &operands)?
        };
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        let (of, block) = (cx.b.ty(cx.operands[0]), cx.b.ty(cx.operands[1]));
        for (axis, &start) in cx.operands[2..].iter().enumerate() {
            cx.position(start, of, axis, of.dim(axis) - block.dim(axis))?;
        }
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        // A block as long as the axis begins at 0, wherever it was to begin.
        let whole = cx.operands[0] == cx.operands[1];
        Ok(if whole { Rows::Alike } else { Rows::Refuse("it replaces rows by their position") })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "`x` with `x[clamp(start, 0, dim - size) + i] = update[i]`.",
            source: "StableHLO specification, dynamic_update_slice",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let x = || varied(&[4, 5], -1.0, 1.0);
        let update = || varied(&[2, 3], 2.0, 3.0);
        let start = |i| ints(&[], &[i]);
        vec![
            Example::new("inside", DynamicUpdateSlice, vec![x(), update(), start(1), start(2)]),
            Example::new("clamped", DynamicUpdateSlice, vec![x(), update(), start(9), start(-4)]),
            Example::new(
                "everything",
                DynamicUpdateSlice,
                vec![x(), varied(&[4, 5], 2.0, 3.0), start(0), start(3)],
            ),
            Example::new("rank 0", DynamicUpdateSlice, vec![varied(&[], -1.0, 1.0), varied(&[], 2.0, 3.0)]),
            Example::new(
                "integers",
                DynamicUpdateSlice,
                vec![ints(&[4], &[3, 1, 4, 1]), ints(&[2], &[5, 9]), start(1)],
            ),
        ]
    }
}
