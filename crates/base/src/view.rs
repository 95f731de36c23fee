use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Bytes in host memory that nobody changes while this is held; clones share them. Dropping the last clone releases
/// the memory to whoever owns it.
#[derive(Clone)]
pub struct HostView(Arc<dyn AsRef<[u8]> + Send + Sync>);

impl HostView {
    /// A view of what `owner` holds, which must give the same bytes each time.
    pub fn new(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> HostView {
        HostView(Arc::new(owner))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

// Nobody changes the bytes, so no panic leaves them half changed.
impl UnwindSafe for HostView {}
impl RefUnwindSafe for HostView {}

impl AsRef<[u8]> for HostView {
    fn as_ref(&self) -> &[u8] {
        self.bytes()
    }
}

impl fmt::Debug for HostView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostView({} bytes)", self.bytes().len())
    }
}
