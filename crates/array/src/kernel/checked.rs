//! What checked mode looks at: places outside of arrays, reads of what nothing has written, two points that store one place.

use crate::array::Array;
use crate::checkify;
use crate::kernel::body;

/// Checks that `holds` is true everywhere, if the kernel being traced is checked; the message has a place for the element of `number`.
#[track_caller]
pub(crate) fn check(holds: &Array, message: &str, number: &Array) {
    if body::is_checked() {
        checkify::check(holds, message, &[number]);
    }
}
