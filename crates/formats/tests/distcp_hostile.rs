//! Checkpoints of `torch.distributed.checkpoint` that are damaged, or lie: an error in words, no panic, and no more memory than what is there.

use std::fs;
use std::path::Path;
use std::process::Command;

use jarrah_base::ErrorKind;
use jarrah_formats::Tensors;

use super::distcp::{FOLDERS, read};
use super::golden;
use super::hostile::{legacy_of, scratch};
use super::memory::peak;
use super::orbax::next;
use super::orbax_hostile::{copy, files, mutate};

fn text(text: &str) -> Vec<u8> {
    [&b"X"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat()
}

fn integer(value: u64) -> Vec<u8> {
    [&[0x8a, 9][..], &value.to_le_bytes(), &[0]].concat()
}

fn group(begin: &[u8], items: impl IntoIterator<Item = Vec<u8>>, end: u8) -> Vec<u8> {
    let items: Vec<u8> = items.into_iter().flatten().collect();
    [begin, &items, &[end]].concat()
}

fn tuple(numbers: &[u64]) -> Vec<u8> {
    group(b"(", numbers.iter().map(|&number| integer(number)), b't')
}

fn size(numbers: &[u64]) -> Vec<u8> {
    [&b"ctorch\nSize\n"[..], &tuple(numbers), b"\x85R"].concat()
}

fn object(class: &str, fields: Vec<(&str, Vec<u8>)>) -> Vec<u8> {
    let class = format!("ctorch.distributed.checkpoint.metadata\n{class}\n)\u{1}");
    let fields = group(b"}(", fields.into_iter().map(|(name, value)| [text(name), value].concat()), b'u');
    [class.trim_end_matches('\u{1}').as_bytes(), &[0x81], &fields, b"b"].concat()
}

/// A chunk as the metadata describes it: offsets, extents, the file and the stretch of it.
type Box<'a> = (&'a [u64], &'a [u64], &'a str, u64, u64);

