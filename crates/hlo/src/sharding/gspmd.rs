//! Shardings as XLA has them in text: tiles over a list of devices.

use std::fmt;
use std::ops::Range;

use jarrah_base::{Error, Result, quoted};

use super::mesh::{Mesh, MeshAxis, MeshAxisKind};
use super::shardy::{AxisPart, DimSharding, MeshRef, TensorSharding, Unreduced};
use super::text::Text;

/// How a tensor is cut over devices, without names of axes.
///
/// ```
/// use jarrah_hlo::sharding::TileSharding;
///
/// let tiles: TileSharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}".parse()?;
/// // Devices 2 and 3 have the second half of the rows.
/// assert_eq!(tiles.slices(4, &[6, 8])?[2], [3..6, 0..8]);
/// assert_eq!("{replicated}".parse::<TileSharding>()?, TileSharding::Replicated);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `HloSharding` of XLA, as it prints itself.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TileSharding {
    /// Each device has the whole tensor.
    Replicated,
    /// The program is that of one device.
    Manual,
    /// Nobody has said.
    Unknown,
    /// One device has the whole tensor.
    Maximal(usize),
    /// Each device has a tile.
    Tiled(Tiles),
    /// The shardings of the elements of a tuple.
    Tuple(Vec<TileSharding>),
}

/// Tiles, and the devices that have them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tiles {
    /// The number of tiles along each dimension, and behind them the extents of the groups of devices that have one tile.
    pub dims: Vec<usize>,
    /// The device of each tile, row by row.
    pub devices: Vec<usize>,
    /// The devices of a tile, for each extent of `dims` behind the dimensions of the tensor: what they share.
    pub groups: Vec<TileGroup>,
}

/// The work of the devices of a group on their tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TileGroup {
    /// Each has it.
    Replicated,
    /// Each has a value of its own, of which the program speaks.
    Manual,
    /// Each has a part of a sum.
    Unreduced,
}

impl Tiles {
    /// The number of the tensor's dimensions.
    pub fn rank(&self) -> usize {
        self.dims.len().saturating_sub(self.groups.len())
    }
}

impl TileSharding {
    /// Whether each device has the whole tensor, or a program of its own.
    pub fn is_replicated(&self) -> bool {
        match self {
            TileSharding::Replicated | TileSharding::Manual | TileSharding::Unknown => true,
            TileSharding::Maximal(_) => false,
            TileSharding::Tiled(tiles) => {
                tiles.dims[..tiles.rank()].iter().all(|&n| n == 1)
                    && !tiles.groups.contains(&TileGroup::Unreduced)
            }
            TileSharding::Tuple(all) => all.iter().all(TileSharding::is_replicated),
        }
    }

    /// The part of a tensor of extents `dims` that each of `devices` devices has, by its number.
    ///
    /// # Errors
    /// It speaks of another number of devices or dimensions; a dimension cannot be cut evenly; one device alone has the tensor; it is that
    /// of a tuple.
    pub fn slices(&self, devices: usize, dims: &[usize]) -> Result<Vec<Vec<Range<usize>>>> {
        let whole = || dims.iter().map(|&extent| 0..extent).collect::<Vec<_>>();
        let tiles = match self {
            TileSharding::Replicated | TileSharding::Manual | TileSharding::Unknown => {
                return Ok(vec![whole(); devices]);
            }
            TileSharding::Maximal(device) => {
                return Err(Error::program(format!("device {device} alone has the tensor")));
            }
            TileSharding::Tuple(_) => return Err(Error::program("the sharding is that of a tuple")),
            TileSharding::Tiled(tiles) => tiles,
        };
        let tiled = tiles.dims.iter().try_fold(1usize, |n, &parts| n.checked_mul(parts));
        let fits = tiled == Some(devices) && tiles.devices.len() == devices;
        if !fits || tiles.groups.len() + dims.len() != tiles.dims.len() {
            return Err(Error::program(format!(
                "{self} is no sharding of {} dimensions over {devices} devices",
                dims.len()
            )));
        }
        let mut all = vec![Vec::new(); devices];
        for (at, &device) in tiles.devices.iter().enumerate() {
            let mut rest = at;
            let mut slices = vec![0..0; tiles.dims.len()];
            for (dim, &parts) in tiles.dims.iter().enumerate().rev() {
                let tile = rest % parts;
                rest /= parts;
                let Some(&extent) = dims.get(dim) else { continue };
                if !extent.is_multiple_of(parts) {
                    let error = format!("dimension {dim} of {extent} cannot be cut into {parts} equal parts");
                    return Err(Error::program(error));
                }
                slices[dim] = tile * (extent / parts)..(tile + 1) * (extent / parts);
            }
            slices.truncate(dims.len());
            let listed = all.get_mut(device);
            *listed
                .ok_or_else(|| Error::program(format!("there is no device {device} among {devices}")))? =
                slices;
        }
        Ok(all)
    }

