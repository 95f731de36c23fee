//! Numbers beside arrays, dtypes of results, and positions that an array does not have.

use jarrah_array::random::Key;
use jarrah_array::*;
use jarrah_base::with_element;

use crate::errors::{has, panics_here};

fn refused(f: impl FnOnce() -> Array) -> String {
    try_trace(f).unwrap_err().to_string()
}

#[test]
fn a_number_that_does_not_fit_is_an_error_at_the_users_line() {
    let x = Array::from_slice(&[5i32]);
    let message = panics_here(|| {
        let _ = &x + 3_000_000_000i64;
    });
    has(
        &message,
        &["[add]", "3000000000 does not fit i32", "-2147483648 to 2147483647", "use a wider dtype"],
    );
    has(
        &panics_here(|| {
            let _ = Array::full(&[2], 300.0, DType::U8);
        }),
        &["[full]", "300.0 does not fit u8"],
    );
    has(&refused(|| Array::from_slice(&[200u8]) + 300), &["300 does not fit u8", "0 to 255"]);
    has(&refused(|| Array::from_slice(&[200u8]).clip(-1, 100)), &["-1 does not fit u8"]);
    has(&refused(|| Array::full(&[2], -1, DType::U64)), &["-1 does not fit u64"]);
    has(&refused(|| Array::full(&[2], f64::NAN, DType::I32)), &["NaN does not fit i32"]);
    has(&refused(|| Array::full(&[2], c128::new(0.0, 1.0), DType::F32)), &["does not fit f32"]);
    has(&refused(|| where_(&x.lt(0), 3_000_000_000i64, 0)), &["[where]", "does not fit i32"]);
    has(&refused(|| x.pow(-1)), &["[power]", "integers cannot be raised to the power -1"]);
    has(&refused(|| Key::new(0).randint_in(&[2], DType::U8, 0, 300)), &["299 does not fit u8"]);
}

#[test]
fn every_integer_dtype_takes_its_ends_and_nothing_beyond() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        let (lowest, highest) = dtype.integer_range().unwrap();
        let at = |x: i128| {
            let number = Number::Integer(x);
            try_trace(|| (Array::full(&[], number, dtype), Array::zeros_of(Array::full(&[1], 0, dtype).ty())))
                .map(|(full, zero)| [full, zero.maximum(number), where_(&zero.eq(0), number, &zero)])
        };
        for x in [lowest, highest] {
            for array in at(x).unwrap() {
                let literal = array.to_literal().unwrap();
                let expected = if x < 0 && array.rank() > 0 && literal.get_i128(0) == 0 { 0 } else { x };
                assert_eq!((array.dtype(), literal.get_i128(0)), (dtype, expected));
            }
        }
        assert!(at(lowest - 1).is_err() && at(highest + 1).is_err(), "{dtype}");
        for x in [lowest - 1, highest + 1] {
            assert!(try_trace(|| Array::full(&[], x as f64 * 1.000001, dtype)).is_err(), "{dtype} {x}");
        }
    }
}

#[test]
fn operators_take_every_type_of_numbers() {
    let x = Array::from_slice(&[2.0f32]);
    let all =
        [&x + 1i8, &x + 1i16, &x + 1i32, &x + 1i64, &x + 1isize, &x + 1u8, &x + 1u16, &x + 1u32, &x + 1u64];
    let more = [&x + 1usize, &x + 1.0f32, &x + 1.0f64, &x + true, x.clone() + &x / 2, 1 + &x, 1.0 + &x];
    for sum in all.into_iter().chain(more) {
        assert_eq!(sum.to_vec::<f32>().unwrap(), [3.0]);
    }
    let truth = Array::from_slice(&[true, false]);
    assert_eq!((&truth & true).to_vec::<bool>().unwrap(), [true, false]);
    assert_eq!((Array::from_slice(&[6i32]) % 4u8).to_vec::<i32>().unwrap(), [2]);
}

