//! Loading as `grain.DataLoader` does it: a sampler gives the order of records, operations make batches of them.

mod data_loader;
mod sampler;
mod shard;

pub use data_loader::DataLoader;
pub use sampler::{IndexSampler, SampledRecord};
pub use shard::ShardOptions;
