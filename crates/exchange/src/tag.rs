//! The names of collectives, by which their messages meet.

/// The name of a collective in a run: all its members give the same one, and no other collective of theirs at the same time has it.
///
/// Messages of one tag meet in the order in which they were sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Tag {
    /// The devices of the run, as a number: runs of other devices at the same time have another one.
    pub devices: u32,
    /// The number of the run among those of its devices.
    pub run: u32,
    /// The number of the collective in its program.
    pub step: u32,
    /// The number of the group in the collective, where several exchange values at the same time.
    pub group: u32,
    /// The iteration of the loop around the collective.
    pub turn: u64,
}
