use jarrah_base::{DType, Literal};
use jarrah_formats::{FileFormat, GgufField, GgufStore, Tensor, Tensors, save_gguf};

use super::{golden, open};

/// Every tensor of `tensors` has the bits of the one called `prefix` and its name in `values`.
fn same(tensors: &Tensors, values: &Tensors, prefix: &str) {
    for tensor in tensors.iter() {
        let wanted = values.get(&format!("{prefix}{}", tensor.name())).unwrap();
        let (found, wanted) = (tensor.literal().unwrap(), wanted.literal().unwrap());
        if found.dtype() == DType::C128 {
            assert_eq!(found.bytes(), wanted.bytes(), "{tensor}");
        } else {
            assert!(found == wanted, "{tensor}: {found:?} and {wanted:?}");
        }
    }
}

#[test]
fn every_element_type_of_safetensors_is_read() {
    let tensors = open("types.safetensors");
    assert_eq!((tensors.len(), tensors.format()), (20, FileFormat::Safetensors));
    assert_eq!(tensors.metadata()["format"], "pt");
    let names = |name: &str| tensors.get(name).unwrap().to_string();
    assert_eq!(names("float.float8_e4m3fn"), "float.float8_e4m3fn f8e4m3fn[2, 3]");
    assert_eq!(names("scalar"), "scalar f32[]");
    assert_eq!(names("empty"), "empty f32[0, 4]");
    assert_eq!(
        tensors.get("bool").unwrap().literal().unwrap(),
        Literal::from_bools(&[3], &[true, false, true]).unwrap()
    );
    // The numbers were rounded from f32 by PyTorch.
    let exact = tensors.get("float.float32").unwrap();
    for dtype in [DType::F64, DType::F32, DType::C64] {
        assert!(exact.clone().to(dtype).is_ok() == (dtype != DType::C64));
    }
}

/// Both forms of `torch.save`: views, parameters, tied and transposed tensors, and what lies in dictionaries and lists.
#[test]
fn pickles_of_both_forms_are_what_torch_reads() {
    let values = open("torch.safetensors");
    for (name, count) in [("zip.pt", 21), ("legacy.pt", 19)] {
        let tensors = open(name);
        assert_eq!((tensors.len(), tensors.format()), (count, FileFormat::Pickle));
        same(&tensors, &values, "");
    }
}

#[test]
fn every_encoding_of_gguf_is_decoded_as_its_own_library_does() {
    let values = open("gguf.safetensors");
    let tensors = open("all.gguf");
    assert_eq!((tensors.len(), tensors.format()), (8, FileFormat::Gguf));
    same(&tensors, &values, "all/");
    let fields = tensors.fields();
    let field = |name: &str| fields.get(name).unwrap();
    assert_eq!(field("general.architecture").as_str(), Some("llama"));
    assert_eq!(field("kind.i32"), &GgufField::I32(-70000));
    assert_eq!(field("kind.u64"), &GgufField::U64(1 << 60));
    assert_eq!(field("kind.f64"), &GgufField::F64(0.1));
    assert_eq!(field("kind.text").as_str(), Some("größe\n"));
    assert_eq!(field("kind.u32").as_usize(), Some(4_000_000_000));
    assert_eq!(field("kind.texts").as_array().unwrap()[2].as_str(), Some("ü"));
    assert!(fields.get("kind").is_none());
}

#[test]
fn a_folder_is_read_by_its_index() {
    let tensors = open("llama");
    assert_eq!((tensors.len(), tensors.files().count()), (21, 2));
    let tensor = tensors.get("model.layers.1.mlp.down_proj.weight").unwrap();
    assert_eq!(tensor.to_string(), "model.layers.1.mlp.down_proj.weight bf16[16, 24]");
    let e = tensors.get("model.layers.1.mlp.downproj.weight").err().unwrap().to_string();
    assert!(e.contains("there is no tensor called model.layers.1.mlp.downproj.weight"), "{e}");
    let e = tensors.get("layers.9.down_proj.weight").err().unwrap().to_string();
    assert!(e.contains("there are model.layers.0.mlp.down_proj.weight, "), "{e}");
}

/// Conversion while reading is rounding to the nearest, however long the tensor.
#[test]
fn conversion_rounds_each_element_once() {
    let values: Vec<f32> = (0..600_000u32)
        .map(|i| f32::from_bits(0x3f80_0000u32.wrapping_add(i.wrapping_mul(7919)) & !0x4000_0000))
        .collect();
    let literal = Literal::from_slice(&[600, 1000], &values).unwrap();
    let tensor = Tensor::of("x", &literal);
    let bf16 = tensor.clone().to(DType::BF16).unwrap().literal().unwrap();
    let half = Tensor::of("x", &bf16).to(DType::F16).unwrap().literal().unwrap();
    assert!(half == Literal::from_f64s(half.ty(), &bf16.to_f64_vec()).unwrap());
    for dtype in [DType::BF16, DType::F16, DType::F64, DType::F8E4M3FN] {
        let converted = tensor.clone().to(dtype).unwrap().literal().unwrap();
        let wanted = Literal::from_f64s(converted.ty(), &literal.to_f64_vec()).unwrap();
        assert!(converted == wanted, "{dtype}");
        let back = Tensor::of("x", &converted).to(DType::F32).unwrap().literal().unwrap();
        assert!(back == Literal::from_f64s(back.ty(), &converted.to_f64_vec()).unwrap(), "{dtype}");
    }
    let e = tensor.to(DType::I8).err().unwrap().to_string();
    assert!(e.contains("the tensor x is f32: it is not read as i8"), "{e}");
}

