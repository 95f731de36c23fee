//! Checked mode, which reports positions outside of arrays, two grid points that store to one element, and, if a kernel asks for
//! it, reads of elements that nothing has written.

use jarrah_base::Location;

use crate::array::Array;
use crate::checkify;
use crate::kernel::body;
use crate::trace::acting_line;

/// In a checked kernel, checks that `holds` is true everywhere. The message has a placeholder for the element of `number` that
/// fails, and ends with the line of the access, since the error as a whole is reported at the line of the kernel.
#[track_caller]
pub(crate) fn check(holds: &Array, message: &str, number: &Array) {
    if body::is_checked() {
        let line = acting_line(Location::caller()).to_string().replace(['{', '}'], "");
        checkify::check(holds, &format!("{message}, at {line}"), &[number]);
    }
}
