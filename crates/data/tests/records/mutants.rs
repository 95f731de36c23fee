//! Damaged files: what is read of them is sound or an error in words; nothing panics, hangs or takes much memory.
//!
//! `JARRAH_MUTANTS=1000000` asks for so many mutants of each format.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use highway::{HighwayHash, HighwayHasher, Key};
use jarrah_base::{ErrorKind, memory};
use jarrah_data::{
    ArrayRecord, Bagz, Csv, CsvOptions, IterDataset, JsonLines, OnDamage, RandomAccess, TfExample, TfRecord,
    WebDataset,
};

use super::{folder, golden_bytes, goldens, put};

/// Random numbers: xorshift64.
pub fn next(random: &mut u64) -> usize {
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    (*random >> 11) as usize
}

/// Changes some bytes of `bytes` within `range`, or cuts or repeats a stretch.
pub fn damage(bytes: &mut Vec<u8>, range: std::ops::Range<usize>, random: &mut u64, keep_length: bool) {
    for _ in 0..1 + next(random) % 3 {
        let end = range.end.min(bytes.len());
        if range.start >= end {
            return;
        }
        let at = range.start + next(random) % (end - range.start);
        match next(random) % if keep_length { 4 } else { 7 } {
            0 => bytes[at] ^= 1 << (next(random) % 8),
            1 => bytes[at] = next(random) as u8,
            2 => bytes[at] = [0, 1, 127, 128, 255][next(random) % 5],
            3 => {
                let last = (at + 8).min(end);
                bytes[at..last].fill([0, 255][next(random) % 2]);
            }
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..(at + 1 + next(random) % 8).min(bytes.len()))),
            _ => {
                let stretch = bytes[at..(at + 1 + next(random) % 16).min(bytes.len())].to_vec();
                bytes.splice(at..at, stretch);
            }
        }
    }
}

