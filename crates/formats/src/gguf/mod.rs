//! GGUF, the files of llama.cpp: fields of the model and its tokenizer, then tensors, each as it is or in blocks.
//!
//! Source: `docs/gguf.md` of ggml, versions 2 and 3.

mod fields;
mod read;
mod write;

pub use fields::{Field, Fields};
use jarrah_base::DType;
pub(crate) use read::list;
pub use write::{Store, save_gguf};

use crate::encoding::{Block, Encoding};

const MAGIC: [u8; 4] = *b"GGUF";
/// The field that says at what multiples tensors begin, and what holds without it.
const ALIGNMENT: &str = "general.alignment";
const DEFAULT_ALIGNMENT: usize = 32;

/// The encodings of tensors by their numbers in files.
const TYPES: [(u32, Encoding); 32] = [
    (0, Encoding::Plain(DType::F32)),
    (1, Encoding::Plain(DType::F16)),
    (2, Encoding::Blocks(Block::Q4_0)),
    (3, Encoding::Unread("Q4_1", 32, 20)),
    (6, Encoding::Unread("Q5_0", 32, 22)),
    (7, Encoding::Unread("Q5_1", 32, 24)),
    (8, Encoding::Blocks(Block::Q8_0)),
    (9, Encoding::Unread("Q8_1", 32, 40)),
    (10, Encoding::Unread("Q2_K", 256, 84)),
    (11, Encoding::Unread("Q3_K", 256, 110)),
    (12, Encoding::Blocks(Block::Q4_K)),
    (13, Encoding::Unread("Q5_K", 256, 176)),
    (14, Encoding::Blocks(Block::Q6_K)),
    (15, Encoding::Unread("Q8_K", 256, 292)),
    (16, Encoding::Unread("IQ2_XXS", 256, 66)),
    (17, Encoding::Unread("IQ2_XS", 256, 74)),
    (18, Encoding::Unread("IQ3_XXS", 256, 98)),
    (19, Encoding::Unread("IQ1_S", 256, 50)),
    (20, Encoding::Unread("IQ4_NL", 32, 18)),
    (21, Encoding::Unread("IQ3_S", 256, 110)),
    (22, Encoding::Unread("IQ2_S", 256, 82)),
    (23, Encoding::Unread("IQ4_XS", 256, 136)),
    (24, Encoding::Plain(DType::I8)),
    (25, Encoding::Plain(DType::I16)),
    (26, Encoding::Plain(DType::I32)),
    (27, Encoding::Plain(DType::I64)),
    (28, Encoding::Plain(DType::F64)),
    (29, Encoding::Unread("IQ1_M", 256, 56)),
    (30, Encoding::Plain(DType::BF16)),
    (34, Encoding::Unread("TQ1_0", 256, 54)),
    (35, Encoding::Unread("TQ2_0", 256, 66)),
    (39, Encoding::Unread("MXFP4", 32, 17)),
];
