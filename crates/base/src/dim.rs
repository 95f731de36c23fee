use std::fmt;
use std::sync::{LazyLock, Mutex};

use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::intern::{Intern, Interned, Table};

/// The extent of one axis: a constant, or a symbol whose value is known only when the program runs.
///
/// Arithmetic goes through the methods here, never through `usize`, so that a rule which cannot answer for a symbol
/// says so instead of computing nonsense.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim(Repr);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Repr {
    Const(u64),
    Symbol(Symbol),
}

/// The name of an extent that is not yet known; equal names are the same extent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symbol(Interned<SymbolName>);

#[derive(PartialEq, Eq, Hash)]
struct SymbolName(String);

impl Intern for SymbolName {
    fn table() -> &'static Table<Self> {
        static TABLE: LazyLock<Table<SymbolName>> = LazyLock::new(|| Mutex::new(Default::default()));
        &TABLE
    }
}

impl Dim {
    /// The constant extent `n`.
    pub const fn new(n: usize) -> Self {
        Dim(Repr::Const(n as u64))
    }

    /// The unknown extent called `name`.
    pub fn symbol(name: &str) -> Self {
        Dim(Repr::Symbol(Symbol(Interned::new(SymbolName(name.to_owned())))))
    }

    /// The constant, or `None` for a symbol.
    pub fn constant(self) -> Option<usize> {
        match self.0 {
            Repr::Const(n) => Some(n as usize),
            Repr::Symbol(_) => None,
        }
    }

    /// The constant, or an error that names the symbol.
    pub fn known(self) -> Result<usize> {
        self.constant().ok_or_else(|| {
            Error::program(format!("the dimension {self} has no known extent here"))
                .help("give the program concrete shapes before it is run")
        })
    }

    /// Whether two extents are equal: yes, no, or `None` where that depends on a symbol.
    pub fn same(self, other: Dim) -> Option<bool> {
        match (self.0, other.0) {
            (Repr::Const(a), Repr::Const(b)) => Some(a == b),
            (Repr::Symbol(a), Repr::Symbol(b)) if a == b => Some(true),
            _ => None,
        }
    }

    /// Whether two extents are certainly equal; an error that names the symbol where it cannot be told.
    pub fn must_match(self, other: Dim) -> Result<bool> {
        self.same(other).ok_or_else(|| {
            Error::program(format!("cannot tell whether the dimensions {self} and {other} are equal"))
        })
    }

    /// The sum, for constants.
    pub fn plus(self, other: Dim) -> Result<Dim> {
        let sum = self.known()?.checked_add(other.known()?);
        sum.map(Dim::new).ok_or_else(|| Error::program(format!("the extent {self} + {other} overflows")))
    }

    /// The product, for constants; one is neutral for symbols too.
    pub fn times(self, other: Dim) -> Result<Dim> {
        match (self.constant(), other.constant()) {
            (Some(1), _) => Ok(other),
            (_, Some(1)) => Ok(self),
            _ => {
                let product = self.known()?.checked_mul(other.known()?);
                product
                    .map(Dim::new)
                    .ok_or_else(|| Error::program(format!("the extent {self} * {other} overflows")))
            }
        }
    }
}

/// All extents as constants, or an error that names the first symbol.
pub fn concrete(dims: &[Dim]) -> Result<SmallVec<[usize; 6]>> {
    dims.iter().map(|d| d.known()).collect()
}

/// The number of elements of a tensor with these extents.
///
/// # Errors
/// The product of the extents that are not 0 exceeds the address space. So the product of any of them can be taken without
/// a check once this one was.
///
/// ```
/// use jarrah_base::elements;
/// assert_eq!(elements(&[2, 3])?, 6);
/// assert!(elements(&[1 << 40, 1 << 40, 0]).is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn elements(dims: &[usize]) -> Result<usize> {
    let span = span(dims).ok_or_else(|| Error::program(format!("{dims:?} are too many elements")))?;
    Ok(if dims.contains(&0) { 0 } else { span })
}

/// The product of the extents that are not 0, if the address space has that many bytes.
pub(crate) fn span(dims: &[usize]) -> Option<usize> {
    let span = dims.iter().filter(|&&d| d != 0).try_fold(1usize, |n, &d| n.checked_mul(d))?;
    (span <= isize::MAX as usize).then_some(span)
}

impl From<usize> for Dim {
    fn from(n: usize) -> Self {
        Dim::new(n)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Const(n) => write!(f, "{n}"),
            Repr::Symbol(s) => f.write_str(&s.0.0),
        }
    }
}

impl fmt::Debug for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
