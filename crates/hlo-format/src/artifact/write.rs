use jarrah_base::{Error, Result};

use jarrah_hlo::sharding::MeshAxisKind;

use super::exported::*;
use super::flat::{Fields, Value, buffer};
use crate::MAX_DEPTH;

/// The version of the schema that JAX writes, whatever it is.
const SCHEMA: u16 = 3;

pub fn bytes(exported: &ExportedFunction) -> Result<Vec<u8>> {
    check_types(exported, 0)?;
    Ok(buffer(&fields(exported)))
}

/// Checks that artifacts have every element type.
fn check_types(exported: &ExportedFunction, depth: usize) -> Result<()> {
    if depth > MAX_DEPTH {
        return Err(Error::input(format!("gradients nest more than {MAX_DEPTH} deep")));
    }
    let mut types = exported.in_avals.iter().chain(&exported.out_avals).map(|aval| aval.dtype);
    match types.find(|dtype| dtype.code().is_none()) {
        Some(dtype) => Err(Error::input(format!("artifacts have no arrays of {dtype:?}"))),
        None => exported.vjp.as_deref().map_or(Ok(()), |vjp| check_types(vjp, depth + 1)),
    }
}

fn fields(e: &ExportedFunction) -> Fields {
    let mut meshes: Vec<&ExportedMesh> = Vec::new();
    let mut named: Vec<&ExportedSharding> = Vec::new();
    for sharding in e.in_shardings.iter().chain(&e.out_shardings) {
        if let Sharding::Named(sharding) = sharding {
            number(&mut meshes, &sharding.mesh);
            number(&mut named, sharding);
        }
    }
    let mut avals: Vec<&Aval> = Vec::new();
    let in_avals: Vec<u32> = e.in_avals.iter().map(|a| number(&mut avals, a)).collect();
    let out_avals: Vec<u32> = e.out_avals.iter().map(|a| number(&mut avals, a)).collect();
    let indices = |all: &[Sharding]| -> Vec<u32> {
        let index = |s: &Sharding| match s {
            Sharding::Named(s) => named.iter().position(|n| *n == s).map_or(0, |i| i as u32 + 1),
            _ => 0,
        };
        all.iter().map(index).collect()
    };
    let (in_shardings, out_shardings) = (indices(&e.in_shardings), indices(&e.out_shardings));
    let tables = |all: &[Sharding]| Value::Tables(all.iter().map(|s| sharding(s, &meshes)).collect());
    let effects =
        |all: &[String]| Value::Tables(all.iter().map(|e| vec![(0, Value::Text(e.clone()))]).collect());
    // Shardings of older artifacts have no numbers.
    let numbered = !e.in_shardings.iter().chain(&e.out_shardings).any(|s| matches!(s, Sharding::Hlo(_)));
    let mut fields = vec![
        (0, Value::U16(SCHEMA)),
        (1, Value::Text(e.fun_name.clone())),
        (2, Value::Table(tree(&e.in_tree))),
        (3, Value::Tables(e.in_avals.iter().map(aval).collect())),
        (4, Value::Table(tree(&e.out_tree))),
        (5, Value::Tables(e.out_avals.iter().map(aval).collect())),
        (7, tables(&e.in_shardings)),
        (8, tables(&e.out_shardings)),
        (9, Value::Texts(e.platforms.clone())),
        (10, effects(&e.ordered_effects)),
        (11, effects(&e.unordered_effects)),
        (12, Value::Tables(e.disabled_checks.iter().map(check).collect())),
        (13, Value::Bytes(e.module.clone())),
        (14, Value::U16(e.calling_convention)),
        (15, Value::U16s(e.kept.clone())),
        (16, Value::U8(e.uses_global_constants.into())),
        (18, Value::U32(e.devices)),
        (19, Value::Tables(avals.into_iter().map(aval).collect())),
        (20, Value::Tables(meshes.iter().map(|m| mesh(m)).collect())),
        (21, Value::Tables(named.iter().map(|s| named_sharding(s, &meshes)).collect())),
        (22, Value::U32s(in_avals)),
        (23, Value::U32s(out_avals)),
    ];
    if numbered {
        fields.extend([(24, Value::U32s(in_shardings)), (25, Value::U32s(out_shardings))]);
    }
    fields.extend(e.vjp.iter().map(|vjp| (17, Value::Table(self::fields(vjp)))));
    fields
}

