use std::collections::BTreeMap;
use std::ops::Range;

use jarrah_base::{Element, Error, Literal, Result, Type};

/// Elements that stack into batches along a new first axis.
///
/// Numbers become a vector, vectors and arrays of numbers a matrix, tensors a tensor of one more axis; pairs and maps are stacked part by part.
///
/// ```
/// use jarrah_data::Stack;
/// assert_eq!(Stack::stack(vec![[1_u8, 2], [3, 4]])?.ty().to_string(), "u8[2,2]");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub trait Stack: Sized {
    /// The type of a batch.
    type Batch;

    /// The batch of these elements, in their order.
    ///
    /// # Errors
    /// There is no element, or they differ in shape, element type or keys (`Program`).
    fn stack(elements: Vec<Self>) -> Result<Self::Batch>;
}

/// Batches, whose first axis counts elements: they are cut, joined and filled up along it.
pub trait BatchRows: Sized {
    /// The number of elements.
    ///
    /// # Errors
    /// The parts have different numbers of elements, or one has no axis (`Program`).
    fn rows(&self) -> Result<usize>;

    /// The elements of a range.
    ///
    /// # Errors
    /// The range does not lie in the batch (`Program`).
    fn cut(&self, range: Range<usize>) -> Result<Self>;

    /// The elements of all batches in their order.
    ///
    /// # Errors
    /// There is no batch, or they differ in more than the number of elements (`Program`).
    fn join(batches: &[Self]) -> Result<Self>;

    /// The batch with elements that hold `value` behind its own, until there are `count`.
    ///
    /// # Errors
    /// There are more than `count` (`Program`).
    fn padded(&self, count: usize, value: f64) -> Result<Self>;
}

macro_rules! stacked_numbers {
    ($($t:ty)*) => {$(
        impl Stack for $t {
            type Batch = Literal;

            fn stack(elements: Vec<Self>) -> Result<Literal> {
                some(&elements)?;
                Literal::from_slice(&[elements.len()], &elements)
            }
        }
    )*};
}
stacked_numbers!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl<E: Element, const N: usize> Stack for [E; N] {
    type Batch = Literal;

    fn stack(elements: Vec<Self>) -> Result<Literal> {
        some(&elements)?;
        Literal::from_slice(&[elements.len(), N], elements.as_flattened())
    }
}

impl<E: Element> Stack for Vec<E> {
    type Batch = Literal;

    fn stack(elements: Vec<Self>) -> Result<Literal> {
        some(&elements)?;
        let width = elements[0].len();
        if let Some((i, other)) = elements.iter().enumerate().find(|(_, e)| e.len() != width) {
            return Err(Error::program(format!(
                "batch: element 0 has {width} numbers, but element {i} of the batch has {}",
                other.len()
            )));
        }
        Literal::from_slice(&[elements.len(), width], &elements.concat())
    }
}

impl Stack for Literal {
    type Batch = Literal;

    fn stack(elements: Vec<Self>) -> Result<Literal> {
        some(&elements)?;
        let ty = elements[0].ty();
        if let Some((i, other)) = elements.iter().enumerate().find(|(_, e)| e.ty() != ty) {
            return Err(Error::program(format!(
                "batch: element 0 is {ty}, but element {i} of the batch is {}",
                other.ty()
            )));
        }
        let dims: Vec<usize> = std::iter::once(elements.len()).chain(elements[0].dims()).collect();
        Literal::from_bytes(Type::tensor(ty.dtype(), dims), &bytes_of(elements.iter()))
    }
}

impl<A: Stack, B: Stack> Stack for (A, B) {
    type Batch = (A::Batch, B::Batch);

    fn stack(elements: Vec<Self>) -> Result<Self::Batch> {
        let (first, second) = elements.into_iter().unzip();
        Ok((A::stack(first)?, B::stack(second)?))
    }
}

impl<A: Stack> Stack for BTreeMap<String, A> {
    type Batch = BTreeMap<String, A::Batch>;

