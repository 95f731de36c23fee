//! The model files of others: safetensors in one file or in shards, what `torch.save` and `torch.distributed.checkpoint` write, GGUF,
//! and Orbax's checkpoints.
//!
//! [`Tensors::open`] maps a file or a folder into memory and checks it as a whole; a [`Tensor`] is read, converted or written
//! when that is asked for, so that loading takes the memory of the result alone. [`LoadReport`] says what of a model's tensors a
//! file has. [`save`] and [`save_gguf`] write. [`Folder`] is a model's folder as Hugging Face has it, [`Adapter`] one of PEFT.
//! [`OrbaxCheckpoint`] is a checkpoint of JAX's Orbax: a tree of arrays, each read whole or a region of it; [`OrbaxPlan`] writes one.
//!
//! ```
//! use jarrah_base::{DType, Literal, Type};
//! use jarrah_formats::{LoadReport, SaveOptions, Tensor, Tensors, save};
//! # let dir = tempfile::tempdir().unwrap();
//! # let folder = dir.path();
//! let weight = Literal::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
//! save(folder, &[Tensor::of("lm_head.weight", &weight).to(DType::BF16)?], &SaveOptions::default())?;
//!
//! let tensors = Tensors::open(folder)?;
//! LoadReport::new([("lm_head.weight", Type::tensor(DType::F32, [2, 2]))], &tensors).complete()?;
//! assert_eq!(tensors.get("lm_head.weight")?.to(DType::F32)?.literal()?, weight);
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod blocks;
mod boxes;
mod chunks;
mod convert;
mod distcp;
mod element;
mod encoding;
mod file;
mod folder;
mod gguf;
pub mod json;
mod listing;
pub mod msgpack;
mod orbax;
mod peft;
mod pickle;
mod report;
pub mod safetensors;
mod shards;
mod stamp;
mod tensor;
mod tensors;
pub mod tokenizers;

pub use boxes::{BoxSide, copy_box, copy_indices, copy_region, cut, lies_in};
pub use encoding::{BlockType, TensorEncoding};
pub use folder::Folder;
pub use gguf::{GgufField, GgufFields, GgufStore, save_gguf};
pub use orbax::{
    OrbaxArraySpec, OrbaxCheckpoint, OrbaxCompression, OrbaxDescription, OrbaxHandler, OrbaxItem,
    OrbaxItemKind, OrbaxKey, OrbaxLeaf, OrbaxLeafSpec, OrbaxLeafType, OrbaxNode, OrbaxPart, OrbaxPlan,
    OrbaxSharding, OrbaxStretch, OrbaxTree, OrbaxWriteOptions, OrbaxWriter, write_orbax_json,
    write_orbax_random_key,
};
pub use peft::{Adapter, LowRankChange, lora_config, save_adapter};
pub use report::LoadReport;
pub use safetensors::save_file;
pub use shards::{SaveOptions, save};
pub use tensor::Tensor;
pub use tensors::{FileFormat, Tensors};
