//! Shardings as Shardy has them: which axes of a mesh cut which dimension of a tensor.

use std::fmt;
use std::ops::Range;

use jarrah_base::{Error, Result, quoted};
use serde::{Deserialize, Serialize};

use super::mesh::{Mesh, MeshAxis, MeshAxisKind};
use super::text::Text;

/// An axis of a mesh, or a part of one: the axis of size `n` seen as a grid of `before`, `size` and the rest, of which the middle
/// one is meant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct AxisPart {
    /// The name of the axis.
    pub name: Box<str>,
    /// The part, if it is not the whole axis: the product of the parts before it, and its own size.
    pub part: Option<[usize; 2]>,
}

/// How one dimension is cut.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct DimSharding {
    /// The axes that cut it, the slowest first.
    pub axes: Vec<AxisPart>,
    /// Whether the partitioner may add axes.
    pub is_open: bool,
    /// How early the partitioner regards this: 0 first. None is 0.
    pub priority: Option<usize>,
}

/// How partial values on several devices make the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Unreduced {
    /// By their sum.
    #[default]
    Sum,
    /// By their maximum.
    Max,
    /// By their minimum.
    Min,
}

/// The mesh of a sharding.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MeshRef {
    /// A mesh that the module names.
    Named(Box<str>),
    /// This mesh.
    Inline(Mesh),
}

/// How a tensor is cut over a mesh.
///
/// ```
/// use jarrah_hlo::sharding::{Mesh, TensorSharding};
///
/// let sharding: TensorSharding = r#"#sdy.sharding<@mesh, [{"data"}, {"model", ?}]>"#.parse()?;
/// assert_eq!(sharding.to_string(), r#"#sdy.sharding<@mesh, [{"data"}, {"model", ?}]>"#);
/// let mesh = Mesh::new(&[("data", 2), ("model", 4)])?;
/// assert_eq!(sharding.shard_dims(&mesh, &[6, 8])?, [3, 2]);
/// assert_eq!(sharding.slices(&mesh, &[6, 8])?[5], [3..6, 2..4]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: the attribute `sdy.sharding` of Shardy.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TensorSharding {
    /// The mesh.
    pub mesh: MeshRef,
    /// How each dimension is cut.
    pub dims: Vec<DimSharding>,
    /// Axes that no dimension may be cut along.
    pub replicated: Vec<AxisPart>,
    /// Axes along which each device has a part of the value.
    pub unreduced: Vec<AxisPart>,
    /// How these parts make the value.
    pub reducer: Unreduced,
}

impl DimSharding {
    /// Cut along these whole axes, the slowest first, and no others.
    pub fn along<'a>(axes: impl IntoIterator<Item = &'a str>) -> DimSharding {
        let axes = axes.into_iter().map(|name| AxisPart { name: name.into(), part: None });
        DimSharding { axes: axes.collect(), is_open: false, priority: None }
    }
}

impl AxisPart {
    /// The devices along it.
    ///
    /// # Errors
    /// The mesh has no such axis; the part does not divide it.
    fn size(&self, mesh: &Mesh) -> Result<usize> {
        let axis = self.axis(mesh)?;
        match self.part {
            None => Ok(axis.size),
            Some([before, size]) => {
                let whole = before.checked_mul(size).filter(|&n| n > 0 && axis.size.is_multiple_of(n));
                whole.map(|_| size).ok_or_else(|| {
                    Error::program(format!(
                        "({before}){size} is no part of the axis \"{}\" of size {}",
                        self.name, axis.size
                    ))
                })
            }
        }
    }

