//! The variables of layers: an array or a representation of an array, with its kind, such as parameter or statistic.

use std::fmt;
use std::sync::Arc;

use jarrah_array::Type;
use jarrah_array::{Array, DType, Result, Tree};
use jarrah_tree::{Changer, Node, Part, Path, Shared, Static, Visitor};

use crate::value::{Content, VariableValue};

/// The part that a variable plays in its model: what it is that optimizers, caches and checkpoints take or leave.
///
/// ```
/// use jarrah_nn::Kind;
/// const MASK: Kind = Kind::new("mask");
/// assert_ne!(MASK, Kind::PARAMETER);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(&'static str);

impl Kind {
    /// Trained parameters: of this kind is every array that is no variable.
    pub const PARAMETER: Kind = Kind("parameter");
    /// The adapters of weights.
    pub const LORA: Kind = Kind("lora");
    /// The running means and variances of batch normalization.
    pub const BATCH_STATISTIC: Kind = Kind("batch_statistic");
    /// The cached keys and values of tokens that a model has seen.
    pub const CACHE: Kind = Kind("cache");
    /// Results captured in a forward pass.
    pub const INTERMEDIATE: Kind = Kind("intermediate");
    /// Random keys and counters.
    pub const RANDOM: Kind = Kind("random");

    /// A user-defined kind.
    pub const fn new(name: &'static str) -> Self {
        Kind(name)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// An array of a layer, or what stands for one: in few bits, with an adapter, shared with another place.
///
/// It is a transparent part of a tree: the path of its array is its own, and one that is a parameter without properties is no more than a
/// leaf. Made [`from`](From) an array or any [`VariableValue`].
///
/// ```
/// use jarrah_array::{Array, TreeExt};
/// use jarrah_nn::{Kind, Variable};
/// let mean = Variable::from(Array::zeros(&[3])).of_kind(Kind::BATCH_STATISTIC).with_axes(&["features"]);
/// assert_eq!((mean.kind(), mean.axes().unwrap()[0].as_deref()), (Kind::BATCH_STATISTIC, Some("features")));
/// assert_eq!(TreeExt::<Array>::leaves(&mean).len(), 1);
/// ```
#[derive(Clone)]
pub struct Variable {
    held: Held,
    about: Option<Arc<About>>,
}

#[derive(Clone)]
enum Held {
    Own(Content),
    Shared(Shared<Content>),
}

/// The kind and axis names of a variable that is more than a plain parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct About {
    kind: Kind,
    axes: Option<Vec<Option<String>>>,
}

impl<V: VariableValue> From<V> for Variable {
    fn from(value: V) -> Self {
        Variable { held: Held::Own(Content::new(value)), about: None }
    }
}

impl Variable {
    /// This variable with the given kind.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Self {
        let axes = self.axes().map(<[_]>::to_vec);
        self.about(About { kind, axes })
    }

    /// This variable with names for its axes, by which a mesh is chosen; an empty name stands for none.
    #[must_use]
    pub fn with_axes(self, names: &[&str]) -> Self {
        let name = |name: &&str| (!name.is_empty()).then(|| (*name).to_owned());
        let kind = self.kind();
        self.about(About { kind, axes: Some(names.iter().map(name).collect()) })
    }

    fn about(self, about: About) -> Self {
        let plain = about.kind == Kind::PARAMETER && about.axes.is_none();
        Variable { about: (!plain).then(|| Arc::new(about)), ..self }
    }

    /// The part it plays.
    pub fn kind(&self) -> Kind {
        self.about.as_ref().map_or(Kind::PARAMETER, |about| about.kind)
    }

    /// The names of its axes.
    pub fn axes(&self) -> Option<&[Option<String>]> {
        self.about.as_ref()?.axes.as_deref()
    }

    /// This variable with another value; its kind, the names of its axes and the places that share it are kept.
    #[must_use]
    pub fn replaced(&self, value: impl VariableValue) -> Self {
        let value = Content::new(value);
        let held = match &self.held {
            Held::Own(_) => Held::Own(value),
            Held::Shared(shared) => Held::Shared(shared.replaced(value)),
        };
        Variable { held, about: self.about.clone() }
    }

    /// A variable for another place that is one and the same as this: one parameter, with one gradient, for both. The other place must come
    /// behind this one in the model.
    ///
    /// ```
    /// use jarrah_array::{TreeExt, random::Key};
    /// use jarrah_nn::{Embedding, Linear, Transposed};
    /// let mut table = Embedding::new(&Key::new(0), 10, 4);
    /// let head = Linear { weight: Transposed::of(table.table.share()).into(), bias: None };
    /// assert_eq!((table, head).leaves().len(), 1);
    /// ```
    pub fn share(&mut self) -> Self {
        let shared = match &self.held {
            Held::Own(content) => Shared::new(content.clone()),
            Held::Shared(shared) => shared.clone(),
        };
        self.held = Held::Shared(shared.clone());
        Variable { held: Held::Shared(shared.again()), about: self.about.clone() }
    }

