//! Checkpoints of Orbax that are damaged, or lie: an error in words, no panic, and no more memory than what is there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jarrah_base::ErrorKind;
use jarrah_formats::OrbaxCheckpoint;

use super::golden;
use super::hostile::scratch;
use super::memory::peak;
use super::orbax::{next, read};

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

pub fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let copy = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::copy(file, copy).unwrap();
    }
}

/// A part of a database with the right length and checksum: these are the first things that are looked at.
fn sealed(magic: u32, compression: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = magic.to_be_bytes().to_vec();
    bytes.extend((4 + 8 + 2 + body.len() as u64 + 4).to_le_bytes());
    bytes.extend([0, compression]);
    bytes.extend(body);
    bytes.extend(crc32c::crc32c(&bytes).to_le_bytes());
    bytes
}

const MANIFEST: u32 = 0x0cdb_3a2a;
const NODE: u32 = 0x0cdb_20de;

/// The body of a manifest whose root has this height and lies, `length` bytes long, at the beginning of `d/node`.
fn manifest(height: u8, length: usize) -> Vec<u8> {
    let mut body = vec![7; 16];
    // Kind, sizes, arity, no compression; one file and the lengths of its path and its base; one version.
    body.extend([0, 100, 100, 4, 0, 1, 6, 0]);
    body.extend(b"d/node");
    body.extend([1, 1, height, 0, 0]);
    varint(&mut body, length as u64);
    body.extend([1, 1, 1]);
    body.extend([0; 8]);
    body.push(0);
    body
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A database whose root is this node, in the folder of a checkpoint.
fn database(folder: &Path, height: u8, body: &[u8]) {
    fs::create_dir_all(folder.join("d")).unwrap();
    let node = sealed(NODE, 0, body);
    fs::write(folder.join("manifest.ocdbt"), sealed(MANIFEST, 0, &manifest(height, node.len()))).unwrap();
    fs::write(folder.join("d/node"), node).unwrap();
}

/// The decompressed body of the root of a golden's database.
fn root(folder: &Path) -> Vec<u8> {
    let mut nodes = Vec::new();
    for file in fs::read_dir(folder.join("d")).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let starts = (0..bytes.len()).filter(|&i| bytes[i..].starts_with(&NODE.to_be_bytes()));
        nodes.extend(starts.map(|start| {
            let length = u64::from_le_bytes(bytes[start + 4..start + 12].try_into().unwrap()) as usize;
            bytes[start..start + length].to_vec()
        }));
    }
    let node = nodes.iter().max_by_key(|node| node.len()).unwrap();
    let mut body = vec![0; 1 << 20];
    let length =
        ruzstd::decoding::FrameDecoder::new().decode_all(&node[14..node.len() - 4], &mut body).unwrap();
    body.truncate(length);
    body
}

/// Changes bytes, or digits, or cuts or repeats a stretch.
pub fn mutate(bytes: &mut Vec<u8>, random: &mut u64) {
    for _ in 0..1 + next(random) % 3 {
        if bytes.is_empty() {
            return;
        }
        let at = next(random) % bytes.len();
        match next(random) % 8 {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << (next(random) % 8),
            2 => bytes[at] = next(random) as u8,
            3 => bytes[at] = [0, 1, 127, 128, 255][next(random) % 5],
            4 => drop(bytes.drain(at..(at + 1 + next(random) % 8).min(bytes.len()))),
            5 => {
                let stretch = bytes[at..(at + 1 + next(random) % 16).min(bytes.len())].to_vec();
                bytes.splice(at..at, stretch);
            }
            6 => {
                let number = [&b"0"[..], b"-1", b"4294967296", b"18446744073709551615", b"1e30", b"99999999"];
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    bytes.splice(at + digit..=at + digit, number[next(random) % number.len()].to_vec());
                }
            }
            _ => {
                let end = (at + 8).min(bytes.len());
                bytes[at..end].fill(255);
            }
        }
    }
}

