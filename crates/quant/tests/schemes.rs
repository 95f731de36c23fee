//! Names of schemes, and files of one scheme for trees of another.

use std::fs;

use jarrah_array::{Array, DType, TreeExt, load, save};
use jarrah_quant::{QuantizedTensor, Scheme, quantize};
use safetensors::SafeTensors;

use crate::{numbers, same};

#[test]
fn names_of_schemes_may_be_in_any_case() {
    for (text, scheme) in [
        ("INT8", Scheme::INT8),
        ("Int4:64", Scheme::INT4.groups_of(64)),
        ("FP8:Channel", Scheme::F8E4M3),
        ("Q4_0", Scheme::Q4_0),
        ("nf4:TENSOR", Scheme::NF4.per_tensor()),
    ] {
        assert_eq!(text.parse::<Scheme>().unwrap(), scheme, "{text}");
    }
    assert!("INT5".parse::<Scheme>().unwrap_err().to_string().contains("`INT5`"));
    assert!("Q4_0:16".parse::<Scheme>().unwrap_err().to_string().contains("write `q4_0`"));
}

/// Codes of one scheme are other numbers under another, also where all arrays have the same types.
#[test]
fn a_file_of_one_scheme_is_no_tree_of_another() {
    let path = std::env::temp_dir().join(format!("schemes-{}.safetensors", std::process::id()));
    let weight = numbers(1, &[256, 6]);
    let w = quantize(&weight, Scheme::NF4);
    let tree = (vec![w.clone()], Array::zeros(&[3]));
    save(&path, &tree).unwrap();
    let like = |scheme: Scheme| (vec![quantize(&weight, scheme)], Array::zeros(&[3]));
    let read: (Vec<QuantizedTensor>, Array) = load(&path, &like(Scheme::NF4)).unwrap();
    same("nf4", &read.0[0].dequantize(DType::F32), &w.dequantize(DType::F32));
    let error = load(&path, &like(Scheme::INT4.groups_of(64))).unwrap_err().to_string();
    for part in ["0.0.scheme", "nf4", "int4:64", "help"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // The file is the same each time it is written.
    let bytes = fs::read(&path).unwrap();
    save(&path, &tree).unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // A file that says nothing of schemes is taken as it is.
    let bare = SafeTensors::deserialize(&bytes).unwrap();
    fs::write(&path, safetensors::serialize(bare.tensors(), None).unwrap()).unwrap();
    let read = load(&path, &like(Scheme::INT4.groups_of(64))).unwrap();
    fs::remove_file(&path).unwrap();
    let all: Vec<&Array> = TreeExt::<Array>::leaves(&read.0);
    assert_eq!(all[0].to_literal().unwrap(), w.codes.to_literal().unwrap());
}
