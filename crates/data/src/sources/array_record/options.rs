use std::fmt;
use std::str::FromStr;

use jarrah_base::{Error, Result};

use crate::sources::codec::RecordCompression;

/// The window of zstd that is written down where none is asked for: 2^20 bytes.
const ZSTD_WINDOW: u32 = 20;

/// How ArrayRecord files are written. As text it is that of `ArrayRecordWriter`'s options: `group_size:64,zstd:3`.
///
/// ```
/// use jarrah_data::{ArrayRecordOptions, RecordCompression};
/// let options: ArrayRecordOptions = "group_size:64,brotli".parse()?;
/// assert_eq!((options.group_size, options.compression), (64, RecordCompression::Brotli(6)));
/// assert!("group_size:0".parse::<ArrayRecordOptions>().is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `ArrayRecordWriterBase::Options`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayRecordOptions {
    /// The number of records that are compressed together, and decoded together; at least 1. With 1, access by index is fastest.
    pub group_size: u32,
    /// How groups are compressed.
    pub compression: RecordCompression,
    /// The logarithm of the window that the compression may look back, from 10 to 31 (30 for brotli). The encoder of zstd has a window of its own.
    pub window_log: Option<u32>,
    /// Whether each group begins at a multiple of 64 KiB, so that it can be found without the index.
    pub pad_to_block_boundary: bool,
}

impl Default for ArrayRecordOptions {
    /// Groups of one record, in zstd.
    fn default() -> Self {
        ArrayRecordOptions {
            group_size: 1,
            compression: RecordCompression::Zstd(3),
            window_log: Some(ZSTD_WINDOW),
            pad_to_block_boundary: false,
        }
    }
}

impl fmt::Display for ArrayRecordOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pad = self.pad_to_block_boundary;
        write!(
            f,
            "group_size:{},transpose:false,pad_to_block_boundary:{pad},{}",
            self.group_size, self.compression
        )?;
        self.window_log.map_or(Ok(()), |log| write!(f, ",window_log:{log}"))?;
        write!(f, ",max_parallelism:1")
    }
}

fn wrong(option: &str, expected: &str) -> Error {
    Error::input(format!("`{option}` is no option of ArrayRecord: expected {expected}"))
}

/// An integer of a range.
fn number<T: FromStr + PartialOrd + fmt::Display>(option: &str, text: &str, least: T, most: T) -> Result<T> {
    text.parse()
        .ok()
        .filter(|n| (&least..=&most).contains(&n))
        .ok_or_else(|| wrong(option, &format!("a number from {least} to {most}")))
}

/// `name` is false, as ArrayRecord has it.
fn flag(option: &str, text: &str) -> Result<bool> {
    match text {
        "true" => Ok(true),
        "false" | "" => Ok(false),
        _ => Err(wrong(option, "`true` or `false`")),
    }
}

impl FromStr for ArrayRecordOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut options = ArrayRecordOptions { window_log: None, ..ArrayRecordOptions::default() };
        let mut seen = Vec::new();
        for option in
            text.split(',').map(str::trim).filter(|option| !option.is_empty() && *option != "default")
        {
            let (name, value) = option.split_once(':').unwrap_or((option, ""));
            if seen.contains(&name) {
                return Err(Error::input(format!("the option `{name}` of ArrayRecord is given twice")));
            }
            seen.push(name);
            let level = |usual: &str| if value.is_empty() { usual.to_owned() } else { value.to_owned() };
            match name {
                "group_size" => options.group_size = number(option, value, 1, i32::MAX as u32)?,
                "uncompressed" if value.is_empty() => options.compression = RecordCompression::None,
                "snappy" if value.is_empty() => options.compression = RecordCompression::Snappy,
                "zstd" => {
                    options.compression = RecordCompression::Zstd(number(option, &level("3"), -131_072, 22)?)
                }
                "brotli" => {
                    options.compression = RecordCompression::Brotli(number(option, &level("6"), 0, 11)?)
                }
                "window_log" if value == "auto" => options.window_log = None,
                "window_log" => options.window_log = Some(number(option, value, 10, 31)?),
                "pad_to_block_boundary" => options.pad_to_block_boundary = flag(option, value)?,
                "transpose" if value == "false" => {}
                "transpose" => {
                    return Err(Error::input("ArrayRecord files are not written transposed")
                        .help("leave `transpose` out: records are stored as they are"));
                }
                // A column size without columns, and threads of which one is enough: the file does not depend on them.
                "transpose_bucket_size" if value == "auto" => {}
                "transpose_bucket_size" | "saturation_delay_ms" => {
                    number(option, value, 1_u64, u64::MAX)?;
                }
                "max_parallelism" if value == "auto" => {}
                "max_parallelism" => {
                    number(option, value, 1_u32, i32::MAX as u32)?;
                }
                _ => {
                    return Err(wrong(
                        option,
                        "group_size, uncompressed, zstd, brotli, snappy, window_log, pad_to_block_boundary, transpose, \
                         transpose_bucket_size, max_parallelism or saturation_delay_ms",
                    ));
                }
            }
        }
        let compressions = ["uncompressed", "snappy", "zstd", "brotli"];
        if seen.iter().filter(|name| compressions.contains(name)).count() > 1 {
            return Err(Error::input(format!("`{text}` names more than one compression")));
        }
        match (options.compression, options.window_log) {
            (RecordCompression::Zstd(_), None) => options.window_log = Some(ZSTD_WINDOW),
            (RecordCompression::None | RecordCompression::Snappy, Some(_)) => {
                return Err(Error::input(format!("`{text}`: {} has no window", options.compression)));
            }
            (RecordCompression::Brotli(_), Some(31)) => {
                return Err(wrong("window_log:31", "a number from 10 to 30 for brotli"));
            }
            _ => {}
        }
        Ok(options)
    }
}
