//! Named values: how C is told of properties, and tells of options.

use jarrah_pjrt::abi::*;
use jarrah_runtime::Attribute;

use crate::error::{Failure, Outcome};
use crate::object::{bytes, list, text, value};

/// Named values and what they point to.
pub struct Named {
    values: Vec<PJRT_NamedValue>,
    _owned: Vec<(String, Attribute)>,
}

// SAFETY: the values point into what is owned beside them and never changes.
unsafe impl Send for Named {}
// SAFETY: as above.
unsafe impl Sync for Named {}

impl Named {
    pub fn new(owned: Vec<(String, Attribute)>) -> Named {
        let values = owned.iter().map(|(name, attribute)| raw(name, attribute)).collect();
        Named { values, _owned: owned }
    }

    pub fn as_ptr(&self) -> *const PJRT_NamedValue {
        self.values.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }
}

fn raw(name: &str, attribute: &Attribute) -> PJRT_NamedValue {
    let (r#type, value, value_size) = match attribute {
        Attribute::Text(text) => (
            PJRT_NamedValue_Type::String,
            PJRT_NamedValue_Value { string_value: text.as_ptr().cast() },
            text.len(),
        ),
        Attribute::Integer(number) => {
            (PJRT_NamedValue_Type::Int64, PJRT_NamedValue_Value { int64_value: *number }, 1)
        }
        Attribute::Integers(numbers) => (
            PJRT_NamedValue_Type::Int64List,
            PJRT_NamedValue_Value { int64_array_value: numbers.as_ptr() },
            numbers.len(),
        ),
        Attribute::Float(number) => {
            (PJRT_NamedValue_Type::Float, PJRT_NamedValue_Value { float_value: *number as f32 }, 1)
        }
        Attribute::Bool(truth) => {
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

/// The options that C gives, by name.
pub fn read(options: *const PJRT_NamedValue, count: usize) -> Outcome<Vec<(String, Attribute)>> {
    let one = |option: &PJRT_NamedValue| {
        let name = text(option.name, option.name_size, "name of an option")?.to_owned();
        let what = || format!("value of the option {name}");
        // SAFETY: the caller promises that the value is of the kind that the type says.
        let attribute = unsafe {
            match option.r#type {
                PJRT_NamedValue_Type::String => {
                    Attribute::Text(text(option.value.string_value, option.value_size, &what())?.to_owned())
                }
                PJRT_NamedValue_Type::Int64 => Attribute::Integer(option.value.int64_value),
                PJRT_NamedValue_Type::Int64List => Attribute::Integers(
                    list(option.value.int64_array_value, option.value_size, &what())?.to_vec(),
                ),
                PJRT_NamedValue_Type::Float => Attribute::Float(option.value.float_value.into()),
                PJRT_NamedValue_Type::Bool => {
                    let truth = bytes((&raw const option.value.bool_value).cast(), 1, &what())?;
                    Attribute::Bool(truth != [0])
                }
                other => {
                    return Err(Failure::invalid(format!(
                        "the option {name} is of the unknown type {}",
                        other.0
                    )));
                }
            }
        };
        Ok((name, attribute))
    };
    if count > 0 {
        value(options, "list of options")?;
    }
    list(options, count, "options")?.iter().map(one).collect()
}