    /// The sharding of a tensor of this rank by the axes of a mesh, which are named `_0`, `_1`, ...
    ///
    /// # Errors
    /// It is of another rank, or no cut of one tensor: one device alone has it, or it is a tuple.
    pub fn axes(&self, rank: usize) -> Result<TensorSharding> {
        let tiles = match self {
            TileSharding::Replicated | TileSharding::Manual | TileSharding::Unknown => {
                return Ok(TensorSharding::replicated(MeshRef::Inline(Mesh::new(&[])?), rank));
            }
            TileSharding::Tiled(tiles) if tiles.rank() == rank => tiles,
            _ => return Err(Error::program(format!("{self} does not cut a tensor of rank {rank}"))),
        };
        let name = |at: usize| format!("_{at}").into_boxed_str();
        let axis = |(at, &size): (usize, &usize)| MeshAxis { name: name(at), size, kind: MeshAxisKind::Auto };
        let axes = tiles.dims.iter().enumerate().map(axis).collect();
        let mesh = Mesh::of_axes(axes, tiles.devices.clone())?;
        let mut sharding = TensorSharding::replicated(MeshRef::Inline(mesh), rank);
        for (at, dim) in sharding.dims.iter_mut().enumerate().filter(|(at, _)| tiles.dims[*at] > 1) {
            *dim = DimSharding::along([&*name(at)]);
        }
        for (at, _) in tiles.groups.iter().enumerate().filter(|(_, group)| **group == TileGroup::Unreduced) {
            sharding.unreduced.push(AxisPart { name: name(rank + at), part: None });
        }
        Ok(sharding)
    }

    /// The tiles of a sharding by axes: devices along axes that cut no dimension have one tile.
    ///
    /// # Errors
    /// As [`TensorSharding::check`]; it cuts along a part of an axis, or leaves parts that are no sum.
    pub fn of(sharding: &TensorSharding, mesh: &Mesh) -> Result<TileSharding> {
        sharding.check(mesh, sharding.dims.len())?;
        let cut = || sharding.dims.iter().flat_map(|dim| &dim.axes);
        if let Some(part) = cut().chain(&sharding.unreduced).find(|axis| axis.part.is_some()) {
            return Err(Error::program(format!("{part} is a part of an axis, of which tiles know nothing")));
        }
        if !sharding.unreduced.is_empty() && sharding.reducer != Unreduced::Sum {
            return Err(Error::program("parts of a value that is no sum are nothing that tiles can say"));
        }
        if sharding.is_replicated() {
            return Ok(TileSharding::Replicated);
        }
        if let Some(device) = mesh.devices().find(|&device| device >= mesh.len()) {
            let count = mesh.len();
            return Err(Error::program(format!(
                "device {device} of a mesh of {count} has no number that tiles can list"
            )));
        }
        let position = |name: &str| mesh.axes().iter().position(|axis| *axis.name == *name);
        let mut order: Vec<usize> = cut().filter_map(|axis| position(&axis.name)).collect();
        let mut parts: Vec<usize> =
            sharding.unreduced.iter().filter_map(|axis| position(&axis.name)).collect();
        parts.sort_unstable();
        let rest: Vec<usize> =
            (0..mesh.axes().len()).filter(|at| !order.contains(at) && !parts.contains(at)).collect();
        let sizes = |axes: &[usize]| axes.iter().map(|&at| mesh.axes()[at].size).collect::<Vec<_>>();
        let mut dims = sharding.parts(mesh)?;
        let mut groups = Vec::new();
        for (axes, group) in [(rest, TileGroup::Replicated), (parts, TileGroup::Unreduced)] {
            let shared: usize = sizes(&axes).iter().product();
            if shared > 1 {
                dims.push(shared);
                groups.push(group);
            }
            order.extend(axes);
        }
        let extents = sizes(&order);
        let devices = (0..mesh.len()).map(|mut row| {
            let mut point = vec![0; order.len()];
            for (&axis, &size) in order.iter().zip(&extents).rev() {
                point[axis] = row % size;
                row /= size;
            }
            mesh.device(&point).unwrap_or(0)
        });
        Ok(TileSharding::Tiled(Tiles { dims, devices: devices.collect(), groups }))
    }
}

fn listed(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

/// As XLA prints it, with its devices one by one where they are not in order.
impl fmt::Display for TileSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TileSharding::Replicated => f.write_str("{replicated}"),
            TileSharding::Manual => f.write_str("{manual}"),
            TileSharding::Unknown => f.write_str("{unknown}"),
            TileSharding::Maximal(device) => write!(f, "{{maximal device={device}}}"),
            TileSharding::Tuple(all) => {
                let all: Vec<String> = all.iter().map(TileSharding::to_string).collect();
                write!(f, "{{{}}}", all.join(", "))
            }
            TileSharding::Tiled(Tiles { dims, devices, groups }) => {
                write!(f, "{{devices=[{}]", listed(dims))?;
                match devices.iter().copied().eq(0..devices.len()) {
                    true => write!(f, "<=[{}]", devices.len())?,
                    false => f.write_str(&listed(devices))?,
                }
                let name = |group: &TileGroup| match group {
                    TileGroup::Replicated => "replicated",
                    TileGroup::Manual => "manual",
                    TileGroup::Unreduced => "unreduced",
                };
                match &groups[..] {
                    [] => {}
                    [TileGroup::Replicated] => f.write_str(" last_tile_dim_replicate")?,
                    groups => {
                        let groups: Vec<&str> = groups.iter().map(name).collect();
                        write!(f, " last_tile_dims={{{}}}", groups.join(", "))?;
                    }
                }
                f.write_str("}")
            }
        }
    }
}

