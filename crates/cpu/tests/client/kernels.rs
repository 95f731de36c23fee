use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{BlockIndex, BlockSpec, DotGeneral, Iota, Kernel, Reducer};
use jarrah_hlo::{Builder, Value};

use super::{check, numbers, program, run};

use BlockIndex::{Block, First, Point, Whole};

const F32: DType = DType::F32;

fn spec(axes: &[BlockIndex]) -> BlockSpec {
    BlockSpec { axes: axes.iter().copied().collect() }
}

/// Arrays with their blocks, inputs first, and the body over the positions and the blocks of inputs.
struct Case<'a> {
    grid: &'a [usize],
    inputs: &'a [(&'a [usize], &'a [BlockIndex])],
    outputs: &'a [(&'a [usize], &'a [BlockIndex])],
}

impl Case<'_> {
    fn check(&self, name: &str, ulps: f64, body: impl Fn(&mut Builder, &[Value]) -> Vec<Value>) {
        let ty = |dims: &[usize]| Type::tensor(F32, dims.iter().copied());
        let args: Vec<Literal> =
            self.inputs.iter().enumerate().map(|(i, (dims, _))| numbers(F32, dims, i as u64 + 1)).collect();
        let types: Vec<Type> = args.iter().map(Literal::ty).collect();
        let mut kernel = Kernel::new(
            self.grid.iter().copied().collect(),
            self.inputs.iter().map(|(_, axes)| spec(axes)).collect(),
            self.outputs.iter().map(|(dims, axes)| (ty(dims), spec(axes))).collect(),
            Builder::new("").finish(&[]).unwrap().into(),
        );
        let mut b = Builder::new(name);
        let params: Vec<Value> =
            kernel.body_params(&types).unwrap().into_iter().map(|ty| b.param(ty, "")).collect();
        let (positions, blocks) = params.split_at(self.grid.len());
        let results = body(&mut b, &[blocks, positions].concat());
        kernel.body = b.finish(&results).unwrap().into();
        check(name, &program(kernel, &types), &args, ulps);
    }
}

fn add(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    vec![b.add(x[0], x[1]).unwrap()]
}

#[test]
fn blocks_that_divide_the_array_or_do_not() {
    for size in [1, 3, 4, 5, 12] {
        let axes: &[BlockIndex] = &[Block { size, grid: 0 }, Whole];
        let grid = [12usize.div_ceil(size)];
        let case =
            Case { grid: &grid, inputs: &[(&[12, 5], axes), (&[12, 5], axes)], outputs: &[(&[12, 5], axes)] };
        case.check("blocks", 0.0, add);
        // A sum over the block is no sum over the array; a last block that is cut counts zeros.
        let case = Case { outputs: &[(&[12usize.div_ceil(size), 5], &[Point { grid: 0 }, Whole])], ..case };
        case.check("sums of blocks", 0.0, |b, x| vec![b.sum(x[0], &[0]).unwrap()]);
    }
}

#[test]
fn positions_within_blocks() {
    let axes: &[BlockIndex] = &[Block { size: 4, grid: 0 }];
    for extent in [8, 10] {
        let grid = [usize::div_ceil(extent, 4)];
        let dims: &[usize] = &[extent];
        let case = Case { grid: &grid, inputs: &[(dims, axes)], outputs: &[(dims, axes)] };
        case.check("positions", 0.0, |b, x| {
            let at = b.one(Iota { ty: Type::tensor(F32, [4]), axis: 0 }, &[]).unwrap();
            let id = b.convert(x[1], F32).unwrap();
            let id = b.broadcast_in_dim(id, &b.ty(at).dims(), &[]).unwrap();
            let sum = b.add(at, id).unwrap();
            vec![b.mul(sum, x[0]).unwrap()]
        });
    }
}

#[test]
fn rows_are_normalised() {
    let row: &[BlockIndex] = &[Point { grid: 0 }, Whole];
    let scale: &[BlockIndex] = &[First, Whole];
    let case = Case {
        grid: &[37],
        inputs: &[(&[37, 50], row), (&[1, 50], scale)],
        outputs: &[(&[37, 50], row), (&[37], &[Point { grid: 0 }])],
    };
    case.check("rows", 4.0, |b, x| {
        let dims = b.ty(x[0]).dims();
        let sum = b.sum(x[0], &[0]).unwrap();
        let mean = b.scale(sum, 1.0 / 50.0).unwrap();
        let wide = b.broadcast_in_dim(mean, &dims, &[]).unwrap();
        let centred = b.sub(x[0], wide).unwrap();
        let squares = b.mul(centred, centred).unwrap();
        let variance = b.sum(squares, &[0]).unwrap();
        let scale = b.unary(jarrah_hlo::ops::ElementwiseKind::Rsqrt, variance).unwrap();
        let scale = b.broadcast_in_dim(scale, &dims, &[]).unwrap();
        let y = b.mul(centred, scale).unwrap();
        vec![b.mul(y, x[1]).unwrap(), mean]
    });
}

#[test]
fn columns_are_summed() {
    let all: &[BlockIndex] = &[Point { grid: 0 }, Whole, Whole];
    let case = Case {
        grid: &[3],
        inputs: &[(&[3, 70, 20], all), (&[70], &[Whole]), (&[20], &[Whole])],
        outputs: &[(&[3, 20], &[Point { grid: 0 }, Whole]), (&[3, 20], &[Point { grid: 0 }, Whole])],
    };
    case.check("columns", 0.0, |b, x| {
        let dims = b.ty(x[0]).dims();
        let weights = b.broadcast_in_dim(x[1], &dims, &[0]).unwrap();
        let weighted = b.mul(x[0], weights).unwrap();
        let sum = b.sum(weighted, &[0]).unwrap();
        let largest = b.reduce(Reducer::Max, x[0], &[0]).unwrap();
        vec![b.mul(sum, x[2]).unwrap(), b.add(largest, sum).unwrap()]
    });
}

