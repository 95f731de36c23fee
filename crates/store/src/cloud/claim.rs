use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::bucket::{Bucket, draft_mark};
use crate::name::Name;

/// The right to write to a folder, which an object in it holds until the folder is published.
#[derive(Clone, Debug)]
pub struct Claim {
    pub folder: Name,
    pub token: String,
}

impl Claim {
    /// Checks that the folder is still claimed.
    pub fn check(&self, bucket: &Arc<Bucket>) -> Result<()> {
        match self.holds(bucket)? {
            true => Ok(()),
            false => {
                let Claim { folder, token } = self;
                Err(Error::input(format!("no draft {token:?} of {folder} is under way")).op("store"))
            }
        }
    }

    /// Whether the folder is claimed by this.
    pub fn holds(&self, bucket: &Arc<Bucket>) -> Result<bool> {
        let (asked, Claim { folder, token }) = (bucket.clone(), self.clone());
        bucket.wait(async move { Ok(asked.text(&folder.with(&draft_mark())).await? == Some(token)) })
    }
}
