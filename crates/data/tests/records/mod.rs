//! Files of records: those of other packages, ours, and damaged ones.

mod array_record;
#[cfg(feature = "arrow")]
mod arrow;
mod bagz;
mod csv;
mod formats;
mod hugging_face;
mod images;
mod lines;
mod mutants;
#[cfg(feature = "parquet")]
mod parquet;
mod sources;
mod tf_record;
mod tfds;
mod web_dataset;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use jarrah_base::Result;
use jarrah_data::{
    ArrayRecord, ArrayRecordWriter, Bagz, BagzWriter, Csv, CsvWriter, HuggingFaceFolder, IterDataset,
    LineWriter, OnDamage, RandomAccess, RecordBytes, RecordFiles, RecordWriter, TextLines, TfRecord,
    TfRecordWriter, WebDataset, WebDatasetWriter,
};
use serde_json::Value;
use tempfile::TempDir;

const FORMATS: &[&str] = &[
    "array_record",
    "bagz",
    "tf_record",
    "lines",
    "csv",
    "web_dataset",
    #[cfg(feature = "parquet")]
    "parquet",
];

/// Formats of folders, which are only read.
const FOLDERS: &[&str] = &[
    "tfds",
    #[cfg(all(feature = "arrow", feature = "parquet"))]
    "hugging_face",
];

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A golden, with its records.
struct Golden {
    name: String,
    format: String,
    options: String,
    records: Vec<Vec<u8>>,
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/records")
}

/// The goldens of a format.
fn goldens(format: &str) -> Vec<Golden> {
    let listed: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(golden_folder().join("records.json")).unwrap()).unwrap();
    let golden = |entry: &Value| Golden {
        name: text(&entry["name"]),
        format: text(&entry["format"]),
        options: text(&entry["options"]),
        records: entry["records"].as_array().unwrap().iter().map(|r| unhex(r.as_str().unwrap())).collect(),
    };
    listed.iter().map(golden).filter(|golden| golden.format == format).collect()
}

/// The bytes of a file among the goldens.
fn golden_bytes(name: &str) -> Vec<u8> {
    unzipped(&golden_folder().join(format!("{name}.gz")))
}

fn unzipped(path: &Path) -> Vec<u8> {
    let compressed = fs::read(path).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Puts the files of a golden that is a folder into `to`.
fn put_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        match name.strip_suffix(".gz") {
            Some(name) => fs::write(to.join(name), unzipped(&path)).unwrap(),
            None => put_files(&path, &to.join(name)),
        }
    }
}

/// Puts a golden into a folder, with the file of its limits where it has one.
fn put(folder: &TempDir, name: &str) -> PathBuf {
    if golden_folder().join(name).is_dir() {
        put_files(&golden_folder().join(name), &folder.path().join(name));
    }
    for file in [name.to_owned(), format!("limits.{name}")] {
        if golden_folder().join(format!("{file}.gz")).exists() {
            fs::write(folder.path().join(&file), golden_bytes(&file)).unwrap();
        }
    }
    folder.path().join(name)
}

/// All records of a file, by number where the format has numbers, and in order.
fn read(format: &str, path: &Path, options: &str) -> Result<Vec<RecordBytes>> {
    #[cfg(feature = "parquet")]
    if format == "parquet" {
        let rows = jarrah_data::Parquet::in_order(&[path], OnDamage::Fail);
        return IterDataset::records(rows).iter()?.collect();
    }
    if format == "tfds" {
        return tfds::values(path, options);
    }
    if format == "hugging_face" {
        let folder = HuggingFaceFolder::open(path)?;
        return IterDataset::records(folder.records(options, OnDamage::Fail)?).iter()?.collect();
    }
    let in_order = match format {
        "tf_record" => TfRecord::in_order(&[path], OnDamage::Fail),
        "lines" => TextLines::in_order(&[path], OnDamage::Fail),
        _ => return all(&opened(format, path, options)?),
    };
    let records = IterDataset::records(in_order).iter()?.collect::<Result<Vec<_>>>()?;
    if options.is_empty() {
        assert_eq!(all(&opened(format, path, options)?)?, records);
    }
    Ok(records)
}

/// A row of Parquet; what our files have as texts of JSON is what the texts say.
fn unnested(row: &[u8]) -> Value {
    let mut row = parsed(row);
    for value in row.as_object_mut().unwrap().values_mut() {
        if let Some(text) = value.as_str().filter(|text| text.starts_with(['[', '{'])) {
            *value = serde_json::from_str(text).unwrap();
        }
    }
    row
}

fn parsed(record: &[u8]) -> Value {
    serde_json::from_slice(record).unwrap()
}