#[test]
fn what_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let e = Tensors::open(folder.path()).unwrap_err().to_string();
    assert!(e.contains("has no weights") && e.contains("model.safetensors.index.json"), "{e}");
    assert!(Tensors::open(golden("none")).unwrap_err().to_string().contains("cannot read"));
    for name in ["a.gguf", "b.gguf"] {
        std::fs::copy(golden("all.gguf"), folder.path().join(name)).unwrap();
    }
    let e = Tensors::open(folder.path()).unwrap_err().to_string();
    assert!(e.contains("has 2 .gguf files and no index") && e.contains("a.gguf"), "{e}");
    std::fs::remove_file(folder.path().join("b.gguf")).unwrap();
    assert_eq!(Tensors::open(folder.path()).unwrap().format(), FileFormat::Gguf);
}

/// Large models lie in several GGUF files.
#[test]
fn the_parts_of_a_gguf_file_are_read_together() {
    let folder = tempfile::tempdir().unwrap();
    let tensors = open("all.gguf");
    let all: Vec<Tensor<'_>> = tensors.iter().collect();
    for (name, part) in [("m-00001-of-00002.gguf", &all[..3]), ("m-00002-of-00002.gguf", &all[3..])] {
        save_gguf(&folder.path().join(name), tensors.fields(), part, GgufStore::AsIs).unwrap();
    }
    let parts = Tensors::open(folder.path()).unwrap();
    assert_eq!((parts.len(), parts.fields()), (tensors.len(), tensors.fields()));
    for (ours, theirs) in parts.iter().zip(tensors.iter()) {
        assert_eq!((ours.to_string(), ours.stored()), (theirs.to_string(), theirs.stored()));
    }
    std::fs::rename(folder.path().join("m-00002-of-00002.gguf"), folder.path().join("n-00002-of-00002.gguf"))
        .unwrap();
    assert!(Tensors::open(folder.path()).unwrap_err().to_string().contains("has 2 .gguf files and no index"));
}

/// Elements of four bits lie two to a byte in files, the first in the lower half, and each in its own byte in memory.
#[test]
fn four_bits_are_read_and_written_two_to_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.safetensors");
    let header = r#"{"w":{"dtype":"F4","shape":[2,4],"data_offsets":[0,4]}}         "#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0x10, 0x32, 0x54, 0x76]);
    std::fs::write(&path, &bytes).unwrap();
    let tensors = Tensors::open(&path).unwrap();
    let tensor = tensors.get("w").unwrap();
    assert_eq!(tensor.to_string(), "w f4e2m1fn[2, 4]");
    let numbers = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
    assert_eq!(tensor.literal().unwrap().to_f64_vec(), numbers);
    assert_eq!(tensor.clone().to(DType::BF16).unwrap().literal().unwrap().to_f64_vec(), numbers);
    let again = folder.path().join("y.safetensors");
    jarrah_formats::save_file(&again, std::slice::from_ref(&tensor), &Default::default()).unwrap();
    let again = Tensors::open(&again).unwrap();
    assert_eq!(again.get("w").unwrap().stored(), tensor.stored());
    assert_eq!(again.get("w").unwrap().to_string(), tensor.to_string());
}

/// Pickles in shards, as older models have them.
#[test]
fn pickles_are_read_by_their_index() {
    let folder = tempfile::tempdir().unwrap();
    let mut places = serde_json::Map::new();
    for (file, name) in
        [("pytorch_model-00001-of-00002.bin", "zip.pt"), ("pytorch_model-00002-of-00002.bin", "legacy.pt")]
    {
        std::fs::copy(golden(name), folder.path().join(file)).unwrap();
        places.extend(open(name).iter().map(|tensor| (tensor.name().to_owned(), file.into())));
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": places});
    std::fs::write(folder.path().join("pytorch_model.bin.index.json"), index.to_string()).unwrap();
    let e = Tensors::open(folder.path()).unwrap_err().to_string();
    assert!(e.contains("two tensors are called ") && e.contains("pytorch_model-00002-of-00002.bin"), "{e}");
    std::fs::copy(golden("torch.safetensors"), folder.path().join("pytorch_model-00001-of-00002.bin"))
        .unwrap();
    std::fs::copy(
        golden("lora/adapter_model.safetensors"),
        folder.path().join("pytorch_model-00002-of-00002.bin"),
    )
    .unwrap();
    let mut places = serde_json::Map::new();
    for (file, name) in [
        ("pytorch_model-00001-of-00002.bin", "torch.safetensors"),
        ("pytorch_model-00002-of-00002.bin", "lora/adapter_model.safetensors"),
    ] {
        places.extend(open(name).iter().map(|tensor| (tensor.name().to_owned(), file.into())));
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": places});
    std::fs::write(folder.path().join("pytorch_model.bin.index.json"), index.to_string()).unwrap();
    let tensors = Tensors::open(folder.path()).unwrap();
    assert_eq!(tensors.len(), open("torch.safetensors").len() + open("lora/adapter_model.safetensors").len());
}
