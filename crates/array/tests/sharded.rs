//! Arrays over several devices, of one process and of several: their shards, their cuts, and functions on them.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jarrah_array::{
    Array, DType, Device, Mesh, NamedSharding, P, PartitionSpec, Type, VmapOptions, cond, grad, jit,
    join_processes, lax, pmap, shard_map, vmap_with, with_default_device,
};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_exchange::Threads;

fn options(devices: usize) -> CpuOptions {
    CpuOptions { threads: 1, devices, ..CpuOptions::default() }
}

fn devices(count: usize) -> Vec<Device> {
    Device::all(Arc::new(CpuClient::with_options(options(count))))
}

/// Runs `f` on a thread for each process, with the devices of all, of which it has so many itself.
fn processes(counts: &[usize], f: impl Fn(Vec<Device>) + Sync) {
    let f = &f;
    std::thread::scope(|scope| {
        for (exchange, &count) in Threads::start(counts.len()).into_iter().zip(counts) {
            scope.spawn(move || {
                let client = CpuClient::join(options(count), exchange).unwrap();
                f(Device::all(Arc::new(client)));
            });
        }
    });
}

fn mesh() -> Mesh {
    Mesh::new(&[("data", 2), ("model", 2)]).unwrap()
}

fn over(devices: &[Device], spec: PartitionSpec) -> NamedSharding {
    NamedSharding::on(&mesh(), spec, devices.to_vec()).unwrap()
}

fn specs() -> Vec<PartitionSpec> {
    vec![
        P![],
        P!["data"],
        P!["model", "data"],
        P!["data", "model"],
        P![None, "model"],
        P![["data", "model"]],
        P![None, ["model", "data"]],
    ]
}

/// The elements that lie in a place of `arange(8 * 12)` as a matrix.
fn expected(index: &[Range<usize>]) -> Vec<i32> {
    index[0].clone().flat_map(|i| index[1].clone().map(move |j| (i * 12 + j) as i32)).collect()
}

fn matrix() -> Array {
    Array::arange(96).reshape(&[8, 12])
}

/// Each shard is the part that the spec says, whatever the array lay as before.
#[test]
fn an_array_is_cut_again_between_any_two_shardings() {
    let devices = devices(4);
    for from in specs() {
        for to in specs() {
            let x = matrix().to_sharding(&over(&devices, from.clone())).unwrap();
            let y = x.to_sharding(&over(&devices, to.clone())).unwrap();
            assert_eq!(y.sharding().unwrap().spec(), &to);
            for shard in y.shards() {
                assert_eq!(shard.data.to_vec::<i32>().unwrap(), expected(&shard.index), "{from} to {to}");
                assert_eq!(shard.data.device(), shard.device);
            }
            assert_eq!(y.to_vec::<i32>().unwrap(), matrix().to_vec::<i32>().unwrap());
        }
    }
}

/// An array over devices of two processes is cut again; each process has and reads its own shards.
#[test]
fn an_array_is_cut_again_across_processes() {
    processes(&[1, 3], |devices| {
        for from in specs() {
            for to in specs() {
                let x = matrix().to_sharding(&over(&devices, from.clone())).unwrap();
                let y = x.to_sharding(&over(&devices, to.clone())).unwrap();
                let own = devices.iter().filter(|device| device.is_addressable()).count();
                assert_eq!(y.shards().len(), own);
                for shard in y.shards() {
                    assert_eq!(shard.data.to_vec::<i32>().unwrap(), expected(&shard.index), "{from} to {to}");
                }
            }
        }
        let x = matrix().to_sharding(&over(&devices, P!["data", "model"])).unwrap();
        let error = x.to_literal().unwrap_err().to_string();
        assert!(error.contains("lies on devices of other processes"), "{error}");
        assert!(error.contains(&format!("{}:{}", file!(), line!() - 2)), "{error}");
        assert_eq!(
            x.to_sharding(&over(&devices, P![])).unwrap().to_vec::<i32>().unwrap(),
            matrix().to_vec::<i32>().unwrap()
        );
    });
}

