//! Files of `flax.serialization`.

use jarrah_array::{Array, DType, Error};
use jarrah_nn::State;

fn golden(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/golden/flax_{name}.msgpack", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn read(name: &str) -> State {
    State::from_msgpack(&golden(name)).unwrap()
}

#[test]
fn arrays_are_read_and_written_as_flax_does() {
    let state = read("arrays");
    assert_eq!(
        state.names(),
        ["blocks.0.bias", "blocks.0.weight", "blocks.1.bias", "blocks.1.weight", "mask", "step", "table"]
    );
    let array = |path: &str| state.array(path).unwrap();
    assert_eq!(array("blocks.0.bias").dtype(), DType::BF16);
    assert_eq!(array("blocks.0.bias").astype(DType::F32).to_vec::<f32>().unwrap(), [1.5, -2.0]);
    assert_eq!(array("blocks.0.weight").shape(), [2, 3]);
    assert_eq!(array("blocks.0.weight").to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!((array("blocks.1.bias").dtype(), array("blocks.1.bias").size()), (DType::F16, 0));
    assert_eq!(array("blocks.1.weight").to_vec::<i8>().unwrap(), [7; 20]);
    assert_eq!(array("mask").to_vec::<bool>().unwrap(), [true, false]);
    assert_eq!(array("step").item::<i32>().unwrap(), 300);
    assert_eq!(state.to_msgpack().unwrap(), golden("arrays"));
}

#[test]
fn large_arrays_are_in_chunks() {
    let (state, chunks) = (read("arrays"), read("chunks"));
    assert_eq!(chunks.names(), state.names());
    assert_eq!(chunks.to_msgpack().unwrap(), golden("arrays"));
    assert_eq!(state.to_msgpack_in_chunks(16).unwrap(), golden("chunks"));
}

#[test]
fn numbers_are_scalars_and_lists_have_positions() {
    let state = read("other");
    let integers: Vec<i64> =
        (0..8).map(|i| state.array(&format!("integers.{i}")).unwrap().item::<i64>().unwrap()).collect();
    assert_eq!(integers, [3, -3, 200, -200, 70_000, -70_000, 1 << 40, -(1 << 40)]);
    assert_eq!(state.array("float").unwrap().item::<f64>().unwrap(), 0.25);
    assert_eq!(state.array("scalar").unwrap().item::<f32>().unwrap(), 0.5);
    assert_eq!(state.array("complex").unwrap().imag().item::<f64>().unwrap(), 2.0);
    assert!(state.array("more.7.yes").unwrap().item::<bool>().unwrap());
    assert!(state.array("none").is_none());
}

/// An error of input, and no panic, nor memory for what is not there.
#[test]
fn broken_files_are_refused() {
    let refused = |bytes: &[u8]| -> Option<Error> {
        let error = State::from_msgpack(bytes).err()?;
        assert_eq!(format!("{:?}", error.kind()), "Input", "{error}");
        assert!(error.advice().is_some(), "{error}");
        Some(error)
    };
    for name in ["arrays", "chunks", "other"] {
        let whole = golden(name);
        for end in 0..whole.len() {
            assert!(refused(&whole[..end]).is_some(), "{name} up to byte {end}");
        }
        for at in 0..whole.len() {
            for change in [1, 0x80, 0xff] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                refused(&bytes);
            }
        }
    }
    let says = |bytes: &[u8], word: &str| {
        let error = refused(bytes).unwrap().to_string();
        assert!(error.contains(word), "{error}");
    };
    says(&[0xc0, 0xc0], "ends at byte 1 of 2");
    says(&[0xdf, 0xff, 0xff, 0xff, 0xff], "4294967295 values");
    says(&[0xc9, 0xff, 0xff, 0xff, 0xff, 1], "4294967295 values");
    says(&[0xc1], "begins no value");
    says(&[0x81, 0xa1, b'a', 0xa1, b'b'], "value a at byte 3");
    says(&[0x91; 1000], "200 deep");
    says(&[0x81, 0xa1, 0xff, 0xc0], "UTF-8");
}

#[test]
fn an_array_within_the_path_of_another_is_refused() {
    for paths in [["a", "a.b"], ["a.b", "a"]] {
        let mut state = State::default();
        for path in paths {
            state.set(path, Array::ones(&[1]));
        }
        let error = state.to_msgpack().unwrap_err().to_string();
        assert!(error.contains("below or above"), "{error}");
    }
    let mut state = State::default();
    state.set("a", Array::ones(&[2]).astype(DType::F4E2M1FN));
    assert!(state.to_msgpack().unwrap_err().to_string().contains("f4e2m1fn"));
}

#[test]
fn chunks_that_are_not_numbered_in_order_are_refused() {
    let mut state = State::default();
    state.set("a", Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]));
    let bytes = state.to_msgpack_in_chunks(8).unwrap();
    // The last key is that of the second chunk.
    let at = bytes.windows(2).rposition(|pair| pair == [0xa1, b'1']).unwrap() + 1;
    for other in [b'0', b'2'] {
        let error = State::from_msgpack(&[&bytes[..at], &[other], &bytes[at + 1..]].concat()).unwrap_err();
        assert!(error.message().contains("is not 1"), "{error}");
    }
    assert_eq!(State::from_msgpack(&bytes).unwrap().array("a").unwrap().size(), 4);
}

#[test]
fn spellings_of_a_number_are_names_of_their_own() {
    // {"1": 5, "01": 6}
    let state = State::from_msgpack(&[0x82, 0xa1, b'1', 5, 0xa2, b'0', b'1', 6]).unwrap();
    assert_eq!(state.names().len(), 2, "{:?}", state.names());
}
