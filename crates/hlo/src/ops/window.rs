use jarrah_base::{DType, Dims, Error, Result, Type, elements};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::check;

/// Windows over a tensor: how large they are along each axis, and where they lie.
///
/// Along an axis the elements stand at `0, base_dilation, 2 base_dilation, ...`; `low` and `high` more places, or fewer
/// where negative, come before and after. The window `i` starts at the place `i stride` and has the places
/// `0, dilation, 2 dilation, ...` from there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Window {
    /// Places in a window (`window_dimensions`).
    pub sizes: Dims,
    /// From the start of a window to that of the next (`window_strides`).
    pub strides: Dims,
    /// Places before the first element; negative numbers remove.
    pub low: SmallVec<[i64; 6]>,
    /// Places after the last element; negative numbers remove.
    pub high: SmallVec<[i64; 6]>,
    /// From an element to the next (`base_dilations`).
    pub base_dilations: Dims,
    /// From a place in a window to the next (`window_dilations`).
    pub dilations: Dims,
}

/// The elements that a window meets along one axis: `first, first + step, ...`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first.
    pub first: usize,
    /// From one to the next.
    pub step: usize,
    /// How many.
    pub count: usize,
}

/// Windows along one axis that all begin at its first element, or all end at its last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cumulative {
    /// The axis.
    pub axis: usize,
    /// Whether they end at the last element.
    pub from_end: bool,
    /// Where the first window ends, or begins if it ends at the last element; maybe outside the tensor.
    pub reach: i128,
}

impl Cumulative {
    /// Where the window `i` ends, or begins if it ends at the last of `extent` elements.
    pub fn bound(&self, i: usize, extent: usize) -> usize {
        (self.reach + i as i128).clamp(0, extent as i128) as usize
    }
}

impl Window {
    /// Whether each position along the axis is a window of its own.
    pub(super) fn is_single(&self, axis: usize) -> bool {
        (self.sizes[axis], self.strides[axis], self.base_dilations[axis]) == (1, 1, 1)
            && (self.low[axis], self.high[axis]) == (0, 0)
    }

    /// Windows of these sizes at every place, without padding.
    pub fn new(sizes: &[usize]) -> Window {
        let ones: Dims = smallvec![1; sizes.len()];
        let none: SmallVec<[i64; 6]> = smallvec![0; sizes.len()];
        Window {
            sizes: Dims::from_slice(sizes),
            strides: ones.clone(),
            low: none.clone(),
            high: none,
            base_dilations: ones.clone(),
            dilations: ones,
        }
    }

    /// These windows with other strides.
    pub fn strided(self, strides: &[usize]) -> Window {
        Window { strides: Dims::from_slice(strides), ..self }
    }

    /// These windows over a tensor with more places before and after.
    pub fn padded(self, low: &[i64], high: &[i64]) -> Window {
        Window { low: low.into(), high: high.into(), ..self }
    }

    /// Over how many axes the windows run.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// Whether every place is an element.
    pub fn is_unpadded(&self) -> bool {
        self.low.iter().chain(&self.high).all(|&p| p == 0) && self.base_dilations.iter().all(|&d| d == 1)
    }

    /// The elements along `axis`, of which there are `extent`, that the window `i` meets; places of padding are none.
    pub fn run(&self, axis: usize, extent: usize, i: usize) -> Run {
        let base = self.base_dilations[axis] as i128;
        let dilation = self.dilations[axis] as i128;
        // Places `start + w * dilation` are elements where they are multiples of `base`: every `base / gcd`-th of them.
        let common = gcd(base, dilation);
        let (each, step) = (base / common, dilation / common);
        let places = if extent == 0 { 0 } else { (extent as i128 - 1) * base + 1 };
        let start = i as i128 * self.strides[axis] as i128 - i128::from(self.low[axis]);
        // The places of the window that lie on the tensor.
        let from = ((-start).max(0) + dilation - 1) / dilation;
        let to = self.sizes[axis] as i128;
        let to = if places > start { to.min((places - 1 - start) / dilation + 1) } else { 0 };
        let first = (from..to.min(from + each)).find(|w| (start + w * dilation) % base == 0);
        let Some(first) = first else { return Run::default() };
        Run {
            first: ((start + first * dilation) / base) as usize,
            step: step as usize,
            count: ((to - 1 - first) / each + 1) as usize,
        }
    }

