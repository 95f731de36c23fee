use jarrah_base::{Error, Result};
use jarrah_hlo_format::artifact::{self, Aval, PyTree as ArtifactTree};
use jarrah_hlo_format::{PrintOptions, print_tree};
use jarrah_tree::{Tree, TreeExt};

use super::DEFAULT_EXPORT_PLATFORM;
use super::traced::Traced;
use super::tree::{self, Shaped};
use crate::array::Array;
use crate::error::{fail, with_context};
use crate::function::Leaves;
use crate::imported::Imported;

/// A function that was exported, here or by JAX: its module, and the trees and types of its arguments and results.
///
/// It can be called like any function, inside and outside of `jit`, and `grad`, `vmap` and the rest apply to it.
///
/// ```
/// use jarrah_array::export::{MAXIMUM_CALLING_CONVENTION_VERSION, export};
/// use jarrah_array::Array;
/// fn double(x: &Array) -> Array {
///     x * 2.0
/// }
/// let exported = export(&double, &Array::zeros(&[3]))?;
/// assert_eq!((exported.fun_name(), exported.platforms()), ("double", &["cpu".to_owned()][..]));
/// assert_eq!((exported.in_tree().to_string(), exported.out_tree().to_string()), ("((*,), {})".into(), "*".into()));
/// assert_eq!(exported.in_avals()[0].shape[0].to_string(), "3");
/// assert_eq!(exported.out_avals(), exported.in_avals());
/// assert_eq!(exported.calling_convention_version(), MAXIMUM_CALLING_CONVENTION_VERSION);
/// assert!(exported.has_vjp());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub struct Exported {
    artifact: artifact::ExportedFunction,
    callable: Imported,
    /// The traced function, if it was exported in this process: its derivatives are computed from that.
    traced: Option<Traced>,
}

/// The function in an artifact of `jax.export`, written here or by JAX.
///
/// # Errors
/// The bytes are no artifact, or an artifact of another calling convention.
///
/// ```
/// use jarrah_array::{Array, export::{deserialize, export}};
/// let bytes = export(&|x: &Array| x * x, &Array::zeros(&[]))?.serialize(0)?;
/// let square = deserialize(&bytes)?;
/// assert_eq!(square.call(&Array::scalar(3.0))[0].item::<f32>()?, 9.0);
/// assert!(!square.has_vjp());
/// assert!(deserialize(b"no artifact").is_err());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn deserialize(bytes: &[u8]) -> Result<Exported> {
    Ok(Exported::from_artifact(artifact::read("", bytes)?, None))
}

impl Exported {
    pub(super) fn of(traced: Traced) -> Result<Exported> {
        let artifact = traced.artifact(&[DEFAULT_EXPORT_PLATFORM])?;
        Ok(Exported::from_artifact(artifact, Some(traced)))
    }

    fn from_artifact(artifact: artifact::ExportedFunction, traced: Option<Traced>) -> Exported {
        let callable = Imported::from_artifact(artifact::ExportedFunction { vjp: None, ..artifact.clone() });
        Exported { artifact, callable, traced }
    }

