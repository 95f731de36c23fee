//! What checked mode looks at: places outside of arrays, reads of what nothing has written, two points that store one place.

use crate::array::Array;
use crate::checkify;
use crate::kernel::body;

/// Whether the kernel being traced is checked, or failures of its accesses are looked for.
pub(crate) fn is_looking() -> bool {
    body::is_checked()
}

/// Checks that `holds` is true everywhere, if that is looked at here; the message has a place for the element of `number`.
#[track_caller]
pub(crate) fn check(holds: &Array, message: &str, number: &Array) {
    if is_looking() {
        checkify::check(holds, message, &[number]);
    }
}
