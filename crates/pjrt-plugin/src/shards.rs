//! Tensors that are cut over the devices of a run.
//!
//! The program is that of whole tensors. An argument whose parts lie on the devices is joined for each device that computes, and of a
//! result each device gets its part: the values are right, whatever the program does, and nothing is saved by the devices
//! being many.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::{HostView, Result, Type};
use jarrah_hlo::sharding::TileSharding;
use jarrah_runtime::{Buffer, BufferPromise, HostSource, Placement, Reader};

use crate::client::Shared;
use crate::failure::{Failure, Outcome};
use crate::order::Order;

/// The part of a tensor that each device of a run has.
pub struct Shards {
    /// The type of the buffer that holds the whole tensor.
    whole: Type,
    /// By device, the range along each axis of that buffer.
    slices: Vec<Vec<Range<usize>>>,
}

impl Shards {
    /// The parts of a tensor over so many devices; `None` if each of them has all of it.
    pub fn of(sharding: &TileSharding, devices: usize, ty: Type, order: &Order) -> Result<Option<Shards>> {
        if devices == 1 || sharding.is_replicated() {
            return Ok(None);
        }
        let dims: Vec<usize> = ty.extents().collect();
        let mut slices = sharding.slices(devices, &dims)?;
        for slice in &mut slices {
            *slice = order.axes().iter().map(|&axis| slice[axis].clone()).collect();
        }
        Ok(Some(Shards { whole: order.stored(ty), slices }))
    }

    /// The type of the buffer that holds a part.
    fn part(&self) -> Type {
        self.whole.with_dims(self.slices[0].iter().map(Range::len))
    }

    /// The whole tensor at a place, of the part that each device has.
    pub fn join(&self, shared: &Shared, parts: &[&Buffer], place: Placement) -> Outcome<Buffer> {
        let part = self.part();
        if let Some(other) = parts.iter().find(|buffer| buffer.ty() != part) {
            let other = other.ty();
            return Err(Failure::invalid(format!("a part of type {other} was given, it has to be {part}")));
        }
        let (buffer, promise) = shared.client.promise(self.whole, place)?;
        let mut kept: Vec<(Vec<Range<usize>>, Reader)> = Vec::new();
        for (slice, buffer) in self.slices.iter().zip(parts) {
            if !kept.iter().any(|(known, _)| known == slice) {
                kept.push((slice.clone(), buffer.reader()?));
            }
        }
        let bytes = self.whole.bytes()?;
        keep_when_read(
            kept,
            promise,
            move |whole: Type, kept| {
                let mut joined = vec![0; bytes];
                for (slice, view) in kept {
                    rows(whole, &slice, |at, from, len| {
                        joined[at..at + len].copy_from_slice(&view.bytes()[from..from + len]);
                    });
                }
                joined
            },
            self.whole,
        );
        Ok(buffer)
    }

    /// The part of a whole tensor that a device has, at a place.
    pub fn cut(&self, shared: &Shared, whole: &Buffer, device: usize, place: Placement) -> Outcome<Buffer> {
        let part = self.part();
        let (buffer, promise) = shared.client.promise(part, place)?;
        let bytes = part.bytes()?;
        let kept = vec![(self.slices[device].clone(), whole.reader()?)];
        keep_when_read(
            kept,
            promise,
            move |whole: Type, kept| {
                let mut own = vec![0; bytes];
                for (slice, view) in kept {
                    rows(whole, &slice, |from, at, len| {
                        own[at..at + len].copy_from_slice(&view.bytes()[from..from + len]);
                    });
                }
                own
            },
            self.whole,
        );
        Ok(buffer)
    }
}

/// Keeps a promise with what `make` makes of tensors, once all of them are there; nothing waits meanwhile.
fn keep_when_read(
    read: Vec<(Vec<Range<usize>>, Reader)>,
    promise: BufferPromise,
    make: impl FnOnce(Type, Vec<(Vec<Range<usize>>, HostView)>) -> Vec<u8> + Send + 'static,
    whole: Type,
) {
    let events: Vec<_> = read.iter().map(|(_, reader)| reader.ready().clone()).collect();
    let missing = Arc::new(AtomicUsize::new(events.len()));
    let work = Arc::new(Mutex::new(Some((read, promise, make))));
    for event in events {
        let (missing, work) = (missing.clone(), work.clone());
        event.on_ready(move |_| {
            if missing.fetch_sub(1, Ordering::AcqRel) != 1 {
                return;
            }
            let taken = work.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((read, promise, make)) = taken else { return };
            let views = read.into_iter().map(|(slice, reader)| Ok((slice, reader.view()?)));
            let made = views.collect::<Result<Vec<_>>>().map(|views| make(whole, views));
            promise.keep(made.map(|bytes| HostSource::Shared(HostView::new(bytes))));
        });
    }
}

/// The runs of neighbouring bytes of a part: where each begins in the whole tensor, where in the part, and its length.
fn rows(whole: Type, slice: &[Range<usize>], mut visit: impl FnMut(usize, usize, usize)) {
    let size = whole.dtype().size();
    let Some((last, outer)) = slice.split_last() else { return visit(0, 0, size) };
    if slice.iter().any(Range::is_empty) {
        return;
    }
    let len = last.len() * size;
    let mut index: Vec<usize> = outer.iter().map(|range| range.start).collect();
    let mut part = 0;
    loop {
        let before = index.iter().enumerate().fold(0, |at, (axis, i)| at * whole.dim(axis) + i);
        visit((before * whole.dim(outer.len()) + last.start) * size, part, len);
        part += len;
        let Some(axis) = (0..outer.len()).rev().find(|&axis| index[axis] + 1 < outer[axis].end) else {
            return;
        };
        index[axis] += 1;
        for later in axis + 1..outer.len() {
            index[later] = outer[later].start;
        }
    }
}
