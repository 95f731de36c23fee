use jarrah_array::{Array, Error, Tree, TreeExt, fail};

use crate::Leaves;

/// Whether `name` is a key of a path, or several consecutive keys of it.
pub(crate) fn named(path: &str, name: &str) -> bool {
    path == name
        || path.starts_with(&format!("{name}."))
        || path.ends_with(&format!(".{name}"))
        || path.contains(&format!(".{name}."))
}

/// Whether a path ends with `name`.
fn ends(path: &str, name: &str) -> bool {
    path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The leaves of a tree whose path has `name`, a key or several joined by dots, and their paths.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, adam, tree};
/// let state = adam(0.1, Adam::default()).init(&(Array::ones(&[2]), Array::ones(&[3])));
/// let found = tree::get_all_with_path(&state, "mu");
/// assert_eq!(found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["0.mu.0", "0.mu.1"]);
/// ```
pub fn get_all_with_path<T: Tree<Array>>(tree: &T, name: &str) -> Vec<(String, Array)> {
    let all = tree.leaves_with_paths().into_iter();
    all.filter(|(path, _)| named(path, name)).map(|(path, x): (String, &Array)| (path, x.clone())).collect()
}

/// The leaf of a tree whose path is `name`, or else the one whose path ends with it.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, adam, tree};
/// let state = adam(0.1, Adam::default()).init(&Array::ones(&[2]));
/// assert_eq!(tree::get(&state, "count").item::<i32>()?, 0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics if there is none, or several paths end so.
#[track_caller]
pub fn get<T: Tree<Array>>(tree: &T, name: &str) -> Array {
    let mut found = get_all_with_path(tree, name);
    found.retain(|(path, _)| ends(path, name));
    if let Some(whole) = found.iter().position(|(path, _)| path == name) {
        return found.swap_remove(whole).1;
    }
    match (found.pop(), found.first()) {
        (Some((_, leaf)), None) => leaf,
        (last, _) => {
            fail(not_one(name, last.into_iter().chain(found).map(|(path, _)| path).collect(), "get"))
        }
    }
}

fn not_one(name: &str, found: Vec<String>, op: &'static str) -> Error {
    let error = match found.is_empty() {
        true => Error::program(format!("no leaf is named {name:?}")),
        false => Error::program(format!("{} leaves are named {name:?}: {}", found.len(), found.join(", "))),
    };
    error.op(op).help("give more of the path, such as \"0.count\"; get_all_with_path lists all")
}

/// The tree with `value` in place of each leaf whose path ends with `name`, in the leaf's dtype.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Schedule, Sgd, sgd, tree};
/// use jarrah_optim::transforms::inject_hyperparams;
/// let optimizer = inject_hyperparams([("learning_rate", Schedule::from(0.1))], |h| sgd(h.get("learning_rate"), Sgd::default()));
/// let p = Array::scalar(1.0);
/// let state = tree::set(&optimizer.init(&p), "learning_rate", &Array::scalar(0.5));
/// assert_eq!(optimizer.update(&p, &state, &p).0.item::<f32>()?, -0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics if there is none, or the shapes differ.
#[track_caller]
pub fn set<T: Tree<Array>>(tree: &T, name: &str, value: &Array) -> T {
    let mut found = 0;
    let changed = tree.try_map_with_paths(|path, leaf: &Array| {
        if !ends(path, name) {
            return Ok(leaf.clone());
        }
        found += 1;
        if leaf.shape() != value.shape() {
            let error = Error::program(format!("{path} is {}, the value is {}", leaf.ty(), value.ty()));
            return Err(error.op("set").help("give a value of the same shape"));
        }
        Ok(value.astype(leaf.dtype()))
    });
    match changed {
        Ok(tree) if found > 0 => tree,
        Ok(_) => fail(not_one(name, Vec::new(), "set")),
        Err(error) => fail(error.at(jarrah_array::Location::caller())),
    }
}

/// The state with `f(leaf, parameter)` in place of each leaf that belongs to a parameter: its path ends with the parameter's, and its
/// shape is the parameter's.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::{Adam, adam, tree};
/// let p = (Array::ones(&[2]), Array::ones(&[3]));
/// let state = adam(0.1, Adam::default()).init(&p);
/// let narrow = tree::map_params(&state, &p, |leaf, _| leaf.astype(DType::BF16));
/// assert_eq!(tree::get(&narrow, "mu.1").dtype(), DType::BF16);
/// assert_eq!(tree::get(&narrow, "count").dtype(), DType::I32);
/// ```
#[track_caller]
pub fn map_params<P: Tree<Array>>(
    state: &Leaves,
    params: &P,
    mut f: impl FnMut(&Array, &Array) -> Array,
) -> Leaves {
    let params: Vec<(String, &Array)> = params.leaves_with_paths();
    state.map_with_paths(|path, leaf| {
        let path = path.to_string();
        let ends = |own: &str| own.is_empty() || path == own || path.ends_with(&format!(".{own}"));
        let found = params.iter().filter(|(own, p)| ends(own) && p.shape() == leaf.shape());
        match found.max_by_key(|(own, _)| own.len()) {
            Some((_, param)) => f(leaf, param),
            None => leaf.clone(),
        }
    })
}