/// A function of the devices runs on the devices over which its argument lies, eagerly, compiled and differentiated, with the bits of one.
#[test]
fn functions_of_a_mesh_run_on_the_devices_of_their_arguments() {
    let w = Array::arange(12).astype(DType::F32) * 0.1;
    let x = matrix().astype(DType::F32) * 0.01;
    let loss = |(w, x): &(Array, Array)| lax::pmean(&(x * w).sin().sum(..), ["data", "model"]);
    let mapped = || shard_map(loss, &mesh(), &[P!["model"], P!["data", "model"]], &[P![]]);
    let slope = || grad(mapped());
    let alone = (jit(mapped()).call((w.clone(), x.clone())).unwrap(), slope()(&(w.clone(), x.clone())));
    let on = |devices: Vec<Device>| {
        let args = (
            w.to_sharding(&over(&devices, P!["model"])).unwrap(),
            x.to_sharding(&over(&devices, P!["data", "model"])).unwrap(),
        );
        let found = mapped()(&args);
        assert_eq!(found.sharding().unwrap().spec(), &P![]);
        assert_eq!(found.shards().len(), devices.iter().filter(|device| device.is_addressable()).count());
        assert_eq!(found.to_vec::<f32>().unwrap(), alone.0.to_vec::<f32>().unwrap());
        let compiled = jit(mapped());
        for _ in 0..2 {
            let found = compiled.call(args.clone()).unwrap();
            assert_eq!(found.to_vec::<f32>().unwrap(), alone.0.to_vec::<f32>().unwrap());
        }
        let (dw, dx) = jit(slope()).call(args.clone()).unwrap();
        assert_eq!(dx.sharding().unwrap().spec(), &P!["data", "model"]);
        for shard in dx.shards() {
            let whole = alone.1.1.to_vec::<f32>().unwrap();
            let part: Vec<f32> = expected(&shard.index).into_iter().map(|at| whole[at as usize]).collect();
            assert_eq!(shard.data.to_vec::<f32>().unwrap(), part);
        }
        let dw = dw.to_sharding(&over(&devices, P![])).unwrap();
        assert_eq!(dw.to_vec::<f32>().unwrap(), alone.1.0.to_vec::<f32>().unwrap());
    };
    on(devices(4));
    processes(&[2, 2], on);
}

/// A compiled function that speaks of no mesh gives the same values, and an op outside of compiled functions brings an array together.
#[test]
fn other_functions_give_the_values_of_one_device() {
    let devices = devices(4);
    let x = matrix().astype(DType::F32).to_sharding(&over(&devices, P!["data", "model"])).unwrap();
    let f = |x: &Array| x.matmul(&x.transpose(&[1, 0])) * 0.5;
    let (product, moved) =
        (jit(f).call(x.clone()).unwrap(), jit(|x: &Array| x.sin()).call(x.clone()).unwrap());
    let whole = matrix().astype(DType::F32);
    let (one, other) = (f(&whole), whole.sin());
    assert_eq!(product.to_vec::<f32>().unwrap(), one.to_vec::<f32>().unwrap());
    assert_eq!(moved.sharding().unwrap().spec(), &P!["data", "model"]);
    assert_eq!(moved.to_vec::<f32>().unwrap(), other.to_vec::<f32>().unwrap());
    let eager = x.sin();
    assert!(eager.sharding().is_none());
    assert_eq!(eager.to_vec::<f32>().unwrap(), other.to_vec::<f32>().unwrap());
}

/// A shard is memory of the array's: it is not given up while the array is held.
#[test]
fn a_shard_is_not_donated_while_its_array_is_held() {
    let devices = devices(4);
    let x = matrix().to_sharding(&over(&devices, P!["data"])).unwrap();
    let doubled = jit(|(s,): &(Array,)| s * 2).donate(0);
    let error = doubled.call((x.shards().swap_remove(0).data,)).unwrap_err().to_string();
    assert!(error.contains("is donated but something else holds it"), "{error}");
    assert_eq!(x.to_vec::<i32>().unwrap(), matrix().to_vec::<i32>().unwrap());
    // A copy on one device is the caller's own.
    let copy = x.to_device(&devices[1]).unwrap();
    assert_eq!(jit(|(s,): &(Array,)| s * 2).donate(0).call((copy,)).unwrap().shape(), [8, 12]);
}

/// Processes that have no device of an array call the same functions, and do nothing.
#[test]
fn an_array_on_the_devices_of_one_process_is_cut_again_by_all() {
    processes(&[2, 1], |devices| {
        let mesh = Mesh::new(&[("data", 2)]).unwrap();
        let order = |list: [usize; 2]| {
            NamedSharding::on(&mesh, P!["data"], list.map(|at| devices[at].clone()).to_vec()).unwrap()
        };
        let x = matrix().to_sharding(&order([0, 1])).unwrap().to_sharding(&order([1, 0])).unwrap();
        x.block_until_ready().unwrap();
        let own = if devices[0].is_addressable() { 2 } else { 0 };
        assert_eq!(x.shards().len(), own);
        for shard in x.shards() {
            assert_eq!(shard.data.to_vec::<i32>().unwrap(), expected(&shard.index));
        }
    });
}

