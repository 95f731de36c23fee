//! A plugin: its function table, and how functions are called and objects freed.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jarrah_base::{Error, Result};
use jarrah_hlo_format::bytecode::Version;
use jarrah_runtime::DeviceAttribute;

use crate::abi::*;
use crate::error::foreign;
use crate::named;

/// A plugin, initialised. It stays for the rest of the process: plugins have threads of their own, which do not end when
/// their library would be unloaded.
pub struct Plugin {
    name: String,
    /// Our copy of the table. Functions that the plugin's table does not reach are null here.
    pub(super) table: PJRT_Api,
    address: usize,
}

// SAFETY: functions of the interface may be called from every thread, and the table never changes.
unsafe impl Send for Plugin {}
// SAFETY: as above.
unsafe impl Sync for Plugin {}

/// The plugins of this process: each is initialised once.
static PLUGINS: Mutex<Vec<&'static Plugin>> = Mutex::new(Vec::new());

/// Calls a function of a plugin's table with an argument struct whose fields are given, and gives the struct back.
///
/// Every use relies on this: handles in the struct are those of live objects of this plugin, which the
/// caller holds; other pointers point to what the header asks for, and live until the call is over, or as long as the header
/// says where that is longer.
macro_rules! ask {
    ($plugin:expr, $function:ident($args:ident { $($field:ident: $value:expr),* $(,)? })) => {{
        let plugin: &$crate::client::Plugin = $plugin;
        let mut args = $crate::abi::$args { $($field: $value,)* ..Default::default() };
        // SAFETY: as the macro's description says.
        unsafe { plugin.call(stringify!($function), plugin.table.$function, &mut args) }.map(|()| args)
    }};
}
pub(super) use ask;

