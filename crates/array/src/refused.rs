//! Operators of Rust that arrays do not have. Each gets an implementation that never applies, so that the compiler names the
//! method to use instead of reporting a missing operator.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Index;

use crate::array::Array;

/// Never implemented for the types of indices in brackets: `x[i]` is a reference to an element, and arrays contain no arrays.
#[diagnostic::on_unimplemented(
    message = "an array is not indexed with `[{I}]`",
    label = "write `.index(..)` instead of `[..]`",
    note = "`x.index(0)` and `x.index((1.., -1))` are parts of an array, and arrays themselves",
    note = "`x.at(0).set(y)` is an array like `x` with another part"
)]
pub trait Brackets<I> {
    #[doc(hidden)]
    fn element(array: &Array, index: I) -> &Array;
}

/// Never implemented for types that arrays are compared with: the operator returns one `bool`, not one for each element.
#[diagnostic::on_unimplemented(
    message = "arrays are not compared with `==`, `!=`, `<`, `<=`, `>` or `>=`",
    label = "write `.eq(..)`, `.ne(..)`, `.lt(..)`, `.le(..)`, `.gt(..)` or `.ge(..)`",
    note = "`x.eq(&y)` is an array with a truth value for each element, `x.eq(&y).all(..)` says whether all are equal",
    note = "a struct that holds arrays cannot derive `PartialEq`"
)]
pub trait OneBool {}

/// All parts of an array.
pub struct Parts;

/// The comparison of an array with a `T`.
pub struct Comparison<T>(PhantomData<T>);

/// Types without values. Each trait is implemented for two of them: with a single implementation the compiler would assume that
/// one is meant, and report other errors.
enum Never {}
enum NoOther {}

#[diagnostic::do_not_recommend]
impl Brackets<Never> for Parts {
    fn element(_: &Array, index: Never) -> &Array {
        match index {}
    }
}

#[diagnostic::do_not_recommend]
impl Brackets<NoOther> for Parts {
    fn element(_: &Array, index: NoOther) -> &Array {
        match index {}
    }
}

#[diagnostic::do_not_recommend]
impl OneBool for Comparison<Never> {}

#[diagnostic::do_not_recommend]
impl OneBool for Comparison<NoOther> {}

#[doc(hidden)]
impl<I> Index<I> for Array
where
    Parts: Brackets<I>,
{
    type Output = Array;

    fn index(&self, index: I) -> &Array {
        <Parts as Brackets<I>>::element(self, index)
    }
}

#[doc(hidden)]
impl<T> PartialEq<T> for Array
where
    Comparison<T>: OneBool,
{
    fn eq(&self, _: &T) -> bool {
        false
    }
}

#[doc(hidden)]
impl<T> PartialOrd<T> for Array
where
    Comparison<T>: OneBool,
{
    fn partial_cmp(&self, _: &T) -> Option<Ordering> {
        None
    }
}

/// The comparisons above for references on the left. Two references are not covered, as the standard library implements their
/// comparison.
macro_rules! references {
    ($($other:ty),*) => {$(
        #[doc(hidden)]
        impl<'a> PartialEq<$other> for &'a Array
        where
            Comparison<&'a $other>: OneBool,
        {
            fn eq(&self, _: &$other) -> bool {
                false
            }
        }
    )*};
}
references!(Array, f64, i64);
