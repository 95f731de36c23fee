use std::fmt;

use jarrah_base::{DType, Error, Result, Type};
use jarrah_hlo::sharding::MeshAxis;
use jarrah_hlo::{Builder, Program, Value};

use super::platform;
use crate::bytecode::{self, Version};
use crate::ir::IrModule;

/// An exported function.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportedFunction {
    /// Its name.
    pub fun_name: String,
    /// The tree of the arguments: a tuple of the positional ones and a dictionary of the others.
    pub in_tree: PyTree,
    /// The leaves of `in_tree`.
    pub in_avals: Vec<Aval>,
    /// The tree of the results.
    pub out_tree: PyTree,
    /// The leaves of `out_tree`.
    pub out_avals: Vec<Aval>,
    /// How many devices it runs on.
    pub devices: u32,
    /// How each argument is sharded.
    pub in_shardings: Vec<Sharding>,
    /// How each result is sharded.
    pub out_shardings: Vec<Sharding>,
    /// The platforms it was lowered for.
    pub platforms: Vec<String>,
    /// The effects that keep their order, by the names of their classes.
    pub ordered_effects: Vec<String>,
    /// The other effects.
    pub unordered_effects: Vec<String>,
    /// The safety checks that the exporter was told to leave out.
    pub disabled_checks: Vec<DisabledCheck>,
    /// The module, as portable bytecode.
    pub module: Vec<u8>,
    /// How `@main` is called: with the index of the platform if there are several, the extents that are not known, the
    /// tokens of ordered effects, and then the arguments.
    pub calling_convention: u16,
    /// The positions of the arguments that `@main` has.
    pub kept: Vec<u16>,
    /// Whether `@main` has to be refined with the shapes of the arguments.
    pub uses_global_constants: bool,
    /// The function that makes the gradient.
    pub vjp: Option<Box<ExportedFunction>>,
    /// The file it was read from, which errors name; it is not written.
    pub origin: String,
}

/// The structure of the arguments or results: a nesting of containers with arrays as leaves.
#[derive(Clone, PartialEq, Debug)]
pub enum PyTree {
    /// An array.
    Leaf,
    /// `None`.
    None,
    /// A tuple.
    Tuple(Vec<PyTree>),
    /// A list.
    List(Vec<PyTree>),
    /// A dictionary with its keys.
    Dict(Vec<(String, PyTree)>),
    /// A type that its users registered.
    Custom {
        /// The name under which it is registered.
        name: String,
        /// The data that the type stores beside its children.
        data: Vec<u8>,
        /// Its children.
        children: Vec<PyTree>,
    },
}

/// The type of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Aval {
    /// The extents.
    pub shape: Vec<Extent>,
    /// The element type.
    pub dtype: AvalType,
    /// Where it lies.
    pub memory: MemorySpace,
}

/// An extent of an array.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// A number.
    Constant(u64),
    /// An expression of names: `2*b + 1`.
    Symbolic(String),
}

/// The element type of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AvalType {
    /// Numbers.
    Number(DType),
    /// The tangent of integers, which has no elements.
    Float0,
    /// Keys of `threefry2x32`.
    KeyThreefry,
    /// Keys of `rbg`.
    KeyRbg,
    /// Keys of `unsafe_rbg`.
    KeyUnsafeRbg,
}

/// Where an array lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[allow(missing_docs, reason = "each variant is its own name")]
pub enum MemorySpace {
    #[default]
    Device,
    Host,
    Any,
}

/// How an array is sharded.
#[derive(Clone, PartialEq, Debug)]
pub enum Sharding {
    /// The sharding was not given.
    Unspecified,
    /// A serialized `OpSharding`, as older artifacts have it.
    Hlo(Vec<u8>),
    /// Along the axes of a mesh.
    Named(ExportedSharding),
}

/// A sharding along the axes of a mesh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedSharding {
    /// The mesh.
    pub mesh: ExportedMesh,
    /// For each axis of the array, the axes of the mesh.
    pub partitions: Vec<Vec<String>>,
    /// The axes of the mesh over which it was reduced.
    pub reduced: Vec<String>,
    /// The axes of the mesh over which it is still to be reduced.
    pub unreduced: Vec<String>,
    /// The kind of memory.
    pub memory_kind: Option<String>,
}

