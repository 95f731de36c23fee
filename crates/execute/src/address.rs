//! Places in the memory of devices, and in the copies that other devices read.

/// A place in a device's memory.
pub trait BackendAddress: Copy + Default + PartialEq + Send + Sync + 'static {
    /// The place so many bytes behind this one.
    fn plus(self, bytes: usize) -> Self;
}

/// The operand and the result of a member of a collective.
pub(crate) type Posted<A> = (A, A);

/// A place of the memory of a device, or of a copy of its bytes from `start` on.
#[derive(Clone, Copy)]
pub(crate) struct Seen<A> {
    address: A,
    start: usize,
}

impl<A: BackendAddress> Seen<A> {
    /// Memory of a device of this process.
    pub fn whole(address: A) -> Seen<A> {
        Seen { address, start: 0 }
    }

    /// A copy of the bytes from `start` on.
    pub fn copy(address: A, start: usize) -> Seen<A> {
        Seen { address, start }
    }

    /// The address of a byte.
    pub fn at(self, byte: usize) -> A {
        self.address.plus(byte - self.start)
    }
}

/// The memory of a rank that others read.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Read {
    Operands,
    Results,
}
