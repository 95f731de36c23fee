use jarrah_base::DType;
use jarrah_tile::{Axis, Binary, Direction, Inst, LoopBuilder, LoopKernel, LoopReducer, ScalarBits, Unary};

/// A kernel with every instruction.
fn everything() -> LoopKernel {
    let mut b = LoopBuilder::new(&[3, 4], 8);
    let (x, u) = (b.input(DType::F32), b.input(DType::U32));
    let (y, z) = (b.output(DType::F32), b.output(DType::U32));
    let x = b.load(x, 29, &[32, -8], 1);
    let k = b.load(u, 0, &[0, 1], 0);
    let c = b.f32(1.5);
    let n = b.iota(Axis::Cols, DType::U32);
    let r = b.iota(Axis::Row(1), DType::U32);
    let random = b.push(Inst::Threefry { key: [k, k], count: [r, n] });
    let second = b.push(Inst::Word1(random));
    let mut last = x;
    for &f in Unary::ALL {
        match f {
            Unary::Not | Unary::Popcnt | Unary::CountLeadingZeros => _ = b.unary(f, n),
            Unary::IsFinite => _ = b.unary(f, x),
            f => last = b.unary(f, last),
        }
    }
    let t = b.binary(Binary::Maximum, last, c);
    let p = b.push(Inst::Compare { direction: Direction::Le, total: true, x: t, y: c });
    let s = b.select(p, t, c);
    let s = b.push(Inst::Clamp { low: c, x: s, high: c });
    let index = b.push(Inst::ArgReduce { max: true, x: s });
    let picked = b.push(Inst::Pick { x: s, index });
    let sum = b.reduce(LoopReducer::Add, s);
    let v = b.binary(Binary::Add, sum, picked);
    let bits = b.push(Inst::Bitcast(DType::U32, v));
    let w = b.binary(Binary::Xor, bits, second);
    let back = b.convert(DType::F32, w);
    b.store(y, 0, &[32, 8], 1, back);
    b.store(z, 0, &[4, 1], 0, bits);
    b.finish().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn prints_and_reads_back() {
    let kernel = everything();
    let text = kernel.to_string();
    let back: LoopKernel = text.parse().unwrap();
    assert_eq!(back, kernel);
    assert_eq!(back.to_string(), text);
}

#[test]
fn the_text_form() {
    let mut b = LoopBuilder::column(&[2], &[5], 7);
    let (x, y) = (b.input(DType::BF16), b.output(DType::BF16));
    let x = b.load(x, 0, &[35, 7], 1);
    let s = b.reduce(LoopReducer::Multiply, x);
    let k = b.constant(ScalarBits::from_f64(DType::BF16, 0.5));
    let s = b.binary(Binary::Subtract, s, k);
    b.store(y, 3, &[7, 0], 1, s);
    let want = "\
kernel outer [2] reduce [5] cols 7 inputs [bf16] outputs [bf16] {
  %0 = load in0 0 + [35, 7] + 1 full : bf16 full
  %1 = reduce multiply %0 : bf16 col
  %2 = constant bf16 0.5 : bf16 scalar
  %3 = subtract %1 %2 : bf16 col
  store out0 3 + [7, 0] + 1 %3
}";
    assert_eq!(b.finish().unwrap().to_string(), want);
}

#[test]
fn constants_keep_their_bits() {
    let cases = [
        (DType::F32, 0x7fc0_0001, "0x7fc00001"),
        (DType::F32, 0x8000_0000, "-0.0"),
        (DType::F32, 0x3dcc_cccd, "0.10000000149011612"),
        (DType::F64, 0x7ff0_0000_0000_0000, "inf"),
        (DType::I8, 0xff, "-1"),
        (DType::U8, 0xff, "255"),
        (DType::I64, 0x8000_0000_0000_0000, "-9223372036854775808"),
        (DType::U64, u64::MAX, "18446744073709551615"),
        (DType::Bool, 1, "true"),
        (DType::F16, 0x3c00, "1.0"),
    ];
    for (dtype, bits, text) in cases {
        assert_eq!(ScalarBits { dtype, bits }.to_string(), text);
        let mut b = LoopBuilder::new(&[], 4);
        let y = b.output(dtype);
        let k = b.constant(ScalarBits { dtype, bits });
        b.store(y, 0, &[], 1, k);
        let kernel = b.finish().unwrap();
        assert_eq!(kernel.to_string().parse::<LoopKernel>().unwrap(), kernel);
    }
}

#[test]
fn text_that_is_no_kernel() {
    let good = everything().to_string();
    for (from, to, want) in [
        ("reduce add", "reduce plus", "`plus` is no reducer"),
        ("cols 8", "cols eight", "`eight` is no integer"),
        ("%5 = ", "%6 = ", "the next register is %5"),
        ("threefry2x32 %1 %1 %4 %3", "threefry2x32 %1 %1 %4", "the line ends too early"),
        ("word1 %5", "word1 %5 %5", "`%5` is left over"),
        ("}", "", "the text ends before"),
        ("constant f32 1.5", "constant u8 1.5", "`1.5` is no constant"),
        ("load in0", "lode in0", "`lode` is no instruction"),
    ] {
        let error = good.replace(from, to).parse::<LoopKernel>().unwrap_err().to_string();
        assert!(error.contains(want), "{error}");
    }
}
