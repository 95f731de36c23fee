//! How long a folder of Hugging Face takes to load until every weight has been looked at; `bench/load.py` asks safetensors the same.
//!
//! `cargo run --release -p jarrah-models --example load -- FOLDER [DTYPE]`

use std::time::Instant;

use jarrah_array::{Array, DType, Result, TreeExt};
use jarrah_models::Pretrained;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder");
    let dtype = arguments.next().map(|name| name.parse::<DType>()).transpose()?;
    let start = Instant::now();
    let model = Pretrained::load(&folder, dtype)?;
    let mut bytes = 0;
    let mut sum = 0u64;
    for leaf in TreeExt::<Array>::leaves(&model.model) {
        let view = leaf.to_buffer()?.view()?;
        bytes += view.bytes().len();
        // A page each.
        sum += view.bytes().iter().step_by(4096).map(|&byte| u64::from(byte)).sum::<u64>();
    }
    println!("{{\"seconds\": {}, \"bytes\": {bytes}, \"sum\": {sum}}}", start.elapsed().as_secs_f64());
    Ok(())
}
