//! Wrong shapes, dtypes, axes and indices, as NumPy and PyTorch users write them.

use jarrah_array::lax::{ConvOptions, Monoid, WindowOptions};
use jarrah_array::*;

use super::{Case, case, scalar, vector};

fn matrix(rows: usize, columns: usize) -> Array {
    Array::ones(&[rows, columns])
}

fn integers(extent: usize) -> Array {
    Array::zeros(&[extent]).astype(DType::I32)
}

pub(super) fn cases() -> Vec<Case> {
    vec![
        case("a product with the factors in the wrong order", || matrix(3, 4).matmul(&matrix(3, 2))),
        case("a product with a number as an array", || matrix(3, 4).matmul(&scalar())),
        case("an inner product of vectors of different lengths", || vector(3).dot(&vector(4))),
        case("einsum with an operand too few", || numpy::einsum("ij,jk", &[&matrix(2, 3)])),
        case("einsum with extents that differ", || {
            numpy::einsum("ij,jk->ik", &[&matrix(2, 3), &matrix(2, 3)])
        }),
        case("einsum with a letter too many", || numpy::einsum("ijk->i", &[&matrix(2, 3)])),
        case("einsum with a result from nowhere", || numpy::einsum("ij->ik", &[&matrix(2, 3)])),
        case("a vector for each row without a new axis", || matrix(3, 2) + vector(3)),
        case("concatenated rows of different lengths", || concatenate(&[&matrix(2, 3), &matrix(2, 4)], 0)),
        case("concatenated along an axis that is not there", || concatenate(&[&vector(2), &vector(2)], 1)),
        case("nothing to stack", || stack(&[], 0)),
        case("broadcast to a shorter shape", || matrix(2, 3).broadcast_to(&[3])),
        case("broadcast to another extent", || vector(3).broadcast_to(&[2, 4])),
        case("reshaped to another size", || vector(6).reshape(&[4, 2])),
        case("reshaped with a rest", || vector(5).reshape(&[2, -1])),
        case("squeezed along a long axis", || matrix(2, 3).squeeze(0)),
        case("transposed with an axis twice", || matrix(2, 3).transpose(&[0, 0])),
        case("a sum along an axis that is not there", || matrix(2, 3).sum(2)),
        case("a mean along a negative axis that is not there", || vector(2).mean(-2)),
        case("an index past the end", || vector(3).index(5)),
        case("too many indices", || vector(3).index((0, 0))),
        case("an index that is a float", || vector(3).index(Array::from_slice(&[0.5f32]))),
        case("a mask of another length", || vector(3).index(vector(4).gt(0.0))),
        case("written values of another shape", || matrix(2, 3).at(0).set(vector(2))),
        case("split into unequal parts", || vector(5).split(2, 0)),
        case("a condition of another shape", || where_(&vector(3).gt(0.0), vector(2), 0.0)),
        case("classes that are floats", || vector(3).one_hot(4, DType::F32)),
        case("bits of floats", || vector(3) & vector(3)),
        case("the complement of floats", || !vector(3)),
        case("a shift of floats", || vector(3).shift_left(vector(3))),
        case("a complex number rounded", || vector(3).astype(DType::C64).floor()),
        case("a number too large for bytes", || Array::zeros(&[2]).astype(DType::U8) + 300),
        case("a running sum along an axis that is not there", || vector(3).cumsum(1)),
        case("more of the largest than there are", || lax::top_k(&vector(3), 4)),
        case("padding for other axes", || matrix(2, 3).pad(&[(1, 1); 3], numpy::PadMode::Edge)),
        case("the diagonal of a cube", || Array::ones(&[2, 2, 2]).diag(0)),
        case("the cross product of long vectors", || vector(4).cross(&vector(4))),
        case("the determinant of what is not square", || linalg::det(&matrix(2, 3))),
        case("a transform along an axis that is not there", || fft::over([1]).fft(&vector(4))),
        case("a convolution over other channels", || {
            let (image, kernel) = (Array::ones(&[1, 3, 8, 8]), Array::ones(&[4, 1, 3, 3]));
            lax::conv_general_dilated(&image, &kernel, &ConvOptions::default())
        }),
        case("a window for other axes", || {
            lax::reduce_window(&matrix(4, 4), Monoid::Add, &[2], &WindowOptions::default())
        }),
        case("a dynamic slice longer than the array", || {
            lax::dynamic_slice(&vector(3), &[Array::scalar(0i32)], &[4])
        }),
        case("two dtypes in lax", || lax::select(&vector(2).gt(0.0), &vector(2), &integers(2))),
        case("heads that differ", || {
            let heads = |n: usize| Array::ones(&[1, 4, n, 8]);
            nn::dot_product_attention(&heads(6), &heads(4), &heads(4), &nn::AttentionOptions::default())
        }),
        case("tensors contracted over extents that differ", || {
            numpy::tensordot(&matrix(2, 3), &matrix(2, 3), &[1], &[0])
        }),
        case("a sorted table of many columns", || matrix(2, 3).searchsorted(vector(1), numpy::Side::Left)),
        case("taken along an axis that is not there", || vector(3).take(&integers(1), 1)),
        case("a key of too many words", || random::Key::from_words(Array::from_slice(&[1u32, 2, 3]))),
        case("joined to an array of another shape", || {
            concatenate(&[&matrix(2, 3), &matrix(1, 3), &matrix(2, 4)], 0)
        }),
        case("a category of one number", || random::Key::new(0).categorical(&scalar())),
        case("more choices than there are", || random::Key::new(0).choice_distinct(&vector(3), &[4], 0)),
        case("random bits of floats", || random::Key::new(0).bits(&[3], DType::F32)),
        case("probabilities of another shape", || random::Key::new(0).bernoulli(vector(3), &[2])),
        case("a covariance that is not square", || {
            random::Key::new(0).multivariate_normal(&[], &vector(2), &matrix(2, 3))
        }),
        case("truth values subtracted", || vector(3).gt(0.0) - vector(3).gt(1.0)),
        case("trees of other structure combined", || {
            vec![vector(3)].zip_map([&vec![vector(3), vector(3)]], |a, [b]| a + b).unwrap()
        }),
        case("a flat vector of another size", || ravel(&(vector(3), matrix(2, 3))).1(&vector(4))),
        case("a whole array as a number", || vector(3).item::<f32>().unwrap()),
        case("integers read as floats", || integers(2).to_vec::<f32>().unwrap()),
    ]
}
