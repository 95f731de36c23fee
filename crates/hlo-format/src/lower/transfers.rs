//! Values that devices send to devices: a send and the receive of its channel and pairs, which follows in the same region.
//!
//! All devices run one program, so both are one permutation, in the place of the receive.

use jarrah_base::{Error, Result};
use jarrah_hlo::Value;

use super::block::Outcome;
use super::cx::Cx;
use super::parallel::{channel, source_target_pairs};
use super::types;
use crate::ir::{Attr, IrModule, IrOp};

/// The values that are sent and not yet received, in the order of their sends.
#[derive(Default)]
pub(super) struct Sends<'a>(Vec<(&'a IrOp, Vec<Value>)>);

impl Sends<'_> {
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
fn is_of_host(op: &IrOp) -> bool {
    let kind = match op.attr("channel_handle") {
        Some(Attr::Struct(_, fields)) => fields.get("type").and_then(Attr::integer),
        _ => None,
    };
    matches!(kind, Some(2 | 3)) || matches!(op.attr("is_host_transfer"), Some(Attr::Unit | Attr::Bool(true)))
}

/// Keeps what an op sends until it is received.
pub(super) fn send(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    if !is_transfer(cx.op) {
        return Err(refused(cx));
    }
    let values = cx.operands()?.to_vec();
    cx.block.sends.0.push((cx.op, values));
    Ok(Outcome::new())
}

/// What the send of the op's channel and pairs has sent.
///
/// # Errors
/// There is no such send before, or it sends values of other types.
pub(super) fn sent(cx: &mut Cx<'_, '_>) -> Result<Vec<Value>> {
    let over = |op: &IrOp| (channel(op), source_target_pairs(op));
    let wanted = over(cx.op);
    let Some(at) = cx.block.sends.0.iter().position(|(op, _)| over(op) == wanted) else {
        let error = cx.fail("receives values that nothing has sent");
        return Err(
            error.help("a `stablehlo.send` of the same channel and pairs has to precede in the same region")
        );
    };
    let (_, values) = cx.block.sends.0.remove(at);
    let stated = cx.results()?;
    let fits = |(stated, &value): (&types::Leaf<'_>, &Value)| stated.admits(cx.ty(value));
    if stated.len() != values.len() || !stated.iter().zip(&values).all(fits) {
        let given: Vec<String> = values.iter().map(|&value| cx.ty(value).to_string()).collect();
        let stated: Vec<String> = stated.iter().map(|leaf| types::describe(leaf.tensor())).collect();
        let (given, stated) = (given.join(", "), stated.join(", "));
        return Err(cx.fail(format!("receives {stated}, but {given} is sent over its channel")));
    }
    Ok(values)
}

/// The error that an op communicates with the host, or with a device that it does not name.
pub(super) fn refused(cx: &Cx<'_, '_>) -> Error {
    let what = match cx.op.name() {
        "stablehlo.infeed" | "stablehlo.recv" => "receives values from",
        _ => "sends values to",
    };
    let is_feed = matches!(cx.op.name(), "stablehlo.infeed" | "stablehlo.outfeed");
    match is_feed || is_of_host(cx.op) {
        true => cx.fail(format!("{what} the host while the program runs, which is not supported")),
        false => {
            cx.fail(format!("{what} another device without `source_target_pairs`, which name the devices"))
        }
    }
}
