use jarrah_base::{Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::smallvec;

use super::dynamic::clamp_indices;
use super::{Axes, Reducer, Scatter, Update, check};
use crate::example::{Example, ints, varied};
use crate::program::Value;
use crate::rules::*;

/// Slices of operand 0 at the positions that operand 1 holds, clamped to lie inside.
///
/// The attributes are those of `stablehlo.gather`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Gather {
    /// Result axes that run within a slice (`offset_dims`).
    pub offset_axes: Axes,
    /// Operand axes of slice extent one that the result drops (`collapsed_slice_dims`).
    pub collapsed_axes: Axes,
    /// Operand axes that run along with indices axes (`operand_batching_dims`).
    pub operand_batch_axes: Axes,
    /// The axes of the indices that run along with `operand_batch_axes` (`start_indices_batching_dims`).
    pub indices_batch_axes: Axes,
    /// Which operand axis each component of an index vector addresses (`start_index_map`).
    pub index_map: Axes,
    /// The axis of the indices that holds the components; the rank where they are scalars (`index_vector_dim`).
    pub index_vector_axis: usize,
    /// The extents of a slice (`slice_sizes`).
    pub sizes: Dims,
    /// A promise that the indices are sorted (`indices_are_sorted`).
    pub sorted: bool,
}

impl Gather {
    /// `operand[indices]`: the slices along axis 0, with the axes of `indices` in front.
    ///
    /// # Errors
    /// The operand is a scalar.
    pub fn rows(operand: Type, indices: Type) -> Result<Gather> {
        let mut sizes = operand.dims();
        let Some(rows) = sizes.first_mut() else {
            return Err(Error::program(format!("operand {operand} has no axis to take along")).op("gather"));
        };
        *rows = (*rows).min(1);
        Ok(Gather {
            offset_axes: (indices.rank()..indices.rank() + sizes.len() - 1).collect(),
            collapsed_axes: smallvec![0],
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: smallvec![0],
            index_vector_axis: indices.rank(),
            sizes,
            sorted: false,
        })
    }

    /// `out[i] = operand[i with i[axis] = indices[i]]`, for indices whose other extents are those of the operand.
    pub fn along(operand: Type, axis: usize) -> Gather {
        let others: Axes = (0..operand.rank()).filter(|&a| a != axis).collect();
        let sizes = operand.extents().map(|extent| extent.min(1)).collect();
        Gather {
            offset_axes: Axes::new(),
            collapsed_axes: smallvec![axis],
            operand_batch_axes: others.clone(),
            indices_batch_axes: others,
            index_map: smallvec![axis],
            index_vector_axis: operand.rank(),
            sizes,
            sorted: false,
        }
    }

    /// The gather that reads what `scatter` writes.
    pub(super) fn inverse(scatter: &Scatter, operand: Type, updates: Type) -> Gather {
        Gather {
            offset_axes: scatter.window_axes.clone(),
            collapsed_axes: scatter.inserted_axes.clone(),
            operand_batch_axes: scatter.operand_batch_axes.clone(),
            indices_batch_axes: scatter.indices_batch_axes.clone(),
            index_map: scatter.index_map.clone(),
            index_vector_axis: scatter.index_vector_axis,
            sizes: scatter.window_sizes(operand, updates),
            sorted: scatter.sorted,
        }
    }

    /// The largest start for each component of an index vector.
    fn limits(&self, operand: Type) -> Dims {
        self.index_map.iter().map(|&axis| operand.dim(axis) - self.sizes[axis]).collect()
    }
}

/// The attributes that gather and scatter share, to check them in one place.
pub(super) struct Addressing<'a> {
    /// Operand axes that slices lack, besides the batch axes.
    pub dropped: (&'static str, &'a [usize]),
    pub operand_batch: &'a [usize],
    pub indices_batch: &'a [usize],
    pub index_map: &'a [usize],
    pub vector_axis: usize,
}

