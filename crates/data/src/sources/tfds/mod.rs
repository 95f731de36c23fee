//! Folders of TensorFlow Datasets: shards of Examples, beside which stand their features and the numbers of their records.

mod decode;
mod features;
mod split;

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result};
use serde_json::Value;

use self::decode::Decoder;
pub use self::decode::TfdsValue;
use self::features::Feature;
use self::split::{Split, slices};
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::tf_example::TfExample;
use super::{array_record, tf_record};

const INFO: &str = "dataset_info.json";
const FEATURES: &str = "features.json";

/// A folder that TensorFlow Datasets (TFDS) has written: of a data set, of which the newest version is read, or of a version.
///
/// A record is a `tf.train.Example`; [`features`](Self::features) decodes it. Shards are TFRecord or ArrayRecord files; records come shard by shard, as TFDS reads
/// them with `interleave_cycle_length=1`.
///
/// ```no_run
/// use jarrah_data::{MapDataset, TfdsFolder};
/// let folder = TfdsFolder::open("tensorflow_datasets/mnist")?;
/// let features = folder.features()?;
/// let images = MapDataset::source(folder.records("train[:10%]")?).shuffle(42).try_map(move |record| features.decode(&record));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `tfds.builder_from_directory`, `tfds.core.SplitDict`, `tfds.features`.
pub struct TfdsFolder {
    folder: PathBuf,
    name: String,
    /// The ending of shards, which is the name of their format.
    ending: String,
    splits: Vec<Split>,
}

/// The features of the records of a [`TfdsFolder`].
///
/// Read are `FeaturesDict`, `Tensor` and `Scalar` of all encodings, `ClassLabel`, `Text`, `Image` and `LabeledImage` (PNG and JPEG), `Video`, `Audio` of samples,
/// `BBoxFeature`, `Translation`, `Sequence` and `Dataset`, within one another.
#[derive(Clone, Debug)]
pub struct TfdsFeatures(Arc<Feature>);

impl TfdsFeatures {
    /// The features that a `features.json` describes.
    ///
    /// # Errors
    /// The text is no such description, or a feature is of a kind that is not read (`Input`): the error names the feature and its kind.
    pub fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)
            .map_err(|e| Error::input(format!("the features are not JSON: {e}")))?;
        match Feature::parse(&value, "")? {
            dict @ Feature::Dict(_) => Ok(TfdsFeatures(Arc::new(dict))),
            _ => Err(Error::input("the features of a record are no FeaturesDict")),
        }
    }

    /// The values of a record. Images are decoded.
    ///
    /// # Errors
    /// The record is no Example, or does not have the features (`Input`): the error names the feature.
    pub fn decode(&self, record: &[u8]) -> Result<TfdsValue> {
        self.read(record, true)
    }

    /// The values of a record as an object of JSON. Images are their files in base64.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn json(&self, record: &[u8]) -> Result<Vec<u8>> {
        Ok(self.read(record, false)?.to_json()?.to_string().into_bytes())
    }

    fn read(&self, record: &[u8], has_pixels: bool) -> Result<TfdsValue> {
        let example = TfExample::decode(record)?;
        Decoder { example: &example, has_pixels }.value(&self.0, "", 0)
    }
}

/// The content of a file of JSON.
fn read_json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
    serde_json::from_str(&text).map_err(|e| Error::input(format!("{} is not JSON: {e}", path.display())))
}

/// Whether a folder is that of a version.
fn is_version(folder: &Path) -> bool {
    folder.join(INFO).is_file() && folder.join(FEATURES).is_file()
}

