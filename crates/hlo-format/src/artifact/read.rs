use jarrah_base::{Error, Result};

use jarrah_hlo::sharding::{MeshAxis, MeshAxisKind};

use super::exported::*;
use super::flat::{Budget, Table};
use super::{NEWEST_CONVENTION, OLDEST_CONVENTION};
use crate::MAX_DEPTH;

pub fn exported(name: &str, bytes: &[u8]) -> Result<ExportedFunction> {
    let budget = Budget::of(bytes);
    function(name, Table::root(bytes, &budget)?, 0)
}

fn function(origin: &str, table: Table<'_>, depth: usize) -> Result<ExportedFunction> {
    if depth > MAX_DEPTH {
        return Err(Error::input(format!("gradients nest more than {MAX_DEPTH} deep in the artifact")));
    }
    let calling_convention = table.u16(14)?;
    if !(OLDEST_CONVENTION..=NEWEST_CONVENTION).contains(&calling_convention) {
        return Err(Error::input(format!(
            "the artifact has calling convention {calling_convention}; {OLDEST_CONVENTION} to {NEWEST_CONVENTION} \
                 can be read"
        )));
    }
    let meshes = all(&table, 20, mesh)?;
    let named = all(&table, 21, |t| named(t, &meshes))?;
    let avals = all(&table, 19, aval)?;
    let in_avals = by_index(&table, 22, 3, &avals, aval)?;
    let out_avals = by_index(&table, 23, 5, &avals, aval)?;
    let shardings: Vec<_> =
        std::iter::once(Sharding::Unspecified).chain(named.into_iter().map(Sharding::Named)).collect();
    let in_shardings = by_index(&table, 24, 7, &shardings, |t| sharding(t, &meshes))?;
    let out_shardings = by_index(&table, 25, 8, &shardings, |t| sharding(t, &meshes))?;
    let top = |slot| match table.table(slot)? {
        Some(found) => tree(found, 0),
        None => Err(Error::input("the artifact has no tree of arguments or results")),
    };
    let (in_tree, out_tree) = (top(2)?, top(4)?);
    for (what, tree, avals) in [("arguments", &in_tree, &in_avals), ("results", &out_tree, &out_avals)] {
        if tree.leaves() != avals.len() {
            let (leaves, count) = (tree.leaves(), avals.len());
            return Err(Error::input(format!(
                "the tree of {what} has {leaves} leaves, but there are {count}"
            )));
        }
    }
    let effects = |slot| all(&table, slot, |t| Ok(t.string(0)?.unwrap_or_default()));
    let (ordered_effects, unordered_effects) = (effects(10)?, effects(11)?);
    let disabled_checks = all(&table, 12, |t| {
        Ok(match t.u8(0)? {
            0 => DisabledCheck::Platform,
            1 => DisabledCheck::CustomCall(t.string(1)?.unwrap_or_default()),
            2 => DisabledCheck::ShapeAssertions,
            kind => {
                return Err(Error::input(format!("the artifact disables a check of unknown kind {kind}")));
            }
        })
    })?;
    let vjp = match table.table(17)? {
        Some(vjp) => Some(Box::new(function(origin, vjp, depth + 1)?)),
        None => None,
    };
    Ok(ExportedFunction {
        fun_name: table.string(1)?.unwrap_or_default(),
        in_tree,
        in_avals,
        out_tree,
        out_avals,
        devices: table.u32(18)?.filter(|&n| n != 0).map_or_else(|| table.u16(6).map(u32::from), Ok)?,
        in_shardings,
        out_shardings,
        platforms: table.strings(9)?,
        ordered_effects,
        unordered_effects,
        disabled_checks,
        module: table.bytes(13)?.to_vec(),
        calling_convention,
        kept: table.u16s(15)?,
        uses_global_constants: table.u8(16)? != 0,
        vjp,
        origin: origin.to_owned(),
    })
}

fn all<T>(table: &Table<'_>, slot: usize, mut each: impl FnMut(Table<'_>) -> Result<T>) -> Result<Vec<T>> {
    let mut made = Vec::new();
    for inner in table.tables(slot)? {
        made.push(each(inner)?);
    }
    Ok(made)
}

