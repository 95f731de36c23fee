use rustc_hash::FxHashMap;

use crate::program::{Program, Value};

impl Program {
    /// Pairs of instructions, by index, that have to run in this order although no value passes from one to the other:
    /// ordered instructions, one after another, and what reads or writes a reference around each write of it.
    ///
    /// There are about as many pairs as instructions with such effects; the order of all others follows from them.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::Builder;
    /// use jarrah_hlo::ops::{Load, Store};
    ///
    /// let mut b = Builder::new("double in place");
    /// let x = b.param(Type::reference(DType::F32, [8]), "x");
    /// let old = b.one(Load, &[x])?;
    /// let new = b.add(old, old)?;
    /// b.push(Store, &[x, new])?;
    /// assert_eq!(b.finish(&[])?.order_edges(), [(0, 2)]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn order_edges(&self) -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        if self.effects().is_pure() {
            return edges;
        }
        let mut last_ordered = None;
        // For each reference the last write, and the reads since.
        let mut accesses: FxHashMap<Value, (Option<usize>, Vec<usize>)> = FxHashMap::default();
        for (index, instr) in self.instrs.iter().enumerate() {
            let effects = instr.op.effects();
            if effects.ordered {
                edges.extend(last_ordered.map(|last| (last, index)));
                last_ordered = Some(index);
            }
            if !effects.reads && !effects.writes {
                continue;
            }
            for &reference in instr.operands.iter().filter(|v| self.ty(**v).is_ref()) {
                let (write, reads) = accesses.entry(reference).or_default();
                match effects.writes {
                    true if reads.is_empty() => edges.extend(write.map(|write| (write, index))),
                    true => edges.extend(reads.drain(..).map(|read| (read, index))),
                    false => {
                        edges.extend(write.map(|write| (write, index)));
                        reads.push(index);
                    }
                }
                if effects.writes {
                    *write = Some(index);
                }
            }
        }
        edges
    }
}