    fn axis<'m>(&self, mesh: &'m Mesh) -> Result<&'m MeshAxis> {
        mesh.axis(&self.name).ok_or_else(|| {
            let known: Vec<String> = mesh.axes().iter().map(|axis| format!("\"{}\"", axis.name)).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Error::program(format!("the mesh has no axis \"{}\", its axes are {known}", self.name))
        })
    }

    /// The coordinate along it of a device at this point.
    fn coordinate(&self, mesh: &Mesh, point: &[usize]) -> usize {
        let Some(at) = mesh.axes().iter().position(|axis| axis.name == self.name) else { return 0 };
        match self.part {
            None => point[at],
            Some([before, size]) => point[at] / (mesh.axes()[at].size / (before * size)) % size,
        }
    }

    /// The range of factors of the axis that the part covers, as positions in the order of its divisors' products.
    fn span(&self, mesh: &Mesh) -> Result<Range<usize>> {
        let size = self.size(mesh)?;
        let before = self.part.map_or(1, |[before, _]| before);
        Ok(before..before * size)
    }
}

impl TensorSharding {
    /// The tensor whole on each device.
    pub fn replicated(mesh: MeshRef, rank: usize) -> TensorSharding {
        TensorSharding {
            mesh,
            dims: vec![DimSharding::default(); rank],
            replicated: Vec::new(),
            unreduced: Vec::new(),
            reducer: Unreduced::Sum,
        }
    }

    /// Whether each device has the whole value, if the partitioner adds no axes.
    pub fn is_replicated(&self) -> bool {
        self.dims.iter().all(|dim| dim.axes.is_empty()) && self.unreduced.is_empty()
    }

    /// Checks the sharding of a tensor of this rank.
    ///
    /// # Errors
    /// It has another number of dimensions; it speaks of an axis that the mesh has not, or of one twice.
    pub fn check(&self, mesh: &Mesh, rank: usize) -> Result<()> {
        if self.dims.len() != rank {
            return Err(Error::program(format!(
                "a sharding of {} dimensions is that of a tensor of {rank}",
                self.dims.len()
            )));
        }
        let cut = self.dims.iter().flat_map(|dim| &dim.axes);
        let all: Vec<&AxisPart> = cut.chain(&self.replicated).chain(&self.unreduced).collect();
        for (at, axis) in all.iter().enumerate() {
            let span = axis.span(mesh)?;
            for other in all[..at].iter().filter(|other| other.name == axis.name) {
                let beside = other.span(mesh)?;
                let meet = span.start < beside.end && beside.start < span.end;
                if meet || axis.part == other.part {
                    return Err(Error::program(format!("the axis \"{}\" is used twice", axis.name)));
                }
            }
        }
        Ok(())
    }

    /// The number of parts along each dimension.
    ///
    /// # Errors
    /// As [`TensorSharding::check`].
    pub fn parts(&self, mesh: &Mesh) -> Result<Vec<usize>> {
        self.check(mesh, self.dims.len())?;
        let parts = |dim: &DimSharding| dim.axes.iter().try_fold(1, |n, axis| Ok(n * axis.size(mesh)?));
        self.dims.iter().map(parts).collect()
    }

    /// The extents of the part of a tensor of extents `dims` that a device has.
    ///
    /// # Errors
    /// As [`TensorSharding::check`]; a dimension cannot be cut evenly.
    pub fn shard_dims(&self, mesh: &Mesh, dims: &[usize]) -> Result<Vec<usize>> {
        self.check(mesh, dims.len())?;
        let part = |(at, (&extent, parts)): (usize, (&usize, usize))| match extent.is_multiple_of(parts) {
            true => Ok(extent / parts),
            false => Err(Error::program(format!(
                "dimension {at} of {extent} cannot be cut into {parts} equal parts"
            ))),
        };
        dims.iter().zip(self.parts(mesh)?).enumerate().map(part).collect()
    }

    /// The part of a tensor of extents `dims` that each device has, in the order of the mesh's points.
    ///
    /// # Errors
    /// As [`TensorSharding::shard_dims`].
    pub fn slices(&self, mesh: &Mesh, dims: &[usize]) -> Result<Vec<Vec<Range<usize>>>> {
        let extents = self.shard_dims(mesh, dims)?;
        let mut all = Vec::with_capacity(mesh.len());
        for row in 0..mesh.len() {
            let point = mesh.point_of_row(row);
            let along = |(dim, &extent): (&DimSharding, &usize)| -> Result<Range<usize>> {
                let mut at = 0;
                for axis in &dim.axes {
                    at = at * axis.size(mesh)? + axis.coordinate(mesh, &point);
                }
                Ok(at * extent..(at + 1) * extent)
            };
            all.push(self.dims.iter().zip(&extents).map(along).collect::<Result<_>>()?);
        }
        Ok(all)
    }
}

