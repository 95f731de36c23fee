//! Objects of a bucket, and files of an HTTP server.

mod bucket;
mod claim;
mod draft;
mod service;
mod upload;

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use jarrah_base::{Error, Result};
use object_store::{Error as StoreError, GetRange, ObjectStoreExt};

use crate::name::{Name, is_reserved};
use crate::store::{Draft, Entry, EntryKind, Object, ObjectStore, ObjectVersion, Upload, past_the_end};
use bucket::{Bucket, COMMIT, DRAFT, failed};
use draft::CloudDraft;
use upload::CloudUpload;

/// How many requests a listing makes at once.
const AT_ONCE: usize = 16;

/// A request takes about as long as so many bytes of it.
const BLOCK: usize = 8 << 20;

/// A store in a bucket of S3 (`s3://bucket/prefix`) or of a service that speaks as S3 does, in one of Google Cloud Storage (`gs://bucket/prefix`), or in a container of Azure's
/// blobs (`az://container/prefix`); or the files of an HTTP server (`https://host/folder`), which are read by name: the server lists and takes none.
///
/// **Whole or not at all.** The service shows an object when all of it is there; nothing is renamed. Objects of up to 16 MiB are one request, larger ones are sent
/// in parts of 8 MiB, of which a few are in memory.
///
/// **Folders.** A published folder is one that holds the object `commit_success.txt`, which is written last, as Orbax does on object stores;
/// [`folders`](ObjectStore::folders) names those and no others. A [`Draft`] writes its objects where they stay. An object called `.jarrah-draft` claims the folder
/// meanwhile, and hides it from [`list`](ObjectStore::list): a second draft of the folder at this time is an error. Who asks for an object of a draft by its name is given
/// it. A folder is deleted by claiming it, then removing `commit_success.txt`, then the rest.
///
/// **Conditions** are the service's `If-None-Match` and `If-Match`, or GCS's `x-goog-if-generation-match`, exact among all writers; a service without them gives an error, and so does an object of more
/// than 16 MiB, as the parts of an object are joined without a condition. [`delete`](ObjectStore::delete) asks first whether there is an object: of two that delete one at
/// once, both may be told that there was.
///
/// **Versions** are the service's entity tags, or GCS's generations. An opened object that is replaced or removed is an error when it is read.
///
/// Keys, the region and the endpoint are taken from the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, and
/// `AWS_ALLOW_HTTP` for an endpoint without TLS; `GOOGLE_SERVICE_ACCOUNT` or `GOOGLE_APPLICATION_CREDENTIALS`, `GOOGLE_BASE_URL`; `AZURE_STORAGE_ACCOUNT_NAME`,
/// `AZURE_STORAGE_ACCOUNT_KEY`, `AZURE_STORAGE_ENDPOINT`.
///
/// ```no_run
/// use jarrah_store::{CloudStore, Name, ObjectStore};
/// let store = CloudStore::open("s3://bucket/runs/1")?;
/// for step in store.folders(&Name::root())? {
///     println!("step {step} is whole");
/// }
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct CloudStore {
    bucket: Arc<Bucket>,
}

impl CloudStore {
    /// The store in a bucket, below a prefix: `s3://bucket/prefix`, `gs://bucket/prefix`, `az://container/prefix`, `https://host/folder`. No request is made.
    ///
    /// # Errors
    /// The address is malformed (`Input`); the environment lacks a setting (`Environment`).
    pub fn open(url: &str) -> Result<CloudStore> {
        Ok(CloudStore { bucket: Arc::new(Bucket::open(url)?) })
    }

    /// The published state of each folder of these, and whether it is listed.
    fn seen(&self, folders: Vec<Name>) -> Result<Vec<(Name, Seen)>> {
        let bucket = self.bucket.clone();
        let look = move |folder: Name| {
            let bucket = bucket.clone();
            async move {
                let committed = bucket.exists(&folder.join(COMMIT)?).await?;
                let seen = match committed {
                    true => Seen::Published,
                    false if bucket.exists(&folder.with(&bucket::draft_mark())).await? => Seen::Hidden,
                    false => Seen::Listed,
                };
                Ok((folder, seen))
            }
        };
        let all = async move { stream::iter(folders).map(look).buffered(AT_ONCE).try_collect().await };
        self.bucket.wait(all)
    }

    /// The names of the objects in a folder, with their lengths, and of the folders in it.
    fn children(&self, folder: &Name) -> Result<(Vec<(String, u64)>, Vec<Name>)> {
        self.bucket.service.is_bucket()?;
        let path = self.bucket.path(folder)?;
        let store = self.bucket.objects.clone();
        let prefix = path.clone();
        let listed = self.bucket.wait(async move {
            let prefix = Some(&prefix).filter(|prefix| !prefix.as_ref().is_empty());
            store.list_with_delimiter(prefix).await.map_err(|e| failed("list", prefix, &e))
        })?;
        let last = |path: &object_store::path::Path| path.filename().map(str::to_owned);
        let is_object = |name: &String| name != COMMIT && !is_reserved(name) && Name::new(name).is_ok();
        let objects = listed.objects.iter().filter_map(|meta| Some((last(&meta.location)?, meta.size)));
        let folders = listed.common_prefixes.iter().filter_map(last).filter(|name| !is_reserved(name));
        let folders = folders.filter_map(|name| folder.join(name).ok());
        Ok((objects.filter(|(name, _)| is_object(name)).collect(), folders.collect()))
    }
}

/// The state of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Published,
    Listed,
    /// It is being written or deleted.
    Hidden,
}

