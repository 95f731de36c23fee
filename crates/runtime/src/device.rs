//! Devices, on which programs run, and memories, in which tensors lie.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The number of a device among those of its client, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
pub struct DeviceId(pub u32);

impl DeviceId {
    /// The position in [`Client::devices`](crate::Client::devices).
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A device of a client. Clones are the same device.
#[derive(Clone, Debug)]
pub struct RuntimeDevice(Arc<DeviceInfo>);

/// The properties of a [`RuntimeDevice`].
#[derive(Clone, Debug)]
pub struct DeviceInfo {
    /// The device's number.
    pub id: DeviceId,
    /// The process that drives it; 0 where there is one process.
    pub process: usize,
    /// The model of the hardware, such as `cpu` or `NVIDIA H200`.
    pub kind: String,
    /// The kinds of memory it reaches, the default one first.
    pub memories: Vec<MemoryKind>,
    /// Further properties, by name.
    pub attributes: Vec<(String, DeviceAttribute)>,
}

/// A property of a device.
#[derive(Clone, PartialEq, Debug)]
pub enum DeviceAttribute {
    /// A text.
    Text(String),
    /// A number.
    Integer(i64),
    /// Numbers, such as coordinates.
    Integers(Vec<i64>),
    /// A fraction.
    Float(f64),
    /// Yes or no.
    Bool(bool),
}

impl RuntimeDevice {
    /// The device with these properties.
    pub fn new(info: DeviceInfo) -> RuntimeDevice {
        RuntimeDevice(Arc::new(info))
    }
}

impl std::ops::Deref for RuntimeDevice {
    type Target = DeviceInfo;

    fn deref(&self) -> &DeviceInfo {
        &self.0
    }
}

/// A kind of memory, as JAX names them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum MemoryKind {
    /// The memory that programs work in.
    #[default]
    Device,
    /// Host memory that the device reads and writes directly.
    PinnedHost,
    /// Any other host memory.
    UnpinnedHost,
}

impl MemoryKind {
    /// All kinds.
    pub const ALL: [MemoryKind; 3] = [MemoryKind::Device, MemoryKind::PinnedHost, MemoryKind::UnpinnedHost];

    /// The name: `device`, `pinned_host` or `unpinned_host`.
    pub fn name(self) -> &'static str {
        match self {
            MemoryKind::Device => "device",
            MemoryKind::PinnedHost => "pinned_host",
            MemoryKind::UnpinnedHost => "unpinned_host",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<MemoryKind> {
        MemoryKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for MemoryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a tensor lies. Tensors are dense and row-major everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Placement {
    /// The device.
    pub device: DeviceId,
    /// Which of its memories.
    pub memory: MemoryKind,
}

impl From<DeviceId> for Placement {
    fn from(device: DeviceId) -> Self {
        Placement { device, memory: MemoryKind::Device }
    }
}

/// The use of a device's memory, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MemoryStats {
    /// Held by buffers and by running programs.
    pub in_use: usize,
    /// The most that was ever held at once.
    pub peak: usize,
    /// Free, and kept for reuse.
    pub pool: usize,
    /// All that there is; `None` where the system does not say.
    pub limit: Option<usize>,
    /// The largest single allocation so far.
    pub largest: usize,
    /// How often memory was taken.
    pub allocations: u64,
}
