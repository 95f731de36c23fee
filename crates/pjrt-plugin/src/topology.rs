//! Topologies: the devices that a program can be compiled for without a client.

use std::ffi::c_int;

use jarrah_pjrt::abi::*;
use jarrah_pjrt::named::Named;
use jarrah_pjrt::proto::{Writer, fields};
use jarrah_runtime::{DeviceAttribute, MemoryKind, RuntimeDevice};

use crate::call::Call;
use crate::description::{DescriptionObject, attribute, kind_id};
use crate::failure::{Failure, Outcome};
use crate::object::{self, Object, borrow, bytes, give, handle, raw_text, text};
use crate::{backend, host};

/// The devices of a client, or of one that could be.
pub struct TopologyObject {
    descriptions: Box<[DescriptionObject]>,
    handles: Vec<*mut PJRT_DeviceDescription>,
    version: String,
    attributes: Named,
    kinds: Vec<c_int>,
}

// SAFETY: the pointers are handles of the objects beside them, which never change.
unsafe impl Send for TopologyObject {}
// SAFETY: as above.
unsafe impl Sync for TopologyObject {}

impl Object for TopologyObject {
    type Handle = PJRT_TopologyDescription;
    const WHAT: &'static str = "topology";
}

impl TopologyObject {
    pub fn new(devices: &[RuntimeDevice], version: String) -> TopologyObject {
        let descriptions: Box<[_]> = devices.iter().map(DescriptionObject::new).collect();
        let kinds = devices.first().map_or(&[][..], |device| &device.memories);
        TopologyObject {
            handles: descriptions.iter().map(handle).collect(),
            kinds: kinds.iter().map(|&kind| kind_id(kind)).collect(),
            attributes: Named::new(vec![attribute("jarrah_version", env!("CARGO_PKG_VERSION"))]),
            descriptions,
            version,
        }
    }

    /// The topology of as many devices of this machine's kind.
    fn of(devices: usize) -> Outcome<TopologyObject> {
        let client = backend::client_of(devices)?;
        Ok(TopologyObject::new(client.devices(), backend::version(&*client)))
    }

    /// How many devices there are.
    pub fn len(&self) -> usize {
        self.descriptions.len()
    }

    /// The number of devices and their kind, by which topologies are told apart.
    fn write(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.bytes(1, backend::PLATFORM.as_bytes());
        out.varint(2, self.len() as u64);
        for description in &self.descriptions {
            out.bytes(3, description.device().kind.as_bytes());
        }
        out.into_bytes()
    }
}

/// The topology behind a handle.
pub fn topology(handle: *const PJRT_TopologyDescription) -> Outcome<&'static TopologyObject> {
    borrow(handle)
}