#[test]
fn the_same_dimension_twice_is_no_loop() {
    let whole: &[BlockIndex] = &[Whole, Whole];
    let case = Case { grid: &[], inputs: &[(&[5, 5], whole)], outputs: &[(&[5, 5], whole)] };
    case.check("x + transpose x", 0.0, |b, x| {
        let t = b.transpose(x[0], &[1, 0]).unwrap();
        vec![b.add(x[0], t).unwrap()]
    });
}

#[test]
fn a_body_with_a_product() {
    let case = Case {
        grid: &[3, 2],
        inputs: &[
            (&[7, 6], &[Block { size: 3, grid: 0 }, Whole]),
            (&[6, 8], &[Whole, Block { size: 4, grid: 1 }]),
        ],
        outputs: &[(&[7, 8], &[Block { size: 3, grid: 0 }, Block { size: 4, grid: 1 }])],
    };
    case.check("tiles", 0.0, |b, x| vec![b.one(DotGeneral::matmul(0, F32), &x[..2]).unwrap()]);
}

/// `max(x y + bias, 0) + r`, as a product and a kernel.
fn product_then_kernel(batch: &[usize], (m, n, k): (usize, usize, usize), flat: bool) {
    let dims = |tail: &[usize]| [batch, tail].concat();
    let ty = |dims: &[usize]| Type::tensor(F32, dims.iter().copied());
    let (x, y, r) = (dims(&[m, k]), dims(&[k, n]), dims(&[m, n]));
    let rows: usize = r[..r.len() - 1].iter().product();
    let bias = if flat { vec![rows * n] } else { vec![n] };

    let mut b = Builder::new("body");
    let width = if flat { rows * n } else { n };
    let positions = usize::from(!flat);
    for _ in 0..positions {
        b.param(Type::scalar(DType::I32), "");
    }
    let blocks = [(); 3].map(|()| b.param(Type::tensor(F32, [width]), ""));
    let sum = b.add(blocks[0], blocks[1]).unwrap();
    let zero = b.zeros_like(sum).unwrap();
    let positive = b.binary(jarrah_hlo::ops::ElementwiseKind::Maximum, sum, zero).unwrap();
    let out = b.add(positive, blocks[2]).unwrap();
    let (grid, spec_of) = match flat {
        true => (vec![], vec![Whole]),
        false => (vec![rows], vec![Point { grid: 0 }, Whole]),
    };
    let bias_spec = if flat { spec(&spec_of) } else { spec(&[Whole]) };
    let full = if flat { vec![rows * n] } else { vec![rows, n] };
    let kernel = Kernel::new(
        grid.iter().copied().collect(),
        vec![spec(&spec_of), bias_spec, spec(&spec_of)],
        vec![(ty(&full), spec(&spec_of))],
        b.finish(&[out]).unwrap().into(),
    );

    let mut b = Builder::new("product");
    let args: Vec<Value> = [&x, &y, &bias, &full].iter().map(|d| b.param(ty(d), "")).collect();
    let product = b.one(DotGeneral::matmul(batch.len(), F32), &args[..2]).unwrap();
    let product = b.reshape(product, &ty(&full).dims()).unwrap();
    let out = b.one(kernel, &[product, args[2], args[3]]).unwrap();
    let program = b.finish(&[out]).unwrap();
    let args: Vec<Literal> =
        [&x, &y, &bias, &full].iter().enumerate().map(|(i, d)| numbers(F32, d, i as u64 + 1)).collect();
    check(&format!("{batch:?} {m} {n} {k} {flat}"), &program, &args, 0.0);
}

#[test]
fn products_hand_their_parts_to_the_kernel_that_follows() {
    for flat in [false, true] {
        for sizes in [(5, 7, 3), (1, 40, 20), (200, 300, 40), (33, 1, 8)] {
            product_then_kernel(&[], sizes, flat);
            product_then_kernel(&[3], sizes, flat);
        }
    }
}

/// Memory that was used before holds other numbers than zeros.
#[test]
fn what_no_point_stores_is_zeros() {
    for rows in [0, 1, 2] {
        stored_rows(rows);
    }
}

/// A result of two rows, of which so many are stored.
fn stored_rows(rows: usize) {
    let sums = Type::tensor(F32, [2, 1000]);
    let mut b = Builder::new("ones");
    let any = b.param(sums, "");
    let one = b.ones_like(any).unwrap();
    let ones = b.add(any, one).unwrap();
    let ones = b.finish(&[ones]).unwrap();
    let mut kernel = Kernel::new(
        [rows].into_iter().collect(),
        vec![spec(&[Point { grid: 0 }, Whole])],
        vec![(sums, spec(&[Point { grid: 0 }, Whole]))],
        Builder::new("").finish(&[]).unwrap().into(),
    );
    let x = numbers(F32, &[rows, 1000], 1);
    let mut b = Builder::new("last");
    let params: Vec<Value> =
        kernel.body_params(&[x.ty()]).unwrap().into_iter().map(|ty| b.param(ty, "")).collect();
    kernel.body = b.finish(&params[1..]).unwrap().into();
    let kernel = program(kernel, &[x.ty()]);
    let client = CpuClient::with_threads(1);
    let mut expected = x.to_f64_vec();
    expected.resize(2000, 0.0);
    for _ in 0..4 {
        run(&client, &ones, &[numbers(F32, &[2, 1000], 2)]);
        let found = run(&client, &kernel, std::slice::from_ref(&x));
        assert!(found[0].to_f64_vec() == expected, "{rows} rows: {found:?}");
    }
}
