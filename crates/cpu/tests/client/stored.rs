//! Executables as bytes, and the cache on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_hlo::host::{HandlerCall, NamedHandler};
use jarrah_hlo::ops::{CallTarget, CustomCall, DotGeneral};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_reference::ReferenceClient;
use jarrah_runtime::{
    Client, CompileOptions, DeviceId, DiskCache, DiskKey, DiskUse, Executable, Kept, Serialized,
};

use super::{numbers, program, run};

fn ran(client: &dyn Client, executable: &Arc<dyn Executable>, args: &[Literal]) -> Vec<Literal> {
    let args = args.iter().map(|arg| client.upload(arg).unwrap()).collect();
    executable.run(args).unwrap().iter().map(|result| result.read().unwrap()).collect()
}

#[test]
fn every_example_runs_as_before_where_it_is_loaded() {
    let (here, there) = (CpuClient::with_threads(2), CpuClient::with_threads(2));
    let mut count = 0;
    for example in Op::examples() {
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let one = program(example.op.clone(), &types);
        if matches!(example.op, Op::CustomTangent(_)) || one.calls_functions() {
            continue;
        }
        let executable = here.compile(&one, &CompileOptions::default()).unwrap();
        let loaded = there.load(&executable.serialize().unwrap(), None).unwrap();
        let expected = ran(&here, &executable, &example.operands);
        assert_eq!(
            ran(&there, &loaded, &example.operands),
            expected,
            "{}, {}",
            example.op.name(),
            example.name
        );
        assert_eq!(loaded.memory(), executable.memory());
        count += 1;
    }
    assert!(count > 100, "{count} examples");
}

fn scaled(by: f32) -> Program {
    let mut b = Builder::new("scaled");
    let x = b.param(Type::tensor(DType::F32, [16]), "x");
    let by = b.full(Type::tensor(DType::F32, [16]), f64::from(by)).unwrap();
    let y = b.mul(x, by).unwrap();
    b.finish(&[y]).unwrap()
}

#[test]
fn an_executable_is_loaded_with_its_options_or_for_other_devices() {
    let client = CpuClient::with_options(CpuOptions { devices: 3, ..CpuOptions::default() });
    let options = CompileOptions { devices: vec![DeviceId(2)], ..CompileOptions::donating(&[0]) };
    let bytes = client.compile(&scaled(2.0), &options).unwrap().serialize().unwrap();
    assert_eq!(client.load(&bytes, None).unwrap().options(), &options);
    let loaded = client.load(&bytes, Some(&[DeviceId(1)])).unwrap();
    assert_eq!(loaded.options(), &CompileOptions { devices: vec![DeviceId(1)], ..options });
    let error = CpuClient::with_threads(1).load(&bytes, None).err().unwrap().to_string();
    assert!(error.contains("no device 2"), "{error}");
}

