//! Values of columns in JSON.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use serde_json::{Map, Value};

use crate::sources::json_object::{bytes_value, double_value, single_value};

/// Checks that values of a type are read; the error is the type that is not.
pub(super) fn check(kind: &DataType) -> Result<(), String> {
    match kind {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => check(field.data_type()),
        DataType::Struct(fields) => fields.iter().try_for_each(|field| check(field.data_type())),
        DataType::Dictionary(_, values) => check(values),
        DataType::Null
        | DataType::Boolean
        | DataType::Utf8
        | DataType::LargeUtf8
        | DataType::Utf8View
        | DataType::Binary
        | DataType::LargeBinary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::Date32
        | DataType::Date64
        | DataType::Time32(TimeUnit::Second | TimeUnit::Millisecond)
        | DataType::Time64(TimeUnit::Microsecond | TimeUnit::Nanosecond)
        | DataType::Timestamp(..)
        | DataType::Decimal128(..) => Ok(()),
        kind if kind.is_integer() || kind.is_floating() => Ok(()),
        kind => Err(kind.to_string()),
    }
}

/// A row as an object.
///
/// # Errors
/// A value is none of its type.
pub(super) fn row(columns: &RecordBatch, row: usize) -> Result<Value, String> {
    let fields = columns.schema_ref().fields().iter().zip(columns.columns());
    fields.map(|(field, column)| Ok((field.name().clone(), value(column, row)?))).collect()
}

fn number<T: ArrowPrimitiveType>(column: &dyn Array, row: usize) -> T::Native {
    column.as_primitive::<T>().value(row)
}

/// A day, and a time of a day. Parquet's rows have them in this form, too.
macro_rules! moment {
    ($column:ident, $row:ident, $method:ident, $kind:ty, $form:literal) => {{
        let moment = $column.as_primitive::<$kind>().$method($row);
        let moment = moment.ok_or_else(|| "a time is none that there is".to_owned())?;
        moment.format($form).to_string().into()
    }};
}

fn list(values: &dyn Array) -> Result<Value, String> {
    (0..values.len()).map(|i| value(values, i)).collect()
}

fn value(column: &dyn Array, row: usize) -> Result<Value, String> {
    if column.is_null(row) {
        return Ok(Value::Null);
    }
    Ok(match column.data_type() {
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Int8 => number::<Int8Type>(column, row).into(),
        DataType::Int16 => number::<Int16Type>(column, row).into(),
        DataType::Int32 => number::<Int32Type>(column, row).into(),
        DataType::Int64 => number::<Int64Type>(column, row).into(),
        DataType::UInt8 => number::<UInt8Type>(column, row).into(),
        DataType::UInt16 => number::<UInt16Type>(column, row).into(),
        DataType::UInt32 => number::<UInt32Type>(column, row).into(),
        DataType::UInt64 => number::<UInt64Type>(column, row).into(),
        DataType::Float16 => double_value(number::<Float16Type>(column, row).to_f64()),
        DataType::Float32 => single_value(number::<Float32Type>(column, row)),
        DataType::Float64 => double_value(number::<Float64Type>(column, row)),
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(row).into(),
        DataType::Utf8View => column.as_string_view().value(row).into(),
        DataType::Binary => bytes_value(column.as_binary::<i32>().value(row)),
        DataType::LargeBinary => bytes_value(column.as_binary::<i64>().value(row)),
        DataType::BinaryView => bytes_value(column.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => bytes_value(column.as_fixed_size_binary().value(row)),
        DataType::List(_) => list(&column.as_list::<i32>().value(row))?,
        DataType::LargeList(_) => list(&column.as_list::<i64>().value(row))?,
        DataType::FixedSizeList(..) => list(&column.as_fixed_size_list().value(row))?,
        DataType::Struct(fields) => {
            let columns = column.as_struct().columns();
            let entries = fields.iter().zip(columns);
            entries
                .map(|(field, column)| Ok((field.name().clone(), value(column, row)?)))
                .collect::<Result<Value, String>>()?
        }
        DataType::Map(..) => {
            let entries = column.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let mut map = Map::new();
            for i in 0..entries.len() {
                let key = match value(keys, i)? {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                map.insert(key, value(values, i)?);
            }
            Value::Object(map)
        }
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let key = value(dictionary.keys(), row)?.as_u64().ok_or("a key of a dictionary is negative")?;
            value(dictionary.values(), key as usize)?
        }
        DataType::Date32 => moment!(column, row, value_as_date, Date32Type, "%Y-%m-%d"),
        DataType::Date64 => moment!(column, row, value_as_date, Date64Type, "%Y-%m-%d"),
        DataType::Time32(TimeUnit::Second) => {
            moment!(column, row, value_as_time, Time32SecondType, "%H:%M:%S")
        }
        DataType::Time32(_) => moment!(column, row, value_as_time, Time32MillisecondType, "%H:%M:%S%.3f"),
        DataType::Time64(TimeUnit::Microsecond) => {
            moment!(column, row, value_as_time, Time64MicrosecondType, "%H:%M:%S%.6f")
        }
        DataType::Time64(_) => moment!(column, row, value_as_time, Time64NanosecondType, "%H:%M:%S%.9f"),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => {
                moment!(column, row, value_as_datetime, TimestampSecondType, "%Y-%m-%d %H:%M:%S +00:00")
            }
            TimeUnit::Millisecond => {
                moment!(
                    column,
                    row,
                    value_as_datetime,
                    TimestampMillisecondType,
                    "%Y-%m-%d %H:%M:%S%.3f +00:00"
                )
            }
            TimeUnit::Microsecond => {
                moment!(
                    column,
                    row,
                    value_as_datetime,
                    TimestampMicrosecondType,
                    "%Y-%m-%d %H:%M:%S%.6f +00:00"
                )
            }
            TimeUnit::Nanosecond => {
                moment!(
                    column,
                    row,
                    value_as_datetime,
                    TimestampNanosecondType,
                    "%Y-%m-%d %H:%M:%S%.9f +00:00"
                )
            }
        },
        DataType::Decimal128(..) => column.as_primitive::<Decimal128Type>().value_as_string(row).into(),
        _ => Value::Null,
    })
}
