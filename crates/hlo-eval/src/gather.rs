use jarrah_base::{Error, Literal, Result, Type, with_element};
use jarrah_hlo::Program;
use jarrah_hlo::ops::{Gather, Reducer, Scatter, Update};
use smallvec::{SmallVec, smallvec};

use crate::copy::{View, copy_box, walk};
use crate::elementwise::combination;
use crate::machine::Machine;
use crate::reduce::element;

/// How a gather or a scatter finds the slice that belongs to an index vector.
struct Addressing {
    /// The extents of the indices without the components of index vectors.
    batch: SmallVec<[usize; 6]>,
    /// The indices, over `batch`.
    indices: View,
    /// The distance between the components of an index vector.
    component: usize,
    /// The operand, over `batch`: only axes that run along with the operand's batch axes move.
    operand: View,
    /// The other tensor, over `batch`.
    other: View,
    /// The distance that one step of each component makes in the operand, and the largest start.
    steps: Vec<(isize, i128)>,
    /// Slices of the operand.
    window: View,
    /// Slices of the other tensor.
    other_window: View,
    /// The extents of slices.
    sizes: SmallVec<[usize; 6]>,
}

/// The attributes that gathers and scatters share; the sizes are those of a slice along every operand axis.
struct Attributes<'a> {
    window_axes: &'a [usize],
    dropped: &'a [usize],
    operand_batch: &'a [usize],
    indices_batch: &'a [usize],
    index_map: &'a [usize],
    vector_axis: usize,
    sizes: &'a [usize],
}

impl Addressing {
    fn new(attributes: &Attributes<'_>, operand: &[usize], indices: &[usize], other: &[usize]) -> Addressing {
        let vector_axis = attributes.vector_axis;
        let batch_axes: Vec<usize> = (0..indices.len()).filter(|&a| a != vector_axis).collect();
        let dense = View::dense(operand);
        let mut along = View { base: 0, strides: smallvec![0; indices.len()] };
        for (&a, &i) in attributes.operand_batch.iter().zip(attributes.indices_batch) {
            along.strides[i] = dense.strides[a];
        }
        let kept: Vec<usize> = (0..operand.len())
            .filter(|a| !attributes.dropped.contains(a) && !attributes.operand_batch.contains(a))
            .collect();
        let other_batch: Vec<usize> =
            (0..other.len()).filter(|a| !attributes.window_axes.contains(a)).collect();
        let indices_view = View::dense(indices);
        let limit = |axis: usize| (operand[axis] - attributes.sizes[axis]) as i128;
        Addressing {
            batch: batch_axes.iter().map(|&a| indices[a]).collect(),
            component: indices_view.strides.get(vector_axis).map_or(0, |&s| s as usize),
            indices: indices_view.axes(&batch_axes),
            operand: along.axes(&batch_axes),
            other: View::dense(other).axes(&other_batch),
            steps: attributes.index_map.iter().map(|&axis| (dense.strides[axis], limit(axis))).collect(),
            window: dense.axes(&kept),
            other_window: View::dense(other).axes(attributes.window_axes),
            sizes: kept.iter().map(|&a| attributes.sizes[a]).collect(),
        }
    }

    /// Calls `visit` for each index vector in row-major order with where its slice lies in the operand and in the
    /// other tensor, and whether it is inside; if not, the slice is the one moved inside.
    fn slices(
        &self,
        indices: &Literal,
        mut visit: impl FnMut(&View, &View, bool) -> Result<()>,
    ) -> Result<()> {
        let (mut window, mut other_window) = (self.window.clone(), self.other_window.clone());
        let mut result = Ok(());
        walk(&self.batch, [&self.indices, &self.operand, &self.other], |[at, base, other]| {
            let (mut start, mut inside) = (base as isize, true);
            for (i, &(step, limit)) in self.steps.iter().enumerate() {
                let wanted = indices.get_i128(at + i * self.component);
                let clamped = wanted.clamp(0, limit);
                inside &= wanted == clamped;
                start += clamped as isize * step;
            }
            window.base = start;
            other_window.base = other as isize;
            if result.is_ok() {
                result = visit(&window, &other_window, inside);
            }
        });
        result
    }
}

