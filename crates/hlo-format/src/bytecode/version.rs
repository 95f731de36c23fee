use std::fmt;
use std::str::FromStr;

use jarrah_base::Error;

/// A version of the portable dialect: `1.20.0`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// Raised with the guarantees.
    pub major: u32,
    /// Raised with ops, attributes and types.
    pub minor: u32,
    /// Raised with releases.
    pub patch: u32,
}

impl Version {
    /// The first version with guarantees, and the oldest that is written.
    pub const MINIMUM: Version = Version::new(0, 9);
    /// The newest version that is read and written.
    pub const CURRENT: Version = Version::new(1, 20);

    /// The version `major.minor.0`.
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor, patch: 0 }
    }

    /// Without the patch: what decides about ops, attributes and types.
    pub fn release(self) -> Version {
        Version::new(self.major, self.minor)
    }

    /// The format of the container in which this version is written.
    pub(super) fn container(self) -> u64 {
        match self {
            v if v < Version::new(0, 10) => 0,
            v if v < Version::new(0, 12) => 1,
            v if v < Version::new(0, 14) => 3,
            v if v < Version::new(0, 15) => 4,
            _ => 6,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let malformed =
            || Error::input(format!("`{text}` is no version; one looks like {}", Version::CURRENT));
        let mut parts =
            text.split('.').map(|p| if p.starts_with('+') { None } else { p.parse::<u32>().ok() });
        let mut next = || parts.next().flatten().ok_or_else(malformed);
        let version = Version { major: next()?, minor: next()?, patch: next()? };
        if text.split('.').count() == 3 { Ok(version) } else { Err(malformed()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_as_they_are_written() {
        for text in ["0.9.0", "1.20.0", "12.34.56"] {
            assert_eq!(text.parse::<Version>().map(|v| v.to_string()).ok().as_deref(), Some(text));
        }
        for text in ["", "1", "1.2", "1.2.3.4", "1.2.x", "1.+2.3", "-1.2.3", "4294967296.0.0"] {
            assert!(text.parse::<Version>().is_err(), "{text}");
        }
        assert!(Version::MINIMUM < Version::CURRENT);
    }
}
