//! How arrays are cut over the axes of a mesh.

use jarrah_base::{Error, Result};
use jarrah_hlo::sharding::{DimSharding, Mesh, MeshRef, TensorSharding};

/// How an array is cut over the axes of a mesh: for each dimension the axes along which it is cut. [`P!`](crate::P) makes one; dimensions
/// that are left out at the end are whole.
///
/// ```
/// use jarrah_array::P;
/// let rows_over_data = P!["data", None];
/// let rows_over_both = P![["data", "model"]];
/// assert_eq!(rows_over_data.to_string(), r#"P!["data", None]"#);
/// assert_eq!(rows_over_both.to_string(), r#"P![["data", "model"]]"#);
/// ```
///
/// Source: `jax.sharding.PartitionSpec`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct PartitionSpec {
    dims: Vec<Vec<Box<str>>>,
}

/// The axes along which one dimension is cut: a name, several, or `None`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SpecAxes(Vec<Box<str>>);

impl From<&str> for SpecAxes {
    fn from(name: &str) -> Self {
        SpecAxes(vec![name.into()])
    }
}

impl From<Option<&str>> for SpecAxes {
    fn from(name: Option<&str>) -> Self {
        SpecAxes(name.into_iter().map(Into::into).collect())
    }
}

impl<const N: usize> From<[&str; N]> for SpecAxes {
    fn from(names: [&str; N]) -> Self {
        SpecAxes(names.into_iter().map(Into::into).collect())
    }
}

/// A [`PartitionSpec`]: `P!["data", None, ["a", "b"]]`.
#[macro_export]
macro_rules! P {
    ($($axes:expr),* $(,)?) => {
        $crate::PartitionSpec::new([$($crate::SpecAxes::from($axes)),*])
    };
}

impl PartitionSpec {
    /// The cut of each dimension.
    ///
    /// ```
    /// use jarrah_array::{P, PartitionSpec, SpecAxes};
    /// let axes = ["data", "model"].map(SpecAxes::from);
    /// assert_eq!(PartitionSpec::new(axes), P!["data", "model"]);
    /// ```
    pub fn new(dims: impl IntoIterator<Item = SpecAxes>) -> PartitionSpec {
        PartitionSpec { dims: dims.into_iter().map(|axes| axes.0).collect() }
    }

    /// For each dimension the axes along which it is cut; dimensions at the end may be left out.
    ///
    /// ```
    /// use jarrah_array::P;
    /// let spec = P![["data", "model"], None];
    /// assert_eq!(spec.axes().map(<[_]>::len).collect::<Vec<_>>(), [2, 0]);
    /// ```
    pub fn axes(&self) -> impl Iterator<Item = &[Box<str>]> {
        self.dims.iter().map(Vec::as_slice)
    }

    /// The number of dimensions that it speaks of.
    pub(crate) fn rank(&self) -> usize {
        self.dims.len()
    }

    /// The spec of a cut along whole axes.
    ///
    /// # Errors
    /// It is along parts of axes, or each device has a part of a sum.
    pub(crate) fn of(cut: &TensorSharding) -> Result<PartitionSpec> {
        let whole = |dim: &DimSharding| dim.axes.iter().all(|axis| axis.part.is_none());
        if !cut.dims.iter().all(whole) || !cut.unreduced.is_empty() {
            return Err(Error::internal(format!("a result lies as no PartitionSpec says: {cut}")));
        }
        let names = |dim: &DimSharding| dim.axes.iter().map(|axis| axis.name.clone()).collect();
        Ok(PartitionSpec { dims: cut.dims.iter().map(names).collect() })
    }

    /// How an array of this rank is cut over a mesh.
    ///
    /// # Errors
    /// It has more dimensions than the array, names an axis that the mesh has not, or an axis twice.
    pub(crate) fn cuts(&self, mesh: &Mesh, rank: usize) -> Result<TensorSharding> {
        if self.dims.len() > rank {
            let error = format!("{self} cuts {} dimensions of an array of rank {rank}", self.dims.len());
            return Err(Error::program(error));
        }
        let all: Vec<&str> = self.dims.iter().flatten().map(|name| &**name).collect();
        for (at, name) in all.iter().enumerate() {
            if mesh.axis(name).is_none() {
                let known: Vec<String> =
                    mesh.axes().iter().map(|axis| format!("\"{}\"", axis.name)).collect();
                let error = format!("{self} names the axis \"{name}\", the mesh has {}", known.join(", "));
                return Err(Error::program(error));
            }
            if all[..at].contains(name) {
                return Err(Error::program(format!("{self} names the axis \"{name}\" twice")));
            }
        }
        let cut = self.dims.iter().map(|axes| DimSharding::along(axes.iter().map(|name| &**name)));
        let dims = cut.chain(std::iter::repeat_with(DimSharding::default)).take(rank).collect();
        let whole = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), 0);
        Ok(TensorSharding { dims, ..whole })
    }
}

impl std::fmt::Display for PartitionSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let dim = |axes: &Vec<Box<str>>| match &axes[..] {
            [] => "None".to_owned(),
            [one] => format!("{one:?}"),
            many => format!("{many:?}"),
        };
        write!(f, "P![{}]", self.dims.iter().map(dim).collect::<Vec<_>>().join(", "))
    }
}