/// Opens a file of a format.
fn opened(format: &str, path: &Path, options: &str) -> Result<RecordFiles> {
    match format {
        "array_record" => ArrayRecord::open(&[path]),
        "bagz" => Bagz::open_with(&[path], &options.parse()?, OnDamage::Fail),
        "tf_record" => TfRecord::open(&[path]),
        "lines" => TextLines::open(&[path]),
        "csv" => Csv::open_with(&[path], options.parse()?, OnDamage::Fail),
        "web_dataset" => WebDataset::open(&[path]),
        other => panic!("{other}"),
    }
}

/// Writes a file of a format.
fn written(format: &str, path: &Path, options: &str, records: &[Vec<u8>]) -> Result<()> {
    let write = &mut |writer: &mut dyn RecordWriter| records.iter().try_for_each(|r| writer.write(r));
    match format {
        "array_record" => ArrayRecordWriter::write_file(path, &options.parse()?, write),
        "bagz" => BagzWriter::write_file(path, &options.parse()?, write),
        "tf_record" => TfRecordWriter::write_file(path, options.parse()?, write),
        "lines" => LineWriter::write_file(path, options.parse()?, write),
        "csv" => CsvWriter::write_file(path, options.parse()?, write),
        "web_dataset" => WebDatasetWriter::write_file(path, write),
        #[cfg(feature = "parquet")]
        "parquet" => jarrah_data::ParquetWriter::write_file(path, options.parse()?, write),
        other => panic!("{other}"),
    }
}

fn all(files: &RecordFiles) -> Result<Vec<RecordBytes>> {
    (0..files.len()).map(|i| files.get(i)).collect()
}

fn assert_has(files: &RecordFiles, records: &[Vec<u8>], tag: &str) {
    assert_are(&all(files).unwrap(), records, tag);
}

fn assert_are(found: &[RecordBytes], records: &[Vec<u8>], tag: &str) {
    assert_eq!(found.len(), records.len(), "{tag}");
    if tag.starts_with("parquet") || FOLDERS.iter().any(|folder| tag.starts_with(folder)) {
        let value = if tag.starts_with("parquet") { unnested } else { parsed };
        for (i, (found, expected)) in found.iter().zip(records).enumerate() {
            assert_eq!(value(found), value(expected), "record {i} of {tag}");
        }
        return;
    }
    for (i, (found, expected)) in found.iter().zip(records).enumerate() {
        assert_eq!(&**found, &expected[..], "record {i} of {tag}");
    }
}

#[test]
fn goldens_of_other_packages_are_read() {
    let folder = folder();
    for golden in FORMATS.iter().chain(FOLDERS).copied().flat_map(goldens) {
        let path = put(&folder, &golden.name);
        assert_are(&read(&golden.format, &path, &golden.options).unwrap(), &golden.records, &golden.name);
    }
}

#[test]
fn files_of_the_options_of_goldens_are_written_and_read() {
    let folder = folder();
    for golden in FORMATS.iter().copied().flat_map(goldens) {
        let path = folder.path().join(&golden.name);
        written(&golden.format, &path, &golden.options, &golden.records).unwrap();
        assert_are(&read(&golden.format, &path, &golden.options).unwrap(), &golden.records, &golden.name);
    }
}

/// The records of a file of `oracle/records.py write`.
fn unframed(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let (mut at, mut records) = (0, Vec::new());
    while at < bytes.len() {
        let size = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        records.push(bytes[at + 8..at + 8 + size].to_vec());
        at += 8 + size;
    }
    records
}

/// `JARRAH_RECORDS=FOLDER` names the files of `oracle/records.py write FOLDER`: they are read, and written anew to `FOLDER/ours`.
#[test]
fn files_of_other_packages_are_read_and_written_anew() {
    let Some(folder) = std::env::var_os("JARRAH_RECORDS").map(PathBuf::from) else { return };
    let listed: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(folder.join("list.json")).unwrap()).unwrap();
    fs::create_dir_all(folder.join("ours")).unwrap();
    for entry in &listed {
        let [name, format, options] = ["name", "format", "options"].map(|key| text(&entry[key]));
        let is_folder = FOLDERS.contains(&&*format);
        if !is_folder && !FORMATS.contains(&&*format) {
            continue;
        }
        let records = unframed(&folder.join(format!("{name}.records")));
        assert_are(&read(&format, &folder.join(&name), &options).unwrap(), &records, &name);
        if is_folder {
            continue;
        }
        let ours = folder.join("ours").join(&name);
        written(&format, &ours, &options, &records).unwrap();
        assert_are(&read(&format, &ours, &options).unwrap(), &records, &name);
    }
    println!("{} files", listed.len());
}
