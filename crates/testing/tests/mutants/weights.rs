use std::io::{Cursor, Read, Write};
use std::path::Path;

use jarrah_base::{DType, Result};
use jarrah_formats::Tensors;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::*;

const GOLDEN: &str = "formats/tests/golden";

/// Reads everything of a file or a folder: names, values and bytes, as they are and as other numbers.
fn used(path: &Path) -> Result<()> {
    for tensor in Tensors::open(path)?.iter() {
        if let Ok(ty) = tensor.ty() {
            tensor.literal()?;
            if ty.dtype().is_float() {
                tensor.to(DType::BF16)?.literal()?;
            }
        }
    }
    Ok(())
}

/// A safetensors file with another header.
pub fn with_header(file: &[u8], header: &[u8]) -> Vec<u8> {
    let (length, rest) = file.split_first_chunk::<8>().unwrap();
    let data = &rest[u64::from_le_bytes(*length) as usize..];
    [&(header.len() as u64).to_le_bytes()[..], header, data].concat()
}

pub fn header_of(file: &[u8]) -> Value {
    let (length, rest) = file.split_first_chunk::<8>().unwrap();
    serde_json::from_slice(&rest[..u64::from_le_bytes(*length) as usize]).unwrap()
}

#[test]
fn damaged_headers_of_safetensors_do_no_harm() {
    alone_within("mutants::weights::damaged_headers_of_safetensors_do_no_harm", Some(SPACE), || {
        let names = ["types.safetensors", "changes.safetensors", "lora/adapter_model.safetensors"];
        let files = names.map(|name| bytes_of(&format!("{GOLDEN}/{name}")));
        let place = Place::new();
        trial(5000, |number, random| {
            let file = &files[number % files.len()];
            let mut header = header_of(file);
            change(&mut header, random);
            let bytes = with_header(file, &text_of(&header, random));
            judged(used(&place.write("w.safetensors", &bytes)), "w.safetensors")
        });
    });
}

#[test]
fn damaged_files_of_weights_do_no_harm() {
    alone_within("mutants::weights::damaged_files_of_weights_do_no_harm", Some(SPACE), || {
        let names = ["types.safetensors", "zip.pt", "legacy.pt", "all.gguf", "floats.gguf"];
        let files = names.map(|name| bytes_of(&format!("{GOLDEN}/{name}")));
        let place = Place::new();
        trial(8000, |number, random| {
            let mut bytes = files[number % files.len()].clone();
            // Headers, where the structure is, lie before the numbers.
            let rest = bytes.split_off(bytes.len().min(*random.one_of(&[300, 3000, usize::MAX])));
            let other = random.below(files.len());
            damage(&mut bytes, &files[other], random);
            bytes.extend(rest);
            judged(used(&place.write("w.bin", &bytes)), "w.bin")
        });
    });
}

/// Pickles in archives whose sums are those of the damaged bytes.
#[test]
fn damaged_pickles_do_no_harm() {
    alone_within("mutants::weights::damaged_pickles_do_no_harm", Some(SPACE), || {
        let mut archive = ZipArchive::new(Cursor::new(bytes_of(&format!("{GOLDEN}/zip.pt")))).unwrap();
        let mut entries = Vec::new();
        for at in 0..archive.len() {
            let mut entry = archive.by_index(at).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            entries.push((entry.name().unwrap().into_owned(), bytes));
        }
        let place = Place::new();
        trial(5000, |_, random| {
            let mut out = ZipWriter::new(Cursor::new(Vec::new()));
            let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            for (name, bytes) in &entries {
                let mut bytes = bytes.clone();
                if name.ends_with(".pkl") || random.below(100) == 0 {
                    let other = bytes.clone();
                    damage(&mut bytes, &other, random);
                }
                out.start_file(name, options).unwrap();
                out.write_all(&bytes).unwrap();
            }
            let bytes = out.finish().unwrap().into_inner();
            judged(used(&place.write("w.bin", &bytes)), "w.bin")
        });
    });
}

#[test]
fn damaged_indices_do_no_harm() {
    alone_within("mutants::weights::damaged_indices_do_no_harm", Some(SPACE), || {
        const INDEX: &str = "model.safetensors.index.json";
        let place = Place::new();
        place.fill(&files_of(&format!("{GOLDEN}/llama")));
        let index = json_of(&format!("{GOLDEN}/llama/{INDEX}"));
        trial(3000, |_, random| {
            let mut json = index.clone();
            change(&mut json, random);
            place.write(INDEX, &text_of(&json, random));
            judged(used(place.path()), place.path().to_str().unwrap())
        });
    });
}