#[test]
fn what_cannot_be_loaded_says_why() {
    let client = CpuClient::with_threads(1);
    let bytes = client.compile(&scaled(2.0), &CompileOptions::default()).unwrap().serialize().unwrap();
    assert!(error(&client, b"").contains("no serialized executable"));
    assert!(error(&client, b"\x7fELF").contains("no serialized executable"));
    for end in 20..bytes.len() {
        assert!(error(&client, &bytes[..end]).contains("damaged"), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        let said = error(&client, &changed);
        assert!(said.contains("damaged") || said.contains("no serialized executable"), "byte {at}: {said}");
    }
    let other = ReferenceClient::new().compile(&scaled(2.0), &CompileOptions::default()).unwrap();
    let said = error(&client, &other.serialize().unwrap());
    assert!(said.contains("another platform or version") && said.contains("reference"), "{said}");
    let older = Serialized::new("cpu", "0.0.1", CompileOptions::default(), Vec::new());
    let said = error(&client, &older.to_bytes().unwrap());
    assert!(said.contains("0.0.1") && said.contains(client.version()), "{said}");
}

fn error(client: &CpuClient, bytes: &[u8]) -> String {
    client.load(bytes, None).err().unwrap().to_string()
}

#[test]
fn the_reference_loads_what_it_serialized() {
    let client = ReferenceClient::new();
    let executable = client.compile(&scaled(3.0), &CompileOptions::default()).unwrap();
    let loaded = client.load(&executable.serialize().unwrap(), None).unwrap();
    let x = [numbers(DType::F32, &[16], 1)];
    assert_eq!(ran(&client, &loaded, &x), ran(&client, &executable, &x));
}

/// A client as another process would have it, with a cache in `folder`.
fn fresh(folder: &Path, limit: u64) -> (CpuClient, Arc<DiskCache>) {
    let cache = Arc::new(DiskCache::new(folder, limit));
    let options = CpuOptions { threads: 1, cache: Some(cache.clone()), ..CpuOptions::default() };
    (CpuClient::with_options(options), cache)
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

const LARGE: u64 = 1 << 30;

#[test]
fn a_program_that_was_compiled_once_is_not_compiled_again() {
    let folder = tempfile::tempdir().unwrap();
    let x = [numbers(DType::F32, &[16], 1)];
    let (first, cache) = fresh(folder.path(), LARGE);
    let expected = run(&first, &scaled(2.0), &x);
    assert_eq!(cache.uses(), DiskUse { missing: 1, ..DiskUse::default() });

    let (second, cache) = fresh(folder.path(), LARGE);
    assert_eq!(run(&second, &scaled(2.0), &x), expected);
    assert_eq!(cache.uses(), DiskUse { found: 1, ..DiskUse::default() });

    // Another program, other options, and another name are other executables.
    run(&second, &scaled(2.5), &x);
    second.compile(&scaled(2.0), &CompileOptions::donating(&[0])).unwrap();
    run(&second, &scaled(2.0).named("other"), &x);
    assert_eq!(cache.uses(), DiskUse { found: 1, missing: 3, refused: 0 });
    assert_eq!(kept(folder.path()).len(), 4);
}

#[test]
fn a_file_that_is_damaged_is_compiled_anew() {
    let folder = tempfile::tempdir().unwrap();
    let x = [numbers(DType::F32, &[16], 1)];
    let expected = run(&fresh(folder.path(), LARGE).0, &scaled(2.0), &x);
    let [path] = &kept(folder.path())[..] else { panic!("one file") };
    let good = fs::read(path).unwrap();
    let cut = (0..good.len()).map(|end| good[..end].to_vec());
    let changed = (0..good.len()).map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    });
    for bad in cut.chain(changed) {
        fs::write(path, &bad).unwrap();
        let (client, cache) = fresh(folder.path(), LARGE);
        assert_eq!(run(&client, &scaled(2.0), &x), expected);
        assert_eq!(cache.uses(), DiskUse { refused: 1, ..DiskUse::default() });
        assert_eq!(fs::read(path).unwrap(), good, "the file is whole again");
    }
}

#[test]
fn a_file_by_the_name_of_another_program_is_compiled_anew() {
    let x = [numbers(DType::F32, &[16], 1)];
    let [one, other] = [2.0, 3.0].map(|by| {
        let folder = tempfile::tempdir().unwrap();
        let expected = run(&fresh(folder.path(), LARGE).0, &scaled(by), &x);
        (folder, expected)
    });
    fs::copy(&kept(one.0.path())[0], &kept(other.0.path())[0]).unwrap();
    let (client, cache) = fresh(other.0.path(), LARGE);
    assert_eq!(run(&client, &scaled(3.0), &x), other.1);
    assert_eq!(cache.uses(), DiskUse { refused: 1, ..DiskUse::default() });
}

#[test]
fn what_was_used_longest_ago_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let (client, _) = fresh(folder.path(), LARGE);
    let compile = |client: &CpuClient, by: usize| {
        client.compile(&scaled(by as f32), &CompileOptions::default()).unwrap();
    };
    compile(&client, 0);
    let size = fs::metadata(&kept(folder.path())[0]).unwrap().len();
    // What is not the cache's own stays, whatever its size and age.
    let foreign = folder.path().join("notes.txt");
    fs::write(&foreign, vec![0; 4 * size as usize]).unwrap();
    let begin = SystemTime::now() - Duration::from_secs(1000);
    let mut before = kept(folder.path());
    let mut order = Vec::new();
    for by in 0..10 {
        compile(&client, by);
        let path = match kept(folder.path()).into_iter().find(|path| !before.contains(path)) {
            Some(path) => path,
            None => before.iter().find(|path| **path != foreign).unwrap().clone(),
        };
        before = kept(folder.path());
        let at = begin + Duration::from_secs(by as u64);
        fs::File::options().append(true).open(&path).unwrap().set_modified(at).unwrap();
        order.push(path);
    }
    // The oldest one is used, and so becomes the youngest.
    let (client, cache) = fresh(folder.path(), 8 * size + size / 2);
    compile(&client, 0);
    assert_eq!(cache.uses().found, 1);
    compile(&client, 10);
    let left: Vec<usize> = (0..10).filter(|&by| order[by].exists()).collect();
    assert_eq!(left, [0, 5, 6, 7, 8, 9], "an eighth of the limit is free, the others are the youngest");
    assert!(foreign.exists());
}