/// The things whose numbers the field `numbers` lists, or, in older artifacts, those in the field `plain`.
fn by_index<T: Clone>(
    table: &Table<'_>,
    numbers: usize,
    plain: usize,
    known: &[T],
    each: impl FnMut(Table<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let numbers = table.u32s(numbers)?;
    if numbers.is_empty() {
        return all(table, plain, each);
    }
    let mut made = Vec::new();
    for n in numbers {
        let found = known.get(n as usize);
        made.push(found.cloned().ok_or_else(|| {
            Error::input(format!("the artifact refers to a type or sharding {n} that it has not"))
        })?);
    }
    Ok(made)
}

fn tree(table: Table<'_>, depth: usize) -> Result<PyTree> {
    if depth > MAX_DEPTH {
        return Err(Error::input(format!("trees nest more than {MAX_DEPTH} deep in the artifact")));
    }
    let children = all(&table, 1, |t| tree(t, depth + 1))?;
    Ok(match table.u8(0)? {
        0 => PyTree::Leaf,
        1 => PyTree::None,
        2 => PyTree::Tuple(children),
        3 => PyTree::List(children),
        4 => {
            let names = table.strings(2)?;
            if names.len() != children.len() {
                return Err(Error::input("a dictionary in the artifact has not as many keys as values"));
            }
            PyTree::Dict(names.into_iter().zip(children).collect())
        }
        5 => {
            let name = table.string(3)?.unwrap_or_default();
            PyTree::Custom { name, data: table.bytes(4)?.to_vec(), children }
        }
        kind => return Err(Error::input(format!("the artifact has a tree of unknown kind {kind}"))),
    })
}

fn aval(table: Table<'_>) -> Result<Aval> {
    if table.u8(0)? != 0 {
        return Err(Error::input("the artifact has arguments that are no arrays"));
    }
    let code = table.u8(2)?;
    let dtype = AvalType::of(code);
    let dtype =
        dtype.ok_or_else(|| Error::input(format!("the artifact has elements of unknown type {code}")))?;
    let extent = |text: String| text.parse().map_or(Extent::Symbolic(text), Extent::Constant);
    let memory = match table.u8(3)? {
        0 | 1 => MemorySpace::Device,
        2 => MemorySpace::Host,
        3 => MemorySpace::Any,
        kind => return Err(Error::input(format!("the artifact names an unknown memory {kind}"))),
    };
    Ok(Aval { shape: table.strings(1)?.into_iter().map(extent).collect(), dtype, memory })
}

fn mesh(table: Table<'_>) -> Result<ExportedMesh> {
    let (sizes, names, types) = (table.u32s(0)?, table.strings(1)?, table.bytes(2)?);
    if sizes.len() != names.len() || sizes.len() != types.len() {
        return Err(Error::input("a mesh in the artifact has not as many names as sizes"));
    }
    let axis = |((name, size), kind): ((String, u32), &u8)| {
        let kind = match kind {
            0 | 1 => MeshAxisKind::Auto,
            2 => MeshAxisKind::Explicit,
            3 => MeshAxisKind::Manual,
            kind => return Err(Error::input(format!("the artifact has an axis of unknown type {kind}"))),
        };
        Ok(MeshAxis { name: name.into(), size: size as usize, kind })
    };
    let axes = names.into_iter().zip(sizes).zip(types).map(axis).collect::<Result<_>>()?;
    let device = match table.table(3)? {
        Some(device) => {
            let kind = device.string(0)?.unwrap_or_default();
            Some(MeshDevice { kind, cores: device.u32(1)?, platform: device.string(2)? })
        }
        None => None,
    };
    Ok(ExportedMesh { axes, device })
}

fn named(table: Table<'_>, meshes: &[ExportedMesh]) -> Result<ExportedSharding> {
    let mesh = match (meshes.get(table.u32(3)?.unwrap_or(0) as usize), table.table(0)?) {
        (Some(mesh), _) => mesh.clone(),
        (None, Some(inline)) => mesh(inline)?,
        (None, None) => return Err(Error::input("a sharding in the artifact has no mesh")),
    };
    let mut sharding = ExportedSharding {
        mesh,
        partitions: Vec::new(),
        reduced: Vec::new(),
        unreduced: Vec::new(),
        memory_kind: table.string(2)?,
    };
    if let Some(spec) = table.table(1)? {
        sharding.partitions = all(&spec, 0, |t| t.strings(0))?;
        (sharding.reduced, sharding.unreduced) = (spec.strings(1)?, spec.strings(2)?);
    }
    Ok(sharding)
}

fn sharding(table: Table<'_>, meshes: &[ExportedMesh]) -> Result<Sharding> {
    if let Some(sharding) = table.table(2)? {
        return named(sharding, meshes).map(Sharding::Named);
    }
    match table.bytes(1)? {
        [] => Ok(Sharding::Unspecified),
        bytes => Ok(Sharding::Hlo(bytes.to_vec())),
    }
}
