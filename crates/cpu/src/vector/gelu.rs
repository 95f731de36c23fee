//! Recognises the tanh form of gelu, whose nine instructions then run as one step.

use jarrah_base::DType;
use jarrah_tile::{Binary, Inst, LoopKernel, Reg, Unary};

use super::body::{Args, Body};
use super::functions::tanh_f32;

/// `h · ((tanh(k · (h + c · h³)) + 1) · ½)`, or with `half_first` `(h · ½) · (tanh(...) + 1)`.
#[derive(Clone)]
pub(super) struct Gelu {
    pub h: Reg,
    pub c: Reg,
    pub k: Reg,
    pub half_first: bool,
    /// The instructions of the pattern, without the root.
    pub inner: Vec<usize>,
}

struct Matcher<'a> {
    kernel: &'a LoopKernel,
    inner: Vec<usize>,
}

impl Matcher<'_> {
    fn binary(&self, r: Reg, f: Binary) -> Option<[Reg; 2]> {
        match self.kernel.body[r.index()] {
            Inst::Binary(g, x, y) if g == f => Some([x, y]),
            _ => None,
        }
    }

    /// The operands of a commutative `f` at an inner instruction, in both orders.
    fn either(&mut self, r: Reg, f: Binary) -> Option<[[Reg; 2]; 2]> {
        let [x, y] = self.binary(r, f)?;
        self.inner.push(r.index());
        Some([[x, y], [y, x]])
    }

    fn is(&self, r: Reg, value: f32) -> bool {
        matches!(self.kernel.body[r.index()], Inst::Const(s)
            if s.dtype == DType::F32 && s.bits == u64::from(value.to_bits()))
    }

    fn constant(&self, r: Reg) -> bool {
        matches!(self.kernel.body[r.index()], Inst::Const(_))
    }

    /// `tanh(k · (h + c · h³)) + 1` at `r`.
    fn gate(&mut self, r: Reg, h: Reg) -> Option<(Reg, Reg)> {
        let [t, _] = self.either(r, Binary::Add)?.into_iter().find(|p| self.is(p[1], 1.0))?;
        let Inst::Unary(Unary::Tanh, scaled) = self.kernel.body[t.index()] else { return None };
        self.inner.push(t.index());
        let [sum, k] = self.either(scaled, Binary::Multiply)?.into_iter().find(|p| self.constant(p[1]))?;
        let [_, cubic] = self.either(sum, Binary::Add)?.into_iter().find(|p| p[0] == h)?;
        let [cube, c] = self.either(cubic, Binary::Multiply)?.into_iter().find(|p| self.constant(p[1]))?;
        let [_, square] = self.either(cube, Binary::Multiply)?.into_iter().find(|p| p[0] == h)?;
        let [x, y] = self.either(square, Binary::Multiply)?[0];
        (x == h && y == h).then_some((c, k))
    }
}

/// Matches gelu with its last multiplication at instruction `root`.
pub(super) fn find(kernel: &LoopKernel, root: usize) -> Option<Gelu> {
    let Inst::Binary(Binary::Multiply, x, y) = kernel.body[root] else { return None };
    for [a, b] in [[x, y], [y, x]] {
        for half_first in [false, true] {
            let mut m = Matcher { kernel, inner: Vec::new() };
            let halved = if half_first { a } else { b };
            let Some(orders) = m.either(halved, Binary::Multiply) else { continue };
            let Some([rest, _]) = orders.into_iter().find(|p| m.is(p[1], 0.5)) else { continue };
            let (h, gate) = if half_first { (rest, b) } else { (a, rest) };
            if let Some((c, k)) = m.gate(gate, h) {
                return Some(Gelu { h, c, k, half_first, inner: m.inner });
            }
        }
    }
    None
}

/// The step of a [`Gelu`]: `src0` is h, `src1` the constant c, `src2` the constant k.
pub(super) struct GeluBody<const HALF_FIRST: bool>;

impl<const HALF_FIRST: bool> Body for GeluBody<HALF_FIRST> {
    #[inline(always)]
    unsafe fn run(args: &Args) {
        for r in 0..args.rows {
            // SAFETY: `Body::run`'s promise; the constants have one element.
            unsafe {
                let (d, s) = (args.dst_row::<f32>(r), args.src_row::<f32>(0, r));
                let (c, k) = (*args.src_at::<f32>(1, r), *args.src_at::<f32>(2, r));
                for (d, &h) in d.iter_mut().zip(s) {
                    // Every operation rounds as its instruction does.
                    let cubic = h * h * h * c;
                    let gate = tanh_f32((h + cubic) * k) + 1.0;
                    *d = if HALF_FIRST { (h * 0.5) * gate } else { h * (gate * 0.5) };
                }
            }
        }
    }
}
