use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, TreeExt};

/// Zeros of the shapes and dtypes of the leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::zeros_like(&x).to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn zeros_like<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(Array::zeros_like)
}

/// Ones of the shapes and dtypes of the leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::ones_like(&x).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn ones_like<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(Array::ones_like)
}

/// Arrays of one value, of the shapes and dtypes of the leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::tree;
/// let x = Array::from_slice(&[1.0f32, -2.0]);
/// assert_eq!(tree::full_like(&x, 3.0).to_vec::<f32>()?, [3.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn full_like<T: Tree<Array>>(tree: &T, value: f64) -> T {
    tree.map_leaves(|x: &Array| x.full_like(value))
}

/// One key for each leaf, in order: the keys that [`random_like`] draws with.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// let keys = jarrah_optim::tree::split_key_like(&Key::new(0), &(Array::ones(&[2]), Array::ones(&[3])));
/// assert_eq!(keys.len(), 2);
/// ```
#[track_caller]
pub fn split_key_like<T: Tree<Array>>(key: &Key, tree: &T) -> Vec<Key> {
    key.split(tree.leaves().len())
}

/// A tree of the same structure drawn by `sample(key, leaf)`, each leaf with a key of its own.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_optim::tree::random_like;
/// let noise = random_like(&Key::new(0), &(Array::zeros(&[2]), Array::zeros(&[])), |key, x| {
///     key.normal_in(&x.shape(), x.dtype())
/// });
/// assert_eq!(noise.0.shape(), [2]);
/// ```
#[track_caller]
pub fn random_like<T: Tree<Array>>(key: &Key, tree: &T, sample: impl Fn(&Key, &Array) -> Array) -> T {
    let mut keys = split_key_like(key, tree).into_iter();
    tree.map_leaves(|x: &Array| match keys.next() {
        Some(key) => sample(&key, x),
        None => unreachable!("invariant: a key for each leaf"),
    })
}