    /// The function exported for these platforms, by JAX's names: `cpu`, `cuda`, `rocm`, `tpu`.
    ///
    /// # Errors
    /// No platform is named, or the function came from an artifact, which is for the platforms that it states.
    ///
    /// ```
    /// use jarrah_array::{Array, export::{deserialize, export}};
    /// let exported = export(&|x: &Array| x * 2.0, &Array::zeros(&[3]))?.for_platforms(&["cpu", "tpu"])?;
    /// assert_eq!(exported.platforms(), ["cpu", "tpu"]);
    /// // The artifact states its platforms.
    /// assert!(deserialize(&exported.serialize(0)?)?.for_platforms(&["cuda"]).is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn for_platforms(&self, platforms: &[&str]) -> Result<Exported> {
        let Some(traced) = self.traced.as_ref().filter(|_| !platforms.is_empty()) else {
            let error = match platforms.is_empty() {
                true => "a function is exported for at least one platform",
                false => "a function that was read from an artifact is for the platforms that this states",
            };
            return Err(Error::program(error).op("export"));
        };
        Ok(Exported::from_artifact(traced.artifact(platforms)?, Some(traced.clone())))
    }

    /// The function's name.
    pub fn fun_name(&self) -> &str {
        &self.artifact.fun_name
    }

    /// The tree of the arguments, as JAX has it: a tuple of the positional arguments, and a dict of the keyword arguments.
    pub fn in_tree(&self) -> &ArtifactTree {
        &self.artifact.in_tree
    }

    /// The types of the arguments' arrays, in the order of `in_tree`.
    pub fn in_avals(&self) -> &[Aval] {
        &self.artifact.in_avals
    }

    /// The tree of the results.
    pub fn out_tree(&self) -> &ArtifactTree {
        &self.artifact.out_tree
    }

    /// The types of the results' arrays, in the order of `out_tree`.
    pub fn out_avals(&self) -> &[Aval] {
        &self.artifact.out_avals
    }

    /// The platforms that the function is exported for.
    pub fn platforms(&self) -> &[String] {
        &self.artifact.platforms
    }

    /// The version of the convention by which `@main` takes its arguments, as numbered by JAX.
    pub fn calling_convention_version(&self) -> u16 {
        self.artifact.calling_convention
    }

    /// The module as StableHLO text.
    ///
    /// # Errors
    /// The artifact that it was read from is damaged.
    ///
    /// ```
    /// use jarrah_array::{Array, export::export};
    /// let text = export(&|x: &Array| x * 2.0, &Array::zeros(&[3]))?.mlir_module()?;
    /// assert!(text.contains("@main") && text.contains("tensor<3xf32>"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn mlir_module(&self) -> Result<String> {
        Ok(print_tree(&self.artifact.module()?, &PrintOptions::default()))
    }

    /// The module as portable bytecode.
    ///
    /// ```
    /// use jarrah_array::{Array, export::export};
    /// let exported = export(&|x: &Array| x * 2.0, &Array::zeros(&[3]))?;
    /// // The magic number of MLIR's bytecode.
    /// assert!(exported.mlir_module_serialized().starts_with(b"ML\xefR"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn mlir_module_serialized(&self) -> &[u8] {
        &self.artifact.module
    }

    /// Whether the derivative is available: an artifact may be stored without it.
    pub fn has_vjp(&self) -> bool {
        self.traced.is_some() || self.artifact.vjp.is_some()
    }

    /// The derivative in reverse, flat: takes the arrays of the arguments, then a cotangent for each of the results, and
    /// returns a cotangent for each of the arguments.
    ///
    /// # Errors
    /// An op has no derivative, or none that is the same for all sizes; or the artifact was stored without it.
    ///
    /// ```
    /// use jarrah_array::{Array, export::export};
    /// let square = export(&|x: &Array| x * x, &Array::zeros(&[]))?;
    /// let (x, cotangent) = (Array::scalar(3.0), Array::scalar(1.0));
    /// assert_eq!(square.vjp()?.call(&(x, cotangent))[0].item::<f32>()?, 6.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn vjp(&self) -> Result<Exported> {
        match (&self.traced, &self.artifact.vjp) {
            (Some(traced), _) => Exported::of(traced.vjp()?)?.on(self.platforms()),
            (None, Some(vjp)) => Ok(Exported::from_artifact((**vjp).clone(), None)),
            (None, None) => {
                let error = format!("the artifact of {} was written without a derivative", self.fun_name());
                Err(Error::program(error)
                    .op("export")
                    .help("write it with `serialize(1)`, or in JAX with vjp_order=1"))
            }
        }
    }

    fn on(self, platforms: &[String]) -> Result<Exported> {
        let platforms: Vec<&str> = platforms.iter().map(String::as_str).collect();
        if platforms == [DEFAULT_EXPORT_PLATFORM] { Ok(self) } else { self.for_platforms(&platforms) }
    }

    /// The artifact as bytes, which [`deserialize`] and `jax.export.deserialize` read, with derivatives up to the order
    /// `vjp_order`.
    ///
    /// # Errors
    /// As [`Exported::vjp`]; an element type that artifacts have not.
    ///
    /// ```
    /// use jarrah_array::{Array, export::{deserialize, export}};
    /// let bytes = export(&|x: &Array| x * x * x, &Array::zeros(&[]))?.serialize(2)?;
    /// let (x, one) = (Array::scalar(3.0), Array::scalar(1.0));
    /// let slope = deserialize(&bytes)?.vjp()?;
    /// assert_eq!(slope.call(&(x, one))[0].item::<f32>()?, 27.0);
    /// // There is no third derivative.
    /// assert!(slope.vjp()?.vjp().is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn serialize(&self, vjp_order: usize) -> Result<Vec<u8>> {
        artifact::write(&self.with_derivatives(vjp_order)?)
    }

    fn with_derivatives(&self, order: usize) -> Result<artifact::ExportedFunction> {
        let vjp = match order {
            0 => None,
            _ => Some(Box::new(self.vjp()?.with_derivatives(order - 1)?)),
        };
        Ok(artifact::ExportedFunction { vjp, ..self.artifact.clone() })
    }

    /// Calls the function; its results in the order of [`Exported::out_tree`]. The arguments are a tree as for
    /// [`export`](super::export()); arguments that JAX takes by name are a map, the last element of the tuple.
    ///
    /// # Panics
    /// A program error at the caller's line if the arguments are another tree or have other shapes.
    ///
    /// ```
    /// use jarrah_array::{Array, export::export, grad};
    /// let cube = export(&|x: &Array| x * x * x, &Array::zeros(&[]))?;
    /// let x = Array::scalar(2.0);
    /// assert_eq!(cube.call(&x)[0].item::<f32>()?, 8.0);
    /// let slope = grad(|x: &Array| cube.call(x).swap_remove(0))(&x);
    /// assert_eq!(slope.item::<f32>()?, 12.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call<A: Tree<Array>>(&self, args: &A) -> Vec<Array> {
        let leaves = Leaves::of(args);
        let Shaped { tree: given, order } = tree::of_arguments(&leaves.structure);
        let by_name =
            || tree::with_keywords(given.clone()).is_some_and(|tree| tree::serves(&tree, self.in_tree()));
        if !tree::serves(&given, self.in_tree()) && !by_name() {
            let error = format!("{} takes {}, the arguments are {given}", self.fun_name(), self.in_tree());
            fail(with_context(Error::program(error).op("export")));
        }
        let arrays: Vec<&Array> = order.iter().map(|&i| &leaves.arrays[i]).collect();
        self.callable.call(&arrays)
    }

    /// As [`Exported::call`], with the results as a tree of the structure of `like`, whose arrays do not matter.
    ///
    /// # Panics
    /// As [`Exported::call`]; the results are another tree.
    ///
    /// ```
    /// use jarrah_array::{Array, export::export};
    /// let exported = export(&|x: &Array| (x + 1.0, vec![x.sum(..)]), &Array::zeros(&[2]))?;
    /// let like = (Array::zeros(&[]), vec![Array::zeros(&[])]);
    /// let (y, sums) = exported.call_as(&Array::ones(&[2]), &like);
    /// assert_eq!((y.to_vec::<f32>()?, sums[0].item::<f32>()?), (vec![2.0; 2], 2.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call_as<A: Tree<Array>, R: Tree<Array>>(&self, args: &A, like: &R) -> R {
        let Shaped { tree: wanted, order } = tree::of(&like.structure());
        if !tree::serves(&wanted, self.out_tree()) {
            let error = format!("{} returns {}, not {wanted}", self.fun_name(), self.out_tree());
            fail(with_context(Error::program(error).op("export")));
        }
        let results = self.call(args);
        let mut places: Vec<(usize, Array)> = order.into_iter().zip(results).collect();
        places.sort_by_key(|(place, _)| *place);
        like.with_leaves(places.into_iter().map(|(_, array)| array)).expect("invariant: the trees are alike")
    }
}
