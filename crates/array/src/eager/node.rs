//! Concrete arrays: their data, or the operation that will make it.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use jarrah_base::{DType, Error, Literal, Result, Source, Type};
use jarrah_hlo::ops::{Axes, BroadcastInDim};
use jarrah_runtime::{Buffer, HostSource};

use super::lazy::Recipe;
use super::tape::Tape;
use super::{cache, force, lazy, strict};
use crate::device::{Device, default_device};
use crate::live;
use crate::number::Number;
use crate::sharded::Shards;

/// A concrete array.
pub(crate) struct Node {
    ty: Type,
    source: Source,
    /// The device that the array was put on; an array without one moves to the device where it is used.
    device: Option<Device>,
    data: Data,
    /// The node that shares this node's buffer: neither node may donate the buffer while the other is alive.
    shares: Option<Arc<Node>>,
    /// The parts on the devices over which the array lies.
    shards: Option<Arc<Shards>>,
}

/// The data of a node, or how to get it. Reading the data of an array that is on a device takes no lock, as each call of a
/// compiled function does so for each argument.
enum Data {
    /// The data was on a device from the beginning.
    Placed(Place),
    /// The data is computed, or comes from the host, and may be on a device by now.
    Unplaced {
        place: OnceLock<Place>,
        /// How the data is obtained; `None` once `place` is set.
        state: Mutex<Option<State>>,
    },
}

/// The most devices that keep a copy of the data: on further devices it is copied at each use. The limit is there because an
/// array may outlive many clients, and its places keep them alive.
const MOST: usize = 16;

/// A device that the data of a node is on.
struct Place {
    buffer: Buffer,
    home: Device,
    /// The next device that the data was needed on, and was copied to.
    next: OnceLock<Box<Place>>,
}

impl Place {
    fn new(buffer: Buffer, home: Device) -> Place {
        Place { buffer, home, next: OnceLock::new() }
    }

    /// The buffer on `device`, if the data has been copied there.
    #[inline]
    fn on(&self, device: &Device) -> Option<&Buffer> {
        let mut place = self;
        while place.home != *device {
            place = place.next.get()?;
        }
        Some(&place.buffer)
    }

    /// Adds a device, unless the data is there, or on [`MOST`] devices.
    fn add(&self, new: Place) {
        let (mut place, mut new) = (self, Box::new(new));
        for _ in 1..MOST {
            if place.home == new.home {
                return;
            }
            match place.next.set(new) {
                Ok(()) => return,
                Err(back) => new = back,
            }
            match place.next.get() {
                Some(next) => place = next,
                None => return,
            }
        }
    }
}

/// Where the data of a node is.
#[derive(Clone)]
pub(super) enum State {
    /// In host memory.
    Host(Literal),
    /// All elements are this number.
    Scalar(Scalar),
    /// On this device.
    Ready(Buffer, Device),
    /// Cut over several devices, and nowhere else yet.
    Sharded,
    /// A result of an operation recorded on this tape, the value of this index.
    Pending(Arc<Tape>, u32),
    /// A result of an operation that is recorded only when the data is needed.
    Lazy(Arc<Recipe>),
    /// There is no data: the operation that computes it failed.
    Failed(Error),
}

/// A number with its dtype.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Scalar {
    dtype: DType,
    /// Its bytes, the first one lowest.
    bits: u128,
}

impl Scalar {
    /// The element of a literal without axes; `None` for a literal with axes.
    fn of(literal: &Literal) -> Option<Scalar> {
        let bytes = literal.bytes();
        if literal.ty().rank() > 0 || bytes.len() > size_of::<u128>() {
            return None;
        }
        let mut bits = [0; size_of::<u128>()];
        bits[..bytes.len()].copy_from_slice(bytes);
        Some(Scalar { dtype: literal.ty().dtype(), bits: u128::from_le_bytes(bits) })
    }

