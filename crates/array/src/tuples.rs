//! Implementations of index traits for tuples, whose elements may differ in type.

/// Implements a trait for tuples of one to six elements: `method` returns a vector with each element converted to `$item`.
macro_rules! for_tuples {
    ($trait:ident, $method:ident, $item:ty) => {
        for_tuples! { $trait, $method, $item; A }
        for_tuples! { $trait, $method, $item; A B }
        for_tuples! { $trait, $method, $item; A B C }
        for_tuples! { $trait, $method, $item; A B C D }
        for_tuples! { $trait, $method, $item; A B C D E }
        for_tuples! { $trait, $method, $item; A B C D E F }
    };
    ($trait:ident, $method:ident, $item:ty; $($t:ident)*) => {
        impl<$($t: Into<$item>),*> $trait for ($($t,)*) {
            fn $method(self) -> Vec<$item> {
                #[allow(non_snake_case, reason = "one variable for each type")]
                let ($($t,)*) = self;
                vec![$($t.into()),*]
            }
        }
    };
}
pub(crate) use for_tuples;
