//! Damaged programs, options and topologies: each is an error that says something, or works. `JARRAH_MUTANTS=100000` asks for
//! more of them, `JARRAH_FIRST_MUTANT=N` begins with the one of that number.

use std::path::Path;
use std::time::Duration;

use jarrah_base::Type;
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::{PrintOptions, parse_tree, print_tree};
use jarrah_pjrt::abi::*;
use jarrah_pjrt::compile_options::{CompileOptionsProto, DeviceAssignment, OptionOverride, ShapeProto};
use jarrah_pjrt::element;
use jarrah_testing::mutants::{MutantLimits, Random, Trial, alone};

use crate::caller::{Client, DONATED, Failed, Loaded, TWO, ask, text};
use crate::extensions::find;
use crate::mutation::{damage, reword};

/// What a mutant may take.
const LIMITS: MutantLimits = MutantLimits { time: Duration::from_secs(20), memory: 256 << 20 };
/// Programs that need more bytes or operations than this are not run: they may well be what their damage says.
const LARGE: usize = 16 << 20;

/// Tries `count` mutants, or as many as were asked for; `attempt` says what became of one. Errors are fine, unless they are the plugin's
/// own fault, or say nothing.
fn trial(count: usize, mut attempt: impl FnMut(usize, &mut Random) -> Result<&'static str, Failed>) {
    Trial::run(LIMITS, count, |number, random| match attempt(number, random) {
        Err((code, message)) if code == PJRT_Error_Code::INTERNAL || message.is_empty() => Err(message),
        Err(_) => Ok("errors"),
        Ok(what) => Ok(what),
    });
}

