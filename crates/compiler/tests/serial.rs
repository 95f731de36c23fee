//! Compiled programs as bytes: what does not hold together is refused, as it would be written over memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jarrah_base::{DType, Type};
use jarrah_compiler::{Assignment, Carry, CompiledProgram, MemoryPlace, PassOptions, Reference, compile};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Alias, Builder, Op, Program};

/// A loop over a product, whose intermediate value and second buffer lie in the arena.
fn program() -> Program {
    let ty = Type::tensor(DType::F32, [8, 8]);
    let mut b = Builder::new("step");
    let (w, x) = (b.param(ty, "w"), b.param(ty, "x"));
    let y = b.one(DotGeneral::matmul(0, DType::F32), &[w, x]).unwrap();
    let z = b.one(DotGeneral::matmul(0, DType::F32), &[y, x]).unwrap();
    let body = b.finish(&[z]).unwrap();
    let mut b = Builder::new("loop");
    let (w, x) = (b.param(ty, "w"), b.param(ty, "x"));
    let scan = Scan { body: body.into(), length: 3, consts: 1, carry: 1, reverse: false };
    let x = b.one(scan, &[w, x]).unwrap();
    let y = b.one(DotGeneral::matmul(0, DType::F32), &[x, x]).unwrap();
    let kept = b.exp(y).unwrap();
    b.finish(&[kept]).unwrap()
}

fn compiled(aliases: &[Alias]) -> CompiledProgram {
    let options = PassOptions { aliases: aliases.to_vec(), ..PassOptions::default() };
    compile(&program(), &Reference::default(), options).unwrap()
}

fn read(compiled: &CompiledProgram, aliases: &[Alias]) -> Result<CompiledProgram, String> {
    let bytes = compiled.to_bytes().unwrap();
    CompiledProgram::from_bytes(&bytes, &Reference::default(), aliases).map_err(|error| error.to_string())
}

/// The loop's index, and the first value in the arena.
fn parts(compiled: &CompiledProgram) -> (usize, usize) {
    let looped = compiled.program.instrs().iter().position(|i| matches!(i.op, Op::Scan(_))).unwrap();
    let places = &compiled.buffers.places;
    let temporary = places.iter().position(|place| matches!(place, MemoryPlace::Temporary { .. })).unwrap();
    (looped, temporary)
}

#[test]
fn assignments_that_do_not_hold_are_refused() {
    let good = compiled(&[]);
    read(&good, &[]).unwrap();
    let (looped, temporary) = parts(&good);
    let last = good.buffers.places.len() - 1;
    let MemoryPlace::Temporary { memory, offset, bytes } = good.buffers.places[temporary] else {
        panic!("no temporary")
    };
    assert!(matches!(good.buffers.nested[&looped].carry[..], [Carry::Double { .. }]));
    let wrong: Vec<(&str, Box<dyn Fn(&mut Assignment)>)> = vec![
        ("a value without a place", Box::new(|a| a.places.truncate(1))),
        ("a result without a donation", Box::new(|a| a.donations.clear())),
        ("a donation of no parameter", Box::new(|a| a.donations[0] = Some(9))),
        ("a donation that nobody made", Box::new(|a| a.donations[0] = Some(1))),
        ("a parameter elsewhere", Box::new(|a| a.places[0] = MemoryPlace::Result(0))),
        ("an arena that is too small", Box::new(|a| a.arenas[0] -= 1)),
        (
            "a temporary outside",
            Box::new(move |a| {
                a.places[temporary] = MemoryPlace::Temporary { memory, offset: a.arena(), bytes }
            }),
        ),
        (
            "a temporary at the end of memory",
            Box::new(move |a| {
                a.places[temporary] = MemoryPlace::Temporary { memory, offset: usize::MAX - 63, bytes }
            }),
        ),
        (
            "a temporary that is not aligned",
            Box::new(move |a| {
                a.places[temporary] = MemoryPlace::Temporary { memory, offset: offset + 4, bytes }
            }),
        ),
        (
            "a temporary that is too small",
            Box::new(move |a| {
                a.places[temporary] = MemoryPlace::Temporary { memory, offset, bytes: bytes - 4 }
            }),
        ),
        ("a value in a constant", Box::new(move |a| a.places[temporary] = MemoryPlace::Constant(0))),
        ("a value in no result", Box::new(move |a| a.places[last] = MemoryPlace::Result(7))),
        ("a value over a parameter", Box::new(move |a| a.places[last] = MemoryPlace::Parameter(0))),
        ("no memory for a loop", Box::new(move |a| drop(a.nested.remove(&looped)))),
        ("memory for no loop", Box::new(|a| drop(a.nested.insert(99, Default::default())))),
        ("a loop outside", Box::new(move |a| a.nested.get_mut(&looped).unwrap().offset = a.arena())),
        ("a body without memory", Box::new(move |a| a.nested.get_mut(&looped).unwrap().programs.clear())),
        ("a carry without memory", Box::new(move |a| a.nested.get_mut(&looped).unwrap().carry.clear())),
        (
            "a second buffer outside",
            Box::new(move |a| {
                a.nested.get_mut(&looped).unwrap().carry[0] = Carry::Double { memory, offset: a.arena() }
            }),
        ),
        (
            "a loop over its own carry",
            Box::new(move |a| {
                let nested = a.nested.get_mut(&looped).unwrap();
                nested.carry[0] = Carry::Double { memory, offset: nested.offset };
            }),
        ),
    ];
    for (what, change) in wrong {
        let mut bad = good.clone();
        change(&mut bad.buffers);
        assert!(read(&bad, &[]).is_err(), "{what} was accepted");
    }
}

#[test]
fn what_is_donated_has_to_be_given_up_where_it_is_loaded() {
    let aliases = [Alias::may(1, 0)];
    let donating = compiled(&aliases);
    assert_eq!(donating.buffers.donations, [Some(1)]);
    read(&donating, &aliases).unwrap();
    assert!(read(&donating, &[]).is_err());
}

#[test]
fn a_program_that_does_not_fit_is_refused_where_it_is_loaded() {
    let bytes = compiled(&[]).to_bytes().unwrap();
    let small = Reference { memory: Some(300), ..Reference::default() };
    let error = CompiledProgram::from_bytes(&bytes, &small, &[]).unwrap_err().to_string();
    assert!(error.contains("300"), "{error}");
}

#[test]
fn bytes_that_are_cut_or_changed_are_an_error_or_a_program() {
    let bytes = compiled(&[]).to_bytes().unwrap();
    for end in 0..bytes.len() {
        assert!(
            CompiledProgram::from_bytes(&bytes[..end], &Reference::default(), &[]).is_err(),
            "cut at {end}"
        );
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            if let Ok(read) = CompiledProgram::from_bytes(&changed, &Reference::default(), &[]) {
                read.program.verify().unwrap();
            }
        }
    }
}
