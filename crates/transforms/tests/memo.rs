use std::cell::Cell;

use jarrah_base::{DType, Location, Scope, Source, Type};
use jarrah_hlo::ops::{Call, ElementwiseKind};
use jarrah_hlo::{Builder, Program};
use jarrah_transforms::Memo;

const KEPT: u64 = 1 << 15;

/// `length` negations of the parameter `name`, at the line `location`.
fn chain(name: &str, length: usize, location: Location) -> Program {
    let mut b = Builder::new("chain");
    let mut value = b.param(Type::scalar(DType::F32), name);
    b.set_source(Source { location: Some(location), scope: Scope::root() });
    for _ in 0..length {
        value = b.unary(ElementwiseKind::Negate, value).unwrap();
    }
    b.finish(&[value]).unwrap()
}

/// A call of a program.
fn calling(program: Program) -> Program {
    let mut b = Builder::new("calling");
    let x = b.param(Type::scalar(DType::F32), "x");
    let y = b.one(Call { callee: program.into() }, &[x]).unwrap();
    b.finish(&[y]).unwrap()
}

#[test]
fn only_identical_programs_are_not_made_again() {
    let (memo, made) = (Memo::new(KEPT), Cell::new(0));
    let get = |program: &Program, options: u8| {
        let make = |program: &Program, _: &u8| {
            made.set(made.get() + 1);
            Ok(program.clone())
        };
        memo.get(program.clone(), options, make).unwrap();
        made.get()
    };
    let (here, there) = (Location::caller(), Location::new("there.rs", 3, 1));
    let first = chain("x", 2, here);
    assert_eq!((get(&first, 0), get(&first, 0)), (1, 1));
    assert_eq!(get(&first, 1), 2);
    let [inside, outside] = [chain("x", 2, there), chain("x", 2, here)].map(calling);
    let others = [chain("y", 2, here), chain("x", 2, there), chain("x", 3, here), inside, outside];
    for (i, other) in others.iter().enumerate() {
        assert_eq!([get(other, 0), get(other, 0), get(&first, 0)], [i + 3; 3]);
    }
}

#[test]
fn what_was_not_asked_for_longest_is_forgotten() {
    let (memo, made) = (Memo::new(KEPT), Cell::new(0));
    let get = |length| {
        let make = |program: &Program, &(): &()| {
            made.set(made.get() + 1);
            Ok(program.clone())
        };
        memo.get(chain("x", length, Location::caller()), (), make).unwrap();
        made.get()
    };
    // Three of these are kept.
    let long = KEPT as usize / 7;
    assert_eq!([get(long), get(long + 1), get(long + 2), get(long), get(long + 3)], [1, 2, 3, 3, 4]);
    assert_eq!([get(long), get(long + 1)], [4, 5]);
    let longer = KEPT as usize / 4 + 1;
    assert_eq!([get(longer), get(longer)], [6, 7]);
    memo.clear();
    assert_eq!(get(long), 8);
}