    /// A number in the most common dtypes; as [`Number::literal`] there.
    pub(super) fn of_number(number: Number, dtype: DType) -> Option<Scalar> {
        let bits = match (number, dtype) {
            (Number::Float(x), DType::F32) => (x as f32).to_bits().into(),
            (Number::Integer(x), DType::F32) => (x as f32).to_bits().into(),
            (Number::Float(x), DType::F64) => x.to_bits().into(),
            (Number::Integer(x), DType::I32) => i32::try_from(x).ok()?.cast_unsigned().into(),
            _ => return None,
        };
        Some(Scalar { dtype, bits })
    }

    pub(super) fn ty(self) -> Type {
        Type::scalar(self.dtype)
    }

    /// Calls `f` with the bytes of the number.
    pub(super) fn with_bytes<R>(self, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let bytes = self.bits.to_le_bytes();
        Ok(f(&bytes[..self.ty().bytes()?]))
    }

    pub(super) fn literal(self) -> Result<Literal> {
        self.with_bytes(|bytes| Literal::from_bytes(self.ty(), bytes))?
    }
}

/// The op that broadcasts a scalar to a tensor of type `ty`.
pub(super) fn fill(ty: Type) -> BroadcastInDim {
    BroadcastInDim { dims: ty.dims().iter().copied().collect(), axes: Axes::new() }
}

