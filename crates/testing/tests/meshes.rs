//! Functions of the devices of a mesh: random ones, with collectives, loops and branches, give on several devices what the mathematics gives
//! on one in `f64`, and so do their gradients.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jarrah_array::lax;
use jarrah_array::{
    Array, P, PartitionSpec, SpecAxes, VmapOptions, cond, grad, make_program, scan, shard_map, try_trace,
    vmap_with,
};
use jarrah_base::{DType, Literal, Type};
use jarrah_compiler::{Partitioned, partition};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_exchange::{Exchange, Threads};
use jarrah_hlo::host::HandlerCall;
use jarrah_hlo::ops::{CallTarget, Comparison, CustomCall, ManualComputation, While};
use jarrah_hlo::sharding::{AxisPart, DimSharding, Mesh, MeshRef, ProgramShardings, TensorSharding};
use jarrah_hlo::{Builder, Effects, Program};
use jarrah_hlo_format::lower::{self, LowerOptions};
use jarrah_runtime::{Arg, Client, CompileOptions, DeviceId, ExecuteOptions, HostSource};
use jarrah_testing::programs::Rng;
use jarrah_transforms::{ResidualPolicy, on_one_device, value_and_grad};
use rustc_hash::FxHashMap;

/// More meshes than this are for a person to ask for: `JARRAH_MESHES=1000 cargo test -p jarrah-testing meshes`.
const TRIALS: u64 = 60;
/// The extents of arrays, which all meshes cut evenly.
const EXTENT: usize = 24;

fn meshes() -> Vec<Mesh> {
    let all: [&[(&str, usize)]; 5] =
        [&[("x", 8)], &[("x", 2), ("y", 4)], &[("x", 2), ("y", 2), ("z", 2)], &[("x", 3)], &[("x", 6)]];
    all.iter().map(|axes| Mesh::new(axes).unwrap()).collect()
}

/// A random cut of a matrix, along each axis of the mesh at most once.
fn spec(rng: &mut Rng, mesh: &Mesh) -> PartitionSpec {
    let mut dims: [Vec<&str>; 2] = [Vec::new(), Vec::new()];
    for axis in mesh.axes() {
        match rng.below(3) {
            2 => {}
            dim => dims[dim].push(&axis.name),
        }
    }
    let axes = |dim: &Vec<&str>| match dim[..] {
        [] => SpecAxes::from(None),
        [one] => SpecAxes::from(one),
        [a, b] => SpecAxes::from([a, b]),
        _ => SpecAxes::from([dim[0], dim[1], dim[2]]),
    };
    PartitionSpec::new(dims.iter().map(axes))
}

/// A random function of the devices.
struct Body {
    seed: u64,
    mesh: Mesh,
    names: Vec<String>,
}

impl Body {
    fn axis(&self, rng: &mut Rng) -> (&str, usize) {
        let at = rng.below(self.names.len());
        (&self.names[at], self.mesh.axes()[at].size)
    }

    /// One array for each device along an axis.
    fn spread(x: &Array, count: usize) -> Array {
        let weights = (Array::arange(count as i64).astype(x.dtype()) * 0.25 + 0.5).reshape(&[count, 1, 1]);
        x.reshape(&[&[1], &x.shape()[..]].concat()) * weights
    }

