//! What checked mode looks at: places outside of arrays, two points that store one place, and, of kernels that say so, reads of what
//! nothing has written.

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