/// A program with all that the plugin reads beside the ops: it gives a handler in C attributes of each kind.
const CALLS: &str = r#"
module @calls {
  func.func public @main(
    %arg0: tensor<4xf32> {mhlo.layout_mode = "{0}", mhlo.memory_kind = "device", tf.aliasing_output = 0 : i32},
    %arg1: tensor<2xi64> {mhlo.sharding = "{replicated}", jax.buffer_donor = true}
  ) -> (tensor<4xf32> {mhlo.memory_kind = "device", mhlo.layout_mode = "default"}, tensor<i32>) {
    %0:2 = stablehlo.custom_call @test_walk(%arg0, %arg1) {
      api_version = 4 : i32,
      backend_config = {
        scale = 2.0 : f32, shift = array<i64: 1, 2>, name = "good", flag = true, byte = 7 : ui8,
        more = {one = 1 : i32, deeper = {two = dense<[1.0, 2.0]> : tensor<2xf64>, empty = {}}}
      }
    } : (tensor<4xf32>, tensor<2xi64>) -> (tensor<4xf32>, tensor<i32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<i32>
  }
}
"#;

/// Reads all that it is given, and fills its results with zeros.
unsafe extern "C" fn walk(frame: *mut XLA_FFI_CallFrame) -> *mut XLA_FFI_Error {
    // SAFETY: the plugin gives a frame as the interface has it.
    unsafe {
        let frame = &mut *frame;
        let asked = frame.extension_start.cast::<XLA_FFI_Metadata_Extension>();
        if let Some(asked) = asked.as_ref() {
            (*asked.metadata).api_version.minor_version = XLA_FFI_API_MINOR;
            return std::ptr::null_mut();
        }
        for at in 0..frame.args.size as usize {
            let buffer = &*(*frame.args.args.add(at)).cast::<XLA_FFI_Buffer>();
            std::hint::black_box(std::slice::from_raw_parts(buffer.data.cast::<u8>(), size(buffer)).to_vec());
        }
        for at in 0..frame.rets.size as usize {
            let buffer = &*(*frame.rets.rets.add(at)).cast::<XLA_FFI_Buffer>();
            std::ptr::write_bytes(buffer.data.cast::<u8>(), 0, size(buffer));
        }
        attributes(&frame.attrs);
    }
    std::ptr::null_mut()
}

/// The elements of a buffer, of at least a byte each.
unsafe fn size(buffer: &XLA_FFI_Buffer) -> usize {
    let rank = buffer.rank as usize;
    // SAFETY: as many extents are there.
    let dims = if rank == 0 { &[] } else { unsafe { std::slice::from_raw_parts(buffer.dims, rank) } };
    dims.iter().product::<i64>() as usize
}

/// Reads attributes to the last byte.
unsafe fn attributes(attrs: &XLA_FFI_Attrs) {
    use XLA_FFI_AttrType as Kind;
    for at in 0..attrs.size as usize {
        // SAFETY: there are as many names, types and values, and a value is of its type.
        unsafe {
            let name = &**attrs.names.add(at);
            assert!(name.len == 0 || !text(name.ptr, name.len).is_empty());
            let value = *attrs.attrs.add(at);
            match *attrs.types.add(at) {
                Kind::STRING => {
                    let span = &*value.cast::<XLA_FFI_ByteSpan>();
                    std::hint::black_box(text(span.ptr, span.len));
                }
                Kind::SCALAR => {
                    std::hint::black_box((*value.cast::<XLA_FFI_Scalar>()).value.cast::<u8>().read());
                }
                Kind::ARRAY => {
                    let array = &*value.cast::<XLA_FFI_Array>();
                    let bytes = std::slice::from_raw_parts(array.data.cast::<u8>(), array.size);
                    std::hint::black_box(bytes.to_vec());
                }
                Kind::DICTIONARY => attributes(&*value.cast::<XLA_FFI_Attrs>()),
                _ => panic!("an attribute of no known kind"),
            }
        }
    }
}

/// Bytecode of many programs, of many versions.
fn corpus() -> Vec<Vec<u8>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders =
        ["hlo-format/tests/golden", "testing/tests/golden/corpus"].map(|folder| crates.join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    files.sort();
    let mut all: Vec<_> = files.iter().map(|path| std::fs::read(path).expect("bytes")).collect();
    assert!(all.len() > 100, "{} files", all.len());
    // Each of ours as often as it takes to be met.
    for program in [CALLS, DONATED, TWO].iter().cycle().take(15) {
        all.push(written(program).expect("bytecode"));
    }
    all
}

/// A text as bytecode, if it is the text of something.
pub fn written(text: &str) -> Option<Vec<u8>> {
    let module = parse_tree("a mutant", text).ok()?.into_iter().next()?;
    bytecode::write(&module, Version::CURRENT).ok()
}

/// The number `number` of the damaged programs.
fn mutant(corpus: &[Vec<u8>], number: usize, random: &mut Random) -> Vec<u8> {
    let mut bytes = corpus[number % corpus.len()].clone();
    if random.below(5) < 2 {
        let module = bytecode::read("a program", &bytes).expect("a module");
        let text = reword(&print_tree(&module, &PrintOptions::default()), random);
        return written(&text).unwrap_or(text.into_bytes());
    }
    let other = &corpus[random.below(corpus.len())];
    damage(&mut bytes, other, random);
    bytes
}

/// Compiles a program, and runs it if it is small and surely ends.
fn try_program(client: &Client, code: &[u8]) -> Result<&'static str, Failed> {
    let loaded = client.compile_as("mlir", code, &CompileOptionsProto::default())?;
    let executable = loaded.executable();
    let program = executable.program()?;
    if program.contains(".while") {
        return Ok("compiled, not run: loops");
    }
    let stats = ask!(PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args {
        executable: executable.0
    }))?;
    let sizes = [stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.temp_size_in_bytes];
    if sizes.iter().any(|&size| size > LARGE as i64) || cost(&executable)? > LARGE as f32 {
        return Ok("compiled, not run: large");
    }
    let types = jarrah_hlo_format::parse(&program)
        .map_err(|error| (PJRT_Error_Code::INTERNAL, format!("what was printed is not read: {error}")))?
        .param_types();
    run(client, &loaded, &types).map(|()| "compiled and run")
}

/// The operations of a run.
fn cost(executable: &crate::caller::Executable) -> Result<f32, Failed> {
    let args = ask!(PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args {
        executable: executable.0
    }))?;
    // SAFETY: the list has as many entries, and both are floats.
    let properties = unsafe { std::slice::from_raw_parts(args.properties, args.num_properties) };
    Ok(properties.iter().map(|property| unsafe { property.value.float_value }).fold(0.0, f32::max))
}

/// Runs a program on small numbers, and reads what comes out.
fn run(client: &Client, loaded: &Loaded, types: &[Type]) -> Result<(), Failed> {
    let device = client.devices()[0];
    let argument = |ty: &Type| {
        let dims: Vec<i64> = ty.extents().map(|extent| extent as i64).collect();
        let bytes: Vec<u8> = (0..ty.bytes().expect("a size")).map(|at| (at % 3 == 0).into()).collect();
        client.upload(device, element::number_of(ty.dtype()), &dims, &bytes)
    };
    let args: Vec<_> = types.iter().map(argument).collect::<Result<_, _>>()?;
    let results = loaded.run(&args.iter().collect::<Vec<_>>())?;
    results.iter().try_for_each(|result| result.bytes().map(|_| ()))
}