    fn step(&self, rng: &mut Rng, x: &Array, y: &Array, depth: usize) -> Array {
        let (name, count) = self.axis(rng);
        match rng.below(if depth > 0 { 14 } else { 11 }) {
            0 => (x * 1.3).sin(),
            1 => (x * y).tanh(),
            2 => x * 0.5 + y,
            3 => lax::pmean(x, name),
            4 => {
                let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
                lax::pmean(&(x * y), &names[..]) + x
            }
            5 => (lax::psum(x, name) * 0.3).sin(),
            6 => (lax::all_gather(x, name) * Body::spread(y, count)).mean(0),
            7 => lax::psum_scatter(&Body::spread(x, count), name) / count as f64,
            8 => {
                let shift = 1 + rng.below(count);
                let pairs: Vec<(usize, usize)> =
                    (0..count).filter(|at| at % 5 != 4).map(|at| (at, (at + shift) % count)).collect();
                lax::ppermute(x, name, &pairs) + y * 0.5
            }
            9 => lax::pswapaxes(&Body::spread(x, count), name, 0).mean(0),
            10 => x * (lax::axis_index(name).astype(x.dtype()) * 0.1 + 0.7) + lax::pmax(y, name) * 0.1,
            11 => {
                let seed = rng.bits();
                let turn =
                    |c: &Array, _: &Array| (self.step(&mut Rng::new(seed), c, y, depth - 1).tanh(), ());
                scan(turn, x, &Array::arange(3)).0
            }
            12 => {
                // All devices take one branch: what it depends on is equal at all of them.
                let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
                let level = lax::pmean(&x.sum(..), &names[..]);
                let (one, other) = (rng.bits(), rng.bits());
                let branch = |seed: u64| self.step(&mut Rng::new(seed), x, y, depth - 1);
                cond(&level.gt(0.37), || branch(one), || branch(other))
            }
            _ => {
                let product = x.matmul(&x.transpose(&[1, 0])) / x.shape()[1] as f64;
                product.matmul(x).tanh() + y
            }
        }
    }

    fn call(&self, (x, w): &(Array, Array)) -> Array {
        let mut rng = Rng::new(self.seed);
        let (mut a, mut b) = (x.clone(), x * w);
        for _ in 0..5 {
            let next = self.step(&mut rng, &a, &b, 2);
            (b, a) = (a, next);
        }
        a + b
    }
}

fn sharding(spec: &PartitionSpec, mesh: &Mesh, rank: usize) -> TensorSharding {
    let whole = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), rank);
    let text = spec.to_string();
    let mut dims: Vec<DimSharding> = Vec::new();
    let inner = text.trim_start_matches("P![").trim_end_matches(']');
    let mut depth = 0;
    let cut = inner.split(|c: char| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    for part in cut.map(str::trim).filter(|part| !part.is_empty()) {
        let names = part.trim_matches(['[', ']']).split(',').map(|name| name.trim().trim_matches('"'));
        dims.push(DimSharding::along(names.filter(|name| *name != "None" && !name.is_empty())));
    }
    dims.resize(rank, DimSharding::default());
    TensorSharding { dims, ..whole }
}

/// The part of a tensor that a device has.
fn part(whole: &Literal, slices: &[std::ops::Range<usize>]) -> Literal {
    let dims: Vec<usize> = whole.ty().dims().to_vec();
    let values = whole.to_f64_vec();
    let mut part = Vec::new();
    for i in slices[0].clone() {
        part.extend_from_slice(&values[i * dims[1] + slices[1].start..i * dims[1] + slices[1].end]);
    }
    let ty = whole.ty().with_dims(slices.iter().map(|s| s.end - s.start));
    Literal::from_f64s(ty, &part).unwrap()
}

/// The results on each device of a client, or on those of this process.
fn on_devices(
    client: &CpuClient,
    program: &Program,
    mesh: &Mesh,
    arguments: &[Vec<Literal>],
) -> Vec<Vec<Literal>> {
    let devices: Vec<DeviceId> = (0..mesh.len() as u32).map(DeviceId).collect();
    let partitions = mesh.len();
    let options = CompileOptions { devices: devices.clone(), partitions, ..CompileOptions::default() };
    let executable = client.compile(program, &options).unwrap();
    let upload = |(device, all): (&DeviceId, &Vec<Literal>)| {
        let one = |x: &Literal| {
            let source = HostSource::Borrowed(x.bytes());
            Arg::Borrow(client.buffer_from_host(x.ty(), source, (*device).into()).unwrap())
        };
        all.iter().map(one).collect()
    };
    let here = |(device, _): &(&DeviceId, _)| client.devices()[device.index()].process == client.process();
    let given = devices.iter().zip(arguments).filter(here).map(upload).collect();
    let ran = executable.execute(given, &ExecuteOptions::default()).unwrap();
    ran.results.iter().map(|all| all.iter().map(|x| x.read().unwrap()).collect()).collect()
}

