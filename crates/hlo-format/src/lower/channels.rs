//! Values that devices send to devices: a send and the receive of its channel and pairs, which follows in the same region.
//!
//! All devices run one program, so both are one permutation, in the place of the receive.

use jarrah_base::Result;
use jarrah_hlo::Value;

use super::ragged::attributes;
use crate::ir::{Attr, IrModule, IrOp};

/// The values that are sent and not yet received, in the order of their sends.
#[derive(Default)]
pub(super) struct Sends<'a>(Vec<(&'a IrOp, Vec<Value>)>);

impl<'a> Sends<'a> {
    /// Keeps what an op sends until it is received.
    pub fn push(&mut self, op: &'a IrOp, values: Vec<Value>) {
        self.0.push((op, values));
    }

    /// The values of the first send over the channel of a receive and between its pairs.
    pub fn take(&mut self, receive: &IrOp) -> Option<Vec<Value>> {
        let over = |op: &IrOp| (channel(op), source_target_pairs(op));
        let wanted = over(receive);
        let at = self.0.iter().position(|(op, _)| over(op) == wanted)?;
        Some(self.0.remove(at).1)
    }

    /// Checks that nothing is left where a region ends.
    ///
    /// # Errors
    /// A value was sent and not received.
    pub fn check_received(&self, module: &IrModule) -> Result<()> {
        let Some((op, _)) = self.0.first() else { return Ok(()) };
        let error = module.error(op, "sends values that nothing receives");
        Err(error.help("a `stablehlo.recv` of the same channel and pairs has to follow in the same region"))
    }
}

/// Whether an op sends values to devices, or receives them, and says between which.
pub(super) fn is_transfer(op: &IrOp) -> bool {
    let named = matches!(op.name(), "stablehlo.send" | "stablehlo.recv");
    named && !is_of_host(op) && op.attr("source_target_pairs").is_some()
}

/// Whether an op exchanges values with the host.
pub(super) fn is_of_host(op: &IrOp) -> bool {
    let kind = match op.attr("channel_handle") {
        Some(Attr::Struct(_, fields)) => fields.get("type").and_then(Attr::integer),
        _ => None,
    };
    matches!(kind, Some(2 | 3)) || matches!(op.attr("is_host_transfer"), Some(Attr::Unit | Attr::Bool(true)))
}

/// The number of the op's channel; 0 if it names none.
pub(super) fn channel(op: &IrOp) -> i64 {
    let attributes = attributes(op);
    match attributes.get("channel_handle").or(attributes.get("channel_id")) {
        Some(Attr::Integer(id, _)) => i64::try_from(*id).unwrap_or(0),
        Some(Attr::Struct(_, fields)) => fields.get("handle").and_then(Attr::integer).unwrap_or(0),
        _ => 0,
    }
}

/// The pairs of a `collective_permute`.
pub(super) fn source_target_pairs(op: &IrOp) -> Option<Vec<[usize; 2]>> {
    let numbers = op.attr("source_target_pairs").and_then(Attr::integers)?;
    let numbers: Option<Vec<usize>> = numbers.iter().map(|&n| usize::try_from(n).ok()).collect();
    let numbers = numbers.filter(|n| n.len().is_multiple_of(2))?;
    Some(numbers.chunks(2).map(|pair| [pair[0], pair[1]]).collect())
}