impl Call for PJRT_TopologyDescription_Create_Args {
    /// The topology is named by the number of its devices, `8` or `cpu:8`; without a name there is one device.
    fn call(&mut self) -> Outcome {
        let name = text(self.topology_name, self.topology_name_size, "name of the topology")?;
        let mut devices = match name.rsplit(':').next().unwrap_or_default() {
            "" => 1,
            count => count.parse().ok().filter(|&count| count > 0).ok_or_else(|| {
                Failure::invalid(format!(
                    "there is no topology `{name}`; one is named by its number of devices: `cpu:8`"
                ))
            })?,
        };
        for (name, value) in object::options(self.create_options, self.num_options)? {
            match (name.as_str(), value) {
                ("num_devices", DeviceAttribute::Integer(count)) if count > 0 => devices = count as usize,
                (_, value) => {
                    return Err(Failure::invalid(format!(
                        "a topology cannot have the option {name} = {value:?}"
                    )));
                }
            }
        }
        self.topology = give(TopologyObject::of(devices)?);
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_Destroy_Args {
    fn call(&mut self) -> Outcome {
        drop(object::take::<TopologyObject>(self.topology));
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_PlatformName_Args {
    fn call(&mut self) -> Outcome {
        topology(self.topology)?;
        (self.platform_name, self.platform_name_size) = raw_text(backend::PLATFORM);
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_PlatformVersion_Args {
    fn call(&mut self) -> Outcome {
        (self.platform_version, self.platform_version_size) = raw_text(&topology(self.topology)?.version);
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_GetDeviceDescriptions_Args {
    fn call(&mut self) -> Outcome {
        let handles = &topology(self.topology)?.handles;
        (self.descriptions, self.num_descriptions) = (handles.as_ptr(), handles.len());
        Ok(())
    }
}

/// Serialized bytes that C frees.
struct Serialized(Vec<u8>);

impl Object for Serialized {
    type Handle = PJRT_SerializedTopology;
    const WHAT: &'static str = "serialized topology";
}

unsafe extern "C" fn free(serialized: *mut PJRT_SerializedTopology) {
    drop(object::take::<Serialized>(serialized));
}

impl Call for PJRT_TopologyDescription_Serialize_Args {
    fn call(&mut self) -> Outcome {
        let kept = Serialized(topology(self.topology)?.write());
        (self.serialized_bytes, self.serialized_bytes_size) = (kept.0.as_ptr().cast(), kept.0.len());
        self.serialized_topology = give(kept);
        self.serialized_topology_deleter = Some(free);
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_Deserialize_Args {
    fn call(&mut self) -> Outcome {
        let message = bytes(self.serialized_topology, self.serialized_topology_size, "serialized topology")?;
        let (mut platform, mut devices) = (String::new(), 0);
        for field in fields(message) {
            match field? {
                (1, value) => platform = value.text()?,
                (2, value) => devices = value.integer()?,
                _ => {}
            }
        }
        let devices = usize::try_from(devices).ok().filter(|&devices| devices > 0);
        match devices {
            Some(devices) if platform == backend::PLATFORM => {
                self.topology = give(TopologyObject::of(devices)?)
            }
            _ => return Err(Failure::invalid("the bytes are no topology of this plugin")),
        }
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_Attributes_Args {
    fn call(&mut self) -> Outcome {
        let attributes = &topology(self.topology)?.attributes;
        (self.attributes, self.num_attributes) = (attributes.as_ptr(), attributes.len());
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_Fingerprint_Args {
    fn call(&mut self) -> Outcome {
        let hash = blake3::hash(&topology(self.topology)?.write());
        let mut first = [0; 8];
        first.copy_from_slice(&hash.as_bytes()[..8]);
        self.fingerprint = u64::from_le_bytes(first);
        Ok(())
    }
}

unsafe extern "C" fn free_shape(shape: *const std::ffi::c_char) {
    drop(object::take::<Shape>(shape.cast_mut().cast()));
}

/// A serialized shape: C gets the address of its bytes, which is that of the object.
#[repr(C)]
struct Shape {
    bytes: [u8; 512],
}

impl Object for Shape {
    type Handle = PJRT_SerializedTopology;
    const WHAT: &'static str = "shape";
}

impl Call for PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace_Args {
    /// `xla.ShapeProto` of a dense row-major tensor: every memory holds tensors like that.
    fn call(&mut self) -> Outcome {
        topology(self.topology)?;
        let ty = host::type_of(self.element_type, self.dims, self.num_dims)?;
        let dims = host::dims_of(ty);
        let mut out = Writer::default();
        out.varint(2, host::primitive(self.element_type).into());
        out.packed(3, dims.iter().copied());
        out.message(5, |out| out.packed(1, (0..dims.len() as i64).rev()));
        let written = out.into_bytes();
        let mut shape = Shape { bytes: [0; 512] };
        let place = shape.bytes.get_mut(..written.len());
        place
            .ok_or_else(|| Failure::unimplemented(format!("{ty} has too many axes")))?
            .copy_from_slice(&written);
        (self.serialized_shape, self.serialized_shape_size) =
            (give(shape).cast_const().cast(), written.len());
        self.serialized_shape_deleter = Some(free_shape);
        Ok(())
    }
}

impl Call for PJRT_TopologyDescription_GetMemorySpaceKindIds_Args {
    fn call(&mut self) -> Outcome {
        let kinds = &topology(self.topology)?.kinds;
        (self.memory_space_kind_ids, self.num_memory_space_kind_ids) = (kinds.as_ptr(), kinds.len());
        Ok(())
    }
}

/// The kind of memory of this name.
pub fn memory_kind(name: &str) -> Outcome<MemoryKind> {
    MemoryKind::from_name(name).ok_or_else(|| {
        let names = MemoryKind::ALL.map(MemoryKind::name).join(", ");
        Failure::invalid(format!("there is no kind of memory `{name}`; there are {names}"))
    })
}
