use rustc_hash::FxHashMap;

use super::{Attr, IrModule, IrOp, Region, ValueId};

impl IrModule {
    /// Whether both say the same, wherever they were read from and however values are numbered; locations do not count.
    pub fn same(&self, other: &IrModule) -> bool {
        Comparison { left: self, right: other, pairs: FxHashMap::default() }.ops(&self.op, &other.op)
    }

    /// Whether two ops of the module say the same, but for what they work on.
    pub(crate) fn same_op(&self, a: &IrOp, b: &IrOp) -> bool {
        let pairs = a.operands.iter().copied().zip(b.operands.iter().copied()).collect();
        Comparison { left: self, right: self, pairs }.ops(a, b)
    }
}

struct Comparison<'m> {
    left: &'m IrModule,
    right: &'m IrModule,
    /// Which value on the right stands for one on the left.
    pairs: FxHashMap<ValueId, ValueId>,
}

impl Comparison<'_> {
    fn ops(&mut self, a: &IrOp, b: &IrOp) -> bool {
        a.definition == b.definition
            && a.operands.len() == b.operands.len()
            && a.operands.iter().zip(&b.operands).all(|(a, b)| self.pairs.get(a) == Some(b))
            && a.attributes.len() == b.attributes.len()
            && a.attributes.iter().zip(b.attributes.iter()).all(|(a, b)| a.0 == b.0 && attrs(a.1, b.1))
            && a.regions.len() == b.regions.len()
            && a.regions.iter().zip(&b.regions).all(|(a, b)| self.regions(a, b))
            && self.define(&a.results, &b.results)
    }

    fn regions(&mut self, a: &Region, b: &Region) -> bool {
        self.define(&a.args, &b.args)
            && a.ops.len() == b.ops.len()
            && a.ops.iter().zip(&b.ops).all(|(a, b)| self.ops(a, b))
    }

    fn define(&mut self, a: &[ValueId], b: &[ValueId]) -> bool {
        self.pairs.extend(a.iter().copied().zip(b.iter().copied()));
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.left.ty(*a) == self.right.ty(*b))
    }
}

/// Equal attributes; floats that are no numbers are equal to themselves.
fn attrs(a: &Attr, b: &Attr) -> bool {
    let bits = |x: &f64, y: &f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    match (a, b) {
        (Attr::Float(x, s), Attr::Float(y, t)) => bits(x, y) && s == t,
        (Attr::Floats(s, a), Attr::Floats(t, b)) => {
            s == t && a.len() == b.len() && a.iter().zip(b).all(|(x, y)| bits(x, y))
        }
        (Attr::Array(a), Attr::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| attrs(a, b)),
        (Attr::Dictionary(a), Attr::Dictionary(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.0 == b.0 && attrs(a.1, b.1))
        }
        _ => a == b,
    }
}