/// A mesh of devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportedMesh {
    /// The axes.
    pub axes: Vec<MeshAxis>,
    /// The kind of devices of the mesh, if it is known.
    pub device: Option<MeshDevice>,
}

/// The hardware of a mesh's devices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeshDevice {
    /// The kind of the devices.
    pub kind: String,
    /// The number of cores of each.
    pub cores: Option<u32>,
    /// The platform.
    pub platform: Option<String>,
}

/// A check that the export left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DisabledCheck {
    /// The check that the program runs on one of its platforms.
    Platform,
    /// The check that the call of this target is stable.
    CustomCall(String),
    /// The check that shapes are as the program assumes.
    ShapeAssertions,
}

impl ExportedFunction {
    /// The program of the function for arguments of these types, on the platform `cpu` or else the first there is.
    ///
    /// # Errors
    /// The function does not take such arguments, or its module uses what programs cannot express.
    pub fn program(&self, types: &[Type]) -> Result<Program> {
        if types.len() != self.in_avals.len() {
            let (takes, found) = (self.in_avals.len(), types.len());
            let name = &self.fun_name;
            return Err(Error::program(format!("{name} takes {takes} arguments, {found} are given")));
        }
        let kept = self.kept.iter().map(|&i| {
            let ty = types.get(usize::from(i)).copied();
            ty.ok_or_else(|| {
                Error::input(format!("{} keeps argument {i}, which it does not take", self.fun_name))
            })
        });
        let kept: Vec<Type> = kept.collect::<Result<_>>()?;
        let program = crate::import_for(&self.module_for(None)?, &kept)?;
        if self.kept.len() == types.len() {
            return Ok(program);
        }
        let mut b = Builder::new(program.name());
        let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let arguments: Vec<Value> = self.kept.iter().map(|&i| params[usize::from(i)]).collect();
        let results = b.inline(&program, &arguments)?;
        b.finish(&results)
    }

    /// The number of the platform `name`; without a name, of `cpu`, or else of the first there is.
    ///
    /// # Errors
    /// The function was not lowered for the platform.
    pub fn platform(&self, name: Option<&str>) -> Result<usize> {
        let at = |name: &str| self.platforms.iter().position(|p| p == name);
        match name {
            None => Ok(at("cpu").unwrap_or(0)),
            Some(name) => at(name).ok_or_else(|| {
                Error::input(format!("{} was not lowered for {name}", self.place()))
                    .help(format!("it was for {}", self.platforms.join(", ")))
            }),
        }
    }

    /// The module for one platform, as [`ExportedFunction::platform`] takes it: where there are several, `@main` has no argument
    /// that says which one it is.
    ///
    /// # Errors
    /// As [`ExportedFunction::module`] and [`ExportedFunction::platform`].
    pub fn module_for(&self, platform: Option<&str>) -> Result<IrModule> {
        let number = self.platform(platform)?;
        let mut module = self.module()?;
        if self.platforms.len() > 1 {
            platform::settle(&mut module, number as i32)?;
        }
        Ok(module)
    }

    /// The function with its module, and those of its derivatives, rewritten for the version `target`; if `platform` is given,
    /// for this platform alone.
    ///
    /// # Errors
    /// As [`ExportedFunction::module_for`], or a module cannot be written for `target`.
    pub fn rewritten(&self, platform: Option<&str>, target: Version) -> Result<ExportedFunction> {
        let (module, platforms) = match platform {
            None => (self.module()?, self.platforms.clone()),
            Some(name) => (self.module_for(platform)?, vec![name.to_owned()]),
        };
        let vjp = self.vjp.as_ref().map(|vjp| vjp.rewritten(platform, target).map(Box::new));
        let module = bytecode::write(&module, target)?;
        Ok(ExportedFunction { module, platforms, vjp: vjp.transpose()?, ..self.clone() })
    }

    /// The module.
    ///
    /// # Errors
    /// The bytecode is malformed or of a newer version.
    pub fn module(&self) -> Result<IrModule> {
        bytecode::read(self.place(), &self.module)
    }

