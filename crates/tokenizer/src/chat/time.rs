//! The time as C's `strftime` writes it.

use minijinja::{Error, ErrorKind};

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The time `seconds` after the beginning of 1970, in UTC, by a format of C's `strftime`.
///
/// # Errors
/// The format ends with `%`, or has a directive that is not known here.
///
/// ```
/// use jarrah_tokenizer::chat::strftime;
/// assert_eq!(strftime("%F %T", 951_827_696)?, "2000-02-29 12:34:56");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn strftime(format: &str, seconds: i64) -> Result<String, Error> {
    const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let weekday = DAYS[(days + 4).rem_euclid(7) as usize];
    let name = MONTHS[month as usize - 1];
    let first = days - (day - 1) - (1..month).map(|m| length(year, m)).sum::<i64>();
    let of_year = days - first + 1;
    let twelve = (hour + 11) % 12 + 1;
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let mut directive = chars.next();
        let plain = directive == Some('-');
        if plain {
            directive = chars.next();
        }
        let number = |x: i64, width: usize| if plain { x.to_string() } else { format!("{x:0width$}") };
        out += &match directive.ok_or_else(|| wrong("a format of time ends with %"))? {
            'Y' => year.to_string(),
            'y' => number(year.rem_euclid(100), 2),
            'm' => number(month, 2),
            'd' => number(day, 2),
            'e' => format!("{day:2}"),
            'j' => number(of_year, 3),
            'H' => number(hour, 2),
            'I' => number(twelve, 2),
            'M' => number(minute, 2),
            'S' => number(second, 2),
            'f' => "000000".to_owned(),
            'p' => (if hour < 12 { "AM" } else { "PM" }).to_owned(),
            'B' => name.to_owned(),
            'b' | 'h' => name[..3].to_owned(),
            'A' => weekday.to_owned(),
            'a' => weekday[..3].to_owned(),
            'w' => (days + 4).rem_euclid(7).to_string(),
            'u' => ((days + 3).rem_euclid(7) + 1).to_string(),
            'F' => strftime("%Y-%m-%d", seconds)?,
            'T' => strftime("%H:%M:%S", seconds)?,
            'R' => strftime("%H:%M", seconds)?,
            'D' => strftime("%m/%d/%y", seconds)?,
            's' => seconds.to_string(),
            'z' | 'Z' => String::new(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            '%' => "%".to_owned(),
            other => return Err(wrong(format!("the format of time %{other} is not known here"))),
        };
    }
    Ok(out)
}

fn length(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a day since the beginning of 1970, by the Gregorian calendar: days are counted from the first of
/// March of the year 0, so that a leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, date)
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
        assert!(strftime("%Q", 0).is_err() && strftime("%", 0).is_err());
    }
}
