use jarrah_array::numpy::einsum;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail};

use crate::tokens::refuse_mixing;
use crate::{Context, Initializer, Module, Variable};

/// An affine map in Einstein's notation: `y = einsum(equation, x, W) + b`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Einsum, Module};
/// // Each of four heads has a map of its own.
/// let layer = Einsum::new(&Key::new(0), "..hi,hio->..ho", &[4, 3, 5], Some(&[4, 5]));
/// assert_eq!(layer.forward(&Array::ones(&[2, 7, 4, 3])).shape(), [2, 7, 4, 5]);
/// ```
///
/// Source: `flax.nnx.Einsum`.
#[derive(Clone, Debug, Tree)]
pub struct Einsum {
    /// The second operand.
    pub weight: Variable,
    /// The bias, along the axes of the result that also occur in the weight, in the result's order.
    pub bias: Option<Variable>,
    /// The subscripts of the argument, the weight and the result, `ab,bc->ac`.
    #[tree(static)]
    pub equation: String,
}

impl Einsum {
    /// A map with a LeCun-normal weight and, of the shape `bias`, a zero bias, in `f32`. `..` and `...` stand for any axes.
    #[track_caller]
    pub fn new(key: &Key, equation: &str, weight: &[usize], bias: Option<&[usize]>) -> Self {
        let equation = equation.replace(' ', "").replace("...", "..").replace("..", "...");
        let letters = parts(&equation).map(|[_, weight, _]| weight.len());
        if letters != Some(weight.len()) {
            let error = format!("the equation {equation:?} does not fit a weight of shape {weight:?}");
            let help = "write the subscripts of argument, weight and result, such as `ab,bc->ac`";
            fail(Error::program(error).op("einsum").help(help));
        }
        Einsum {
            weight: Initializer::lecun_normal().sample(key, weight, DType::F32).into(),
            bias: bias.map(|shape| Array::zeros(shape).into()),
            equation,
        }
    }
}

/// The axes of an argument of `rank` axes that the result does not have.
fn contracted(equation: &str, rank: usize) -> Vec<usize> {
    let Some([argument, _, result]) = parts(equation) else { return Vec::new() };
    let named: Vec<char> = argument.chars().filter(|c| *c != '.').collect();
    let (first, free) = match argument.find('.') {
        Some(at) => (argument[..at].chars().count(), rank.saturating_sub(named.len())),
        None => (named.len(), 0),
    };
    let place = |i: usize| if i < first { i } else { i + free };
    named.iter().enumerate().filter(|(_, c)| !result.contains(**c)).map(|(i, _)| place(i)).collect()
}

/// The subscripts of argument, weight and result.
fn parts(equation: &str) -> Option<[&str; 3]> {
    let (operands, result) = equation.split_once("->")?;
    let (x, weight) = operands.split_once(',')?;
    (!weight.contains([',', '.'])).then_some([x, weight, result])
}

/// A contraction of the axis of the pass's tokens is an error where these have segments or go on from earlier passes.
impl Module for Einsum {
    /// The result for `x`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        refuse_mixing("einsum", x, contracted(&self.equation, x.rank()), cx);
        let weight = self.weight.get();
        let y = einsum(&self.equation, &[x, &weight]);
        let (Some(bias), Some([_, letters, result])) = (&self.bias, parts(&self.equation)) else { return y };
        // The shape of the bias with an axis for each axis of the result; the axes under an ellipsis get extent one.
        let named: Vec<char> = result.chars().filter(|c| *c != '.').collect();
        let dots = result.find("...").map_or(0, |at| result[..at].chars().count());
        let extents = named.iter().map(|&c| letters.find(c).map_or(1, |at| weight.shape()[at]));
        let mut shape: Vec<usize> = extents.collect();
        shape.splice(dots..dots, vec![1; y.rank() - named.len()]);
        y + bias.get().reshape(&shape[..])
    }
}
