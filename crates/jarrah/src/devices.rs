//! Lists the devices: those of this library, and those of plugins.

use std::path::PathBuf;

use jarrah::{Error, Result};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_pjrt::PluginClient;
use jarrah_runtime::{Client, DeviceAttribute, MemoryStats, RuntimeDevice};
use serde_json::{Value, json};

use crate::cli::Devices;
use crate::output::{note, show};

/// The environment's list of plugins.
const PLUGINS: &str = "JARRAH_PJRT_PLUGINS";

/// A client, and the plugin that it comes from.
struct Source {
    client: Box<dyn Client>,
    plugin: Option<Plugin>,
}

struct Plugin {
    path: String,
    version: String,
    interface: String,
    stablehlo: String,
}

/// Shows the devices. What fails of one plugin does not hide those of the others.
pub fn devices(arguments: &Devices) -> Result<()> {
    let mut paths = arguments.plugin.clone();
    if let Some(listed) = std::env::var_os(PLUGINS) {
        let listed = std::env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty());
        paths.extend(listed.collect::<Vec<PathBuf>>());
    }
    let ours = CpuClient::with_options(CpuOptions::from_env());
    let mut sources = vec![Source { client: Box::new(ours), plugin: None }];
    let mut failed: Option<Error> = None;
    for path in paths {
        match plugged(&path) {
            Ok(source) => sources.push(source),
            Err(error) => {
                if let Some(before) = failed.replace(error) {
                    note(&format!("error: {before}"));
                }
            }
        }
    }
    let text = match arguments.json {
        true => format!("{}\n", Value::from(sources.iter().map(Source::json).collect::<Vec<_>>())),
        false => sources.iter().map(Source::lines).collect(),
    };
    show(&text)?;
    failed.map_or(Ok(()), Err)
}

fn plugged(path: &std::path::Path) -> Result<Source> {
    let client = PluginClient::load(path, Vec::new())?;
    let (major, minor) = client.plugin().api_version();
    let plugin = Plugin {
        path: path.display().to_string(),
        version: client.version().to_owned(),
        interface: format!("{major}.{minor}"),
        stablehlo: client.plugin().stablehlo_version()?.to_string(),
    };
    Ok(Source { client: Box::new(client), plugin: Some(plugin) })
}

impl Source {
    fn lines(&self) -> String {
        let mut text = self.client.platform().to_owned();
        if let Some(Plugin { path, version, interface, stablehlo }) = &self.plugin {
            text += &format!(": {path}, {version}, PJRT {interface}, StableHLO {stablehlo}");
        }
        text.push('\n');
        for device in self.client.devices() {
            let kinds: Vec<_> = device.memories.iter().map(|kind| kind.name()).collect();
            text += &format!("  {}: {}, memory {}", device.id, device.kind, kinds.join(", "));
            if let Some(limit) = self.memory(device).and_then(|stats| stats.limit) {
                text += &format!(" ({})", jarrah::train::size(limit));
            }
            let attributes = device.attributes.iter();
            for (name, value) in attributes {
                text += &format!(", {name} {}", attribute(value));
            }
            text.push('\n');
        }
        text
    }

    fn json(&self) -> Value {
        let device = |device: &RuntimeDevice| {
            let attributes = device.attributes.iter().map(|(name, value)| (name.clone(), attribute(value)));
            let memory = self.memory(device);
            json!({
                "id": device.id.0,
                "kind": device.kind,
                "process": device.process,
                "memories": device.memories.iter().map(|kind| kind.name()).collect::<Vec<_>>(),
                "attributes": attributes.collect::<serde_json::Map<_, _>>(),
                "bytes_in_use": memory.map(|stats| stats.in_use),
                "bytes_limit": memory.and_then(|stats| stats.limit),
            })
        };
        let said = |of: fn(&Plugin) -> &String| self.plugin.as_ref().map(of);
        json!({
            "platform": self.client.platform(),
            "plugin": said(|plugin| &plugin.path),
            "version": said(|plugin| &plugin.version),
            "pjrt": said(|plugin| &plugin.interface),
            "stablehlo": said(|plugin| &plugin.stablehlo),
            "devices": self.client.devices().iter().map(device).collect::<Vec<_>>(),
        })
    }

    /// How the memory of a device is used, if its plugin says.
    fn memory(&self, device: &RuntimeDevice) -> Option<MemoryStats> {
        self.client.memory_stats(device.id).ok()
    }
}

/// A property as JSON.
pub fn attribute(value: &DeviceAttribute) -> Value {
    match value {
        DeviceAttribute::Text(text) => json!(text),
        DeviceAttribute::Integer(number) => json!(number),
        DeviceAttribute::Integers(numbers) => json!(numbers),
        DeviceAttribute::Float(number) => json!(number),
        DeviceAttribute::Bool(truth) => json!(truth),
    }
}
