//! The examples run in code of their own: what they compile has no step on the reference evaluator.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use jarrah::Result;
use jarrah::array::with_default_device;
use jarrah::runtime::{
    Buffer, BufferPromise, Client, CompileOptions, DeviceId, Executable, HostSource, MemoryStats, Observer,
    Observing, Placement, Preferences, RuntimeDevice, Way,
};
use jarrah_base::Type;
use jarrah_cpu::CpuClient;
use jarrah_hlo::Program;
use jarrah_hlo::host::Registry;

use crate::examples::{cnn, gmm, hyper, maml, mlp, ode, per_example, rnn, vae};

/// What was compiled: the number of steps, and the ops of those on the evaluator.
#[derive(Default)]
struct Seen {
    steps: usize,
    on_the_evaluator: BTreeSet<String>,
}

/// A client that looks at the steps of what it compiles.
struct Watching {
    inner: CpuClient,
    seen: Arc<Mutex<Seen>>,
}

impl Watching {
    fn look(&self, executable: Arc<dyn Executable>) -> Arc<dyn Executable> {
        let mut seen = self.seen.lock().unwrap();
        for step in executable.steps() {
            seen.steps += 1;
            if step.way == Way::Evaluator {
                seen.on_the_evaluator.insert(step.what);
            }
        }
        executable
    }
}

impl Client for Watching {
    fn platform(&self) -> &str {
        self.inner.platform()
    }

    fn version(&self) -> &str {
        self.inner.version()
    }

    fn devices(&self) -> &[RuntimeDevice] {
        self.inner.devices()
    }

    fn process(&self) -> usize {
        self.inner.process()
    }

    fn registry(&self) -> &Registry {
        self.inner.registry()
    }

    fn buffer_from_host(&self, ty: Type, source: HostSource<'_>, placement: Placement) -> Result<Buffer> {
        self.inner.buffer_from_host(ty, source, placement)
    }

    fn promise(&self, ty: Type, placement: Placement) -> Result<(Buffer, BufferPromise)> {
        self.inner.promise(ty, placement)
    }

    fn copy(&self, buffer: &Buffer, placement: Placement) -> Result<Buffer> {
        self.inner.copy(buffer, placement)
    }

    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>> {
        self.inner.compile(program, options).map(|executable| self.look(executable))
    }

    fn observe(&self, observer: Arc<dyn Observer>) -> Result<Observing> {
        self.inner.observe(observer)
    }

    fn preferences(&self) -> &dyn Preferences {
        self.inner.preferences()
    }

    fn load(&self, serialized: &[u8], devices: Option<&[DeviceId]>) -> Result<Arc<dyn Executable>> {
        self.inner.load(serialized, devices).map(|executable| self.look(executable))
    }

    fn memory_stats(&self, device: DeviceId) -> Result<MemoryStats> {
        self.inner.memory_stats(device)
    }
}

/// The decompositions of matrices that the examples use, which run on the evaluator.
const DECOMPOSITIONS: [&str; 3] = ["cholesky", "triangular_solve", "jarrah.lu"];

/// Runs `f`; nothing of what it compiled runs on the evaluator, decompositions apart.
#[track_caller]
fn runs_code(name: &str, f: impl FnOnce() -> Result<()>) {
    let seen = Arc::new(Mutex::new(Seen::default()));
    let client = Watching { inner: CpuClient::with_threads(2), seen: seen.clone() };
    let device = jarrah::array::Device::all(Arc::new(client)).swap_remove(0);
    with_default_device(&device, f).unwrap_or_else(|e| panic!("{name}: {e}"));
    let seen = seen.lock().unwrap();
    assert!(seen.steps > 0, "{name} compiled nothing");
    let slow: Vec<_> = seen.on_the_evaluator.iter().filter(|op| !DECOMPOSITIONS.contains(&&op[..])).collect();
    assert!(slow.is_empty(), "{name} on the evaluator: {slow:?}");
}

#[test]
fn examples_have_code_for_all_of_it() {
    runs_code("mlp", || mlp::learn(2).map(drop));
    runs_code("cnn", || cnn::learn(2).map(drop));
    runs_code("rnn", || rnn::learn(2).map(drop));
    runs_code("vae", || vae::learn(2).map(drop));
    runs_code("gmm", || gmm::fit().map(drop));
    runs_code("ode", || ode::fit(2).map(drop));
    runs_code("hyper", || hyper::tune(2).map(drop));
    runs_code("maml", || maml::learn(2).map(drop));
    runs_code("per_example", || per_example::learn(2).map(drop));
}
