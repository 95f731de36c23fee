use jarrah_array::{Array, DType, Error, Tree, concatenate, fail, lax};

/// Adapters of low rank of one linear layer, of which each row of a batch takes one or none: what stands at `adapters` below a
/// [`Linear`](crate::Linear) in the state of a pass.
///
/// ```text
/// y[n] = x[n] W + s[i] (x[n] A[i]) B[i]        for the rows n of adapter i
/// ```
///
/// Rows of one adapter stand together, and in the order of the adapters; those behind take none: [`AdapterRows`] says how many there are of each. The
/// adapters are arguments of the pass, so others may take their place between two calls of a compiled function.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{AdapterRows, Adapters, Context, Linear, Module, State};
/// let layer = Linear::new(&Key::new(0), 4, 3);
/// let mut state = State::default();
/// state.set("adapters", Adapters::empty(2, 4, 3, 8));
/// let rows = AdapterRows { sizes: Array::from_slice(&[1i32, 0]) };
/// let x = Array::ones(&[2, 4]);
/// let y = layer.call(&x, &mut Context::eval().with_state(&state).with(rows));
/// assert_eq!(y.to_vec::<f32>()?, layer.forward(&x).to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen et al., Punica: multi-tenant LoRA serving (2023).
#[derive(Clone, Debug, Tree)]
pub struct Adapters {
    /// `A`, `f32[adapters, inputs, rank]`.
    pub a: Array,
    /// `B`, `f32[adapters, rank, outputs]`.
    pub b: Array,
    /// `s`, `f32[adapters]`.
    pub scales: Array,
}

/// Which adapter of [`Adapters`] each row of a pass uses; passed through [`Context::about`](crate::Context::about).
#[derive(Clone, Debug)]
pub struct AdapterRows {
    /// How many rows take each adapter, integers `[adapters]`.
    pub sizes: Array,
}

impl Adapters {
    /// Empty places for `count` adapters of a layer, each of which leaves the layer's result unchanged.
    pub fn empty(count: usize, inputs: usize, outputs: usize, rank: usize) -> Self {
        Adapters {
            a: Array::zeros(&[count, inputs, rank]),
            b: Array::zeros(&[count, rank, outputs]),
            scales: Array::zeros(&[count]),
        }
    }

    /// These adapters with the adapter at index `at` replaced: by `a: [inputs, r]`, `b: [r, outputs]` and a scale, with `r` at
    /// most the rank that there is room for; or, for `None`, by an adapter that changes nothing.
    #[must_use]
    #[track_caller]
    pub fn with(&self, at: usize, adapter: Option<(&Array, &Array, f64)>) -> Self {
        let (dims, outputs) = (self.a.shape(), self.b.shape()[2]);
        let (inputs, rank) = (dims[1], dims[2]);
        let (a, b, scale) = match adapter {
            None => (Array::zeros(&[inputs, rank]), Array::zeros(&[rank, outputs]), 0.0),
            Some((a, b, scale)) => {
                let own = a.shape().last().copied().unwrap_or(0);
                if a.shape() != [inputs, own] || b.shape() != [own, outputs] || own > rank {
                    let error = format!(
                        "an adapter of {} and {} does not fit a layer [{inputs},{outputs}] with room for rank {rank}",
                        a.ty(),
                        b.ty()
                    );
                    fail(Error::program(error).op("adapters"));
                }
                let zeros = |shape: [usize; 2]| Array::zeros(&shape);
                let a = concatenate(&[&a.astype(DType::F32), &zeros([inputs, rank - own])], 1);
                let b = concatenate(&[&b.astype(DType::F32), &zeros([rank - own, outputs])], 0);
                (a, b, scale)
            }
        };
        Adapters {
            a: self.a.at(at).set(&a),
            b: self.b.at(at).set(&b),
            scales: self.scales.at(at).set(Array::scalar(scale as f32)),
        }
    }

    /// `y`, the result of the layer's weight for `x: [.., inputs]`, plus the contribution of each row's adapter, in the dtype of
    /// `y`.
    #[track_caller]
    pub fn added(&self, y: &Array, x: &Array, rows: &AdapterRows) -> Array {
        let inputs = self.a.shape()[1];
        let flat = x.reshape(&[-1, inputs as isize]).astype(DType::F32);
        let narrow = lax::ragged_dot(&flat, &self.a, &rows.sizes);
        let wide = lax::ragged_dot(&narrow, &self.b, &rows.sizes);
        // The scale of each row's adapter. Rows behind the last adapter's rows are zero, so any scale will do for them.
        let ends = rows.sizes.astype(DType::I32).cumsum(0);
        let at = lax::iota(DType::I32, &[flat.shape()[0], 1], 0);
        let which = at.ge(ends.expand_dims(0)).astype(DType::I32).sum(1);
        let scales = self.scales.take(&which.clip(0, self.scales.shape()[0] - 1), 0);
        let delta = (wide * scales.expand_dims(-1)).astype(y.dtype());
        y + delta.reshape(&y.shape())
    }
}
