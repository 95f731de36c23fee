use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{
    Comparison, ElementwiseKind, Reduce, ReduceWindow, Reducer, Scatter, Sort, SortOrder, Update, Window,
    WindowArg, WindowSelect,
};
use jarrah_hlo::{Builder, Program, Rules, Value};
use jarrah_runtime::{Client, CompileOptions, Way};

use super::random::Draw;
use super::scalar_loops::{body, draw, some};
use super::{check, numbers, program};

/// How the only step of a program runs.
fn way(program: &Program) -> Way {
    let executable = CpuClient::with_threads(1).compile(program, &CompileOptions::default()).unwrap();
    let steps = executable.steps();
    assert_eq!(steps.len(), 1, "{steps:?}");
    steps[0].way
}

/// Machine code, where there is any.
pub(super) fn compiled() -> Way {
    let tier = std::env::var("JARRAH_CPU").unwrap_or_default();
    let any = cfg!(all(target_arch = "x86_64", unix, not(jarrah_portable))) && tier != "portable";
    if any { Way::MachineCode } else { Way::Evaluator }
}

fn types_of(args: &[Literal]) -> Vec<Type> {
    args.iter().map(Literal::ty).collect()
}

fn dims(random: &mut Draw) -> Vec<usize> {
    (0..1 + random.below(4)).map(|_| [0, 1, 2, 3, 5, 33][random.below(6)]).collect()
}

#[test]
fn random_reductions_by_programs() {
    for seed in 0..200 {
        let mut random = draw(seed);
        let mut types = some(&mut random, 3);
        if types.is_empty() {
            types.push(DType::F32);
        }
        let dims = dims(&mut random);
        let axes = (0..dims.len()).filter(|_| random.below(2) == 0).collect();
        let params = [types.clone(), types.clone()].concat();
        let reducer = Reducer::General(body(&mut random, &params, &types).into());
        let elements = types.iter().enumerate().map(|(i, &d)| numbers(d, &dims, seed * 10 + i as u64 + 1));
        let initial = types.iter().enumerate().map(|(i, &d)| numbers(d, &[], seed * 10 + i as u64 + 5));
        let args: Vec<Literal> = elements.chain(initial).collect();
        check(&format!("seed {seed}"), &program(Reduce { reducer, axes }, &types_of(&args)), &args, 0.0);
    }
}

#[test]
fn random_scatters_by_programs() {
    for seed in 0..200 {
        let mut random = draw(seed + 500);
        let mut types = some(&mut random, 3);
        if types.is_empty() {
            types.push(DType::I32);
        }
        let (rows, width, count) = (1 + random.below(6), [1, 3, 64, 130][random.below(4)], random.below(40));
        let params = [types.clone(), types.clone()].concat();
        let combine = body(&mut random, &params, &types);
        // Some windows lie outside, and are dropped.
        let indices: Vec<i32> = (0..count).map(|_| random.below(rows + 2) as i32 - 1).collect();
        let mut args: Vec<Literal> = Vec::new();
        for (i, &dtype) in types.iter().enumerate() {
            args.push(numbers(dtype, &[rows, width], seed * 10 + i as u64 + 1));
        }
        args.push(Literal::from_slice(&[count], &indices).unwrap());
        for (i, &dtype) in types.iter().enumerate() {
            args.push(numbers(dtype, &[count, width], seed * 10 + i as u64 + 5));
        }
        let update = Update::Reduce(Reducer::General(combine.into()));
        let op = Scatter::rows(args[0].ty(), args[types.len()].ty(), update);
        check(&format!("seed {seed}"), &program(op, &types_of(&args)), &args, 0.0);
    }
}

fn between(random: &mut Draw, low: i64, high: i64) -> i64 {
    low + random.below((high - low + 1) as usize) as i64
}

