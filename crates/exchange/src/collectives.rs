//! The collectives as transfers: the definitions that hold for every form of exchange.

use std::ops::Range;

use jarrah_base::{Error, Result};

use crate::messages::{Collective, Combine, Messages, Receive, ReceiveInto};

/// The phase of messages between two ranks.
pub(crate) const MESSAGE: u8 = 0;
/// The phase of collectives that take one.
const ONLY: u8 = 1;
/// The phase in which each rank receives the sums of all pieces.
const GATHER: u8 = 2;

/// All-reduces up to this size send everything to everyone: one step of small messages instead of two.
const SMALL: usize = 16 << 10;

/// An error of arguments, which only the caller sees: no message was sent yet.
fn misuse(collective: &Collective<'_>, message: String) -> Error {
    let error = Error::program(message).op(collective.name);
    match collective.location {
        Some(location) => error.at(location),
        None => error,
    }
}

/// The caller's place in the group.
pub(crate) fn place<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
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
                return Err(misuse(collective, format!("rank {rank} of the group is not among {size} ranks")));
            }
        }
    }
    let own = exchange.rank();
    group
        .iter()
        .position(|&rank| rank == own)
        .ok_or_else(|| misuse(collective, format!("the group {group:?} lacks the rank {own} that calls")))
}

/// Checks that there is a piece for each member.
fn check_pieces(collective: &Collective<'_>, group: &[usize], pieces: &[&[u8]]) -> Result<()> {
    match pieces.len() == group.len() {
        true => Ok(()),
        false => Err(misuse(collective, format!("{} pieces for {} ranks", pieces.len(), group.len()))),
    }
}

fn check_elements(collective: &Collective<'_>, length: usize, combine: Combine<'_>) -> Result<()> {
    match combine.element != 0 && length.is_multiple_of(combine.element) {
        true => Ok(()),
        false => Err(misuse(
            collective,
            format!("{length} bytes are no whole number of elements of {} bytes", combine.element),
        )),
    }
}

/// The messages to all members but the caller, given one for each.
pub(crate) fn to_others<'a>(
    group: &[usize],
    place: usize,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<(usize, &'a [u8])> {
    let others = group.iter().copied().zip(pieces).enumerate();
    // The members after this one first, so that not all begin with the same.
    let (mut before, after): (Vec<_>, Vec<_>) =
        others.filter(|(i, _)| *i != place).partition(|(i, _)| *i < place);
    let mut all = after;
    all.append(&mut before);
    all.into_iter().map(|(_, send)| send).collect()
}

pub(crate) fn all_to_all<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
    group: &[usize],
    pieces: &[&[u8]],
) -> Result<Vec<Vec<u8>>> {
    let place = place(exchange, collective, group)?;
    check_pieces(collective, group, pieces)?;
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

/// Sends `own` to all members and receives theirs into the ranges of `into`.
fn gather<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
    phase: u8,
    (group, place): (&[usize], usize),
    own: &[u8],
    (into, ranges): (&mut [u8], &[Range<usize>]),
) -> Result<()> {
    let mut receives = Vec::with_capacity(group.len());
    for (i, (&from, piece)) in group.iter().zip(cut(into, ranges)).enumerate() {
        match i == place {
            true => piece.copy_from_slice(own),
            false => receives.push(Receive { from, into: ReceiveInto::Exact(piece) }),
        }
    }
    let sends = to_others(group, place, vec![own; group.len()]);
    exchange.transfer(collective, phase, &sends, &mut receives)
}

pub(crate) fn all_gather_into<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
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
    let ranges: Vec<_> = (0..group.len()).map(|i| i * bytes.len()..(i + 1) * bytes.len()).collect();
    gather(exchange, collective, ONLY, (group, place), bytes, (into, &ranges))
}

pub(crate) fn broadcast<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
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
    collective: &Collective<'_>,
    group: &[usize],
    pieces: &[&[u8]],
    into: &[u8],
    combine: Combine<'_>,
) -> Result<usize> {
    let place = place(exchange, collective, group)?;
    check_pieces(collective, group, pieces)?;
    check_elements(collective, into.len(), combine)?;
    if pieces[place].len() != into.len() {
        let (own, length) = (pieces[place].len(), into.len());
        return Err(misuse(collective, format!("the own piece has {own} bytes, the sum {length}")));
    }
    Ok(place)
}

/// [`Messages::fold`] for forms without a better one: the pieces are received whole.
pub(crate) fn fold<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
    phase: u8,
    group: &[usize],
    pieces: &[&[u8]],
    into: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    let place = check_fold(exchange, collective, group, pieces, into, combine)?;
    let mut received = vec![vec![0; into.len()]; group.len()];
    received[place].copy_from_slice(pieces[place]);
    let mut receives: Vec<Receive<'_>> = group
        .iter()
        .zip(&mut received)
        .enumerate()
        .filter(|(i, _)| *i != place)
        .map(|(_, (&from, bytes))| Receive { from, into: ReceiveInto::Exact(bytes) })
        .collect();
    let sends = to_others(group, place, pieces.iter().copied());
    exchange.transfer(collective, phase, &sends, &mut receives)?;
    sum(&received, into, combine);
    Ok(())
}

/// The combination of all, in order.
fn sum(all: &[Vec<u8>], into: &mut [u8], combine: Combine<'_>) {
    into.copy_from_slice(&all[0]);
    all[1..].iter().for_each(|bytes| (combine.function)(into, bytes));
}

pub(crate) fn all_reduce<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
    group: &[usize],
    bytes: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    let place = place(exchange, collective, group)?;
    check_elements(collective, bytes.len(), combine)?;
    if bytes.len() <= SMALL {
        let length = bytes.len();
        let mut all = vec![0; length * group.len()];
        let ranges: Vec<_> = (0..group.len()).map(|i| i * length..(i + 1) * length).collect();
        gather(exchange, collective, ONLY, (group, place), bytes, (&mut all, &ranges))?;
        bytes.copy_from_slice(&all[..length]);
        ranges[1..].iter().for_each(|range| (combine.function)(bytes, &all[range.clone()]));
        return Ok(());
    }
    let (elements, count) = (bytes.len() / combine.element, group.len());
    let end = |i: usize| (elements as u128 * i as u128 / count as u128) as usize * combine.element;
    let ranges: Vec<_> = (0..count).map(|i| end(i)..end(i + 1)).collect();
    let mut own = vec![0; ranges[place].len()];
    let pieces: Vec<&[u8]> = ranges.iter().map(|range| &bytes[range.clone()]).collect();
    exchange.fold(collective, ONLY, group, &pieces, &mut own, combine)?;
    gather(exchange, collective, GATHER, (group, place), &own, (bytes, &ranges))
}

pub(crate) fn reduce_scatter<E: Messages + ?Sized>(
    exchange: &E,
    collective: &Collective<'_>,
    group: &[usize],
    bytes: &[u8],
    into: &mut [u8],
    combine: Combine<'_>,
) -> Result<()> {
    place(exchange, collective, group)?;
    check_elements(collective, into.len(), combine)?;
    if bytes.len() != into.len() * group.len() {
        let (length, count, piece) = (bytes.len(), group.len(), into.len());
        return Err(misuse(collective, format!("{length} bytes are not {count} pieces of {piece}")));
    }
    let pieces: Vec<&[u8]> = (0..group.len()).map(|i| &bytes[i * into.len()..(i + 1) * into.len()]).collect();
    exchange.fold(collective, ONLY, group, &pieces, into, combine)
}