fn lock(state: &Mutex<Option<State>>) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Node {
    pub(super) fn new(ty: Type, source: Source, device: Option<Device>, state: State) -> Arc<Node> {
        Node::sharing(None, ty, source, device, state)
    }

    fn sharing(
        shares: Option<Arc<Node>>,
        ty: Type,
        source: Source,
        device: Option<Device>,
        state: State,
    ) -> Arc<Node> {
        let data = match state {
            State::Ready(buffer, home) => Data::Placed(Place::new(buffer, home)),
            state => Data::Unplaced { place: OnceLock::new(), state: Mutex::new(Some(state)) },
        };
        let node = Arc::new(Node { ty, source, device, data, shares, shards: None });
        live::made(&node);
        node
    }

    /// The part of an array that a device has; it keeps the array, whose memory it shares.
    pub(crate) fn part_of(whole: &Arc<Node>, part: Buffer, device: Device, source: Source) -> Arc<Node> {
        let (ty, home) = (part.ty(), device.clone());
        Node::sharing(Some(whole.clone()), ty, source, Some(device), State::Ready(part, home))
    }

    /// The node of an array that lies over several devices.
    pub(crate) fn from_shards(ty: Type, shards: Arc<Shards>, source: Source) -> Arc<Node> {
        let data = Data::Unplaced { place: OnceLock::new(), state: Mutex::new(Some(State::Sharded)) };
        let node = Node { ty, source, device: None, data, shares: None, shards: Some(shards) };
        let node = Arc::new(node);
        live::made(&node);
        node
    }

    /// The parts on the devices over which the array lies.
    #[inline]
    pub(crate) fn shards(&self) -> Option<&Arc<Shards>> {
        self.shards.as_ref()
    }

    fn whole(&self) -> Result<Literal> {
        let shards =
            self.shards().ok_or_else(|| Error::internal("an array over devices without its shards"))?;
        shards.whole(self.ty)
    }

    /// The node of a host tensor.
    pub(crate) fn from_literal(literal: Literal, source: Source) -> Arc<Node> {
        Node::new(literal.ty(), source, None, State::Host(literal))
    }

    /// The node of a constant: a scalar is held in the node.
    pub(crate) fn constant(literal: &Literal, source: Source) -> Arc<Node> {
        match Scalar::of(literal) {
            Some(scalar) => Node::new(literal.ty(), source, None, State::Scalar(scalar)),
            None => Node::from_literal(literal.clone(), source),
        }
    }

    /// A node for a buffer on the device `home`. With `put` the array is committed to that device.
    pub(crate) fn from_buffer(buffer: Buffer, home: Device, put: bool, source: Source) -> Arc<Node> {
        let (ty, device) = (buffer.ty(), put.then(|| home.clone()));
        Node::new(ty, source, device, State::Ready(buffer, home))
    }

    /// The device it was put on.
    #[inline]
    pub(crate) fn device(&self) -> Option<&Device> {
        self.device.as_ref()
    }

    /// The device that the data is on, or will be computed on.
    pub(crate) fn location(&self) -> Device {
        if let Some(device) = &self.device {
            return device.clone();
        }
        if let Some(shards) = &self.shards {
            return shards.device();
        }
        match self.state() {
            State::Ready(_, device) => device,
            State::Pending(tape, _) => tape.device().unwrap_or_else(default_device),
            State::Host(_) | State::Scalar(_) | State::Lazy(_) | State::Failed(_) | State::Sharded => {
                default_device()
            }
        }
    }

    /// The array committed to `device`: this node if it already is, otherwise a node with a copy, or with the same buffer if it
    /// lies there.
    pub(crate) fn put(self: &Arc<Self>, device: &Device, source: Source) -> Result<Arc<Node>> {
        if self.device.as_ref() == Some(device) {
            return Ok(self.clone());
        }
        super::settle(self)?;
        // Data that is on no device yet is uploaded straight to the target; other data is copied from its device.
        let home = match (&self.device, &self.state()) {
            (Some(home), _) | (None, State::Ready(_, home)) => home.clone(),
            _ => device.clone(),
        };
        let buffer = force(std::slice::from_ref(self), &home)?.pop();
        let buffer = buffer.ok_or_else(|| Error::internal("no buffer was made"))?;
        let shares = (self.shards.is_none() && device.has(&buffer, &home)).then(|| self.clone());
        let state = State::Ready(device.bring(&buffer, &home)?, device.clone());
        Ok(Node::sharing(shares, self.ty, source, Some(device.clone()), state))
    }

    #[inline]
    pub(crate) fn ty(&self) -> Type {
        self.ty
    }

    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// The buffer and device of the data; `None` before the data is on a device.
    #[inline]
    fn place(&self) -> Option<&Place> {
        match &self.data {
            Data::Placed(place) => Some(place),
            Data::Unplaced { place, .. } => place.get(),
        }
    }

    /// The result of `f` for the state of the data; `None` once the data is on a device.
    pub(super) fn unplaced<R>(&self, f: impl FnOnce(&State) -> Option<R>) -> Option<R> {
        match &self.data {
            Data::Unplaced { place, state } if place.get().is_none() => lock(state).as_ref().and_then(f),
            _ => None,
        }
    }

    pub(super) fn state(&self) -> State {
        if let Some(state) = self.unplaced(|state| Some(state.clone())) {
            return state;
        }
        // `place` is always set before the state is taken.
        let place = self.place().expect("invariant: without a state there is a place");
        State::Ready(place.buffer.clone(), place.home.clone())
    }

    pub(super) fn set(&self, new: State) {
        let (place, state) = match &self.data {
            Data::Placed(place) => {
                if let State::Ready(buffer, home) = new {
                    place.add(Place::new(buffer, home));
                }
                return;
            }
            Data::Unplaced { place, state } => (place, state),
        };
        let new = match new {
            State::Ready(buffer, home) => {
                if let Err(another) = place.set(Place::new(buffer, home))
                    && let Some(first) = place.get()
                {
                    first.add(another);
                }
                None
            }
            new => Some(new),
        };
        // The old state may hold the last reference to other nodes, so it is dropped after the lock is released.
        let _old = std::mem::replace(&mut *lock(state), new);
    }

    /// The number that all elements are, if that is known.
    pub(super) fn scalar(&self) -> Option<Scalar> {
        self.unplaced(|state| match state {
            State::Scalar(scalar) => Some(*scalar),
            _ => None,
        })
    }

    /// Whether the operation that computes the data has been recorded but not run.
    pub(crate) fn is_pending(&self) -> bool {
        self.unplaced(|state| matches!(state, State::Pending(..) | State::Lazy(_)).then_some(())).is_some()
    }

    /// The data in host memory.
    pub(crate) fn literal(self: &Arc<Self>) -> Result<Literal> {
        let here = self.unplaced(|state| match state {
            State::Host(literal) => Some(Ok(literal.clone())),
            State::Scalar(scalar) if self.ty.rank() == 0 => Some(scalar.literal()),
            State::Sharded => Some(self.whole()),
            _ => None,
        });
        if let Some(literal) = here {
            return literal;
        }
        super::settle(self)?;
        let buffer = force(std::slice::from_ref(self), &self.location())?.pop();
        buffer.ok_or_else(|| Error::internal("no buffer was made"))?.read().map_err(|e| self.explain(e))
    }

    /// Whether this is the only reference to the node, and to the node whose buffer it shares.
    pub(crate) fn is_sole(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) == 1 && self.shares.as_ref().is_none_or(Node::is_sole)
    }

    /// Drops this reference; returns whether it was the last one to the node and to its data.
    pub(crate) fn release(self: Arc<Self>) -> bool {
        Arc::into_inner(self).is_some_and(|node| node.shares.is_none_or(Node::release))
    }

    /// The recipe of a lazy array of which this is the only reference.
    pub(super) fn into_recipe(self: Arc<Self>) -> Option<Arc<Recipe>> {
        let node = Arc::into_inner(self)?;
        let Data::Unplaced { state, .. } = node.data else { return None };
        match state.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            Some(State::Lazy(recipe)) => Some(recipe),
            _ => None,
        }
    }

    /// The error of a run as that of this array.
    pub(super) fn explain(&self, error: Error) -> Error {
        match self.source.location {
            Some(location) if error.location().is_some() => error.label(location, "the operation started"),
            Some(location) => error.at(location),
            None => error,
        }
    }

    /// The buffer of the data on `device`, if there is one.
    #[inline]
    pub(crate) fn ready_on(&self, device: &Device) -> Option<&Buffer> {
        self.place()?.on(device)
    }

    /// The data on `device`, copied there if necessary. Requires that the operation that computes it has run.
    pub(super) fn bring(&self, device: &Device) -> Result<Buffer> {
        if let Some(buffer) = self.ready_on(device) {
            return Ok(buffer.clone());
        }
        let buffer = match self.state() {
            State::Ready(buffer, home) => device.bring(&buffer, &home)?,
            State::Host(literal) => device.client().buffer_from_host(
                literal.ty(),
                match literal.lender() {
                    Some(view) => HostSource::Shared(view.clone()),
                    None => HostSource::Borrowed(literal.bytes()),
                },
                device.id().into(),
            )?,
            // A fresh buffer instead of the shared one of this number, as the array may be donated.
            State::Scalar(scalar) if self.ty.rank() == 0 => cache::upload(scalar, device)?,
            State::Scalar(_) => strict::fill(self, device)?,
            State::Failed(error) => return Err(error),
            State::Sharded => {
                // Not kept, so that a function that is compiled for the devices is never run on one.
                let whole = self.whole()?;
                let source = HostSource::Borrowed(whole.bytes());
                return device.client().buffer_from_host(whole.ty(), source, device.id().into());
            }
            State::Pending(..) | State::Lazy(_) => {
                return Err(Error::internal("an array was not computed"));
            }
        };
        self.set(State::Ready(buffer.clone(), device.clone()));
        Ok(buffer)
    }

    /// The result of an operation that is recorded when somebody asks for its data.
    pub(super) fn lazy(ty: Type, source: Source, device: Option<Device>, recipe: &Arc<Recipe>) -> Arc<Node> {
        Node::new(ty, source, device, State::Lazy(recipe.clone()))
    }

    /// Records the operation that computes the data, if it has not been recorded.
    pub(super) fn schedule(self: &Arc<Self>) -> Result<()> {
        let lazy = self.unplaced(|state| matches!(state, State::Lazy(_)).then_some(()));
        if lazy.is_some() { lazy::schedule(self) } else { Ok(()) }
    }
}
