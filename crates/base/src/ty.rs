use std::fmt;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::{Error, Result};

/// The type of a value in a program, a tensor: element type and extents.
///
/// Sixteen bytes, copied and compared as they are. Extents that do not fit into them (with more digits than types have in
/// practice) are kept for the life of the process.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    dtype: DType,
    dims: Packed,
}

/// One number per axis: the extents of a [`Type`], or sizes, starts or strides along its axes.
pub type Dims = SmallVec<[usize; 6]>;

/// Extents in few bytes; equal extents are equal bytes.
///
/// One extent after another, the first one lowest: [`LENGTH`] bits for the number of binary digits of the extent plus one,
/// its leading one left out, then these digits. Where they do not fit, `rank` is [`KEPT`] and `low` is a number in the
/// table of kept extents.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Packed {
    rank: u8,
    low: [u8; 8],
    high: [u8; 6],
}

/// The bits for digits: what makes a type sixteen bytes.
const BITS: u32 = 8 * 14;
/// The bits that say how many digits an extent has.
const LENGTH: u32 = 5;
/// The rank that stands for extents in the table.
const KEPT: u8 = u8::MAX;

/// Extents that do not fit into [`Packed`], each once.
#[derive(Default)]
struct Table {
    dims: Vec<&'static [usize]>,
    numbers: FxHashMap<&'static [usize], u32>,
}

fn kept() -> MutexGuard<'static, Table> {
    static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Packed {
    fn new(dims: &[usize]) -> Packed {
        Packed::digits(dims).unwrap_or_else(|| {
            let mut table = kept();
            let next = table.dims.len() as u32;
            let number = match table.numbers.get(dims) {
                Some(&number) => number,
                None => {
                    let dims: &'static [usize] = Box::leak(dims.into());
                    table.dims.push(dims);
                    table.numbers.insert(dims, next);
                    next
                }
            };
            Packed::of_bits(KEPT, number.into())
        })
    }

    /// The extents as digits, if they fit.
    fn digits(dims: &[usize]) -> Option<Packed> {
        let rank = u8::try_from(dims.len()).ok().filter(|&rank| rank != KEPT)?;
        let (mut bits, mut used) = (0u128, 0);
        for &dim in dims {
            let number = dim as u128 + 1;
            let length = number.ilog2();
            let width = LENGTH + length;
            if length >= 1 << LENGTH || used + width > BITS {
                return None;
            }
            let digits = number - (1 << length);
            bits |= (u128::from(length) | digits << LENGTH) << used;
            used += width;
        }
        Some(Packed::of_bits(rank, bits))
    }

    fn of_bits(rank: u8, bits: u128) -> Packed {
        let [a, b, c, d, e, f, ..] = ((bits >> 64) as u64).to_le_bytes();
        Packed { rank, low: (bits as u64).to_le_bytes(), high: [a, b, c, d, e, f] }
    }

    fn bits(self) -> u128 {
        let [a, b, c, d, e, f] = self.high;
        let high = u64::from_le_bytes([a, b, c, d, e, f, 0, 0]);
        u128::from(high) << 64 | u128::from(u64::from_le_bytes(self.low))
    }

    fn extents(self) -> Extents {
        if self.rank == KEPT {
            return Extents::Kept(kept().dims[self.bits() as usize].iter());
        }
        Extents::Digits { bits: self.bits(), left: self.rank }
    }
}

/// The extents of a type, one after another, as [`Packed`] has them.
#[derive(Clone)]
enum Extents {
    Digits { bits: u128, left: u8 },
    Kept(std::slice::Iter<'static, usize>),
}

impl Iterator for Extents {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Extents::Digits { left: 0, .. } => None,
            Extents::Digits { bits, left } => {
                // A length and its digits are less than 64 bits.
                let lowest = *bits as u64;
                let length = lowest & ((1 << LENGTH) - 1);
                let digits = (lowest >> LENGTH) & ((1 << length) - 1);
                *bits >>= u64::from(LENGTH) + length;
                *left -= 1;
                Some(((1 << length) + digits - 1) as usize)
            }
            Extents::Kept(dims) => dims.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Extents::Digits { left, .. } => ((*left).into(), Some((*left).into())),
            Extents::Kept(dims) => dims.size_hint(),
        }
    }
}

impl ExactSizeIterator for Extents {}

