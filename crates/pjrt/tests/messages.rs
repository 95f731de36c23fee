//! Messages: as others write them, round trips, and damaged ones.

use jarrah_pjrt::compile_options::{CompileOptionsProto, DeviceAssignment, OptionOverride, ShapeProto};
use jarrah_pjrt::proto::{ProtoValue, Writer, fields};

/// Written by `oracle/pjrt_options.py`.
const JAX: &[u8] = include_bytes!("compile_options.bin");

fn shape(element_type: i64, dimensions: &[i64], order: Option<&[i64]>) -> ShapeProto {
    let minor_to_major = order.map(<[i64]>::to_vec);
    ShapeProto { element_type, dimensions: dimensions.to_vec(), minor_to_major, ..ShapeProto::default() }
}

#[test]
fn options_of_jax_are_read() {
    let options = CompileOptionsProto::read(JAX).expect("the options");
    assert_eq!((options.num_replicas, options.num_partitions, options.device_ordinal), (1, 2, -1));
    assert_eq!(options.device_assignment, Some(DeviceAssignment { devices: vec![vec![0], vec![3]] }));
    assert!(options.use_spmd_partitioning && options.use_shardy_partitioner);
    assert!(!options.parameter_is_tupled_arguments && !options.compile_portable_executable);
    assert_eq!(options.allow_spmd_sharding_propagation_to_output, [true, false]);
    let mut overrides = options.env_option_overrides;
    overrides.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [
        ("xla_a", OptionOverride::Truth(true)),
        ("xla_b", OptionOverride::Integer(3)),
        ("xla_c", OptionOverride::Text("x".into())),
        ("xla_d", OptionOverride::Double(1.5)),
    ];
    assert_eq!(overrides, expected.map(|(name, value)| (name.to_owned(), value)));
}

#[test]
fn options_are_written_as_they_are_read() {
    let options = CompileOptionsProto {
        argument_layouts: vec![shape(11, &[2, 3], Some(&[0, 1])), shape(4, &[], None)],
        result_layout: Some(ShapeProto {
            element_type: 13,
            tuple: vec![shape(1, &[7], None)],
            ..ShapeProto::default()
        }),
        compile_portable_executable: true,
        device_ordinal: 2,
        device_assignment: Some(DeviceAssignment { devices: vec![vec![300, -1], vec![2, 1]] }),
        allow_spmd_sharding_propagation_to_parameters: vec![true; 3],
        ..CompileOptionsProto::read(JAX).expect("the options")
    };
    assert_eq!(CompileOptionsProto::read(&options.write()).expect("the options"), options);
}

fn read(bytes: &[u8]) -> Result<Vec<(u32, ProtoValue<'_>)>, String> {
    fields(bytes).map(|field| field.map_err(|e| e.message().to_owned())).collect()
}

#[test]
fn damaged_messages_are_errors() {
    for len in 1..JAX.len() {
        // Some beginnings are messages; none may panic.
        let _ = CompileOptionsProto::read(&JAX[..len]);
    }
    assert!(CompileOptionsProto::read(&JAX[..JAX.len() - 1]).is_err());
    assert_eq!(read(&[0x08, 0x80]), Err("the message ends within a field".into()));
    assert_eq!(read(&[0x0b]), Err("field 1 of the message has the unknown form 3".into()));
    assert_eq!(read(&[0x00, 0x00]), Err("the message has a field 0".into()));
    let long = [&[0x08][..], &[0xff; 10]].concat();
    assert_eq!(read(&long), Err("a number of the message has more than ten bytes".into()));
    let huge = [&[0x0a][..], &[0xff; 9], &[0x01]].concat();
    assert_eq!(read(&huge), Err("the message ends within a field".into()));
}

#[test]
fn integers_may_be_packed_or_not() {
    let mut message = Writer::default();
    message.packed(1, [1, -1, 1 << 40]);
    message.integer(1, 5);
    let mut read = Vec::new();
    for field in fields(message.as_bytes()) {
        let (_, value) = field.expect("a field");
        value.integers(&mut read).expect("integers");
    }
    assert_eq!(read, [1, -1, 1 << 40, 5]);
    assert!(ProtoValue::Fixed32(1).integers(&mut read).is_err());
}