    /// A variable with this value that shares it with no other place.
    #[must_use]
    pub fn unshared(&self) -> Self {
        Variable { held: Held::Own(self.content().clone()), about: self.about.clone() }
    }

    /// The shared value, if other places of the model may hold it too.
    pub(crate) fn shared(&self) -> Option<&Shared<Content>> {
        match &self.held {
            Held::Own(_) => None,
            Held::Shared(shared) => Some(shared),
        }
    }

    /// This variable's value for the places that share `other`.
    pub(crate) fn in_place_of(&self, other: &Shared<Content>) -> Self {
        Variable { held: Held::Shared(other.replaced(self.content().clone())), about: self.about.clone() }
    }

    fn content(&self) -> &Content {
        match &self.held {
            Held::Own(content) => content,
            Held::Shared(shared) => shared,
        }
    }

    /// The held value, if it has the type `T`: for instance an [`Array`] or a [`Lora`](crate::Lora).
    pub fn value<T: 'static>(&self) -> Option<&T> {
        self.content().get()
    }

    /// The array that it stands for.
    #[track_caller]
    pub fn get(&self) -> Array {
        match self.value::<Array>() {
            Some(array) => array.clone(),
            None => self.dense(self.ty().dtype()),
        }
    }

    /// The type of the array that it stands for.
    pub fn ty(&self) -> Type {
        self.content().ty()
    }

    /// The shape of the array that it stands for.
    pub fn shape(&self) -> Vec<usize> {
        self.ty().dims().to_vec()
    }

    /// The dtype of the array that it stands for.
    pub fn dtype(&self) -> DType {
        self.ty().dtype()
    }

    /// The array that it stands for, in `dtype`.
    #[track_caller]
    pub fn dense(&self, dtype: DType) -> Array {
        self.content().dense(dtype)
    }

    /// `x W`: `[.., K]` times `[K, N]`.
    #[track_caller]
    pub fn dot(&self, x: &Array) -> Array {
        self.content().dot(x)
    }

    /// Consecutive groups of rows, each times its matrix of a stack: `[M, K]` times `[E, K, N]`, of which group `e` has `sizes[e]` rows, `i32`; rows
    /// behind the last group are 0.
    #[track_caller]
    pub fn dot_grouped(&self, x: &Array, sizes: &Array) -> Array {
        self.content().dot_grouped(x, sizes)
    }

    /// `x W^T`: `[.., N]` times the transpose of `[K, N]`.
    #[track_caller]
    pub fn dot_transposed(&self, x: &Array) -> Array {
        self.content().dot_transposed(x)
    }

    /// The rows of `[K, ..]` at `at`, integers of any shape.
    #[track_caller]
    pub fn rows(&self, at: &Array) -> Array {
        self.content().rows(at)
    }
}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.about {
            None => self.content().fmt(f),
            Some(about) => write!(f, "{:?}({:?})", about.kind, self.content()),
        }
    }
}

impl Tree<Array> for Variable {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        if let Some(about) = &self.about {
            let axes = about.axes.as_ref().map(Static::new);
            f(path, Part::Node(Node::Variable { kind: about.kind.0, about: axes }));
        }
        match &self.held {
            Held::Own(content) => content.visit(path, f),
            Held::Shared(shared) => shared.visit(path, f),
        }
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let held = match &self.held {
            Held::Own(content) => Held::Own(content.try_map(path, f)?),
            Held::Shared(shared) => Held::Shared(shared.try_map(path, f)?),
        };
        Ok(Variable { held, about: self.about.clone() })
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>) {
        match &mut self.held {
            Held::Own(content) => content.visit_mut(path, f),
            Held::Shared(shared) => Tree::<Array>::visit_mut(shared, path, f),
        }
        f(path, self);
    }
}

/// A struct around one tree that is no step of a path.
macro_rules! transparent {
    ($name:ident) => {
        impl jarrah_array::Tree<jarrah_array::Array> for $name {
            fn visit<'a>(
                &'a self,
                path: &mut jarrah_tree::Path,
                f: &mut jarrah_tree::Visitor<'_, 'a, jarrah_array::Array>,
            ) {
                f(path, jarrah_tree::Part::Node(jarrah_tree::Node::Named(stringify!($name))));
                self.0.visit(path, f);
            }

            fn try_map(
                &self,
                path: &mut jarrah_tree::Path,
                f: &mut dyn FnMut(&jarrah_tree::Path, &Array) -> jarrah_array::Result<Array>,
            ) -> jarrah_array::Result<Self> {
                Ok($name(self.0.try_map(path, f)?))
            }

            fn visit_mut(&mut self, path: &mut jarrah_tree::Path, f: &mut jarrah_tree::Changer<'_>) {
                self.0.visit_mut(path, f);
                f(path, self);
            }
        }
    };
}
pub(crate) use transparent;
