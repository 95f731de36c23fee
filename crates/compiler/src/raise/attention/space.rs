//! The axes of scores through reshapes, transposes and broadcasts.
//!
//! An *atom* is an index that no op on the way divides: heads, queries, keys. A [`Layout`] says, for each dimension of a
//! value, the atoms that make up its index, the slowest first; a dimension of extent one, or one along which the value
//! repeats, has none.

use smallvec::SmallVec;

/// The number of an atom in its [`Space`].
pub(super) type Atom = usize;

/// The atoms of one dimension.
pub(super) type Axis = SmallVec<[Atom; 2]>;

/// The atoms of each dimension of a value.
pub(super) type Layout = Vec<Axis>;

/// The atoms of one attention.
#[derive(Default)]
pub(super) struct Space {
    atoms: Vec<Entry>,
}

struct Entry {
    extent: usize,
    /// Whether it is a dimension along which a value repeats, so that it may stand for any other atom.
    wild: bool,
    /// The two atoms that a reshape made of it.
    parts: Option<[Atom; 2]>,
}

impl Space {
    /// A new atom, as the axis that it is; none for an extent of one.
    pub fn fresh(&mut self, extent: usize) -> Axis {
        self.entry(extent, false)
    }

    /// A dimension along which a value repeats.
    pub fn repeated(&mut self, extent: usize) -> Axis {
        self.entry(extent, true)
    }

    fn entry(&mut self, extent: usize, wild: bool) -> Axis {
        if extent == 1 {
            return Axis::new();
        }
        self.atoms.push(Entry { extent, wild, parts: None });
        Axis::from_slice(&[self.atoms.len() - 1])
    }

    /// A new atom for each dimension.
    pub fn all_fresh(&mut self, extents: impl IntoIterator<Item = usize>) -> Layout {
        extents.into_iter().map(|n| self.fresh(n)).collect()
    }

    /// The extent of an atom.
    pub fn extent(&self, atom: Atom) -> usize {
        self.atoms[atom].extent
    }

    /// The product of the extents of atoms.
    pub fn size(&self, atoms: &[Atom]) -> usize {
        atoms.iter().map(|&a| self.extent(a)).product()
    }

    /// An axis in terms of the atoms that there are now.
    pub fn axis(&self, axis: &[Atom]) -> Axis {
        let mut out = Axis::new();
        for &atom in axis {
            match self.atoms[atom].parts {
                None => out.push(atom),
                Some(parts) => out.extend(self.axis(&parts)),
            }
        }
        out
    }

    /// A layout in terms of the atoms that there are now.
    pub fn now(&self, layout: &[Axis]) -> Layout {
        layout.iter().map(|axis| self.axis(axis)).collect()
    }

    /// All atoms of a layout that are no repetition, in order.
    pub fn flat(&self, layout: &[Axis]) -> Axis {
        let mut flat: Axis = layout.iter().flat_map(|axis| self.axis(axis)).collect();
        flat.retain(|&mut atom| !self.atoms[atom].wild);
        flat
    }

    /// Whether an atom is a repetition.
    pub fn is_wild(&self, atom: Atom) -> bool {
        self.atoms[atom].wild
    }

    /// Whether any atom of the layout repeats a value.
    pub fn repeats(&self, layout: &[Axis]) -> bool {
        layout.iter().flat_map(|axis| self.axis(axis)).any(|atom| self.atoms[atom].wild)
    }

    /// The layout of a reshape to these extents; `None` if an atom would have to be cut unevenly.
    pub fn reshape(&mut self, layout: &[Axis], dims: &[usize]) -> Option<Layout> {
        let mut left: Vec<Atom> = layout.iter().flat_map(|axis| self.axis(axis)).rev().collect();
        let mut out = Layout::new();
        for &dim in dims {
            let (mut axis, mut rest) = (Axis::new(), dim);
            while rest > 1 {
                let atom = left.pop()?;
                let extent = self.extent(atom);
                if rest.is_multiple_of(extent) {
                    axis.push(atom);
                    rest /= extent;
                } else if extent.is_multiple_of(rest) {
                    let [slow, fast] = self.split(atom, rest);
                    axis.push(slow);
                    left.push(fast);
                    rest = 1;
                } else {
                    return None;
                }
            }
            out.push(axis);
        }
        left.is_empty().then_some(out)
    }

    /// An atom as two, of which the slow one has this extent.
    fn split(&mut self, atom: Atom, slow: usize) -> [Atom; 2] {
        let Entry { extent, wild, .. } = self.atoms[atom];
        let first = self.atoms.len();
        for extent in [slow, extent / slow] {
            self.atoms.push(Entry { extent, wild, parts: None });
        }
        self.atoms[atom].parts = Some([first, first + 1]);
        [first, first + 1]
    }

    /// The layout of what two values of the same shape make element by element; `None` if their axes differ.
    pub fn meet(&mut self, x: &[Axis], y: &[Axis]) -> Option<Layout> {
        let mut out = Layout::new();
        for (x, y) in x.iter().zip(y) {
            let (x, y) = (self.axis(x), self.axis(y));
            let wild = |axis: &Axis| axis.iter().all(|&a| self.atoms[a].wild);
            out.push(if x == y || wild(&y) {
                x
            } else if wild(&x) {
                y
            } else {
                return None;
            });
        }
        Some(out)
    }
}

/// The layout of a transpose.
pub(super) fn transposed(layout: &[Axis], permutation: &[usize]) -> Layout {
    permutation.iter().map(|&p| layout[p].clone()).collect()
}

/// The layout of the operand of a transpose.
pub(super) fn before_transpose(layout: &[Axis], permutation: &[usize]) -> Layout {
    let mut out = vec![Axis::new(); layout.len()];
    for (axis, &p) in layout.iter().zip(permutation) {
        out[p] = axis.clone();
    }
    out
}

/// The layout of the operand, with extents `from`, of a broadcast along `axes`.
pub(super) fn before_broadcast(layout: &[Axis], axes: &[usize], from: &[usize]) -> Layout {
    let of =
        |(&axis, &extent): (&usize, &usize)| if extent == 1 { Axis::new() } else { layout[axis].clone() };
    axes.iter().zip(from).map(of).collect()
}
