//! Elements at indices: read, and written to a copy.

use jarrah_base::{DType, Dims, Error, Location};
use jarrah_hlo::ops::{Axes, Gather, Reducer, Scatter, Update};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::number::Number;
use crate::numpy::index::{IntoIndices, Item, Plan};
use crate::numpy::{broadcast_arrays, positions};
use crate::operators::{IntoOperand, Operand, broadcast_shapes, promote_types};
use crate::take::TakeMode;
use crate::trace::apply_one;

/// The elements of an array at some indices, to read or to update; made by [`Array::at`].
///
/// An update returns a new array of the same dtype. Values broadcast to the shape of [`At::get`]. If a position is named twice,
/// `set` stores one of its values, and `add` and the other updates combine all of them.
pub struct At<'a> {
    array: &'a Array,
    plan: Plan,
    mode: Option<TakeMode>,
    unique: bool,
}

impl Array {
    /// The places at `indices`, to read or to write: a position, a range, an array of positions, [`crate::Ellipsis`] or
    /// [`crate::NewAxis`], or a tuple of these, one for each axis, as in NumPy.
    ///
    /// ```
    /// use jarrah_array::{Array, Ellipsis};
    /// let x = Array::zeros(&[2, 3]);
    /// assert_eq!(x.at((0, 1..)).set(7.0).to_vec::<f32>()?, [0.0, 7.0, 7.0, 0.0, 0.0, 0.0]);
    /// let columns = Array::from_slice(&[0i32, 0, 2]);
    /// assert_eq!(x.at((Ellipsis, &columns)).add(1.0).to_vec::<f32>()?, [2.0, 0.0, 1.0, 2.0, 0.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, indices: impl IntoIndices) -> At<'_> {
        At { array: self, plan: Plan::new("at", self, indices.into_indices()), mode: None, unique: false }
    }

    /// The elements at `indices`, as [`Array::at`] takes them. Positions in arrays that are out of range are moved to the
    /// nearest.
    ///
    /// ```
    /// use jarrah_array::{Array, Ellipsis, NewAxis};
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// assert_eq!(x.index((-1, 0)).item::<i32>()?, 3);
    /// assert_eq!(x.index((.., 1..)).to_vec::<i32>()?, [1, 2, 4, 5]);
    /// assert_eq!(x.index((NewAxis, Ellipsis, 0)).shape(), [1, 2]);
    /// assert_eq!(x.index(&x.gt(3)).to_vec::<i32>()?, [4, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn index(&self, indices: impl IntoIndices) -> Array {
        At { array: self, plan: Plan::new("index", self, indices.into_indices()), mode: None, unique: false }
            .get()
    }
}

/// The shape of the elements that an index selects.
struct Layout {
    shape: Vec<usize>,
    /// The shape without the new axes.
    dense: Vec<usize>,
    /// Axes of the array that are sliced, and their axes in `dense`.
    slices: Vec<(usize, usize)>,
    /// The first axis of the positions in `dense`.
    positions: usize,
}

/// The positions along the axes that are indexed by arrays, or by numbers next to arrays.
struct Places {
    axes: Vec<usize>,
    /// The positions along each of these axes; all these arrays have one shape.
    places: Vec<Array>,
    /// Whether each position is one that the array has, for modes that do not move positions into the array.
    inside: Option<Array>,
}

