//! Structs that keep their name in artifacts.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use jarrah_base::{Error, Result};
use jarrah_hlo_format::artifact::PyTree;

/// The static fields of a struct, by name, as `Debug` writes them; and the names of its other fields.
pub struct NodeFields<'a> {
    /// The static fields.
    pub statics: &'a [(String, String)],
    /// The names of the fields that are trees, in the order of their declaration.
    pub children: &'a [String],
}

type Auxdata = Arc<dyn Fn(&NodeFields<'_>) -> Vec<u8> + Send + Sync>;

/// How a struct is written.
struct Named {
    serialized: String,
    auxdata: Auxdata,
}

static REGISTRY: RwLock<BTreeMap<String, Named>> = RwLock::new(BTreeMap::new());

/// Lets structs, or variants of enums, that are called `node` be nodes of the type `serialized_name` in artifacts, rather than
/// dicts of their fields. JAX has to know a type of this name, registered with its function of the same name; `auxdata` makes
/// the bytes that its `deserialize_auxdata` reads.
///
/// # Errors
/// One of the names is taken.
///
/// ```
/// use jarrah_array::{Array, Tree, export};
/// #[derive(Tree)]
/// struct Scaled {
///     x: Array,
///     #[tree(static)]
///     unit: String,
/// }
/// export::register_pytree_node_serialization("Scaled", "units.Scaled", |fields| {
///     fields.statics.iter().flat_map(|(name, value)| format!("{name}={value};").into_bytes()).collect()
/// })?;
/// let args = Scaled { x: Array::zeros(&[2]), unit: "m".into() };
/// let exported = export::export(&|s: &Scaled| &s.x * 2.0, &args)?;
/// assert_eq!(exported.in_tree().to_string(), "((units.Scaled(*),), {})");
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn register_pytree_node_serialization(
    node: &str,
    serialized_name: &str,
    auxdata: impl Fn(&NodeFields<'_>) -> Vec<u8> + Send + Sync + 'static,
) -> Result<()> {
    let mut registry = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
    let taken = registry.iter().find(|(known, named)| *known == node || named.serialized == serialized_name);
    if let Some((known, named)) = taken {
        let error = format!("{known} is registered already, as {}", named.serialized);
        return Err(Error::program(error).op("register_pytree_node_serialization"));
    }
    let named = Named { serialized: serialized_name.to_owned(), auxdata: Arc::new(auxdata) };
    registry.insert(node.to_owned(), named);
    Ok(())
}

/// As [`register_pytree_node_serialization`], for structs that are a `collections.namedtuple` in Python, with the same fields in
/// the same order.
///
/// # Errors
/// One of the names is taken.
///
/// ```
/// use jarrah_array::{Array, Tree, export};
/// #[derive(Tree)]
/// struct Point {
///     y: Array,
///     x: Array,
/// }
/// export::register_namedtuple_serialization("Point", "shapes.Point")?;
/// let norm = |p: &Point| (&p.x * &p.x + &p.y * &p.y).sqrt();
/// let exported = export::export(&norm, &Point { y: Array::zeros(&[]), x: Array::zeros(&[]) })?;
/// assert_eq!(exported.in_tree().to_string(), "((shapes.Point(*, *),), {})");
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn register_namedtuple_serialization(node: &str, serialized_name: &str) -> Result<()> {
    // A list of strings in JSON, spaced as Python does; the names of fields need no escapes.
    let fields = |fields: &NodeFields<'_>| {
        let names: Vec<String> = fields.children.iter().map(|name| format!("\"{name}\"")).collect();
        format!("[{}]", names.join(", ")).into_bytes()
    };
    register_pytree_node_serialization(node, serialized_name, fields)
}

/// The node of a struct with these fields, if structs of this name were registered.
pub(super) fn node(name: &str, statics: &[(String, String)], fields: &[(String, PyTree)]) -> Option<PyTree> {
    let (serialized, auxdata) = {
        let registry = REGISTRY.read().unwrap_or_else(PoisonError::into_inner);
        let named = registry.get(name)?;
        (named.serialized.clone(), named.auxdata.clone())
    };
    let children: Vec<String> = fields.iter().map(|(name, _)| name.clone()).collect();
    let data = auxdata(&NodeFields { statics, children: &children });
    Some(PyTree::Custom {
        name: serialized,
        data,
        children: fields.iter().map(|(_, tree)| tree.clone()).collect(),
    })
}
