//! How much memory there is, and errors about what does not fit.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// Requests below this, 1 MiB, are not checked.
const SMALL: usize = 1 << 20;
/// Requests below this, 64 MiB, are not compared with all memory there is.
const MEDIUM: usize = 1 << 26;

/// Checks that there are `bytes` of memory for `what`. Memory that the system promises may not be there when it is
/// written to, so being promised it is not enough.
///
/// # Errors
/// There are not (environment).
pub fn check(bytes: usize, what: &dyn Display) -> Result<()> {
    if bytes <= SMALL {
        return Ok(());
    }
    let promised = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    if promised && bytes <= MEDIUM {
        return Ok(());
    }
    let available = available();
    if promised && bytes <= available {
        return Ok(());
    }
    Err(Error::environment(format!(
        "{what} takes {bytes} bytes of memory, of which {available} are available"
    )))
}

/// The bytes of memory that this process may still take: the least of what the system has left, what its control groups
/// allow, and what its address space may grow by. `usize::MAX` where the system does not say.
///
/// ```
/// assert!(jarrah_base::memory::available() > 0);
/// ```
pub fn available() -> usize {
    let system = read("/proc/meminfo").and_then(|text| field(&text, "MemAvailable:"));
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let groups = control_groups(&groups).into_iter().flat_map(|group| left_of_group(&group));
    system.into_iter().chain(space()).chain(groups).min().unwrap_or(usize::MAX)
}

/// The bytes that the address space of this process may grow by, where `ulimit -v` or the like bounds it.
pub fn space() -> Option<usize> {
    let limit = address_space(&read("/proc/self/limits")?)?;
    Some(limit.saturating_sub(status("VmSize:")))
}

/// The most bytes that this process could take if nothing else ran: the machine's memory, the limits of its control groups
/// or that of its address space, whichever is least. `None` where the system does not say.
///
/// The needs of a program are compared with this before it runs: part of it may be in memory already.
///
/// ```
/// use jarrah_base::memory;
/// if let Some(limit) = memory::limit() {
///     println!("programs of up to {} fit", memory::size(limit));
/// }
/// ```
pub fn limit() -> Option<usize> {
    static LIMITS: OnceLock<[Option<usize>; 2]> = OnceLock::new();
    let [memory, space] = *LIMITS.get_or_init(|| {
        let system = read("/proc/meminfo").and_then(|text| field(&text, "MemTotal:"));
        let groups = control_groups(&read("/proc/self/cgroup").unwrap_or_default());
        let groups = groups.into_iter().filter_map(|group| limit_of_group(&group));
        let space = read("/proc/self/limits").and_then(|text| address_space(&text));
        [system.into_iter().chain(groups).min(), space]
    });
    // Stacks and libraries take addresses without taking memory.
    let space = space.map(|space| space.saturating_sub(status("VmSize:").saturating_sub(held())));
    memory.into_iter().chain(space).min()
}

/// A field of `/proc/self/status` in bytes; 0 where the system does not say.
fn status(name: &str) -> usize {
    read("/proc/self/status").and_then(|text| field(&text, name)).unwrap_or(0)
}

/// The bytes of memory that this process holds; 0 where the system does not say.
pub fn held() -> usize {
    status("VmRSS:")
}

/// The most bytes of memory that this process has held at any time; 0 where the system does not say.
pub fn peak() -> usize {
    status("VmHWM:")
}

/// Checks that `what` fits into `available` bytes: `parts` are what its memory is for and how much each takes.
///
/// ```
/// use jarrah_base::memory::fits;
/// let error = fits("the program", &[("arguments", 60_000), ("results", 60_000)], 100_000).unwrap_err();
/// let message = "the program needs 120 kB of memory (arguments 60 kB, results 60 kB), but there are 100 kB";
/// assert_eq!(error.message(), message);
/// ```
///
/// # Errors
/// The parts do not fit (`Memory`).
pub fn fits(what: &str, parts: &[(&str, usize)], available: usize) -> Result<()> {
    let needed = parts.iter().fold(0usize, |sum, (_, bytes)| sum.saturating_add(*bytes));
    if needed <= available {
        return Ok(());
    }
    let parts: Vec<String> = parts.iter().map(|(name, bytes)| format!("{name} {}", size(*bytes))).collect();
    Err(Error::memory(format!(
        "{what} needs {} of memory ({}), but there are {}",
        size(needed),
        parts.join(", "),
        size(available)
    )))
}

/// `12.3 MB` of 12,300,000.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..10_000 => format!("{bytes} B"),
        10_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        10_000_000_000..10_000_000_000_000 => format!("{:.1} GB", bytes as f64 / 1e9),
        _ => format!("{:.1} TB", bytes as f64 / 1e12),
    }
}