/// Each process makes what its devices have, and asks for each place once.
#[test]
fn each_process_makes_its_own_parts() {
    processes(&[2, 2], |devices| {
        let ty = Type::tensor(DType::I32, [8, 12]);
        let calls = AtomicUsize::new(0);
        let sharding = over(&devices, P!["data"]);
        let x = Array::from_callback(ty, &sharding, |index| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(Array::new(&expected(index), &[index[0].len(), index[1].len()]))
        })
        .unwrap();
        // Both devices of a process have the rows of one place.
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        let first = if devices[0].is_addressable() { 0 } else { 4 };
        let local = Array::new(&expected(&[first..first + 4, 0..12]), &[4, 12]);
        let y = Array::from_process_local(&local, &[8, 12], &sharding).unwrap();
        // Nothing is brought together for that.
        x.block_until_ready().unwrap();
        for (a, b) in x.shards().iter().zip(y.shards()) {
            assert_eq!(a.data.to_vec::<i32>().unwrap(), expected(&a.index));
            assert_eq!(a.data.to_vec::<i32>().unwrap(), b.data.to_vec::<i32>().unwrap());
        }
        let error = Array::from_process_local(&matrix(), &[8, 12], &sharding).unwrap_err().to_string();
        assert!(error.contains("i32[4,12], i32[8,12] was given"), "{error}");
    });
}

/// A process that a launcher started; without one, nothing.
#[test]
#[cfg(target_os = "linux")]
fn child() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    assert!(join_processes().unwrap());
    let all = jarrah_array::devices();
    assert_eq!(all.len(), 4);
    assert!(jarrah_array::default_device().is_addressable());
    let mesh = Mesh::new(&[("data", 4)]).unwrap();
    let x = Array::arange(8).to_sharding(&NamedSharding::new(&mesh, P!["data"]).unwrap()).unwrap();
    let total = shard_map(|x: &Array| lax::psum(&x.sum(..), "data"), &mesh, &[P!["data"]], &[P![]]);
    assert_eq!(jit(total).call(x).unwrap().item::<i64>().unwrap(), 28);
    // Arrays that are on no mesh are this process's own.
    assert_eq!((Array::arange(3) + 1).to_vec::<i32>().unwrap(), [1, 2, 3]);
}

#[cfg(target_os = "linux")]
const ROLE: &str = "JARRAH_ARRAY_TEST_PROCESS";

/// The processes of `jarrah launch` have each other's devices in one call.
#[test]
#[cfg(target_os = "linux")]
fn processes_of_a_launcher_join_in_one_call() {
    assert!(!join_processes().unwrap());
    let ended = jarrah_exchange::Launch::new(2, |_| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args(["sharded::child", "--exact"]).env(ROLE, "1").env("JARRAH_CPU_DEVICES", "2");
        command
    })
    .run()
    .unwrap();
    assert!(ended.iter().all(|process| process.status.success()), "{ended:?}");
}

/// Errors say what does not fit, and at which line.
#[test]
fn shardings_that_do_not_fit_are_refused() {
    let devices = devices(4);
    let refused = |result: jarrah_array::Result<NamedSharding>, line: u32, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words) && error.contains(&format!("{}:{line}", file!())), "{error}");
    };
    let of_rows = NamedSharding::on(&mesh(), P!["rows"], devices.clone());
    refused(of_rows, line!() - 1, "names the axis \"rows\", the mesh has \"data\", \"model\"");
    let of_three = NamedSharding::on(&mesh(), P![], devices[..3].to_vec());
    refused(of_three, line!() - 1, "3 devices for a mesh of 4");
    let twice = [0, 1, 2, 1].map(|at| devices[at].clone());
    let of_twice = NamedSharding::on(&mesh(), P![], twice.to_vec());
    refused(of_twice, line!() - 1, "device 1 is there twice in the devices of a mesh");
    let many = Mesh::new(&[("data", 1 << 16)]).unwrap();
    let of_many = NamedSharding::new(&many, P!["data"]);
    refused(of_many, line!() - 1, "a mesh of 65536 devices, where there are");
    let error = Mesh::new(&[("data", 2), ("data", 2)]).unwrap_err().to_string();
    assert!(error.contains(&format!("{}:{}", file!(), line!() - 1)), "{error}");
    let error = Array::arange(7).to_sharding(&over(&devices, P!["data"])).unwrap_err().to_string();
    assert!(error.contains("to_sharding") && error.contains(file!()), "{error}");
    let local = Array::arange(7);
    let error = Array::from_process_local(&local, &[7], &over(&devices, P!["data"])).unwrap_err().to_string();
    assert!(error.contains("from_process_local") && error.contains(file!()), "{error}");
    let x = matrix().to_sharding(&over(&devices, P!["data"])).unwrap();
    let back: Vec<Device> = devices.iter().rev().cloned().collect();
    let y = matrix().to_sharding(&over(&back, P!["data"])).unwrap();
    let error = jit(|(x, y): &(Array, Array)| x + y).call((x, y)).unwrap_err().to_string();
    let said = "the arguments lie on different devices: P![\"data\"] over {\"data\": 2, \"model\": 2} on devices 0, 1, 2, 3; and P![\"data\"] over {\"data\": 2, \"model\": 2} on devices 3, 2, 1, 0";
    assert!(error.contains(said) && error.contains(&format!("{}:{}", file!(), line!() - 2)), "{error}");
}