#[test]
fn compound_assignment_changes_the_handle_alone() {
    let mut x = Array::from_slice(&[6i32, 7]);
    let before = x.clone();
    x += 1;
    x -= &before;
    x *= before.clone();
    x %= 4u8;
    assert_eq!((x.to_vec::<i32>().unwrap(), before.to_vec::<i32>().unwrap()), (vec![2, 3], vec![6, 7]));
    x /= 2;
    assert_eq!(x.to_vec::<f32>().unwrap(), [1.0, 1.5]);
    let mut bits = Array::from_slice(&[6u8]);
    bits &= 12;
    bits |= 1;
    bits ^= &bits.clone();
    assert_eq!(bits.to_vec::<u8>().unwrap(), [0]);
    let error = try_trace(|| {
        let mut x = Array::zeros(&[2]);
        x += Array::zeros(&[3]);
    });
    assert!(error.unwrap_err().to_string().contains("tests/numbers.rs"));
}

#[test]
fn integers_never_travel_through_floats() {
    let odd = (1i64 << 53) + 1;
    let x = Array::from_slice(&[odd]);
    let exact = |x: Array| assert_eq!(x.to_vec::<i64>().unwrap(), [odd]);
    exact(Array::full(&[1], odd, DType::I64));
    exact(Array::from_slice(&[0i64]) + odd);
    exact(x.clip(0, 1i64 << 60));
    exact(x.clip(odd, odd));
    exact(x.maximum(odd));
    exact(where_(&x.eq(odd), odd, &x));
    exact(where_(&x.eq(odd - 1), 0, &x));
    exact(x.abs().floor().round().ceil());
    exact(&x % (1i64 << 60));
    let x = Array::full(&[1], u64::MAX, DType::U64);
    assert_eq!(x.to_vec::<u64>().unwrap(), [u64::MAX]);
    assert_eq!(x.minimum(u64::MAX - 2).to_vec::<u64>().unwrap(), [u64::MAX - 2]);
    assert_eq!(x.sum(..).item::<u64>().unwrap(), u64::MAX);
}

#[test]
fn promotion_depends_on_no_order_and_loses_no_integer() {
    for a in DType::ALL {
        for b in DType::ALL {
            let both = promote_types(a, b);
            assert_eq!(both, promote_types(b, a), "{a} {b}");
            if let (Some(x), Some(y), Some(z)) = (a.integer_range(), b.integer_range(), both.integer_range())
            {
                assert!(z.0 <= x.0.min(y.0) && z.1 >= x.1.max(y.1), "{a} {b} {both}");
            }
        }
    }
    let promoted = [
        (DType::I4, DType::I8, DType::I8),
        (DType::I64, DType::U64, DType::F64),
        (DType::C64, DType::F64, DType::C128),
        (DType::F64, DType::C64, DType::C128),
        (DType::F16, DType::BF16, DType::F32),
        (DType::F8E4M3FN, DType::F4E2M1FN, DType::F32),
        (DType::F8E4M3FN, DType::BF16, DType::BF16),
    ];
    for (a, b, both) in promoted {
        assert_eq!(promote_types(a, b), both, "{a} {b}");
    }
}

#[test]
fn a_complex_number_is_no_double() {
    let z = Array::scalar(c64::new(1.0, 2.0));
    has(&z.to_f64().unwrap_err().to_string(), &["c64[] is complex", "real()"]);
    assert_eq!(z.imag().to_f64().unwrap(), 2.0);
}

#[test]
fn sums_are_wide() {
    let x = Array::full(&[300], 100, DType::I8);
    assert_eq!(x.sum(..).item::<i64>().unwrap(), 30_000);
    assert_eq!(x.cumsum(0).index(-1).item::<i64>().unwrap(), 30_000);
    assert_eq!(Array::full(&[5], 200, DType::U8).prod(0).item::<u64>().unwrap(), 200u64.pow(5));
    assert_eq!(Array::from_slice(&[3u8, 100]).cumprod(0).to_vec::<u64>().unwrap(), [3, 300]);
    for dtype in DType::ALL.into_iter().filter(|d| d.is_integer() || *d == DType::Bool) {
        let ones = Array::full(&[3], 1, dtype);
        let wide = if dtype.name().starts_with('u') { DType::U64 } else { DType::I64 };
        assert_eq!((ones.sum(..).dtype(), ones.cumprod(0).dtype()), (wide, wide), "{dtype}");
        assert_eq!(ones.sum(..).to_literal().unwrap().get_i128(0), 3, "{dtype}");
    }
}