impl std::str::FromStr for TileSharding {
    type Err = Error;

    fn from_str(text: &str) -> Result<TileSharding> {
        let mut at = Text(text);
        let parsed = sharding(&mut at, 0).filter(|_| at.is_at_end());
        parsed.ok_or_else(|| Error::input(format!("{} is no sharding of XLA", quoted(text))))
    }
}

fn sharding(at: &mut Text<'_>, depth: usize) -> Option<TileSharding> {
    at.eat("{").then_some(())?;
    if at.0.trim_start().starts_with('{') {
        (depth == 0).then_some(())?;
        let mut all = vec![sharding(at, 1)?];
        while at.eat(",") {
            all.push(sharding(at, 1)?);
        }
        return at.eat("}").then_some(TileSharding::Tuple(all));
    }
    if at.eat("}") {
        return Some(TileSharding::Tuple(Vec::new()));
    }
    let parsed = match at.word() {
        "replicated" => TileSharding::Replicated,
        "manual" => TileSharding::Manual,
        "unknown" => TileSharding::Unknown,
        "maximal" => {
            at.eat("device=").then_some(())?;
            TileSharding::Maximal(at.number()?)
        }
        "devices" => TileSharding::Tiled(tiles(at)?),
        _ => return None,
    };
    // Names of ops, and wishes of shardings that are alike, mean nothing here.
    loop {
        if at.eat("}") {
            return Some(parsed);
        }
        match at.word() {
            "metadata" => {
                at.eat("=").then_some(())?;
                skip(at)?;
            }
            "shard_as" | "shard_like" => {
                at.number()?;
            }
            _ => return None,
        }
    }
}

/// Passes a group in braces.
fn skip(at: &mut Text<'_>) -> Option<()> {
    at.eat("{").then_some(())?;
    let mut depth = 1usize;
    let end = at.0.find(|c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        depth == 0
    })?;
    at.0 = &at.0[end + 1..];
    Some(())
}

/// `=[2,1,2]<=[4]`, `=[2,2]<=[2,2]T(1,0)`, `=[2,2]0,2,1,3`, and what the last extents are.
fn tiles(at: &mut Text<'_>) -> Option<Tiles> {
    at.eat("=").then_some(())?;
    let dims = at.list('[', ']', Text::number)?;
    let count =
        dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).filter(|n| (1..=Mesh::MOST).contains(n))?;
    let devices = match at.eat("<=") {
        true => {
            let extents = at.list('[', ']', Text::number)?;
            let order = match at.eat("T") {
                true => at.list('(', ')', Text::number)?,
                false => (0..extents.len()).collect(),
            };
            transposed(&extents, &order)?
        }
        false => {
            let mut devices = vec![at.number()?];
            while at.eat(",") {
                devices.push(at.number()?);
            }
            devices
        }
    };
    let mut sorted = devices.clone();
    sorted.sort_unstable();
    (devices.len() == count && sorted.into_iter().eq(0..count)).then_some(())?;
    let mut groups = Vec::new();
    if at.eat("last_tile_dim_replicate") {
        groups.push(TileGroup::Replicated);
    } else if at.eat("last_tile_dims=") {
        groups = at.list('{', '}', |at| match at.word() {
            "replicated" => Some(TileGroup::Replicated),
            "manual" => Some(TileGroup::Manual),
            "unreduced" => Some(TileGroup::Unreduced),
            _ => None,
        })?;
    }
    (groups.len() <= dims.len()).then_some(Tiles { dims, devices, groups })
}

/// The numbers of an array of these extents, row by row, read with its axes in this order.
fn transposed(extents: &[usize], order: &[usize]) -> Option<Vec<usize>> {
    let count =
        extents.iter().try_fold(1usize, |n, &d| n.checked_mul(d)).filter(|n| (1..=Mesh::MOST).contains(n))?;
    let mut seen = order.to_vec();
    seen.sort_unstable();
    seen.into_iter().eq(0..extents.len()).then_some(())?;
    let mut strides = vec![1; extents.len()];
    for axis in (1..extents.len()).rev() {
        strides[axis - 1] = strides[axis] * extents[axis];
    }
    let number = |mut row: usize| {
        let mut number = 0;
        for &axis in order.iter().rev() {
            number += row % extents[axis] * strides[axis];
            row /= extents[axis];
        }
        number
    };
    Some((0..count).map(number).collect())
}