/// Compares the results on each device with those of the program read again from its StableHLO text, run by the devices of the mesh and,
/// as the program of them all, by one: the bits are equal. Whether there is a program of them all: there is none if a scan or another op
/// of ours has an exchange inside.
fn check_text(
    client: &CpuClient,
    text: &str,
    mesh: &Mesh,
    found: &[Vec<Literal>],
    (whole, parts): (&[Literal], &[Vec<Literal>]),
    results: &[Option<TensorSharding>],
) -> bool {
    assert!(!text.contains("\"jarrah.all") && !text.contains("\"jarrah.axis_index"), "{text}");
    let module = jarrah_hlo_format::parse_tree("<text>", text).unwrap().swap_remove(0);
    let options = LowerOptions { processes: (1, mesh.len()), ..LowerOptions::default() };
    let program = lower::entry(&module, &options).unwrap().program;
    let program = partition(&program, mesh.len()).unwrap().program;
    let again = on_devices(client, &program, mesh, parts);
    let one = Mesh::new(&[]).unwrap();
    let together = match lower::entry(&module, &LowerOptions::default()) {
        Ok(entry) => Some(on_devices(client, &entry.program, &one, &[whole.to_vec()]).swap_remove(0)),
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("[jarrah.") && error.contains("has an exchange"), "{error}\n{text}");
            None
        }
    };
    for (row, all) in found.iter().enumerate() {
        for (at, x) in all.iter().enumerate() {
            assert!(
                x.bytes() == again[row][at].bytes(),
                "result {at} has other bits on device {row}\n{text}"
            );
            let Some(together) = &together else { continue };
            let expected = match &results[at] {
                Some(sharding) => {
                    let dims = together[at].ty().dims();
                    part(&together[at], &sharding.slices(mesh, &dims).unwrap()[row])
                }
                None => together[at].clone(),
            };
            assert!(
                x.bytes() == expected.bytes(),
                "result {at} of device {row} is {x:?}, of all in one {expected:?}\n{text}"
            );
        }
    }
    together.is_some()
}

/// The clients of processes with so many devices each; threads stand for the processes.
fn processes(counts: &[usize]) -> Vec<CpuClient> {
    let exchanges = Threads::start(counts.len());
    thread::scope(|scope| {
        let join = |(exchange, &devices): (Arc<dyn Exchange>, &usize)| {
            let options = CpuOptions { threads: 1, devices, ..CpuOptions::default() };
            scope.spawn(move || CpuClient::join(options, exchange).unwrap())
        };
        let joining: Vec<_> = exchanges.into_iter().zip(counts).map(join).collect();
        joining.into_iter().map(|client| client.join().unwrap()).collect()
    })
}

/// The results on each device of several processes.
fn on_processes(
    clients: &[CpuClient],
    program: &Program,
    mesh: &Mesh,
    arguments: &[Vec<Literal>],
) -> Vec<Vec<Literal>> {
    thread::scope(|scope| {
        let run = |client| scope.spawn(move || on_devices(client, program, mesh, arguments));
        let running: Vec<_> = clients.iter().map(run).collect();
        running.into_iter().flat_map(|results| results.join().unwrap()).collect()
    })
}

/// A case: a program over whole arrays, how its arguments lie, and its values.
struct Case {
    program: Program,
    shardings: Vec<TensorSharding>,
}

fn case(trial: u64, dtype: DType, differentiated: bool) -> (Mesh, Case) {
    let mut rng = Rng::new(trial * 2 + 1);
    let mesh = meshes().swap_remove(trial as usize % 5);
    let (given, weights) = (spec(&mut rng, &mesh), spec(&mut rng, &mesh));
    // Two arrays with parts of equal shapes; so `w` is cut as `x` is, or lies otherwise and is cut again.
    let inside = given.clone();
    let names = mesh.axes().iter().map(|axis| axis.name.to_string()).collect();
    let body = Body { seed: rng.bits(), mesh: mesh.clone(), names };
    let uncut: Vec<String> = {
        let text = given.to_string();
        body.names.iter().filter(|name| !text.contains(&format!("\"{name}\""))).cloned().collect()
    };
    let f = move |args: &(Array, Array)| {
        let y = body.call(args);
        let uncut: Vec<&str> = uncut.iter().map(String::as_str).collect();
        if uncut.is_empty() { y } else { lax::pmean(&y, &uncut[..]) }
    };
    let mapped = shard_map(f, &mesh, &[inside.clone(), inside.clone()], &[inside]);
    let ty = Type::tensor(dtype, [EXTENT, EXTENT]);
    let loss = move |args: &(Array, Array)| (mapped(args) * (args.1.clone() + 0.5)).sum(..) / EXTENT as f64;
    let args = (Array::zeros_of(ty), Array::zeros_of(ty));
    let program = match differentiated {
        true => make_program(grad(loss), &args),
        false => make_program(move |args: &(Array, Array)| loss(args), &args),
    };
    let shardings = [&given, &weights].map(|spec| sharding(spec, &mesh, 2)).to_vec();
    (mesh, Case { program, shardings })
}

