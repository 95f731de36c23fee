use std::sync::Arc;

use jarrah_base::{Error, Result};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::http::HttpBuilder;
use object_store::{
    ClientOptions, GetOptions, ObjectMeta, ObjectStore, PutResult, Result as StoreResult, UpdateVersion,
};

use crate::store::ObjectVersion;

/// The interface that a service of objects has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    S3,
    Gcs,
    Azure,
    /// A server of files, which is read.
    Http,
}

/// The schemes of addresses.
const SCHEMES: [(&str, Service); 5] = [
    ("s3", Service::S3),
    ("gs", Service::Gcs),
    ("az", Service::Azure),
    ("http", Service::Http),
    ("https", Service::Http),
];

impl Service {
    /// The service of addresses with this scheme.
    pub fn of(scheme: &str) -> Option<Service> {
        SCHEMES.iter().find(|row| row.0 == scheme).map(|row| row.1)
    }

    /// The objects of a bucket, a container, or the host `scheme://bucket`. Keys and endpoints come from the environment.
    pub fn open(self, scheme: &str, bucket: &str) -> StoreResult<Arc<dyn ObjectStore>> {
        Ok(match self {
            Service::S3 => Arc::new(AmazonS3Builder::from_env().with_bucket_name(bucket).build()?),
            Service::Gcs => Arc::new(GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket).build()?),
            Service::Azure => {
                Arc::new(MicrosoftAzureBuilder::from_env().with_container_name(bucket).build()?)
            }
            Service::Http => {
                let options = ClientOptions::new().with_allow_http(scheme == "http");
                let url = format!("{scheme}://{bucket}");
                Arc::new(HttpBuilder::new().with_url(url).with_client_options(options).build()?)
            }
        })
    }

    /// Checks that the service takes objects and tells of them.
    ///
    /// # Errors
    /// It is a server of files (`Input`).
    pub fn is_bucket(self) -> Result<()> {
        match self {
            Service::S3 | Service::Gcs | Service::Azure => Ok(()),
            Service::Http => Err(Error::input("an HTTP server's files are read by name: it lists and takes none")
                .op("store")
                .help("give the address of one checkpoint's folder, or write to s3://, gs://, az:// or a folder of this machine")),
        }
    }

    /// The version that a service gives an object: GCS conditions are about generations, those of the others about entity tags.
    fn version(self, tag: Option<String>, generation: Option<String>) -> ObjectVersion {
        let version = if self == Service::Gcs { generation } else { tag };
        ObjectVersion(version.unwrap_or_default())
    }

    pub fn version_of(self, meta: ObjectMeta) -> ObjectVersion {
        self.version(meta.e_tag, meta.version)
    }

    pub fn version_put(self, put: PutResult) -> ObjectVersion {
        self.version(put.e_tag, put.version)
    }

    /// The condition that an object that is written over has this version.
    pub fn unchanged(self, version: ObjectVersion) -> UpdateVersion {
        match self {
            Service::Gcs => UpdateVersion { e_tag: None, version: Some(version.0) },
            _ => UpdateVersion { e_tag: Some(version.0), version: None },
        }
    }

    /// The condition that an object that is read has this version.
    pub fn reading(self, version: &ObjectVersion) -> GetOptions {
        let version = Some(version.0.clone()).filter(|version| !version.is_empty());
        match self {
            Service::Gcs => GetOptions::new().with_version(version),
            _ => GetOptions::new().with_if_match(version),
        }
    }
}
