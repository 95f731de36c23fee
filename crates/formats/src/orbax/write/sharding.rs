use jarrah_base::Result;
use serde_json::{Value, json};

use super::refused;

/// The devices that an array is restored on.
///
/// ```
/// use jarrah_formats::OrbaxSharding;
/// // A mesh of four by two devices; the first axis of the array is cut along both.
/// let sharding = OrbaxSharding::named([("x", 4), ("y", 2)], [vec!["x", "y"], vec![]]);
/// assert!(matches!(sharding, OrbaxSharding::Named { .. }));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrbaxSharding {
    /// JAX's `NamedSharding`.
    Named {
        /// The axes of the mesh, with their extents.
        mesh: Vec<(String, usize)>,
        /// JAX's numbers of the devices in the mesh, its last axis first. Without them it is all devices in their order.
        devices: Option<Vec<usize>>,
        /// For each axis of the array, the axes of the mesh that it is cut along; axes at the end may be left out.
        spec: Vec<Vec<String>>,
    },
    /// One device by JAX's name of it: `cpu:0`.
    Device(String),
}

impl OrbaxSharding {
    /// A sharding over a mesh of all devices in their order.
    pub fn named<'a>(
        mesh: impl IntoIterator<Item = (&'a str, usize)>,
        spec: impl IntoIterator<Item = Vec<&'a str>>,
    ) -> OrbaxSharding {
        OrbaxSharding::Named {
            mesh: mesh.into_iter().map(|(name, extent)| (name.to_owned(), extent)).collect(),
            devices: None,
            spec: spec.into_iter().map(|axes| axes.into_iter().map(str::to_owned).collect()).collect(),
        }
    }

    /// The extents of a shard of an array.
    pub(super) fn shard(&self, dims: &[usize]) -> Result<Vec<usize>> {
        let OrbaxSharding::Named { mesh, devices, spec } = self else { return Ok(dims.to_vec()) };
        let count = mesh.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.1));
        let count = count
            .filter(|count| *count > 0)
            .ok_or_else(|| refused(format!("a mesh has the axes {mesh:?}")))?;
        if devices.as_ref().is_some_and(|devices| devices.len() != count) {
            return Err(refused(format!("a mesh with the axes {mesh:?} has not as many devices as it says")));
        }
        if spec.len() > dims.len() {
            return Err(refused(format!("a sharding has {} axes, its array has {}", spec.len(), dims.len())));
        }
        let (mut shard, mut used) = (dims.to_vec(), Vec::new());
        for (extent, axes) in shard.iter_mut().zip(spec) {
            for axis in axes {
                let size = mesh.iter().find(|row| row.0 == *axis).map(|row| row.1);
                let size = size.ok_or_else(|| {
                    refused(format!("a sharding names {axis:?}, which is no axis of its mesh"))
                })?;
                if used.contains(&axis) {
                    return Err(refused(format!("a sharding cuts two axes of an array along {axis:?}")));
                }
                used.push(axis);
                if *extent % size != 0 {
                    return Err(refused(format!(
                        "an axis of {extent} elements is cut along {axis:?}, which has {size} devices"
                    )));
                }
                *extent /= size;
            }
        }
        Ok(shard)
    }

    /// The text that Orbax has for it.
    pub(super) fn text(&self) -> String {
        match self {
            OrbaxSharding::Device(name) => {
                json!({ "sharding_type": "SingleDeviceSharding", "device_str": name })
            }
            OrbaxSharding::Named { mesh, devices, spec } => {
                let extents: Vec<usize> = mesh.iter().map(|axis| axis.1).collect();
                let spec: Vec<Value> = spec
                    .iter()
                    .map(|axes| match axes.as_slice() {
                        [] => Value::Null,
                        [axis] => json!(axis),
                        axes => json!(axes),
                    })
                    .collect();
                let mut value = json!({
                    "sharding_type": "NamedSharding",
                    "shape": extents,
                    "axis_names": mesh.iter().map(|axis| &axis.0).collect::<Vec<_>>(),
                    "axis_types": vec!["AxisType.Auto"; mesh.len()],
                    "partition_spec": spec,
                });
                if let Some(devices) = devices {
                    value["device_mesh"] = json!({ "mesh": nested(&extents, devices) });
                }
                value
            }
        }
        .to_string()
    }
}

/// The devices as nested lists of these extents.
fn nested(extents: &[usize], devices: &[usize]) -> Value {
    match extents.split_first() {
        None => devices.first().map_or(Value::Null, |id| json!({ "id": id })),
        Some((extent, rest)) => {
            let each = devices.len() / (*extent).max(1);
            devices.chunks(each.max(1)).map(|part| nested(rest, part)).collect()
        }
    }
}
