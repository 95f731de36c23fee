//! Meshes: devices at the points of a grid with named axes.

use jarrah_base::{Error, Location, Result};
use serde::{Deserialize, Serialize};

/// An axis of a [`Mesh`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct MeshAxis {
    /// Its name.
    pub name: Box<str>,
    /// The number of devices along it.
    pub size: usize,
    /// How arrays are cut along it.
    pub kind: MeshAxisKind,
}

/// How arrays are cut along an axis of a mesh, as `jax.sharding.AxisType` has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum MeshAxisKind {
    /// The partitioner decides.
    #[default]
    Auto,
    /// The type of each array says it.
    Explicit,
    /// The program is that of one device, which sees its own part.
    Manual,
}

/// Devices at the points of a grid with named axes.
///
/// ```
/// use jarrah_hlo::sharding::Mesh;
///
/// let mesh = Mesh::new(&[("data", 2), ("model", 4)])?;
/// assert_eq!(mesh.device(&[1, 2]), Some(6));
/// assert_eq!(mesh.point(6), Some(vec![1, 2]));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `jax.sharding.Mesh`, and `sdy.mesh` of Shardy.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Mesh {
    axes: Vec<MeshAxis>,
    /// The device at each point, row by row; empty if devices are numbered row by row.
    devices: Vec<usize>,
}

impl Mesh {
    /// The most devices of a mesh.
    pub const MOST: usize = 1 << 20;

    /// A mesh whose devices are numbered row by row: the last axis varies fastest.
    ///
    /// # Errors
    /// Two axes have one name; an axis has no devices; there are more than [`Mesh::MOST`]. The error is at the caller's line.
    #[track_caller]
    pub fn new(axes: &[(&str, usize)]) -> Result<Mesh> {
        let axis =
            |&(name, size): &(&str, usize)| MeshAxis { name: name.into(), size, kind: MeshAxisKind::Auto };
        let at = Location::caller();
        Mesh::of_axes(axes.iter().map(axis).collect(), Vec::new()).map_err(|error| error.op("Mesh").at(at))
    }

    /// A mesh of these axes, with these devices at its points, row by row, or none if they are numbered in this order.
    ///
    /// # Errors
    /// As [`Mesh::new`]; the devices are not as many as the points; one stands at two points.
    pub fn of_axes(axes: Vec<MeshAxis>, devices: Vec<usize>) -> Result<Mesh> {
        for (at, axis) in axes.iter().enumerate() {
            if axes[..at].iter().any(|other| other.name == axis.name) {
                return Err(Error::program(format!("two axes of a mesh are named \"{}\"", axis.name)));
            }
            if axis.size == 0 {
                return Err(Error::program(format!("the axis \"{}\" of a mesh has no devices", axis.name)));
            }
        }
        let points = axes.iter().try_fold(1usize, |n, axis| n.checked_mul(axis.size));
        let Some(points) = points.filter(|&points| points <= Mesh::MOST) else {
            return Err(Error::program(format!("a mesh has more than {} devices", Mesh::MOST)));
        };
        if !devices.is_empty() && devices.len() != points {
            return Err(Error::program(format!("a mesh of {points} points has {} devices", devices.len())));
        }
        let mut sorted = devices.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::program(format!("device {} stands at two points of a mesh", twice[0])));
        }
        let numbered = devices.iter().copied().eq(0..points) && !axes.is_empty();
        Ok(Mesh { axes, devices: if numbered { Vec::new() } else { devices } })
    }

    /// The axes, the slowest first.
    pub fn axes(&self) -> &[MeshAxis] {
        &self.axes
    }

    /// The axis of this name.
    pub fn axis(&self, name: &str) -> Option<&MeshAxis> {
        self.axes.iter().find(|axis| *axis.name == *name)
    }

    /// The devices in the order of the points, where they are not numbered row by row.
    pub fn listed_devices(&self) -> &[usize] {
        &self.devices
    }

    /// The number of devices.
    pub fn len(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// Whether there are no devices: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The devices in the order of the points.
    pub fn devices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|row| self.devices.get(row).copied().unwrap_or(row))
    }

    /// The device at a point, which has a coordinate for each axis.
    pub fn device(&self, point: &[usize]) -> Option<usize> {
        if point.len() != self.axes.len() || self.axes.iter().zip(point).any(|(axis, &at)| at >= axis.size) {
            return None;
        }
        let row = self.axes.iter().zip(point).fold(0, |n, (axis, at)| n * axis.size + at);
        Some(self.devices.get(row).copied().unwrap_or(row))
    }

    /// The point of a device.
    pub fn point(&self, device: usize) -> Option<Vec<usize>> {
        let row = match self.devices.is_empty() {
            true => device,
            false => self.devices.iter().position(|&other| other == device)?,
        };
        (row < self.len()).then(|| self.point_of_row(row))
    }

    /// The coordinates of the point in this row of the list of points.
    pub(super) fn point_of_row(&self, mut row: usize) -> Vec<usize> {
        let mut point = vec![0; self.axes.len()];
        for (at, axis) in point.iter_mut().zip(&self.axes).rev() {
            *at = row % axis.size;
            row /= axis.size;
        }
        point
    }
}