fn trials() -> u64 {
    std::env::var("JARRAH_MESHES").ok().and_then(|n| n.parse().ok()).unwrap_or(TRIALS)
}

#[test]
fn random_functions_of_meshes_are_the_mathematics_of_one_device() {
    let client = CpuClient::with_options(CpuOptions { threads: 1, devices: 8, ..CpuOptions::default() });
    // The processes of each number of devices; some devices of a process have no neighbour in it.
    let apart = [vec![3, 1, 4], vec![1, 2], vec![2, 4]];
    let apart = apart.map(|counts| (counts.iter().sum(), processes(&counts)));
    let apart: FxHashMap<usize, Vec<CpuClient>> = apart.into_iter().collect();
    let (mut largest, mut in_one) = (0f64, 0);
    for trial in 0..trials() {
        for differentiated in [false, true] {
            let mut rng = Rng::new(trial + 1000);
            let mut numbers =
                || (0..EXTENT * EXTENT).map(|_| rng.below(2000) as f64 / 1000.0 - 1.0).collect::<Vec<_>>();
            let values = [numbers(), numbers()];
            let literals = |dtype: DType| {
                let ty = Type::tensor(dtype, [EXTENT, EXTENT]);
                values.iter().map(|x| Literal::from_f64s(ty, x).unwrap()).collect::<Vec<_>>()
            };
            let (mesh, exact) = case(trial, DType::F64, differentiated);
            let truth = on_one_device(&exact.program).unwrap();
            let truth = jarrah_hlo_eval::evaluate(&truth, &literals(DType::F64)).unwrap();
            let (_, Case { program, shardings }) = case(trial, DType::F32, differentiated);
            let stated = ProgramShardings {
                parameters: shardings.iter().cloned().map(Some).collect(),
                results: vec![None; program.results().len()],
            };
            let program = program.with_shardings(stated).unwrap();
            let text = jarrah_hlo_format::print(&program);
            let Partitioned { program, results } = partition(&program, mesh.len()).unwrap();
            let given = literals(DType::F32);
            let slices: Vec<_> =
                shardings.iter().map(|s| s.slices(&mesh, &[EXTENT, EXTENT]).unwrap()).collect();
            let arguments: Vec<Vec<Literal>> = (0..mesh.len())
                .map(|row| given.iter().zip(&slices).map(|(x, slices)| part(x, &slices[row])).collect())
                .collect();
            let found = on_devices(&client, &program, &mesh, &arguments);
            let is_one = check_text(&client, &text, &mesh, &found, (&given, &arguments), &results);
            in_one += usize::from(is_one);
            let again = match apart.get(&mesh.len()) {
                Some(clients) => on_processes(clients, &program, &mesh, &arguments),
                None => on_devices(&client, &program, &mesh, &arguments),
            };
            for (row, all) in found.iter().enumerate() {
                for (at, ((x, same), whole)) in all.iter().zip(&again[row]).zip(&truth).enumerate() {
                    assert!(x.bytes() == same.bytes(), "trial {trial}: other bits between processes");
                    let expected = match &results[at] {
                        Some(sharding) => {
                            let slices =
                                sharding.slices(sharding.stated_mesh().unwrap(), &whole.ty().dims()).unwrap();
                            part(whole, &slices[row])
                        }
                        None => whole.clone(),
                    };
                    assert_eq!(x.ty().dims(), expected.ty().dims());
                    let scale = 1.0 + whole.to_f64_vec().iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                    for (x, y) in x.to_f64_vec().into_iter().zip(expected.to_f64_vec()) {
                        let error = (x - y).abs() / scale;
                        largest = largest.max(error);
                        let said =
                            format!("trial {trial} ({mesh:?}, gradient {differentiated}): {x}, not {y}");
                        assert!(error < 2e-5, "{said}");
                    }
                }
            }
        }
    }
    assert!(in_one as u64 > trials(), "{in_one} programs are one of all devices");
    println!("the largest difference is {largest:e}");
}