/// A number of bytes as people write it: `8GiB`, `1.5 GB`, `65536`.
///
/// ```
/// use jarrah_base::memory::Bytes;
/// assert_eq!("8GiB".parse::<Bytes>()?, Bytes(8 << 30));
/// assert_eq!("1.5 GB".parse::<Bytes>()?, Bytes(1_500_000_000));
/// assert_eq!(Bytes(8 << 30).to_string(), "8GiB");
/// let error = "lots".parse::<Bytes>().unwrap_err();
/// assert_eq!(error.message(), "\"lots\" is no number of bytes such as 8GiB, 500MB or 65536");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes(pub usize);

/// The units of bytes, the larger ones of each kind first.
const UNITS: [(&str, u64); 9] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
];

impl FromStr for Bytes {
    type Err = Error;

    fn from_str(text: &str) -> Result<Bytes> {
        let wrong = || Error::input(format!("{text:?} is no number of bytes such as 8GiB, 500MB or 65536"));
        let digits = text.trim();
        let end = digits.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(digits.len());
        let (number, unit) = digits.split_at(end);
        let unit = unit.trim();
        let of = |&&(name, _): &&(&str, u64)| name.eq_ignore_ascii_case(unit);
        let scale = if unit.is_empty() { 1 } else { UNITS.iter().find(of).ok_or_else(wrong)?.1 };
        let bytes = match number.parse::<u64>() {
            Ok(number) => number.checked_mul(scale).ok_or_else(wrong)?,
            Err(_) => {
                let bytes = number.parse::<f64>().map_err(|_| wrong())? * scale as f64;
                if bytes >= u64::MAX as f64 {
                    return Err(wrong());
                }
                bytes as u64
            }
        };
        usize::try_from(bytes).map(Bytes).map_err(|_| wrong())
    }
}

/// The number with the largest unit of 1024 that divides it.
impl Display for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.0 as u64;
        let mut binary = UNITS[..4].iter();
        match binary.find(|(_, scale)| bytes > 0 && bytes.is_multiple_of(*scale)) {
            Some((unit, scale)) => write!(f, "{}{unit}", bytes / scale),
            None => write!(f, "{bytes}B"),
        }
    }
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// The bytes in a line `name 1234 kB`.
fn field(text: &str, name: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: usize = rest.split_whitespace().next()?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// The soft limit of `/proc/self/limits`, if there is one.
fn address_space(text: &str) -> Option<usize> {
    let rest = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The folders of the control groups that count memory, from `/proc/self/cgroup`: the process's own and those around it.
fn control_groups(text: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let root = match controllers {
            "" => Path::new("/sys/fs/cgroup"),
            list if list.split(',').any(|name| name == "memory") => Path::new("/sys/fs/cgroup/memory"),
            _ => continue,
        };
        let own = root.join(path.trim_start_matches('/'));
        folders.extend(own.ancestors().take_while(|folder| folder.starts_with(root)).map(Path::to_owned));
    }
    folders
}

fn number(folder: &Path, name: &str) -> Option<usize> {
    read(folder.join(name))?.trim().parse().ok()
}

fn limit_of_group(folder: &Path) -> Option<usize> {
    number(folder, "memory.max").or_else(|| number(folder, "memory.limit_in_bytes"))
}

/// The memory that a control group leaves; files in memory that the system can drop do not count as taken.
fn left_of_group(folder: &Path) -> Option<usize> {
    let limit = limit_of_group(folder)?;
    let taken = number(folder, "memory.current").or_else(|| number(folder, "memory.usage_in_bytes"))?;
    let droppable = read(folder.join("memory.stat")).and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("inactive_file "))?;
        line.trim().parse().ok()
    });
    Some(limit.saturating_sub(taken.saturating_sub(droppable.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_understood() {
        let meminfo = "MemTotal:       24684096 kB\nMemAvailable:   19799760 kB\n";
        assert_eq!(field(meminfo, "MemAvailable:"), Some(19_799_760 * 1024));
        let limits = "Max file locks      unlimited   unlimited   locks\nMax address space   4096000     unlimited   bytes\n";
        assert_eq!(address_space(limits), Some(4_096_000));
        assert_eq!(address_space("Max address space   unlimited   unlimited   bytes\n"), None);
        let groups = control_groups("12:cpu,memory:/a/b\n3:pids:/\n0::/user.slice\n");
        let expected = ["memory/a/b", "memory/a", "memory", "user.slice", ""];
        let expected: Vec<PathBuf> = expected.iter().map(|p| Path::new("/sys/fs/cgroup").join(p)).collect();
        assert_eq!(groups, expected);
    }

    #[test]
    fn sizes_read_well() {
        let sizes = [9_999, 61_400, 12_340_000, 96_000_000_000, 2_000_000_000_000_000];
        assert_eq!(sizes.map(size), ["9999 B", "61 kB", "12.3 MB", "96.0 GB", "2000.0 TB"]);
    }
}
