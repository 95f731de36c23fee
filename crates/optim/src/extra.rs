use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use jarrah_array::{Array, Error, Result, Tree, TreeExt};

use crate::Leaves;

/// Inputs that some transformations need beside gradients and parameters: the value of the loss, its gradient, the loss as a
/// function of the parameters.
///
/// [`crate::GradientTransformation::update_with`] passes it to every transformation of a chain. Each takes what it needs, and says by an
/// error what is missing.
///
/// ```
/// use jarrah_array::{Array, value_and_grad};
/// use jarrah_optim::{Extra, PolyakSgd, apply_updates, polyak_sgd};
/// let loss = |p: &Array| p.square().sum(..);
/// let optimizer = polyak_sgd(PolyakSgd::default());
/// let p = Array::from_slice(&[3.0f32, 4.0]);
/// let (value, slope) = value_and_grad(loss)(&p);
/// let extra = Extra::new().value(&value).grad(&slope).value_fn(loss);
/// let (updates, _) = optimizer.update_with(&slope, &optimizer.init(&p), &p, &extra);
/// assert_eq!(apply_updates(&p, &updates).to_vec::<f32>()?, [1.5, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub struct Extra<'a, P = Leaves> {
    arrays: BTreeMap<String, Array>,
    trees: BTreeMap<String, P>,
    value_fn: Option<Rc<dyn Fn(&P) -> Array + 'a>>,
}

impl<P> Default for Extra<'_, P> {
    fn default() -> Self {
        Extra { arrays: BTreeMap::new(), trees: BTreeMap::new(), value_fn: None }
    }
}

impl<'a, P> Extra<'a, P> {
    /// Nothing yet.
    pub fn new() -> Self {
        Extra::default()
    }

    /// With the value of the loss at the parameters, a float scalar.
    pub fn value(self, value: &Array) -> Self {
        self.array("value", value)
    }

    /// With the gradient of the loss at the parameters.
    pub fn grad(self, grad: &P) -> Self
    where
        P: Clone,
    {
        self.tree("grad", grad)
    }

    /// With the loss as a function of the parameters.
    pub fn value_fn(mut self, f: impl Fn(&P) -> Array + 'a) -> Self {
        self.value_fn = Some(Rc::new(f));
        self
    }

    /// With an array that a transformation takes by its name.
    pub fn array(mut self, name: &str, array: &Array) -> Self {
        self.arrays.insert(name.to_owned(), array.clone());
        self
    }

    /// With a tree like the parameters that a transformation takes by its name.
    pub fn tree(mut self, name: &str, tree: &P) -> Self
    where
        P: Clone,
    {
        self.trees.insert(name.to_owned(), tree.clone());
        self
    }

    /// The array of this name, if it was given.
    pub fn get(&self, name: &str) -> Option<&Array> {
        self.arrays.get(name)
    }

    /// The array of this name.
    ///
    /// # Errors
    /// The caller of `update_with` did not give it.
    pub fn needed(&self, name: &str) -> Result<&Array> {
        self.arrays.get(name).ok_or_else(|| missing(name))
    }

    /// The tree of this name.
    ///
    /// # Errors
    /// The caller of `update_with` did not give it.
    pub fn needed_tree(&self, name: &str) -> Result<&P> {
        self.trees.get(name).ok_or_else(|| missing(name))
    }

    /// The loss as a function of the parameters.
    ///
    /// # Errors
    /// The caller of `update_with` did not give it.
    pub fn needed_fn(&self) -> Result<&(dyn Fn(&P) -> Array + 'a)> {
        self.value_fn.as_deref().ok_or_else(|| missing("value_fn"))
    }
}

impl<P: Tree<Array>> Extra<'_, P> {
    /// These inputs in terms of the leaves of `P`.
    pub(crate) fn erased<'b>(&'b self, params: &'b P) -> Extra<'b> {
        let value_fn = self.value_fn.as_deref().map(|f| {
            let erased = move |leaves: &Leaves| f(&leaves.restore(params));
            Rc::new(erased) as Rc<dyn Fn(&Leaves) -> Array + 'b>
        });
        let trees = self.trees.iter().map(|(name, tree)| (name.clone(), Leaves::of(tree)));
        Extra { arrays: self.arrays.clone(), trees: trees.collect(), value_fn }
    }
}

impl Extra<'_> {
    /// These inputs in terms of other parameters: `to` converts trees of these parameters to trees of the others, and `from`
    /// converts back.
    pub(crate) fn about<'b>(
        &'b self,
        to: impl Fn(&Leaves) -> Leaves,
        from: impl Fn(&Leaves) -> Leaves + 'b,
    ) -> Extra<'b> {
        let value_fn = self.value_fn.as_deref().map(|f| {
            let composed = move |leaves: &Leaves| f(&from(leaves));
            Rc::new(composed) as Rc<dyn Fn(&Leaves) -> Array + 'b>
        });
        let trees = self.trees.iter().map(|(name, tree)| (name.clone(), to(tree)));
        Extra { arrays: self.arrays.clone(), trees: trees.collect(), value_fn }
    }
}

fn missing(name: &str) -> Error {
    let call = match name {
        "value" => "Extra::new().value(&loss)".to_owned(),
        "grad" => "Extra::new().grad(&gradient)".to_owned(),
        "value_fn" => "Extra::new().value_fn(|params| loss(params))".to_owned(),
        _ => format!("Extra::new().array({name:?}, &array)"),
    };
    let error = Error::program(format!("this optimizer needs `{name}`"));
    error.help(format!("call update_with and give {call}"))
}

impl<P: Tree<Array>> fmt::Debug for Extra<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let trees = self.trees.iter().map(|(name, tree)| (name, tree.leaves().len()));
        let trees: BTreeMap<&String, usize> = trees.collect();
        f.debug_struct("Extra")
            .field("arrays", &self.arrays)
            .field("trees", &trees)
            .field("value_fn", &self.value_fn.is_some())
            .finish()
    }
}
