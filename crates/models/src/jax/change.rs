//! The difference between the numbers of a leaf and those of the tensor that it is.

use jarrah_array::{Array, DType, Literal, Result};
use jarrah_formats::{BoxSide, copy_box};

/// How the numbers of a leaf differ from those of a tensor.
///
/// Numbers are computed in `f32`, or in `f64` where they are `f64`, as MaxText's converter does it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// The leaf is the tensor over this.
    pub divisor: Option<f64>,
    /// The leaf is the tensor times this.
    pub factor: Option<f64>,
    /// Whether the factor is rounded to `bf16`.
    pub narrow_factor: bool,
    /// The number that the leaf has more.
    pub more: f64,
    /// The width of heads, of whose outputs the leaf has the first half and the second by turns.
    pub neighbours: Option<usize>,
}

impl Change {
    /// The tensor of a leaf whose axes are the tensor's.
    pub fn to_tensor(self, leaf: Literal) -> Result<Literal> {
        let mut leaf = self.turned(leaf, false)?;
        if let Some(divisor) = self.divisor {
            leaf = arithmetic(&leaf, |x| x * divisor)?;
        }
        if let Some(factor) = self.rounded_factor() {
            leaf = arithmetic(&leaf, |x| x / factor)?;
        }
        if self.more != 0.0 {
            leaf = arithmetic(&leaf, |x| x - self.more)?;
        }
        Ok(leaf)
    }

    /// The leaf of a tensor, with the tensor's axes.
    pub fn to_leaf(self, tensor: Literal) -> Result<Literal> {
        let mut tensor = self.turned(tensor, true)?;
        if let Some(divisor) = self.divisor {
            tensor = arithmetic(&tensor, |x| x * (1.0 / divisor))?;
        }
        if let Some(factor) = self.rounded_factor() {
            tensor = arithmetic(&tensor, |x| x * factor)?;
        }
        if self.more != 0.0 {
            tensor = arithmetic(&tensor, |x| x + self.more)?;
        }
        Ok(tensor)
    }

    fn rounded_factor(self) -> Option<f64> {
        let narrow = |factor: f64| Literal::full(jarrah_array::Type::scalar(DType::BF16), factor).ok();
        let rounded = |factor: f64| narrow(factor).map_or(factor, |narrow| narrow.get_f64(0));
        self.factor.map(|factor| if self.narrow_factor { rounded(factor) } else { factor })
    }

    /// Puts the outputs of heads, which are the first axis, into the order of a leaf or of a tensor.
    fn turned(self, mut given: Literal, to_leaf: bool) -> Result<Literal> {
        let Some(head) = self.neighbours else { return Ok(given) };
        let dims = given.dims();
        let (rows, row) = (dims[0], dims[1..].iter().product::<usize>());
        let (shape, half) = ([rows, row], head / 2);
        let mut made = Literal::zeros(given.ty())?;
        let size = given.dtype().size();
        for start in (0..rows).step_by(head) {
            for second in [0, 1] {
                let (in_tensor, in_leaf) = ([start + second * half, 0], [start + second, 0]);
                let (of_tensor, of_leaf) = match to_leaf {
                    true => (given.bytes_mut(), made.bytes_mut()),
                    false => (made.bytes_mut(), given.bytes_mut()),
                };
                let of_tensor = BoxSide { dims: &shape, start: &in_tensor, bytes: of_tensor };
                let of_leaf = BoxSide { dims: &shape, start: &in_leaf, bytes: of_leaf };
                copy_box(size, &[half, row], [of_tensor, of_leaf], 2, false, !to_leaf);
            }
        }
        Ok(made)
    }
}

/// The numbers with a function applied to each, rounded once to their own type.
fn arithmetic(value: &Literal, of: impl Fn(Array) -> Array) -> Result<Literal> {
    let own = value.dtype();
    let wide = if own == DType::F64 { DType::F64 } else { DType::F32 };
    of(Array::from_literal(value.clone()).astype(wide)).astype(own).to_literal()
}
