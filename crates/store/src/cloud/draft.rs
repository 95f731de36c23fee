use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use jarrah_base::{Error, Result};
use object_store::PutMode;

use super::bucket::{Bucket, COMMIT, draft_mark};
use super::claim::Claim;
use super::upload::CloudUpload;
use crate::name::Name;
use crate::store::{Draft, Upload};

/// The text of the object that says that a folder is published.
const COMMITTED: &str = "This folder is whole.";

/// A folder that is claimed by an object in it, or is there already: then its objects are written beside it and removed.
#[derive(Debug)]
pub struct CloudDraft {
    bucket: Arc<Bucket>,
    name: Name,
    claim: Claim,
    /// Whether the draft ends with this value.
    begun_here: bool,
}

/// The folder that the objects of a draft are written to whose name is taken.
fn beside(name: &Name, token: &str) -> Name {
    let hidden = Name::reserved(&format!("{}.orbax-checkpoint-tmp-{token}", name.last()));
    name.folder().with(&hidden)
}

impl CloudDraft {
    pub fn begin(bucket: &Arc<Bucket>, folder: &Name) -> Result<CloudDraft> {
        bucket.service.is_bucket()?;
        folder.not_root()?;
        let token = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        let (asked, name, text) = (bucket.clone(), folder.clone(), token.clone());
        let taken = bucket.wait(async move {
            if !asked.below(&name).await?.is_empty() {
                let drafted = asked.text(&name.with(&draft_mark())).await?.is_some();
                return match drafted && !asked.exists(&name.join(COMMIT)?).await? {
                    true => Err(claimed(&name)),
                    false => Ok(true),
                };
            }
            match asked.put(&name.with(&draft_mark()), text.into(), PutMode::Create).await? {
                true => Ok(false),
                false => Err(claimed(&name)),
            }
        })?;
        let name = if taken { beside(folder, &token) } else { folder.clone() };
        let claim = Claim { folder: name.clone(), token: token.clone() };
        if taken {
            let (asked, name) = (bucket.clone(), name.clone());
            bucket.wait(async move { asked.claim(&name, &token).await })?;
        }
        Ok(CloudDraft { bucket: bucket.clone(), name: folder.clone(), claim, begun_here: true })
    }

    pub fn join(bucket: &Arc<Bucket>, folder: &Name, token: &str) -> Result<CloudDraft> {
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        let claim = |name: Name| Claim { folder: name, token: token.to_owned() };
        let (own, aside) = (claim(folder.clone()), claim(beside(folder, if is_token { token } else { "0" })));
        let claim = if is_token && aside.holds(bucket)? { aside } else { own };
        claim.check(bucket)?;
        Ok(CloudDraft { bucket: bucket.clone(), name: folder.clone(), claim, begun_here: false })
    }
}

impl Draft for CloudDraft {
    fn token(&self) -> &str {
        &self.claim.token
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        let below = self.claim.folder.with(name);
        Ok(Box::new(CloudUpload::begin(&self.bucket, &below, Some(self.claim.clone()))?))
    }

    fn publish(mut self: Box<Self>) -> Result<bool> {
        self.claim.check(&self.bucket)?;
        if self.claim.folder != self.name {
            return Ok(false);
        }
        let (bucket, name) = (self.bucket.clone(), self.name.clone());
        let published = self.bucket.wait(async move {
            let published = bucket.put(&name.join(COMMIT)?, COMMITTED.into(), PutMode::Create).await?;
            if published {
                // The folder is published: a claim that stays is cleared with what is unfinished.
                let _ = bucket.remove(&bucket.path(&name.with(&draft_mark()))?).await;
            }
            Ok(published)
        })?;
        self.begun_here &= !published;
        Ok(published)
    }

    fn replace(self: Box<Self>) -> Result<()> {
        let name = self.name.clone();
        match self.publish()? {
            true => Ok(()),
            false => {
                Err(Error::input(format!("{name} is published, and a bucket replaces no folder at once"))
                    .op("store")
                    .help("delete the folder first, or choose another name"))
            }
        }
    }
}

impl Drop for CloudDraft {
    fn drop(&mut self) {
        if self.begun_here {
            let (bucket, claim) = (self.bucket.clone(), self.claim.clone());
            // A draft that stays is claimed, and is cleared with what is unfinished.
            let _ = self.bucket.wait(async move {
                let name = claim.folder.with(&draft_mark());
                // The folder is another's now, where it holds another token.
                match bucket.text(&name).await? == Some(claim.token)
                    && !bucket.exists(&claim.folder.join(COMMIT)?).await?
                {
                    true => bucket.remove_folder(&claim.folder).await,
                    false => Ok(()),
                }
            });
        }
    }
}

fn claimed(name: &Name) -> Error {
    Error::environment(format!("another writer drafts {name}, or ended in the middle of it"))
        .op("store")
        .help("wait for the other writer, or clear the unfinished objects when no writer is there")
}