impl Plugin {
    /// The plugin in the shared library at `path`.
    ///
    /// # Errors
    /// There is no such library, it is no plugin, or one of another major version of the interface; the plugin cannot be
    /// initialised.
    pub fn load(path: impl AsRef<Path>) -> Result<&'static Plugin> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |error: libloading::Error| {
            let mut text = error.to_string();
            let mut cause = std::error::Error::source(&error);
            while let Some(inner) = cause {
                text = format!("{text}: {inner}");
                cause = inner.source();
            }
            Error::input(format!("{name} cannot be loaded as a PJRT plugin: {text}"))
        };
        // A name without a folder would be looked for where the system keeps its libraries.
        let full = path.canonicalize().map_err(|error| Error::io("load", path, &error))?;
        // SAFETY: initialisers of the library run; who names a plugin trusts its code.
        let library = unsafe { libloading::Library::new(full) }.map_err(failed)?;
        // SAFETY: the interface says that this is the type of the function of this name.
        let get = unsafe { library.get::<unsafe extern "C" fn() -> *const PJRT_Api>(b"GetPjrtApi\0") };
        // SAFETY: the interface asks for no more than to call it.
        let table = unsafe { get.map_err(failed)?() };
        std::mem::forget(library);
        // SAFETY: the function of the library gave the table, and the library stays.
        unsafe { Plugin::from_table(table, &name) }
    }

    /// The plugin whose function table is at `table`; errors call it `name`.
    ///
    /// # Safety
    /// `table` is null, or what the `GetPjrtApi` of a plugin gave, which stays as long as the process.
    ///
    /// # Errors
    /// The table is null, or of another major version of the interface; the plugin cannot be initialised.
    pub unsafe fn from_table(table: *const PJRT_Api, name: &str) -> Result<&'static Plugin> {
        if table.is_null() {
            return Err(Error::input(format!("the plugin {name} gives no function table")));
        }
        let mut plugins = PLUGINS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plugins.iter().find(|plugin| plugin.address == table.addr()) {
            return Ok(known);
        }
        // SAFETY: the table begins with its size, says the caller.
        let size = unsafe { table.cast::<usize>().read() };
        let mut copy = PJRT_Api::default();
        // SAFETY: so much of the table is there, which is no more than our struct has. The fields beyond are null.
        unsafe {
            let to = (&raw mut copy).cast::<u8>();
            std::ptr::copy_nonoverlapping(table.cast::<u8>(), to, PJRT_Api::known(size));
        }
        let plugin = Plugin { name: name.to_owned(), table: copy, address: table.addr() };
        plugin.check()?;
        // Nothing else may be called before.
        ask!(&plugin, PJRT_Plugin_Initialize(PJRT_Plugin_Initialize_Args {}))?;
        let plugin: &'static Plugin = Box::leak(Box::new(plugin));
        plugins.push(plugin);
        Ok(plugin)
    }

    fn check(&self) -> Result<()> {
        let (major, minor) = self.api_version();
        if major != PJRT_API_MAJOR {
            return Err(Error::input(format!(
                "the plugin {} has version {major}.{minor} of the PJRT interface, version {PJRT_API_MAJOR} is needed",
                self.name
            )));
        }
        let table = &self.table;
        let errors = table.PJRT_Error_Destroy.is_some()
            && table.PJRT_Error_Message.is_some()
            && table.PJRT_Error_GetCode.is_some();
        // Memory that a transfer writes is given back when the transfer is over, so it must be possible to wait.
        if !errors || table.PJRT_Event_Await.is_none() {
            return Err(Error::input(format!(
                "the plugin {} lacks functions for errors and events that every plugin has",
                self.name
            )));
        }
        Ok(())
    }

    /// The major and minor version of the interface that the plugin has.
    pub fn api_version(&self) -> (i32, i32) {
        let version = &self.table.pjrt_api_version;
        (version.major_version, version.minor_version)
    }

    /// The name of the plugin in errors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The attributes by which the plugin describes itself.
    ///
    /// # Errors
    /// The plugin does not say, or says what cannot be read.
    pub fn attributes(&self) -> Result<Vec<(String, DeviceAttribute)>> {
        let said = ask!(self, PJRT_Plugin_Attributes(PJRT_Plugin_Attributes_Args {}))?;
        // SAFETY: the plugin gave the list, which it keeps.
        unsafe { named::read(said.attributes, said.num_attributes) }
    }

    /// The version of the portable dialect in which programs are given to the plugin: its current one, or our newest one if
    /// that is older. A plugin that does not say reads the first version without compatibility breaks, 1.0.0.
    ///
    /// # Errors
    /// The plugin's attributes cannot be read.
    pub fn stablehlo_version(&self) -> Result<Version> {
        let attributes = match self.table.PJRT_Plugin_Attributes {
            Some(_) => self.attributes()?,
            None => Vec::new(),
        };
        let said = attributes.iter().find(|(name, _)| name == "stablehlo_current_version");
        let said = match said {
            Some((_, DeviceAttribute::Integers(parts))) => parts.as_slice(),
            _ => &[],
        };
        let part = |at: usize| said.get(at).and_then(|&part| u32::try_from(part).ok());
        Ok(match (part(0), part(1), part(2)) {
            (Some(major), Some(minor), Some(patch)) => Version { major, minor, patch }.min(Version::CURRENT),
            _ => Version::new(1, 0),
        })
    }

    /// Calls a function.
    ///
    /// # Safety
    /// The struct is what the header asks for.
    pub(super) unsafe fn call<A>(&self, name: &str, function: AbiFunction<A>, args: &mut A) -> Result<()> {
        let Some(function) = function else {
            let (major, minor) = self.api_version();
            return Err(Error::program(format!(
                "the plugin {}, of version {major}.{minor} of the PJRT interface, has no {name}",
                self.name
            )));
        };
        // SAFETY: the caller promises it.
        self.outcome(unsafe { function(args) })
    }

    /// The message of an error object, which is freed. Null is success.
    pub(super) fn outcome(&self, error: *mut PJRT_Error) -> Result<()> {
        if error.is_null() {
            return Ok(());
        }
        let mut code = PJRT_Error_GetCode_Args { error, ..Default::default() };
        let mut message = PJRT_Error_Message_Args { error, ..Default::default() };
        let mut destroy = PJRT_Error_Destroy_Args { error, ..Default::default() };
        let (mut number, mut text) = (PJRT_Error_Code::UNKNOWN, String::new());
        // SAFETY: the plugin gave the error to us, and it is not used after it was freed; the message is part of it. That an
        // error's code is not known would be another error, which is freed likewise.
        unsafe {
            if let Some(get) = self.table.PJRT_Error_GetCode {
                let unknown = get(&raw mut code);
                if unknown.is_null() {
                    number = code.code;
                } else if let Some(free) = self.table.PJRT_Error_Destroy {
                    let mut destroy = PJRT_Error_Destroy_Args { error: unknown, ..Default::default() };
                    free(&raw mut destroy);
                }
            }
            if let Some(get) = self.table.PJRT_Error_Message {
                get(&raw mut message);
                if let Ok(bytes) =
                    named::list(message.message.cast::<u8>(), message.message_size, "message of an error")
                {
                    text = String::from_utf8_lossy(bytes).into_owned();
                }
            }
            if let Some(free) = self.table.PJRT_Error_Destroy {
                free(&raw mut destroy);
            }
        }
        let name = number.name().map_or_else(|| format!("error {}", number.0), str::to_owned);
        Err(foreign(number, &format!("{name}: {text}")))
    }
}

