//! GGUF, the files of llama.cpp: fields of the model and its tokenizer, then tensors, each as it is or in blocks.
//!
//! Source: `docs/gguf.md` of ggml, versions 2 and 3.

mod fields;
mod read;
mod write;

pub use fields::{GgufField, GgufFields};
use jarrah_base::DType;
pub(crate) use read::list;
pub use write::{GgufStore, save_gguf};

use crate::encoding::{BlockType, TensorEncoding};

const MAGIC: [u8; 4] = *b"GGUF";
/// The field that says at what multiples tensors begin, and what holds without it.
const ALIGNMENT: &str = "general.alignment";
const DEFAULT_ALIGNMENT: usize = 32;

/// The encodings of tensors by their numbers in files.
const TYPES: [(u32, TensorEncoding); 32] = [
    (0, TensorEncoding::Plain(DType::F32)),
    (1, TensorEncoding::Plain(DType::F16)),
    (2, TensorEncoding::Blocks(BlockType::Q4_0)),
    (3, TensorEncoding::Unread("Q4_1", 32, 20)),
    (6, TensorEncoding::Unread("Q5_0", 32, 22)),
    (7, TensorEncoding::Unread("Q5_1", 32, 24)),
    (8, TensorEncoding::Blocks(BlockType::Q8_0)),
    (9, TensorEncoding::Unread("Q8_1", 32, 40)),
    (10, TensorEncoding::Unread("Q2_K", 256, 84)),
    (11, TensorEncoding::Unread("Q3_K", 256, 110)),
    (12, TensorEncoding::Blocks(BlockType::Q4_K)),
    (13, TensorEncoding::Unread("Q5_K", 256, 176)),
    (14, TensorEncoding::Blocks(BlockType::Q6_K)),
    (15, TensorEncoding::Unread("Q8_K", 256, 292)),
    (16, TensorEncoding::Unread("IQ2_XXS", 256, 66)),
    (17, TensorEncoding::Unread("IQ2_XS", 256, 74)),
    (18, TensorEncoding::Unread("IQ3_XXS", 256, 98)),
    (19, TensorEncoding::Unread("IQ1_S", 256, 50)),
    (20, TensorEncoding::Unread("IQ4_NL", 32, 18)),
    (21, TensorEncoding::Unread("IQ3_S", 256, 110)),
    (22, TensorEncoding::Unread("IQ2_S", 256, 82)),
    (23, TensorEncoding::Unread("IQ4_XS", 256, 136)),
    (24, TensorEncoding::Plain(DType::I8)),
    (25, TensorEncoding::Plain(DType::I16)),
    (26, TensorEncoding::Plain(DType::I32)),
    (27, TensorEncoding::Plain(DType::I64)),
    (28, TensorEncoding::Plain(DType::F64)),
    (29, TensorEncoding::Unread("IQ1_M", 256, 56)),
    (30, TensorEncoding::Plain(DType::BF16)),
    (34, TensorEncoding::Unread("TQ1_0", 256, 54)),
    (35, TensorEncoding::Unread("TQ2_0", 256, 66)),
    (39, TensorEncoding::Unread("MXFP4", 32, 17)),
];