#[test]
fn random_windows_by_programs() {
    let (mut growing, mut tried) = (0, 0);
    for seed in 0..400 {
        let mut random = draw(seed + 1300);
        let mut types = some(&mut random, 2);
        if types.is_empty() {
            types.push(DType::F32);
        }
        let dims: Vec<usize> = (0..random.below(4)).map(|_| [1, 2, 3, 7][random.below(4)]).collect();
        let mut window = Window::new(&vec![1; dims.len()]);
        let chosen = random.below(3);
        for (axis, &extent) in dims.iter().enumerate() {
            if chosen > 0 {
                // Growing windows, along one axis.
                if axis == chosen - 1 {
                    window.sizes[axis] = extent + random.below(3);
                    window.low[axis] = window.sizes[axis] as i64 - 1 + between(&mut random, -1, 1);
                    window.high[axis] = between(&mut random, -1, 2);
                }
                continue;
            }
            window.sizes[axis] = 1 + random.below(3);
            window.strides[axis] = 1 + random.below(2);
            window.low[axis] = between(&mut random, -1, 3);
            window.high[axis] = between(&mut random, -1, 3);
            window.base_dilations[axis] = 1 + random.below(2);
            window.dilations[axis] = 1 + random.below(2);
        }
        let params = [types.clone(), types.clone()].concat();
        let program = match random.below(2) {
            // Sums of zeros are zeros, which lets windows grow.
            0 => {
                let mut b = Builder::new("sum");
                let all: Vec<Value> = params.iter().map(|&d| b.param(Type::scalar(d), "")).collect();
                let pairs = (0..types.len()).map(|i| match types[i] {
                    DType::Bool => b.binary(ElementwiseKind::Or, all[i], all[i + types.len()]).unwrap(),
                    _ => b.add(all[i], all[i + types.len()]).unwrap(),
                });
                let results: Vec<Value> = pairs.collect();
                b.finish(&results).unwrap()
            }
            _ => body(&mut random, &params, &types),
        };
        let zeros = random.below(2) == 0;
        let elements = types.iter().enumerate().map(|(i, &d)| numbers(d, &dims, seed * 10 + i as u64 + 1));
        let initial = types.iter().enumerate().map(|(i, &d)| match zeros {
            true => Literal::zeros(Type::scalar(d)).unwrap(),
            false => numbers(d, &[], seed * 10 + i as u64 + 5),
        });
        let args: Vec<Literal> = elements.chain(initial).collect();
        growing += usize::from(window.cumulative(&dims).is_ok_and(|c| c.is_some_and(|c| !c.from_end)));
        let mut b = Builder::new("windows");
        let operands: Vec<Value> = args.iter().map(|a| b.param(a.ty(), "")).collect();
        let op = ReduceWindow { reducer: Reducer::General(program.into()), window };
        // Some windows are larger than what they lie on.
        let Ok(results) = b.push(op, &operands).map(|results| results.to_vec()) else { continue };
        tried += 1;
        check(&format!("seed {seed}"), &b.finish(&results).unwrap(), &args, 0.0);
    }
    assert!(tried > 200 && growing > 50, "{growing} growing of {tried}");
}

#[test]
fn random_selections_by_programs() {
    for seed in 0..200 {
        let mut random = draw(seed + 2900);
        let dtype = *some(&mut random, 1).first().unwrap_or(&DType::F32);
        let dims: Vec<usize> = (0..random.below(4)).map(|_| [1, 2, 3, 7, 19][random.below(5)]).collect();
        let mut window = Window::new(&vec![1; dims.len()]);
        for axis in 0..dims.len() {
            window.sizes[axis] = 1 + random.below(3);
            window.strides[axis] = 1 + random.below(2);
            window.low[axis] = between(&mut random, 0, 3);
            window.high[axis] = between(&mut random, 0, 3);
            window.base_dilations[axis] = 1 + random.below(2);
            window.dilations[axis] = 1 + random.below(2);
        }
        let select = body(&mut random, &[dtype, dtype], &[DType::Bool]);
        let to = [DType::I8, DType::I32, DType::I64][random.below(3)];
        let op = WindowArg { select: WindowSelect::General(select.into()), window, to };
        let args = [numbers(dtype, &dims, seed * 10)];
        let Ok(_) = op.infer(&types_of(&args)) else { continue };
        check(&format!("seed {seed}"), &program(op, &types_of(&args)), &args, 0.0);
    }
}

