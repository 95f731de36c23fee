//! Named values: how C is told of properties, and tells of options.

use std::ffi::c_char;

use jarrah_base::{Error, Result};
use jarrah_runtime::DeviceAttribute;

use crate::abi::*;

/// Named values and what they point to.
pub struct Named {
    values: Vec<PJRT_NamedValue>,
    _owned: Vec<(String, DeviceAttribute)>,
}

// SAFETY: the values point into what is owned beside them and never changes.
unsafe impl Send for Named {}
// SAFETY: as above.
unsafe impl Sync for Named {}

impl Named {
    /// The list of these values.
    pub fn new(owned: Vec<(String, DeviceAttribute)>) -> Named {
        let values = owned.iter().map(|(name, attribute)| raw(name, attribute)).collect();
        Named { values, _owned: owned }
    }

    /// Where C finds the list, which stays there as long as this does.
    pub fn as_ptr(&self) -> *const PJRT_NamedValue {
        self.values.as_ptr()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

fn raw(name: &str, attribute: &DeviceAttribute) -> PJRT_NamedValue {
    let (r#type, value, value_size) = match attribute {
        DeviceAttribute::Text(text) => (
            PJRT_NamedValue_Type::String,
            PJRT_NamedValue_Value { string_value: text.as_ptr().cast() },
            text.len(),
        ),
        DeviceAttribute::Integer(number) => {
            (PJRT_NamedValue_Type::Int64, PJRT_NamedValue_Value { int64_value: *number }, 1)
        }
        DeviceAttribute::Integers(numbers) => (
            PJRT_NamedValue_Type::Int64List,
            PJRT_NamedValue_Value { int64_array_value: numbers.as_ptr() },
            numbers.len(),
        ),
        DeviceAttribute::Float(number) => {
            (PJRT_NamedValue_Type::Float, PJRT_NamedValue_Value { float_value: *number as f32 }, 1)
        }
        DeviceAttribute::Bool(truth) => {
            (PJRT_NamedValue_Type::Bool, PJRT_NamedValue_Value { bool_value: *truth }, 1)
        }
    };
    PJRT_NamedValue {
        name: name.as_ptr().cast(),
        name_size: name.len(),
        r#type,
        value,
        value_size,
        ..PJRT_NamedValue::default()
    }
}

/// The values of a list that C gives, by name. Values of types that the interface got later than version 0.114 are errors.
///
/// # Safety
/// `count` values are at `values`; each points to as much text or to as many numbers as it says, for as long as the call lasts.
///
/// # Errors
/// The list or a text is null, a text is not UTF-8, or a value is of an unknown type.
pub unsafe fn read(values: *const PJRT_NamedValue, count: usize) -> Result<Vec<(String, DeviceAttribute)>> {
    // SAFETY: the caller promises that the list is there.
    let values = unsafe { list(values, count, "list of options")? };
    let one = |value: &PJRT_NamedValue| {
        // SAFETY: the caller promises that the name is there.
        let name = unsafe { text(value.name, value.name_size, "name of an option")? };
        let what = || format!("value of the option {name}");
        // SAFETY: the caller promises that the value is of the kind that the type says, and there.
        let attribute = unsafe {
            match value.r#type {
                PJRT_NamedValue_Type::String => {
                    DeviceAttribute::Text(text(value.value.string_value, value.value_size, &what())?)
                }
                PJRT_NamedValue_Type::Int64 => DeviceAttribute::Integer(value.value.int64_value),
                PJRT_NamedValue_Type::Int64List => {
                    let numbers = list(value.value.int64_array_value, value.value_size, &what())?;
                    DeviceAttribute::Integers(numbers.to_vec())
                }
                PJRT_NamedValue_Type::Float => DeviceAttribute::Float(value.value.float_value.into()),
                // C may have written any byte.
                PJRT_NamedValue_Type::Bool => {
                    DeviceAttribute::Bool((&raw const value.value.bool_value).cast::<u8>().read() != 0)
                }
                other => {
                    let kind = other.0;
                    return Err(Error::program(format!("the option {name} is of the unknown type {kind}")));
                }
            }
        };
        Ok((name, attribute))
    };
    values.iter().map(one).collect()
}

/// A list of C's.
///
/// # Safety
/// If `pointer` is not null, `len` values are there for the lifetime of the list.
///
/// # Errors
/// The pointer is null and the list is said not to be empty.
pub(crate) unsafe fn list<'a, T>(pointer: *const T, len: usize, what: &str) -> Result<&'a [T]> {
    match (pointer.is_null(), len) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Error::program(format!("the {what} is null"))),
        // SAFETY: the caller promises it.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, len) }),
    }
}

/// A text of C's.
///
/// # Safety
/// As for [`list`].
///
/// # Errors
/// The pointer is null and the text is said not to be empty; the text is not UTF-8.
pub(crate) unsafe fn text(pointer: *const c_char, len: usize, what: &str) -> Result<String> {
    // SAFETY: the caller promises it.
    let bytes = unsafe { list(pointer.cast::<u8>(), len, what)? };
    let text = std::str::from_utf8(bytes);
    text.map(str::to_owned).map_err(|error| Error::program(format!("the {what} is not UTF-8: {error}")))
}
