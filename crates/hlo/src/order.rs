use crate::program::{Instr, Program};

impl Program {
    /// Pairs of instructions, by index, that have to run in this order although no value passes from one to the other:
    /// ordered instructions, one after another.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::ops::{CustomCall, CallTarget};
    /// use jarrah_hlo::{Builder, Effects};
    ///
    /// let mut b = Builder::new("prints");
    /// let x = b.param(Type::tensor(DType::F32, [8]), "x");
    /// let print = CustomCall {
    ///     effects: Effects::ORDERED,
    ///     ..CustomCall::new(CallTarget::Named("print".into()), Vec::new())
    /// };
    /// b.push(print.clone(), &[x])?;
    /// b.push(print, &[x])?;
    /// assert_eq!(b.finish(&[])?.order_edges(), [(0, 1)]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn order_edges(&self) -> Vec<(usize, usize)> {
        let ordered = |(index, instr): (usize, &Instr)| instr.op.effects().ordered.then_some(index);
        let ordered: Vec<usize> = self.instrs.iter().enumerate().filter_map(ordered).collect();
        ordered.windows(2).map(|pair| (pair[0], pair[1])).collect()
    }
}
