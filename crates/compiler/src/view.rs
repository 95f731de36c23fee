//! How a kernel reads an array in the row-major order of its iteration space.

use smallvec::SmallVec;

/// An offset and a list of `(extent, stride)`, outermost first: position `(i0, i1, ..)` of the space reads element
/// `offset + i0 s0 + i1 s1 + ..` of a contiguous array. Stride 0 repeats, a negative one reads backwards.
///
/// In normal form: no extent is one, and neighbours are merged where `s0 = e1 s1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct View {
    offset: usize,
    axes: SmallVec<[(usize, isize); 4]>,
}

impl View {
    /// All `n` elements in order.
    pub fn contiguous(n: usize) -> View {
        let mut view = View::default();
        view.push(n, 1);
        view
    }

    /// The pairs of extent and stride.
    pub fn entries(&self) -> &[(usize, isize)] {
        &self.axes
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|(e, _)| e).product()
    }

    /// Appends an inner axis.
    pub fn push(&mut self, extent: usize, stride: isize) {
        if extent == 1 {
            return;
        }
        match self.axes.last_mut() {
            Some(last) if last.1 == extent as isize * stride => *last = (last.0 * extent, stride),
            _ => self.axes.push((extent, stride)),
        }
    }

    /// Appends all axes of another view.
    pub fn extend(&mut self, entries: &[(usize, isize)]) {
        for &(extent, stride) in entries {
            self.push(extent, stride);
        }
    }

    /// Whether this reads a whole array in order.
    pub fn is_identity(&self) -> bool {
        self.offset == 0 && matches!(self.axes[..], [] | [(_, 1)])
    }

    /// Whether this reads each of `n` elements, as often as any other; if not, it is a window.
    pub fn is_whole(&self, n: usize) -> bool {
        let moving = || self.axes.iter().filter(|(_, s)| *s != 0);
        self.offset == 0 && moving().all(|(_, s)| *s > 0) && moving().map(|(e, _)| e).product::<usize>() == n
    }

    /// The number of positions inside each boundary between axes.
    pub fn cuts(&self) -> impl Iterator<Item = usize> + '_ {
        let mut inside = 1;
        let count = self.axes.len();
        self.axes.iter().rev().take(count.saturating_sub(1)).map(move |(e, _)| {
            inside *= e;
            inside
        })
    }

    /// The axes split and grouped so that group `i` has `sizes[i]` positions, from offset 0; `None` where an axis does not
    /// divide.
    pub fn refine(&self, sizes: &[usize]) -> Option<SmallVec<[View; 4]>> {
        let mut groups: SmallVec<[View; 4]> = SmallVec::from_elem(View::default(), sizes.len());
        let mut rest = self.axes.clone();
        for (group, &size) in groups.iter_mut().zip(sizes).rev() {
            let mut needed = size;
            let mut reversed: SmallVec<[(usize, isize); 4]> = SmallVec::new();
            while needed > 1 {
                let (extent, stride) = rest.pop()?;
                if needed % extent == 0 {
                    reversed.push((extent, stride));
                    needed /= extent;
                } else if extent % needed == 0 {
                    reversed.push((needed, stride));
                    rest.push((extent / needed, stride * needed as isize));
                    needed = 1;
                } else {
                    return None;
                }
            }
            for (extent, stride) in reversed.into_iter().rev() {
                group.push(extent, stride);
            }
        }
        rest.is_empty().then_some(groups)
    }

    /// The view that reads `inner`, whose space is this view's array, through this view, which is no window.
    pub fn compose(&self, inner: &View) -> Option<View> {
        if self.is_identity() && self.len() == inner.len() {
            return Some(inner.clone());
        }
        let total = inner.len();
        if self.offset != 0 {
            return None;
        }
        let mut view = View { offset: inner.offset, ..View::default() };
        for &(extent, stride) in &self.axes {
            if stride == 0 {
                view.push(extent, 0);
                continue;
            }
            let stride = usize::try_from(stride).ok()?;
            let span = extent * stride;
            if !total.is_multiple_of(span) {
                return None;
            }
            let groups = inner.refine(&[total / span, extent, stride])?;
            view.extend(groups[1].entries());
        }
        Some(view)
    }

    /// The view that along axis `i` of a space of extents `sizes` reads `counts[i]` positions from `starts[i]` on, backwards
    /// where `backwards` says so; `None` if an axis of the space needs several strides.
    pub fn window(
        &self,
        sizes: &[usize],
        starts: &[usize],
        counts: &[usize],
        backwards: impl Fn(usize) -> bool,
    ) -> Option<View> {
        let strides = self.strides(sizes)?;
        let mut offset = self.offset as isize;
        let mut view = View::default();
        for (axis, &stride) in strides.iter().enumerate() {
            let turned = backwards(axis);
            let first = if turned { starts[axis] + counts[axis] - 1 } else { starts[axis] };
            offset += first as isize * stride;
            view.push(counts[axis], if turned { -stride } else { stride });
        }
        view.offset = usize::try_from(offset).ok()?;
        Some(view)
    }

    /// One stride for each of `sizes`; `None` if a group needs several.
    pub fn strides(&self, sizes: &[usize]) -> Option<SmallVec<[isize; 6]>> {
        let groups = self.refine(sizes)?;
        groups
            .iter()
            .map(|group| match group.entries() {
                [] => Some(0),
                [(_, stride)] => Some(*stride),
                _ => None,
            })
            .collect()
    }

    /// Whether the innermost axis that does not repeat has stride 1, or -1, in memory.
    pub fn reads_runs(&self) -> bool {
        self.axes.iter().rev().find(|(_, s)| *s != 0).is_none_or(|(_, s)| s.abs() == 1)
    }

    /// Whether the element stays the same along the innermost axis, if there is one.
    pub fn is_fixed_inside(&self) -> bool {
        self.axes.last().is_none_or(|(_, s)| *s == 0)
    }
}