/// A result that is said to be whole along an axis, and differs there, is an error at the line of the function.
#[test]
fn results_that_differ_along_an_axis_are_refused() {
    let mesh = Mesh::new(&[("x", 2), ("y", 2)]).unwrap();
    let wrong = shard_map(|x: &Array| lax::psum(x, "x"), &mesh, &[P![["x", "y"]]], &[P![]]);
    let error = try_trace(|| wrong(&Array::arange(8))).unwrap_err().to_string();
    assert!(error.contains("may differ along the axis \"y\", and is not cut along it"), "{error}");
    assert!(error.contains("meshes.rs"), "{error}");
    let right = shard_map(|x: &Array| lax::psum(x, ["x", "y"]), &mesh, &[P![["x", "y"]]], &[P![]]);
    assert_eq!(right(&Array::arange(8)).to_vec::<i32>().unwrap(), [12, 16]);
}

/// An array that the function captures is whole at each device, and its gradient is the sum over all.
#[test]
fn gradients_of_captures_are_sums_over_the_devices() {
    let mesh = Mesh::new(&[("x", 4)]).unwrap();
    let x = Array::arange(8).astype(DType::F32);
    let loss = |w: &Array| {
        let w = w.clone();
        let f = move |x: &Array| lax::psum(&(x * &w).square().sum(..), "x");
        shard_map(f, &mesh, &[P!["x"]], &[P![]])(&x)
    };
    let slope = grad(loss)(&Array::scalar(2.0f32));
    assert_eq!(slope.item::<f32>().unwrap(), 2.0 * 2.0 * 140.0);
}

/// An axis of a mesh that has the name of an axis around would be taken for it: an error.
#[test]
fn axes_of_a_mesh_and_of_a_map_around_have_different_names() {
    let mesh = Mesh::new(&[("i", 4)]).unwrap();
    let sum = shard_map(|x: &Array| lax::psum(x, "i"), &mesh, &[P!["i"]], &[P![]]);
    let options = VmapOptions::default().axis_name("i");
    let error =
        try_trace(|| vmap_with(sum, options)(&Array::arange(8).reshape(&[2, 4]))).unwrap_err().to_string();
    assert!(error.contains("has the name of an axis around"), "{error}");
}

fn two() -> (CpuClient, Mesh) {
    let client = CpuClient::with_options(CpuOptions { threads: 1, devices: 2, ..CpuOptions::default() });
    (client, Mesh::new(&[("a", 2)]).unwrap())
}

fn cut(mesh: &Mesh, dims: &[&[&str]]) -> TensorSharding {
    let whole = TensorSharding::replicated(MeshRef::Inline(mesh.clone()), 0);
    TensorSharding {
        dims: dims.iter().map(|axes| DimSharding::along(axes.iter().copied())).collect(),
        ..whole
    }
}

/// The gradient of a value that devices hold as parts of a sum: each part's cotangent is that of the sum.
#[test]
fn the_gradient_of_parts_of_a_sum_is_whole_at_each_device() {
    let (client, mesh) = two();
    let mut b = Builder::new("body");
    let x = b.param(Type::tensor(DType::F32, [1]), "x");
    let y = b.sum(x, &[0]).unwrap();
    let y = b.scale(y, 2.0).unwrap();
    let unreduced = vec![AxisPart { name: "a".into(), part: None }];
    let op = ManualComputation {
        body: b.finish(&[y]).unwrap().into(),
        mesh: mesh.clone(),
        axes: vec!["a".into()],
        operands: vec![cut(&mesh, &[&["a"]])],
        results: vec![TensorSharding { unreduced, ..cut(&mesh, &[]) }],
    };
    let mut b = Builder::new("f");
    let x = b.param(Type::tensor(DType::F32, [2]), "x");
    let y = b.one(op, &[x]).unwrap();
    let gradient = value_and_grad(&b.finish(&[y]).unwrap(), &[0], ResidualPolicy::default()).unwrap();
    let whole = vec![Some(cut(&mesh, &[])), Some(cut(&mesh, &[&[]]))];
    let stated = ProgramShardings { parameters: vec![None], results: whole };
    let Partitioned { program, .. } = partition(&gradient.with_shardings(stated).unwrap(), 2).unwrap();
    let x = Literal::from_slice(&[2], &[3.0f32, 4.0]).unwrap();
    for all in on_devices(&client, &program, &mesh, &vec![vec![x]; 2]) {
        assert_eq!((all[0].to_f64_vec(), all[1].to_f64_vec()), (vec![14.0], vec![2.0, 2.0]));
    }
}

