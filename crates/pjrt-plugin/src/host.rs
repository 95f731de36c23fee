//! Tensors in the caller's memory: element types, strides and layouts.

use jarrah_base::{DType, Type};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::element::{self, narrow};

use crate::failure::{Failure, Outcome};
use crate::object::{list, value};
use crate::order::Order;

/// The element type of a number.
pub fn dtype_of(number: PJRT_Buffer_Type) -> Outcome<DType> {
    element::dtype_of(number).ok_or_else(|| match number.name() {
        Some(name) => Failure::unimplemented(format!("there are no tensors of the element type {name}")),
        None => Failure::invalid(format!("there is no element type {}", number.0)),
    })
}

/// The number of an element type in `xla.PrimitiveType`, whose order is another than the interface's.
pub fn primitive(number: PJRT_Buffer_Type) -> u32 {
    const NUMBERS: [(PJRT_Buffer_Type, u32); 32] = [
        (PJRT_Buffer_Type::PRED, 1),
        (PJRT_Buffer_Type::S8, 2),
        (PJRT_Buffer_Type::S16, 3),
        (PJRT_Buffer_Type::S32, 4),
        (PJRT_Buffer_Type::S64, 5),
        (PJRT_Buffer_Type::U8, 6),
        (PJRT_Buffer_Type::U16, 7),
        (PJRT_Buffer_Type::U32, 8),
        (PJRT_Buffer_Type::U64, 9),
        (PJRT_Buffer_Type::F16, 10),
        (PJRT_Buffer_Type::F32, 11),
        (PJRT_Buffer_Type::F64, 12),
        (PJRT_Buffer_Type::C64, 15),
        (PJRT_Buffer_Type::BF16, 16),
        (PJRT_Buffer_Type::TOKEN, 17),
        (PJRT_Buffer_Type::C128, 18),
        (PJRT_Buffer_Type::F8E5M2, 19),
        (PJRT_Buffer_Type::F8E4M3FN, 20),
        (PJRT_Buffer_Type::S4, 21),
        (PJRT_Buffer_Type::U4, 22),
        (PJRT_Buffer_Type::F8E4M3B11FNUZ, 23),
        (PJRT_Buffer_Type::F8E5M2FNUZ, 24),
        (PJRT_Buffer_Type::F8E4M3FNUZ, 25),
        (PJRT_Buffer_Type::S2, 26),
        (PJRT_Buffer_Type::U2, 27),
        (PJRT_Buffer_Type::F8E4M3, 28),
        (PJRT_Buffer_Type::F8E3M4, 29),
        (PJRT_Buffer_Type::S1, 30),
        (PJRT_Buffer_Type::U1, 31),
        (PJRT_Buffer_Type::F4E2M1FN, 32),
        (PJRT_Buffer_Type::F8E8M0FNU, 33),
        (PJRT_Buffer_Type::INVALID, 0),
    ];
    NUMBERS.iter().find(|(known, _)| *known == number).map_or(0, |(_, number)| *number)
}

/// The type of a tensor that C describes.
pub fn type_of(number: PJRT_Buffer_Type, dims: *const i64, rank: usize) -> Outcome<Type> {
    let dtype = dtype_of(number)?;
    let extent = |&dim: &i64| {
        usize::try_from(dim).map_err(|_| Failure::invalid(format!("a tensor has the extent {dim}")))
    };
    let dims: Vec<usize> = list(dims, rank, "dimensions")?.iter().map(extent).collect::<Outcome<_>>()?;
    let ty = Type::tensor(dtype, dims);
    ty.check_size()?;
    Ok(ty)
}

/// The extents of a tensor.
pub fn dims_of(ty: Type) -> Vec<i64> {
    ty.extents().map(|extent| extent as i64).collect()
}

/// The order that C wishes for a buffer; row-major if it describes none.
pub fn order_of(ty: Type, layout: *const PJRT_Buffer_MemoryLayout) -> Outcome<Order> {
    let wished = HostShape::laid_out(ty, layout)?;
    let order = wished.order();
    match wished.same_order(&HostShape::dense_in(ty, &order)) {
        true => Ok(order),
        false => Err(Failure::unimplemented("buffers are dense; no other strides are supported")),
    }
}

/// Whether a tensor of this type lies in both orders at once: axes of one element may stand anywhere.
pub fn agree(one: &Order, other: &Order, ty: Type) -> bool {
    HostShape::dense_in(ty, one).same_order(&HostShape::dense_in(ty, other))
}

