use std::fmt;
use std::ops::Deref;

use smallvec::SmallVec;

/// The extents of an array, a slice of `usize`; up to rank six without an allocation.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Shape(SmallVec<[usize; 6]>);

impl Shape {
    pub(crate) fn new(extents: SmallVec<[usize; 6]>) -> Self {
        Shape(extents)
    }
}

impl Deref for Shape {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl IntoIterator for Shape {
    type Item = usize;
    type IntoIter = smallvec::IntoIter<[usize; 6]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<const N: usize> PartialEq<[usize; N]> for Shape {
    fn eq(&self, other: &[usize; N]) -> bool {
        **self == *other
    }
}

impl PartialEq<[usize]> for Shape {
    fn eq(&self, other: &[usize]) -> bool {
        **self == *other
    }
}

impl PartialEq<&[usize]> for Shape {
    fn eq(&self, other: &&[usize]) -> bool {
        **self == **other
    }
}

impl PartialEq<Vec<usize>> for Shape {
    fn eq(&self, other: &Vec<usize>) -> bool {
        **self == **other
    }
}

impl PartialEq<Shape> for Vec<usize> {
    fn eq(&self, other: &Shape) -> bool {
        **self == **other
    }
}

/// The argument of [`Array::reshape`](crate::Array::reshape): extents of one integer type, such as `&[2, -1]` or `&[n, 3]`, or of
/// several types, `(n, -1)`, of which one may be `-1`; the extents of another array, `&x.shape()`; or `()` for none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape to give an array",
    label = "not a shape",
    note = "a shape is `&[2, -1]`, a tuple `(n, -1)` of any integers, `()`, or a slice, a vector or another array's shape of \
            `usize`"
)]
pub trait IntoShape {
    /// The extents; a negative extent is computed from the number of elements and the other extents.
    fn into_extents(self) -> SmallVec<[isize; 6]>;
}

impl<T: IntoExtent + Copy, const N: usize> IntoShape for &[T; N] {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        self.iter().map(|&extent| extent.into_extent()).collect()
    }
}

impl IntoShape for () {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        SmallVec::new()
    }
}

impl IntoShape for &[isize] {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        SmallVec::from_slice(self)
    }
}

impl IntoShape for &Vec<isize> {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        SmallVec::from_slice(self)
    }
}

impl IntoShape for &[usize] {
    /// An extent beyond `isize` becomes its largest number, which no array has.
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        self.iter().map(|&extent| isize::try_from(extent).unwrap_or(isize::MAX)).collect()
    }
}

impl IntoShape for &Vec<usize> {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        self.as_slice().into_extents()
    }
}

impl IntoShape for &Shape {
    fn into_extents(self) -> SmallVec<[isize; 6]> {
        (**self).into_extents()
    }
}

/// An extent: an integer.
pub trait IntoExtent {
    /// The number; one beyond `isize` becomes its largest, which no array has.
    fn into_extent(self) -> isize;
}

macro_rules! extents {
    ($($integer:ty)*) => {$(
        impl IntoExtent for $integer {
            fn into_extent(self) -> isize {
                isize::try_from(self).unwrap_or(isize::MAX)
            }
        }
    )*};
}

extents! { i32 i64 isize u32 u64 usize }

macro_rules! tuples {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: IntoExtent),+> IntoShape for ($($name,)+) {
            #[allow(non_snake_case, reason = "the fields have the names of their types")]
            fn into_extents(self) -> SmallVec<[isize; 6]> {
                let ($($name,)+) = self;
                SmallVec::from_slice(&[$($name.into_extent()),+])
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}