/// The metadata of tensors of this type, by names, extents and chunks.
fn metadata(dtype: &str, tensors: &[(&str, &[u64], &[Box<'_>])]) -> Vec<u8> {
    let described = tensors.iter().map(|&(name, dims, chunks)| {
        let chunks = chunks.iter().map(|&(offsets, sizes, ..)| {
            object("ChunkStorageMetadata", vec![("offsets", size(offsets)), ("sizes", size(sizes))])
        });
        let properties = object("TensorProperties", vec![("dtype", format!("ctorch\n{dtype}\n").into())]);
        let fields =
            vec![("properties", properties), ("size", size(dims)), ("chunks", group(b"](", chunks, b'e'))];
        [text(name), object("TensorStorageMetadata", fields)].concat()
    });
    let places = tensors.iter().flat_map(|&(name, _, chunks)| {
        chunks.iter().map(move |&(offsets, _, path, start, length)| {
            let key = object("MetadataIndex", vec![("fqn", text(name)), ("offset", size(offsets))]);
            let place =
                vec![("relative_path", text(path)), ("offset", integer(start)), ("length", integer(length))];
            [key, object("_StorageInfo", place)].concat()
        })
    });
    let fields = vec![
        ("state_dict_metadata", group(b"}(", described, b'u')),
        ("storage_data", group(b"}(", places, b'u')),
    ];
    [b"\x80\x02", &object("Metadata", fields)[..], b"."].concat()
}

/// The bytes that `torch.save` before 1.6 wrote of the f32 numbers `from..from + count`.
fn saved(from: u8, count: u8) -> Vec<u8> {
    let mut value = b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((".to_vec();
    value.extend([text("storage"), b"ctorch\nFloatStorage\n".to_vec(), text("0"), text("cpu")].concat());
    value
        .extend([b'K', count, b'N', b't', b'Q', b'K', 0, b'K', count, 0x85, b'K', 1, 0x85, 0x89, b'}', b't']);
    value.extend(b"R.");
    let keys = [&b"\x80\x02]"[..], &text("0"), b"a."].concat();
    let numbers = (from..from + count).flat_map(|number| f32::from(number).to_le_bytes());
    let count = u64::from(count).to_le_bytes();
    [legacy_of(&value, &keys), count.to_vec(), numbers.collect()].concat()
}

/// The numbers of a folder with this metadata and one file.
fn opened(metadata: &[u8], data: &[u8]) -> jarrah_base::Result<Vec<f64>> {
    let folder = scratch();
    fs::write(folder.path().join(".metadata"), metadata).unwrap();
    fs::write(folder.path().join("a.distcp"), data).unwrap();
    read(folder.path())?;
    let tensors = Tensors::open(folder.path())?;
    let all = tensors.iter().map(|tensor| Ok(tensor.literal()?.to_f64_vec()));
    Ok(all.collect::<jarrah_base::Result<Vec<_>>>()?.concat())
}

fn refused(metadata: &[u8], data: &[u8]) -> String {
    let e = opened(metadata, data).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Input, "{e}");
    e.to_string()
}

#[test]
fn chunks_in_the_form_before_zip_archives_are_read_and_replicated_ones_once() {
    let (first, second) = (saved(0, 3), saved(3, 2));
    let (a, b) = (first.len() as u64, second.len() as u64);
    let data = [first, second].concat();
    let (one, two): (Box<'_>, Box<'_>) = ((&[0], &[3], "a.distcp", 0, a), (&[3], &[2], "a.distcp", a, b));
    let all = metadata("float32", &[("w", &[5], &[two, one, two, one])]);
    assert_eq!(opened(&all, &data).unwrap(), [0.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn metadata_that_lies_is_refused_in_words() {
    let data = saved(0, 3);
    let length = data.len() as u64;
    let of = |dims: &[u64], chunks: &[Box<'_>]| refused(&metadata("float32", &[("w", dims, chunks)]), &data);
    let whole: Box<'_> = (&[0], &[3], "a.distcp", 0, length);
    assert!(opened(&metadata("float32", &[("w", &[3], &[whole])]), &data).is_ok());
    for (dims, chunks, says) in [
        (&[4][..], &[whole][..], "misses chunks: those that are described have 3 of its 4 elements"),
        (&[4], &[], "have 0 of its 4 elements"),
        (&[2], &[whole], "has a chunk at [0] of extents [3], which is not within it"),
        (&[3, 1], &[whole], "which is not within it"),
        (
            &[4],
            &[whole, (&[2], &[2], "a.distcp", 0, length)],
            "has chunks that overlap: at [0] of extents [3], and at [2]",
        ),
        (&[4], &[whole, (&[0], &[4], "a.distcp", 0, length)], "has chunks that overlap"),
        (&[6], &[whole, (&[3], &[3], "a.distcp", 1, length - 1)], "chunks of w and w share bytes of"),
        (&[3], &[(&[0], &[3], "a.distcp", 1, length)], "w has a chunk in"),
        (&[3], &[(&[0], &[3], "a.distcp", u64::MAX, u64::MAX)], "the file may be cut short"),
        (&[3], &[(&[0], &[3], "a.distcp", 0, length - 1)], "while reading the tensor w in"),
        (&[3], &[(&[0], &[3], "b.distcp", 0, length)], "puts chunks of w into b.distcp, which is not there"),
        (
            &[3],
            &[(&[0], &[3], "../a.distcp", 0, length)],
            r#"puts w into "../a.distcp", which is no name of a file"#,
        ),
        (&[5], &[(&[0], &[5], "a.distcp", 0, length)], "a chunk is f32[3], the metadata says f32[5]"),
        (&[u64::MAX, u64::MAX], &[whole], "is larger than any memory"),
        (&[1 << 40], &[whole], "have 3 of its 1099511627776 elements"),
    ] {
        let e = of(dims, chunks);
        assert!(e.contains(says) && e.contains('w'), "{says}: {e}");
    }
    let e = refused(&metadata("bfloat16", &[("w", &[3], &[whole])]), &data);
    assert!(e.contains("a chunk is f32[3], the metadata says bf16[3]"), "{e}");
    let e = refused(&metadata("quint8", &[("w", &[3], &[whole])]), &data);
    assert!(e.contains("quint8"), "{e}");
    let e = refused(&metadata("float32", &[("w", &[3], &[whole]), ("w", &[3], &[whole])]), &data);
    assert!(e.contains("two values of the checkpoint are called w"), "{e}");
    let e = refused(b"\x80\x02}.", &data);
    assert!(e.contains("is no metadata of a distributed checkpoint"), "{e}");
    assert!(
        refused(b"\x80\x02cos\nsystem\n(X\x01\x00\x00\x00atR.", &data)
            .contains("the pickle asks for os.system")
    );
    assert!(refused(b"", &data).contains("cut short"));
}

/// A list of one extent, recalled by two bytes each time, would take a thousand times the memory of the file.
#[test]
fn lists_that_are_recalled_again_and_again_are_refused() {
    let mut chunks = b"](".to_vec();
    let long = size(&[1; 64]);
    for number in 0..4000 {
        let own = if number == 0 { [&long[..], b"q\x07"].concat() } else { b"h\x07".to_vec() };
        chunks.extend(b"ctorch.distributed.checkpoint.metadata\nChunkStorageMetadata\n)\x81}(");
        chunks.extend([text("offsets"), own, text("sizes"), b"h\x07".to_vec(), b"ub".to_vec()].concat());
    }
    chunks.push(b'e');
    let properties = object("TensorProperties", vec![("dtype", b"ctorch\nfloat32\n".to_vec())]);
    let fields = vec![("properties", properties), ("size", size(&[1; 64])), ("chunks", chunks)];
    let described = [text("w"), object("TensorStorageMetadata", fields)].concat();
    let key = object("MetadataIndex", vec![("fqn", text("w")), ("offset", size(&[1; 64]))]);
    let place = vec![("relative_path", text("a")), ("offset", integer(0)), ("length", integer(1))];
    let place = [key, object("_StorageInfo", place)].concat();
    let fields = vec![
        ("state_dict_metadata", group(b"}(", [described], b'u')),
        ("storage_data", group(b"}(", [place], b'u')),
    ];
    let e = refused(&[b"\x80\x02", &object("Metadata", fields)[..], b"."].concat(), b"");
    assert!(e.contains("more extents and offsets than bytes"), "{e}");
}

#[test]
fn folders_without_a_file_are_refused_in_words() {
    let folder = scratch();
    let damaged = |change: &dyn Fn(&Path)| {
        copy(&golden("distcp/four"), folder.path());
        change(folder.path());
        let e = read(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "{e}");
        e.to_string()
    };
    let e = damaged(&|path| fs::remove_file(path.join("__2_0.distcp")).unwrap());
    assert!(e.contains("into __2_0.distcp, which is not there"), "{e}");
    let e = damaged(&|path| {
        let bytes = fs::read(path.join("__1_0.distcp")).unwrap();
        fs::write(path.join("__1_0.distcp"), &bytes[..bytes.len() - 1]).unwrap();
    });
    assert!(e.contains("__1_0.distcp, which has") && e.contains("may be cut short"), "{e}");
    let e = damaged(&|path| fs::remove_file(path.join(".metadata")).unwrap());
    assert!(e.contains("no .metadata") && e.contains("the save has not ended"), "{e}");
}

#[test]
fn metadata_cut_short_anywhere_is_refused() {
    let folder = scratch();
    copy(&golden("distcp/one"), folder.path());
    let path = folder.path().join(".metadata");
    let bytes = fs::read(&path).unwrap();
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let e = read(folder.path()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input, "at {length}: {e}");
    }
}

/// `JARRAH_MUTANTS=100000` asks for so many mutants. A process of its own has them, so that its memory is known.
#[test]
fn damaged_distributed_checkpoints_are_refused_in_words() {
    const CHILD: &str = "JARRAH_FORMATS_TEST_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "distcp_hostile::damaged_distributed_checkpoints_are_refused_in_words",
                "--nocapture",
            ])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", said(&output.stdout), said(&output.stderr));
        return;
    }
    let count = std::env::var("JARRAH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(2000);
    let (before, mut whole) = (peak(), 0);
    let folder = scratch();
    for (i, (name, ..)) in FOLDERS.iter().enumerate() {
        let copied = folder.path().join(name);
        copy(&golden("distcp").join(name), &copied);
        let (metadata, all) = (copied.join(".metadata"), files(&copied));
        let mut random = i as u64;
        for number in 0..count / FOLDERS.len() {
            // Most of them are damaged where the most is said.
            let file = match next(&mut random) % 4 {
                0 => &all[next(&mut random) % all.len()],
                _ => &metadata,
            };
            let old = fs::read(file).unwrap();
            let mut new = old.clone();
            mutate(&mut new, &mut random);
            fs::write(file, new).unwrap();
            match read(&copied) {
                Ok(_) => whole += 1,
                Err(e) => assert!(
                    matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                    "mutant {number} of {name}: {e}"
                ),
            }
            fs::write(file, old).unwrap();
        }
    }
    println!("{whole} of {count} mutants were read, {} MiB were taken", (peak() - before) >> 20);
    assert!(peak() - before < 32 << 20, "{} bytes", peak() - before);
}
