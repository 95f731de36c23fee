//! The descriptions of a tree beside its arrays.

use serde_json::{Map, Value, json};

use super::names::{put_text, python_tuple};
use super::options::OrbaxWriteOptions;
use super::plan::{OrbaxPlan, PlanArray, PlanRow, PlanValue};
use crate::orbax::key::{OrbaxKey, name};
use crate::orbax::leaf::OrbaxLeafType;
use crate::orbax::metadata::base64;
use crate::orbax::{zarr2, zarr3};

/// The file that describes an array, below its name.
pub(super) fn array_file(options: &OrbaxWriteOptions) -> &'static str {
    if options.use_zarr3 { zarr3::FILE } else { zarr2::FILE }
}

/// The description of an array.
pub(super) fn array(array: &PlanArray, options: &OrbaxWriteOptions) -> String {
    let print = if options.use_zarr3 { zarr3::print } else { zarr2::print };
    print(&array.zarr).to_string()
}

/// The content of `_METADATA`. Its rows are printed one by one, so that no more than one is held as JSON.
pub(super) fn tree(plan: &OrbaxPlan) -> String {
    let mut text = String::from("{\"tree_metadata\":{");
    for (number, row) in plan.rows.iter().enumerate() {
        let key = |key: &OrbaxKey| match key {
            OrbaxKey::Index(index) => json!({ "key": index.to_string(), "key_type": 1 }),
            OrbaxKey::Name(name) => json!({ "key": name, "key_type": 2 }),
        };
        let keys: Vec<Value> = row.keys.iter().map(key).collect();
        let value = json!({ "key_metadata": keys, "value_metadata": plan.value_metadata(row) });
        let comma = if number == 0 { "" } else { "," };
        text.push_str(&format!("{comma}{}:{value}", Value::String(python_tuple(&row.keys))));
    }
    let options = &plan.options;
    let fields = [
        ("use_ocdbt", json!(options.use_ocdbt)),
        ("use_zarr3", json!(options.use_zarr3)),
        ("store_array_data_equal_to_fill_value", json!(options.store_zeros)),
        ("custom_metadata", options.custom_metadata.clone()),
    ];
    let nodes = plan.nodes.as_ref().map(|nodes| ("value_metadata_tree", Value::String(nodes.to_string())));
    text.push('}');
    fields.into_iter().chain(nodes).for_each(|(name, value)| text.push_str(&format!(",\"{name}\":{value}")));
    text.push('}');
    text
}

impl OrbaxPlan {
    /// The value of a row in `_METADATA`.
    pub(super) fn value_metadata(&self, row: &PlanRow) -> Value {
        let is_empty = matches!(row.value, PlanValue::Empty(_));
        let value_type = match &row.value {
            PlanValue::Empty(value_type) => value_type,
            PlanValue::Text(_) => "string",
            PlanValue::Array(number) => match self.arrays[*number].spec.leaf_type {
                OrbaxLeafType::Numpy => "np.ndarray",
                OrbaxLeafType::Scalar => "scalar",
                OrbaxLeafType::Array | OrbaxLeafType::Text | OrbaxLeafType::Other(_) => "jax.Array",
            },
        };
        let mut value = json!({ "value_type": value_type, "skip_deserialize": is_empty });
        if let (PlanValue::Array(number), "jax.Array") = (&row.value, value_type) {
            value["write_shape"] = json!(self.arrays[*number].shard);
        }
        value
    }

    fn jax_arrays(&self) -> impl Iterator<Item = &PlanArray> {
        self.arrays.iter().filter(|array| array.spec.leaf_type == OrbaxLeafType::Array)
    }
}

/// The content of `array_metadatas/process_N`, which all processes write alike; none where there is no `jax.Array`.
pub(super) fn array_metadatas(plan: &OrbaxPlan) -> Option<Value> {
    let rows: Vec<Value> = plan
        .jax_arrays()
        .map(|array| {
            let generator = array.spec.generator.as_ref().map(|name| json!({ "random_key_impl": name }));
            json!({ "array_metadata": {
                "param_name": array.name,
                "write_shape": array.shard,
                "chunk_shape": array.zarr.chunk,
                "ext_metadata": generator,
            } })
        })
        .collect();
    (!rows.is_empty()).then(|| json!({ "array_metadatas": rows }))
}

/// The content of `_sharding`; none where no array has a sharding.
pub(super) fn shardings(plan: &OrbaxPlan) -> Option<Value> {
    let row = |array: &PlanArray| {
        let sharding = array.spec.sharding.as_ref()?;
        Some((base64(array.name.as_bytes()), Value::String(sharding.text())))
    };
    let rows: Map<String, Value> = plan.jax_arrays().filter_map(row).collect();
    (!rows.is_empty()).then_some(Value::Object(rows))
}

/// The content of `_strings.json`; none where there is no text.
pub(super) fn strings(plan: &OrbaxPlan) -> jarrah_base::Result<Option<Value>> {
    let mut strings = Map::new();
    for row in &plan.rows {
        if let PlanValue::Text(text) = &row.value {
            put_text(&mut strings, &name(&row.keys), text)?;
        }
    }
    Ok((!strings.is_empty()).then_some(Value::Object(strings)))
}