    /// The windows over a tensor of extents `dims` as growing or shrinking ranges along one axis, where they are such.
    ///
    /// # Errors
    /// As [`Window::count`].
    pub fn cumulative(&self, dims: &[usize]) -> Result<Option<Cumulative>> {
        let mut axes = (0..self.rank()).filter(|&a| !self.is_trivial(a));
        let (Some(axis), None) = (axes.next(), axes.next()) else { return Ok(None) };
        if self.strides[axis] != 1 || self.dilations[axis] != 1 || self.base_dilations[axis] != 1 {
            return Ok(None);
        }
        let (low, size, extent) = (i128::from(self.low[axis]), self.sizes[axis] as i128, dims[axis]);
        let count = self.count(axis, extent)? as i128;
        let from_end = match (count - 1 <= low, size - low >= extent as i128) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => return Ok(None),
        };
        Ok(Some(Cumulative { axis, from_end, reach: if from_end { -low } else { size - low } }))
    }

    /// Checks that there is an entry for each of `rank` axes, and that sizes, strides and dilations are at least 1.
    pub(crate) fn check(&self, rank: usize, of: &str) -> Result<()> {
        let naturals = [
            ("window sizes", &self.sizes),
            ("strides", &self.strides),
            ("base dilations", &self.base_dilations),
            ("window dilations", &self.dilations),
        ];
        for (what, list) in naturals {
            if list.len() != rank {
                let text =
                    format!("{what} {} are not one for each of the {rank} axes of {of}", check::list(list));
                return Err(Error::program(text));
            }
            if list.contains(&0) {
                return Err(Error::program(format!("{what} {} must be at least 1", check::list(list))));
            }
        }
        elements(&self.sizes)?;
        for (what, list) in [("low", &self.low), ("high", &self.high)] {
            if list.len() != rank {
                let text = format!("{what} padding {list:?} is not one for each of the {rank} axes of {of}");
                return Err(Error::program(text));
            }
        }
        Ok(())
    }

    /// The number of windows along `axis` over `extent` elements.
    ///
    /// # Errors
    /// There are more than a computer can count.
    pub fn count(&self, axis: usize, extent: usize) -> Result<usize> {
        self.count_of(axis, extent, self.sizes[axis])
    }

    /// As [`Window::count`], for windows of `size` places.
    pub(crate) fn count_of(&self, axis: usize, extent: usize, size: usize) -> Result<usize> {
        let padded = dilated(extent, self.base_dilations[axis])
            .saturating_add(i128::from(self.low[axis]))
            .saturating_add(i128::from(self.high[axis]));
        let covered = dilated(size, self.dilations[axis]);
        if padded <= 0 || covered > padded {
            return Ok(0);
        }
        let count = (padded - covered) / self.strides[axis] as i128 + 1;
        usize::try_from(count)
            .map_err(|_| Error::program(format!("there are {count} windows along axis {axis}")))
    }

    /// The type in which numbers of type `dtype` are added that belong to the windows of an element: a wider one than theirs where windows
    /// meet, which is rounded once.
    pub(crate) fn sums_in(&self, dtype: DType) -> DType {
        let meet = (0..self.rank())
            .any(|axis| dilated(self.sizes[axis], self.dilations[axis]) > self.strides[axis] as i128);
        match dtype {
            DType::F32 if meet => DType::F64,
            DType::C64 if meet => DType::C128,
            _ if meet => dtype.accumulator(),
            _ => dtype,
        }
    }

    /// A tensor with an element for each window over one of type `operand`.
    pub(crate) fn result(&self, operand: Type) -> Result<Type> {
        let mut dims: Dims = SmallVec::new();
        for (axis, dim) in operand.extents().enumerate() {
            dims.push(match self.is_trivial(axis) {
                true => dim,
                false => self.count(axis, dim)?,
            });
        }
        Ok(operand.with_dims(dims))
    }

    /// Whether the windows are the elements along `axis`.
    pub fn is_trivial(&self, axis: usize) -> bool {
        self.sizes[axis] == 1
            && self.strides[axis] == 1
            && self.low[axis] == 0
            && self.high[axis] == 0
            && self.base_dilations[axis] == 1
    }

    /// These windows over each element of a batch: one more axis in front.
    pub(crate) fn batched(&self) -> Window {
        let mut window = self.clone();
        for list in
            [&mut window.sizes, &mut window.strides, &mut window.base_dilations, &mut window.dilations]
        {
            list.insert(0, 1);
        }
        window.low.insert(0, 0);
        window.high.insert(0, 0);
        window
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// How far `count` places reach that lie `dilation` apart.
pub(crate) fn dilated(count: usize, dilation: usize) -> i128 {
    if count == 0 { 0 } else { ((count - 1) as i128).saturating_mul(dilation as i128).saturating_add(1) }
}