/// A compiled function over the devices of a mesh is called after the person's function.
#[test]
fn compiled_functions_of_a_mesh_have_the_names_of_their_functions() {
    fn doubled(x: &Array) -> Array {
        x * 2
    }
    let mesh = Mesh::new(&[("i", 1)]).unwrap();
    let x = Array::arange(4);
    let named = jit(shard_map(doubled, &mesh, &[P!["i"]], &[P!["i"]]));
    assert_eq!(named.lower(&x).program().name(), "jit(doubled)");
    let closed = jit(shard_map(|x: &Array| x + 1, &mesh, &[P!["i"]], &[P!["i"]]));
    let within = "jit(compiled_functions_of_a_mesh_have_the_names_of_their_functions)";
    assert_eq!(closed.lower(&x).program().name(), within);
}

/// A failed run is told at the user's lines, where its shards are read too.
#[test]
fn failed_shards_name_the_users_lines() {
    let mesh = Mesh::new(&[("i", 4)]).unwrap();
    let lies = NamedSharding::on(&mesh, P!["i"], devices(4)).unwrap();
    let f = |x: &Array| {
        let first = lax::axis_index("i").lt(2);
        cond(&first, || lax::psum(x, "i"), || x * 2)
    };
    let x = Array::arange(4).to_sharding(&lies).unwrap();
    let y = jit(shard_map(f, &mesh, &[P!["i"]], &[P!["i"]])).call(x).unwrap();
    let error = y.shards()[0].data.to_vec::<i32>().unwrap_err().to_string();
    assert!(error.contains(&format!("device 0 at all_reduce ({}:", file!())), "{error}");
    assert!(!error.contains("src/"), "{error}");
}

/// A function of each slice on its device gives what the map of one device gives, with collectives, captured arrays, trees and gradients.
#[test]
fn pmap_gives_what_a_named_map_gives() {
    let devices = devices(4);
    with_default_device(&devices[0], || {
        let w = Array::from_slice(&[0.5f32, -1.0, 2.0]);
        let f = move |(x, k): &(Array, Array)| {
            let y = (x * &w).sin() + lax::pmean(x, "i") * k;
            (
                lax::ppermute(&y, "i", &[(0, 1), (1, 2), (2, 3), (3, 0)]),
                lax::axis_index("i") + k.astype(DType::I32),
            )
        };
        let x = Array::arange(12).astype(DType::F32).reshape(&[4, 3]) * 0.25;
        let k = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]);
        let mapped = vmap_with(f.clone(), VmapOptions::default().axis_name("i"));
        let ((a, i), (b, j)) =
            (pmap(f.clone(), "i")(&(x.clone(), k.clone())), mapped(&(x.clone(), k.clone())));
        assert_eq!(a.to_vec::<f32>().unwrap(), b.to_vec::<f32>().unwrap());
        assert_eq!(i.to_vec::<i32>().unwrap(), j.to_vec::<i32>().unwrap());
        let on: Vec<Device> = a.shards().into_iter().map(|shard| shard.device).collect();
        assert_eq!(on, devices);
        let on_devices = pmap(f, "i");
        let loss = |args: &(Array, Array)| on_devices(args).0.square().sum(..);
        let other = |args: &(Array, Array)| mapped(args).0.square().sum(..);
        let (dx, dk) = grad(loss)(&(x.clone(), k.clone()));
        let (ex, ek) = grad(other)(&(x, k));
        for (found, expected) in [(dx, ex), (dk, ek)] {
            let (found, expected) = (found.to_vec::<f32>().unwrap(), expected.to_vec::<f32>().unwrap());
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0)));
        }
    });
}

#[test]
fn pmap_says_which_argument_it_cannot_map() {
    let devices = devices(2);
    with_default_device(&devices[0], || {
        let said = |args: (Array, Array)| {
            let f = pmap(|(x, y): &(Array, Array)| x + y, "i");
            let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f(&args))).err().unwrap();
            payload.downcast_ref::<String>().cloned().unwrap_or_default()
        };
        let error = said((Array::zeros(&[2]), Array::scalar(1.0f32)));
        assert!(error.contains("argument 1, f32[], has no dimension to map over"), "{error}");
        let error = said((Array::zeros(&[2]), Array::zeros(&[3])));
        assert!(error.contains("the first extent of argument 0 is 2, that of argument 1 is 3"), "{error}");
        let error = said((Array::zeros(&[3]), Array::zeros(&[3])));
        assert!(error.contains("a mesh of 3 devices, where there are 2"), "{error}");
        assert!(error.contains("JARRAH_CPU_DEVICES"), "{error}");
    });
}