/// How the bytes of a tensor lie in the caller's memory.
pub struct HostShape {
    dims: Vec<i64>,
    /// The distance in bytes between neighbours along each axis.
    strides: Vec<i64>,
    element: i64,
    dtype: DType,
}

fn row_major(dims: &[i64], order: impl Iterator<Item = usize>, element: i64) -> Vec<i64> {
    let mut strides = vec![0; dims.len()];
    let mut stride = element;
    for axis in order {
        strides[axis] = stride;
        stride = stride.saturating_mul(dims[axis].max(1));
    }
    strides
}

impl HostShape {
    /// A tensor whose neighbours are `strides` bytes apart; dense and row-major if there are none.
    pub fn strided(ty: Type, strides: &[i64]) -> Outcome<HostShape> {
        let mut shape = HostShape::dense(ty);
        match strides.len() {
            0 => {}
            n if n == shape.dims.len() => shape.strides = strides.to_vec(),
            n => {
                return Err(Failure::invalid(format!(
                    "{ty} has {} axes, {n} strides were given",
                    shape.dims.len()
                )));
            }
        }
        Ok(shape)
    }

    /// A dense row-major tensor.
    pub fn dense(ty: Type) -> HostShape {
        let (dims, element) = (dims_of(ty), ty.dtype().size() as i64);
        let strides = row_major(&dims, (0..dims.len()).rev(), element);
        HostShape { dims, strides, element, dtype: ty.dtype() }
    }

    /// A dense tensor whose axes lie in an order.
    pub fn dense_in(ty: Type, order: &Order) -> HostShape {
        let mut shape = HostShape::dense(ty);
        shape.strides = row_major(&shape.dims, order.axes().iter().rev().copied(), shape.element);
        shape
    }

    /// The order of the axes: neighbours along a later axis are no further from each other. Of axes with equal strides, and of
    /// those with one element, the order is as if the tensor were row-major.
    pub fn order(&self) -> Order {
        let mut axes: Vec<usize> = (0..self.dims.len()).collect();
        if !self.is_row_major() {
            axes.sort_by_key(|&axis| std::cmp::Reverse(self.strides[axis]));
        }
        Order::from_slowest(axes)
    }

    /// These bytes as a tensor whose axes stand in an order, which is how a buffer holds it.
    pub fn stored(self, order: &Order) -> HostShape {
        let axes = || order.axes().iter();
        HostShape {
            dims: axes().map(|&axis| self.dims[axis]).collect(),
            strides: axes().map(|&axis| self.strides[axis]).collect(),
            ..self
        }
    }

