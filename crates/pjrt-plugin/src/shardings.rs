//! Shardings of arguments and results: read from the module, and told by an extension.

use std::ffi::c_char;

use jarrah_base::Error;
use jarrah_hlo::sharding::{Mesh, MeshRef, TensorSharding, TileGroup, TileSharding, Tiles};
use jarrah_hlo_format::ir::{Attr, Attributes, IrModule, IrOp};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::proto::Writer;

use crate::call::entry;
use crate::extension::{base, keep};
use crate::failure::{Failure, Outcome};
use crate::propagate::{Cut, Known};

/// The extension.
pub fn extension(next: *mut PJRT_Extension_Base) -> *mut PJRT_Extension_Base {
    keep(PJRT_Shardings_Extension {
        base: base::<PJRT_Shardings_Extension>(PJRT_Extension_Type::Shardings, next),
        PJRT_Shardings_PJRT_Executable_ParameterShardings: Some(entry),
        PJRT_Shardings_PJRT_Executable_OutputShardings: Some(entry),
    })
}

/// The shardings of a function's arguments and results.
pub struct Stated {
    pub arguments: Vec<TileSharding>,
    pub results: Vec<TileSharding>,
}

impl Stated {
    /// Reads the attributes of arguments and results. What is not stated is whole on each device; the sharding of a result that is
    /// `open` follows from those of the arguments, if it `fits` the result.
    pub fn read(
        module: &IrModule,
        function: &IrOp,
        arguments: &[Attributes],
        results: &[Attributes],
        open: &[bool],
        fits: &dyn Fn(usize, &TileSharding) -> bool,
    ) -> Outcome<Stated> {
        let all = |what: &str, list: &[Attributes]| {
            let one = |(at, attributes)| {
                read(module, attributes).map_err(|failure| failure.during(format!("{what} {at}")))
            };
            list.iter().enumerate().map(one).collect::<Outcome<Vec<_>>>()
        };
        let mut stated = Stated { arguments: all("argument", arguments)?, results: all("result", results)? };
        // One entry stands for all results.
        let allowed = |at: usize| open.get(if open.len() == 1 { 0 } else { at }) == Some(&true);
        let is_open = |at: &usize| text(&results[*at]).is_none() && allowed(*at);
        let open: Vec<usize> = (0..results.len()).filter(is_open).collect();
        if !open.is_empty() {
            let given: Vec<_> = arguments.iter().map(of).collect();
            let known = Known::results(module, function, &given);
            for at in open {
                let sharding = known.get(at).and_then(|known| tiles(module, known.as_ref()?).ok());
                let sharding = sharding.filter(|sharding| fits(at, sharding));
                stated.results[at] = sharding.unwrap_or(TileSharding::Replicated);
            }
        }
        Ok(stated)
    }
}

/// The text of the sharding that the attributes of an argument or a result state.
fn text(attributes: &Attributes) -> Option<&str> {
    match attributes.get("sdy.sharding").or_else(|| attributes.get("mhlo.sharding")) {
        Some(Attr::String(text) | Attr::Opaque(text)) => Some(text),
        _ => None,
    }
}

/// The sharding that the attributes of an argument or a result state.
pub fn of(attributes: &Attributes) -> Option<TensorSharding> {
    text(attributes)?.parse().ok()
}

/// The serialized `xla.OpSharding` of a value, which is whole on each device if nothing else is known.
pub fn serialized(module: &IrModule, cut: &Cut) -> Vec<u8> {
    write(&match cut {
        Cut::Manual => TileSharding::Manual,
        Cut::Sharding(None) => TileSharding::Replicated,
        Cut::Sharding(Some(sharding)) => tiles(module, sharding).unwrap_or(TileSharding::Replicated),
    })
}

fn read(module: &IrModule, attributes: &Attributes) -> Outcome<TileSharding> {
    let Some(text) = text(attributes) else { return Ok(TileSharding::Replicated) };
    if !text.starts_with("#sdy") {
        return Ok(text.parse()?);
    }
    tiles(module, &text.parse()?)
}