#[test]
fn damaged_programs_do_no_harm() {
    alone("mutants::damaged_programs_do_no_harm", || {
        let extension = find::<PJRT_FFI_Extension>(PJRT_Extension_Type::FFI);
        let mut args = PJRT_FFI_Register_Handler_Args {
            target_name: c"test_walk".as_ptr(),
            target_name_size: 9,
            handler: walk as XLA_FFI_Handler as *mut std::ffi::c_void,
            platform_name: c"jarrah".as_ptr(),
            platform_name_size: 6,
            ..Default::default()
        };
        crate::caller::call(extension.register_handler, &mut args).expect("registered");
        let (client, corpus) = (Client::new(1), corpus());
        // Some of the files hold every op there is, and are no programs.
        let works = corpus.iter().filter(|code| try_program(&client, code).is_ok()).count();
        assert!(works > corpus.len() * 9 / 10, "{works} of {} programs work", corpus.len());
        trial(2_000, |number, random| try_program(&client, &mutant(&corpus, number, random)));
    });
}

/// Options with all that may stand in them.
fn options() -> Vec<u8> {
    let shape = ShapeProto {
        element_type: 11,
        dimensions: vec![4],
        tuple: Vec::new(),
        minor_to_major: Some(vec![0]),
    };
    let options = CompileOptionsProto {
        argument_layouts: vec![shape.clone(), shape.clone()],
        result_layout: Some(ShapeProto { tuple: vec![shape.clone(), shape], ..ShapeProto::default() }),
        num_replicas: 2,
        device_assignment: Some(DeviceAssignment { devices: vec![vec![1, 0]] }),
        use_spmd_partitioning: true,
        allow_spmd_sharding_propagation_to_output: vec![true, false],
        allow_spmd_sharding_propagation_to_parameters: vec![false],
        env_option_overrides: vec![
            ("xla_text".into(), OptionOverride::Text("a".into())),
            ("xla_number".into(), OptionOverride::Double(0.5)),
        ],
        ..CompileOptionsProto::default()
    };
    options.write()
}

#[test]
fn damaged_options_and_topologies_do_no_harm() {
    alone("mutants::damaged_options_and_topologies_do_no_harm", || {
        let client = Client::new(2);
        let (options, simple) = (
            options(),
            CompileOptionsProto { num_replicas: 1 << 20, ..CompileOptionsProto::default() }.write(),
        );
        let topology = topology_bytes(&client);
        trial(2_000, |number, random| {
            let (from, other) = [(&options, &simple), (&simple, &options), (&topology, &options)][number % 3];
            let mut bytes = from.clone();
            damage(&mut bytes, other, random);
            if number % 3 == 2 {
                return read_topology(&bytes);
            }
            let loaded = client.compile_with("mlir", TWO.as_bytes(), &bytes)?;
            let (a, b) = (client.buffer(&[1.0; 4]), client.buffer(&[2.0; 4]));
            match loaded.run(&[&a, &b]) {
                Ok(results) => assert_eq!(results[0].read()?, [3.0; 4]),
                // Several replicas, or other devices, want other arguments.
                Err((_, message)) => assert!(message.contains("device"), "{message}"),
            }
            Ok("compiled")
        });
    });
}

fn topology_bytes(client: &Client) -> Vec<u8> {
    let topology =
        ask!(PJRT_Client_TopologyDescription(PJRT_Client_TopologyDescription_Args { client: client.0 }));
    let args = ask!(PJRT_TopologyDescription_Serialize(PJRT_TopologyDescription_Serialize_Args {
        topology: topology.expect("a topology").topology
    }))
    .expect("bytes");
    // SAFETY: pointer and length came together; the deleter is called once.
    unsafe {
        let bytes =
            std::slice::from_raw_parts(args.serialized_bytes.cast(), args.serialized_bytes_size).to_vec();
        args.serialized_topology_deleter.expect("a deleter")(args.serialized_topology);
        bytes
    }
}

fn read_topology(bytes: &[u8]) -> Result<&'static str, Failed> {
    let args = ask!(PJRT_TopologyDescription_Deserialize(PJRT_TopologyDescription_Deserialize_Args {
        serialized_topology: bytes.as_ptr().cast(),
        serialized_topology_size: bytes.len(),
    }))?;
    ask!(PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args {
        topology: args.topology
    }))?;
    Ok("a topology")
}