/// Runs a test in a process of its own, whose memory is that of the test.
pub fn alone(name: &str, test: fn(usize)) {
    const CHILD: &str = "JARRAH_DATA_TEST_CHILD";
    if std::env::var_os(CHILD).is_some() {
        let count = std::env::var("JARRAH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
        let before = memory::peak();
        test(count);
        let taken = memory::peak() - before;
        println!("{count} mutants took {} MiB", taken >> 20);
        assert!(taken < 96 << 20, "{taken} bytes");
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", said(&output.stdout), said(&output.stderr));
    println!("{}", said(&output.stdout));
}

/// Looks at all of a file; whether it was read to its end.
pub fn survives(path: &Path, opened: jarrah_base::Result<jarrah_data::RecordFiles>, number: usize) -> bool {
    let begun = Instant::now();
    let read = opened.and_then(|files| {
        files.verify()?;
        (0..files.len().min(100)).try_for_each(|i| files.get(i).map(drop))
    });
    assert!(begun.elapsed() < Duration::from_secs(20), "mutant {number} takes {:?}", begun.elapsed());
    if let Err(e) = &read {
        assert!(matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment), "mutant {number}: {e}");
        assert!(e.message().contains(&*path.to_string_lossy()) || e.kind() == ErrorKind::Environment, "{e}");
    }
    read.is_ok()
}

fn hash(bytes: &[u8]) -> [u8; 8] {
    let key = [0x2f69_6c65_6765_6952, 0x0a73_6472_6f63_6572];
    HighwayHasher::new(Key([key[0], key[1], key[0], key[1]])).hash64(bytes).to_le_bytes()
}

/// Makes the hashes of the chunk at `at` fit, as far as it lies within its block.
fn seal(bytes: &mut [u8], at: usize) {
    let Some(header) = bytes.get(at..at + 40) else { return };
    let size = u64::from_le_bytes(header[8..16].try_into().unwrap()) as usize;
    let end = (at + 40).saturating_add(size);
    if end <= (at | 0xffff) + 1 && end <= bytes.len() {
        let sum = hash(&bytes[at + 40..end]);
        bytes[at + 16..at + 24].copy_from_slice(&sum);
    }
    let sum = hash(&bytes[at + 8..at + 40]);
    bytes[at..at + 8].copy_from_slice(&sum);
}

/// The beginnings of the chunks of a small file: each within a block.
fn chunks(bytes: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    for at in 0..bytes.len().saturating_sub(40) {
        if at % 65_536 >= 24
            && bytes[at..at + 8] != [0; 8]
            && hash(&bytes[at + 8..at + 40]) == bytes[at..at + 8]
        {
            found.push(at);
        }
    }
    found
}

#[test]
fn damaged_array_record_files_are_refused_in_words() {
    alone("records::mutants::damaged_array_record_files_are_refused_in_words", |count| {
        let folder = folder();
        let path = folder.path().join("a");
        let goldens: Vec<_> = goldens("array_record")
            .into_iter()
            .map(|golden| golden_bytes(&golden.name))
            .filter(|bytes| bytes.len() <= 4 << 16)
            .map(|bytes| (chunks(&bytes), bytes))
            .collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (chunks, whole) = &goldens[number % goldens.len()];
            let mut bytes = whole.clone();
            let at = chunks[next(&mut random) % chunks.len()];
            let sealed = !next(&mut random).is_multiple_of(4);
            let range = match next(&mut random) % 3 {
                // The sizes and the kind of the chunk, or the block header before it; else its data.
                0 if sealed => at + 8..at + 40,
                0 => at.saturating_sub(24)..at + 40,
                _ => at + 40..at + 240,
            };
            damage(&mut bytes, range, &mut random, sealed);
            if sealed {
                seal(&mut bytes, at);
            }
            fs::write(&path, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            read += usize::from(survives(&path, ArrayRecord::open_with(&[&path], on_damage), number));
        }
        println!("{read} of {count} mutants were read");
    });
}

#[test]
fn damaged_bagz_files_are_refused_in_words() {
    alone("records::mutants::damaged_bagz_files_are_refused_in_words", |count| {
        let folder = folder();
        let goldens: Vec<_> = goldens("bagz")
            .into_iter()
            .map(|golden| (put(&folder, &golden.name), golden.options))
            .flat_map(|(path, options)| {
                let name = path.file_name().unwrap().to_str().unwrap();
                let limits = path.with_file_name(format!("limits.{name}"));
                let damaged = if limits.exists() { vec![path.clone(), limits] } else { vec![path.clone()] };
                damaged
                    .into_iter()
                    .map(move |file| (path.clone(), options.clone(), fs::read(&file).unwrap(), file))
            })
            .collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (path, options, whole, file) = &goldens[number % goldens.len()];
            let mut bytes = whole.clone();
            damage(&mut bytes, 0..whole.len(), &mut random, false);
            fs::write(file, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            let opened = Bagz::open_with(&[path], &options.parse().unwrap(), on_damage);
            read += usize::from(survives(path, opened, number));
            fs::write(file, whole).unwrap();
        }
        println!("{read} of {count} mutants were read");
    });
}

#[test]
fn damaged_streams_are_refused_in_words() {
    alone("records::mutants::damaged_streams_are_refused_in_words", |count| {
        let folder = folder();
        let path = folder.path().join("a");
        let goldens: Vec<_> = ["tf_record", "lines"]
            .into_iter()
            .flat_map(goldens)
            .map(|golden| (golden_bytes(&golden.name), golden.format == "tf_record"))
            .collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (whole, is_tf_record) = &goldens[number % goldens.len()];
            let mut bytes = whole.clone();
            damage(&mut bytes, 0..whole.len(), &mut random, false);
            if *is_tf_record && bytes.len() >= 12 && next(&mut random).is_multiple_of(2) {
                let sum = crc32c::crc32c(&bytes[..8]).rotate_right(15).wrapping_add(0xa282_ead8);
                bytes[8..12].copy_from_slice(&sum.to_le_bytes());
            }
            fs::write(&path, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            let stream = match is_tf_record {
                true => TfRecord::in_order(&[&path], on_damage),
                false => JsonLines::in_order(&[&path], on_damage),
            };
            let begun = Instant::now();
            for record in IterDataset::records(stream).iter().unwrap() {
                match record {
                    Ok(_) => read += 1,
                    Err(e) => assert!(
                        matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                        "mutant {number}: {e}"
                    ),
                }
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "mutant {number}");
            if *is_tf_record {
                survives(&path, TfRecord::open_with(&[&path], on_damage), number);
            } else if let Ok(files) = JsonLines::open(&[&path]) {
                survives(&path, Ok(files), number);
            }
        }
        println!("{read} records of {count} mutants were read");
    });
}

#[test]
fn damaged_examples_are_refused_in_words() {
    alone("records::mutants::damaged_examples_are_refused_in_words", |count| {
        let listed = fs::read_to_string(super::golden_folder().join("examples.json")).unwrap();
        let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap();
        let records: Vec<_> =
            listed.iter().map(|entry| super::unhex(entry["record"].as_str().unwrap())).collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut record = records[number % records.len()].clone();
            let length = record.len();
            damage(&mut record, 0..length, &mut random, false);
            match TfExample::decode(&record) {
                // A damaged example that decodes has an encoding that decodes to the same example.
                Ok(example) => {
                    let encoded = example.encode();
                    assert_eq!(TfExample::decode(&encoded).unwrap().encode(), encoded, "mutant {number}");
                    read += 1;
                }
                Err(e) => assert_eq!(e.kind(), ErrorKind::Input, "mutant {number}: {e}"),
            }
        }
        println!("{read} of {count} mutants were read");
    });
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn damaged_tables_samples_and_images_are_refused_in_words() {
    alone("records::mutants::damaged_tables_samples_and_images_are_refused_in_words", |count| {
        let folder = folder();
        let path = folder.path().join("a.csv");
        let files = ["csv", "web_dataset"].into_iter().flat_map(goldens).map(|golden| golden.name);
        let images = ["00.jpg", "02.jpg", "04.jpg"].map(str::to_owned);
        let mut goldens: Vec<_> = files.chain(images).map(|name| (golden_bytes(&name), name)).collect();
        let listed = fs::read_dir(super::golden_folder())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut pngs: Vec<_> = listed
            .filter_map(|name| name.strip_suffix(".png.gz").map(|name| format!("{name}.png")))
            .collect();
        pngs.sort();
        let zipped: Vec<_> = goldens
            .iter()
            .filter(|(_, name)| !name.ends_with(".jpg"))
            .map(|(bytes, name)| (gzip(bytes), format!("{name}.gz")))
            .collect();
        goldens.extend(zipped);
        goldens.extend(pngs.into_iter().map(|name| (golden_bytes(&name), name)));
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (whole, name) = &goldens[number % goldens.len()];
            let mut bytes = whole.clone();
            damage(&mut bytes, 0..whole.len(), &mut random, false);
            if name.ends_with(".jpg") || name.ends_with(".png") {
                // The checksums of a PNG are left as they are: most of its mutants end there.
                match jarrah_data::decode_image(&bytes, [0, 1, 3, 4][number % 4]) {
                    Ok(_) => read += 1,
                    Err(e) => assert!(
                        matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                        "mutant {number}: {e}"
                    ),
                }
                continue;
            }
            fs::write(&path, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            let opened = match name.starts_with("csv") {
                true => Csv::open_with(&[&path], CsvOptions::default(), on_damage),
                false => WebDataset::open_with(&[&path], on_damage),
            };
            read += usize::from(survives(&path, opened, number));
        }
        println!("{read} of {count} mutants were read");
    });
}
