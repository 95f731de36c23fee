//! Adding rows to a tensor, and removing them: bytes are copied, and nothing is compiled.

use std::sync::Arc;

use jarrah_base::{Error, HostView, Literal, Result, Source, Type, memory};
use jarrah_hlo::RowGrowth;
use jarrah_runtime::HostSource;

use super::node::State;
use super::{Node, force, settle};

/// The alignment of host memory that devices use without a copy.
const ALIGNMENT: usize = 64;

/// A byte range of another host view, which it keeps alive.
struct Part {
    of: HostView,
    start: usize,
    len: usize,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.of.bytes()[self.start..][..self.len]
    }
}

struct Bytes(Literal);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// Zeroed memory for `len` bytes, and the offset in it at which the aligned bytes start.
fn aligned(len: usize) -> (Vec<u8>, usize) {
    let memory = vec![0; len + ALIGNMENT];
    let start = memory.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
    (memory, start)
}

/// The tensor padded to `rows` rows with copies of its last row. The padding repeats real values, so that a loop that runs until
/// each row is done still ends, and an operation that fails on some values does not fail on padding.
pub(crate) fn padded(node: &Arc<Node>, rows: usize, source: Source) -> Result<Arc<Node>> {
    let ty = node.ty().without_leading().with_leading(rows);
    let len = ty.bytes()?;
    memory::check(len, &ty)?;
    remade(node, ty, source, move |view| {
        let (mut memory, start) = aligned(len);
        let given = view.bytes();
        let (known, added) = memory[start..][..len].split_at_mut(given.len());
        known.copy_from_slice(given);
        let row = len / rows.max(1);
        for place in added.chunks_exact_mut(row.max(1)) {
            place.copy_from_slice(&given[given.len() - row..]);
        }
        HostView::new(Part { of: HostView::new(memory), start, len })
    })
}

/// The positions of the first `rows` rows of a tensor that grows.
pub(crate) fn cut(node: &Arc<Node>, growth: RowGrowth, rows: usize, source: Source) -> Result<Arc<Node>> {
    let RowGrowth { axis, each } = growth;
    let mut dims = node.ty().dims();
    let outer: usize = dims[..axis].iter().product();
    dims[axis] = each * rows;
    let ty = node.ty().with_dims(dims);
    let len = ty.bytes()?;
    remade(node, ty, source, move |view| {
        if outer <= 1 {
            return HostView::new(Part { of: view, start: 0, len });
        }
        let (mut memory, start) = aligned(len);
        let (long, short) = (view.bytes().len() / outer, len / outer);
        for i in 0..outer {
            memory[start + i * short..][..short].copy_from_slice(&view.bytes()[i * long..][..short]);
        }
        HostView::new(Part { of: HostView::new(memory), start, len })
    })
}

/// A tensor of type `ty` with the bytes that `make` returns for the bytes of `node`; `make` runs once these are computed.
fn remade(
    node: &Arc<Node>,
    ty: Type,
    source: Source,
    make: impl FnOnce(HostView) -> HostView + Send + 'static,
) -> Result<Arc<Node>> {
    let device = node.location();
    let (client, place) = (device.client(), device.id().into());
    let host = node.unplaced(|state| match state {
        State::Host(literal) => Some(HostView::new(Bytes(literal.clone()))),
        _ => None,
    });
    let buffer = if let Some(view) = host {
        client.buffer_from_host(ty, HostSource::Shared(make(view)), place)?
    } else {
        settle(node)?;
        let buffer = force(std::slice::from_ref(node), &device)?.pop();
        let reader = buffer.ok_or_else(|| Error::internal("no buffer was made"))?.reader()?;
        if reader.ready().is_ready() {
            let view = reader.view().map_err(|error| node.explain(error))?;
            client.buffer_from_host(ty, HostSource::Shared(make(view)), place)?
        } else {
            let (buffer, promise) = client.promise(ty, place)?;
            let ready = reader.ready().clone();
            ready.on_ready(move |_| promise.keep(reader.view().map(|view| HostSource::Shared(make(view)))));
            buffer
        }
    };
    Ok(Node::from_buffer(buffer, device.clone(), node.device().is_some(), source))
}
