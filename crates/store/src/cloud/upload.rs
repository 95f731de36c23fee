use std::sync::Arc;

use jarrah_base::{Error, Result};
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt, PutMode, PutPayload, WriteMultipart};

use super::bucket::{Bucket, COMMIT, failed};
use super::claim::Claim;
use crate::name::Name;
use crate::store::{Condition, ObjectVersion, Upload};

/// An object of up to so many bytes is one request.
const WHOLE: usize = 16 << 20;
const PART: usize = 8 << 20;
/// How many parts are on their way at once.
const PARTS: usize = 4;

/// An object on its way to a bucket.
pub struct CloudUpload {
    bucket: Arc<Bucket>,
    path: Path,
    /// The draft that it belongs to.
    claim: Option<Claim>,
    sent: Sent,
}

enum Sent {
    /// All bytes until now.
    Nothing(Vec<u8>),
    Parts(WriteMultipart),
    /// A request failed: bytes are missing.
    Failed(Error),
}

impl CloudUpload {
    pub fn begin(bucket: &Arc<Bucket>, name: &Name, claim: Option<Claim>) -> Result<CloudUpload> {
        bucket.service.is_bucket()?;
        if name.last() == COMMIT {
            return Err(Error::input(format!("{name}: {COMMIT} says that a folder is published"))
                .op("store")
                .help("choose another name"));
        }
        let path = bucket.path(name)?;
        Ok(CloudUpload { bucket: bucket.clone(), path, claim, sent: Sent::Nothing(Vec::new()) })
    }

    /// Sends bytes behind those that were sent.
    fn send(&mut self, bytes: Vec<u8>) -> Result<()> {
        let gone = || Error::internal("an upload is used after its end").op("store");
        let (objects, path) = (self.bucket.objects.clone(), self.path.clone());
        let parts = match std::mem::replace(&mut self.sent, Sent::Failed(gone())) {
            Sent::Nothing(_) => None,
            Sent::Parts(parts) => Some(parts),
            Sent::Failed(error) => {
                self.sent = Sent::Failed(error.clone());
                return Err(error);
            }
        };
        let sent = self.bucket.wait(async move {
            let error = |e: StoreError| failed("write", Some(&path), &e);
            let mut parts = match parts {
                Some(parts) => parts,
                None => WriteMultipart::new_with_chunk_size(
                    objects.put_multipart(&path).await.map_err(error)?,
                    PART,
                ),
            };
            for part in bytes.chunks(PART) {
                match parts.wait_for_capacity(PARTS).await {
                    Ok(()) => parts.write(part),
                    Err(e) => {
                        // The parts that arrived are nobody's; a service removes those that stay.
                        let _ = parts.abort().await;
                        return Err(error(e));
                    }
                }
            }
            Ok(parts)
        });
        match sent {
            Ok(parts) => self.sent = Sent::Parts(parts),
            Err(e) => {
                self.sent = Sent::Failed(e.clone());
                return Err(e);
            }
        }
        Ok(())
    }
}

impl Upload for CloudUpload {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.sent {
            Sent::Nothing(all) if all.len() + bytes.len() <= WHOLE => {
                all.extend_from_slice(bytes);
                Ok(())
            }
            Sent::Nothing(all) => {
                let all = std::mem::take(all);
                self.send(all)?;
                self.send(bytes.to_vec())
            }
            Sent::Parts(_) | Sent::Failed(_) => self.send(bytes.to_vec()),
        }
    }

    fn finish(mut self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>> {
        if let Some(claim) = &self.claim {
            claim.check(&self.bucket)?;
        }
        let (objects, path, service) = (self.bucket.objects.clone(), self.path.clone(), self.bucket.service);
        let sent = std::mem::replace(&mut self.sent, Sent::Nothing(Vec::new()));
        let mode = match condition {
            Condition::Always => PutMode::Overwrite,
            Condition::Absent => PutMode::Create,
            Condition::Unchanged(version) => PutMode::Update(service.unchanged(version)),
        };
        let conditional = mode != PutMode::Overwrite;
        self.bucket.wait(async move {
            let put = match sent {
                Sent::Failed(error) => return Err(error),
                Sent::Nothing(bytes) => objects.put_opts(&path, PutPayload::from(bytes), mode.into()).await,
                Sent::Parts(parts) if !conditional => parts.finish().await,
                Sent::Parts(parts) => {
                    // The parts that arrived are nobody's; a service removes those that stay.
                    let _ = parts.abort().await;
                    return Err(Error::input(format!("{path} is too large to be written under a condition"))
                        .op("store")
                        .help("write it into a draft with Condition::Always"));
                }
            };
            match put {
                Ok(put) => Ok(Some(service.version_put(put))),
                Err(
                    StoreError::AlreadyExists { .. }
                    | StoreError::Precondition { .. }
                    | StoreError::NotFound { .. },
                ) if conditional => Ok(None),
                Err(e) => Err(failed("write", Some(&path), &e)),
            }
        })
    }
}

impl Drop for CloudUpload {
    fn drop(&mut self) {
        if let Sent::Parts(parts) = std::mem::replace(&mut self.sent, Sent::Nothing(Vec::new())) {
            // A service removes parts that stay.
            let _ = self.bucket.wait(async move { Ok(parts.abort().await) });
        }
    }
}
