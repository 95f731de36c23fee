//! Compiled functions that serve many numbers of rows by few executables.

use std::sync::Arc;

use jarrah_base::{Error, Location, Result};
use jarrah_hlo::{Categories, Program, RowGrowth, is_prefix};
use jarrah_transforms::rows;
use jarrah_tree::{Difference, Structure, Tree, TreeExt};

use crate::array::{Array, here};
use crate::eager;
use crate::function::{Function, Leaves, Shadows, TracedFunction, fill, trace_writing};
use crate::jit::{Entry, Jit, leaves_in};
use crate::mutable::Used;
use crate::random;
use crate::sanitize;
use crate::trace::{is_tracing, users_line};

/// A range of numbers of rows, `first..=last`, that share one executable, which is compiled for `last` rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bucket {
    first: usize,
    last: usize,
}

impl Bucket {
    /// The bucket that contains `rows`. There are eight buckets for each doubling, so that padding adds at most an eighth of the
    /// rows; up to 16 rows each number is a bucket of its own.
    fn of(rows: usize) -> Bucket {
        let width = (rows.next_power_of_two() / 16).max(1);
        let last = rows.next_multiple_of(width);
        Bucket { first: (last + 1).saturating_sub(width), last }
    }

    /// The larger and the smaller number of rows for which the function is traced, to see whether its rows are independent: the
    /// ends of this bucket. A bucket of a single number uses the ends of the bucket of 17, the first with two numbers.
    fn ends(self) -> [usize; 2] {
        let Bucket { first, last } = if self.first == self.last { Bucket::of(17) } else { self };
        [last, first]
    }
}

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// Lets the arrays in element `index` of the argument tuple have any number of rows, without compiling for each.
    ///
    /// Rows are what stands along the leading axis, of which all arrays in bucketed elements have the same number. A call adds copies of the
    /// last row up to the next of few numbers (each up to 16, then eight for each doubling, so that at most an eighth is added), runs
    /// what was compiled for these, and cuts the results. They have the bits of `jit(f)` without buckets.
    ///
    /// That needs a function that computes each row by itself. Whether it does is looked at when it is compiled: `f` is traced for
    /// the smallest and the largest number of rows that share an executable, and once for each other number that it is called with; it must do
    /// the same each time. Rust code in `f` that asks for the number of rows may do so, as long as only extents depend on it.
    ///
    /// Inside of another transformation, with [`Jit::lower`], and while a sanitizer looks for failures, the function runs on the
    /// actual number of rows.
    ///
    /// ```
    /// use jarrah_array::{Array, compiled_programs, jit};
    /// let score = jit(|(w, x): &(Array, Array)| x.matmul(w).tanh()).bucketed(1);
    /// let w = Array::ones(&[3, 2]);
    /// for n in 33..=36 {
    ///     assert_eq!(score.call((w.clone(), Array::ones(&[n, 3])))?.shape(), [n, 2]);
    /// }
    /// assert_eq!(score.traces(), 1);
    ///
    /// let total = jit(|(x,): &(Array,)| x.sum(..)).bucketed(0);
    /// let error = total.call((Array::ones(&[5, 3]),)).unwrap_err();
    /// assert!(error.to_string().contains("rows cannot be added here: it reduces the rows"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// A call is an error if an array in the element is a scalar, if numbers of rows differ, if the element is donated too, or if
    /// `f` mixes rows: it sums over them, sorts them, takes them by position, or applies an operation to them that is not known
    /// to keep rows apart.
    #[track_caller]
    pub fn bucketed(mut self, index: usize) -> Self {
        self.bucketed.push((index, Location::caller()));
        // Compiled entries were traced with other elements bucketed, so they are dropped.
        self.forget();
        self
    }

    /// Whether calls add rows now.
    pub(crate) fn runs_in_buckets(&self) -> bool {
        !self.bucketed.is_empty() && !is_tracing() && sanitize::wanted() == Categories::NONE
    }

    /// The indices of the leaves in the bucketed elements of the argument.
    #[track_caller]
    pub(crate) fn bucketed_leaves(&self, structure: &Structure) -> Vec<usize> {
        let at = users_line(Location::caller());
        leaves_in(&self.name, &self.bucketed, ["bucketed", "bucketed"], structure, at)
    }

    /// Calls the function over more rows, by `run` of the entry for these and the arguments, and cuts its results.
    #[track_caller]
    pub(crate) fn call_in_bucket(
        &self,
        args: A,
        leaves: Leaves,
        run: impl Fn(&Arc<Entry<R>>, Leaves) -> Result<R>,
    ) -> Result<R> {
        let (at, source) = (users_line(Location::caller()), here());
        let bucketed = self.bucketed_leaves(&leaves.structure);
        let Some(rows) = self.rows_of(&leaves, &bucketed, at)? else {
            let entry = self.entry(&args, &leaves)?;
            drop(args);
            return run(&entry, leaves);
        };
        let bucket = Bucket::of(rows);
        let Leaves { mut arrays, structure } = leaves;
        let given = arrays.clone();
        if bucket.last != rows {
            for &i in &bucketed {
                let node = arrays[i].concrete().ok_or_else(|| {
                    let error = format!("an array of type {} has no data to run on", arrays[i].ty());
                    Error::program(error).op(&self.called).at(at)
                })?;
                arrays[i] = Array::from_node(eager::padded(node, bucket.last, source)?);
            }
        }
        let padded = args.with_leaves(arrays.iter().cloned());
        drop(args);
        let args = padded.ok_or_else(|| Error::internal("an argument without a leaf"))?;
        let leaves = Leaves { arrays, structure };
        let entry = self.entry(&args, &leaves)?;
        if bucket.last != rows {
            entry.use_keys(&given.iter().collect::<Vec<_>>());
        }
        drop(given);
        let look = |ends: [usize; 2]| self.growths(&args, &leaves, &bucketed, &entry, bucket, ends, at);
        let growths = match entry.growths.get() {
            Some(growths) => growths,
            None => {
                let found = look(bucket.ends())?;
                entry.growths.get_or_init(|| found)
            }
        };
        let known = |seen: &[usize]| rows == bucket.first || rows == bucket.last || seen.contains(&rows);
        if !known(&entry.rows_seen()) {
            look([bucket.last, rows])?;
            entry.rows_seen().push(rows);
        }
        drop(args);
        let result = run(&entry, leaves)?;
        if bucket.last == rows {
            return Ok(result);
        }
        let mut cut = Vec::new();
        for (array, growth) in result.leaves().into_iter().zip(growths) {
            cut.push(match (growth, array.concrete()) {
                (Some(growth), Some(node)) => Array::from_node(eager::cut(node, *growth, rows, source)?),
                _ => array.clone(),
            });
        }
        Ok(fill(&entry.prototype, cut))
    }

    /// The number of rows of the bucketed elements, on which all their arrays have to agree; `None` if these elements have no
    /// arrays.
    fn rows_of(&self, leaves: &Leaves, bucketed: &[usize], at: Location) -> Result<Option<usize>> {
        let name = |i: usize| leaves.structure.paths().swap_remove(i).below("argument");
        let refuse = |error: String, help: &str| {
            let error = Error::program(error).op(&self.called).at(at);
            let error = self.bucketed.iter().fold(error, |error, &(_, line)| error.label(line, "bucketed"));
            Err(error.help(help))
        };
        let both =
            self.bucketed.iter().find(|(index, _)| self.donated.iter().any(|(other, _)| other == index));
        if let Some((index, _)) = both {
            let error = format!("element {index} of the argument is bucketed and donated");
            return refuse(error, "bucketed elements are copied behind their rows: do not donate them");
        }
        let mut first: Option<(usize, usize)> = None;
        for &i in bucketed {
            let ty = leaves.arrays[i].ty();
            if ty.rank() == 0 {
                let error = format!("{} is {ty}, which is bucketed and has no rows", name(i));
                return refuse(error, "pass scalars in an element that is not bucketed");
            }
            match first {
                None => first = Some((i, ty.dim(0))),
                Some((_, rows)) if rows == ty.dim(0) => {}
                Some((other, rows)) => {
                    let (here, there) = (name(i), name(other));
                    let error = format!("{here} is {ty} with {} rows, {there} has {rows}", ty.dim(0));
                    return refuse(error, "arrays in bucketed elements have the same leading extent");
                }
            }
        }
        Ok(first.map(|(_, rows)| rows))
    }

    /// How the shapes of the results grow with the number of rows. Traces the function for both numbers in `ends`, and fails if
    /// the rows of a result depend on each other.
    #[track_caller]
    fn growths(
        &self,
        args: &A,
        leaves: &Leaves,
        bucketed: &[usize],
        entry: &Entry<R>,
        bucket: Bucket,
        ends: [usize; 2],
        at: Location,
    ) -> Result<Vec<Option<RowGrowth>>> {
        let traced = |rows: usize| {
            let mut types = leaves.types();
            for &i in bucketed {
                types[i] = types[i].without_leading().with_leading(rows);
            }
            let f = |args: &A| self.f.apply(args);
            let TracedFunction { traced, prototype } =
                random::unused(|| trace_writing(&self.name, at, args, &types, Shadows::Drop, f));
            (traced.program, traced.captures, traced.cells, Leaves::of(&prototype).structure)
        };
        let own = ends[0] == bucket.last;
        let probe = (!own).then(|| traced(ends[0]));
        let more = match &probe {
            Some((program, captures, cells, _)) => (program, &captures[..], &cells[..]),
            None => (&*entry.program, &entry.captures[..], &entry.cells[..]),
        };
        let result = match &probe {
            Some((.., structure)) => structure.clone(),
            None => Leaves::of(&entry.prototype).structure,
        };
        let (program, captures, cells, other) = traced(ends[1]);
        let found = same_captures(more, (&program, &captures, &cells), ends)
            .and_then(|()| same_structure(&result, &other, ends))
            .and_then(|()| rows(more.0, &program, ends));
        found.map_err(|error| {
            let error = if error.location().is_some() { error } else { error.at(at) };
            let error = self.bucketed.iter().fold(error, |error, &(_, line)| error.label(line, "bucketed"));
            error.help(
                "return what is computed of each row and do the rest outside, or call the function without bucketed",
            )
        })
    }
}

