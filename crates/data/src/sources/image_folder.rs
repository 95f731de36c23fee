//! Folders of images: a folder for each class.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::image::decode_image;
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::tf_example::{TfExample, TfFeature};
use crate::discover;

/// Folders of PNG and JPEG images. A record is a [`TfExample`](crate::TfExample): the image's bytes as `png` or `jpg`, the number of its class as `cls`, the name of
/// the class as `class`, and as `__key__` its path without the ending. So it is a sample of [`WebDataset`](crate::WebDataset), too.
///
/// Classes are the folders within the folder, numbered in the order of their names; images of the folder itself are of no class.
///
/// Source: `torchvision.datasets.ImageFolder`.
pub struct ImageFolder;

impl ImageFolder {
    /// The images of a folder, in the order of their paths.
    ///
    /// # Errors
    /// The folder cannot be read, or has no image (`Input`).
    pub fn open(folder: impl AsRef<Path>) -> Result<RecordFiles> {
        Self::open_with(folder, OnDamage::Fail)
    }

    /// As [`open`](Self::open), with a treatment of images that cannot be read from the disk. Their pixels are not looked at.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(folder: impl AsRef<Path>, on_damage: OnDamage) -> Result<RecordFiles> {
        let images = Images::find(folder.as_ref())?;
        Ok(RecordFiles::new(vec![Box::new(images)], on_damage))
    }
}

struct Images {
    folder: PathBuf,
    /// The paths below the folder, with the endings that name their features.
    files: Vec<(String, &'static str)>,
    classes: Vec<String>,
}

/// The name of the feature of an image.
fn kind(path: &Path) -> Option<&'static str> {
    let end = path.extension()?.to_str()?.to_ascii_lowercase();
    match end.as_str() {
        "png" => Some("png"),
        "jpg" | "jpeg" => Some("jpg"),
        _ => None,
    }
}

impl Images {
    fn find(folder: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        discover::walk(folder, &mut paths)?;
        let mut files = Vec::new();
        for path in paths {
            let Some(kind) = kind(&path) else { continue };
            let below = path.strip_prefix(folder).unwrap_or(&path);
            let name = below
                .to_str()
                .ok_or_else(|| Error::input(format!("the path {} is not valid UTF-8", path.display())))?;
            files.push((name.replace('\\', "/"), kind));
        }
        if files.is_empty() {
            return Err(Error::input(format!(
                "there is no PNG or JPEG image in the folder {}",
                folder.display()
            )));
        }
        let mut classes: Vec<String> =
            files.iter().filter_map(|(name, _)| Some(name.split_once('/')?.0.to_owned())).collect();
        classes.sort();
        classes.dedup();
        Ok(Images { folder: folder.to_owned(), files, classes })
    }

    fn content(&self, record: u64) -> Result<Vec<u8>, ReadFault> {
        let path = self.folder.join(&self.files[record as usize].0);
        std::fs::read(&path).map_err(|e| self.damaged(record, format!("the image cannot be read: {e}")))
    }

    fn damaged(&self, record: u64, text: String) -> ReadFault {
        let path: Arc<Path> = self.folder.join(&self.files[record as usize].0).into();
        ReadFault::Damaged(RecordDamage { path, record: Some(record), offset: 0, text })
    }
}

impl RecordFile for Images {
    fn len(&self) -> u64 {
        self.files.len() as u64
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let content = self.content(record)?;
        let (name, kind) = &self.files[record as usize];
        let key = name.rsplit_once('.').map_or(&**name, |(key, _)| key);
        let bytes = |bytes: &[u8]| TfFeature::Bytes(vec![bytes.to_vec()]);
        let mut example = TfExample::from([
            ("__key__".to_owned(), bytes(key.as_bytes())),
            ((*kind).to_owned(), TfFeature::Bytes(vec![content])),
        ]);
        if let Some((class, _)) = name.split_once('/') {
            let number = self.classes.partition_point(|other| **other < *class) as i64;
            example.features.insert("cls".to_owned(), TfFeature::Ints(vec![number]));
            example.features.insert("class".to_owned(), bytes(class.as_bytes()));
        }
        Ok(RecordBytes::from(example.encode()))
    }

    fn damage(&self) -> &[RecordDamage] {
        &[]
    }

    fn check(&self, record: u64) -> Result<(), ReadFault> {
        let content = self.content(record)?;
        match decode_image(&content, 0) {
            Ok(_) => Ok(()),
            Err(e) if e.kind() == jarrah_base::ErrorKind::Input => {
                Err(self.damaged(record, e.message().to_owned()))
            }
            Err(e) => Err(ReadFault::Failed(e)),
        }
    }
}
