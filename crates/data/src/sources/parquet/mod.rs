//! Parquet: tables of columns in groups of rows, of which a record is a row as an object of JSON.

mod rows;
mod table;

pub use self::rows::{Parquet, ParquetRecords};
pub use self::table::{ParquetOptions, ParquetWriter};
