use jarrah_array::{Array, Tree, lax};

use crate::{GradientTransformation, Leaves};

#[derive(Clone, Tree)]
struct State {
    inner_state: Leaves,
}

/// `inner` on the real and the imaginary part of complex leaves, as on two leaves, `0` and `1` below the leaf's path; real leaves are
/// one leaf, `0`.
///
/// ```
/// use jarrah_array::{Array, c64};
/// use jarrah_optim::contrib::split_real_and_imaginary;
/// use jarrah_optim::transforms::clip;
/// let t = split_real_and_imaginary(clip(1.0));
/// let g = Array::scalar(c64 { re: 3.0, im: -0.5 });
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.item::<c64>()?, c64 { re: 1.0, im: -0.5 });
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn split_real_and_imaginary(inner: GradientTransformation) -> GradientTransformation {
    let first = inner.clone();
    GradientTransformation::with_extra(
        "split_real_and_imaginary",
        move |params: &Leaves| State { inner_state: first.start(&split(params)) },
        move |updates, state, params, extra| {
            let extra = extra.about(split, |parts| join(parts, params));
            let (parts, inner_state) =
                inner.step(&split(updates), &state.inner_state, &split(params), &extra)?;
            Ok((join(&parts, updates), State { inner_state }))
        },
    )
}

fn split(leaves: &Leaves) -> Leaves {
    leaves.nested(|x| if x.dtype().is_complex() { vec![x.real(), x.imag()] } else { vec![x.clone()] })
}

fn join(parts: &Leaves, like: &Leaves) -> Leaves {
    let mut parts = parts.arrays().iter();
    let mut next = || parts.next().expect("invariant: a part for each leaf");
    like.map(|x: &Array| if x.dtype().is_complex() { lax::complex(next(), next()) } else { next().clone() })
}
