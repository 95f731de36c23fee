use std::sync::Arc;

use jarrah_base::Result;
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::files::Files;
use super::key::name;
use super::leaf::{Descriptions, OrbaxLeaf, OrbaxLeafType};
use super::metadata::{Description, Shardings, json_file, key_generators};
use super::node_type::OrbaxNode;
use super::packed::Packed;
use super::rows::Row;
use super::store::Store;
use super::wrong;

/// The files that the leaves of a tree are described in.
pub(super) struct Source {
    store: Arc<Store>,
    arrays: Descriptions,
    /// Whether the arrays were saved in a database that is not there.
    is_lost: bool,
    use_zarr3: bool,
    all_stored: bool,
    strings: Value,
    shardings: Shardings,
    generators: FxHashMap<String, String>,
}

/// The value of a row.
pub(super) enum SourceValue {
    Empty(OrbaxNode),
    Leaf(Box<OrbaxLeaf>),
}

impl Source {
    pub fn open(folder: &Files, description: &Description) -> Result<Source> {
        let store = Arc::new(Store::open(folder)?);
        Ok(Source {
            is_lost: description.use_ocdbt == Some(true) && matches!(*store, Store::Folder(_)),
            store,
            arrays: Descriptions::default(),
            use_zarr3: description.use_zarr3,
            all_stored: description.all_stored,
            strings: json_file(folder, "_strings.json")?.unwrap_or(Value::Null),
            shardings: Shardings::read(folder)?,
            generators: key_generators(folder)?,
        })
    }

    /// The leaf or the empty node of a row.
    pub fn value(&mut self, row: Row) -> Result<SourceValue> {
        let empty = |node| Ok(SourceValue::Empty(node));
        let name = name(&row.keys);
        let value_type = match &row.packed {
            Some(Packed::Empty(value_type)) => (*value_type).to_owned(),
            Some(Packed::Array(_, _, is_scalar)) => {
                if *is_scalar { "scalar" } else { "np.ndarray" }.to_owned()
            }
            Some(Packed::Text(_)) => "string".to_owned(),
            Some(Packed::Elsewhere) | None => row.value_type,
        };
        let leaf_type = match value_type.as_str() {
            "None" => return empty(OrbaxNode::None),
            "Dict" => return empty(OrbaxNode::Dict(Vec::new())),
            "List" => return empty(OrbaxNode::List(Vec::new())),
            "Tuple" => return empty(OrbaxNode::Tuple(Vec::new())),
            "NamedTuple" => return empty(OrbaxNode::Named { class: String::new(), fields: Vec::new() }),
            "jax.Array" => OrbaxLeafType::Array,
            "np.ndarray" => OrbaxLeafType::Numpy,
            "scalar" => OrbaxLeafType::Scalar,
            "string" => OrbaxLeafType::Text,
            _ => OrbaxLeafType::Other(value_type),
        };
        let (mut text, mut array, mut store) = (None, None, self.store.clone());
        match (row.packed, &leaf_type) {
            (Some(Packed::Text(value)), _) => text = Some(value),
            (Some(Packed::Array(value, bytes, _)), _) => {
                array = Some(Arc::from(value));
                store = Arc::new(Store::Value(Arc::new(bytes)));
            }
            (_, OrbaxLeafType::Text) => {
                let value = self.strings.pointer(&format!("/{name}")).and_then(Value::as_str);
                let lost = || wrong(format!("the text {name} is not in _strings.json"));
                text = Some(value.ok_or_else(lost)?.to_owned());
            }
            (_, OrbaxLeafType::Other(_)) => {}
            _ if self.is_lost => {
                return Err(wrong(format!(
                    "there is no manifest.ocdbt, although the array {name} was saved in an OCDBT database"
                )));
            }
            _ => array = Some(self.arrays.of(&store, &name, self.use_zarr3)?),
        }
        Ok(SourceValue::Leaf(Box::new(OrbaxLeaf {
            sharding: self.shardings.of(&name)?,
            generator: self.generators.get(&name).cloned(),
            all_stored: self.all_stored,
            keys: row.keys,
            name,
            leaf_type,
            text,
            array,
            store,
            write_shape: row.write_shape,
        })))
    }

    /// The array called `checkpoint` of a folder that describes no tree.
    pub fn array(folder: &Files) -> Result<OrbaxLeaf> {
        let name = "checkpoint".to_owned();
        let store = Arc::new(Store::open(folder)?);
        let is_zarr3 = store.get("checkpoint/zarr.json")?.is_some();
        Ok(OrbaxLeaf {
            keys: Vec::new(),
            leaf_type: OrbaxLeafType::Array,
            text: None,
            array: Some(Descriptions::default().of(&store, &name, is_zarr3)?),
            all_stored: false,
            write_shape: None,
            sharding: Shardings::read(folder)?.of(&name)?,
            generator: None,
            name,
            store,
        })
    }
}