impl Addressing<'_> {
    /// Checks everything that concerns the operand and the indices only.
    pub fn check(&self, operand: Type, indices: Type) -> Result<()> {
        let (dropped_name, dropped) = self.dropped;
        let (operand_text, indices_text) = (format!("operand {operand}"), format!("indices {indices}"));
        if !indices.dtype().is_integer() {
            return Err(Error::program(format!("indices must be integers, they are {indices}")));
        }
        if self.vector_axis > indices.rank() {
            let text = format!(
                "index_vector_axis is {}, {indices_text} has {} axes",
                self.vector_axis,
                indices.rank()
            );
            return Err(Error::program(text));
        }
        let components = indices.extents().nth(self.vector_axis).unwrap_or(1);
        if components != self.index_map.len() {
            return Err(Error::program(format!(
                "index vectors of {indices_text} have {components} components, index_map {} names {} axes",
                check::list(self.index_map),
                self.index_map.len()
            )));
        }
        check::increasing(dropped_name, dropped)?;
        check::axes(dropped_name, dropped, operand.rank(), &operand_text)?;
        check::increasing("operand_batch_axes", self.operand_batch)?;
        check::axes("operand_batch_axes", self.operand_batch, operand.rank(), &operand_text)?;
        check::axes("indices_batch_axes", self.indices_batch, indices.rank(), &indices_text)?;
        check::axes("index_map", self.index_map, operand.rank(), &operand_text)?;
        for (name, axes) in [(dropped_name, dropped), ("index_map", self.index_map)] {
            if let Some(axis) = axes.iter().find(|a| self.operand_batch.contains(a)) {
                return Err(Error::program(format!(
                    "{name} and operand_batch_axes both name operand axis {axis}"
                )));
            }
        }
        if self.indices_batch.contains(&self.vector_axis) {
            let text =
                format!("indices_batch_axes name axis {}, which holds index vectors", self.vector_axis);
            return Err(Error::program(text));
        }
        if self.operand_batch.len() != self.indices_batch.len() {
            return Err(Error::program(format!(
                "batch axes differ in number: {} of the operand, {} of the indices",
                check::list(self.operand_batch),
                check::list(self.indices_batch)
            )));
        }
        for (&a, &i) in self.operand_batch.iter().zip(self.indices_batch) {
            if operand.dim(a) != indices.dim(i) {
                return Err(Error::program(format!(
                    "batch extents differ: {operand_text} axis {a} is {}, {indices_text} axis {i} is {}",
                    operand.dim(a),
                    indices.dim(i)
                )));
            }
        }
        Ok(())
    }

    /// The extents of the indices without the components of index vectors.
    pub fn batch_dims(&self, indices: Type) -> impl Iterator<Item = usize> {
        let vector_axis = self.vector_axis;
        let dims = indices.extents().enumerate();
        dims.filter(move |&(axis, _)| axis != vector_axis).map(|(_, dim)| dim)
    }
}

/// All axes moved back by one.
pub(super) fn shifted(axes: &[usize]) -> Axes {
    axes.iter().map(|a| a + 1).collect()
}

/// All axes moved back by one, and axis 0 in front.
pub(super) fn with_leading_axis(axes: &[usize]) -> Axes {
    std::iter::once(0).chain(axes.iter().map(|a| a + 1)).collect()
}

/// Looks for index vectors that point outside of a tensor of type `of`: component `i` is a position along `axes[i]`, at most
/// `last[i]`.
pub(super) fn positions(
    cx: &mut CheckCx<'_>,
    indices: Value,
    of: Type,
    vector_axis: usize,
    (axes, last): (&[usize], &[usize]),
) -> Result<()> {
    for (i, (&axis, &last)) in axes.iter().zip(last).enumerate() {
        let component = match vector_axis < cx.b.ty(indices).rank() {
            true => cx.b.slice_axis(indices, vector_axis, i, i + 1)?,
            false => indices,
        };
        cx.position(component, of, axis, last)?;
    }
    Ok(())
}

