use jarrah_array::{Array, DType, Error, fail, scan, where_, while_loop};

/// The assignment of rows to columns, each at most once, whose sum of costs is least: the positions `(rows, columns)` of the chosen elements,
/// `i32`, in the order of the rows, as many as the shorter axis has.
///
/// * `costs`: float `[n, m]`
///
/// ```
/// use jarrah_array::Array;
/// let costs = Array::new(&[4.0f32, 1.0, 3.0, 2.0, 0.0, 5.0], &[2, 3]);
/// let (rows, columns) = jarrah_optim::linear_algebra::hungarian_algorithm(&costs);
/// assert_eq!((rows.to_vec::<i32>()?, columns.to_vec::<i32>()?), (vec![0, 1], vec![1, 0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kuhn, The Hungarian method for the assignment problem (1955); Munkres (1957); in time `n^2 m`, with a path of least cost for each
/// row.
#[track_caller]
pub fn hungarian_algorithm(costs: &Array) -> (Array, Array) {
    if costs.rank() != 2 || !costs.dtype().is_float() {
        let error = Error::program(format!("costs {} are no matrix of floats", costs.ty()));
        fail(error.op("hungarian_algorithm").help("give [n, m]; convert integers with astype"));
    }
    let tall = costs.shape()[0] > costs.shape()[1];
    let wide = if tall { costs.t() } else { costs.clone() };
    let rows = Array::arange(wide.shape()[0] as i64).astype(DType::I32);
    if wide.size() == 0 {
        return (rows.slice(0, 0..0), rows.slice(0, 0..0));
    }
    let columns = columns_of(&wide);
    match tall {
        true => {
            let order = columns.argsort(0);
            (columns.take(&order, 0), order.astype(DType::I32))
        }
        false => (rows, columns),
    }
}

/// The column of each row, for `n <= m`. Rows and columns count from one; row and column zero stand for none.
fn columns_of(costs: &Array) -> Array {
    let (n, m) = (costs.shape()[0], costs.shape()[1]);
    let costs = costs.pad(&[(1, 0), (1, 0)], jarrah_array::numpy::PadMode::Constant(0.0.into()));
    let dtype = costs.dtype();
    let infinite = Array::full(&[m + 1], f64::INFINITY, dtype);
    let places = Array::arange(m as i64 + 1).astype(DType::I32);
    let row = |(u, v, taken): &(Array, Array, Array), row: &Array| {
        let taken = where_(&places.eq(0), row, taken);
        // Grows a tree of least costs until it reaches a column that is free.
        let start =
            (u.clone(), v.clone(), infinite.clone(), places.lt(0), places.zeros_like(), row.zeros_like());
        let (u, v, _, _, path, end) = while_loop(
            |s: &(Array, Array, Array, Array, Array, Array)| taken.take(&s.5, 0).ne(0),
            |(u, v, least, used, path, at): &(Array, Array, Array, Array, Array, Array)| {
                let used = used | places.eq(at);
                let from = taken.take(at, 0);
                let reduced = costs.take(&from, 0) - u.take(&from, 0) - v;
                let better = !&used & reduced.lt(least);
                let least = where_(&better, reduced, least);
                let path = where_(&better, at, path);
                let open = where_(&used, f64::INFINITY, &least);
                let delta = open.min(..);
                let raised = where_(&used, &delta, delta.zeros_like());
                let u = u.at(taken.clone()).add(&raised);
                let v = v - &raised;
                let least = where_(&used, &least, &least - &delta);
                (u, v, least, used, path, open.argmin(..).astype(DType::I32))
            },
            &start,
        );
        // Along the path back to the row, each column goes to the row before.
        let (taken, _) = while_loop(
            |(_, at): &(Array, Array)| at.ne(0),
            |(taken, at): &(Array, Array)| {
                let before = path.take(at, 0);
                (where_(&places.eq(at), taken.take(&before, 0), taken), before)
            },
            &(taken, end),
        );
        ((u, v, taken), ())
    };
    let init = (Array::full(&[n + 1], 0.0, dtype), Array::full(&[m + 1], 0.0, dtype), places.zeros_like());
    let rows = Array::arange(n as i64).astype(DType::I32) + 1;
    let ((_, _, taken), ()) = scan(row, &init, &rows);
    let chosen = rows.expand_dims(1).eq(taken.slice(0, 1..).expand_dims(0));
    chosen.astype(DType::I32).argmax(1).astype(DType::I32)
}
