//! The collectives as transfers: the definitions that hold for every form of exchange.

use std::ops::Range;

use jarrah_base::{Error, Result};

use crate::messages::{CollectiveCall, Combine, Messages, Receive, ReceiveInto};

/// The phase of messages between two ranks.
pub(crate) const MESSAGE: u8 = 0;
/// The phase of collectives that take one.
const ONLY: u8 = 1;
/// The phase in which each rank receives the sums of all pieces.
const GATHER: u8 = 2;

/// All-reduces up to this size send everything to everyone: one step of small messages instead of two.
const SMALL: usize = 16 << 10;

/// An error of arguments, which only the caller sees: no message was sent yet.
fn misuse(collective: &CollectiveCall<'_>, message: String) -> Error {
    let error = Error::program(message).op(collective.name);
    match collective.location {
        Some(location) => error.at(location),
        None => error,
    }
}

/// The caller's place in the group.
pub(crate) fn place<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
) -> Result<usize> {
    let mut seen = vec![false; exchange.size()];
    for &rank in group {
        match seen.get_mut(rank) {
            Some(seen) if !*seen => *seen = true,
            Some(_) => {
                return Err(misuse(collective, format!("rank {rank} stands twice in the group {group:?}")));
            }
            None => {
                let size = exchange.size();
                return Err(misuse(
                    collective,
                    format!("rank {rank} of the group is not among {size} ranks"),
                ));
            }
        }
    }
    let own = exchange.rank();
    group
        .iter()
        .position(|&rank| rank == own)
        .ok_or_else(|| misuse(collective, format!("the group {group:?} lacks the rank {own} that calls")))
}

fn check_elements(collective: &CollectiveCall<'_>, length: usize, combine: Combine<'_>) -> Result<()> {
    match combine.element != 0 && length.is_multiple_of(combine.element) {
        true => Ok(()),
        false => Err(misuse(
            collective,
            format!("{length} bytes are no whole number of elements of {} bytes", combine.element),
        )),
    }
}

/// The messages to all members but the caller, given one for each member.
fn to_others<'a>(
    group: &[usize],
    place: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<(usize, &'a [u8])> {
    let mut sends: Vec<_> = group.iter().copied().zip(pieces).collect();
    // The members after this one first, so that not all begin with the same.
    sends.rotate_left(place);
    sends.remove(0);
    sends
}

pub(crate) fn all_to_all<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    pieces: &[&[u8]],
) -> Result<Vec<Vec<u8>>> {
    let place = place(exchange, collective, group)?;
    if pieces.len() != group.len() {
        return Err(misuse(collective, format!("{} pieces for {} ranks", pieces.len(), group.len())));
    }
    let mut received = vec![Vec::new(); group.len()];
    received[place].extend_from_slice(pieces[place]);
    let mut receives: Vec<Receive<'_>> = group
        .iter()
        .zip(&mut received)
        .enumerate()
        .filter(|(i, _)| *i != place)
        .map(|(_, (&from, into))| Receive { from, into: ReceiveInto::Any(into) })
        .collect();
    let sends = to_others(group, place, pieces.iter().copied());
    exchange.transfer(collective, ONLY, &sends, &mut receives)?;
    Ok(received)
}

/// `bytes` cut at the ends of these ranges, which follow one another.
fn cut<'a>(mut bytes: &'a mut [u8], ranges: &[Range<usize>]) -> Vec<&'a mut [u8]> {
    let mut pieces = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (piece, rest) = bytes.split_at_mut(range.len());
        pieces.push(piece);
        bytes = rest;
    }
    pieces
}

/// Ranges of these lengths, one after another.
fn equal(count: usize, length: usize) -> Vec<Range<usize>> {
    (0..count).map(|i| i * length..(i + 1) * length).collect()
}

/// Sends this rank's piece to all members and receives theirs into the others.
fn gather<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    phase: u8,
    (group, place): (&[usize], usize),
    mut pieces: Vec<&mut [u8]>,
) -> Result<()> {
    let own = &*pieces.remove(place);
    let others = group.iter().filter(|&&rank| rank != group[place]);
    let mut receives: Vec<Receive<'_>> =
        others.zip(pieces).map(|(&from, piece)| Receive { from, into: ReceiveInto::Exact(piece) }).collect();
    let sends = to_others(group, place, vec![own; group.len()]);
    exchange.transfer(collective, phase, &sends, &mut receives)
}

