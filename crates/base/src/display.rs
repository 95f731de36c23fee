//! Tensors as text: the type, then the elements, nested by axis, as NumPy prints them.

use std::fmt;

use crate::dtype::{DType, ElementKind};
use crate::element::{Element, c64, c128};
use crate::literal::Literal;
use crate::with_element;

/// Arrays of more elements are shown in part.
const THRESHOLD: usize = 1000;
/// How many positions at each end of an axis are shown then.
const EDGE: usize = 3;
/// Rows are broken into lines of this width.
const WIDTH: usize = 76;

/// `f32[2] [1.0, 2.0]`; the elements stand on lines of their own where they need more than one. Large tensors are shown in
/// part. A precision (`{:.2}`) is that of each float.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text(self, f.precision()))
    }
}

impl fmt::Debug for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn text(literal: &Literal, precision: Option<usize>) -> String {
    let dims = literal.dims();
    if dims.is_empty() {
        return format!("{} {}", literal.ty(), element(literal, 0, precision));
    }
    // However long the other axes are.
    if literal.is_empty() {
        return format!("{} []", literal.ty());
    }
    let mut printer = Printer { literal, elided: literal.len() > THRESHOLD, dims, width: 0, precision };
    printer.width =
        printer.positions(0, 0).into_iter().map(|i| element(literal, i, precision).len()).max().unwrap_or(0);
    let body = printer.block(0, 0);
    let separator = if body.contains('\n') { '\n' } else { ' ' };
    format!("{}{separator}{body}", literal.ty())
}

fn element(literal: &Literal, index: usize, precision: Option<usize>) -> String {
    match (literal.dtype(), precision) {
        (DType::Bool, _) => (literal.bytes()[index] != 0).to_string(),
        (DType::C64, Some(digits)) => {
            shown::<c64>(literal, index, |z| format!("{:.digits$}{:+.digits$}i", z.re, z.im))
        }
        (DType::C128, Some(digits)) => {
            shown::<c128>(literal, index, |z| format!("{:.digits$}{:+.digits$}i", z.re, z.im))
        }
        (DType::C64, None) => shown::<c64>(literal, index, |z| format!("{:?}{:+?}i", z.re, z.im)),
        (DType::C128, None) => shown::<c128>(literal, index, |z| format!("{:?}{:+?}i", z.re, z.im)),
        (dtype, Some(digits)) if dtype.kind() == ElementKind::Float => {
            with_element!(dtype, T => shown::<T>(literal, index, |x| format!("{:.digits$}", x.to_f64())))
        }
        (dtype, None) if dtype.kind() == ElementKind::Float && dtype.bits() < 32 => {
            with_element!(dtype, T => shown::<T>(literal, index, |x| shortest(*x)))
        }
        (dtype, _) => with_element!(dtype, T => shown::<T>(literal, index, |x| format!("{x:?}"))),
    }
}

/// The number with the fewest digits that is nearest to this value of its type: `0.1` of a `bf16`, not `0.10009766`.
fn shortest<T: Element>(x: T) -> String {
    let exact = x.to_f64();
    let rounded = |digits: usize| format!("{exact:.digits$e}").parse::<f64>().ok();
    let enough = (0..17).filter_map(rounded).find(|&y| T::from_f64(y) == x);
    format!("{:?}", enough.unwrap_or(exact))
}

fn shown<T: Element>(literal: &Literal, index: usize, text: impl Fn(&T) -> String) -> String {
    match literal.as_slice::<T>() {
        Ok(values) => text(&values[index]),
        Err(error) => error.message().to_owned(),
    }
}

struct Printer<'a> {
    literal: &'a Literal,
    dims: Vec<usize>,
    elided: bool,
    /// Elements are aligned to the right in columns of this width.
    width: usize,
    /// Digits of floats after the point; without it as many as tell the number from its neighbours.
    precision: Option<usize>,
}

impl Printer<'_> {
    /// The positions along an axis that are shown; `None` stands for those that are not.
    fn shown(&self, axis: usize) -> Vec<Option<usize>> {
        let extent = self.dims[axis];
        if self.elided && extent > 2 * EDGE {
            let (first, last) = ((0..EDGE).map(Some), (extent - EDGE..extent).map(Some));
            return first.chain([None]).chain(last).collect();
        }
        (0..extent).map(Some).collect()
    }

    /// The elements that are shown of the block at `offset` over the axes from `axis` on.
    fn positions(&self, axis: usize, offset: usize) -> Vec<usize> {
        if axis == self.dims.len() {
            return vec![offset];
        }
        let shown = self.shown(axis).into_iter().flatten();
        shown.flat_map(|i| self.positions(axis + 1, offset * self.dims[axis] + i)).collect()
    }

    /// The text of the block at `offset` over the axes from `axis` on.
    fn block(&self, axis: usize, offset: usize) -> String {
        let inner = axis + 1 == self.dims.len();
        let indent = " ".repeat(axis + 1);
        let mut text = String::from("[");
        let mut column = axis + 1;
        for (count, position) in self.shown(axis).into_iter().enumerate() {
            let item = match position {
                None => "...".to_owned(),
                Some(i) if inner => {
                    format!(
                        "{:>1$}",
                        element(self.literal, offset * self.dims[axis] + i, self.precision),
                        self.width
                    )
                }
                Some(i) => self.block(axis + 1, offset * self.dims[axis] + i),
            };
            if count > 0 {
                if !inner {
                    // One more line between blocks for each axis within.
                    text.push_str(&format!(",{}{indent}", "\n".repeat(self.dims.len() - axis - 1)));
                } else if column + item.len() + 3 > WIDTH {
                    text.push_str(&format!(",\n{indent}"));
                    column = axis + 1;
                } else {
                    text.push_str(", ");
                    column += 2;
                }
            }
            column += item.len();
            text.push_str(&item);
        }
        text.push(']');
        text
    }
}