/// An axis of an array of which a window reads a part.
#[derive(Clone, Copy, Debug)]
pub struct WindowAxis {
    /// The positions of the array's axis.
    pub extent: usize,
    pub start: usize,
    pub count: usize,
    pub backwards: bool,
    /// The axis of the space along which it moves; `None` if it stays at `start`.
    pub along: Option<usize>,
}

/// A view as parts of the axes of its array, outermost first.
#[derive(Clone, Debug)]
pub struct Window {
    pub axes: SmallVec<[WindowAxis; 6]>,
}

impl Window {
    /// How `view` over a space of extents `dims` reads an array of `n` elements; `None` where an axis of the space moves along
    /// no axis of the array, whatever its extents.
    pub fn of(view: &View, dims: &[usize], n: usize) -> Option<Window> {
        let strides = view.strides(dims)?;
        let mut moving: SmallVec<[usize; 6]> = (0..dims.len()).filter(|&i| strides[i] != 0).collect();
        moving.sort_by_key(|&i| std::cmp::Reverse(strides[i].unsigned_abs()));
        // The least element that is read.
        let back: usize = moving
            .iter()
            .filter(|&&i| strides[i] < 0)
            .map(|&i| (dims[i] - 1) * strides[i].unsigned_abs())
            .sum();
        let mut rest = view.offset.checked_sub(back)?;
        let (mut axes, mut outside) = (SmallVec::new(), n);
        for along in moving {
            let pitch = strides[along].unsigned_abs();
            let axis = WindowAxis {
                extent: outside / pitch,
                start: rest / pitch,
                count: dims[along],
                backwards: strides[along] < 0,
                along: Some(along),
            };
            if !outside.is_multiple_of(pitch) || axis.start + axis.count > axis.extent {
                return None;
            }
            axes.push(axis);
            (rest, outside) = (rest % pitch, pitch);
        }
        if outside > 1 {
            let fixed = WindowAxis { extent: outside, start: rest, count: 1, backwards: false, along: None };
            axes.push(fixed);
        }
        Some(Window { axes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(entries: &[(usize, isize)]) -> View {
        let mut view = View::default();
        view.extend(entries);
        view
    }

    #[test]
    fn neighbours_merge() {
        assert_eq!(view(&[(2, 12), (3, 4), (4, 1)]), View::contiguous(24));
        assert_eq!(view(&[(2, 0), (3, 0), (1, 7)]).entries(), [(6, 0)]);
        assert_eq!(view(&[(2, 1), (3, 0)]).entries(), [(2, 1), (3, 0)]);
    }

    #[test]
    fn refinement_splits_axes() {
        let groups = View::contiguous(24).refine(&[2, 3, 4]).expect("divides");
        assert_eq!(groups[1].entries(), [(3, 4)]);
        assert_eq!(view(&[(3, 1), (4, 0)]).refine(&[2, 6]), None);
        assert_eq!(view(&[(3, 2), (2, 0)]).strides(&[3, 2]).expect("fits")[..], [2, 0]);
    }

    #[test]
    fn composition_follows_elements() {
        // The transpose of [2,3], met in the order of a [3,2] array that is repeated 4 times.
        let transposed = view(&[(3, 1), (2, 3)]);
        let repeated = view(&[(4, 0), (6, 1)]);
        assert_eq!(repeated.compose(&transposed).expect("aligned").entries(), [(4, 0), (3, 1), (2, 3)]);
        // Rows of the transpose.
        let rows = view(&[(3, 2), (5, 0), (2, 1)]);
        assert_eq!(rows.compose(&transposed).expect("aligned").entries(), [(3, 1), (5, 0), (2, 3)]);
    }

    #[test]
    fn windows_begin_at_their_first_element() {
        // Columns 1 and 2 of [2,4], the rows backwards, then the transpose of that.
        let window = View::contiguous(8).window(&[2, 4], &[0, 1], &[2, 2], |axis| axis == 0).expect("fits");
        assert_eq!((window.offset, window.entries()), (5, &[(2, -4), (2, 1)][..]));
        let turned = view(&[(2, 1), (2, 2)]).compose(&window).expect("aligned");
        assert_eq!((turned.offset, turned.entries()), (5, &[(2, 1), (2, -4)][..]));
        assert!(!window.is_whole(8) && view(&[(4, 1), (3, 0), (2, 4)]).is_whole(8));
        let parts = Window::of(&window, &[2, 2], 8).expect("aligned");
        let found: Vec<_> = parts.axes.iter().map(|a| (a.extent, a.start, a.count, a.backwards)).collect();
        assert_eq!(found, [(2, 0, 2, true), (4, 1, 2, false)]);
    }

    #[test]
    fn cuts_are_suffix_products() {
        assert_eq!(view(&[(5, 1), (3, 0), (2, 5)]).cuts().collect::<Vec<_>>(), [2, 6]);
    }
}