pub(crate) fn all_gather_into<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    bytes: &[u8],
    into: &mut [u8],
) -> Result<()> {
    let place = place(exchange, collective, group)?;
    if into.len() != bytes.len() * group.len() {
        let (length, count) = (bytes.len(), group.len());
        return Err(misuse(
            collective,
            format!("{length} bytes of each of {count} ranks do not fill {}", into.len()),
        ));
    }
    let mut pieces = cut(into, &equal(group.len(), bytes.len()));
    pieces[place].copy_from_slice(bytes);
    gather(exchange, collective, ONLY, (group, place), pieces)
}

pub(crate) fn broadcast<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    root: usize,
    bytes: &mut [u8],
) -> Result<()> {
    let place = place(exchange, collective, group)?;
    if !group.contains(&root) {
        return Err(misuse(collective, format!("the group {group:?} lacks the root {root}")));
    }
    if exchange.rank() == root {
        let sends = to_others(group, place, vec![&*bytes; group.len()]);
        exchange.transfer(collective, ONLY, &sends, &mut [])
    } else {
        let receive = Receive { from: root, into: ReceiveInto::Exact(bytes) };
        exchange.transfer(collective, ONLY, &[], &mut [receive])
    }
}

/// Checks the arguments of a fold, and returns the caller's place in the group.
pub(crate) fn check_fold<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    into: &[u8],
    combine: Combine<'_>,
) -> Result<usize> {
    check_elements(collective, into.len(), combine)?;
    place(exchange, collective, group)
}

/// [`Messages::fold`] for forms without a better one: the pieces are received whole.
pub(crate) fn fold<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    phase: u8,
    group: &[usize],
    sends: &[(usize, &[u8])],
    into: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    let place = check_fold(exchange, collective, group, into, combine)?;
    let mut received = vec![vec![0; into.len()]; group.len()];
    received[place].copy_from_slice(into);
    let mut receives: Vec<Receive<'_>> = group
        .iter()
        .zip(&mut received)
        .filter(|(from, _)| **from != group[place])
        .map(|(&from, bytes)| Receive { from, into: ReceiveInto::Exact(bytes) })
        .collect();
    exchange.transfer(collective, phase, sends, &mut receives)?;
    into.copy_from_slice(&received[0]);
    received[1..].iter().for_each(|bytes| (combine.function)(into, bytes));
    Ok(())
}

pub(crate) fn all_reduce<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    bytes: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    let place = place(exchange, collective, group)?;
    check_elements(collective, bytes.len(), combine)?;
    let (length, count) = (bytes.len(), group.len());
    if length <= SMALL {
        let mut all = vec![0; length * count];
        let mut pieces = cut(&mut all, &equal(count, length));
        pieces[place].copy_from_slice(bytes);
        gather(exchange, collective, ONLY, (group, place), pieces)?;
        bytes.copy_from_slice(&all[..length]);
        (1..count).for_each(|i| (combine.function)(bytes, &all[i * length..][..length]));
        return Ok(());
    }
    let elements = length / combine.element;
    let end = |i: usize| (elements as u128 * i as u128 / count as u128) as usize * combine.element;
    let ranges: Vec<_> = (0..count).map(|i| end(i)..end(i + 1)).collect();
    let mut pieces = cut(bytes, &ranges);
    let own = std::mem::take(&mut pieces[place]);
    let sends = to_others(group, place, pieces.iter().map(|piece| &**piece));
    exchange.fold(collective, ONLY, group, &sends, own, combine)?;
    gather(exchange, collective, GATHER, (group, place), cut(bytes, &ranges))
}

pub(crate) fn reduce_scatter<E: Messages + ?Sized>(
    exchange: &E,
    collective: &CollectiveCall<'_>,
    group: &[usize],
    bytes: &[u8],
    into: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    let place = place(exchange, collective, group)?;
    check_elements(collective, into.len(), combine)?;
    if bytes.len() != into.len() * group.len() {
        let (length, count, piece) = (bytes.len(), group.len(), into.len());
        return Err(misuse(collective, format!("{length} bytes are not {count} pieces of {piece}")));
    }
    let pieces = equal(group.len(), into.len()).into_iter().map(|range| &bytes[range]);
    into.copy_from_slice(&bytes[place * into.len()..][..into.len()]);
    exchange.fold(collective, ONLY, group, &to_others(group, place, pieces), into, combine)
}
