//! The platforms of this process: how the client of each is made.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use jarrah_base::{Error, Result};

use crate::client::Client;

type Make = Arc<dyn Fn() -> Result<Arc<dyn Client>> + Send + Sync>;

struct Platform {
    name: String,
    make: Make,
    client: Option<Weak<dyn Client>>,
}

fn platforms() -> MutexGuard<'static, Vec<Platform>> {
    static PLATFORMS: Mutex<Vec<Platform>> = Mutex::new(Vec::new());
    PLATFORMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says how the client of a platform is made, which happens when it is first asked for.
///
/// # Errors
/// There is a platform of this name already, which stays.
pub fn register_platform(
    name: &str,
    make: impl Fn() -> Result<Arc<dyn Client>> + Send + Sync + 'static,
) -> Result<()> {
    let mut known = platforms();
    if known.iter().any(|platform| platform.name == name) {
        return Err(Error::program(format!("the platform {name} is registered already")));
    }
    known.push(Platform { name: name.to_owned(), make: Arc::new(make), client: None });
    Ok(())
}

/// The names of the platforms, in the order in which they were registered.
pub fn platform_names() -> Vec<String> {
    platforms().iter().map(|platform| platform.name.clone()).collect()
}

/// The client of a platform: the same at each call as long as somebody holds it.
///
/// # Errors
/// There is no such platform; its client cannot be made, which the next call tries again.
pub fn platform_client(name: &str) -> Result<Arc<dyn Client>> {
    let find = |known: &[Platform]| {
        let found = known.iter().find(|platform| platform.name == name);
        found.map(|platform| (platform.make.clone(), platform.client.as_ref().and_then(Weak::upgrade)))
    };
    let Some((make, client)) = find(&platforms()) else {
        let names = platform_names().join(", ");
        return Err(Error::input(format!("there is no platform {name}")).help(match &names[..] {
            "" => "no platform is registered".to_owned(),
            names => format!("there are {names}"),
        }));
    };
    if let Some(client) = client {
        return Ok(client);
    }
    // Not under the lock: the function may register others, and take long.
    let made = make()?;
    let mut known = platforms();
    let Some(platform) = known.iter_mut().find(|platform| platform.name == name) else { return Ok(made) };
    if let Some(client) = platform.client.as_ref().and_then(Weak::upgrade) {
        return Ok(client);
    }
    platform.client = Some(Arc::downgrade(&made));
    Ok(made)
}
