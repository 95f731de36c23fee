//! Bytes by name.
//!
//! A [`ObjectStore`] holds objects: bytes under a [`Name`], such as `100/state/manifest.ocdbt`. An object appears under its name when all of it is
//! durable, or never; a folder of objects appears at once, when its [`Draft`] is published. [`MemoryStore`] keeps everything in memory; [`LocalStore`] keeps it in a
//! folder, through [`Files`]: the [`Disk`] of the machine, or a [`SimulatedDisk`] that fails and loses its power as a test asks. With the
//! feature `cloud`, `CloudStore` keeps it in a bucket of S3, of Google Cloud Storage or of Azure, and reads what an HTTP server has.
//!
//! ```
//! use jarrah_store::{Condition, MemoryStore, Name, ObjectStore};
//!
//! let store = MemoryStore::new();
//! let draft = store.draft(&Name::new("100")?)?;
//! let mut upload = draft.create(&Name::new("state/weights")?)?;
//! upload.write(b"0123456789")?;
//! upload.finish(Condition::Absent)?;
//! assert!(store.folders(&Name::root())?.is_empty());
//! assert!(draft.publish()?);
//!
//! assert_eq!(store.folders(&Name::root())?, ["100"]);
//! let object = store.open(&Name::new("100/state/weights")?)?.expect("it was published");
//! let mut part = [0; 3];
//! object.read_at(4, &mut part)?;
//! assert_eq!(&part, b"456");
//! # Ok::<(), jarrah_base::Error>(())
//! ```

#[cfg(feature = "cloud")]
mod cloud;
mod files;
mod local;
mod memory;
mod name;
mod simulated;
mod store;

#[cfg(feature = "cloud")]
pub use cloud::CloudStore;
pub use files::{Disk, FileKind, FileReader, FileStatus, FileWriter, Files, Listed};
pub use local::LocalStore;
pub use memory::MemoryStore;
pub use name::Name;
pub use simulated::{DiskFault, SimulatedDisk};
pub use store::{Condition, Draft, Entry, EntryKind, Object, ObjectStore, ObjectVersion, Upload};
