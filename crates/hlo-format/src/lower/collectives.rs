//! Collective ops in a program for one device.

use jarrah_base::{Literal, Result};

use super::block::{Outcome, all};
use super::cx::Cx;
use super::parallel::{MAX_PROCESSES, Shape};
use super::spmd;
use crate::ir::Attr;

/// The replicas and the partitions that the module is for.
fn processes(cx: &Cx<'_, '_>) -> (u64, u64) {
    let stated =
        |name: &str| cx.lower.module.op.attr(name).and_then(Attr::integer).unwrap_or(1).max(1) as u64;
    let (replicas, partitions) = cx.lower.options.processes;
    (stated("mhlo.num_replicas").max(replicas as u64), stated("mhlo.num_partitions").max(partitions as u64))
}

/// The number of processes the module is for.
fn devices(cx: &Cx<'_, '_>) -> u64 {
    let (replicas, partitions) = processes(cx);
    replicas.saturating_mul(partitions)
}

/// An exchange within groups, which is the identity if each group is one process.
pub(super) fn collective(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if let Some(shape) = cx.lower.devices() {
        return spmd::collective(cx, &shape);
    }
    let one = match cx.op.name() {
        _ if devices(cx) > 1 => alone(cx)?,
        "stablehlo.collective_permute" => {
            let pairs = cx.optional_numbers("source_target_pairs")?.unwrap_or_default();
            let most = pairs.iter().max().copied().unwrap_or(0);
            if most > 0 {
                return Err(needs(cx, most as u64 + 1));
            }
            !pairs.is_empty()
        }
        _ => {
            let size = group_size(cx)?;
            if size > 1 {
                return Err(needs(cx, size));
            }
            size == 1 || cx.op.name() != "stablehlo.collective_broadcast"
        }
    };
    let operands = cx.operands()?;
    let stated = cx.results()?;
    let mut results = Vec::new();
    for (i, &operand) in operands.iter().enumerate() {
        let leaf = stated.get(i).ok_or_else(|| cx.fail(format!("lacks result {i}")))?;
        let to = cx.dtype_of(*leaf)?;
        // A process that receives from none gets zeros.
        let value = if one { operand } else { cx.b().zeros_like(operand)? };
        results.push(cx.b().convert(value, to)?);
    }
    Ok(all(&results))
}

/// Whether each of the processes is in a group by itself, rather than in none: the same for all of them.
fn alone(cx: &Cx<'_, '_>) -> Result<bool> {
    let (replicas, partitions) = processes(cx);
    let everyone = devices(cx);
    if everyone > MAX_PROCESSES as u64 {
        return Err(needs(cx, everyone));
    }
    let shape = Shape::new(replicas as usize, partitions as usize);
    let groups = shape.stated(cx.op).map_err(|message| cx.fail(message))?;
    let apart = groups.of.iter().filter(|group| group.is_none()).count() as u64;
    if groups.members.iter().any(|group| group.len() > 1) || (apart > 0 && apart < everyone) {
        return Err(needs(cx, everyone));
    }
    Ok(apart == 0)
}

/// The number of processes in a group; 0 if there is no group.
fn group_size(cx: &Cx<'_, '_>) -> Result<u64> {
    let everyone = devices(cx);
    Ok(match cx.op.attr("replica_groups") {
        None => everyone,
        Some(Attr::Dense(dense)) => {
            let dims = dense.ty.dims.as_deref().unwrap_or(&[]);
            let [Some(groups), Some(size)] = dims else {
                return Err(cx.fail("`replica_groups` is no list of lists"));
            };
            match (groups, size, cx.op.name()) {
                (0, _, "stablehlo.collective_broadcast") => 0,
                (0, ..) | (_, 0, _) => everyone,
                (_, size, _) => *size,
            }
        }
        Some(Attr::Array(groups)) => {
            let sizes = groups.iter().map(|g| g.integers().map_or(0, |g| g.len() as u64));
            sizes.max().unwrap_or(everyone)
        }
        Some(_) if everyone == 1 => 1,
        Some(_) => return Err(needs(cx, everyone)),
    })
}

fn needs(cx: &Cx<'_, '_>, devices: u64) -> jarrah_base::Error {
    cx.fail(format!("needs {devices} devices; the program is built for one"))
}

/// The replica or partition number of this process.
pub(super) fn position(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if let Some(place) = cx.lower.place {
        let number = if cx.op.name() == "stablehlo.replica_id" { place.replica } else { place.partition };
        return Ok(all(&[cx.constant(Literal::scalar(number as u32))?]));
    }
    if let Some(shape) = cx.lower.devices() {
        return spmd::position(cx, &shape);
    }
    let (replicas, partitions) = processes(cx);
    let count = if cx.op.name() == "stablehlo.replica_id" { replicas } else { partitions };
    if count > 1 {
        return Err(needs(cx, devices(cx)));
    }
    Ok(all(&[cx.constant(Literal::scalar(0u32))?]))
}

/// Refuses an op that communicates with the host or with another device.
pub(super) fn communication(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let (what, with) = match cx.op.name() {
        "stablehlo.infeed" => ("receives values from", "the host"),
        "stablehlo.outfeed" => ("sends values to", "the host"),
        "stablehlo.recv" => ("receives values from", "another device or the host"),
        _ => ("sends values to", "another device or the host"),
    };
    Err(cx.fail(format!("{what} {with} while the program runs, which is not supported")))
}
