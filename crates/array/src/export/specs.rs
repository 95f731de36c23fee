use jarrah_base::{Error, Location, Result};
use jarrah_hlo_format::symbolic::{Polynomial, SymbolicScope};
use jarrah_tree::{Node, Part, PathKey, Tree};

use crate::array::Array;
use crate::function::Leaves;

/// The arguments of a function to export: a tree of arrays whose values do not matter, and a shape for each of them, which may be
/// symbolic.
///
/// A reference to a tree of arrays converts to this, with the shapes of the arrays.
pub struct ArgSpecs<'a, A> {
    pub(super) args: &'a A,
    pub(super) leaves: Leaves,
    pub(super) scope: SymbolicScope,
    /// The shape of each array, in the order of the tree.
    pub(super) shapes: Vec<Vec<Polynomial>>,
}

impl<'a, A: Tree<Array>> From<&'a A> for ArgSpecs<'a, A> {
    fn from(args: &'a A) -> Self {
        let leaves = Leaves::of(args);
        let shape = |array: &Array| array.shape().iter().map(|&n| Polynomial::constant(n as i64)).collect();
        let shapes = leaves.arrays.iter().map(shape).collect();
        ArgSpecs { args, leaves, scope: SymbolicScope::default(), shapes }
    }
}

/// The arguments `args` with symbolic shapes.
///
/// A shape is written as JAX writes it: `b, 2*n + 1, 3`; `_` is the extent that the array has, `...` all extents that the shape
/// does not state. There is one text for all arrays, one for each element of a tuple, or one for each array. Extents are
/// polynomials; a quotient is said by naming it: the half of `2*n` is `n`. Constraints are `b >= 2` or `n <= 16*b`; each size is
/// at least 1 anyhow.
///
/// # Errors
/// A text is malformed, does not fit its array, or there are not as many as needed.
///
/// ```
/// use jarrah_array::{Array, export::symbolic_args_specs};
/// let args = (Array::zeros(&[8, 3]), vec![Array::zeros(&[3])]);
/// assert!(symbolic_args_specs(&args, &["b, _", "..."], &["b >= 2"]).is_ok());
/// assert!(symbolic_args_specs(&args, &["b, 4", "..."], &[]).is_err());
/// ```
#[track_caller]
pub fn symbolic_args_specs<'a, A: Tree<Array>>(
    args: &'a A,
    shapes: &[&str],
    constraints: &[&str],
) -> Result<ArgSpecs<'a, A>> {
    let here = Location::caller();
    specs(args, shapes, constraints).map_err(|error| error.at(here))
}

fn specs<'a, A: Tree<Array>>(args: &'a A, shapes: &[&str], constraints: &[&str]) -> Result<ArgSpecs<'a, A>> {
    let mut scope = SymbolicScope::new(constraints)?;
    let leaves = Leaves::of(args);
    let elements = match leaves.structure.root() {
        Some(Part::Node(Node::Tuple(elements))) => Some(*elements),
        _ => None,
    };
    let paths = leaves.structure.paths();
    let mut all = Vec::with_capacity(paths.len());
    for (i, (array, path)) in leaves.arrays.iter().zip(&paths).enumerate() {
        let element = match path.keys().first() {
            Some(PathKey::Index(element)) if elements == Some(shapes.len()) => Some(*element),
            _ => None,
        };
        let text = match (shapes, element) {
            ([only], _) => Some(only),
            (_, Some(element)) => shapes.get(element),
            _ if shapes.len() == paths.len() => shapes.get(i),
            _ => None,
        };
        let Some(text) = text else {
            let error = format!("{} shapes are given for {} arrays", shapes.len(), paths.len());
            let error = Error::program(error).op("symbolic_args_specs");
            return Err(error.help(
                "give one for all, one for each element of the argument tuple, or one for each array",
            ));
        };
        let shape = scope.shape(text, Some(&array.shape()));
        let help =
            "write an extent for each axis, such as `b, 2*n, _`; `...` stands for all that are not stated";
        let named = |error: Error| error.context(format!("for {}", path.below("argument"))).help(help);
        all.push(shape.map_err(named)?);
    }
    Ok(ArgSpecs { args, leaves, scope, shapes: all })
}