impl Rules for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        check::tensors(operands, &["operand", "indices"])?;
        let (operand, indices) = (operands[0], operands[1]);
        let addressing = Addressing {
            dropped: ("collapsed_axes", &self.collapsed_axes),
            operand_batch: &self.operand_batch_axes,
            indices_batch: &self.indices_batch_axes,
            index_map: &self.index_map,
            vector_axis: self.index_vector_axis,
        };
        addressing.check(operand, indices)?;
        check::one_per_axis("sizes", self.sizes.len(), "operand", operand)?;
        let kept: Axes = (0..operand.rank())
            .filter(|a| !self.collapsed_axes.contains(a) && !self.operand_batch_axes.contains(a))
            .collect();
        if kept.len() != self.offset_axes.len() {
            return Err(Error::program(format!(
                "slices of operand {operand} keep its axes {}, offset_axes {} place {}",
                check::list(&kept),
                check::list(&self.offset_axes),
                self.offset_axes.len()
            )));
        }
        for (axis, (&size, dim)) in self.sizes.iter().zip(operand.extents()).enumerate() {
            if size > dim {
                let text =
                    format!("a slice has {size} elements along axis {axis}, operand {operand} has {dim}");
                return Err(Error::program(text));
            }
            if size != dim.min(1) && !kept.contains(&axis) {
                let text =
                    format!("a slice has {size} elements along operand axis {axis}, which the result drops");
                return Err(Error::program(text));
            }
        }
        let mut batch = addressing.batch_dims(indices);
        let rank = indices.rank() - usize::from(self.index_vector_axis < indices.rank()) + kept.len();
        check::increasing("offset_axes", &self.offset_axes)?;
        check::axes("offset_axes", &self.offset_axes, rank, "the result")?;
        let mut offset = kept.iter().map(|&axis| self.sizes[axis]);
        let dims: Dims = (0..rank)
            .filter_map(|axis| if self.offset_axes.contains(&axis) { offset.next() } else { batch.next() })
            .collect();
        Ok(smallvec![operand.with_dims(dims)])
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, indices, operand) = (cx.cotangent()?, cx.known(1)?, cx.ty(0));
        // A gather moves slices inside where a scatter drops them.
        let limits = self.limits(operand);
        let indices = clamp_indices(cx.b, indices, self.index_vector_axis, &limits)?;
        let scatter = Scatter {
            window_axes: self.offset_axes.clone(),
            inserted_axes: self.collapsed_axes.clone(),
            operand_batch_axes: self.operand_batch_axes.clone(),
            indices_batch_axes: self.indices_batch_axes.clone(),
            index_map: self.index_map.clone(),
            index_vector_axis: self.index_vector_axis,
            sorted: self.sorted,
            unique: false,
            update: Update::Reduce(Reducer::Add),
        };
        let zeros = cx.b.zeros(operand)?;
        let result = cx.b.one(scatter, &[zeros, indices, ct])?;
        Ok(Transpose::Cotangents(vec![Some(result), None]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let (operand, indices) = (cx.operands[0], cx.operands[1]);
        let mut gather = self.clone();
        gather.sorted &= !indices.batched;
        if operand.batched {
            gather.collapsed_axes = shifted(&self.collapsed_axes);
            gather.operand_batch_axes = shifted(&self.operand_batch_axes);
            gather.index_map = shifted(&self.index_map);
            gather.sizes.insert(0, cx.size);
        }
        if indices.batched {
            gather.offset_axes = shifted(&self.offset_axes);
            gather.indices_batch_axes = shifted(&self.indices_batch_axes);
            gather.index_vector_axis += 1;
        } else {
            gather.offset_axes = with_leading_axis(&self.offset_axes);
        }
        if operand.batched && indices.batched {
            gather.operand_batch_axes.insert(0, 0);
            gather.indices_batch_axes.insert(0, 0);
            gather.sizes[0] = gather.sizes[0].min(1);
        }
        let result = cx.b.one(gather, &[operand.value, indices.value])?;
        Ok(Batch::Results(vec![Batched::yes(result)]))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        let of = cx.b.ty(cx.operands[0]);
        let last = self.index_map.iter().map(|&axis| of.dim(axis) - self.sizes[axis]).collect::<Axes>();
        positions(cx, cx.operands[1], of, self.index_vector_axis, (&self.index_map, &last))?;
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let mut alike = fewer.clone();
        match (cx.operands[0], cx.operands[1]) {
            (_, Some(_)) if self.sorted => {
                return Ok(Rows::Refuse("its positions are promised to be sorted"));
            }
            (None, Some(growth)) if growth.axis != self.index_vector_axis => {}
            (Some(operand), Some(_)) if self.operand_batch_axes.contains(&operand.axis) => {}
            (Some(RowGrowth { axis, .. }), None)
                if cx.is_whole(0, axis, [self.sizes[axis], fewer.sizes[axis]]) =>
            {
                // A slice as long as the axis begins at 0, wherever it was to begin.
                alike.sizes[axis] = self.sizes[axis];
            }
            (None, None) => {}
            _ => return Ok(Rows::Refuse("it takes rows by their position")),
        }
        Ok(if *self == alike { Rows::Apart } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        // Only the slices are read.
        Ok(Cost::movement(results, results)?.plus(Cost::movement(&operands[1..], &[])?))
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Slices of a tensor at positions given by another, moved inside where they would reach out.",
            source: "StableHLO specification, gather",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let table = varied(&[5, 3], -1.0, 1.0);
        let rows = ints(&[2, 2], &[4, 0, 2, 2]);
        let outside = ints(&[3], &[-1, 7, 1]);
        let embedding = Gather {
            offset_axes: smallvec![2],
            collapsed_axes: smallvec![0],
            operand_batch_axes: smallvec![],
            indices_batch_axes: smallvec![],
            index_map: smallvec![0],
            index_vector_axis: 2,
            sizes: smallvec![1, 3],
            sorted: false,
        };
        let clamped = Gather { offset_axes: smallvec![1], index_vector_axis: 1, ..embedding.clone() };
        let points = Gather {
            offset_axes: smallvec![],
            collapsed_axes: smallvec![0, 1],
            index_map: smallvec![1, 0],
            index_vector_axis: 0,
            sizes: smallvec![1, 1],
            ..embedding.clone()
        };
        let windows = Gather {
            offset_axes: smallvec![0, 2],
            collapsed_axes: smallvec![],
            index_map: smallvec![0, 1],
            index_vector_axis: 1,
            sizes: smallvec![2, 2],
            ..embedding.clone()
        };
        let batched = Gather {
            offset_axes: smallvec![2],
            collapsed_axes: smallvec![1],
            operand_batch_axes: smallvec![0],
            indices_batch_axes: smallvec![1],
            index_map: smallvec![1],
            index_vector_axis: 2,
            sizes: smallvec![1, 1, 2],
            sorted: false,
        };
        let sorted = Gather { sorted: true, ..clamped.clone() };
        let nothing = Gather { sizes: smallvec![0, 3], ..clamped.clone() };
        vec![
            Example::new("rows", embedding, vec![table.clone(), rows]),
            Example::new("clamped", clamped, vec![table.clone(), outside.clone()]),
            Example::new("from nothing", nothing, vec![varied(&[0, 3], -1.0, 1.0), outside]),
            Example::new("points", points, vec![table.clone(), ints(&[2, 3], &[0, 2, 1, 4, 0, 9])]),
            Example::new("windows", windows, vec![table.clone(), ints(&[3, 2], &[0, 0, 3, 1, 2, 2])]),
            Example::new(
                "batch axes",
                batched,
                vec![varied(&[2, 4, 3], -1.0, 1.0), ints(&[3, 2, 1], &[0, 3, 1, 1, 2, 0])],
            ),
            Example::new("sorted", sorted, vec![table, ints(&[3], &[0, 2, 4])]),
        ]
    }
}