/// The number of `item` in `list`, which it joins if it is new.
fn number<'a, T: PartialEq>(list: &mut Vec<&'a T>, item: &'a T) -> u32 {
    let at = list.iter().position(|known| *known == item);
    at.unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    }) as u32
}

fn tree(tree: &PyTree) -> Fields {
    let inner = |all: &[PyTree]| Value::Tables(all.iter().map(self::tree).collect());
    match tree {
        PyTree::Leaf => vec![(0, Value::U8(0))],
        PyTree::None => vec![(0, Value::U8(1))],
        PyTree::Tuple(all) => vec![(0, Value::U8(2)), (1, inner(all))],
        PyTree::List(all) => vec![(0, Value::U8(3)), (1, inner(all))],
        PyTree::Dict(all) => vec![
            (0, Value::U8(4)),
            (1, Value::Tables(all.iter().map(|(_, t)| self::tree(t)).collect())),
            (2, Value::Texts(all.iter().map(|(name, _)| name.clone()).collect())),
        ],
        PyTree::Custom { name, data, children } => vec![
            (0, Value::U8(5)),
            (1, inner(children)),
            (3, Value::Text(name.clone())),
            (4, Value::Bytes(data.clone())),
        ],
    }
}

fn aval(aval: &Aval) -> Fields {
    let memory = match aval.memory {
        MemorySpace::Device => 1,
        MemorySpace::Host => 2,
        MemorySpace::Any => 3,
    };
    let shape = aval.shape.iter().map(Extent::to_string).collect();
    let dtype = aval.dtype.code().expect("invariant: the types were checked");
    vec![(0, Value::U8(0)), (1, Value::Texts(shape)), (2, Value::U8(dtype)), (3, Value::U8(memory))]
}

fn mesh(mesh: &ExportedMesh) -> Fields {
    let kind = |kind: MeshAxisKind| match kind {
        MeshAxisKind::Auto => 1,
        MeshAxisKind::Explicit => 2,
        MeshAxisKind::Manual => 3,
    };
    let mut fields = vec![
        (0, Value::U32s(mesh.axes.iter().map(|axis| axis.size as u32).collect())),
        (1, Value::Texts(mesh.axes.iter().map(|axis| axis.name.to_string()).collect())),
        (2, Value::Bytes(mesh.axes.iter().map(|axis| kind(axis.kind)).collect())),
    ];
    if let Some(device) = &mesh.device {
        let mut inner = vec![(0, Value::Text(device.kind.clone()))];
        inner.extend(device.cores.map(|n| (1, Value::U32(n))));
        inner.extend(device.platform.clone().map(|p| (2, Value::Text(p))));
        fields.push((3, Value::Table(inner)));
    }
    fields
}

fn named_sharding(s: &ExportedSharding, meshes: &[&ExportedMesh]) -> Fields {
    let index = meshes.iter().position(|m| **m == s.mesh).unwrap_or(0) as u32;
    let partitions = s.partitions.iter().map(|axes| vec![(0, Value::Texts(axes.clone()))]).collect();
    let spec = vec![
        (0, Value::Tables(partitions)),
        (1, Value::Texts(s.reduced.clone())),
        (2, Value::Texts(s.unreduced.clone())),
    ];
    let mut fields = vec![(0, Value::Table(mesh(&s.mesh))), (1, Value::Table(spec)), (3, Value::U32(index))];
    fields.extend(s.memory_kind.clone().map(|kind| (2, Value::Text(kind))));
    fields
}

fn sharding(s: &Sharding, meshes: &[&ExportedMesh]) -> Fields {
    match s {
        Sharding::Unspecified => Vec::new(),
        Sharding::Hlo(bytes) => vec![(0, Value::U8(1)), (1, Value::Bytes(bytes.clone()))],
        Sharding::Named(s) => vec![(2, Value::Table(named_sharding(s, meshes)))],
    }
}

fn check(check: &DisabledCheck) -> Fields {
    match check {
        DisabledCheck::Platform => vec![(0, Value::U8(0))],
        DisabledCheck::CustomCall(target) => vec![(0, Value::U8(1)), (1, Value::Text(target.clone()))],
        DisabledCheck::ShapeAssertions => vec![(0, Value::U8(2))],
    }
}