/// A tensor without elements is cut and joined as any.
#[test]
fn tensors_without_elements_are_cut_and_joined() {
    let (client, mesh) = two();
    let mut b = Builder::new("f");
    let x = b.param(Type::tensor(DType::F32, [0, 4]), "x");
    let y = b.sum(x, &[0]).unwrap();
    let program = b.finish(&[y, x]).unwrap();
    let stated = ProgramShardings {
        parameters: vec![Some(cut(&mesh, &[&["a"], &[]]))],
        results: vec![None, Some(cut(&mesh, &[&[], &["a"]]))],
    };
    let Partitioned { program, .. } = partition(&program.with_shardings(stated).unwrap(), 2).unwrap();
    let x = Literal::zeros(Type::tensor(DType::F32, [0, 4])).unwrap();
    for all in on_devices(&client, &program, &mesh, &vec![vec![x]; 2]) {
        assert_eq!(all[0].to_f64_vec(), [0.0; 4]);
        assert_eq!(all[1].ty().dims()[..], [0, 2]);
    }
}

/// A call of the host outside of manual computations is made once, also in a loop whose body is one.
#[test]
fn the_host_is_called_once_for_all_partitions() {
    let (client, mesh) = two();
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let count = move |call: &mut HandlerCall<'_>| {
        let number = counted.fetch_add(1, Ordering::Relaxed) + 1;
        call.results[0].write(&Literal::scalar(number as f32))
    };
    client.registry().register("count", count).unwrap();
    let scalar = Type::scalar(DType::F32);
    let call = |b: &mut Builder| {
        let target = CallTarget::Named("count".into());
        b.one(CustomCall { effects: Effects::OBSERVED, ..CustomCall::new(target, vec![scalar]) }, &[])
            .unwrap()
    };
    let mut b = Builder::new("cond");
    let limit = b.param(scalar, "");
    b.param(Type::tensor(DType::F32, [2]), "");
    let number = call(&mut b);
    let going = b.compare(Comparison::Lt, number, limit).unwrap();
    let cond = b.finish(&[going]).unwrap().into();
    let mut b = Builder::new("double");
    let x = b.param(Type::tensor(DType::F32, [1]), "");
    let y = b.add(x, x).unwrap();
    let double = ManualComputation {
        body: b.finish(&[y]).unwrap().into(),
        mesh: mesh.clone(),
        axes: vec!["a".into()],
        operands: vec![cut(&mesh, &[&["a"]])],
        results: vec![cut(&mesh, &[&["a"]])],
    };
    let mut b = Builder::new("body");
    b.param(scalar, "");
    let x = b.param(Type::tensor(DType::F32, [2]), "");
    let y = b.one(double, &[x]).unwrap();
    let body = b.finish(&[y]).unwrap().into();
    let mut b = Builder::new("f");
    let (limit, x) = (b.param(scalar, "limit"), b.param(Type::tensor(DType::F32, [2]), "x"));
    let y = b.one(While { cond, body, consts: 1 }, &[limit, x]).unwrap();
    let Partitioned { program, .. } = partition(&b.finish(&[y]).unwrap(), 2).unwrap();
    let given = vec![Literal::scalar(4.0f32), Literal::from_slice(&[2], &[1.0f32, 3.0]).unwrap()];
    let results = on_devices(&client, &program, &mesh, &vec![given; 2]);
    assert_eq!(calls.load(Ordering::Relaxed), 4);
    assert!(results.iter().all(|all| all[0].to_f64_vec() == [8.0, 24.0]), "{results:?}");
}
