//! For each instruction of loops and each element type how it runs: `BLESS=1` writes `coverage.txt` anew.

use std::fmt::Write;
use std::path::Path;

use jarrah_base::DType;
use jarrah_cpu::vector::{Isa, Plan, Tier};
use jarrah_tile::{
    Axis, Binary, Class, DTYPES, Direction, Inst, LoopBuilder, LoopKernel, LoopReducer, Map, Reg, ScalarBits,
    Store, Unary,
};

const HEAD: &str = "\
What loops are made of, and how each runs on 512 and on 256 bits: `code` is machine code, `call` machine code that calls
the interpreter's function for each vector, `edge` for those vectors only in which an element is out of range; `tile` is the
interpreter. A dot: there is no such instruction.
";

const COLUMNS: usize = 100;

/// The kernel that stores what the last of the instructions gives.
fn stored(b: LoopBuilder, stride: i64) -> Option<LoopKernel> {
    let mut kernel = b.finish().ok()?;
    let (dtype, class) = *kernel.verify().ok()?.last()?;
    let rows = kernel.rank();
    kernel.outputs.push(dtype);
    let map = match class {
        Class::Full => {
            let pitch = vec![COLUMNS as i64 * stride.abs(); rows];
            Map { offset: if stride < 0 { COLUMNS as i64 } else { 0 }, rows: pitch, col: stride }
        }
        Class::Col => Map { offset: 0, rows: vec![0; rows], col: 1 },
        _ => Map { offset: 0, rows: vec![1; rows], col: 0 },
    };
    kernel.stores.push(Store { output: 0, map, value: Reg(kernel.body.len() as u32 - 1) });
    kernel.verify().ok()?;
    Some(kernel)
}

/// A kernel over rows, and the elements of one input of them.
fn rows(dtype: DType) -> (LoopBuilder, Reg) {
    let mut b = LoopBuilder::new(&[3], COLUMNS);
    let x = b.input(dtype);
    let x = b.load(x, 0, &[COLUMNS as i64], 1);
    (b, x)
}

/// The kernel of one instruction of the elements.
fn of(dtype: DType, inst: impl Fn(Reg) -> Inst) -> Option<LoopKernel> {
    let (mut b, x) = rows(dtype);
    b.push(inst(x));
    stored(b, 1)
}

fn folded(dtype: DType, f: LoopReducer) -> Option<LoopKernel> {
    let mut b = LoopBuilder::column(&[], &[20], COLUMNS);
    let x = b.input(dtype);
    let x = b.load(x, 0, &[COLUMNS as i64], 1);
    b.reduce(f, x);
    stored(b, 1)
}

type Row = (String, Box<dyn Fn(DType) -> Option<LoopKernel>>);

