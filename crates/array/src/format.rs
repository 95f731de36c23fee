//! How and where an array lies in memory.

use jarrah_base::{Error, Location, Result};
use jarrah_runtime::{MemoryKind, Placement};

use crate::array::{Array, Repr, here};
use crate::device::Device;
use crate::eager::Node;

/// How and where an array lies in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Format {
    /// The axes, the one first whose index changes slowest: all in order, as arrays are dense and row-major.
    pub major_to_minor: Vec<usize>,
    /// The device.
    pub device: Device,
    /// Which of the device's memories.
    pub memory: MemoryKind,
}

impl Array {
    /// How and where the array lies. Waits until the operation that makes it has begun.
    ///
    /// # Errors
    /// The computation cannot begin. Panics while tracing under `jit` or `vmap`, where an array lies nowhere.
    ///
    /// ```
    /// use jarrah_array::{Array, MemoryKind, default_device};
    /// let format = Array::zeros(&[2, 3]).format()?;
    /// assert_eq!((format.major_to_minor, format.device), (vec![0, 1], default_device()));
    /// assert_eq!(format.memory, MemoryKind::Device);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn format(&self) -> Result<Format> {
        let memory = self.to_buffer()?.placement().memory;
        Ok(Format { major_to_minor: (0..self.rank()).collect(), device: self.device(), memory })
    }

    /// The array in another memory of its device, where it stays: optimizer state in host memory, say, so that the device has
    /// room for more. Programs read it from there. What is computed from it lies in the device's own memory again. In a function
    /// that is traced, the array itself.
    ///
    /// On a CPU all kinds of memory are the same one under other names, so that programs which place arrays run.
    ///
    /// # Errors
    /// The device has no such memory, or it is full; what computes the array failed.
    ///
    /// ```
    /// use jarrah_array::{Array, MemoryKind};
    /// let moments = Array::zeros(&[1000]).to_memory(MemoryKind::PinnedHost)?;
    /// assert_eq!(moments.format()?.memory, MemoryKind::PinnedHost);
    /// assert_eq!((moments + 1.0).format()?.memory, MemoryKind::Device);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_memory(&self, memory: MemoryKind) -> Result<Array> {
        let Repr::Node(node) = &self.repr else { return Ok(self.clone()) };
        let device = node.location();
        let buffer = self.to_buffer()?;
        if buffer.placement().memory == memory {
            return Ok(self.clone());
        }
        let placement = Placement { device: device.id(), memory };
        let error = |error: Error| error.op("to_memory").at(Location::caller());
        let moved = device.client().copy(&buffer, placement).map_err(error)?;
        Ok(Array::from_node(Node::from_buffer(moved, device, node.device().is_some(), here())))
    }
}
