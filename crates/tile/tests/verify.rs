use jarrah_base::DType;
use jarrah_tile::{Axis, Binary, Class, Inst, LoopBuilder, LoopReducer, Map, Reg, ScalarBits, Unary};

fn rejects<R>(want: &str, build: impl Fn(&mut LoopBuilder, Reg, Reg) -> R) {
    rejects_in(LoopBuilder::new(&[3], 8), &[8], want, build);
}

fn rejects_in<R>(
    mut b: LoopBuilder,
    rows: &[i64],
    want: &str,
    build: impl Fn(&mut LoopBuilder, Reg, Reg) -> R,
) {
    let (x, i) = (b.input(DType::F32), b.input(DType::I32));
    b.output(DType::F32);
    let x = b.load(x, 0, rows, 1);
    let i = b.load(i, 0, rows, 1);
    build(&mut b, x, i);
    let error = b.finish().expect_err(want).to_string();
    assert!(error.contains(want), "{error}\nlacks\n{want}");
    assert!(error.contains("= in `"), "{error}\nnames no line");
}

fn load(input: usize, rows: &[i64], col: i64, class: Class) -> Inst {
    Inst::Load { input, map: Map { offset: 0, rows: rows.to_vec(), col }, class }
}

#[test]
fn operands() {
    rejects("%9 is not defined before this instruction", |b, x, _| b.binary(Binary::Add, x, Reg(9)));
    rejects("operand types differ: %0 is f32, %1 is i32", |b, x, i| b.binary(Binary::Add, x, i));
    rejects("tanh does not take i32", |b, _, i| b.unary(Unary::Tanh, i));
    rejects("and does not take f32", |b, x, _| b.binary(Binary::And, x, x));
    rejects("the predicate %1 is i32, not bool", |b, x, i| b.select(i, x, x));
    rejects("threefry2x32 takes u32, not i32", |b, _, i| {
        b.push(Inst::Threefry { key: [i, i], count: [i, i] })
    });
    rejects("%0 is no threefry2x32", |b, x, _| b.push(Inst::Word1(x)));
    rejects("the bits of f32 are not those of a f64", |b, x, _| b.push(Inst::Bitcast(DType::F64, x)));
    rejects("reduce with xor does not take f32", |b, x, _| b.reduce(LoopReducer::Xor, x));
    rejects("total order compares floats, not i32", |b, _, i| {
        let direction = jarrah_tile::Direction::Eq;
        b.push(Inst::Compare { direction, total: true, x: i, y: i })
    });
    rejects("the bits 0x100 do not fit u8", |b, _, _| b.constant(ScalarBits { dtype: DType::U8, bits: 256 }));
}

#[test]
fn classes() {
    rejects("the index %1 is full i32, not one integer per row", |b, x, i| {
        b.push(Inst::Pick { x, index: i })
    });
    rejects("a row load has column stride 0", |b, _, _| b.push(load(0, &[8], 1, Class::Row)));
    rejects("col is a class of column reductions", |b, _, _| b.push(load(0, &[8], 1, Class::Col)));
    rejects("cannot be col", |b, _, _| {
        b.push(Inst::Iota { axis: Axis::Cols, dtype: DType::I32, class: Class::Col })
    });
    let column = || LoopBuilder::column(&[3], &[5], 8);
    rejects_in(column(), &[40, 8], "a value of the loop meets one after it", |b, x, _| {
        let s = b.reduce(LoopReducer::Add, x);
        b.binary(Binary::Add, s, x)
    });
    rejects_in(column(), &[40, 8], "%2 is reduced already", |b, x, _| {
        let s = b.reduce(LoopReducer::Add, x);
        b.reduce(LoopReducer::Add, s)
    });
    rejects_in(column(), &[40, 8], "only row kernels fold columns", |b, x, _| {
        b.push(Inst::ArgReduce { max: true, x })
    });
    rejects_in(column(), &[40, 8], "stride 0 along the reduced dimensions", |b, _, _| {
        b.push(load(0, &[40, 8], 1, Class::Col))
    });
    rejects_in(column(), &[40, 8], "only values after the reduction are stored", |b, x, _| {
        b.store(0, 0, &[8, 0], 1, x)
    });
}

#[test]
fn maps_and_stores() {
    rejects("input 7 does not exist, there are 2", |b, _, _| b.load(7, 0, &[8], 1));
    rejects("the map has 2 row strides, the loop 1 dimensions", |b, _, _| b.load(0, 0, &[8, 1], 1));
    rejects("the map reaches element -7, before the buffer", |b, _, _| b.load(0, 0, &[8], -1));
    rejects("output 3 does not exist", |b, x, _| b.store(3, 0, &[8], 1, x));
    rejects("output 0 is f32, %1 is i32", |b, _, i| b.store(0, 0, &[8], 1, i));
    rejects("8 columns of %0 would be written to one element", |b, x, _| b.store(0, 0, &[8], 0, x));
    rejects("the 3 rows of dimension 0 would be written to one element", |b, x, _| b.store(0, 0, &[0], 1, x));
}
