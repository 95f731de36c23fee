//! Right operands of products in the order in which a device reads them.

use jarrah_base::{Result, Type};
use smallvec::smallvec;

use crate::builder::Builder;
use crate::ops::{Axes, DotGeneral, GroupMatrices, Pad, RaggedDot, RaggedKind};
use crate::program::Value;

/// Panels of columns, each of which is contiguous: an operand `[batch.., K, N]` as an array `[batch.., N / columns, K / together, columns,
/// together]`.
///
/// A panel is as wide as the tile of results that a device computes at a time, and `together` elements of a column are what one step of it
/// takes. So a device reads memory once and in order. This is an ordinary array, and its product an ordinary [`DotGeneral`], which contracts
/// axes one and three behind those of the batch.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_hlo::{Builder, Panels};
/// use jarrah_hlo::ops::DotGeneral;
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::BF16, [3, 64]), "x");
/// let w = b.param(Type::tensor(DType::BF16, [64, 100]), "w");
/// let dot = DotGeneral::matmul(0, DType::BF16);
/// let panels = Panels { columns: 32, together: 2 };
/// let packed = panels.pack(&mut b, w, &dot)?;
/// assert_eq!(b.ty(packed).to_string(), "bf16[4,32,32,2]");
/// let y = panels.dot(&mut b, &dot, [x, packed], &[64, 100])?;
/// assert_eq!(b.ty(y).to_string(), "bf16[3,100]");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Panels {
    /// The columns of a panel.
    pub columns: usize,
    /// The neighbours in a column that lie next to one another.
    pub together: usize,
}

impl Panels {
    /// How the right operand of `dot` lies, if it lies in panels.
    pub fn of(dot: &DotGeneral, rhs: Type) -> Option<Panels> {
        let batch = dot.rhs_batch.len();
        let leading = dot.rhs_batch.iter().copied().eq(0..batch);
        let packed = rhs.rank() == batch + 4 && dot.rhs_contract[..] == [batch + 1, batch + 3];
        (leading && packed).then(|| Panels { columns: rhs.dim(batch + 2), together: rhs.dim(batch + 3) })
    }

    /// Whether the operands of `dot` can be multiplied so: elements of a column come in whole groups, the left operand's contracted axes
    /// are neighbours, and no more than an eighth is added.
    pub fn fit(self, dot: &DotGeneral, [lhs, rhs]: [Type; 2]) -> bool {
        let [k, n] = [extent(rhs, &dot.rhs_contract), extent(rhs, &dot.rhs_free(rhs.rank()))];
        let first = dot.lhs_contract.first().copied().unwrap_or(0);
        let added = n.next_multiple_of(self.columns) - n;
        lhs.dtype() == rhs.dtype()
            && k.is_multiple_of(self.together)
            && k > 0
            && added * 8 <= n
            && n > 0
            && !dot.lhs_contract.is_empty()
            && dot.lhs_contract.iter().copied().eq(first..first + dot.lhs_contract.len())
    }

    /// The right operand of `dot` in panels; columns that are missing in the last one are zeros.
    ///
    /// # Errors
    /// `rhs` is no right operand of `dot`, or elements of a column are left over.
    pub fn pack(self, b: &mut Builder, rhs: Value, dot: &DotGeneral) -> Result<Value> {
        let ty = b.ty(rhs);
        let free = dot.rhs_free(ty.rank());
        let order: Axes = dot.rhs_batch.iter().chain(&dot.rhs_contract).chain(&free).copied().collect();
        let batch: Axes = dot.rhs_batch.iter().map(|&axis| ty.dim(axis)).collect();
        let [k, n] = [extent(ty, &dot.rhs_contract), extent(ty, &free)];
        let all = n.next_multiple_of(self.columns);
        let dims = |last: &[usize]| -> Axes { batch.iter().chain(last).copied().collect() };
        let mut packed = b.transpose(rhs, &order)?;
        packed = b.reshape(packed, &dims(&[k, n]))?;
        if all > n {
            let zero = b.zeros(ty.with_dims([]))?;
            let rank = batch.len() + 2;
            let mut pad =
                Pad { low: smallvec![0; rank], high: smallvec![0; rank], interior: smallvec![0; rank] };
            pad.high[rank - 1] = (all - n) as i64;
            packed = b.one(pad, &[packed, zero])?;
        }
        packed =
            b.reshape(packed, &dims(&[k / self.together, self.together, all / self.columns, self.columns]))?;
        let at = batch.len();
        let turned: Axes = (0..at).chain([at + 2, at, at + 3, at + 1]).collect();
        b.transpose(packed, &turned)
    }

    /// The product `dot` of its left operand and the right one in panels; `rhs` are the extents of the right operand outside of panels.
    ///
    /// # Errors
    /// The operands do not [fit](Panels::fit).
    pub fn dot(
        self,
        b: &mut Builder,
        dot: &DotGeneral,
        [lhs, packed]: [Value; 2],
        rhs: &[usize],
    ) -> Result<Value> {
        let ty = b.ty(lhs);
        let (first, count) = (dot.lhs_contract[0], dot.lhs_contract.len());
        let k: usize = dot.lhs_contract.iter().map(|&axis| ty.dim(axis)).product();
        let mut dims: Axes = ty.extents().collect();
        let parts: [usize; 2] = [k / self.together, self.together];
        dims.drain(first..first + count);
        dims.insert_many(first, parts);
        let left = b.reshape(lhs, &dims)?;
        let moved = |axis: usize| if axis > first { axis + 2 - count } else { axis };
        let at = dot.rhs_batch.len();
        let product = DotGeneral {
            lhs_batch: dot.lhs_batch.iter().map(|&axis| moved(axis)).collect(),
            rhs_batch: (0..at).collect(),
            lhs_contract: [first, first + 1].into_iter().collect(),
            rhs_contract: [at + 1, at + 3].into_iter().collect(),
            out: dot.out,
        };
        let product = b.one(product, &[left, packed])?;
        let free: Axes = dot.rhs_free(rhs.len()).iter().map(|&axis| rhs[axis]).collect();
        let made: Axes = b.ty(product).extents().collect();
        let (rows, [panels, columns]) =
            (&made[..made.len() - 2], [made[made.len() - 2], made[made.len() - 1]]);
        let n: usize = free.iter().product();
        let flat: Axes = rows.iter().copied().chain([panels * columns]).collect();
        let mut result = b.reshape(product, &flat)?;
        if panels * columns > n {
            result = b.slice_axis(result, rows.len(), 0, n)?;
        }
        b.reshape(result, &rows.iter().chain(&free).copied().collect::<Axes>())
    }

    /// The product of groups of rows of the left operand, the matrices in panels and the groups' sizes, where `dot` is the product
    /// [of the matrices](RaggedDot::of_matrices), whose extents are `rhs`.
    ///
    /// # Errors
    /// The operands do not [fit](Panels::fit).
    pub fn ragged_dot(
        self,
        b: &mut Builder,
        dot: &DotGeneral,
        operands: [Value; 3],
        rhs: &[usize],
    ) -> Result<Value> {
        let kind = RaggedKind::Rows(GroupMatrices::Panels);
        let product = b.one(RaggedDot { kind, out: dot.out }, &operands)?;
        let n: usize = dot.rhs_free(rhs.len()).iter().map(|&axis| rhs[axis]).product();
        b.slice_axis(product, 1, 0, n)
    }
}

fn extent(ty: Type, axes: &[usize]) -> usize {
    axes.iter().map(|&axis| ty.dim(axis)).product()
}