#[test]
fn means_of_narrow_floats_are_summed_and_divided_wide() {
    for dtype in [DType::F16, DType::BF16] {
        let ones = Array::full(&[70_000], 1.0, dtype);
        assert_eq!((ones.mean(..).dtype(), ones.mean(..).to_f64().unwrap()), (dtype, 1.0));
        let spread =
            concatenate(&[&Array::full(&[40_000], -3.0, dtype), &Array::full(&[40_000], 3.0, dtype)], 0);
        assert_eq!((spread.var(0).dtype(), spread.var(0).to_f64().unwrap()), (dtype, 9.0));
    }
}

#[test]
fn every_dtype_knows_its_finite_numbers() {
    for dtype in DType::ALL {
        let specials = [1.0, 2.0, f64::INFINITY, f64::NAN];
        let literal = if dtype.is_differentiable() {
            Literal::from_f64s(jarrah_base::Type::tensor(dtype, [4usize]), &specials).unwrap()
        } else {
            Literal::full(jarrah_base::Type::tensor(dtype, [4usize]), 1.0).unwrap()
        };
        let expected: Vec<u8> = literal.to_f64_vec().iter().map(|x| x.is_finite().into()).collect();
        let x = Array::from_literal(literal);
        let finite = |x: &Array| x.isfinite().to_literal().unwrap().as_slice::<u8>().unwrap().to_vec();
        assert_eq!(finite(&x), expected, "{dtype}");
        let jitted = jit(|x: &Array| x.isfinite()).call(x.clone()).unwrap();
        assert_eq!(jitted.to_literal().unwrap().as_slice::<u8>().unwrap(), expected, "{dtype}");
    }
    let huge = Array::from_slice(&[c128::new(1e308, 1e308), c128::new(0.0, f64::INFINITY)]);
    assert_eq!(huge.isfinite().to_literal().unwrap().as_slice::<u8>().unwrap(), [1, 0]);
}

#[test]
fn every_float_and_complex_dtype_stops_gradients() {
    for dtype in DType::ALL.into_iter().filter(|d| d.is_differentiable()) {
        let x = Array::full(&[2], 2.0, dtype);
        assert_eq!(stop_gradient(&x).to_literal().unwrap(), x.to_literal().unwrap(), "{dtype}");
    }
    let slope = grad(|z: &Array| (z * stop_gradient(z)).real().sum(..));
    let z = Array::from_slice(&[c64::new(1.0, 2.0)]);
    assert_eq!(slope(&z).to_vec::<c64>().unwrap(), [c64::new(1.0, 2.0)]);
}

#[test]
fn the_largest_of_nothing_is_an_error() {
    let none = Array::zeros(&[0, 3]);
    has(&refused(|| none.max(0)), &["[max]", "axis 0 of f32[0,3] has no element"]);
    has(&refused(|| none.min(-2)), &["[min]", "has no element"]);
    has(&refused(|| none.argmax(0)), &["[argmax]", "axis 0 of f32[0,3] has no element"]);
    assert_eq!(none.max(1).shape(), [0]);
    assert_eq!(none.logsumexp(0).to_vec::<f32>().unwrap(), [f32::NEG_INFINITY; 3]);
    assert_eq!(none.softmax(0).shape(), [0, 3]);
    for dtype in DType::ALL {
        let ones = Array::full(&[3], 1, dtype);
        let one = ones.index(0).to_literal().unwrap();
        assert_eq!(ones.max(0).to_literal().unwrap(), one, "{dtype}");
        assert_eq!(ones.min(0).to_literal().unwrap(), one, "{dtype}");
    }
}

