//! Which functions call which, and how deep.

use rustc_hash::FxHashMap;

use crate::MAX_DEPTH;
use crate::ir::{Attr, IrOp};

/// How deep the calls of a function nest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Calls {
    /// So many functions, itself included, at most [`MAX_DEPTH`].
    Deep(usize),
    TooDeep,
    /// The function calls itself, perhaps by way of others, or calls a function that calls itself.
    Endless,
}

/// The functions that an op and the ops inside it call.
pub(super) fn callees(op: &IrOp, all: &mut Vec<String>) {
    for attr in ["callee", "decomposition"] {
        if let Some(Attr::Symbol(path)) = op.attr(attr) {
            all.push(path.join("::"));
        }
    }
    op.regions.iter().flat_map(|region| &region.ops).for_each(|inner| callees(inner, all));
}

/// How deep the calls of each function nest: known before anything follows them, for whatever does is recursive.
pub(super) fn depths(functions: &FxHashMap<String, &IrOp>) -> FxHashMap<String, Calls> {
    struct Frame {
        name: String,
        callees: Vec<String>,
        deepest: Calls,
    }
    let enter = |name: &str| {
        let mut all = Vec::new();
        if let Some(op) = functions.get(name) {
            callees(op, &mut all);
        }
        Frame { name: name.to_owned(), callees: all, deepest: Calls::Deep(0) }
    };
    // A function that is being followed counts as endless: only a call back to it asks.
    let mut depths: FxHashMap<String, Calls> = FxHashMap::default();
    for name in functions.keys() {
        if depths.contains_key(name) {
            continue;
        }
        depths.insert(name.clone(), Calls::Endless);
        let mut open = vec![enter(name)];
        while let Some(frame) = open.last_mut() {
            let Some(callee) = frame.callees.pop() else {
                let own = match frame.deepest {
                    Calls::Deep(n) if n < MAX_DEPTH => Calls::Deep(n + 1),
                    Calls::Deep(_) | Calls::TooDeep => Calls::TooDeep,
                    Calls::Endless => Calls::Endless,
                };
                depths.insert(std::mem::take(&mut frame.name), own);
                open.pop();
                if let Some(caller) = open.last_mut() {
                    caller.deepest = deeper(caller.deepest, own);
                }
                continue;
            };
            match depths.get(&callee) {
                Some(&known) => frame.deepest = deeper(frame.deepest, known),
                None => {
                    depths.insert(callee.clone(), Calls::Endless);
                    let next = enter(&callee);
                    open.push(next);
                }
            }
        }
    }
    depths
}

fn deeper(a: Calls, b: Calls) -> Calls {
    match (a, b) {
        (Calls::Endless, _) | (_, Calls::Endless) => Calls::Endless,
        (Calls::TooDeep, _) | (_, Calls::TooDeep) => Calls::TooDeep,
        (Calls::Deep(a), Calls::Deep(b)) => Calls::Deep(a.max(b)),
    }
}