impl At<'_> {
    /// Sets the treatment of positions outside of the array. Without a mode, reading takes the nearest element and updating
    /// ignores the position.
    ///
    /// ```
    /// # use jarrah_array::{Array, TakeMode};
    /// let (x, at) = (Array::from_slice(&[1i32, 2, 3]), Array::from_slice(&[0i32, 4]));
    /// assert_eq!(x.at(&at).get().to_vec::<i32>()?, [1, 3]);
    /// assert_eq!(x.at(&at).mode(TakeMode::Wrap).get().to_vec::<i32>()?, [1, 2]);
    /// assert_eq!(x.at(&at).set(9).to_vec::<i32>()?, [9, 2, 3]);
    /// assert_eq!(x.at(&at).mode(TakeMode::Clip).set(9).to_vec::<i32>()?, [9, 2, 9]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn mode(mut self, mode: TakeMode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// Promises that no position is named twice. The result is then determined, and products have a gradient.
    ///
    /// ```
    /// # use jarrah_array::{Array, grad};
    /// let at = Array::from_slice(&[2i32, 0]);
    /// let slope = grad(|x: &Array| x.at(&at).unique().multiply(5.0).sum(..))(&Array::ones(&[3]));
    /// assert_eq!(slope.to_vec::<f32>()?, [5.0, 1.0, 5.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn unique(mut self) -> Self {
        self.unique = true;
        self
    }

    /// The elements.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// assert_eq!(x.at((1, ..2)).get().to_vec::<i32>()?, [3, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn get(self) -> Array {
        let sliced = self.sliced();
        if !self.plan.gathers {
            return sliced.reshaped(&self.layout(&[]).shape);
        }
        let Places { axes, places, inside } = self.places(self.mode);
        let inner = places[0].rank();
        let layout = self.layout(&places[0].shape());
        let kept = sliced.rank() - axes.len();
        let sizes: Dims =
            (0..sliced.rank()).map(|a| if axes.contains(&a) { 1 } else { sliced.shape()[a] }).collect();
        if sizes.contains(&0) || places[0].size() == 0 {
            return Array::full(&layout.shape, 0, self.array.dtype());
        }
        let offset_axes: Axes = (0..kept).map(|a| if a < layout.positions { a } else { a + inner }).collect();
        let gather = Gather {
            offset_axes,
            collapsed_axes: Axes::from_slice(&axes),
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: Axes::from_slice(&axes),
            index_vector_axis: inner,
            sizes,
            sorted: false,
        };
        let taken = apply_one(gather, &[&sliced, &components(&places)]);
        let taken = match inside {
            Some(inside) => {
                let along: Vec<usize> = (layout.positions..layout.positions + inner).collect();
                let inside = lax::broadcast_in_dim(&inside, &taken.shape(), &along);
                where_(&inside, &taken, taken.missing())
            }
            None => taken,
        };
        taken.reshaped(&layout.shape)
    }

    /// The array with the selected elements replaced by `values`, converted to its dtype. Values that do not broadcast to their
    /// shape are a program error.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::zeros(&[2, 2]);
    /// assert_eq!(x.at((.., 1)).set(Array::from_slice(&[1i32, 2])).to_vec::<f32>()?, [0.0, 1.0, 0.0, 2.0]);
    /// assert_eq!(x.to_vec::<f32>()?, [0.0; 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn set(self, values: impl IntoOperand) -> Array {
        self.write("set", Update::Assign, values.into_operand(), |_, new| new.clone())
    }

    /// The array with `values` added to the selected elements; if a position is named twice, both values are added.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let at = Array::from_slice(&[1i32, 1, 0]);
    /// let x = Array::zeros(&[2]).at(&at).add(Array::from_slice(&[1.0f32, 2.0, 4.0]));
    /// assert_eq!(x.to_vec::<f32>()?, [4.0, 3.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    #[expect(clippy::should_implement_trait, reason = "JAX's name; what it adds to is the array")]
    pub fn add(self, values: impl IntoOperand) -> Array {
        self.write("add", Update::Reduce(Reducer::Add), values.into_operand(), |old, new| old + new)
    }

    /// The array with `values` subtracted from the selected elements.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let at = Array::from_slice(&[1i32, 1]);
    /// assert_eq!(Array::from_slice(&[10u8, 20]).at(&at).subtract(3).to_vec::<u8>()?, [10, 14]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn subtract(self, values: impl IntoOperand) -> Array {
        let values = match values.into_operand() {
            Operand::Array(values) => values.astype(self.array.dtype()),
            Operand::Number(number) => Array::constant(number.fit("subtract", self.array.dtype())),
        };
        self.add(values.zeros_like() - values)
    }

    /// The array with the selected elements multiplied by `values`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 4, 5]).at(1..).multiply(10).to_vec::<i32>()?, [3, 40, 50]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn multiply(self, values: impl IntoOperand) -> Array {
        self.write("multiply", Update::Reduce(Reducer::Mul), values.into_operand(), |old, new| old * new)
    }

    /// The array with the selected elements divided by `values`; for integers without the fraction.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 5]).at(1).divide(2).to_vec::<i32>()?, [3, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn divide(self, values: impl IntoOperand) -> Array {
        let (array, ones) = (self.array, self.array.ones_like());
        let divisor =
            At { array: &ones, plan: self.plan, mode: self.mode, unique: self.unique }.multiply(values);
        (array / divisor).astype(array.dtype())
    }

    /// The array with the selected elements raised to the power of `values`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 5]).at(1).power(2).to_vec::<i32>()?, [3, 25]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn power(self, values: impl IntoOperand) -> Array {
        let (array, ones) = (self.array, self.array.ones_like());
        let exponent =
            At { array: &ones, plan: self.plan, mode: self.mode, unique: self.unique }.multiply(values);
        array.pow(exponent).astype(array.dtype())
    }

    /// The array with each selected element replaced by the minimum of it and of `values`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 5, 7]).at(1..).min(6).to_vec::<i32>()?, [3, 5, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn min(self, values: impl IntoOperand) -> Array {
        self.write("min", Update::Reduce(Reducer::Min), values.into_operand(), |old, new| old.minimum(new))
    }

    /// The array with each selected element replaced by the maximum of it and of `values`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 5, 7]).at(..2).max(4).to_vec::<i32>()?, [4, 5, 7]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn max(self, values: impl IntoOperand) -> Array {
        self.write("max", Update::Reduce(Reducer::Max), values.into_operand(), |old, new| old.maximum(new))
    }

    /// The array with `f` applied to the selected elements; at a position that is named twice it is applied once.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let at = Array::from_slice(&[0i32, 0, 2]);
    /// let x = Array::from_slice(&[1.0f32, 4.0, 9.0]).at(&at).apply(|x: &Array| x * 10.0);
    /// assert_eq!(x.to_vec::<f32>()?, [10.0, 4.0, 90.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn apply(self, f: impl Fn(&Array) -> Array) -> Array {
        let plan = Plan { items: self.plan.items.clone(), ..self.plan };
        let again = At { array: self.array, plan, mode: self.mode, unique: self.unique };
        let values = f(&self.get());
        again.set(values)
    }

    /// The positions along the axes that arrays index. A single number counts as a position only if there is an array too.
    /// Without a mode, positions outside stay as they are: a gather takes the nearest element.
    #[track_caller]
    fn places(&self, mode: Option<TakeMode>) -> Places {
        let (mut axes, mut places, mut inside) = (Vec::new(), Vec::new(), None::<Array>);
        for item in &self.plan.items {
            let (axis, array) = match item {
                Item::At { axis, at } => {
                    (*axis, Array::constant(Number::Integer(*at as i128).fit("at", DType::I32)))
                }
                Item::Positions { axis, array } => (*axis, array.clone()),
                Item::Slice { .. } | Item::NewAxis => continue,
            };
            if !array.dtype().is_integer() {
                let error = Error::program(format!("indices must be integers, they are {}", array.ty()));
                fail(with_context(
                    error
                        .op("index")
                        .help("convert positions with astype; a mask is an array of truth values")
                        .at(Location::caller()),
                ));
            }
            let extent = self.array.shape()[axis];
            let place = match mode {
                None | Some(TakeMode::Fill) => lax::normalize_index(&array, extent),
                Some(TakeMode::Clip) => {
                    lax::normalize_index(&array, extent).clip(0, extent.saturating_sub(1))
                }
                Some(TakeMode::Wrap) => lax::wide_index(&array, extent) % extent.max(1) as i64,
            };
            if mode == Some(TakeMode::Fill) {
                let here = place.ge(0) & place.lt(extent);
                inside = Some(match inside {
                    Some(inside) => inside & here,
                    None => here,
                });
            }
            axes.push(axis);
            places.push(place);
        }
        let wide = places.iter().map(Array::dtype).reduce(promote_types).unwrap_or(DType::I32);
        for place in &mut places {
            *place = place.astype(wide);
        }
        let places = broadcast_arrays(&places.iter().collect::<Vec<_>>());
        if let Some(mask) = &inside {
            inside = Some(mask.broadcast_to(&places[0].shape()));
        }
        Places { axes, places, inside }
    }

    /// The shape that is read, where positions have `shape`.
    fn layout(&self, shape: &[usize]) -> Layout {
        let is_place = |item: &Item| match item {
            Item::At { .. } => self.plan.gathers,
            Item::Positions { .. } => true,
            Item::Slice { .. } | Item::NewAxis => false,
        };
        let places: Vec<usize> =
            (0..self.plan.items.len()).filter(|&i| is_place(&self.plan.items[i])).collect();
        // If all positions are next to each other among the indices, their axes stay in place; otherwise their axes come first.
        let together = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let mut layout = Layout { shape: Vec::new(), dense: Vec::new(), slices: Vec::new(), positions: 0 };
        let put = |layout: &mut Layout| {
            layout.positions = layout.dense.len();
            layout.shape.extend(shape);
            layout.dense.extend(shape);
        };
        if !together {
            put(&mut layout);
        }
        for (i, item) in self.plan.items.iter().enumerate() {
            if together && places.first() == Some(&i) {
                put(&mut layout);
            }
            match *item {
                Item::At { .. } | Item::Positions { .. } => {}
                Item::NewAxis => layout.shape.push(1),
                Item::Slice { axis, count, .. } => {
                    layout.slices.push((axis, layout.dense.len()));
                    layout.shape.push(count);
                    layout.dense.push(count);
                }
            }
        }
        layout
    }

    /// The array with all slices taken; if there are no arrays among the indices, also with the numbers taken as positions.
    #[track_caller]
    fn sliced(&self) -> Array {
        let shape = self.array.shape();
        let (mut starts, mut limits, mut strides) =
            (vec![0; shape.len()], shape.to_vec(), vec![1; shape.len()]);
        let mut reversed = Vec::new();
        for item in &self.plan.items {
            match *item {
                Item::At { axis, at } if !self.plan.gathers => (starts[axis], limits[axis]) = (at, at + 1),
                Item::Slice { axis, start, count, step } => {
                    let stride = step.unsigned_abs() as usize;
                    let span = count.saturating_sub(1) * stride;
                    let first = if step < 0 { start - span } else { start };
                    (starts[axis], limits[axis]) = (first, if count == 0 { first } else { first + span + 1 });
                    if count > 1 {
                        strides[axis] = stride;
                        reversed.extend((step < 0).then_some(axis));
                    }
                }
                Item::At { .. } | Item::Positions { .. } | Item::NewAxis => {}
            }
        }
        let whole = starts.iter().all(|&s| s == 0) && limits == *shape && strides.iter().all(|&s| s == 1);
        let sliced =
            if whole { self.array.clone() } else { lax::slice(self.array, &starts, &limits, &strides) };
        if reversed.is_empty() { sliced } else { lax::reverse(&sliced, &reversed) }
    }

    /// The array with `values` combined into the selected elements by `update`; `combine` is the same update as a function of two
    /// arrays.
    #[track_caller]
    fn write(self, op: &str, update: Update, values: Operand, combine: fn(&Array, &Array) -> Array) -> Array {
        let values = match values {
            Operand::Array(values) => values.astype(self.array.dtype()),
            Operand::Number(number) => Array::constant(number.fit(op, self.array.dtype())),
        };
        let places = self.plan.gathers.then(|| self.places(Some(self.mode.unwrap_or(TakeMode::Fill))));
        let inner = places.as_ref().map_or_else(Vec::new, |p| p.places[0].shape().to_vec());
        let layout = self.layout(&inner);
        let Some(shape) = broadcast_shapes(&values.shape(), &layout.shape).filter(|s| *s == layout.shape)
        else {
            let error = Error::program(format!(
                "{} do not broadcast to the {:?} that the indices select of {}",
                values.ty(),
                layout.shape,
                self.array.ty()
            ));
            fail(with_context(
                error
                    .op(op)
                    .help("give values of the selected shape, or of one that broadcasts to it")
                    .at(Location::caller()),
            ))
        };
        if shape.contains(&0) {
            return self.array.clone();
        }
        let values = values.broadcast_to(&shape);
        let block =
            |item: &Item| !matches!(item, Item::Slice { step, count, .. } if *step != 1 && *count > 1);
        if places.is_none() && self.plan.items.iter().all(block) {
            return self.write_block(&values, combine);
        }
        let values = values.reshaped(&layout.dense);
        let extents = self.array.shape();
        let is_whole = |axis: usize| {
            let whole = |item: &Item| matches!(*item, Item::Slice { axis: a, start: 0, count, step: 1 } if a == axis && count == extents[axis]);
            self.plan.items.iter().any(whole)
        };
        let windows: Axes =
            layout.slices.iter().filter(|(axis, _)| is_whole(*axis)).map(|&(_, at)| at).collect();
        let scattered: Vec<usize> = (0..layout.dense.len()).filter(|at| !windows.contains(at)).collect();
        let spots: Vec<usize> = scattered.iter().map(|&at| layout.dense[at]).collect();
        let spot = |at: usize| scattered.iter().position(|&s| s == at).expect("invariant: a scattered axis");
        let wide = places.as_ref().map_or(DType::I32, |p| p.places[0].dtype());
        let mut indexed: Vec<(usize, Array)> = Vec::new();
        if let Some(places) = &places {
            let along: Vec<usize> = (0..inner.len()).map(|i| spot(layout.positions + i)).collect();
            for (&axis, place) in places.axes.iter().zip(&places.places) {
                indexed.push((axis, lax::broadcast_in_dim(place, &spots, &along)));
            }
        }
        for item in &self.plan.items {
            match *item {
                Item::Slice { axis, start, step, .. } if !is_whole(axis) => {
                    let at = layout.slices.iter().find(|(a, _)| *a == axis).map_or(0, |&(_, at)| at);
                    let position = positions(op, &spots, spot(at)) * step + start as i64;
                    indexed.push((axis, position.astype(wide)));
                }
                Item::At { axis, at } if places.is_none() => {
                    indexed.push((axis, Array::full(&spots, at, wide)))
                }
                Item::At { .. } | Item::Positions { .. } | Item::Slice { .. } | Item::NewAxis => {}
            }
        }
        let (axes, indices): (Vec<usize>, Vec<Array>) = indexed.into_iter().unzip();
        let mut inserted = axes.clone();
        inserted.sort_unstable();
        let scatter = Scatter {
            window_axes: windows,
            inserted_axes: Axes::from_slice(&inserted),
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: Axes::from_slice(&axes),
            index_vector_axis: spots.len(),
            sorted: false,
            unique: self.unique,
            update,
        };
        apply_one(scatter, &[self.array, &components(&indices), &values])
    }

    /// As [`At::write`], for selected elements that form one block.
    #[track_caller]
    fn write_block(&self, values: &Array, combine: fn(&Array, &Array) -> Array) -> Array {
        let rank = self.array.rank();
        let (mut starts, mut extents) = (vec![0; rank], vec![1; rank]);
        for item in &self.plan.items {
            match *item {
                Item::At { axis, at } => starts[axis] = at,
                Item::Slice { axis, start, count, .. } => (starts[axis], extents[axis]) = (start, count),
                Item::Positions { .. } | Item::NewAxis => {}
            }
        }
        let limits: Vec<usize> = starts.iter().zip(&extents).map(|(start, extent)| start + extent).collect();
        let old = lax::slice(self.array, &starts, &limits, &vec![1; rank]);
        let new = combine(&old, &values.reshaped(&extents));
        if extents == *self.array.shape() {
            return new;
        }
        let mut firsts = Vec::with_capacity(rank);
        for start in starts {
            firsts.push(Array::constant(Number::Integer(start as i128).fit("at", DType::I64)));
        }
        lax::dynamic_update_slice(self.array, &new, &firsts)
    }
}

/// Index vectors along a new last axis.
#[track_caller]
fn components(places: &[Array]) -> Array {
    let mut expanded = Vec::with_capacity(places.len());
    for place in places {
        expanded.push(place.expand_dims(-1));
    }
    crate::concatenate(&expanded.iter().collect::<Vec<_>>(), -1)
}