#[test]
fn sizes_that_overflow_are_errors() {
    let wide = 1usize << 40;
    has(&refused(|| Array::zeros(&[wide, wide])), &["too many elements"]);
    has(&refused(|| Array::zeros(&[0, wide, wide])), &["too many elements"]);
    let abstracted = Array::abstracted(jarrah_base::Type::tensor(DType::F32, [wide, wide]));
    assert!(try_trace(|| abstracted.size()).unwrap_err().message().contains("too many elements"));
    has(
        &try_trace(|| eval_shape(|x: &Array| x.clone(), &abstracted)).unwrap_err().to_string(),
        &["too many elements"],
    );
    has(&refused(|| Array::zeros(&[0]).reshape(&[0, 1isize << 40, 1 << 40])), &["cannot be reshaped"]);
    has(&refused(|| Array::zeros(&[4]).reshape(&[1isize << 62, 1 << 62, -1])), &["cannot be reshaped"]);
    has(&refused(|| Array::zeros(&[4]).slice(0, 0..=usize::MAX)), &["[slice]"]);
    has(
        &refused(|| {
            let all = (std::ops::Bound::Excluded(usize::MAX), std::ops::Bound::Unbounded);
            Array::zeros(&[4]).slice(0, all)
        }),
        &["[slice]"],
    );
    has(&refused(|| Array::arange(1usize << 31)), &["[arange]", "do not fit i32"]);
    has(&refused(|| Key::new(0).uniform(&[1 << 33])), &["[bits]"]);
}

#[test]
fn one_hot_takes_narrow_indices_to_many_classes() {
    let hot = Array::from_slice(&[44u8, 255]).one_hot(301, DType::U8);
    assert_eq!(hot.sum(-1).to_vec::<u64>().unwrap(), [1, 1]);
    assert_eq!(hot.argmax(-1).to_vec::<i32>().unwrap(), [44, 255]);
    assert_eq!(Array::from_slice(&[-1i8, 3]).one_hot(3, DType::F32).sum(..).item::<f32>().unwrap(), 0.0);
    has(&refused(|| Array::zeros(&[2]).one_hot(3, DType::F32)), &["[one_hot]", "must be integers"]);
}

/// The elements at `places`, NaN for what fills.
fn taken(x: &Array, places: &[i64], dtype: DType, mode: TakeMode) -> Vec<f64> {
    let literal = Literal::from_i128s(
        jarrah_base::Type::tensor(dtype, [places.len()]),
        &places.iter().map(|&p| p.into()).collect::<Vec<_>>(),
    );
    let indices = Array::from_literal(literal.unwrap());
    let flat = x.take_with(&indices, 0, mode).to_literal().unwrap();
    let along = x.take_along_axis_with(&indices, 0, mode).to_literal().unwrap();
    assert_eq!(flat, along);
    flat.to_f64_vec()
}

#[test]
fn places_out_of_range_are_filled_clipped_or_wrapped() {
    for dtype in DType::ALL {
        let values = with_element!(dtype, T => {
            [1.0, 2.0, 1.0].map(|x| <T as Element>::to_f64(<T as Element>::from_f64(x)))
        });
        let values = if dtype == DType::Bool { [1.0, 0.0, 1.0] } else { values };
        let x = Array::from_literal(
            Literal::from_f64s(jarrah_base::Type::tensor(dtype, [3usize]), &values).unwrap(),
        );
        let fill = match dtype.integer_range() {
            Some((lowest, _)) if lowest < 0 => lowest as f64,
            Some((_, highest)) => highest as f64,
            None => with_element!(dtype, T => <T as Element>::to_f64(<T as Element>::from_f64(f64::NAN))),
        };
        let found = taken(&x, &[0, 2, 3, -1, -3, -4, 127], DType::I8, TakeMode::Fill);
        let expected = [values[0], values[2], fill, values[2], values[0], fill, fill];
        let same = found.iter().zip(expected).all(|(a, b)| *a == b || a.is_nan() && b.is_nan());
        assert!(same, "{dtype} {found:?} {expected:?}");
    }
    let x = Array::arange(300).astype(DType::F64);
    let places = [0, 299, 300, -1, -300, -301, 601];
    let clipped = taken(&x, &places, DType::I32, TakeMode::Clip);
    assert_eq!(clipped, [0.0, 299.0, 299.0, 0.0, 0.0, 0.0, 299.0]);
    let wrapped = taken(&x, &places, DType::I64, TakeMode::Wrap);
    assert_eq!(wrapped, [0.0, 299.0, 0.0, 299.0, 0.0, 299.0, 1.0]);
    for dtype in [DType::I8, DType::U8, DType::U64] {
        assert_eq!(taken(&x, &[5, 127], dtype, TakeMode::Fill), [5.0, 127.0]);
    }
    assert_eq!(taken(&x, &[-1], DType::I8, TakeMode::Fill), [299.0]);
    assert!(taken(&x, &[-1], DType::U64, TakeMode::Fill)[0].is_nan(), "the largest u64 is no place");
    has(&refused(|| Array::zeros(&[0]).take(&Array::arange(1), 0)), &["[take]", "no element to take"]);
}