pub fn gather(op: &Gather, operand: &Literal, indices: &Literal, to: Type) -> Result<Literal> {
    let attributes = Attributes {
        window_axes: &op.offset_axes,
        dropped: &op.collapsed_axes,
        operand_batch: &op.operand_batch_axes,
        indices_batch: &op.indices_batch_axes,
        index_map: &op.index_map,
        vector_axis: op.index_vector_axis,
        sizes: &op.sizes,
    };
    let mut out = Literal::zeros(to)?;
    let addressing = Addressing::new(&attributes, &operand.dims(), &indices.dims(), &to.dims());
    // An operand without elements is read as zeros.
    if out.is_empty() || operand.is_empty() {
        return Ok(out);
    }
    addressing.slices(indices, |window, result, _| {
        copy_box(&mut out, result, operand, window, &addressing.sizes)
    })?;
    Ok(out)
}

/// Operands are the tensors, the indices and the updates; index vectors come in row-major order, and a window that is
/// not wholly inside is dropped. Each combination is rounded to the element type.
pub fn scatter(machine: &mut Machine<'_>, op: &Scatter, mut operands: Vec<Literal>) -> Result<Vec<Literal>> {
    let inputs = operands.len() / 2;
    let mut updates = operands.split_off(inputs);
    let indices = updates.remove(0);
    match (&op.update, &mut operands[..], &updates[..]) {
        (Update::Reduce(Reducer::General(body)), outs, updates) => {
            by_program(machine, op, body, outs, &indices, updates)?;
        }
        (update, [out], [updates]) => one(op, update, out, &indices, updates)?,
        _ => return Err(Error::internal("several tensors are combined by a program only")),
    }
    Ok(operands)
}

fn addressing(op: &Scatter, out: &Literal, indices: &Literal, updates: &Literal) -> Addressing {
    let sizes = op.window_sizes(out.ty(), updates.ty());
    let attributes = Attributes {
        window_axes: &op.window_axes,
        dropped: &op.inserted_axes,
        operand_batch: &op.operand_batch_axes,
        indices_batch: &op.indices_batch_axes,
        index_map: &op.index_map,
        vector_axis: op.index_vector_axis,
        sizes: &sizes,
    };
    Addressing::new(&attributes, &out.dims(), &indices.dims(), &updates.dims())
}

fn by_program(
    machine: &mut Machine<'_>,
    op: &Scatter,
    body: &Program,
    outs: &mut [Literal],
    indices: &Literal,
    updates: &[Literal],
) -> Result<()> {
    if outs[0].is_empty() || updates[0].is_empty() {
        return Ok(());
    }
    let addressing = addressing(op, &outs[0], indices, &updates[0]);
    addressing.slices(indices, |window, update, inside| {
        let mut pairs = Vec::new();
        if inside {
            walk(&addressing.sizes, [window, update], |pair| pairs.push(pair));
        }
        for [to, from] in pairs {
            let there = outs.iter().map(|x| element(x, to));
            let arguments = there.chain(updates.iter().map(|x| element(x, from)));
            let arguments = arguments.collect::<Result<_>>()?;
            for (out, result) in outs.iter_mut().zip(machine.run(body, arguments)?) {
                let size = result.bytes().len();
                out.bytes_mut()[to * size..][..size].copy_from_slice(result.bytes());
            }
        }
        Ok(())
    })
}

fn one(op: &Scatter, update: &Update, out: &mut Literal, indices: &Literal, updates: &Literal) -> Result<()> {
    if out.is_empty() || updates.is_empty() {
        return Ok(());
    }
    let addressing = addressing(op, out, indices, updates);
    let Update::Reduce(reducer) = update else {
        return addressing.slices(indices, |window, update, inside| match inside {
            true => copy_box(out, window, updates, update, &addressing.sizes),
            false => Ok(()),
        });
    };
    let kind =
        reducer.elementwise().ok_or_else(|| Error::internal("positions of extrema cannot be scattered"))?;
    let dtype = out.dtype();
    with_element!(dtype, T => {
        let combine = combination::<T>(kind, dtype)
            .ok_or_else(|| Error::internal(format!("{} is not defined for {dtype}", kind.name())))?;
        let updates = updates.as_slice::<T>()?;
        let out = out.as_mut_slice::<T>()?;
        addressing.slices(indices, |window, update, inside| {
            if inside {
                walk(&addressing.sizes, [window, update], |[to, from]| out[to] = combine(out[to], updates[from]));
            }
            Ok(())
        })?;
    });
    Ok(())
}