/// As after the clock was set back: files that say they were used in years to come would stay, and all others go.
#[test]
fn what_was_used_in_the_future_goes_first() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |client: &CpuClient, by: usize| {
        client.compile(&scaled(by as f32), &CompileOptions::default()).unwrap();
    };
    let (client, _) = fresh(folder.path(), LARGE);
    (0..8).for_each(|by| compile(&client, by));
    let early = kept(folder.path());
    let size = fs::metadata(&early[0]).unwrap().len();
    for path in &early {
        let at = SystemTime::now() + Duration::from_secs(1 << 28);
        fs::File::options().append(true).open(path).unwrap().set_modified(at).unwrap();
    }
    let limit = 8 * size + size / 2;
    compile(&fresh(folder.path(), limit).0, 8);
    let (client, cache) = fresh(folder.path(), limit);
    compile(&client, 8);
    assert_eq!(cache.uses().found, 1);
    assert!(early.iter().any(|path| !path.exists()));
}

#[test]
fn what_is_larger_than_the_limit_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (client, _) = fresh(folder.path(), 10);
    run(&client, &scaled(2.0), &[numbers(DType::F32, &[16], 1)]);
    assert!(kept(folder.path()).is_empty());
}

/// What never ends is not read.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_as_good_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let x = [numbers(DType::F32, &[16], 1)];
    let expected = run(&fresh(folder.path(), LARGE).0, &scaled(2.0), &x);
    let [path] = &kept(folder.path())[..] else { panic!("one file") };
    fs::remove_file(path).unwrap();
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    let (client, cache) = fresh(folder.path(), LARGE);
    assert_eq!(run(&client, &scaled(2.0), &x), expected);
    assert_eq!(cache.uses(), DiskUse { missing: 1, ..DiskUse::default() });
}

#[test]
fn what_a_process_left_behind_goes() {
    let folder = tempfile::tempdir().unwrap();
    let name = |number: u64, content: &[u8], age: u64| {
        let path = folder.path().join(format!(".{}.jarrah.1234-{number}", "ab".repeat(32)));
        fs::write(&path, content).unwrap();
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        (path, file)
    };
    // Whoever writes has a lock on the file, as soon as that has bytes.
    let (killed, written, begun) = (name(1, b"half", 60), name(2, b"half", 60), name(3, b"", 60));
    let old = name(4, b"", 7200);
    written.1.lock().unwrap();
    run(&fresh(folder.path(), LARGE).0, &scaled(2.0), &[numbers(DType::F32, &[16], 1)]);
    assert!(!killed.0.exists() && !old.0.exists());
    assert!(written.0.exists() && begun.0.exists());
}

/// What was left behind may be what fills the disk, so it goes also where nothing can be written.
#[cfg(unix)]
#[test]
fn what_was_left_behind_goes_where_nothing_can_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept { ending: ".bytes", unwritten: "bytes are not kept", says_damage: false };
    let killed = folder.path().join(format!(".{}.bytes.1234-1", "ab".repeat(32)));
    fs::write(&killed, b"half").unwrap();
    // In the place of the file there is a folder, so that writing fails.
    let key = DiskKey::of([1; 32]);
    fs::create_dir(folder.path().join(format!("{}.bytes", "01".repeat(32)))).unwrap();
    DiskCache::keeping(kept, folder.path(), LARGE).put(key, b"bytes");
    assert!(!killed.exists());
}

/// Storage that is slow can be told from storage that hangs: a pipe that somebody reads, part by part.
#[cfg(unix)]
#[test]
fn what_the_disk_takes_is_counted_while_it_takes_it() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept { ending: ".bytes", unwritten: "bytes are not kept", says_damage: false };
    let files = DiskCache::keeping(kept, folder.path(), LARGE);
    let (key, bytes) = (DiskKey::of([1; 32]), vec![7; 20 << 20]);
    let pipe = folder.path().join(format!("{}.bytes", "01".repeat(32)));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::thread::scope(|scope| {
        scope.spawn(|| files.put_mapped(key, &bytes));
        let mut read = fs::File::open(&pipe).unwrap();
        let mut part = vec![0; 9 << 20];
        assert_eq!(files.taken(), 0);
        std::io::Read::read_exact(&mut read, &mut part).unwrap();
        let begun = std::time::Instant::now();
        while files.taken() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
        assert!(files.taken() < bytes.len() as u64);
        std::io::copy(&mut read, &mut std::io::sink()).unwrap();
    });
    assert_eq!(files.taken(), bytes.len() as u64 + 64);
}

