//! Changing a model: its layers, weights and settings, by path and type.

use std::any::Any;
use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Location, Tree, TreeExt, fail};
use jarrah_tree::{Path, Shared};

use crate::filter::VariablePlace;
use crate::value::Content;
use crate::{Filter, Kind, Variable};

/// Changes every part of type `T` of a model whose place `filter` means, in place: leaves, layers, lists of them, static fields.
/// Returns how many there were. Parts are met before those that they are in.
///
/// `f` gets the path and the part. A variable that other places share stays shared with what is put into its place; one put at such another
/// place is its own from then on. Panics if there is no such part, or none for a name in braces: nothing would change, silently.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_nn::{Linear, Lora, Mlp, edit};
/// let mut model = vec![Mlp::new(&Key::new(0), 4, 8), Mlp::new(&Key::new(1), 4, 8)];
/// let key = Key::new(2);
/// let mut n = 0;
/// edit(&mut model, "*.up", |_, layer: &mut Linear| {
///     layer.weight = Lora::over(layer.weight.clone(), &key.fold_in(n), 2, 4.0).into();
///     n += 1;
/// });
/// assert_eq!(n, 2);
/// ```
#[track_caller]
pub fn edit<M: Tree<Array> + 'static, T: 'static>(
    model: &mut M,
    filter: impl Into<Filter>,
    mut f: impl FnMut(&str, &mut T),
) -> usize {
    let filter = filter.into();
    let shared = leading(model);
    let (mut count, mut places) = (0, Vec::new());
    let what = std::any::type_name::<T>().rsplit("::").next().unwrap_or_default();
    each_part::<M, T>(model, |path, _| places.push(path.to_string()));
    filter.check_meets("edit", what, &places);
    each_part::<M, T>(model, |path, part| {
        let text = path.to_string();
        let kind = (part as &dyn Any).downcast_ref::<Variable>().map_or(Kind::PARAMETER, Variable::kind);
        if filter.accepts(&VariablePlace { path: &text, kind, types: &[], ty: None }) {
            f(&text, part);
            count += 1;
        }
    });
    if count == 0 {
        filter.fail_to_meet("edit", what, &places);
    }
    keep_shared(model, &shared);
    count
}

/// Calls `f` with the parts of type `T`. Where parts are nested at one path, as a variable in a variable, only the outermost is
/// passed.
fn each_part<M: Tree<Array> + 'static, T: 'static>(model: &mut M, mut f: impl FnMut(&Path, &mut T)) {
    let mut left: BTreeMap<Path, usize> = BTreeMap::new();
    model.visit_mut(&mut Path::default(), &mut |path, part| {
        if part.is::<T>() {
            *left.entry(path.clone()).or_default() += 1;
        }
    });
    model.visit_mut(&mut Path::default(), &mut |path, part| {
        let Some(part) = part.downcast_mut::<T>() else { return };
        if let Some(left) = left.get_mut(path) {
            *left = left.saturating_sub(1);
            if *left == 0 {
                f(path, part);
            }
        }
    });
}

/// Calls `f` with every variable, and with the number of variables visited before it at the same path, as variables may be nested.
fn each_variable<M: Tree<Array> + 'static>(model: &mut M, mut f: impl FnMut(&Path, usize, &mut Variable)) {
    let mut met: BTreeMap<Path, usize> = BTreeMap::new();
    model.visit_mut(&mut Path::default(), &mut |path, part| {
        if let Some(variable) = part.downcast_mut::<Variable>() {
            let before = met.entry(path.clone()).or_default();
            f(path, *before, variable);
            *before += 1;
        }
    });
}

/// The variables that other places share, by their paths.
fn leading<M: Tree<Array> + 'static>(model: &mut M) -> BTreeMap<(Path, usize), Shared<Content>> {
    let mut leading = BTreeMap::new();
    each_variable(model, |path, depth, variable| {
        if let Some(shared) = variable.shared().filter(|shared| shared.leads()) {
            leading.insert((path.clone(), depth), shared.clone());
        }
    });
    leading
}

/// Where a variable shared its content with other places and was replaced, gives the new variable to these places too.
fn keep_shared<M: Tree<Array> + 'static>(model: &mut M, before: &BTreeMap<(Path, usize), Shared<Content>>) {
    if before.is_empty() {
        return;
    }
    each_variable(model, |path, depth, variable| {
        if let (None, Some(shared)) = (variable.shared(), before.get(&(path.clone(), depth))) {
            *variable = variable.in_place_of(shared);
        }
    });
    *model = model.map_leaves(Array::clone);
}