impl fmt::Display for AxisPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted_name(&self.name))?;
        match self.part {
            Some([before, size]) => write!(f, ":({before}){size}"),
            None => Ok(()),
        }
    }
}

fn listed(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// A name in quotes, as MLIR prints it: other bytes than those of printable ASCII as two hexadecimal digits.
pub fn quoted_name(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            ' '..='~' => text.push(c),
            _ => text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(|b| format!("\\{b:02X}"))),
        }
    }
    text + "\""
}

impl fmt::Display for DimSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let open = self.is_open.then(|| "?".to_owned());
        write!(f, "{{{}}}", listed(self.axes.iter().map(AxisPart::to_string).chain(open)))?;
        self.priority.map_or(Ok(()), |priority| write!(f, "p{priority}"))
    }
}

impl Mesh {
    /// `<["x"=4, "y"=2], device_ids=[..]>`, as in `#sdy.mesh<..>`.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.axes().iter().map(|axis| format!("{}={}", quoted_name(&axis.name), axis.size));
        write!(f, "<[{}]", listed(axes))?;
        if !self.listed_devices().is_empty() {
            write!(f, ", device_ids=[{}]", listed(self.listed_devices().iter().map(usize::to_string)))?;
        }
        f.write_str(">")
    }
}

/// As Shardy prints it: `#sdy.mesh<["x"=4, "y"=2]>`. The kinds of the axes have no text.
impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("#sdy.mesh")?;
        self.write(f)
    }
}

impl TensorSharding {
    /// Writes the part between the brackets of `#sdy.sharding<..>`.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.mesh {
            MeshRef::Named(name) => {
                match name.chars().all(|c| c.is_ascii_alphanumeric() || "_.$:@".contains(c)) {
                    true => write!(f, "<@{name}")?,
                    false => write!(f, "<@{}", quoted_name(name))?,
                }
            }
            MeshRef::Inline(mesh) => {
                f.write_str("<mesh")?;
                mesh.write(f)?;
            }
        }
        write!(f, ", [{}]", listed(self.dims.iter().map(DimSharding::to_string)))?;
        let unreduced = match self.reducer {
            Unreduced::Sum => "unreduced=",
            Unreduced::Max => "unreduced=max",
            Unreduced::Min => "unreduced=min",
        };
        for (keyword, axes) in [("replicated=", &self.replicated), (unreduced, &self.unreduced)] {
            if !axes.is_empty() {
                write!(f, ", {keyword}{{{}}}", listed(axes.iter().map(AxisPart::to_string)))?;
            }
        }
        f.write_str(">")
    }
}

/// As Shardy prints it.
impl fmt::Display for TensorSharding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("#sdy.sharding")?;
        self.write(f)
    }
}

/// The error of a text that is no sharding.
fn wrong(what: &str, text: &str) -> Error {
    Error::input(format!("{} is no {what} of Shardy", quoted(text)))
}

impl std::str::FromStr for Mesh {
    type Err = Error;

    /// Reads `#sdy.mesh<..>`.
    fn from_str(text: &str) -> Result<Mesh> {
        let mut at = Text(text);
        let parsed = at.eat("#sdy.mesh").then(|| mesh(&mut at)).flatten();
        parsed.filter(|_| at.is_at_end()).ok_or_else(|| wrong("mesh", text))?
    }
}

impl std::str::FromStr for TensorSharding {
    type Err = Error;

    /// Reads `#sdy.sharding<..>`.
    fn from_str(text: &str) -> Result<TensorSharding> {
        let mut at = Text(text);
        let parsed = at.eat("#sdy.sharding").then(|| sharding(&mut at)).flatten();
        parsed.filter(|_| at.is_at_end()).ok_or_else(|| wrong("sharding", text))?
    }
}

