use std::future::Future;
use std::sync::{Arc, mpsc};

use futures_util::TryStreamExt;
use jarrah_base::{Error, Result};
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStore, ObjectStoreExt, PutMode, PutPayload};
use tokio::runtime::{Builder, Runtime};
use tokio_rustls::rustls::crypto::ring;

use super::service::Service;
use crate::name::Name;

/// The object of a folder that says that it is published.
pub const COMMIT: &str = "commit_success.txt";

/// The object of a folder that says that it is being written or deleted.
pub const DRAFT: &str = ".jarrah-draft";

/// The name of [`DRAFT`], which is reserved to all others.
pub fn draft_mark() -> Name {
    Name::reserved(DRAFT)
}

/// The objects of a bucket below a prefix, and the threads that make the requests.
#[derive(Debug)]
pub struct Bucket {
    pub objects: Arc<dyn ObjectStore>,
    pub service: Service,
    /// The address that it was opened by.
    pub url: String,
    prefix: String,
    /// The runtime; it is taken out only at the end.
    runtime: Option<Runtime>,
}

impl Bucket {
    pub fn open(url: &str) -> Result<Bucket> {
        let malformed = || {
            Error::input(format!("{url:?} is no address of a store"))
                .op("store")
                .help("give s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, https://HOST/FOLDER, or a folder of this machine")
        };
        let (scheme, rest) = url.split_once("://").ok_or_else(malformed)?;
        let service = Service::of(scheme).ok_or_else(malformed)?;
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let prefix = prefix.trim_end_matches('/');
        if bucket.is_empty() || !prefix.is_empty() && Name::new(prefix).is_err() {
            return Err(malformed());
        }
        // Another part of the process may have chosen its cryptography, which is as good.
        let _ = ring::default_provider().install_default();
        let objects = service.open(scheme, bucket).map_err(|e| failed("open", None, &e))?;
        let runtime = Builder::new_multi_thread().worker_threads(2).thread_name("store").enable_all().build();
        let runtime =
            runtime.map_err(|e| Error::environment(format!("cannot start threads: {e}")).op("store"))?;
        Ok(Bucket {
            objects,
            service,
            url: url.to_owned(),
            prefix: prefix.to_owned(),
            runtime: Some(runtime),
        })
    }

    /// Waits for requests to end. They run on threads of their own, so that a thread of another runtime may wait, too.
    pub fn wait<T: Send + 'static>(
        &self,
        requests: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Result<T> {
        let (done, result) = mpsc::sync_channel(1);
        let runtime = self.runtime.as_ref().expect("the runtime ends with the bucket");
        runtime.spawn(async move {
            // Nobody waits where the waiting thread was unwound.
            let _ = done.send(requests.await);
        });
        result.recv().unwrap_or_else(|_| Err(Error::internal("a request panicked").op("store")))
    }

    pub fn path(&self, name: &Name) -> Result<Path> {
        let text = match (self.prefix.is_empty(), name.is_root()) {
            (true, _) => name.to_string(),
            (false, true) => self.prefix.clone(),
            (false, false) => format!("{}/{name}", self.prefix),
        };
        Path::parse(&text)
            .map_err(|e| Error::input(format!("{text:?} is no name of an object here: {e}")).op("store"))
    }

    /// The name of a path below the prefix.
    pub fn name(&self, path: &str) -> Result<Name> {
        let below = path.strip_prefix(&self.prefix).unwrap_or(path);
        Name::new(below.trim_start_matches('/'))
    }

    pub async fn exists(&self, name: &Name) -> Result<bool> {
        let path = self.path(name)?;
        match self.objects.head(&path).await {
            Ok(_) => Ok(true),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(e) => Err(failed("read", Some(&path), &e)),
        }
    }

    /// Writes an object; false where there is one and `mode` takes none.
    pub async fn put(&self, name: &Name, bytes: Vec<u8>, mode: PutMode) -> Result<bool> {
        let path = self.path(name)?;
        match self.objects.put_opts(&path, PutPayload::from(bytes), mode.into()).await {
            Ok(_) => Ok(true),
            Err(StoreError::AlreadyExists { .. } | StoreError::Precondition { .. }) => Ok(false),
            Err(e) => Err(failed("write", Some(&path), &e)),
        }
    }

    /// The text of an object.
    pub async fn text(&self, name: &Name) -> Result<Option<String>> {
        let path = self.path(name)?;
        let text = match self.objects.get(&path).await {
            Ok(got) => got.bytes().await,
            Err(StoreError::NotFound { .. }) => return Ok(None),
            Err(e) => Err(e),
        };
        let text = text.map_err(|e| failed("read", Some(&path), &e))?;
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }

    pub async fn remove(&self, path: &Path) -> Result<()> {
        match self.objects.delete(path).await {
            Ok(()) | Err(StoreError::NotFound { .. }) => Ok(()),
            Err(e) => Err(failed("remove", Some(path), &e)),
        }
    }

    /// The paths of all objects in a folder and below it.
    pub async fn below(&self, folder: &Name) -> Result<Vec<Path>> {
        let path = self.path(folder)?;
        let prefix = Some(&path).filter(|path| !path.as_ref().is_empty());
        let metas = self.objects.list(prefix).map_ok(|meta| meta.location).try_collect().await;
        metas.map_err(|e| failed("list", prefix, &e))
    }

    /// Marks a folder as one that is being written or deleted, whatever it was.
    pub async fn claim(&self, folder: &Name, by: &str) -> Result<()> {
        self.put(&folder.with(&draft_mark()), by.into(), PutMode::Overwrite).await.map(drop)
    }

    /// Removes a claimed folder: what says that it is published first, what claims it last.
    pub async fn remove_folder(&self, folder: &Name) -> Result<()> {
        let claim = self.path(&folder.with(&draft_mark()))?;
        self.remove(&self.path(&folder.join(COMMIT)?)?).await?;
        for path in self.below(folder).await?.iter().filter(|path| **path != claim) {
            self.remove(path).await?;
        }
        self.remove(&claim).await
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        // A runtime that waits for its threads cannot end on a thread of another.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The error of a request.
pub fn failed(action: &str, path: Option<&Path>, error: &StoreError) -> Error {
    let path = path.map_or("the bucket", |path| path.as_ref());
    let failed = match error {
        StoreError::InvalidPath { .. } => Error::input(format!("cannot {action} {path}: {error}")),
        _ => Error::environment(format!("cannot {action} {path}: {error}")),
    };
    let failed = failed.op("store");
    match error {
        StoreError::PermissionDenied { .. } | StoreError::Unauthenticated { .. } => {
            failed.help("give keys that may do this, by the environment: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, GOOGLE_SERVICE_ACCOUNT, or AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY")
        }
        StoreError::NotImplemented { .. } | StoreError::NotSupported { .. } => {
            failed.help("this service takes no conditions: write with Condition::Always, by one writer")
        }
        _ => failed,
    }
}