#[test]
fn a_selection_by_a_program_is_machine_code() {
    let mut b = Builder::new("larger");
    let [held, next] = [0, 1].map(|_| b.param(Type::scalar(DType::F32), ""));
    let sizes = [held, next].map(|x| b.unary(ElementwiseKind::Abs, x).unwrap());
    let stays = b.compare(Comparison::Ge, sizes[0], sizes[1]).unwrap();
    let select = WindowSelect::General(b.finish(&[stays]).unwrap().into());
    let op = WindowArg { select, window: Window::new(&[2, 2]).strided(&[2, 2]), to: DType::I32 };
    let args = [numbers(DType::F32, &[40, 60], 3)];
    let program = program(op, &types_of(&args));
    check("pool", &program, &args, 0.0);
    let executable = CpuClient::with_threads(1).compile(&program, &CompileOptions::default()).unwrap();
    let ways: Vec<Way> = executable.steps().iter().map(|step| step.way).collect();
    assert!(ways.contains(&compiled()), "{ways:?}");
    assert!(compiled() == Way::Evaluator || !ways.contains(&Way::Evaluator), "{ways:?}");
}

/// Most of these orders contradict themselves.
#[test]
fn random_sorts_by_programs() {
    for seed in 0..200 {
        let mut random = draw(seed + 900);
        let mut types = some(&mut random, 3);
        if types.is_empty() {
            types.push(DType::F64);
        }
        let dims = dims(&mut random);
        let axis = random.below(dims.len());
        let params: Vec<DType> = types.iter().flat_map(|&d| [d, d]).collect();
        let order = SortOrder::General(body(&mut random, &params, &[DType::Bool]).into());
        let args = types.iter().enumerate().map(|(i, &d)| numbers(d, &dims, seed * 10 + i as u64 + 1));
        let args: Vec<Literal> = args.collect();
        check(
            &format!("seed {seed}"),
            &program(Sort { axis, stable: true, order }, &types_of(&args)),
            &args,
            0.0,
        );
    }
}

/// Whether `b` is larger: of a value and its position, the larger value's, the earlier one's among equals.
fn larger() -> Program {
    let mut b = Builder::new("larger");
    let [x, i] = [DType::F32, DType::I32].map(|d| b.param(Type::scalar(d), ""));
    let [y, j] = [DType::F32, DType::I32].map(|d| b.param(Type::scalar(d), ""));
    let above = b.compare(Comparison::Gt, y, x).unwrap();
    let value = b.select(above, y, x).unwrap();
    let position = b.select(above, j, i).unwrap();
    b.finish(&[value, position]).unwrap()
}

/// Whether the first number is the smaller one, whatever its sign.
fn by_size() -> Program {
    let mut b = Builder::new("by_size");
    let pair = [0, 1].map(|_| b.param(Type::scalar(DType::F32), ""));
    let [x, y] = pair.map(|v| b.unary(ElementwiseKind::Abs, v).unwrap());
    let less = b.compare(Comparison::Lt, x, y).unwrap();
    b.finish(&[less]).unwrap()
}

#[test]
fn programs_of_scalars_become_machine_code() {
    let (table, positions) = (Type::tensor(DType::F32, [40, 300]), Type::tensor(DType::I32, [40, 300]));
    let op = Reduce { reducer: Reducer::General(larger().into()), axes: [1].into_iter().collect() };
    let argmax = program(op, &[table, positions, Type::scalar(DType::F32), Type::scalar(DType::I32)]);
    assert_eq!(way(&argmax), compiled());
    let args = [numbers(DType::F32, &[40, 300], 1), numbers(DType::I32, &[40, 300], 2)];
    let initial = [Literal::scalar(f32::NEG_INFINITY), Literal::scalar(-1i32)];
    check("the larger", &argmax, &[args, initial].concat(), 0.0);

    let order = SortOrder::General(by_size().into());
    let sort = program(Sort { axis: 1, stable: true, order }, &[table]);
    assert_eq!(way(&sort), compiled());
    let sorted = check("by size", &sort, &[numbers(DType::F32, &[40, 300], 3)], 0.0);
    let sizes: Vec<f64> = sorted[0].to_f64_vec().iter().map(|x| x.abs()).collect();
    assert!(sizes.chunks(300).all(|line| line.is_sorted()));

    let indices = Type::tensor(DType::I32, [90]);
    let updates = [DType::F32, DType::I32].map(|d| Type::tensor(d, [90, 300]));
    let op = Scatter::rows(table, indices, Update::Reduce(Reducer::General(larger().into())));
    let types = [table, positions, indices, updates[0], updates[1]];
    let scatter = program(op, &types);
    assert_eq!(way(&scatter), compiled());
    let args: Vec<Literal> =
        types.iter().enumerate().map(|(i, ty)| numbers(ty.dtype(), &ty.dims(), i as u64 + 4)).collect();
    check("the larger, scattered", &scatter, &args, 0.0);
}
