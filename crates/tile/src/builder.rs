use jarrah_base::{DType, Result};

use crate::kernel::{Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
use crate::ops::{Axis, Binary, Direction, LoopReducer, Unary};

/// Writes a [`LoopKernel`] instruction by instruction.
///
/// ```
/// use jarrah_base::DType;
/// use jarrah_tile::{Binary, LoopBuilder, LoopReducer, Unary};
///
/// // Softmax of each row of f32[8,128].
/// let mut b = LoopBuilder::new(&[8], 128);
/// let (x, y) = (b.input(DType::F32), b.output(DType::F32));
/// let x = b.load(x, 0, &[128], 1);
/// let max = b.reduce(LoopReducer::Maximum, x);
/// let shifted = b.binary(Binary::Subtract, x, max);
/// let e = b.unary(Unary::Exponential, shifted);
/// let sum = b.reduce(LoopReducer::Add, e);
/// let p = b.binary(Binary::Divide, e, sum);
/// b.store(y, 0, &[128], 1, p);
/// let kernel = b.finish()?;
/// assert_eq!(kernel.to_string().parse::<jarrah_tile::LoopKernel>()?, kernel);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Debug)]
pub struct LoopBuilder {
    kernel: LoopKernel,
}

impl LoopBuilder {
    /// A row kernel over `outer` rows of `cols` columns.
    pub fn new(outer: &[usize], cols: usize) -> LoopBuilder {
        LoopBuilder::column(outer, &[], cols)
    }

    /// A column reduction over the dimensions `reduce`.
    pub fn column(outer: &[usize], reduce: &[usize], cols: usize) -> LoopBuilder {
        LoopBuilder {
            kernel: LoopKernel {
                outer: outer.to_vec(),
                reduce: reduce.to_vec(),
                cols,
                ..LoopKernel::default()
            },
        }
    }

    /// A further input buffer.
    pub fn input(&mut self, dtype: DType) -> usize {
        self.kernel.inputs.push(dtype);
        self.kernel.inputs.len() - 1
    }

    /// A further output buffer.
    pub fn output(&mut self, dtype: DType) -> usize {
        self.kernel.outputs.push(dtype);
        self.kernel.outputs.len() - 1
    }

    /// Appends any instruction.
    pub fn push(&mut self, inst: Inst) -> Reg {
        self.kernel.body.push(inst);
        Reg(self.kernel.body.len() as u32 - 1)
    }

    /// A load: `Row` where `col` is 0, else `Full`.
    pub fn load(&mut self, input: usize, offset: i64, rows: &[i64], col: i64) -> Reg {
        let class = if col == 0 { Class::Row } else { Class::Full };
        self.push(Inst::Load { input, map: Map { offset, rows: rows.to_vec(), col }, class })
    }

    /// A load after the reduction of a column reduction.
    pub fn load_col(&mut self, input: usize, offset: i64, rows: &[i64], col: i64) -> Reg {
        self.push(Inst::Load { input, map: Map { offset, rows: rows.to_vec(), col }, class: Class::Col })
    }

    /// A constant.
    pub fn constant(&mut self, value: ScalarBits) -> Reg {
        self.push(Inst::Const(value))
    }

    /// The `f32` constant `x`.
    pub fn f32(&mut self, x: f32) -> Reg {
        self.constant(ScalarBits::of(x))
    }

    /// The index along `axis` within the loop (not after a column reduction).
    pub fn iota(&mut self, axis: Axis, dtype: DType) -> Reg {
        let class = if axis == Axis::Cols { Class::Full } else { Class::Row };
        self.push(Inst::Iota { axis, dtype, class })
    }

    /// A function of one operand.
    pub fn unary(&mut self, f: Unary, x: Reg) -> Reg {
        self.push(Inst::Unary(f, x))
    }

    /// A function of two operands.
    pub fn binary(&mut self, f: Binary, x: Reg, y: Reg) -> Reg {
        self.push(Inst::Binary(f, x, y))
    }

    /// A comparison; floats as IEEE-754 compares.
    pub fn compare(&mut self, direction: Direction, x: Reg, y: Reg) -> Reg {
        self.push(Inst::Compare { direction, total: false, x, y })
    }

    /// A choice.
    pub fn select(&mut self, pred: Reg, on_true: Reg, on_false: Reg) -> Reg {
        self.push(Inst::Select { pred, on_true, on_false })
    }

    /// A conversion.
    pub fn convert(&mut self, to: DType, x: Reg) -> Reg {
        self.push(Inst::Convert(to, x))
    }

    /// A reduction over the columns, or the reduced dimensions.
    pub fn reduce(&mut self, f: LoopReducer, x: Reg) -> Reg {
        self.push(Inst::Reduce(f, x))
    }

    /// A store.
    pub fn store(&mut self, output: usize, offset: i64, rows: &[i64], col: i64, value: Reg) {
        self.kernel.stores.push(Store { output, map: Map { offset, rows: rows.to_vec(), col }, value });
    }

    /// The kernel, verified.
    ///
    /// # Errors
    /// Every fault that [`LoopKernel::verify`] finds.
    pub fn finish(self) -> Result<LoopKernel> {
        self.kernel.verify()?;
        Ok(self.kernel)
    }
}