/// A folder that cannot be made, since its parent is a file.
#[test]
fn without_a_folder_programs_are_compiled() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let (client, cache) = fresh(&file.join("cache"), LARGE);
    let x = [numbers(DType::F32, &[16], 1)];
    assert_eq!(run(&client, &scaled(2.0), &x), run(&CpuClient::with_threads(1), &scaled(2.0), &x));
    assert_eq!(cache.uses().missing, 1);
}

#[test]
fn calls_by_name_are_kept_and_calls_of_functions_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let ty = Type::tensor(DType::F32, [16]);
    let twice = |call: &mut HandlerCall<'_>| {
        let x = call.operands[0].literal()?;
        let doubled: Vec<f32> = x.as_slice::<f32>()?.iter().map(|x| 2.0 * x).collect();
        call.results[0].write(&Literal::from_slice(&[16], &doubled)?)
    };
    let calls = |target| program(CustomCall::new(target, vec![ty]), &[ty]);
    let x = [numbers(DType::F32, &[16], 1)];
    let double: Vec<f64> = x[0].to_f64_vec().iter().map(|x| 2.0 * x).collect();
    for uses in [DiskUse { missing: 1, ..DiskUse::default() }, DiskUse { found: 1, ..DiskUse::default() }] {
        let (client, cache) = fresh(folder.path(), LARGE);
        client.registry().register("twice", twice).unwrap();
        assert_eq!(run(&client, &calls(CallTarget::Named("twice".into())), &x)[0].to_f64_vec(), double);
        assert_eq!(cache.uses(), uses);
        let function = calls(CallTarget::Function(NamedHandler::new("twice", twice)));
        assert_eq!(run(&client, &function, &x)[0].to_f64_vec(), double);
        assert_eq!(cache.uses(), uses, "a function has no place in a file");
        let executable = client.compile(&function, &CompileOptions::default()).unwrap();
        assert!(executable.serialize().is_err());
    }
    // The file does not help a process that does not know the name.
    let error = fresh(folder.path(), LARGE)
        .0
        .compile(&calls(CallTarget::Named("twice".into())), &CompileOptions::default());
    assert!(error.err().unwrap().to_string().contains("@twice"));
}

/// What a handler is told may be an address, which another process must not use.
#[test]
fn calls_of_local_handlers_stay_in_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let ty = Type::tensor(DType::F32, [16]);
    let program = program(CustomCall::new(CallTarget::Named("here".into()), vec![ty]), &[ty]);
    let same = |call: &mut HandlerCall<'_>| call.results[0].write(&call.operands[0].literal()?);
    let (client, cache) = fresh(folder.path(), LARGE);
    client.registry().register_local("here", same).unwrap();
    let executable = client.compile(&program, &CompileOptions::default()).unwrap();
    assert_eq!(cache.uses(), DiskUse::default());
    let said = executable.serialize().unwrap_err().to_string();
    assert!(said.contains("@here") && said.contains("this process only"), "{said}");
    // Bytes of a client in which the name is not local are refused all the same.
    let other = CpuClient::with_threads(1);
    other.registry().register("here", same).unwrap();
    let bytes = other.compile(&program, &CompileOptions::default()).unwrap().serialize().unwrap();
    assert!(error(&client, &bytes).contains("@here"));
}

#[test]
fn threads_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let size = {
        let (client, _) = fresh(folder.path(), LARGE);
        client.compile(&scaled(0.0), &CompileOptions::default()).unwrap();
        fs::metadata(&kept(folder.path())[0]).unwrap().len()
    };
    // So small that files go while others read them.
    let work = |thread: usize| {
        let (client, _) = fresh(folder.path(), 3 * size);
        for step in 0..60 {
            let by = ((step * 7 + thread) % 6) as f32;
            let x = Literal::from_slice(&[16], &[1.0f32; 16]).unwrap();
            assert_eq!(run(&client, &scaled(by), &[x])[0].to_f64_vec(), [f64::from(by); 16]);
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || work(thread));
        }
    });
}