/// Reads a damaged checkpoint: it may be read, or is refused as a wrong input or for its size.
fn survive(folder: &Path, tag: &dyn Fn() -> String) -> bool {
    match read(folder) {
        Ok(_) => true,
        Err(e) => {
            assert!(matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment), "{}: {e}", tag());
            false
        }
    }
}

/// `JARRAH_MUTANTS=100000` asks for so many mutants. A process of its own has them, so that its memory is known.
#[test]
fn damaged_checkpoints_are_refused_in_words() {
    const CHILD: &str = "JARRAH_FORMATS_TEST_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "orbax_hostile::damaged_checkpoints_are_refused_in_words", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", said(&output.stdout), said(&output.stderr));
        return;
    }
    let count = std::env::var("JARRAH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    let goldens = [
        "v0_ocdbt_zarr2",
        "v0_ocdbt_zarr3",
        "v0_files_zarr2",
        "recoded_zarr3",
        "recoded_zarr2",
        "v1",
        "renoded",
    ];
    let (before, mut read) = (peak(), 0);
    let folder = scratch();
    for (i, name) in goldens.iter().enumerate() {
        let copied = folder.path().join(name);
        copy(&golden("orbax").join(name), &copied);
        let all = files(&copied);
        let mut random = i as u64;
        let body = name.starts_with("v0_ocdbt").then(|| root(&copied));
        for number in 0..count / goldens.len() {
            let tag = || format!("mutant {number} of {name}");
            // The body of a node, with a checksum that fits, is damaged half the time where there is one.
            if let (Some(body), 0) = (&body, next(&mut random) % 2) {
                let old = fs::read(copied.join("manifest.ocdbt")).unwrap();
                let mut body = body.clone();
                mutate(&mut body, &mut random);
                database(&copied, 0, &body);
                read += usize::from(survive(&copied, &tag));
                fs::write(copied.join("manifest.ocdbt"), old).unwrap();
                continue;
            }
            let file = &all[next(&mut random) % all.len()];
            let old = fs::read(file).unwrap();
            let mut new = old.clone();
            mutate(&mut new, &mut random);
            if new.starts_with(&MANIFEST.to_be_bytes())
                && new.len() > 18
                && next(&mut random).is_multiple_of(2)
            {
                new = sealed(MANIFEST, new[13], &new[14..new.len() - 4]);
            }
            fs::write(file, new).unwrap();
            read += usize::from(survive(&copied, &tag));
            fs::write(file, old).unwrap();
        }
    }
    println!("{read} of {count} mutants were read, {} MiB were taken", (peak() - before) >> 20);
    assert!(peak() - before < 64 << 20, "{} bytes", peak() - before);
}

#[test]
fn a_checkpoint_cut_short_anywhere_is_refused_in_words() {
    let folder = scratch();
    for name in ["dtypes", "v0_files_zarr2"] {
        let copied = folder.path().join(name);
        copy(&golden("orbax").join(name), &copied);
        for file in files(&copied) {
            let bytes = fs::read(&file).unwrap();
            for length in (0..bytes.len()).step_by(1 + bytes.len() / 40) {
                fs::write(&file, &bytes[..length]).unwrap();
                survive(&copied, &|| format!("{} at {length}", file.display()));
            }
            fs::write(&file, bytes).unwrap();
        }
        read(&copied).unwrap();
    }
}

/// The error about a database whose root is this node.
fn refused(height: u8, body: &[u8]) -> String {
    let folder = scratch();
    let path = folder.path().join("x");
    copy(&golden("orbax").join("v0_ocdbt_zarr3"), &path);
    database(&path, height, body);
    let e = read(&path).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e.to_string()
}

/// The body of an inner node with one child, which is the node itself.
fn cycle(height: u8, length: u64) -> Vec<u8> {
    let mut body = vec![height, 1, 6, 0];
    body.extend(b"d/node");
    // One entry, whose key is empty.
    body.extend([1, 0, 0, 0, 0]);
    varint(&mut body, length);
    body.extend([1, 1, 1]);
    body
}

