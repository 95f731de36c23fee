//! The types that a static field may have.

use std::fmt::{Debug, Display};
use std::hash::{Hash, Hasher};

use crate::Static;

/// A type of static fields that hold no floats: compared with `==`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a static field of a tree",
    label = "not `Clone + Eq + Hash + Debug + Send + Sync + 'static`",
    note = "a static field is a part of the structure, which is compared, hashed and printed",
    note = "`f32` and `f64`, also in `Option`, `Vec`, arrays and tuples, are compared by their bits",
    note = "for a struct with floats among its fields, derive `Tree` and mark those fields `#[tree(static)]`"
)]
pub trait Fixed: Clone + Eq + Hash + Debug + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Clone + Eq + Hash + Debug + Send + Sync + 'static> Fixed for T {}

/// A type of static fields without which the leaves beside them mean nothing, such as the scheme of quantized codes.
///
/// Files of the leaves hold the text of its values, by their paths, and are read only into trees of equal ones. So the text must be one in all
/// versions of a program, and differ where values mean something else.
///
/// ```
/// use jarrah_tree::{Part, Path, Stored, Tree};
/// # #[derive(Clone)] struct Leaf; impl Tree<Leaf> for Leaf { jarrah_tree::leaf!(Leaf); }
/// #[derive(Clone, PartialEq, Eq, Hash, Debug)]
/// struct Unit(&'static str);
/// impl std::fmt::Display for Unit {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         f.write_str(self.0)
///     }
/// }
/// impl Stored for Unit {}
///
/// #[derive(Tree)]
/// struct Length {
///     number: Leaf,
///     #[tree(static)]
///     unit: Unit,
/// }
/// let mut texts = Vec::new();
/// let length = Length { number: Leaf, unit: Unit("mm") };
/// Tree::<Leaf>::visit(&length, &mut Path::default(), &mut |path, part| {
///     if let Part::Static(value) = part {
///         texts.extend(value.text().map(|text| format!("{path}: {text}")));
///     }
/// });
/// assert_eq!(texts, ["unit: mm"]);
/// ```
pub trait Stored: Fixed + Display {}

/// A type of static fields that holds floats: compared by its bits, so that `-0.0` is not `0.0` and NaN is itself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` holds floats and cannot be a static field of a tree",
    note = "floats may stand alone and in `Option`, `Vec`, arrays and tuples, beside integers and `bool`",
    note = "for a struct with floats among its fields, derive `Tree` and mark those fields `#[tree(static)]`"
)]
pub trait FloatBits: Clone + Debug + Send + Sync + 'static {
    /// Appends the bits of the value as numbers: two values append equal numbers exactly if they have equal bits.
    fn bits(&self, to: &mut Vec<u64>);
}

macro_rules! scalars {
    ($($ty:ty: $bits:expr),* $(,)?) => {
        $(impl FloatBits for $ty {
            fn bits(&self, to: &mut Vec<u64>) {
                let bits: fn($ty) -> u64 = $bits;
                to.push(bits(*self));
            }
        })*
    };
}
scalars! {
    f32: |x| u64::from(x.to_bits()), f64: f64::to_bits, bool: u64::from, char: u64::from,
    u8: u64::from, u16: u64::from, u32: u64::from, u64: |x| x, usize: |x| x as u64,
    i8: |x| x as u64, i16: |x| x as u64, i32: |x| x as u64, i64: |x| x as u64, isize: |x| x as u64,
}

impl<T: FloatBits> FloatBits for Option<T> {
    fn bits(&self, to: &mut Vec<u64>) {
        to.push(u64::from(self.is_some()));
        self.iter().for_each(|x| x.bits(to));
    }
}

impl<T: FloatBits> FloatBits for Vec<T> {
    fn bits(&self, to: &mut Vec<u64>) {
        to.push(self.len() as u64);
        self.iter().for_each(|x| x.bits(to));
    }
}

impl<T: FloatBits, const N: usize> FloatBits for [T; N] {
    fn bits(&self, to: &mut Vec<u64>) {
        self.iter().for_each(|x| x.bits(to));
    }
}

macro_rules! tuple {
    ($($T:ident $i:tt),*) => {
        impl<$($T: FloatBits),*> FloatBits for ($($T,)*) {
            fn bits(&self, to: &mut Vec<u64>) {
                $(self.$i.bits(to);)*
            }
        }
    };
}
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

/// A value that stands for its bits.
#[derive(Clone)]
pub(crate) struct ByBits<T> {
    bits: Vec<u64>,
    value: T,
}

impl<T: FloatBits> ByBits<T> {
    pub(crate) fn of(value: &T) -> Self {
        let mut bits = Vec::new();
        value.bits(&mut bits);
        ByBits { bits, value: value.clone() }
    }
}

impl<T> PartialEq for ByBits<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<T> Eq for ByBits<T> {}

impl<T> Hash for ByBits<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits.hash(state);
    }
}

impl<T: Debug> Debug for ByBits<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value.fmt(f)
    }
}

/// By which a derived tree asks whether the type of a static field is [`Stored`]: the method of the type itself goes before that of [`Unstored`].
#[derive(Debug)]
pub struct Probe<'a, T>(pub &'a T);

impl<T: Stored> Probe<'_, T> {
    /// The value with its text.
    pub fn of(self, value: Static) -> Static {
        value.stored::<T>()
    }
}

/// The answer of [`Probe`] for types that are not [`Stored`]: no text.
pub trait Unstored {
    /// The value without a text.
    fn of(&self, value: Static) -> Static;
}

impl<T> Unstored for Probe<'_, T> {
    fn of(&self, value: Static) -> Static {
        value
    }
}
