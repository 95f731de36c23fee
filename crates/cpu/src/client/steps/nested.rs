//! The memory of programs inside of ops.

use jarrah_base::{Error, Result};
use jarrah_compiler::{Assignment, NestedAssignment};

use crate::client::frame::Loc;
use crate::client::site::{Array, Site};

/// The memory of the programs of an op.
pub(super) fn nested<'a>(site: &Site<'a>) -> Result<&'a NestedAssignment> {
    let lost = || Error::internal("an op with programs, without an assignment of their memory");
    site.block.assignment.nested.get(&site.index).ok_or_else(lost)
}

/// The memory of one of the programs.
pub(super) fn assignment(nested: &NestedAssignment, index: usize) -> Result<&Assignment> {
    nested.programs.get(index).ok_or_else(|| Error::internal("a program without an assignment"))
}

/// The start of the temporaries of the programs of `site`.
pub(super) fn arena(site: &Site<'_>, nested: &NestedAssignment) -> Loc {
    Loc { offset: site.block.arena.offset + nested.offset, ..site.block.arena }
}

/// The places of arrays.
pub(super) fn locs(arrays: &[Array]) -> Vec<Loc> {
    arrays.iter().map(|a| a.loc).collect()
}
