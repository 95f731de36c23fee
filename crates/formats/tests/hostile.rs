use std::fs;
use std::path::Path;

use jarrah_base::{Error, ErrorKind};
use jarrah_formats::Tensors;

use super::golden;

/// A folder for many small files: in memory, where there is such a place.
pub fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// Reads everything of a file: names, values and bytes.
fn read(path: &Path) -> Result<usize, Error> {
    let tensors = Tensors::open(path)?;
    let mut bytes = 0;
    for tensor in tensors.iter() {
        if tensor.ty().is_ok() {
            bytes += tensor.literal()?.bytes().len();
        }
    }
    Ok(bytes)
}

/// The error about a file of these bytes, which has to be the input's fault.
fn refused(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    fs::write(&path, bytes).unwrap();
    let e = read(&path).err().unwrap_or_else(|| panic!("{} bytes were read", bytes.len()));
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e.to_string()
}

const FILES: [&str; 4] = ["types.safetensors", "zip.pt", "legacy.pt", "all.gguf"];

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    let folder = scratch();
    let path = folder.path().join("x");
    for name in FILES {
        let bytes = fs::read(golden(name)).unwrap();
        for length in 0..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let e = match read(&path) {
                Err(e) => e,
                // The last tensor of a GGUF file is padded.
                Ok(_) if name == "all.gguf" && bytes.len() - length < 32 => continue,
                Ok(_) => panic!("{name} was read although only {length} of {} bytes are there", bytes.len()),
            };
            assert_eq!(e.kind(), ErrorKind::Input, "{name} at {length}: {e}");
        }
    }
}

fn safetensors(header: &str, data: usize) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.resize(bytes.len() + data, 0);
    bytes
}