/// Checks that the result, static fields included, has the same structure over more rows as over fewer.
fn same_structure(more: &Structure, fewer: &Structure, [many, few]: [usize; 2]) -> Result<()> {
    if more == fewer {
        return Ok(());
    }
    let differ = std::iter::repeat_n(None, more.paths().len());
    let error = match more.difference_of(fewer, differ) {
        Some(Difference { path, sides: [here, there] }) => {
            let path = path.below("result");
            format!(
                "{path} depends on the number of rows: over {many} it is {here}, over {few} it is {there}"
            )
        }
        None => format!("the structure of the result is another one over {many} rows than over {few}"),
    };
    Err(Error::program(error))
}

/// A traced program, the arrays that it captures, and the mutable cells among these captures.
type Captured<'a> = (&'a Program, &'a [Array], &'a [Used]);

/// Checks that the function traced over fewer rows captures the same arrays as over more, or the first rows of those.
fn same_captures(more: Captured<'_>, fewer: Captured<'_>, ends: [usize; 2]) -> Result<()> {
    let refuse = |why: String| Err(Error::program(format!("the function captures {why}")));
    let ((_, more, cells), (_, fewer, other_cells)) = (more, fewer);
    let places =
        |cells: &[Used]| cells.iter().map(|used| (used.cell.clone(), used.capture)).collect::<Vec<_>>();
    if more.len() != fewer.len() || places(cells) != places(other_cells) {
        return refuse("other arrays over more rows than over fewer".to_owned());
    }
    for (i, (a, b)) in more.iter().zip(fewer).enumerate() {
        let is_cell = cells.iter().any(|used| used.capture == i);
        if is_cell || (a.identity().is_some() && a.identity() == b.identity()) {
            continue;
        }
        let growth = RowGrowth::of([a.ty(), b.ty()], ends)?;
        if !is_prefix(&a.to_literal()?, &b.to_literal()?, growth) {
            return refuse(format!("an array of type {} whose values depend on the number of rows", a.ty()));
        }
    }
    Ok(())
}
