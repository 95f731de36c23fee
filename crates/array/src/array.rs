use std::fmt;
use std::sync::Arc;

use jarrah_base::{DType, Error, HostElement, HostView, Literal, Location, Result, Source, Type, dlpack};
use jarrah_hlo::ops::Constant;
use jarrah_runtime::{Buffer, HostSource};
use jarrah_tree::Tree;

use crate::device::default_device;
use crate::eager::{self, Node};
use crate::error::fail;
use crate::literals::Scalar;
use crate::number::Number;
use crate::scope;
use crate::shape::Shape;
use crate::trace::{self, Identity, Tracer, acting_line, apply_one, leaked, users_line};

/// A tensor: concrete data, or a stand-in for data while a function is traced.
///
/// Cloning is cheap and shares the data. Operations on concrete arrays are recorded; they run, fused, when a value is
/// read.
///
/// The dtype and shape are known at any time, also while a function is traced:
///
/// ```
/// use jarrah_array::{Array, DType};
/// let x = Array::zeros(&[2, 3]);
/// assert_eq!((x.dtype(), x.rank(), x.size()), (DType::F32, 2, 6));
/// assert_eq!(x.shape(), [2, 3]);
/// assert_eq!(x.ty().to_string(), "f32[2,3]");
/// ```
#[derive(Clone)]
pub struct Array {
    pub(crate) repr: Repr,
}

#[derive(Clone)]
pub(crate) enum Repr {
    Node(Arc<Node>),
    Traced(Tracer),
    Abstract(Type),
}

impl Tree<Array> for Array {
    jarrah_tree::leaf!(Array);
}

impl Array {
    pub(crate) fn from_node(node: Arc<Node>) -> Self {
        Array { repr: Repr::Node(node) }
    }

    pub(crate) fn from_tracer(tracer: Tracer) -> Self {
        Array { repr: Repr::Traced(tracer) }
    }

    /// An array of type `ty` without data, for [`crate::eval_shape`] and as a prototype.
    ///
    /// ```
    /// # use jarrah_array::{Array, DType, eval_shape};
    /// // No memory is needed for the four terabytes of this array.
    /// let x = Array::abstracted(jarrah_base::Type::tensor(DType::F32, [1 << 20, 1 << 20]));
    /// assert_eq!(eval_shape(|x: &Array| x.sum(0), &x).shape(), [1 << 20]);
    /// ```
    pub fn abstracted(ty: Type) -> Self {
        Array { repr: Repr::Abstract(ty) }
    }

    /// An array with the data of a host tensor.
    ///
    /// ```
    /// # use jarrah_array::{Array, Literal};
    /// let literal = Literal::from_slice(&[1, 2], &[1.0f32, 2.0])?;
    /// assert_eq!(Array::from_literal(literal).to_string(), "f32[1,2] [[1.0, 2.0]]");
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_literal(literal: Literal) -> Self {
        if trace::inlines(literal.len()) {
            return Array::constant(literal);
        }
        Array::from_node(Node::from_literal(literal, here()))
    }

