//! NumPy's files of single arrays.

use jarrah_array::{Array, DType, Literal, c128, numpy};
use jarrah_base::Type;
use jarrah_testing::golden_path;

const NAMES: [(&str, DType); 14] = [
    ("bool", DType::Bool),
    ("int8", DType::I8),
    ("int16", DType::I16),
    ("int32", DType::I32),
    ("int64", DType::I64),
    ("uint8", DType::U8),
    ("uint16", DType::U16),
    ("uint32", DType::U32),
    ("uint64", DType::U64),
    ("float16", DType::F16),
    ("float32", DType::F32),
    ("float64", DType::F64),
    ("complex64", DType::C64),
    ("complex128", DType::C128),
];

/// What `oracle/npy.py` writes.
fn counted(dtype: DType, shape: &[usize]) -> Literal {
    let number = |i: usize| match dtype {
        DType::Bool => c128::new((i % 2) as f64, 0.0),
        _ => c128::new(i as f64, if dtype.is_complex() { 0.0 - i as f64 } else { 0.0 }),
    };
    let values: Vec<c128> = (0..shape.iter().product()).map(number).collect();
    Literal::from_c128s(Type::tensor(dtype, shape.iter().copied()), &values).unwrap()
}

#[test]
fn files_are_numpy_s_byte_for_byte() {
    let path = std::env::temp_dir().join(format!("jarrah-npy-{}.npy", std::process::id()));
    for (name, dtype) in NAMES {
        for shape in [&[][..], &[3], &[2, 3]] {
            let golden = golden_path("npy").join(format!("{name}-{}.npy", shape.len()));
            let expected = counted(dtype, shape);
            assert_eq!(numpy::load(&golden).unwrap().to_literal().unwrap(), expected, "{name}");
            numpy::save(&path, &Array::from_literal(expected)).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&golden).unwrap(), "{name} {shape:?}");
        }
    }
    std::fs::remove_file(&path).unwrap();
    let fortran = numpy::load(golden_path("npy").join("fortran.npy")).unwrap();
    assert_eq!(fortran.to_literal().unwrap(), counted(DType::F32, &[2, 3]));
}

#[test]
fn damaged_files_are_errors() {
    let path = std::env::temp_dir().join(format!("jarrah-npy-damaged-{}.npy", std::process::id()));
    let whole = std::fs::read(golden_path("npy").join("float32-2.npy")).unwrap();
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(numpy::load(&path).is_err(), "{length} bytes");
    }
    for (at, byte) in (0..whole.len()).flat_map(|at| [0, b'9', b'(', 0xff].map(|byte| (at, byte))) {
        let mut damaged = whole.clone();
        damaged[at] = byte;
        std::fs::write(&path, &damaged).unwrap();
        // Either is fine, but not a panic.
        let _ = numpy::load(&path);
    }
    std::fs::remove_file(&path).unwrap();
    let narrow = Array::zeros(&[2]).astype(DType::BF16);
    let error = numpy::save(&path, &narrow).unwrap_err();
    assert!(error.to_string().contains("no dtype bf16"), "{error}");
}

#[test]
fn archives_of_arrays_are_read_and_written() {
    let (x, n) = (counted(DType::F32, &[2, 3]), Literal::scalar(7i64));
    for name in ["stored.npz", "compressed.npz"] {
        let arrays = numpy::loadz(golden_path("npy").join(name)).unwrap();
        assert_eq!(arrays.keys().collect::<Vec<_>>(), ["deep/n", "x"], "{name}");
        assert_eq!(arrays["x"].to_literal().unwrap(), x);
        assert_eq!(arrays["deep/n"].to_literal().unwrap(), n);
    }
    let path = std::env::temp_dir().join(format!("jarrah-npz-{}.npz", std::process::id()));
    let (x, n) = (Array::from_literal(x), Array::from_literal(n));
    let zeros = Array::zeros(&[1000]);
    numpy::savez(&path, [("x", &x), ("n", &n)]).unwrap();
    assert_eq!(numpy::loadz(&path).unwrap()["x"].to_literal().unwrap(), x.to_literal().unwrap());
    numpy::savez_compressed(&path, [("x", &x), ("zeros", &zeros)]).unwrap();
    assert!(std::fs::metadata(&path).unwrap().len() < 2000, "a thousand zeros are short");
    assert_eq!(numpy::loadz(&path).unwrap()["zeros"].to_vec::<f32>().unwrap(), [0.0; 1000]);
    assert!(numpy::savez(&path, [("x", &x), ("x", &n)]).is_err(), "one name twice");
    assert_eq!(numpy::loadz(&path).unwrap().len(), 2, "what failed changed nothing");
    // Cut off, or with a byte changed, it is an error or still the arrays that were written.
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        std::fs::write(&path, &whole[..at]).unwrap();
        assert!(numpy::loadz(&path).is_err(), "cut off at {at}");
        let mut changed = whole.clone();
        changed[at] ^= 0x41;
        std::fs::write(&path, &changed).unwrap();
        let _ = numpy::loadz(&path);
    }
    std::fs::remove_file(&path).unwrap();
}
