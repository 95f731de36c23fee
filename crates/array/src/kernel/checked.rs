//! Checked mode, which reports positions outside of arrays, two grid points that store to one element, and, if a kernel asks for
//! it, reads of elements that nothing has written.

use jarrah_base::Location;

use crate::array::Array;
use crate::checkify;
use crate::kernel::body;
use crate::trace::acting_line;

/// Checks that `holds` is true everywhere, if the kernel being traced is checked; the message has a place for the element of `number`,
/// and ends in the line of the access, for the kernel as a whole is at another.
#[track_caller]
pub(crate) fn check(holds: &Array, message: &str, number: &Array) {
    if body::is_checked() {
        let line = acting_line(Location::caller()).to_string().replace(['{', '}'], "");
        checkify::check(holds, &format!("{message}, at {line}"), &[number]);
    }
}