    /// An array with the data of a buffer on the default device.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let buffer = Array::from_slice(&[1i32, 2]).to_buffer()?;
    /// assert_eq!((Array::from_buffer(buffer) + 1).to_vec::<i32>()?, [2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_buffer(buffer: Buffer) -> Self {
        Array::from_node(Node::from_buffer(buffer, default_device(), false, here()))
    }

    /// The array of another library on the default device. Its memory is used without a copy if it is host memory with a suitable
    /// alignment.
    ///
    /// # Errors
    /// The device is out of memory; a truth value is neither 0 nor 1.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// let x = Array::from_slice(&[1.0f32, 2.0]);
    /// // `into_raw` and `from_raw` are the two ends that libraries in C, C++ and Python know.
    /// let y = Array::from_dlpack(x.to_dlpack()?.import()?)?;
    /// assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_dlpack(tensor: dlpack::DlpackImport) -> Result<Self> {
        let ty = tensor.ty();
        if ty.dtype() == DType::Bool && tensor.as_ref().iter().any(|&byte| byte > 1) {
            return Err(Error::input("a truth value of the DLPack tensor is neither 0 nor 1"));
        }
        let device = default_device();
        let source = HostSource::Shared(HostView::new(tensor));
        let buffer = device.client().buffer_from_host(ty, source, device.client().first().into())?;
        Ok(Array::from_node(Node::from_buffer(buffer, device, false, here())))
    }

    /// The array for another library, which reads the array's own memory if that is host memory.
    ///
    /// # Errors
    /// The computation failed; DLPack has no such dtype. Panics as [`Array::to_literal`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let exported = Array::from_slice(&[1i32, 2]).to_dlpack()?;
    /// assert_eq!(Array::from_dlpack(exported.import()?)?.to_vec::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_dlpack(&self) -> Result<dlpack::DlpackExport> {
        let view = self.to_buffer()?.view()?;
        dlpack::DlpackExport::new(self.ty(), Arc::new(view))
    }

    /// A vector of these elements.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[1.0f32, 2.0]).to_string(), "f32[2] [1.0, 2.0]");
    /// ```
    #[track_caller]
    pub fn from_slice<T: HostElement>(values: &[T]) -> Self {
        Self::new(values, &[values.len()])
    }

    /// A tensor of `shape` with these elements in row-major order.
    ///
    /// # Errors
    /// A program error if their number does not fit the shape.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::new(&[1i32, 2, 3, 4], &[2, 2]);
    /// assert_eq!(x.index((1, 0)).item::<i32>()?, 3);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new<T: HostElement>(values: &[T], shape: &[usize]) -> Self {
        match T::to_literal(shape, values) {
            Ok(literal) => Self::from_literal(literal),
            Err(error) => fail(
                error.op("new").at(Location::caller()).help("the extents multiply to the number of elements"),
            ),
        }
    }

    /// A tensor of rank 0, of the dtype of the value; a literal is `f32` or `i32`. An `f64` is no [`Scalar`]: [`Array::scalar_in`] takes it.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::scalar(2.5).to_string(), "f32[] 2.5");
    /// assert_eq!(Array::scalar(2u8).to_string(), "u8[] 2");
    /// ```
    #[track_caller]
    pub fn scalar<T: Scalar>(value: T) -> Self {
        Self::new(&[value], &[])
    }

    /// A tensor of rank 0, of this dtype, to which the value is converted as by [`Array::full`].
    ///
    /// ```
    /// # use jarrah_array::{Array, DType};
    /// assert_eq!(Array::scalar_in(2.5, DType::F64).to_string(), "f64[] 2.5");
    /// ```
    #[track_caller]
    pub fn scalar_in(value: impl Into<Number>, dtype: DType) -> Self {
        Self::from_literal(value.into().fit("scalar", dtype))
    }

    /// A constant: of the program being traced, or a concrete array outside of any trace.
    #[track_caller]
    pub(crate) fn constant(value: Literal) -> Self {
        if trace::is_tracing() {
            return apply_one(Constant { value }, &[]);
        }
        Array::from_node(Node::constant(&value, here()))
    }

    /// The element type and extents.
    #[inline]
    pub fn ty(&self) -> Type {
        match &self.repr {
            Repr::Node(node) => node.ty(),
            Repr::Traced(tracer) => tracer.ty(),
            Repr::Abstract(ty) => *ty,
        }
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.ty().dtype()
    }

    /// The extents.
    pub fn shape(&self) -> Shape {
        Shape::new(self.ty().dims())
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.ty().rank()
    }

    /// The number of elements. Panics where it exceeds the address space.
    #[track_caller]
    pub fn size(&self) -> usize {
        match self.ty().elements() {
            Ok(count) => count,
            Err(error) => fail(error.at(Location::caller())),
        }
    }

    /// The line and scope at which the array was made.
    pub(crate) fn source(&self) -> Source {
        match &self.repr {
            Repr::Node(node) => node.source(),
            Repr::Traced(tracer) => tracer.source(),
            Repr::Abstract(_) => Source::unknown(),
        }
    }

    /// The concrete array, if this is one.
    #[inline]
    pub(crate) fn node(&self) -> Option<&Arc<Node>> {
        match &self.repr {
            Repr::Node(node) => Some(node),
            Repr::Traced(_) | Repr::Abstract(_) => None,
        }
    }

    /// The concrete array: this one, or the shadow of a tracer.
    pub(crate) fn concrete(&self) -> Option<&Arc<Node>> {
        match &self.repr {
            Repr::Node(node) => Some(node),
            Repr::Traced(tracer) => tracer.shadow(),
            Repr::Abstract(_) => None,
        }
    }

    /// The data in host memory. Waits for it to be computed.
    ///
    /// # Errors
    /// The computation failed on the device. Panics while tracing under `jit` or `vmap`, where there is no value yet.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let literal = Array::from_slice(&[1i32, 2]).to_literal()?;
    /// assert_eq!(literal.as_slice::<i32>()?, [1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_literal(&self) -> Result<Literal> {
        match self.concrete() {
            Some(node) => match node.literal() {
                Ok(literal) => Ok(literal),
                Err(error) => Err(error.at(users_line(Location::caller()))),
            },
            None => fail(self.has_no_value("to_literal").at(Location::caller())),
        }
    }

    /// The data as a device buffer, which may still be computed: its event, `ready`, says when it is, and whether it failed.
    ///
    /// # Errors
    /// The computation cannot begin. Panics as [`Array::to_literal`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let buffer = Array::ones(&[2, 3]).to_buffer()?;
    /// assert_eq!(buffer.ty().to_string(), "f32[2,3]");
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_buffer(&self) -> Result<Buffer> {
        let Some(node) = self.concrete() else { fail(self.has_no_value("to_buffer").at(Location::caller())) };
        let buffers = eager::force(std::slice::from_ref(node), &node.location())?;
        buffers.into_iter().next().ok_or_else(|| Error::internal("no buffer was made"))
    }

    /// An identity that all handles to this array share; nothing for an abstract array.
    pub(crate) fn identity(&self) -> Option<Identity> {
        match &self.repr {
            Repr::Node(node) => Some(Identity::Node(Arc::as_ptr(node))),
            Repr::Traced(tracer) => Some(tracer.identity()),
            Repr::Abstract(_) => None,
        }
    }

    fn has_no_value(&self, op: &str) -> Error {
        let error = match &self.repr {
            Repr::Traced(tracer) if tracer.has_ended() => return leaked(tracer).op(op),
            Repr::Traced(tracer) => Error::program(format!(
                "the value of an array of type {} is not known while tracing {}",
                self.ty(),
                tracer.describe_trace()
            )),
            _ => Error::program(format!("an abstract array of type {} has no value", self.ty())),
        };
        let error = error.op(op);
        let error =
            error.help("decide with where_, cond or while_loop, or return the array and read it outside");
        match self.source().location {
            Some(location) => error.label(location, "it was made"),
            None => error,
        }
    }

    /// The elements in row-major order. `T` must be the element type.
    ///
    /// # Errors
    /// As [`Array::to_literal`], or `T` is not the element type.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!((Array::from_slice(&[1i32, 2]) + 1).to_vec::<i32>()?, [2, 3]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn to_vec<T: HostElement>(&self) -> Result<Vec<T>> {
        self.read_as("to_vec")
    }

    #[track_caller]
    fn read_as<T: HostElement>(&self, op: &str) -> Result<Vec<T>> {
        let place = Location::caller();
        if self.concrete().is_none() {
            fail(self.has_no_value(op).at(place));
        }
        T::from_literal(&self.to_literal()?).map_err(|error| {
            let help = "read it as its own type, or convert it with astype first";
            error.op(op).at(place).help(help)
        })
    }

    /// The only element. `T` must be the element type.
    ///
    /// # Errors
    /// As [`Array::to_literal`], `T` is not the element type, or there is not one element.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from_slice(&[3i32, 4]).max(..).item::<i32>()?, 4);
    /// assert!(Array::from_slice(&[3i32, 4]).item::<i32>().is_err());
    /// assert!(Array::scalar(3).item::<f32>().is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn item<T: HostElement>(&self) -> Result<T> {
        match self.read_as("item")?.as_slice() {
            [value] => Ok(*value),
            values => {
                let error = Error::program(format!("{} has {} elements, not one", self.ty(), values.len()));
                Err(error.op("item").at(Location::caller()).help("to_vec reads them all"))
            }
        }
    }

    /// The only element as an `f64`, whatever the dtype of real numbers.
    ///
    /// # Errors
    /// As [`Array::to_literal`], or there is not one element, or it is complex.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!((Array::scalar(3).to_f64()?, Array::scalar(true).to_f64()?), (3.0, 1.0));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn to_f64(&self) -> Result<f64> {
        let literal = self.to_literal()?;
        if self.dtype().is_complex() {
            let error = Error::program(format!("{} is complex, it is no double", self.ty()));
            return Err(error.help("take its real() or imag()"));
        }
        if literal.len() != 1 {
            return Err(Error::program(format!("{} has {} elements, not one", self.ty(), literal.len())));
        }
        Ok(literal.get_f64(0))
    }
}

/// The caller's line and scope.
#[track_caller]
pub(crate) fn here() -> Source {
    Source { location: Some(acting_line(Location::caller())), scope: scope::current() }
}

/// The type, and the elements of concrete arrays, nested by axis; of more than 1000 elements the first and last three
/// along each axis.
///
/// ```
/// # use jarrah_array::Array;
/// let x = Array::new(&[1.0f32, 2.0, 30.0, 4.0], &[2, 2]);
/// assert_eq!(x.to_string(), "f32[2,2]\n[[ 1.0,  2.0],\n [30.0,  4.0]]");
/// ```
impl fmt::Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.concrete().map(Node::literal) {
            Some(Ok(literal)) => literal.fmt(f),
            Some(Err(error)) => write!(f, "{} <{}>", self.ty(), error.message()),
            None => write!(f, "{} <traced>", self.ty()),
        }
    }
}

/// As [`fmt::Display`], but without computing anything: an array that is only recorded is shown as such.
impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.concrete() {
            Some(node) if node.is_pending() => write!(f, "{} <not computed yet>", self.ty()),
            _ => fmt::Display::fmt(self, f),
        }
    }
}