    /// A tensor in the layout that C describes; dense and row-major if it is null.
    pub fn laid_out(ty: Type, layout: *const PJRT_Buffer_MemoryLayout) -> Outcome<HostShape> {
        if layout.is_null() {
            return Ok(HostShape::dense(ty));
        }
        let layout = value(layout, "layout")?;
        // SAFETY: the caller promises that the layout is of the kind that its type says.
        unsafe {
            match layout.r#type {
                PJRT_Buffer_MemoryLayout_Type::Strides => {
                    let PJRT_Buffer_MemoryLayout_Strides { byte_strides, num_byte_strides, .. } =
                        layout.layout.strides;
                    HostShape::strided(ty, list(byte_strides, num_byte_strides, "strides")?)
                }
                PJRT_Buffer_MemoryLayout_Type::Tiled => {
                    let tiled = layout.layout.tiled;
                    if tiled.num_tiles > 0 {
                        return Err(Failure::unimplemented("tiled layouts are not supported"));
                    }
                    let order = list(tiled.minor_to_major, tiled.minor_to_major_size, "axes of a layout")?;
                    HostShape::ordered(ty, order)
                }
                other => Err(Failure::invalid(format!("there is no kind {} of layout", other.0))),
            }
        }
    }

    /// A dense tensor whose axes, from the one that varies fastest, are `order`.
    fn ordered(ty: Type, order: &[i64]) -> Outcome<HostShape> {
        let axes = Order::from_fastest(order, ty.rank());
        let axes = axes
            .ok_or_else(|| Failure::invalid(format!("the axes of {ty} cannot be in the order {order:?}")))?;
        Ok(HostShape::dense_in(ty, &axes))
    }

    fn elements(&self) -> usize {
        self.dims.iter().product::<i64>() as usize
    }

    /// The bytes of the tensor when it is dense.
    pub fn bytes(&self) -> usize {
        self.elements() * self.element as usize
    }

    /// Whether a tensor given by the caller is, byte for byte, a dense row-major tensor of ours.
    pub fn is_plain(&self) -> bool {
        self.is_row_major() && !narrow(self.dtype)
    }

    /// Whether the elements stand one after another in row-major order.
    fn is_row_major(&self) -> bool {
        let strides = row_major(&self.dims, (0..self.dims.len()).rev(), self.element);
        let dense = HostShape { dims: self.dims.clone(), strides, element: self.element, dtype: self.dtype };
        self.same_order(&dense)
    }

    /// Whether the elements stand at the same places as in another shape of the type.
    pub fn same_order(&self, other: &HostShape) -> bool {
        let mut axes = (0..self.dims.len()).filter(|&axis| self.dims[axis] > 1);
        self.elements() == 0 || axes.all(|axis| self.strides[axis] == other.strides[axis])
    }

    /// The last byte offset that is touched, plus one, if no offset is negative.
    fn reach(&self) -> Option<i64> {
        let mut last = self.element;
        for (&dim, &stride) in self.dims.iter().zip(&self.strides) {
            if dim > 1 {
                if stride < 0 {
                    return None;
                }
                last = last.checked_add(stride.checked_mul(dim - 1)?)?;
            }
        }
        Some(last)
    }

    /// The axes before those whose elements stand one after another, and the bytes of such a run.
    fn runs(&self) -> (usize, usize) {
        let (mut outer, mut run) = (self.dims.len(), self.element);
        while outer > 0 && (self.dims[outer - 1] == 1 || self.strides[outer - 1] == run) {
            outer -= 1;
            run *= self.dims[outer];
        }
        (outer, run as usize)
    }

    /// The offset of each run of the first `outer` axes, in row-major order.
    fn offsets(&self, outer: usize, mut visit: impl FnMut(isize)) {
        if self.elements() == 0 {
            return;
        }
        let mut index = vec![0; outer];
        let mut offset = 0i64;
        for _ in 0..self.dims[..outer].iter().product::<i64>() {
            visit(offset as isize);
            for axis in (0..outer).rev() {
                index[axis] += 1;
                offset += self.strides[axis];
                if index[axis] < self.dims[axis] {
                    break;
                }
                offset -= self.strides[axis] * self.dims[axis];
                index[axis] = 0;
            }
        }
    }

    /// The tensor as one of ours.
    ///
    /// # Safety
    /// `data` points to the first element of such a tensor.
    pub unsafe fn gather(&self, data: *const u8) -> Vec<u8> {
        let (outer, size) = self.runs();
        let mut dense = Vec::with_capacity(self.bytes());
        // SAFETY: the caller promises that the element at each index is there, so a run is.
        let run = |offset, size| unsafe { std::slice::from_raw_parts(data.offset(offset), size) };
        match size {
            // A size that is known makes a copy of an element one instruction.
            4 => self.offsets(outer, |offset| dense.extend_from_slice(run(offset, 4))),
            2 => self.offsets(outer, |offset| dense.extend_from_slice(run(offset, 2))),
            8 => self.offsets(outer, |offset| dense.extend_from_slice(run(offset, 8))),
            size => self.offsets(outer, |offset| dense.extend_from_slice(run(offset, size))),
        }
        element::from_host(self.dtype, &mut dense);
        dense
    }

    /// Writes a tensor of ours.
    ///
    /// # Safety
    /// `data` points to `len` bytes that nobody else uses.
    ///
    /// # Errors
    /// The tensor does not fit there.
    pub unsafe fn scatter(&self, dense: &[u8], data: *mut u8, len: usize) -> Outcome {
        if self.elements() == 0 {
            return Ok(());
        }
        let fits = self.reach().is_some_and(|reach| reach as usize <= len);
        if !fits || dense.len() != self.bytes() {
            return Err(Failure::invalid(format!(
                "the tensor does not fit into the {len} bytes of the destination"
            )));
        }
        if self.is_row_major() {
            // SAFETY: `dense` fits, as was checked, and nobody else uses the destination.
            unsafe { std::ptr::copy_nonoverlapping(dense.as_ptr(), data, dense.len()) };
            return Ok(());
        }
        let (outer, size) = self.runs();
        let mut from = dense.chunks_exact(size);
        self.offsets(outer, |offset| {
            let Some(run) = from.next() else { return };
            // SAFETY: offsets are between 0 and the reach, which fits, as was checked.
            unsafe { std::ptr::copy_nonoverlapping(run.as_ptr(), data.offset(offset), size) };
        });
        Ok(())
    }
}