/// Reads `#sdy.sharding_per_value<[<..>, <..>]>`.
///
/// # Errors
/// The text is another one; a mesh in it cannot be.
pub fn per_value(text: &str) -> Result<Vec<TensorSharding>> {
    let mut at = Text(text);
    let all = at.eat("#sdy.sharding_per_value<").then(|| at.list('[', ']', sharding)).flatten();
    let ended = at.eat(">") && at.is_at_end();
    all.filter(|_| ended).ok_or_else(|| wrong("list of shardings", text))?.into_iter().collect()
}

/// Reads `#sdy<manual_axes{"x", "y"}>`.
///
/// # Errors
/// The text is another one.
pub fn manual_axes(text: &str) -> Result<Vec<String>> {
    let mut at = Text(text);
    let axes = at.eat("#sdy<manual_axes").then(|| at.list('{', '}', Text::string)).flatten();
    let ended = at.eat(">") && at.is_at_end();
    axes.filter(|_| ended).ok_or_else(|| wrong("list of manual axes", text))
}

/// `<["x"=4], device_ids=[0, 1]>`; the inner error is that of a mesh that cannot be.
fn mesh(at: &mut Text<'_>) -> Option<Result<Mesh>> {
    at.eat("<").then_some(())?;
    let axes = at.list('[', ']', |at| {
        let name = at.string()?.into();
        at.eat("=").then_some(())?;
        Some(MeshAxis { name, size: at.number()?, kind: MeshAxisKind::Auto })
    })?;
    let devices = match at.eat(",") {
        true => {
            at.eat("device_ids=").then_some(())?;
            at.list('[', ']', Text::number)?
        }
        false => Vec::new(),
    };
    at.eat(">").then(|| Mesh::of_axes(axes, devices))
}

/// Reads the part behind `#sdy.sharding`.
fn sharding(at: &mut Text<'_>) -> Option<Result<TensorSharding>> {
    at.eat("<").then_some(())?;
    let mesh = match at.eat("@") {
        true => MeshRef::Named(at.symbol()?.into()),
        false => {
            at.eat("mesh").then_some(())?;
            match mesh(at)? {
                Ok(mesh) => MeshRef::Inline(mesh),
                Err(error) => return Some(Err(error)),
            }
        }
    };
    at.eat(",").then_some(())?;
    let dims = at.list('[', ']', |at| {
        let parts = at.list('{', '}', |at| if at.eat("?") { Some(None) } else { Some(Some(axis(at)?)) })?;
        let is_open = parts.last().is_some_and(Option::is_none);
        let axes: Vec<AxisPart> = parts.iter().flatten().cloned().collect();
        // Only the last may be open.
        (axes.len() + usize::from(is_open) == parts.len()).then_some(())?;
        let priority = if at.eat("p") { Some(at.number()?) } else { None };
        Some(DimSharding { axes, is_open, priority })
    })?;
    let mut sharding = TensorSharding { dims, ..TensorSharding::replicated(mesh, 0) };
    while at.eat(",") {
        let axes = if at.eat("replicated=") {
            &mut sharding.replicated
        } else {
            at.eat("unreduced=").then_some(())?;
            sharding.reducer = match () {
                () if at.eat("max") => Unreduced::Max,
                () if at.eat("min") => Unreduced::Min,
                () => Unreduced::Sum,
            };
            &mut sharding.unreduced
        };
        *axes = at.list('{', '}', axis)?;
    }
    at.eat(">").then_some(Ok(sharding))
}

/// `"x"` or `"x":(2)4`.
fn axis(at: &mut Text<'_>) -> Option<AxisPart> {
    let name = at.string()?.into();
    if !at.eat(":") {
        return Some(AxisPart { name, part: None });
    }
    at.eat("(").then_some(())?;
    let before = at.number()?;
    at.eat(")").then_some(())?;
    Some(AxisPart { name, part: Some([before, at.number()?]) })
}