    /// Where errors are: in a file, or else in the function.
    fn place(&self) -> &str {
        if self.origin.is_empty() { &self.fun_name } else { &self.origin }
    }

    /// Whether an extent is not known.
    pub fn is_polymorphic(&self) -> bool {
        let mut all = self.in_avals.iter().chain(&self.out_avals).flat_map(|aval| &aval.shape);
        all.any(Extent::is_symbolic)
    }
}

impl PyTree {
    /// How many arrays are in it.
    pub fn leaves(&self) -> usize {
        match self {
            PyTree::Leaf => 1,
            PyTree::None => 0,
            PyTree::Tuple(all) | PyTree::List(all) | PyTree::Custom { children: all, .. } => {
                all.iter().map(PyTree::leaves).sum()
            }
            PyTree::Dict(all) => all.iter().map(|(_, tree)| tree.leaves()).sum(),
        }
    }
}

impl Extent {
    /// Whether it is an expression of names.
    pub fn is_symbolic(&self) -> bool {
        matches!(self, Extent::Symbolic(_))
    }
}

/// As Python writes such a tree, with `*` for an array: `(*, {'w': *})`.
impl fmt::Display for PyTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, all: &[PyTree]| {
            all.iter()
                .enumerate()
                .try_for_each(|(i, tree)| write!(f, "{}{tree}", if i > 0 { ", " } else { "" }))
        };
        match self {
            PyTree::Leaf => f.write_str("*"),
            PyTree::None => f.write_str("None"),
            PyTree::Tuple(all) => {
                f.write_str("(")?;
                list(f, all)?;
                f.write_str(if all.len() == 1 { ",)" } else { ")" })
            }
            PyTree::List(all) => {
                f.write_str("[")?;
                list(f, all)?;
                f.write_str("]")
            }
            PyTree::Dict(all) => {
                f.write_str("{")?;
                for (i, (key, tree)) in all.iter().enumerate() {
                    write!(f, "{}'{key}': {tree}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
            PyTree::Custom { name, children, .. } => {
                write!(f, "{name}(")?;
                list(f, children)?;
                f.write_str(")")
            }
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::Constant(n) => write!(f, "{n}"),
            Extent::Symbolic(text) => f.write_str(text),
        }
    }
}

/// The element types and their codes.
const TYPES: &[(u8, &str)] = &[
    (0, "bool"),
    (1, "i8"),
    (2, "i16"),
    (3, "i32"),
    (4, "i64"),
    (5, "u8"),
    (6, "u16"),
    (7, "u32"),
    (8, "u64"),
    (9, "f16"),
    (10, "f32"),
    (11, "f64"),
    (12, "c64"),
    (13, "c128"),
    (14, "bf16"),
    (15, "i4"),
    (16, "u4"),
    (17, "f8e4m3b11fnuz"),
    (18, "f8e4m3fn"),
    (19, "f8e4m3fnuz"),
    (20, "f8e5m2"),
    (21, "f8e5m2fnuz"),
    (23, "f8e4m3"),
    (24, "f8e3m4"),
    (25, "f8e8m0fnu"),
    (26, "f4e2m1fn"),
];

impl AvalType {
    /// The type with this code.
    pub(super) fn of(code: u8) -> Option<AvalType> {
        Some(match code {
            22 => AvalType::Float0,
            27 => AvalType::KeyThreefry,
            28 => AvalType::KeyRbg,
            29 => AvalType::KeyUnsafeRbg,
            _ => AvalType::Number(DType::from_name(TYPES.iter().find(|t| t.0 == code)?.1)?),
        })
    }

    /// The code; `None` for a type that artifacts have not.
    pub(super) fn code(self) -> Option<u8> {
        match self {
            AvalType::Float0 => Some(22),
            AvalType::KeyThreefry => Some(27),
            AvalType::KeyRbg => Some(28),
            AvalType::KeyUnsafeRbg => Some(29),
            AvalType::Number(dtype) => TYPES.iter().find(|t| t.1 == dtype.name()).map(|t| t.0),
        }
    }
}