/// A copy of the first part of type `T` of a model whose place `filter` means.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_nn::{Linear, Mlp, part};
/// let model = vec![Mlp::new(&Key::new(0), 4, 8)];
/// assert_eq!(part::<_, Linear>(&model, "0.down").unwrap().weight.shape(), [8, 4]);
/// ```
pub fn part<M: Tree<Array> + Clone + 'static, T: Clone + 'static>(
    model: &M,
    filter: impl Into<Filter>,
) -> Option<T> {
    parts(model, filter).into_iter().next().map(|(_, part)| part)
}

/// Copies of the parts of type `T` whose places in the model `filter` accepts, with their paths.
///
/// Source: `flax.nnx.iter_modules`.
pub fn parts<M: Tree<Array> + Clone + 'static, T: Clone + 'static>(
    model: &M,
    filter: impl Into<Filter>,
) -> Vec<(String, T)> {
    let (filter, mut found) = (filter.into(), Vec::new());
    each_part::<M, T>(&mut model.clone(), |path, part| {
        let text = path.to_string();
        if filter.accepts_path(&text) {
            found.push((text, part.clone()));
        }
    });
    found
}

/// Makes the variable at the path `other` one with that at `first`: one parameter, with one gradient and one state of the optimizer, for both. It
/// must come behind the first in the model. Panics if there is no variable at one of the paths, or if their shapes differ; a shape
/// that is that of the transpose is shared as a [`Transposed`](crate::Transposed).
///
/// ```
/// use jarrah_array::{TreeExt, random::Key};
/// use jarrah_nn::{Embedding, Linear, tie, untie};
/// let (a, b) = Key::new(0).pair();
/// let mut model = (Embedding::new(&a, 10, 4), Linear::new(&b, 4, 10));
/// tie(&mut model, "0.table", "1.weight");
/// assert_eq!(model.leaves().len(), 2);
/// untie(&mut model, "1.weight");
/// assert_eq!(model.leaves().len(), 3);
/// ```
#[track_caller]
pub fn tie<M: Tree<Array> + 'static>(model: &mut M, first: &str, other: &str) {
    let at = Location::caller();
    let (first_path, other_path) = (Path::parse(first), Path::parse(other));
    let refuse = |error: String, help: &str| -> ! { fail(Error::program(error).op("tie").help(help).at(at)) };
    // The places in the order of the model, and the content of the first one.
    let (mut met, mut lead) = (Vec::new(), None);
    each_part::<M, Variable>(model, |path, variable| {
        if *path == first_path {
            lead = Some((variable.share(), variable.shape()));
            met.push(first);
        } else if *path == other_path {
            met.push(other);
            let Some((shared, shape)) = &lead else { return };
            let (own, reversed) = (variable.shape(), shape.iter().rev().copied().collect::<Vec<_>>());
            *variable = if own == *shape {
                shared.clone()
            } else if own == reversed && own.len() == 2 {
                crate::Transposed::of(shared.clone()).into()
            } else {
                let error = format!("{first} is {shape:?}, {other} is {own:?}");
                refuse(error, "variables of one shape can be one, and transposes")
            };
        }
    });
    if let Some(missing) = [first, other].into_iter().find(|name| !met.contains(name)) {
        refuse(format!("the model has no variable at {missing}"), "`tabulate` lists what it has");
    }
    if met != [first, other] {
        refuse(format!("{other} comes before {first} in the model"), "name them the other way round");
    }
}

/// Ends sharing for the variables that `filter` accepts: a variable that shared its array with other places gets a copy.
#[track_caller]
pub fn untie<M: Tree<Array> + 'static>(model: &mut M, filter: impl Into<Filter>) {
    let filter = filter.into();
    // When the place that leads a group of shared variables leaves it, another place leads the rest; so an accepted variable gets
    // a copy even if it led.
    edit(model, filter, |_, variable: &mut Variable| {
        *variable = match variable.value::<crate::Transposed>() {
            Some(transposed) => variable.replaced(transposed.0.get().swapaxes(-2, -1)),
            None => variable.unshared(),
        };
    });
}