impl ObjectStore for CloudStore {
    fn shown(&self, name: &Name) -> PathBuf {
        PathBuf::from(&self.bucket.url).join(name.as_str())
    }

    fn open(&self, name: &Name) -> Result<Option<Box<dyn Object>>> {
        if name.is_root() {
            return Ok(None);
        }
        let path = self.bucket.path(name)?;
        let (store, asked) = (self.bucket.objects.clone(), path.clone());
        let meta = self.bucket.wait(async move {
            match store.head(&asked).await {
                Ok(meta) => Ok(Some(meta)),
                Err(StoreError::NotFound { .. }) => Ok(None),
                Err(e) => Err(failed("open", Some(&asked), &e)),
            }
        })?;
        let Some(meta) = meta else { return Ok(None) };
        let (len, version) = (meta.size, self.bucket.service.version_of(meta));
        Ok(Some(Box::new(CloudObject { bucket: self.bucket.clone(), path, len, version })))
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        Ok(Box::new(CloudUpload::begin(&self.bucket, name, None)?))
    }

    fn list(&self, folder: &Name) -> Result<Vec<Entry>> {
        let (objects, folders) = self.children(folder)?;
        let mut entries: Vec<Entry> =
            objects.into_iter().map(|(name, len)| Entry { name, kind: EntryKind::Object(len) }).collect();
        let seen = self.seen(folders)?.into_iter().filter(|(_, seen)| *seen != Seen::Hidden);
        entries.extend(seen.map(|(name, _)| Entry { name: name.last().to_owned(), kind: EntryKind::Folder }));
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn can_list(&self) -> bool {
        self.bucket.service.is_bucket().is_ok()
    }

    fn delete(&self, name: &Name) -> Result<bool> {
        self.bucket.service.is_bucket()?;
        if name.is_root() {
            return Ok(false);
        }
        let (bucket, name) = (self.bucket.clone(), name.clone());
        self.bucket.wait(async move {
            let there = bucket.exists(&name).await?;
            if there {
                bucket.remove(&bucket.path(&name)?).await?;
            }
            Ok(there)
        })
    }

    fn draft(&self, folder: &Name) -> Result<Box<dyn Draft>> {
        Ok(Box::new(CloudDraft::begin(&self.bucket, folder)?))
    }

    fn join_draft(&self, folder: &Name, token: &str) -> Result<Box<dyn Draft>> {
        Ok(Box::new(CloudDraft::join(&self.bucket, folder, token)?))
    }

    fn folders(&self, folder: &Name) -> Result<Vec<String>> {
        let (_, folders) = self.children(folder)?;
        let published = self.seen(folders)?.into_iter().filter(|(_, seen)| *seen == Seen::Published);
        let mut names: Vec<String> = published.map(|(name, _)| name.last().to_owned()).collect();
        names.sort();
        Ok(names)
    }

    fn delete_folder(&self, folder: &Name) -> Result<bool> {
        folder.not_root()?;
        self.bucket.service.is_bucket()?;
        let (bucket, folder) = (self.bucket.clone(), folder.clone());
        self.bucket.wait(async move {
            if bucket.below(&folder).await?.is_empty() {
                return Ok(false);
            }
            bucket.claim(&folder, "deleted").await?;
            bucket.remove_folder(&folder).await?;
            Ok(true)
        })
    }

    fn clear_unfinished(&self, folder: &Name) -> Result<()> {
        self.bucket.service.is_bucket()?;
        let (bucket, folder) = (self.bucket.clone(), folder.clone());
        self.bucket.wait(async move {
            for path in bucket.below(&folder).await? {
                let Some(claimed) = path.as_ref().strip_suffix(DRAFT).and_then(|path| path.strip_suffix('/'))
                else {
                    continue;
                };
                let claimed = bucket.name(claimed)?;
                match bucket.exists(&claimed.join(COMMIT)?).await? {
                    // Its writer ended between the last two requests.
                    true => bucket.remove(&path).await?,
                    false => bucket.remove_folder(&claimed).await?,
                }
            }
            Ok(())
        })
    }
}

struct CloudObject {
    bucket: Arc<Bucket>,
    path: object_store::path::Path,
    len: u64,
    version: ObjectVersion,
}

impl Object for CloudObject {
    fn len(&self) -> u64 {
        self.len
    }

    fn version(&self) -> &ObjectVersion {
        &self.version
    }

    fn block(&self) -> usize {
        BLOCK
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let end = offset.checked_add(bytes.len() as u64).filter(|end| *end <= self.len);
        let end = end.ok_or_else(|| past_the_end(offset, bytes.len(), self.len))?;
        if bytes.is_empty() {
            return Ok(());
        }
        let (store, path) = (self.bucket.objects.clone(), self.path.clone());
        let options = self.bucket.service.reading(&self.version);
        let received = self.bucket.wait(async move {
            let range = Some(GetRange::Bounded(offset..end));
            let got = store.get_opts(&path, options.with_range(range)).await;
            match got {
                Ok(got) => got.bytes().await.map_err(|e| failed("read", Some(&path), &e)),
                Err(StoreError::Precondition { .. } | StoreError::NotFound { .. }) => {
                    Err(Error::environment(format!("{path} was replaced or removed since it was opened"))
                        .op("store"))
                }
                Err(e) => Err(failed("read", Some(&path), &e)),
            }
        })?;
        if received.len() != bytes.len() {
            let (got, wanted, path) = (received.len(), bytes.len(), &self.path);
            return Err(
                Error::environment(format!("{path}: {got} bytes came instead of {wanted}")).op("store")
            );
        }
        bytes.copy_from_slice(&received);
        Ok(())
    }
}
