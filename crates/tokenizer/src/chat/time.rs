//! The time as C's `strftime` writes it.

use std::fmt::Write;

use chrono::DateTime;
use chrono::format::{Fixed, Item, Numeric, StrftimeItems};
use minijinja::{Error, ErrorKind};

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The time `seconds` after the beginning of 1970, in UTC, by a format of C's `strftime`.
///
/// Python's `datetime.strftime` is followed: `%f` is microseconds, and `%z` and `%Z` are empty, as a time without a zone has them.
///
/// # Errors
/// The format ends with `%`, or has a directive that is not known here; the year has more than six digits.
///
/// ```
/// use jarrah_tokenizer::chat::strftime;
/// assert_eq!(strftime("%F %T", 951_827_696)?, "2000-02-29 12:34:56");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strftime(format: &str, seconds: i64) -> Result<String, Error> {
    let time = DateTime::from_timestamp(seconds, 0)
        .ok_or_else(|| wrong(format!("{seconds} seconds after 1970 is a time outside the calendar")))?;
    let items = StrftimeItems::new(format)
        .map(|item| match item {
            Item::Error => {
                Err(wrong(format!("the format of time {format:?} has a directive that is not known here")))
            }
            Item::Numeric(Numeric::Nanosecond, _) => Ok(Item::Literal("000000")),
            Item::Fixed(Fixed::TimezoneName | Fixed::TimezoneOffset | Fixed::TimezoneOffsetColon) => {
                Ok(Item::Literal(""))
            }
            item => Ok(item),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut text = String::new();
    // Directives of zones that Python does not have cannot be written of a time without one.
    write!(text, "{}", time.naive_utc().format_with_items(items.iter())).map_err(|_| {
        wrong(format!("the format of time {format:?} has a directive of a zone that is not known here"))
    })?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01 Thursday 001"),
            (951_782_400, "2000-02-29 Tuesday 060"),
            (1_700_000_000, "2023-11-14 Tuesday 318"),
            (-1, "1969-12-31 Wednesday 365"),
            (4_107_542_400, "2100-03-01 Monday 060"),
        ];
        for (seconds, text) in cases {
            assert_eq!(strftime("%Y-%m-%d %A %j", seconds).unwrap(), text);
        }
        assert_eq!(strftime("%-d %b %y, %I:%M %p%%", 1_700_000_000).unwrap(), "14 Nov 23, 10:13 PM%");
        assert!(strftime("%Q", 0).is_err() && strftime("%", 0).is_err() && strftime("%F", i64::MAX).is_err());
    }

    #[test]
    fn directives_of_zones_are_empty_or_errors() {
        assert_eq!(strftime("%Y%z%:z%Z", 0).unwrap(), "1970");
        for format in ["%::z", "%:::z", "%#z", "%+"] {
            let error = strftime(format, 0).unwrap_err();
            assert!(error.to_string().contains("is not known here"), "{format}: {error}");
        }
    }

    /// As `datetime.datetime.fromtimestamp(1700000000, timezone.utc).replace(tzinfo=None).strftime(...)` of Python writes it.
    #[test]
    fn directives_are_those_of_pythons_datetime() {
        let written = strftime(
            "%a %A %b %B %h|%e|%H %I %-I %M %S %f|%p|%w %u|%D %F %R %T|%s|%z%Z|%n%t%%|%U %W|%c|%x %X|%G %V",
            1_700_000_000,
        );
        assert_eq!(
            written.unwrap(),
            "Tue Tuesday Nov November Nov|14|22 10 10 13 20 000000|PM|2 2|11/14/23 2023-11-14 22:13 22:13:20|1700000000||\n\t%|46 46|Tue Nov 14 22:13:20 2023|11/14/23 22:13:20|2023 46"
        );
    }
}
