//! Checkpoints that `torch.distributed.checkpoint` of PyTorch 2.15.0 wrote (`oracle/torch_distributed.py`): every tensor as it was saved.

use std::path::Path;

use jarrah_base::{DType, ErrorKind, Result};
use jarrah_formats::{FileFormat, Tensors, save_file};

use super::hostile::scratch;
use super::orbax::next;
use super::orbax_hostile::copy;
use super::{golden, open};

/// The golden folders, and the number of tensors and of other values in each.
pub const FOLDERS: [(&str, usize, usize); 3] = [("one", 22, 3), ("two", 4, 1), ("four", 6, 1)];

/// Reads every tensor of a folder.
pub fn read(path: &Path) -> Result<usize> {
    let tensors = Tensors::open(path)?;
    tensors.iter().map(|tensor| Ok(tensor.literal()?.bytes().len())).sum()
}

#[test]
fn tensors_are_put_together_from_the_chunks_of_all_processes() {
    for (name, count, others) in FOLDERS {
        let (tensors, values) =
            (open(&format!("distcp/{name}")), open(&format!("distcp/{name}.safetensors")));
        assert_eq!(tensors.format(), FileFormat::TorchDistributed);
        assert_eq!((tensors.len(), values.len()), (count, count), "{name}");
        assert_eq!(tensors.others().len(), others, "{name}: {:?}", tensors.others());
        for tensor in tensors.iter() {
            let wanted = values.get(tensor.name()).unwrap();
            assert_eq!(tensor.ty().unwrap(), wanted.ty().unwrap(), "{tensor}");
            assert_eq!(tensor.literal().unwrap().bytes(), wanted.literal().unwrap().bytes(), "{tensor}");
            let mut written = Vec::new();
            tensor.write_to(&mut written).unwrap();
            assert_eq!(written, wanted.literal().unwrap().bytes(), "{tensor}");
        }
    }
}

#[test]
fn values_that_are_no_tensors_are_named() {
    let tensors = open("distcp/one");
    assert_eq!(tensors.others(), ["nested.lr", "nested.name", "nested.list.1"]);
    assert_eq!(tensors.get("nested.list.0").unwrap().to_string(), "nested.list.0 f32[2]");
    assert_eq!(tensors.get("empty").unwrap().to_string(), "empty f32[0, 4]");
    let four = open("distcp/four");
    assert_eq!(four.others(), ["names"]);
    assert_eq!(four.get("uneven").unwrap().to_string(), "uneven f32[7, 3]");
    assert_eq!(four.file_of("uneven"), Some("__0_0.distcp"));
}

#[test]
fn tensors_in_chunks_are_converted_and_written_as_others_are() {
    let folder = scratch();
    let path = folder.path().join("w.safetensors");
    for (name, count, _) in FOLDERS {
        let tensors = open(&format!("distcp/{name}"));
        let values = open(&format!("distcp/{name}.safetensors"));
        let all: Vec<_> = tensors.iter().collect();
        save_file(&path, &all, &Default::default()).unwrap();
        let again = Tensors::open(&path).unwrap();
        assert_eq!(again.len(), count);
        for tensor in again.iter() {
            let wanted = values.get(tensor.name()).unwrap();
            assert_eq!(tensor.stored(), wanted.stored(), "{tensor}");
            if matches!(tensor.ty().unwrap().dtype(), DType::F32 | DType::BF16 | DType::F16) {
                let as_f64 = |of: jarrah_formats::Tensor<'_>| of.to(DType::F64).unwrap().literal().unwrap();
                assert_eq!(as_f64(tensors.get(tensor.name()).unwrap()), as_f64(wanted), "{tensor}");
            }
        }
    }
}

#[test]
fn an_unchanged_folder_has_one_identity_and_lists_all_its_files() {
    let folder = scratch();
    copy(&golden("distcp/four"), folder.path());
    let tensors = Tensors::open(folder.path()).unwrap();
    let mut names: Vec<_> = tensors.files().filter_map(|path| path.file_name()?.to_str()).collect();
    names.sort_unstable();
    assert_eq!(names, [".metadata", "__0_0.distcp", "__1_0.distcp", "__2_0.distcp", "__3_0.distcp"]);
    assert!(Tensors::find_in(folder.path()).unwrap().is_some());
}

/// Boxes of every tensor, at all places of small ones.
#[test]
fn boxes_of_tensors_in_chunks_are_those_of_the_whole() {
    let mut boxes = 0;
    for (name, ..) in FOLDERS {
        let (tensors, values) =
            (open(&format!("distcp/{name}")), open(&format!("distcp/{name}.safetensors")));
        let mut random = 0;
        for tensor in tensors.iter() {
            let value = values.get(tensor.name()).unwrap();
            for _ in 0..40 {
                let range = |&extent: &usize| {
                    let (a, b) = (next(&mut random) % (extent + 1), next(&mut random) % (extent + 1));
                    a.min(b)..a.max(b)
                };
                let region: Vec<_> = tensor.dims().iter().map(range).collect();
                let (found, wanted) = (tensor.region(&region).unwrap(), value.region(&region).unwrap());
                assert_eq!((found.ty(), found.bytes()), (wanted.ty(), wanted.bytes()), "{tensor} {region:?}");
                boxes += 1;
            }
        }
    }
    assert_eq!(boxes, 32 * 40);
    let both = open("distcp/four");
    let both = both.get("both").unwrap();
    assert_eq!(both.region(&[0..6, 0..1]).unwrap_err().kind(), ErrorKind::Program);
    // A tensor with another element type is converted box by box, too.
    let numbers = both.clone().to(DType::F64).unwrap().region(&[2..4, 3..5]).unwrap().to_f64_vec();
    assert_eq!(numbers, both.region(&[2..4, 3..5]).unwrap().to_f64_vec());
}

/// A box asks for no chunk that has no part of it: a damaged one is not seen.
#[test]
fn a_box_reads_the_chunks_that_have_a_part_of_it_alone() {
    let folder = scratch();
    copy(&golden("distcp/four"), folder.path());
    let path = folder.path().join("__0_0.distcp");
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::write(&path, vec![0; length as usize]).unwrap();
    let tensors = Tensors::open(folder.path()).unwrap();
    let uneven = tensors.get("uneven").unwrap();
    assert!(uneven.literal().is_err());
    assert!(uneven.region(&[1..4, 0..3]).is_err());
    let rest = open("distcp/four.safetensors").get("uneven").unwrap().region(&[2..7, 0..3]).unwrap();
    assert_eq!(uneven.region(&[2..7, 0..3]).unwrap(), rest);
}