/// The three numbers of a version.
fn version(name: &str) -> Option<[u64; 3]> {
    let numbers: Vec<u64> = name.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The folders within a folder, by name.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

/// The folder of a version, or of the newest version within a folder.
fn located(folder: &Path) -> Option<PathBuf> {
    if is_version(folder) {
        return Some(folder.to_owned());
    }
    let numbered = |path: PathBuf| Some((version(path.file_name()?.to_str()?)?, path));
    let versions = folders(folder).into_iter().filter(|path| is_version(path)).filter_map(numbered);
    versions.max().map(|(_, path)| path)
}

/// The configurations of a data set: folders of versions.
fn configurations(folder: &Path) -> Vec<String> {
    let found = folders(folder).into_iter().filter(|path| located(path).is_some());
    found.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

/// A number, which protocol buffers write as a text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

impl TfdsFolder {
    /// Whether a folder is one of TFDS: of a version, or of a data set or a configuration with versions.
    pub fn is_one(folder: impl AsRef<Path>) -> bool {
        let folder = folder.as_ref();
        located(folder).is_some() || !configurations(folder).is_empty()
    }

    /// Opens a folder of a version, or the newest version of a data set.
    ///
    /// # Errors
    /// The folder is none of TFDS or has several configurations, or its `dataset_info.json` is damaged (`Input`).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref();
        let Some(folder) = located(folder) else {
            let none = format!("the folder {} has no {INFO} with a {FEATURES} beside it", folder.display());
            return Err(match configurations(folder) {
                found if found.is_empty() => Error::input(none)
                    .help("name a folder that TFDS has written, such as tensorflow_datasets/mnist/3.0.1"),
                found => Error::input(format!("the folder {} has several configurations", folder.display()))
                    .help(format!("name the folder of one of them: {}", found.join(", "))),
            });
        };
        let path = folder.join(INFO);
        let info = read_json(&path)?;
        let wrong = |text: &str| Error::input(format!("{}: {text}", path.display()));
        let text = |key: &str| info[key].as_str();
        let name = text("name").ok_or_else(|| wrong("the data set has no name"))?.to_owned();
        let ending = text("fileFormat").unwrap_or("tfrecord").to_owned();
        let mut splits: Vec<Split> = Vec::new();
        for split in info["splits"].as_array().into_iter().flatten() {
            let name = split["name"].as_str().ok_or_else(|| wrong("a split has no name"))?.to_owned();
            let lengths = split["shardLengths"].as_array().into_iter().flatten();
            let shards: Option<Vec<u64>> = lengths.map(number).collect();
            let shards = shards.ok_or_else(|| {
                wrong(&format!("the numbers of records of the split {name} are no numbers"))
            })?;
            let template = split["filepathTemplate"].as_str().filter(|text| !text.is_empty());
            let template = template.unwrap_or("{DATASET}-{SPLIT}.{FILEFORMAT}-{SHARD_X_OF_Y}").to_owned();
            if splits.iter().any(|other| other.name == name) {
                return Err(wrong(&format!("two splits have the name {name}")));
            }
            splits.push(Split { name, shards, template });
        }
        if splits.is_empty() {
            return Err(wrong("the data set has no splits"));
        }
        Ok(TfdsFolder { folder, name, ending, splits })
    }

    /// The names of the splits, with the numbers of their records.
    pub fn splits(&self) -> Vec<(&str, u64)> {
        self.splits.iter().map(|split| (&*split.name, split.len())).collect()
    }

    /// The features of the records.
    ///
    /// # Errors
    /// `features.json` cannot be read, or a feature is of a kind that is not read (`Input`).
    pub fn features(&self) -> Result<TfdsFeatures> {
        let path = self.folder.join(FEATURES);
        let text = fs::read_to_string(&path).map_err(|e| Error::io("read", &path, &e))?;
        TfdsFeatures::parse(&text).map_err(|e| e.context(format!("while {} was read", path.display())))
    }

    /// The records of a split, or of a slice of one: `train`, `train[:10%]`, `train[100:200]`, `train[-1shard:]`, `train+test` or `all`, as TFDS has it.
    ///
    /// # Errors
    /// There is no such split or slice, a shard is missing or cannot be read, or does not have the number of records that `dataset_info.json` says (`Input`).
    pub fn records(&self, split: &str) -> Result<RecordFiles> {
        self.records_with(split, OnDamage::Fail)
    }

    /// As [`records`](Self::records), with a treatment of damage.
    ///
    /// # Errors
    /// As [`records`](Self::records).
    pub fn records_with(&self, split: &str, on_damage: OnDamage) -> Result<RecordFiles> {
        // Features that are not read leave records as they are.
        let features = self.features().ok();
        let mut files: Vec<Box<dyn RecordFile>> = Vec::new();
        for part in self.parts(split)? {
            files.push(Box::new(self.shard(&part, features.clone(), on_damage)?));
        }
        Ok(RecordFiles::new(files, on_damage))
    }

    /// The files of a split or a slice.
    ///
    /// # Errors
    /// There is no such split or slice (`Input`).
    pub fn files(&self, split: &str) -> Result<Vec<PathBuf>> {
        Ok(self.parts(split)?.into_iter().map(|part| part.path).collect())
    }

    fn parts(&self, split: &str) -> Result<Vec<Part>> {
        let mut parts = Vec::new();
        for slice in slices(split, &self.splits)? {
            let mut begin = 0_u64;
            for (number, &count) in slice.split.shards.iter().enumerate() {
                let end = begin.saturating_add(count);
                let (from, to) = (slice.from.max(begin), slice.to.min(end));
                if from < to {
                    let path = self.shard_path(slice.split, number)?;
                    parts.push(Part { path, count, from: from - begin, to: to - begin });
                }
                begin = end;
            }
        }
        Ok(parts)
    }

    /// The path of a shard.
    fn shard_path(&self, split: &Split, number: usize) -> Result<PathBuf> {
        let count = split.shards.len();
        let width = count.to_string().len().max(5);
        let [index, all] = [number, count].map(|n| format!("{n:0width$}"));
        let path = [
            ("{DATASET}", &*self.name),
            ("{SPLIT}", &*split.name),
            ("{FILEFORMAT}", &*self.ending),
            ("{SHARD_INDEX}", &*index),
            ("{NUM_SHARDS}", &*all),
            ("{SHARD_X_OF_Y}", &*format!("{index}-of-{all}")),
        ]
        .into_iter()
        .fold(split.template.clone(), |path, (variable, value)| path.replace(variable, value));
        let is_below = Path::new(&path).components().all(|part| matches!(part, Component::Normal(_)));
        match is_below && !path.contains('{') {
            true => Ok(self.folder.join(path)),
            false => Err(Error::input(format!(
                "{}: the shards of the split {} have names that are not read: {}",
                self.folder.join(INFO).display(),
                split.name,
                split.template
            ))),
        }
    }

    /// Whether shards are TFRecord files, or else ArrayRecord files.
    fn is_tf_record(&self) -> Result<bool> {
        match &*self.ending {
            "tfrecord" => Ok(true),
            "array_record" => Ok(false),
            other => Err(Error::input(format!("shards of the format `{other}` are not read"))
                .help("write the data set as TFRecord or ArrayRecord files: file_format=\"array_record\"")),
        }
    }

    fn shard(&self, part: &Part, features: Option<TfdsFeatures>, on_damage: OnDamage) -> Result<Shard> {
        let (path, is_tf_record) = (&part.path, self.is_tf_record()?);
        if !path.is_file() {
            return Err(Error::input(format!("the shard {} is missing", path.display()))
                .help(format!("{INFO} says that it has {} records", part.count)));
        }
        let file = match is_tf_record {
            true => tf_record::open_file(path, on_damage)?,
            false => array_record::open_file(path, on_damage)?,
        };
        let mut damage = Vec::new();
        if file.len() != part.count {
            let offset = fs::metadata(path).map_or(0, |data| data.len());
            let text = format!("the shard has {} records, but {INFO} says {}", file.len(), part.count);
            damage.push(RecordDamage { path: (&**path).into(), record: None, offset, text });
        }
        match (damage.first(), on_damage) {
            (Some(first), OnDamage::Fail) => Err(first.clone().into()),
            _ => {
                damage.extend_from_slice(file.damage());
                let end = part.to.min(file.len());
                Ok(Shard {
                    path: (&**path).into(),
                    len: end.saturating_sub(part.from),
                    from: part.from,
                    file,
                    features,
                    damage,
                })
            }
        }
    }
}

/// Records of a shard from one number to another.
struct Part {
    path: PathBuf,
    /// The number of records that the shard is to have.
    count: u64,
    from: u64,
    to: u64,
}

struct Shard {
    path: Arc<Path>,
    file: Box<dyn RecordFile>,
    from: u64,
    len: u64,
    features: Option<TfdsFeatures>,
    damage: Vec<RecordDamage>,
}

impl RecordFile for Shard {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        self.file.get(self.from + record)
    }

    fn damage(&self) -> &[RecordDamage] {
        &self.damage
    }

    /// A record is sound if its features are there.
    fn check(&self, record: u64) -> Result<(), ReadFault> {
        let bytes = self.get(record)?;
        let Some(features) = &self.features else { return Ok(()) };
        let offset = bytes.place().unwrap_or(0) as u64;
        features
            .decode(&bytes)
            .map(drop)
            .map_err(|e| ReadFault::of(e, &self.path, self.from + record, offset))
    }
}