impl Type {
    /// The tensor type with these extents.
    pub fn tensor(dtype: DType, dims: impl IntoIterator<Item = usize>) -> Type {
        let dims: Dims = dims.into_iter().collect();
        Type { dtype, dims: Packed::new(&dims) }
    }

    /// The type of a rank-0 tensor.
    pub fn scalar(dtype: DType) -> Type {
        Type::tensor(dtype, [])
    }

    /// The element type.
    pub fn dtype(self) -> DType {
        self.dtype
    }

    /// The extents.
    pub fn dims(self) -> Dims {
        self.extents().collect()
    }

    /// The number of axes.
    pub fn rank(self) -> usize {
        if self.dims.rank == KEPT { self.extents().len() } else { self.dims.rank.into() }
    }

    /// The extents one after another, for those who do not keep them.
    pub fn extents(self) -> impl ExactSizeIterator<Item = usize> + Clone {
        self.dims.extents()
    }

    /// The extent of `axis`, which must be below the rank.
    pub fn dim(self, axis: usize) -> usize {
        self.extents().nth(axis).expect("invariant: the axis is below the rank")
    }

    /// Whether both types have the same extents.
    pub fn same_dims(self, other: Type) -> bool {
        self.dims == other.dims
    }

    /// The number of elements.
    ///
    /// # Errors
    /// The elements exceed the address space, extents of 0 left out.
    pub fn elements(self) -> Result<usize> {
        Ok(self.bytes()? / self.dtype().size())
    }

    /// The number of bytes of the elements.
    ///
    /// # Errors
    /// As [`Type::elements`].
    pub fn bytes(self) -> Result<usize> {
        let span = self.span()?;
        Ok(if self.extents().any(|extent| extent == 0) { 0 } else { span })
    }

    /// Checks that the elements fit the address space: a program has no other types, so products of extents of a value do
    /// not overflow.
    ///
    /// # Errors
    /// They do not.
    pub fn check_size(self) -> Result<()> {
        self.span().map(|_| ())
    }

    /// The bytes of as many elements as the product of the extents that are not 0.
    fn span(self) -> Result<usize> {
        let mut extents = self.extents().filter(|&extent| extent != 0);
        let bytes = extents.try_fold(self.dtype().size(), usize::checked_mul);
        let bytes = bytes.filter(|&bytes| bytes <= isize::MAX as usize);
        bytes.ok_or_else(|| Error::program(format!("{self} has too many elements")))
    }

    /// The tensor type with the same extents and another element type.
    pub fn with_dtype(self, dtype: DType) -> Type {
        Type { dtype, dims: self.dims }
    }

    /// The tensor type with the same element type and other extents.
    pub fn with_dims(self, dims: impl IntoIterator<Item = usize>) -> Type {
        Type::tensor(self.dtype(), dims)
    }

    /// The tensor type with one more axis of extent `dim` in front.
    pub fn with_leading(self, dim: usize) -> Type {
        Type::tensor(self.dtype(), std::iter::once(dim).chain(self.extents()))
    }

    /// The tensor type without its first axis, which must exist.
    pub fn without_leading(self) -> Type {
        Type::tensor(self.dtype(), self.dims()[1..].iter().copied())
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[", self.dtype)?;
        for (i, d) in self.extents().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{d}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_come_back_whether_they_are_packed_or_kept() {
        let constants: [(&[usize], bool); 8] = [
            (&[], true),
            (&[0, 1, 2, 3], true),
            (&[32, 128, 16, 64, 64, 128], true),
            (&[2; 16], true),
            (&[8, 1024, 50257], true),
            // One extent needs 32 digits, many need more bits than there are.
            (&[u32::MAX as usize], false),
            (&[1 << 20; 5], false),
            (&[1; 40], false),
        ];
        for (dims, packed) in constants {
            let ty = Type::tensor(DType::F32, dims.iter().copied());
            assert_eq!(ty.dims().as_slice(), dims);
            assert_eq!((ty.rank(), ty.dims.rank != KEPT), (dims.len(), packed), "{ty}");
            assert_eq!(ty, Type::tensor(DType::F32, dims.iter().copied()));
            assert_ne!(ty, ty.with_leading(1));
            assert!(ty.same_dims(Type::tensor(DType::I8, dims.iter().copied())));
            assert!(dims.iter().enumerate().all(|(axis, &extent)| ty.dim(axis) == extent));
        }
        assert_eq!(size_of::<Type>(), 16);
    }
}