#[test]
fn databases_that_lie_are_refused_in_words() {
    for height in [1, 200] {
        let length = sealed(NODE, 0, &cycle(height, 100)).len() as u64;
        let e = refused(height, &cycle(height, length));
        assert!(e.contains(&format!("has height {height}, its parent says {}", height - 1)), "{e}");
    }
    assert!(refused(3, &cycle(2, 1)).contains("has height 2, its parent says 3"));
    let number = |value: u64| {
        let mut out = Vec::new();
        varint(&mut out, value);
        out
    };
    // Counts of files and of entries.
    assert!(refused(0, &[&[0][..], &number(u64::MAX)].concat()).contains("cut short"));
    assert!(refused(0, &[&[0, 0][..], &number(u64::MAX)].concat()).contains("cut short"));
    assert!(refused(0, &[0, 0, 0]).contains("has no entry"));
    assert!(refused(0, &[&[0, 0][..], &[255; 10]].concat()).contains("more than 64 bits"));
    // Keys out of order, and keys that share more than there is.
    assert!(refused(0, &[0, 0, 2, 0, 1, 1, b'b', b'a', 0, 0, 0, 0]).contains("not in order"));
    assert!(refused(0, &[0, 0, 2, 9, 1, 1, b'a', b'b', 0, 0, 0, 0]).contains("shares more"));
    assert!(refused(0, &[0, 0, 1, 1, b'a', 0, 7]).contains("kind 7"));
    assert!(refused(0, &[0, 0, 1, 1, b'a', 0, 0, 0]).contains("behind its end"));
    // A path out of the folder.
    let outside = [&[0, 1, 9, 0][..], b"../secret", &[1, 1, b'a', 0, 0]].concat();
    assert!(refused(0, &outside).contains(r#""../secret" is no path of a data file"#));
    // A database without the keys that the description names.
    let e = refused(0, &[0, 0, 1, 1, b'a', 0, 0]);
    assert!(e.contains("is not there: the array is lost"), "{e}");
    // Keys that are long together: each has the 60,000 bytes of the first.
    let mut long = vec![0, 0];
    long.extend(number(10_000));
    long.extend((1..10_000).flat_map(|_| number(60_000)));
    long.extend(number(60_000));
    long.extend([1; 9_999]);
    long.extend([b'a'; 69_999]);
    let e = refused(0, &long);
    assert!(e.contains("the keys of a node have more than") || e.contains("not in order"), "{e}");
}

/// The error about a checkpoint with an array `kernel` of this description and chunk.
fn array(file: &str, description: &str, key: &str, chunk: &[u8]) -> String {
    let folder = scratch();
    let path = folder.path();
    fs::create_dir_all(path.join("kernel").join(key).parent().unwrap()).unwrap();
    fs::write(path.join("kernel").join(file), description).unwrap();
    fs::write(path.join("kernel").join(key), chunk).unwrap();
    let row = r#""key_metadata":[{"key":"kernel","key_type":2}],"value_metadata":{"value_type":"np.ndarray","skip_deserialize":false}"#;
    let tree = format!(
        r#"{{"tree_metadata":{{"('kernel',)":{{{row}}}}},"use_zarr3":{},"store_array_data_equal_to_fill_value":true}}"#,
        file == "zarr.json"
    );
    fs::write(path.join("_METADATA"), tree).unwrap();
    let e = read(path).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment), "{e}");
    e.to_string()
}

