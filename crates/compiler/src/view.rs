//! How a kernel reads an array in the row-major order of its iteration space.

use smallvec::SmallVec;

/// A list of `(extent, stride)`, outermost first: position `(i0, i1, ..)` of the space reads element
/// `i0 s0 + i1 s1 + ..` of a contiguous array. Stride 0 repeats.
///
/// In normal form: no extent is one, and neighbours are merged where `s0 = e1 s1`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct View(SmallVec<[(usize, usize); 4]>);

impl View {
    /// All `n` elements in order.
    pub fn contiguous(n: usize) -> View {
        let mut view = View::default();
        view.push(n, 1);
        view
    }

    /// The pairs of extent and stride.
    pub fn entries(&self) -> &[(usize, usize)] {
        &self.0
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.0.iter().map(|(e, _)| e).product()
    }

    /// Appends an inner axis.
    pub fn push(&mut self, extent: usize, stride: usize) {
        if extent == 1 {
            return;
        }
        match self.0.last_mut() {
            Some(last) if last.1 == extent * stride => *last = (last.0 * extent, stride),
            _ => self.0.push((extent, stride)),
        }
    }

    /// Appends all axes of another view.
    pub fn extend(&mut self, entries: &[(usize, usize)]) {
        for &(extent, stride) in entries {
            self.push(extent, stride);
        }
    }

    /// Whether this reads a whole array in order.
    pub fn is_identity(&self) -> bool {
        matches!(self.0[..], [] | [(_, 1)])
    }

    /// The number of positions inside each boundary between axes.
    pub fn cuts(&self) -> impl Iterator<Item = usize> + '_ {
        let mut inside = 1;
        let count = self.0.len();
        self.0.iter().rev().take(count.saturating_sub(1)).map(move |(e, _)| {
            inside *= e;
            inside
        })
    }

    /// The axes split and grouped so that group `i` has `sizes[i]` positions; `None` where an axis does not divide.
    pub fn refine(&self, sizes: &[usize]) -> Option<SmallVec<[View; 4]>> {
        let mut groups: SmallVec<[View; 4]> = SmallVec::from_elem(View::default(), sizes.len());
        let mut rest = self.0.clone();
        for (group, &size) in groups.iter_mut().zip(sizes).rev() {
            let mut needed = size;
            let mut reversed: SmallVec<[(usize, usize); 4]> = SmallVec::new();
            while needed > 1 {
                let (extent, stride) = rest.pop()?;
                if needed % extent == 0 {
                    reversed.push((extent, stride));
                    needed /= extent;
                } else if extent % needed == 0 {
                    reversed.push((needed, stride));
                    rest.push((extent / needed, stride * needed));
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

    /// The view that reads `inner`, whose space is this view's array, through this view.
    pub fn compose(&self, inner: &View) -> Option<View> {
        if self.is_identity() && self.len() == inner.len() {
            return Some(inner.clone());
        }
        let total = inner.len();
        let mut view = View::default();
        for &(extent, stride) in &self.0 {
            if stride == 0 {
                view.push(extent, 0);
                continue;
            }
            let span = extent * stride;
            if !total.is_multiple_of(span) {
                return None;
            }
            let groups = inner.refine(&[total / span, extent, stride])?;
            view.extend(groups[1].entries());
        }
        Some(view)
    }

    /// One stride for each of `sizes`; `None` if a group needs several.
    pub fn strides(&self, sizes: &[usize]) -> Option<SmallVec<[usize; 6]>> {
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

    /// Whether the innermost axis that does not repeat has stride 1 in memory.
    pub fn reads_runs(&self) -> bool {
        self.0.iter().rev().find(|(_, s)| *s != 0).is_none_or(|(_, s)| *s == 1)
    }

    /// Whether the element stays the same along the innermost axis, if there is one.
    pub fn is_fixed_inside(&self) -> bool {
        self.0.last().is_none_or(|(_, s)| *s == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(entries: &[(usize, usize)]) -> View {
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
    fn cuts_are_suffix_products() {
        assert_eq!(view(&[(5, 1), (3, 0), (2, 5)]).cuts().collect::<Vec<_>>(), [2, 6]);
    }
}