/// The tiles of a sharding.
fn tiles(module: &IrModule, sharding: &TensorSharding) -> Outcome<TileSharding> {
    if sharding.is_replicated() {
        return Ok(TileSharding::Replicated);
    }
    let mesh = match &sharding.mesh {
        MeshRef::Inline(mesh) => mesh.clone(),
        MeshRef::Named(name) => named(module, name)?,
    };
    let unsupported =
        |error: Error| Failure::unimplemented(error.to_string()).during(format!("the sharding {sharding}"));
    TileSharding::of(sharding, &mesh).map_err(unsupported)
}

/// The mesh of this name.
fn named(module: &IrModule, name: &str) -> Outcome<Mesh> {
    let mut meshes = module.ops().iter().filter(|op| op.name() == "sdy.mesh");
    match meshes.find(|op| op.text("sym_name") == Some(name)).and_then(|op| op.attr("mesh")) {
        Some(Attr::Opaque(text)) => Ok(text.parse()?),
        _ => Err(Failure::invalid(format!("there is no mesh @{name}"))),
    }
}

/// `xla.OpSharding.Type`.
#[repr(u8)]
#[derive(Clone, Copy)]
enum Kind {
    Replicated = 0,
    Maximal = 1,
    Tuple = 2,
    Other = 3,
    Manual = 4,
    Unknown = 5,
    Unreduced = 6,
}

/// `xla.OpSharding`; what is whole on each device is empty.
fn write(sharding: &TileSharding) -> Vec<u8> {
    let mut out = Writer::default();
    match sharding {
        TileSharding::Replicated => {}
        TileSharding::Manual => out.varint(1, Kind::Manual as u64),
        TileSharding::Unknown => out.varint(1, Kind::Unknown as u64),
        TileSharding::Maximal(device) => {
            out.varint(1, Kind::Maximal as u64);
            out.packed(3, [1]);
            out.packed(4, [*device as i64]);
        }
        TileSharding::Tuple(members) => {
            out.varint(1, Kind::Tuple as u64);
            members.iter().for_each(|member| out.bytes(5, &write(member)));
        }
        TileSharding::Tiled(tiles) => tiled(tiles, &mut out),
    }
    out.into_bytes()
}

fn tiled(tiles: &Tiles, out: &mut Writer) {
    out.varint(1, Kind::Other as u64);
    out.packed(3, tiles.dims.iter().map(|&parts| parts as i64));
    out.packed(4, tiles.devices.iter().map(|&device| device as i64));
    match &tiles.groups[..] {
        [] => {}
        [TileGroup::Replicated] => out.truth(6, true),
        groups => {
            let kind = |group: &TileGroup| match group {
                TileGroup::Replicated => Kind::Replicated as i64,
                TileGroup::Manual => Kind::Manual as i64,
                TileGroup::Unreduced => Kind::Unreduced as i64,
            };
            out.packed(8, groups.iter().map(kind));
        }
    }
}

/// Serialized shardings, as many as there are arguments or results.
pub struct Shardings {
    _written: Vec<Vec<u8>>,
    texts: Vec<*const c_char>,
    sizes: Vec<usize>,
}

// SAFETY: the pointers are to the bytes beside them, which never change.
unsafe impl Send for Shardings {}
// SAFETY: as above.
unsafe impl Sync for Shardings {}

impl Shardings {
    pub fn of(shardings: &[TileSharding]) -> Shardings {
        let written: Vec<Vec<u8>> = shardings.iter().map(write).collect();
        Shardings {
            texts: written.iter().map(|bytes| bytes.as_ptr().cast()).collect(),
            sizes: written.iter().map(Vec::len).collect(),
            _written: written,
        }
    }

    /// Pointers and number; null where there is nothing to split. JAX takes a list of no shardings for a wrong number of them.
    pub fn raw(&self, partitions: usize) -> (*const *const c_char, *const usize, usize) {
        match self.sizes.len() {
            count if partitions == 1 || count == 0 => (std::ptr::null(), std::ptr::null(), self.sizes.len()),
            _ => (self.texts.as_ptr(), self.sizes.as_ptr(), self.sizes.len()),
        }
    }
}