#[test]
fn what_is_filled_has_no_gradient() {
    let x = Array::from_slice(&[1.0f32, 2.0, 3.0]);
    let places = Array::from_slice(&[0i32, 2, 3, -1, -7]);
    let slope = grad(|x: &Array| x.take(&places, 0).sum(..))(&x);
    assert_eq!(slope.to_vec::<f32>().unwrap(), [1.0, 0.0, 2.0]);
    let slope = grad(|x: &Array| x.take_with(&places, 0, TakeMode::Clip).sum(..))(&x);
    assert_eq!(slope.to_vec::<f32>().unwrap(), [3.0, 0.0, 2.0]);
    let table = Array::new(&[1.0f32, 2.0, 3.0, 4.0], &[2, 2]);
    let rows = table.take(&Array::new(&[1i32, 5], &[1, 2]), 0);
    assert_eq!(rows.shape(), [1, 2, 2]);
    let rows = rows.to_vec::<f32>().unwrap();
    assert_eq!(rows[..2], [3.0, 4.0]);
    assert!(rows[2].is_nan() && rows[3].is_nan());
    let columns = table.take(&Array::from_slice(&[-1i32]), 1);
    assert_eq!(columns.to_vec::<f32>().unwrap(), [2.0, 4.0]);
}

#[test]
fn the_widest_positions_wrap_too() {
    let x = Array::from_slice(&[0.0f32, 10.0, 20.0, 30.0, 40.0]);
    let places = Array::from_slice(&[(1u64 << 63) + 1, u64::MAX]);
    assert_eq!(x.take_with(&places, 0, TakeMode::Wrap).to_vec::<f32>().unwrap(), [40.0, 0.0]);
}

#[test]
fn nothing_is_taken_of_nothing() {
    let (x, none) = (Array::zeros(&[0, 3]), Array::arange(0));
    for mode in [TakeMode::Fill, TakeMode::Clip, TakeMode::Wrap] {
        assert_eq!(x.take_with(&none, 0, mode).shape(), [0, 3]);
        let places = none.reshape(&[0, 1]).broadcast_to(&[0, 3]);
        assert_eq!(x.take_along_axis_with(&places, 0, mode).shape(), [0, 3]);
    }
}

#[test]
fn scaled_products_of_nothing_are_products_of_nothing() {
    let configs = [const { nn::BlockScaleConfig::Mxfp8 }; 3];
    let dot =
        |x: &Array, y: &Array| nn::scaled_dot_general(x, y, (&[2], &[2]), (&[0], &[0]), DType::F32, &configs);
    for (b, m, n) in [(2, 0, 3), (2, 3, 0), (0, 2, 3), (0, 0, 0)] {
        let both = (Array::ones(&[b, m, 32]), Array::ones(&[b, n, 32]));
        assert_eq!(dot(&both.0, &both.1).shape(), [b, m, n]);
        let (dx, dy) = grad(|(x, y): &(Array, Array)| dot(x, y).sum(..))(&both);
        assert_eq!([dx.ty(), dy.ty()], [both.0.ty(), both.1.ty()]);
        assert!([dx, dy].iter().all(|slope| slope.to_vec::<f32>().unwrap().iter().all(|x| *x == 0.0)));
    }
    let none = Array::ones(&[2, 3, 0]);
    let error = try_trace(|| dot(&none, &none)).unwrap_err().to_string();
    assert!(error.contains("0 elements are multiplied and added, in blocks of 32"), "{error}");
}

/// The numbers `1, 2, ..., n` in a dtype.
fn counted(n: usize, dtype: DType) -> Array {
    (Array::arange(n as i64) + 1).astype(DType::F64).astype(dtype)
}