#[test]
fn headers_that_lie_are_refused_in_words() {
    let row = |name: &str, from: usize, to: usize| {
        format!(r#""{name}":{{"dtype":"U8","shape":[{}],"data_offsets":[{from},{to}]}}"#, to - from)
    };
    let two = |a: String, b: String| safetensors(&format!("{{{a},{b}}}"), 8);
    let overlap = refused(&two(row("a", 0, 5), row("b", 3, 8)));
    assert!(overlap.contains("the bytes of the tensor b overlap others, or leave a gap"), "{overlap}");
    assert!(refused(&two(row("a", 0, 3), row("b", 4, 8))).contains("leave a gap"));
    assert!(refused(&two(row("a", 0, 4), row("a", 4, 8))).contains("leave a gap"));
    let huge = refused(&[0xff; 64]);
    assert!(huge.contains("the file of 64 bytes does not begin with the length of a header"), "{huge}");
    let big = refused(&safetensors(
        r#"{"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,8]}}"#,
        8,
    ));
    assert!(big.contains("larger than any memory"), "{big}");
    let zero = refused(&safetensors(
        r#"{"a":{"dtype":"F32","shape":[0,18446744073709551615,4],"data_offsets":[0,0]}}"#,
        0,
    ));
    assert!(zero.contains("has 0 bytes"), "{zero}");
    assert!(
        refused(&safetensors(&"[".repeat(100_000), 0)).contains("header is not that of a safetensors file")
    );
    assert!(refused(b"").contains("0 bytes are too few"));
    for (text, says, does) in [
        (&b"<html>not found</html>"[..], "it is a page of HTML", "copy the file again"),
        (b"version https://git-lfs.github.com/spec/v1\n", "it is a pointer of Git LFS", "`git lfs pull`"),
        ("é".repeat(30).as_bytes(), "it is text", "name the folder of a model"),
        (b"a\nb", "it is text", "name the folder of a model"),
        (b"password=1", "it is text", "name the folder of a model"),
    ] {
        let error = refused(text);
        assert!(
            error.contains("the file has no weights: ") && error.contains(says) && error.contains(does),
            "{error}"
        );
        assert!(
            !error.contains("not found") && !error.contains("password") && !error.contains("éé"),
            "{error}"
        );
    }
    assert!(refused(&[0xfe; 64]).contains("it is no safetensors file"));
}

#[test]
fn an_index_that_lies_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(golden("llama")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let path = folder.path().join("model.safetensors.index.json");
    let index = fs::read_to_string(&path).unwrap();
    let (first, second) = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors");
    let with = |from: &str, to: &str| {
        fs::write(&path, index.replacen(from, to, 1)).unwrap();
        let e = read(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input);
        e.to_string()
    };
    let e = with(first, second);
    assert!(e.contains(&format!("into {second}, but it is in {first}")), "{e}");
    let e = with(first, "../secret.safetensors");
    assert!(e.contains(r#""../secret.safetensors", which is no name of a file of the folder"#), "{e}");
    let e = with("model.embed_tokens.weight", "model.embed.weight");
    assert!(e.contains("puts model.embed.weight into") && e.contains("which has no such tensor"), "{e}");
    assert!(with("weight_map", "weights").contains("it has no `weight_map`"));
    assert!(with("{", "").contains("is not JSON"));
    let start =
        index.find("    \"model.norm.weight\"").or_else(|| index.find("    \"lm_head.weight\"")).unwrap();
    let end = start + index[start..].find('\n').unwrap() + 1;
    let e = with(&index[start..end], "");
    assert!(e.contains("does not list") || e.contains("is not JSON"), "{e}");
    fs::write(&path, &index).unwrap();
    let shard = folder.path().join(second);
    let bytes = fs::read(&shard).unwrap();
    fs::write(&shard, &bytes[..bytes.len() - 1]).unwrap();
    let e = read(folder.path()).unwrap_err().to_string();
    assert!(e.contains("not all there") && e.contains(second), "{e}");
    fs::remove_file(&shard).unwrap();
    let e = read(folder.path()).unwrap_err().to_string();
    assert!(e.contains(&format!("tensors into {second}, which is not there")), "{e}");
}

/// A file of the form before 1.6, whose value is this pickle.
fn legacy(value: &[u8]) -> Vec<u8> {
    legacy_of(value, b"\x80\x02].")
}

/// A file of this form without its storages: its value, and the list of their keys.
pub fn legacy_of(value: &[u8], keys: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.".to_vec();
    bytes.extend(b"\x80\x02M\xe9\x03.");
    bytes.extend(b"\x80\x02}.");
    bytes.extend(value);
    bytes.extend(keys);
    bytes
}

#[test]
fn a_pickle_that_asks_for_code_is_told_so_and_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("ran");
    let command = format!("touch {}", mark.display());
    // cos\nsystem\n(S'...'\ntR.
    let value = format!("cos\nsystem\n(S'{command}'\ntR.");
    let e = refused(&legacy(value.as_bytes()));
    assert!(e.contains("the pickle asks for os.system") && e.contains("nothing of it was run"), "{e}");
    assert!(!mark.exists());
    let e = refused(&legacy(b"(dS'w'\nc__builtin__\neval\n(S'1'\ntRs."));
    assert!(e.contains("__builtin__.eval"), "{e}");
    // The same by the instruction of protocol 4, and by objects of classes.
    let e = refused(&legacy(b"\x80\x04\x8c\x05posix\x8c\x06system\x93)R."));
    assert!(e.contains("posix.system"), "{e}");
    assert!(refused(&legacy(b"(S'x'\nios\nsystem\n.")).contains("do not need"));
    assert!(refused(&legacy(b"))R.")).contains("calls what it has computed"));
}

#[test]
fn pickles_that_contain_themselves_end() {
    // A list of itself.
    assert!(refused(&legacy(b"]q\x00h\x00a.")).contains("contains itself"));
    // Lists of two of the list before, sixty times: a small file, and more values than there is time for.
    let mut value = b"]q\x00".to_vec();
    for _ in 0..60 {
        value.extend(b"h\x00h\x00\x86q\x00");
    }
    value.push(b'.');
    assert!(refused(&legacy(&value)).contains("contains itself"));
    // A tensor, or an import, again and again under a long name, which is recalled by a few bytes.
    let long = |text: &mut Vec<u8>| {
        text.push(b'X');
        text.extend((1u32 << 20).to_le_bytes());
        text.resize(text.len() + (1 << 20), b'a');
    };
    let tensor: &[u8] =
        b"ctorch._utils\n_rebuild_tensor\n((S'storage'\nctorch\nFloatStorage\nS'0'\nS'cpu'\nI0\ntQI0\n))tRq\x000";
    let mut value = [tensor, b"("].concat();
    long(&mut value);
    value.push(b'(');
    value.extend(b"h\x00".repeat(1 << 20));
    value.extend(b"ld.");
    let e = refused(&legacy(&value));
    assert!(e.contains("storage") || e.contains("nested without end"), "{e}");
    let mut value = b"(".to_vec();
    long(&mut value);
    value.extend(b"q\x00");
    value.extend(b"h\x00h\x00\x93".repeat(1 << 20));
    value.extend(b"l.");
    assert!(refused(&legacy(&value)).contains("whose name is longer than"));
    // As deep as a megabyte makes it.
    let mut value = b")".to_vec();
    value.extend([0x85; 1 << 20]);
    value.push(b'.');
    assert!(refused(&legacy(&value)).contains("nested without end"));
    assert!(refused(&legacy(b"\x86.")).contains("not there"));
    assert!(refused(&legacy(b"(t(.")).contains("not there"));
    assert!(refused(&legacy(b"h\x07.")).contains("never kept"));
    assert!(refused(&legacy(b"X\xff\xff\xff\xffab.")).contains("cut short"));
}

#[test]
fn gguf_files_that_lie_are_refused_in_words() {
    let header = |tensors: u64, fields: u64| {
        let mut bytes = b"GGUF\x03\x00\x00\x00".to_vec();
        bytes.extend(tensors.to_le_bytes());
        bytes.extend(fields.to_le_bytes());
        bytes
    };
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    assert!(refused(&header(u64::MAX, 0)).contains("ends where"));
    assert!(refused(&header(0, u64::MAX)).contains("ends where"));
    assert!(refused(b"GGUF\x00\x00\x00\x03").contains("big-endian"));
    assert!(refused(b"GGUF\x01\x00\x00\x00").contains("version 1"));
    // Arrays in arrays.
    let mut nested = header(0, 1);
    text(&mut nested, "a");
    nested.extend(9u32.to_le_bytes());
    for _ in 0..1000 {
        nested.extend(9u32.to_le_bytes());
        nested.extend(1u64.to_le_bytes());
    }
    assert!(refused(&nested).contains("deeper than 4"));
    let tensor = |bytes: &mut Vec<u8>, name: &str, dims: &[u64], kind: u32, at: u64| {
        text(bytes, name);
        bytes.extend((dims.len() as u32).to_le_bytes());
        bytes.extend(dims.iter().flat_map(|d| d.to_le_bytes()));
        bytes.extend(kind.to_le_bytes());
        bytes.extend(at.to_le_bytes());
    };
    let mut two = header(2, 0);
    tensor(&mut two, "a", &[16], 0, 0);
    tensor(&mut two, "b", &[16], 0, 32);
    two.resize(two.len().next_multiple_of(32) + 128, 0);
    assert!(refused(&two).contains("the tensors a and b overlap"));
    for (dims, kind, at, said) in [
        (&[1u64 << 40, 1 << 40][..], 0, 0, "too many"),
        (&[33][..], 8, 0, "no whole blocks of Q8_0"),
        (&[16][..], 0, 7, "no multiple of 32"),
        (&[16][..], 0, u64::MAX - 31, "not all in the file"),
        (&[16][..], 77, 0, "encoding 77"),
        (&[1; 9][..], 0, 0, "9 axes"),
    ] {
        let mut one = header(1, 0);
        tensor(&mut one, "a", dims, kind, at);
        let e = refused(&one);
        assert!(e.contains(said), "{e}");
    }
}
