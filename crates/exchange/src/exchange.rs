//! The trait of all forms of exchange.

use jarrah_base::Result;

use crate::collectives;
use crate::messages::{CollectiveCall, Combine, Messages, Receive, ReceiveInto};

/// Messages and collectives between the processes of a run, or the threads of one.
///
/// Every call blocks until its part of the collective is done. Threads may be in several collectives at once, under different tags.
/// A *group* is a list of ranks without repetition that contains the caller's; all members give the same list, and its order is the
/// order of pieces and of sums.
///
/// **Bits.** Elements are combined strictly in the order of the group, `((x0 + x1) + x2) + ...`, whatever the form, the sizes and
/// the arrival of messages, so the result has the bits of a single process that does the same.
///
/// **Errors.** Every call can fail, and a failure is final: all later calls of all ranks fail with the same cause. The error names the
/// rank at fault, the collective, its step and its source line. Causes are: a rank was killed, has stopped answering, sent bytes
/// that no correct process sends, called [`Messages::abort`], closed its exchange before its part was done, or differs in its view of a message's length.
///
/// **Other forms.** A form gives [`Messages`]: its `transfer` MPI has as `Isend`, `Irecv` and `Waitall` and NCCL as a group of sends
/// and receives; the collectives follow from it, with the same bits. It may replace those that it does better, sums in the
/// order of the group provided.
///
/// ```
/// use jarrah_exchange::{CollectiveCall, Combine, Exchange, Tag, Threads};
/// let add = |into: &mut [u8], from: &[u8]| into.iter_mut().zip(from).for_each(|(a, b)| *a += b);
/// let sum = |exchange: &dyn Exchange| {
///     let mut bytes = [exchange.rank() as u8 + 1; 4];
///     let collective = CollectiveCall::new("all_reduce", Tag { step: 1, ..Tag::default() });
///     exchange.all_reduce(&collective, &[0, 1], &mut bytes, Combine { element: 1, function: &add })?;
///     exchange.close()?;
///     Ok::<_, jarrah_base::Error>(bytes)
/// };
/// let ranks = Threads::start(2);
/// std::thread::scope(|scope| {
///     let sums: Vec<_> = ranks.iter().map(|rank| scope.spawn(move || sum(&**rank).unwrap())).collect();
///     assert!(sums.into_iter().all(|sum| sum.join().unwrap() == [3; 4]));
/// });
/// ```
pub trait Exchange: Messages {
    /// Sends bytes to another rank, and returns when they may be changed.
    ///
    /// # Errors
    /// See the trait. It is an error to send to oneself.
    fn send(&self, collective: &CollectiveCall<'_>, to: usize, bytes: &[u8]) -> Result<()> {
        self.transfer(collective, collectives::MESSAGE, &[(to, bytes)], &mut [])
    }

    /// Receives the bytes that another rank sends under this tag.
    ///
    /// # Errors
    /// See the trait. It is an error to receive from oneself.
    fn receive(&self, collective: &CollectiveCall<'_>, from: usize, into: ReceiveInto<'_>) -> Result<()> {
        self.transfer(collective, collectives::MESSAGE, &[], &mut [Receive { from, into }])
    }

    /// Gives `pieces[i]` to `group[i]` and returns the pieces that the members have for this rank, in the order of the group.
    ///
    /// # Errors
    /// See the trait.
    fn all_to_all(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        pieces: &[&[u8]],
    ) -> Result<Vec<Vec<u8>>> {
        collectives::all_to_all(self, collective, group, pieces)
    }

    /// The bytes of all members, in the order of the group. Lengths may differ.
    ///
    /// # Errors
    /// See the trait.
    fn all_gather(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        bytes: &[u8],
    ) -> Result<Vec<Vec<u8>>> {
        collectives::all_to_all(self, collective, group, &vec![bytes; group.len()])
    }

    /// Gathers the bytes of all members, all of one length, one after another into `into`.
    ///
    /// # Errors
    /// See the trait, and `into` does not have the length of all bytes together.
    fn all_gather_into(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        bytes: &[u8],
        into: &mut [u8],
    ) -> Result<()> {
        collectives::all_gather_into(self, collective, group, bytes, into)
    }

    /// Sets `bytes` of all members to those of the rank `root`, of the same length.
    ///
    /// # Errors
    /// See the trait, and `root` is no member.
    fn broadcast(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        root: usize,
        bytes: &mut [u8],
    ) -> Result<()> {
        collectives::broadcast(self, collective, group, root, bytes)
    }

    /// Returns when all members have called it.
    ///
    /// # Errors
    /// See the trait.
    fn barrier(&self, collective: &CollectiveCall<'_>, group: &[usize]) -> Result<()> {
        collectives::all_to_all(self, collective, group, &vec![&[][..]; group.len()]).map(|_| ())
    }

    /// Sets `bytes` of all members, of one length, to their combination in the order of the group.
    ///
    /// # Errors
    /// See the trait, and the length is no multiple of the element's.
    fn all_reduce(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        bytes: &mut [u8],
        combine: Combine<'_>,
    ) -> Result<()> {
        collectives::all_reduce(self, collective, group, bytes, combine)
    }

    /// Cuts `bytes` into as many equal pieces as there are members, and sets `into` to the combination of all members' pieces at this
    /// rank's place in the group, in the order of the group.
    ///
    /// # Errors
    /// See the trait; `bytes` is not as long as `into` times the group, or `into` no multiple of the element.
    fn reduce_scatter(
        &self,
        collective: &CollectiveCall<'_>,
        group: &[usize],
        bytes: &[u8],
        into: &mut [u8],
        combine: Combine<'_>,
    ) -> Result<()> {
        collectives::reduce_scatter(self, collective, group, bytes, into, combine)
    }
}
