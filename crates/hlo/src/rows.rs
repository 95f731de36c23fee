//! Whether a program keeps rows apart, so that it may run over more rows than there are: the rule of ops for it.
//!
//! A program is seen twice, over more rows and over fewer. A value that has the same type both times must not depend on the
//! number of rows. One that grows does so along one axis, `each` positions for a row, and of `n` rows the first `each * n` positions
//! must be what the program over `n` rows has there, whatever is behind. If that holds for the operands of an instruction, its op
//! says whether it holds for the results.

use jarrah_base::{Error, Literal, Result, Type};

use crate::program::Program;

/// How a value grows with the number of rows: its extent along `axis` is `each` times that number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowGrowth {
    /// The axis.
    pub axis: usize,
    /// How many positions there are for each row.
    pub each: usize,
}

impl RowGrowth {
    /// How a value grows that has the first type over as many rows as the first number says, and the second over the second;
    /// `None` if it does not.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::RowGrowth;
    /// let [more, fewer] = [36, 33].map(|n| Type::tensor(DType::F32, [3, 2 * n]));
    /// assert_eq!(RowGrowth::of([more, fewer], [36, 33])?, Some(RowGrowth { axis: 1, each: 2 }));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// It grows otherwise: along two axes, or not in proportion to the rows.
    pub fn of(types: [Type; 2], rows: [usize; 2]) -> Result<Option<RowGrowth>> {
        let [more, fewer] = types;
        if more == fewer {
            return Ok(None);
        }
        let refuse = |why: &str| {
            let [b, n] = rows;
            Err(Error::program(format!("its type is {more} over {b} rows and {fewer} over {n}: {why}")))
        };
        if more.dtype() != fewer.dtype() || more.rank() != fewer.rank() {
            return refuse("only an extent may follow the rows");
        }
        let mut growing = (0..more.rank()).filter(|&axis| more.dim(axis) != fewer.dim(axis));
        let (Some(axis), None) = (growing.next(), growing.next()) else {
            return refuse("one axis alone may follow the rows");
        };
        let each = more.dim(axis) / rows[0].max(1);
        if each == 0 || [more.dim(axis), fewer.dim(axis)] != rows.map(|rows| each * rows) {
            return refuse("an extent has to be a multiple of the rows");
        }
        Ok(Some(RowGrowth { axis, each }))
    }
}

/// Whether the tensor over fewer rows is what the one over more rows has there; tensors that do not grow have to be equal.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_hlo::{RowGrowth, is_prefix};
/// let more = Literal::from_slice(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let fewer = Literal::from_slice(&[2, 2], &[1, 2, 4, 5])?;
/// assert!(is_prefix(&more, &fewer, Some(RowGrowth { axis: 1, each: 1 })));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn is_prefix(more: &Literal, fewer: &Literal, growth: Option<RowGrowth>) -> bool {
    let Some(RowGrowth { axis, .. }) = growth else { return more == fewer };
    let outer: usize = fewer.dims()[..axis].iter().product();
    let parts = |tensor: &Literal| tensor.bytes().len() / outer.max(1);
    let (long, short) = (parts(more), parts(fewer));
    (0..outer).all(|i| more.bytes()[i * long..][..short] == fewer.bytes()[i * short..][..short])
}

/// The arguments of the rule `rows_apart`.
pub struct RowsCx<'a> {
    /// How the operands grow.
    pub operands: &'a [Option<RowGrowth>],
    /// How the results grow.
    pub results: &'a [Option<RowGrowth>],
    /// The types of the operands, over more rows and over fewer.
    pub types: [&'a [Type]; 2],
    /// The check of sub-programs.
    pub sub: &'a dyn RowsWithin,
}

impl RowsCx<'_> {
    /// Whether an operand has all its positions along the axis, over more rows and over fewer, in a part of these extents.
    pub(crate) fn is_whole(&self, operand: usize, axis: usize, parts: [usize; 2]) -> bool {
        self.types.map(|types| types[operand].dim(axis)) == parts
    }
}

/// The answer of [`crate::Rules::rows_apart`], whose other operand is the op as it stands over fewer rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// Elements are computed each from those at its place: what grows does so along the same axis.
    Elementwise,
    /// Tensors along the last so many axes of operand 0 are computed each by itself: rows stand along an axis in front of these.
    Core(usize),
    /// Rows are apart, if the op is the same over fewer rows.
    Alike,
    /// Rows are apart. The rule has compared the ops.
    Apart,
    /// Rows meet, because of this.
    Refuse(&'static str),
}

/// The check that sub-programs of ops keep rows apart.
pub trait RowsWithin {
    /// Checks that a program keeps rows apart, which is given over more rows and over fewer.
    ///
    /// # Errors
    /// It mixes rows; the error is about the instruction that does.
    fn check(&self, more: &Program, fewer: &Program) -> Result<()>;
}

/// The rule of an op that has one answer.
macro_rules! rows {
    ($($answer:tt)+) => {
        fn rows_apart(&self, _: &Self, _: &crate::rows::RowsCx<'_>) -> jarrah_base::Result<crate::rows::Rows> {
            Ok(crate::rows::Rows::$($answer)+)
        }
    };
}
pub(crate) use rows;