    fn stack(elements: Vec<Self>) -> Result<Self::Batch> {
        some(&elements)?;
        let mut columns: BTreeMap<String, Vec<A>> =
            elements[0].keys().map(|k| (k.clone(), Vec::new())).collect();
        for (i, element) in elements.into_iter().enumerate() {
            if !element.keys().eq(columns.keys()) {
                return Err(Error::program(format!(
                    "batch: element 0 has the keys {:?}, but element {i} of the batch has {:?}",
                    columns.keys().collect::<Vec<_>>(),
                    element.keys().collect::<Vec<_>>()
                )));
            }
            for (column, value) in columns.values_mut().zip(element.into_values()) {
                column.push(value);
            }
        }
        columns.into_iter().map(|(key, column)| Ok((key, A::stack(column)?))).collect()
    }
}

fn some<T>(elements: &[T]) -> Result<()> {
    match elements.is_empty() {
        true => Err(Error::program("batch: there is no element to stack")),
        false => Ok(()),
    }
}

fn bytes_of<'a>(parts: impl Iterator<Item = &'a Literal>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(part.bytes());
    }
    bytes
}

impl BatchRows for Literal {
    fn rows(&self) -> Result<usize> {
        self.dims()
            .first()
            .copied()
            .ok_or_else(|| Error::program(format!("a batch has a first axis, but this is {}", self.ty())))
    }

    fn cut(&self, range: Range<usize>) -> Result<Self> {
        let rows = self.rows()?;
        if range.start > range.end || range.end > rows {
            return Err(Error::program(format!("there are no elements {range:?} in a batch of {rows}")));
        }
        let mut dims = self.dims();
        let width = self.bytes().len().checked_div(rows).unwrap_or(0);
        dims[0] = range.len();
        Literal::from_bytes(
            Type::tensor(self.dtype(), dims),
            &self.bytes()[range.start * width..range.end * width],
        )
    }

    fn join(batches: &[Self]) -> Result<Self> {
        let Some(first) = batches.first() else { return Err(Error::program("there is no batch to join")) };
        let mut dims = first.dims();
        let mut rows = 0;
        for batch in batches {
            rows += batch.rows()?;
            if batch.dtype() != first.dtype() || batch.dims()[1..] != dims[1..] {
                return Err(Error::program(format!(
                    "batches of {} and {} cannot be joined",
                    first.ty(),
                    batch.ty()
                )));
            }
        }
        dims[0] = rows;
        Literal::from_bytes(Type::tensor(first.dtype(), dims), &bytes_of(batches.iter()))
    }

    fn padded(&self, count: usize, value: f64) -> Result<Self> {
        let rows = self.rows()?;
        if rows > count {
            return Err(Error::program(format!("a batch of {rows} elements cannot be filled up to {count}")));
        }
        let mut dims = self.dims();
        dims[0] = count - rows;
        let filling = Literal::full(Type::tensor(self.dtype(), dims), value)?;
        Literal::join(&[self.clone(), filling])
    }
}

impl<R: BatchRows> BatchRows for BTreeMap<String, R> {
    fn rows(&self) -> Result<usize> {
        let rows = self.values().map(BatchRows::rows).collect::<Result<Vec<_>>>()?;
        match rows.first() {
            Some(first) if rows.iter().all(|r| r == first) => Ok(*first),
            _ => Err(Error::program(format!(
                "the parts of a batch have different numbers of elements: {rows:?}"
            ))),
        }
    }

    fn cut(&self, range: Range<usize>) -> Result<Self> {
        self.iter().map(|(key, part)| Ok((key.clone(), part.cut(range.clone())?))).collect()
    }

    fn join(batches: &[Self]) -> Result<Self> {
        let Some(first) = batches.first() else { return Err(Error::program("there is no batch to join")) };
        let mut columns: BTreeMap<String, Vec<R>> =
            first.keys().map(|key| (key.clone(), Vec::new())).collect();
        for batch in batches {
            let rows = batch.rows()?;
            if !batch.keys().eq(columns.keys()) {
                return Err(Error::program("batches with different keys cannot be joined"));
            }
            for (column, part) in columns.values_mut().zip(batch.values()) {
                column.push(part.cut(0..rows)?);
            }
        }
        columns.into_iter().map(|(key, parts)| Ok((key, R::join(&parts)?))).collect()
    }

    fn padded(&self, count: usize, value: f64) -> Result<Self> {
        self.iter().map(|(key, part)| Ok((key.clone(), part.padded(count, value)?))).collect()
    }
}
