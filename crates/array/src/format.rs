//! How and where an array is stored in memory.

use jarrah_base::{Error, Location, Result};
use jarrah_runtime::{MemoryKind, Placement};

use crate::array::{Array, Repr, here};
use crate::device::Device;
use crate::eager::Node;
use crate::error::{fail, with_context};

/// How and where an array is stored in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Format {
    /// The axes from the one whose index changes slowest to the one whose index changes fastest: always in order, as arrays are
    /// dense and row-major.
    pub major_to_minor: Vec<usize>,
    /// The device.
    pub device: Device,
    /// The memory of the device that the array lies in.
    pub memory: MemoryKind,
}

/// `x`, checked to be stored with its axes in this order, from the one whose index changes slowest.
///
/// Arrays are dense and row-major on every device that there is, so the order is `0, 1, 2, ..`: this says so where code relies on
/// it, such as a handler of [`crate::ffi`], and fails where a device could not give another order.
///
/// Panics for another order.
///
/// ```
/// use jarrah_array::{Array, jit, try_trace, with_layout_constraint};
/// let x = Array::zeros(&[2, 3]);
/// assert!(jit(|x: &Array| with_layout_constraint(&(x * 2), &[0, 1])).call(x.clone()).is_ok());
/// assert!(try_trace(|| with_layout_constraint(&x, &[1, 0])).is_err());
/// ```
///
/// Source: `jax.experimental.layout.with_layout_constraint`.
#[track_caller]
pub fn with_layout_constraint(x: &Array, major_to_minor: &[usize]) -> Array {
    if !major_to_minor.iter().copied().eq(0..x.rank()) {
        let error =
            Error::program(format!("{} cannot lie with its axes in the order {major_to_minor:?}", x.ty()));
        let help = "arrays are dense and row-major: transpose the array, and constrain the result";
        fail(with_context(error.op("with_layout_constraint").at(Location::caller()).help(help)));
    }
    x.clone()
}

impl Array {
    /// How and where the array is stored. Waits until the operation that computes it has begun.
    ///
    /// # Errors
    /// The computation cannot begin. Panics while tracing under `jit` or `vmap`, where an array has no memory.
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
    /// On a CPU all kinds of memory are names of the same memory, so that programs that place arrays run there.
    ///
    /// # Errors
    /// The device has no such memory, or it is full; the computation of the array failed.
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
        let at = Location::caller();
        let error = |error: Error| error.op("to_memory").at(at);
        let moved = device.client().copy(&buffer, placement).map_err(error)?;
        Ok(Array::from_node(Node::from_buffer(moved, device, node.device().is_some(), here())))
    }
}
