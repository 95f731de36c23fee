//! Reads the files of a folder of goldens and writes them again, for `oracle/formats.py readback` to read with their own libraries.
//!
//!     cargo run -p jarrah-formats --example rewrite FROM TO

use std::path::PathBuf;

use jarrah_base::{Error, Result};
use jarrah_formats::{Adapter, Folder, GgufStore, SaveOptions, Tensor, Tensors, save_adapter, save_gguf};

fn main() -> Result<()> {
    let mut folders = std::env::args().skip(1).map(PathBuf::from);
    let (Some(from), Some(to)) = (folders.next(), folders.next()) else {
        return Err(Error::input("name a folder to read and one to write"));
    };
    let model = Folder::open(from.join("llama"))?;
    let tensors = model.tensors()?;
    let all: Vec<Tensor<'_>> = tensors.iter().collect();
    model.write(&to.join("llama"), &all, &SaveOptions { shard_bytes: 4000, ..SaveOptions::default() })?;
    for name in ["lora", "ranks"] {
        let adapter = Adapter::open(&from.join(name))?;
        let replaced: Vec<Tensor<'_>> = adapter.replaced().collect();
        save_adapter(&to.join(name), adapter.config(), &adapter.low_rank()?, &replaced)?;
    }
    for name in ["all.gguf", "floats.gguf"] {
        let tensors = Tensors::open(from.join(name))?;
        let all: Vec<Tensor<'_>> = tensors.iter().collect();
        save_gguf(&to.join(name), tensors.fields(), &all, GgufStore::AsIs)?;
    }
    Ok(())
}