#[test]
fn arrays_that_lie_are_refused_in_words() {
    let zarr2 = |shape: &str, chunks: &str, dtype: &str, compressor: &str| {
        let description = format!(
            r#"{{"zarr_format":2,"shape":{shape},"chunks":{chunks},"dtype":{dtype},"compressor":{compressor},"fill_value":null,"filters":null,"order":"C"}}"#
        );
        array(".zarray", &description, "0", &[1, 2, 3, 4])
    };
    for (shape, chunks, dtype, compressor, says) in [
        ("[2]", "[2]", r#""<f4""#, "null", "a chunk has 4 bytes in the place of 8"),
        ("[4]", "[1]", r#""<f4""#, "null", "the chunk kernel/1 is not there"),
        ("[1]", "[0]", r#""<f4""#, "null", "chunks of shape [0]"),
        ("[1]", "[1,1]", r#""<f4""#, "null", "an array of shape [1] has chunks of shape [1, 1]"),
        ("[1]", "[1]", r#""<M8[ns]""#, "null", "the elements are of type <M8[ns], which is not read here"),
        ("[1]", "[1]", r#"[["a","<f4"]]"#, "null", r#"type [["a","<f4"]], which is not read here"#),
        ("[1]", "[1]", r#""<f4""#, r#"{"id":"bz2"}"#, "chunks are encoded by bz2, which is not decoded here"),
        ("[1]", "[1]", r#""<f4""#, r#"{"id":"zstd"}"#, "a chunk is not what zstd writes"),
        ("[1]", "[1]", r#""<f4""#, r#"{"id":"gzip"}"#, "a chunk is not what gzip writes"),
        ("[1]", "[1]", r#""<f4""#, r#"{"id":"blosc"}"#, "4 bytes are too few for a container of blosc"),
        ("[9007199254740993,9007199254740993]", "[1,1]", r#""<f4""#, "null", "larger than any memory"),
        ("[1000000000000]", "[1]", r#""|b1""#, "null", "more than 16777216 chunks"),
        ("[1]", "[1000000000000000]", r#""<f4""#, r#"{"id":"zstd"}"#, "a chunk of a checkpoint"),
        ("[-1]", "[1]", r#""<f4""#, "null", "`shape` of an array has -1"),
    ] {
        let e = zarr2(shape, chunks, dtype, compressor);
        assert!(e.contains(says) && e.contains("kernel"), "{says}: {e}");
    }
    let zarr3 = |codecs: &str, chunk: &[u8]| {
        let description = format!(
            r#"{{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"int8","chunk_grid":{{"name":"regular","configuration":{{"chunk_shape":[4]}}}},"chunk_key_encoding":{{"name":"default"}},"fill_value":0,"codecs":{codecs}}}"#
        );
        array("zarr.json", &description, "c/0", chunk)
    };
    let shards = |inner: &str| {
        format!(
            r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":{inner},"index_codecs":[{{"name":"bytes"}}]}}}}]"#
        )
    };
    let bytes = r#"[{"name":"bytes"}]"#;
    let nested = (0..6).fold(bytes.to_owned(), |inner, _| shards(&inner));
    let mut beyond = vec![0; 32];
    beyond[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    for (codecs, chunk, says) in [
        ("[]".to_owned(), &[0; 4][..], "no codec of an array makes bytes"),
        (r#"["bytes","vlen-utf8"]"#.to_owned(), &[0; 4], "encoded by vlen-utf8, which is not decoded here"),
        (r#"["gzip","bytes"]"#.to_owned(), &[0; 4], "stands before one that makes bytes"),
        (r#"["bytes","crc32c"]"#.to_owned(), &[0; 8], "the checksum of a chunk differs"),
        (shards(bytes), &[0; 31], "too short for its index of 32"),
        (shards(bytes), &[255; 32], "the chunk [0] of a shard is not stored"),
        (shards(bytes), &beyond, "of a shard of 32 bytes are not all there"),
        (nested, &[0; 32], "deeper than 4"),
    ] {
        let e = zarr3(&codecs, chunk);
        assert!(e.contains(says), "{says}: {e}");
    }
}

#[test]
fn structures_in_messagepack_that_lie_are_refused_in_words() {
    let refused = |bytes: &[u8]| {
        let folder = scratch();
        fs::write(folder.path().join("checkpoint"), bytes).unwrap();
        let e = read(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "{e}");
        e.to_string()
    };
    let extension = |code: u8, bytes: &[u8]| [&[0xc7, bytes.len() as u8, code][..], bytes].concat();
    assert!(refused(b"").contains("cut short"));
    assert!(refused(&[0xdf, 255, 255, 255, 255]).contains("cut short"));
    assert!(refused(&[0xdd, 255, 255, 255, 255]).contains("cut short"));
    assert!(refused(&[0xc6, 255, 255, 255, 255]).contains("cut short"));
    assert!(refused(&[0x91; 100_000]).contains("deeper than 100"));
    assert!(refused(&[0x01, 0x01]).contains("ends at byte 1 of 2"));
    assert!(refused(&[0xc1]).contains("which begins no value"));
    assert!(refused(&[0x81, 0xc0, 0xc0]).contains("a key of the file of MessagePack is no text"));
    assert!(refused(&[0x81, 0xa1, b'w', 0xc4, 0]).contains("a leaf of bytes"));
    assert!(refused(&[0xa1, 255]).contains("not of UTF-8"));
    assert!(
        refused(&extension(9, &[0xc0]))
            .contains("an item 9 of the file of MessagePack is not what Orbax writes")
    );
    // An array of two numbers that has the bytes of one.
    let array = [&[0x93, 0x91, 2, 0xa4][..], b"int8", &[0xc4, 1, 7]].concat();
    assert!(refused(&extension(1, &array)).contains("an item 1"));
    // A name of 60,000 bytes, and many leaves below it.
    let mut long = vec![0x81, 0xda, 0xea, 0x60];
    long.extend([b'a'; 60_000]);
    long.extend([0xdd, 0, 1, 0, 0]);
    long.resize(long.len() + 65_536, 0xc0);
    assert!(refused(&long).contains("longer than their file allows"));
    // An array that is said to lie elsewhere.
    let elsewhere = [&[0x81, 0xa1, b'w', 0xae][..], b"PLACEHOLDER://"].concat();
    assert!(refused(&elsewhere).contains("w/.zarray is not there"));
}

#[test]
fn structures_that_lie_are_refused_in_words() {
    let refused = |rows: &[(&str, &str)]| {
        let folder = scratch();
        let rows = rows.iter().enumerate().map(|(i, (keys, value_type))| {
            format!(r#""{i}":{{"key_metadata":[{keys}],"value_metadata":{{"value_type":"{value_type}"}}}}"#)
        });
        let rows: Vec<String> = rows.collect();
        fs::write(folder.path().join("_METADATA"), format!(r#"{{"tree_metadata":{{{}}}}}"#, rows.join(",")))
            .unwrap();
        let e = read(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "{e}");
        e.to_string()
    };
    let name = r#"{"key":"a","key_type":2}"#;
    let index = |i: u64| format!(r#"{{"key":"{i}","key_type":1}}"#);
    assert!(refused(&[(&index(u64::MAX), "None")]).contains("have gaps"));
    assert!(refused(&[(&index(0), "None"), (&index(2), "None")]).contains("have gaps"));
    assert!(refused(&[(name, "None"), (name, "None")]).contains("have the same keys"));
    assert!(
        refused(&[(name, "None"), (&index(0), "None")])
            .contains("is not of the type that the keys beside it are of")
    );
    assert!(
        refused(&[(r#"{"key":"a","key_type":3}"#, "None")]).contains("no key_metadata as Orbax writes it")
    );
    assert!(refused(&[(&vec![name; 101].join(","), "None")]).contains("deeper than 100"));
    assert!(refused(&[(name, "string")]).contains("the text a is not in _strings.json"));
    assert!(refused(&[(name, "jax.Array")]).contains("a/.zarray is not there"));
    assert!(
        refused(&[(r#"{"key":"..","key_type":2}"#, "jax.Array")])
            .contains("names a file outside of the checkpoint")
    );
}

#[test]
fn folders_that_are_no_checkpoints_are_refused_in_words() {
    let folder = scratch();
    let opened = |path: &Path| OrbaxCheckpoint::open(path).unwrap_err().to_string();
    assert!(opened(folder.path()).contains("is no checkpoint of Orbax"));
    assert!(opened(&folder.path().join("none")).contains("is no folder"));
    let step = folder.path().join("500");
    copy(&golden("orbax").join("standard"), &step);
    assert!(opened(folder.path()).contains("it has the steps 500: name one of them"));
    assert!(opened(&folder.path().join("501.orbax-checkpoint-tmp")).contains("is a save that has not ended"));
    let checkpoint = OrbaxCheckpoint::open(step).unwrap();
    assert!(checkpoint.json("").unwrap_err().to_string().contains("is Tree, not Json"));
    assert!(checkpoint.tree("params").unwrap_err().to_string().contains(r#"has no item "params""#));
    let tree = checkpoint.tree("").unwrap();
    assert!(tree.get("kernel").unwrap_err().to_string().contains(r#"the tree has no leaf "kernel""#));
    let e = tree.get("params.kernel").unwrap().region(&[0..9, 0..1]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Program, "{e}");
}

/// An array of this description, `fill_value` and no chunk: what reading it gives.
fn unstored(shape: &str, dtype: &str, fill: &str) -> jarrah_base::Result<jarrah_base::Literal> {
    let folder = scratch();
    fs::create_dir(folder.path().join("kernel")).unwrap();
    let description = format!(
        r#"{{"zarr_format":2,"shape":[{shape}],"chunks":[{shape}],"dtype":"{dtype}","compressor":null,"fill_value":{fill},"filters":null,"order":"C"}}"#
    );
    fs::write(folder.path().join("kernel/.zarray"), description).unwrap();
    let row = r#""key_metadata":[{"key":"kernel","key_type":2}],"value_metadata":{"value_type":"np.ndarray","skip_deserialize":false}"#;
    fs::write(folder.path().join("_METADATA"), format!(r#"{{"tree_metadata":{{"a":{{{row}}}}}}}"#)).unwrap();
    OrbaxCheckpoint::open(folder.path())?.tree("")?.get("kernel")?.literal()
}

#[test]
fn arrays_of_one_number_that_no_memory_holds_are_refused_in_words() {
    for shape in ["1152921504606846976", "1152921504606846977", "9223372036854775807"] {
        let e = unstored(shape, "|u1", "1").unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment), "{shape}: {e}");
    }
    let value = unstored("70000", "<i2", "-3").unwrap();
    assert_eq!(value.bytes(), (-3i16).to_le_bytes().repeat(70_000));
    assert!(unstored("2", "<i2", "40000").unwrap_err().to_string().contains("the fill value 40000"));
}

/// Paths of leaves that are long together are refused: a key of 20,000 bytes above 20,000 numbers would take 400 MB.
#[test]
fn paths_of_flax_that_are_longer_than_their_file_allows_are_refused_in_words() {
    let mut long = vec![0x81, 0xda, 0x4e, 0x20];
    long.extend([b'a'; 20_000]);
    long.extend([0xdc, 0x4e, 0x20]);
    long.resize(long.len() + 20_000, 0xc3);
    let e = jarrah_formats::msgpack::read_flax(&long).map(|leaves| leaves.len()).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    assert!(e.to_string().contains("longer than their file allows"), "{e}");
    // Many leaves with short names are read.
    let mut many = vec![0x81, 0xa1, b'a', 0xdc, 0x4e, 0x20];
    many.resize(many.len() + 20_000, 0xc3);
    assert_eq!(jarrah_formats::msgpack::read_flax(&many).unwrap().len(), 20_000);
}
