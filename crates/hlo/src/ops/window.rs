use jarrah_base::{Dim, Error, Result, Type};
use smallvec::{SmallVec, smallvec};

use super::{Sizes, check};

/// Windows over a tensor: how large they are along each axis, and where they lie.
///
/// Along an axis the elements stand at `0, base_dilation, 2 base_dilation, ...`; `low` and `high` more places, or fewer
/// where negative, come before and after. The window `i` starts at the place `i stride` and has the places
/// `0, dilation, 2 dilation, ...` from there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// Places in a window (`window_dimensions`).
    pub sizes: Sizes,
    /// From the start of a window to that of the next (`window_strides`).
    pub strides: Sizes,
    /// Places before the first element; negative numbers remove.
    pub low: SmallVec<[i64; 6]>,
    /// Places after the last element; negative numbers remove.
    pub high: SmallVec<[i64; 6]>,
    /// From an element to the next (`base_dilations`).
    pub base_dilations: Sizes,
    /// From a place in a window to the next (`window_dilations`).
    pub dilations: Sizes,
}

impl Window {
    /// Windows of these sizes at every place, without padding.
    pub fn new(sizes: &[usize]) -> Window {
        let ones: Sizes = smallvec![1; sizes.len()];
        let none: SmallVec<[i64; 6]> = smallvec![0; sizes.len()];
        Window {
            sizes: Sizes::from_slice(sizes),
            strides: ones.clone(),
            low: none.clone(),
            high: none,
            base_dilations: ones.clone(),
            dilations: ones,
        }
    }

    /// The same windows with these strides.
    pub fn strided(self, strides: &[usize]) -> Window {
        Window { strides: Sizes::from_slice(strides), ..self }
    }

    /// The same windows over a tensor with more places before and after.
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

    /// A tensor with an element for each window over one of type `operand`.
    pub(crate) fn result(&self, operand: Type) -> Result<Type> {
        let mut dims: SmallVec<[Dim; 6]> = SmallVec::new();
        for (axis, &dim) in operand.dims().iter().enumerate() {
            dims.push(match self.is_trivial(axis) {
                true => dim,
                false => Dim::new(self.count(axis, dim.known()?)?),
            });
        }
        Ok(operand.with_dims(dims))
    }

    fn is_trivial(&self, axis: usize) -> bool {
        self.sizes[axis] == 1
            && self.strides[axis] == 1
            && self.low[axis] == 0
            && self.high[axis] == 0
            && self.base_dilations[axis] == 1
    }

    /// The same windows over each element of a batch: one more axis in front.
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

/// How far `count` places reach that lie `dilation` apart.
pub(crate) fn dilated(count: usize, dilation: usize) -> i128 {
    if count == 0 { 0 } else { ((count - 1) as i128).saturating_mul(dilation as i128).saturating_add(1) }
}