fn table() -> Vec<Row> {
    let mut table: Vec<Row> = Vec::new();
    let mut row = |name: String, kernel: Box<dyn Fn(DType) -> Option<LoopKernel>>| table.push((name, kernel));
    for &f in Unary::ALL {
        row(f.to_string(), Box::new(move |d| of(d, |x| Inst::Unary(f, x))));
    }
    for &f in Binary::ALL {
        row(f.to_string(), Box::new(move |d| of(d, |x| Inst::Binary(f, x, x))));
    }
    for &direction in Direction::ALL {
        row(
            format!("compare {direction}"),
            Box::new(move |d| of(d, |x| Inst::Compare { direction, total: false, x, y: x })),
        );
    }
    let total = |x| Inst::Compare { direction: Direction::Lt, total: true, x, y: x };
    row("compare, total order".to_owned(), Box::new(move |d| of(d, total)));
    row(
        "select".to_owned(),
        Box::new(|d| {
            let (mut b, x) = rows(d);
            let pred = b.compare(Direction::Eq, x, x);
            b.select(pred, x, x);
            stored(b, 1)
        }),
    );
    row("clamp".to_owned(), Box::new(|d| of(d, |x| Inst::Clamp { low: x, x, high: x })));
    for &to in &DTYPES {
        row(format!("convert to {to}"), Box::new(move |d| of(d, |x| Inst::Convert(to, x))));
    }
    for &to in &DTYPES {
        row(format!("bitcast to {to}"), Box::new(move |d| of(d, |x| Inst::Bitcast(to, x))));
    }
    let index = |axis, class| {
        move |dtype| {
            let mut b = LoopBuilder::new(&[3], COLUMNS);
            b.push(Inst::Iota { axis, dtype, class });
            stored(b, 1)
        }
    };
    row("index of the column".to_owned(), Box::new(index(Axis::Cols, Class::Full)));
    row("index of the row".to_owned(), Box::new(index(Axis::Row(0), Class::Row)));
    for (name, stride) in [("every second column", 2), ("columns backwards", -1)] {
        row(
            format!("load {name}"),
            Box::new(move |d| {
                let mut b = LoopBuilder::new(&[3], COLUMNS);
                let x = b.input(d);
                b.load(x, if stride < 0 { COLUMNS as i64 } else { 0 }, &[2 * COLUMNS as i64], stride);
                stored(b, 1)
            }),
        );
        row(
            format!("store {name}"),
            Box::new(move |d| {
                let (b, _) = rows(d);
                stored(b, stride)
            }),
        );
    }
    for &f in LoopReducer::ALL {
        row(format!("reduce columns, {f}"), Box::new(move |d| of(d, |x| Inst::Reduce(f, x))));
        row(format!("reduce rows, {f}"), Box::new(move |d| folded(d, f)));
    }
    for (name, max) in [("argmax", true), ("argmin", false)] {
        row(name.to_owned(), Box::new(move |d| of(d, |x| Inst::ArgReduce { max, x })));
    }
    row(
        "pick".to_owned(),
        Box::new(|d| {
            let (mut b, x) = rows(d);
            let index = b.constant(ScalarBits::of(5i32));
            b.push(Inst::Pick { x, index });
            stored(b, 1)
        }),
    );
    row("threefry".to_owned(), Box::new(|d| of(d, |x| Inst::Threefry { key: [x, x], count: [x, x] })));
    table
}

fn way(kernel: &LoopKernel, isa: Isa) -> &'static str {
    let plan = Plan::with(kernel, isa, Tier::Native, 2048).unwrap();
    let Some(text) = plan.assembly().filter(|_| plan.is_native()) else { return "tile" };
    // Calls stand among the loop's instructions, or aside.
    let (mut calls, mut aside) = ([false; 2], false);
    for line in text.lines() {
        if line.contains(';') {
            aside = line.contains("; aside") || line.contains("; calls");
        }
        calls[usize::from(aside)] |= line.contains("call l");
    }
    match calls {
        [true, _] => "call",
        [_, true] => "edge",
        _ => "code",
    }
}

#[test]
fn ways_of_instructions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vector/coverage.txt");
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    if ![Isa::Avx512, Isa::Avx2]
        .into_iter()
        .all(|isa| Isa::available().contains(&isa) && Tier::available(isa).contains(&Tier::Native))
    {
        // Another machine, or another build, knows both.
        return;
    }
    let mut text = HEAD.to_owned();
    write!(text, "\n{:28}", "").unwrap();
    for d in DTYPES {
        write!(text, " {:9}", d.to_string()).unwrap();
    }
    text = text.trim_end().to_owned() + "\n";
    for (name, kernel) in table() {
        let mut line = format!("{name:28}");
        for d in DTYPES {
            let cell = match kernel(d) {
                None => ".".to_owned(),
                Some(kernel) => match [Isa::Avx512, Isa::Avx2].map(|isa| way(&kernel, isa)) {
                    [wide, narrow] if wide == narrow => wide.to_owned(),
                    [wide, narrow] => format!("{wide}/{narrow}"),
                },
            };
            write!(line, " {cell:9}").unwrap();
        }
        text += line.trim_end();
        text.push('\n');
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    } else {
        assert_eq!(text, known, "BLESS=1 renews {}", path.display());
    }
}