fn same(a: &Array, b: &Array) -> bool {
    a.dtype() == b.dtype() && a.array_equal(b).item::<bool>().unwrap()
}

#[test]
fn running_sums_of_narrow_floats_keep_growing() {
    for (dtype, n) in [(DType::BF16, 1000), (DType::F16, 5000), (DType::F32, 100), (DType::F64, 100)] {
        let ones = Array::ones(&[n]).astype(dtype);
        assert!(same(&ones.cumsum(0), &counted(n, dtype)), "{dtype}");
        // The gradient of the sum of all is the number of sums that an element is in.
        let slope = grad(|x: &Array| x.cumsum(0).sum(..))(&ones);
        assert!(same(&slope.flip(0), &counted(n, dtype)), "{dtype}");
    }
    for (dtype, large) in [(DType::F32, 24), (DType::F64, 53)] {
        let large = 2f64.powi(large);
        let x = Array::from_slice(&[large, 1.0, 1.0, 1.0, 1.0]).astype(dtype);
        let sums = x.cumsum(0).astype(DType::F64).to_vec::<f64>().unwrap();
        // Every other sum lies halfway between two floats, and goes to the even one.
        assert_eq!(sums, [large, large, large + 2.0, large + 4.0, large + 4.0]);
    }
    let sums = Array::zeros(&[1000]).astype(DType::BF16).cumlogsumexp(0);
    assert!(same(&sums, &counted(1000, DType::F64).log().astype(DType::BF16)));
}

#[test]
fn running_products_are_rounded_once() {
    let x = Array::full(&[200], 1.015_625, DType::BF16);
    let expected = x.astype(DType::F64).pow(counted(200, DType::F64)).astype(DType::BF16);
    assert!(same(&x.cumprod(0), &expected));
    let slope = grad(|x: &Array| x.cumprod(0).index(-1))(&x);
    let expected = x.astype(DType::F64).pow(199.0).astype(DType::BF16);
    assert!(same(&slope, &expected), "{slope} {expected}");
}

#[test]
fn roots_of_sums_of_squares_fit_where_the_squares_do_not() {
    let x = Array::from_slice(&[300.0f32, -300.0, 300.0, -300.0]).astype(DType::F16);
    let number = |x: &Array| x.astype(DType::F64).item::<f64>().unwrap();
    assert_eq!((number(&x.std(..)), number(&linalg::norm(&x))), (300.0, 600.0));
    assert_eq!(number(&linalg::vector_norm(&x, 3.0, 0)), 476.25);
    for (f, slope) in [(linalg::norm as fn(&Array) -> Array, 0.5), (|x: &Array| x.std(..), 0.25)] {
        let slopes = grad(f)(&x).astype(DType::F64).to_vec::<f64>().unwrap();
        assert_eq!(slopes, [slope, -slope, slope, -slope]);
    }
}

#[test]
fn short_sums_keep_what_is_left_when_large_terms_cancel() {
    let terms = [1.0, -1.0, 1e-20];
    for dtype in [DType::F32, DType::F64] {
        for fill in [0, 2, 5, 13] {
            let all: Vec<f64> = terms.into_iter().chain(std::iter::repeat_n(0.0, fill)).collect();
            let x = Array::from_slice(&all).astype(dtype);
            let rows = x.expand_dims(0).tile(&[3, 1]);
            let small = Array::scalar_in(1e-20, DType::F64).astype(dtype);
            for sum in [x.sum(..), rows.sum(1).index(2), rows.t().sum(0).index(1)] {
                assert!(same(&sum, &small), "{dtype} {fill}: {sum}");
            }
        }
        let x = Array::from_slice(&[0.0, 0.0, -46.0]).astype(dtype);
        let weights = Array::from_slice(&[1.0, -1.0, 1.0]).astype(dtype);
        let (log, sign) = jarrah_array::nn::logsumexp_weighted(&x, &weights, ..);
        assert_eq!(sign.astype(DType::F64).item::<f64>().unwrap(), 1.0);
        assert!((log.astype(DType::F64).item::<f64>().unwrap() + 46.0).abs() < 1e-5, "{log}");
    }
}