/// An object of a plugin, freed when this is dropped.
pub(super) struct Object<T: Handle> {
    plugin: &'static Plugin,
    handle: *mut T,
}

/// The type of a handle whose object its holder frees.
pub(super) trait Handle: Sized {
    /// Frees an object. There is nobody to tell of an error to.
    fn free(plugin: &'static Plugin, handle: *mut Self);
}

// SAFETY: objects of the interface may be used and freed by any thread.
unsafe impl<T: Handle> Send for Object<T> {}
// SAFETY: as above, also at once by several.
unsafe impl<T: Handle> Sync for Object<T> {}

impl<T: Handle> Object<T> {
    /// The object behind a handle that the plugin gave to us.
    pub fn new(plugin: &'static Plugin, handle: *mut T) -> Result<Object<T>> {
        match handle.is_null() {
            true => Err(Error::internal(format!("the plugin {} gave null as an object", plugin.name))),
            false => Ok(Object { plugin, handle }),
        }
    }

    /// The handle, which lives as long as this does.
    pub fn get(&self) -> *mut T {
        self.handle
    }

    /// The plugin that it is of.
    pub fn plugin(&self) -> &'static Plugin {
        self.plugin
    }
}

impl<T: Handle> Drop for Object<T> {
    fn drop(&mut self) {
        T::free(self.plugin, self.handle);
    }
}

macro_rules! freed {
    ($($handle:ident by $function:ident($args:ident.$field:ident))*) => {$(
        impl Handle for $handle {
            fn free(plugin: &'static Plugin, handle: *mut Self) {
                let _ = ask!(plugin, $function($args { $field: handle }));
            }
        }
    )*};
}

freed! {
    PJRT_Client by PJRT_Client_Destroy(PJRT_Client_Destroy_Args.client)
    PJRT_Buffer by PJRT_Buffer_Destroy(PJRT_Buffer_Destroy_Args.buffer)
    PJRT_Event by PJRT_Event_Destroy(PJRT_Event_Destroy_Args.event)
    PJRT_Executable by PJRT_Executable_Destroy(PJRT_Executable_Destroy_Args.executable)
    PJRT_LoadedExecutable by PJRT_LoadedExecutable_Destroy(PJRT_LoadedExecutable_Destroy_Args.executable)
    PJRT_TopologyDescription by PJRT_TopologyDescription_Destroy(PJRT_TopologyDescription_Destroy_Args.topology)
    PJRT_AsyncHostToDeviceTransferManager by PJRT_AsyncHostToDeviceTransferManager_Destroy(
        PJRT_AsyncHostToDeviceTransferManager_Destroy_Args.transfer_manager
    )
}
