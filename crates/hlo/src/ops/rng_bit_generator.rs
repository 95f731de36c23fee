use std::sync::Arc;

use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use super::Scan;
use crate::builder::Builder;
use crate::example::Example;
use crate::rules::*;

/// A counter-based generator of random bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RngAlgorithm {
    /// Philox, which is what XLA takes on processors.
    Default,
    /// Threefry-2x32 of the key in the first word and counters from the second on.
    Threefry,
    /// Philox-4x32 of the key in the first word and counters from the second word on. The upper half of the counter is
    /// the third word, or the key if there is none.
    Philox,
}

/// Random bits from a state of `u64` words: `(next state, bits)`, those of XLA.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RngBitGenerator {
    /// The generator.
    pub algorithm: RngAlgorithm,
    /// The type of the bits: integers, or floats with such bits.
    pub ty: Type,
}

impl Rules for RngBitGenerator {
    fn name(&self) -> &'static str {
        "rng_bit_generator"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let state = operands[0];
        let words: &[usize] = match self.algorithm {
            RngAlgorithm::Threefry => &[2],
            RngAlgorithm::Default | RngAlgorithm::Philox => &[2, 3],
        };
        let fits = words.iter().any(|&n| state == Type::tensor(DType::U64, [n]));
        if !fits {
            let needed = if words.len() == 1 { "u64[2]" } else { "u64[2] or u64[3]" };
            return Err(Error::program(format!("the state is {state}, {:?} needs {needed}", self.algorithm)));
        }
        if !(self.ty.dtype().is_integer() || self.ty.dtype().is_float()) {
            return Err(Error::program(format!("makes integers or floats, not {}", self.ty)));
        }
        self.ty.elements()?;
        Ok(TypeVec::from_slice(&[state, self.ty]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("random bits are not linear"))
    }

    /// One state after another.
    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let mut b = Builder::new("bits");
        b.set_source(cx.b.source());
        let state = b.param(cx.ty(0), "state");
        let results = b.push(self.clone(), &[state])?;
        let body = Arc::new(b.finish(&results)?);
        let scan = Scan { body, consts: 0, carry: 0, length: cx.size, reverse: false };
        let results = cx.b.push(scan, &[cx.operands[0].value])?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Refuse("its new state depends on how many bits it draws"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        // About what Threefry needs for 32 bits.
        Cost::new(39.0 * self.ty.bytes()? as f64 / 4.0, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Random bits from a key and a counter, and the counter moved on; the bits of XLA.",
            source: "StableHLO specification, rng_bit_generator",
        }
    }

    no_programs!();
    pure!(Save);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let state = |words: &[u64]| {
            vec![Literal::from_slice(&[words.len()], words).expect("invariant: as many as there are")]
        };
        let bits = |algorithm, dtype, dims: &[usize]| RngBitGenerator {
            algorithm,
            ty: Type::tensor(dtype, dims.iter().copied()),
        };
        vec![
            Example::new("default", bits(RngAlgorithm::Default, DType::U32, &[5]), state(&[1, 2])),
            Example::new("threefry", bits(RngAlgorithm::Threefry, DType::U32, &[3, 3]), state(&[1, 2])),
            Example::new("philox", bits(RngAlgorithm::Philox, DType::U64, &[3]), state(&[1, u64::MAX, 3])),
            Example::new("a narrow type", bits(RngAlgorithm::Threefry, DType::U8, &[4]), state(&[5, 6])),
        ]
    }
}