#[test]
fn a_product_keeps_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    let matrix = Type::tensor(DType::F32, [65, 65]);
    let program = program(DotGeneral::matmul(0, DType::F32), &[matrix, matrix]);
    let args = [numbers(DType::F32, &[65, 65], 1), numbers(DType::F32, &[65, 65], 2)];
    let expected = run(&CpuClient::with_threads(2), &program, &args);
    for _ in 0..2 {
        assert_eq!(run(&fresh(folder.path(), LARGE).0, &program, &args), expected);
    }
}

/// Executables that were changed and then sealed as if they had not been: what is loaded in spite of that is a program that
/// runs or fails. `JARRAH_MUTANTS` says how many.
#[test]
fn executables_that_somebody_changed_do_no_harm() {
    let mutants: usize = std::env::var("JARRAH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let client = CpuClient::with_threads(1);
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for example in Op::examples() {
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let one = program(example.op.clone(), &types);
        if matches!(example.op, Op::CustomTangent(_)) || one.calls_functions() {
            continue;
        }
        let bytes = client.compile(&one, &CompileOptions::default()).unwrap().serialize().unwrap();
        contents.push(Serialized::from_bytes(&bytes, "cpu", client.version()).unwrap().content.into_owned());
    }
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..mutants {
        let mut content = contents[next(contents.len())].clone();
        for _ in 0..1 + next(3) {
            let at = next(content.len());
            content[at] = if next(2) == 0 { content[at] ^ 1 << next(8) } else { next(6) as u8 };
        }
        let sealed = Serialized::new("cpu", client.version(), CompileOptions::default(), content);
        let Ok(executable) = client.load(&sealed.to_bytes().unwrap(), None) else {
            refused += 1;
            continue;
        };
        loaded += 1;
        let program = executable.program();
        // A loop may have no end.
        let loops = |op: &Op| matches!(op, Op::While(_) | Op::Scan(_));
        if program.instrs().iter().any(|i| loops(&i.op)) || executable.memory().total() > 1 << 20 {
            continue;
        }
        let args = program.param_types().into_iter().map(|ty| numbers(ty.dtype(), &ty.dims(), 3));
        let args = args.map(|arg| client.upload(&arg).unwrap()).collect();
        for result in executable.run(args).into_iter().flatten() {
            drop(result.read());
        }
    }
    assert!(loaded > mutants / 50 && refused > mutants / 2, "{loaded} loaded, {refused} refused");
}

#[test]
fn bytes_that_are_mapped_are_those_that_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Kept { ending: ".bytes", unwritten: "bytes are not kept", says_damage: false };
    let files = || DiskCache::keeping(kept, folder.path(), 1 << 20);
    let (one, other) = (DiskKey::of([1; 32]), DiskKey::of([2; 32]));
    let bytes: Vec<u8> = (0..1000u32).map(|i| (i * i) as u8).collect();
    files().put_mapped(one, &bytes);
    let found = files().map(one).unwrap();
    assert_eq!(found.bytes(), bytes);
    assert_eq!(found.bytes().as_ptr() as usize % 64, 0);
    // A file must not be changed in place while it is mapped.
    drop(found);
    files().put_mapped(other, b"");
    assert_eq!(files().map(other).unwrap().bytes(), b"");
    assert!(files().map(DiskKey::of([3; 32])).is_none());

    let path = |first: u8| folder.path().join(format!("{}.bytes", format!("{first:02x}").repeat(32)));
    let good = fs::read(path(1)).unwrap();
    let cut = (0..good.len()).step_by(31).map(|end| good[..end].to_vec());
    let changed = (0..good.len()).step_by(13).map(|at| {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        bytes
    });
    let longer = [&good[..], &[0]].concat();
    let theirs = fs::read(path(2)).unwrap();
    for bad in cut.chain(changed).chain([longer, theirs]) {
        fs::write(path(1), &bad).unwrap();
        let files = files();
        assert!(files.map(one).is_none());
        assert_eq!(files.uses(), DiskUse { refused: 1, ..DiskUse::default() });
        assert!(!path(1).exists());
    }
    // What is mapped stays while its file is removed, or another takes its place.
    files().put_mapped(one, &bytes);
    let found = files().map(one).unwrap();
    files().put_mapped(one, b"another");
    assert_eq!((found.bytes(), files().map(one).unwrap().bytes()), (&bytes[..], &b"another"[..]));
    // What is larger than all files may be is not kept.
    DiskCache::keeping(kept, folder.path(), 100).put_mapped(DiskKey::of([4; 32]), &bytes);
    assert!(!path(4).exists());
}
