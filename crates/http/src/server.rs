#[cfg(unix)]
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use jarrah_base::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
#[cfg(unix)]
use tokio::net::UnixListener;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use crate::api::{Api, OutlivingWork};
use crate::dashboard::{self, Runs};
use crate::hosts::{Hosts, with_host};
use crate::options::{Address, ServerOptions};
use crate::patient::Patient;
use crate::refusal::Form;
use crate::router::{bare_router, router};
use crate::shared::TransportState;
use crate::tls::Tls;
use crate::traces::Tracer;

/// The number of threads that connections share; blocking work runs on other threads.
const WORKERS: usize = 2;
/// The wait of a server whose drain time is beyond the clock: 30 years.
const FOR_EVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);
/// The pause after a connection could not be accepted, for lack of descriptors, say.
const PAUSE: Duration = Duration::from_millis(100);
/// How long the runtime, at its end, waits for blocking tasks: requests that are still being read.
const LEAVE: Duration = Duration::from_secs(1);

/// A server that listens at an address.
pub struct Server {
    runtime: Runtime,
    listener: Listener,
    router: Router,
    shared: Arc<TransportState>,
    /// The API's work that may outlive its requests.
    work: Option<Arc<dyn OutlivingWork>>,
    tls: Option<Tls>,
    address: String,
    stopper: Stopper,
}

enum Listener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener, PathBuf),
}

/// How far a server has been told to stop; phases only go forward.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Serve,
    /// Running requests are finished; no new work is taken.
    Drain,
    /// Connections that have not sent a request are closed.
    Close,
    End,
}

/// Stops a server, from any thread.
#[derive(Clone)]
pub struct Stopper(Arc<watch::Sender<Phase>>);

impl Stopper {
    /// At the first call, the server takes no new work and finishes the requests that run or wait, within
    /// [`ServerOptions::drain`]; GET is still answered while [work that outlives its requests](crate::OutlivingWork) goes on. At
    /// the second call the server ends at once. Returns without waiting.
    pub fn stop(&self) {
        self.0.send_modify(|phase| *phase = if *phase == Phase::Serve { Phase::Drain } else { Phase::End });
    }

    fn has_reached(&self, phase: Phase) -> bool {
        *self.0.borrow() >= phase
    }

    /// Waits until the server is told to stop as far as `phase`.
    async fn reached(&self, phase: Phase) {
        let mut told = self.0.subscribe();
        // Waiting fails only where no sender is left, but `self` is a sender.
        let _ = told.wait_for(|now| *now >= phase).await;
    }
}

impl Server {
    /// Listens at the address of the options, to serve an API, which is made of the transport's state; connections wait until
    /// [`run`](Self::run).
    ///
    /// # Errors
    /// The address is taken, or not of this machine (`Environment`); certificates are wrong, this build has no HTTPS, or the name
    /// of a host is not allowed (`Input`); the API cannot be made.
    pub fn bind(
        options: ServerOptions,
        api: impl FnOnce(Arc<TransportState>) -> Result<Api>,
    ) -> Result<Server> {
        let tls = options.tls.as_ref().map(|(certificates, key)| Tls::load(certificates, key)).transpose()?;
        let runtime = runtime()?;
        let tracer = {
            let _inside = runtime.enter();
            let start = |url: &str| Tracer::start(url, options.notes.clone());
            options.traces.as_deref().map(start).transpose()?
        };
        let shared = Arc::new(TransportState::new(options, tracer));
        let api = api(shared.clone())?;
        let (form, work) = (api.form, api.work.clone());
        Server::of(runtime, (router(api, shared.clone()), form), shared, tls, work)
    }

    /// Listens at an address, to show training runs to people, without a model and without keys. `hosts` are the names by which
    /// requests may reach it, as in [`ServerOptions::hosts`].
    ///
    /// # Errors
    /// The address is taken, or not of this machine (`Environment`); a name of a host is malformed (`Input`).
    pub fn dashboard(runs: Arc<dyn Runs>, address: Address, hosts: Vec<String>) -> Result<Server> {
        let shared =
            Arc::new(TransportState::new(ServerOptions { address, hosts, ..ServerOptions::default() }, None));
        let router = bare_router(dashboard::routes(runs), dashboard::form, dashboard::no_route);
        Server::of(runtime()?, (router, dashboard::form), shared, None, None)
    }

    fn of(
        runtime: Runtime,
        (router, form): (Router, Form),
        shared: Arc<TransportState>,
        tls: Option<Tls>,
        work: Option<Arc<dyn OutlivingWork>>,
    ) -> Result<Server> {
        let options = &shared.options;
        let hosts = Arc::new(Hosts::of(options, form)?);
        let (listener, address) = {
            let _inside = runtime.enter();
            listen(&runtime, &options.address)?
        };
        let address = if tls.is_some() { address.replacen("http://", "https://", 1) } else { address };
        let stopper = Stopper(Arc::new(watch::Sender::new(Phase::Serve)));
        let router = router.layer(from_fn_with_state(hosts, with_host));
        Ok(Server { runtime, listener, router, shared, work, tls, address, stopper })
    }

    /// The address at which the server listens, with the port that was chosen: `http://127.0.0.1:8000`, or `unix:PATH`.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A handle that stops this server.
    pub fn stopper(&self) -> Stopper {
        self.stopper.clone()
    }

    /// Serves until the server is stopped. A stopped server whose API has work that outlives its requests still answers GET until
    /// this work is done, within [`ServerOptions::drain`].
    ///
    /// # Errors
    /// The server ended before all running requests were finished (`Environment`), or with work of its API that was not done.
    pub fn run(self) -> Result<()> {
        let Server { runtime, listener, router, shared, work, tls, stopper, .. } = self;
        let left = runtime.block_on(serve(listener, router, (shared, work.clone()), tls, stopper));
        runtime.shutdown_timeout(LEAVE);
        match (left, work) {
            (Left { work: lost, .. }, Some(work)) if !lost.is_empty() => Err(work.error(&lost)),
            (Left { requests: true, .. }, _) => {
                Err(Error::environment("the server ended before all requests were answered"))
            }
            (Left { .. }, _) => Ok(()),
        }
    }
}

/// The runtime of a server, with its threads.
fn runtime() -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(std::thread::available_parallelism().map_or(WORKERS, |n| n.get().max(WORKERS)))
        .thread_name("http")
        .enable_all()
        .build()
        .map_err(|e| Error::environment(format!("cannot start the threads of the server: {e}")))
}

fn listen(runtime: &Runtime, address: &Address) -> Result<(Listener, String)> {
    match address {
        Address::Tcp(ip, port) => {
            let failed = |e: std::io::Error| {
                let error = Error::environment(format!("cannot listen at {ip}, port {port}: {e}"));
                match e.kind() {
                    std::io::ErrorKind::AddrInUse => error.help(
                        "another program listens there: take another port by --port, or a free one by --port 0",
                    ),
                    _ => error,
                }
            };
            let listener = runtime.block_on(TcpListener::bind((*ip, *port))).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            Ok((Listener::Tcp(listener), format!("http://{address}")))
        }
        #[cfg(unix)]
        Address::Unix(path) => {
            remove_stale(path)?;
            let listener = UnixListener::bind(path).map_err(|e| Error::io("listen at", path, &e))?;
            Ok((Listener::Unix(listener, path.clone()), format!("unix:{}", path.display())))
        }
        #[cfg(not(unix))]
        Address::Unix(path) => {
            Err(Error::input(format!("this system has no sockets such as {}", path.display())))
        }
    }
}

/// Removes a socket that no process listens at any more.
#[cfg(unix)]
fn remove_stale(path: &Path) -> Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_socket = std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
    if is_socket && std::os::unix::net::UnixStream::connect(path).is_err() {
        std::fs::remove_file(path).map_err(|e| Error::io("remove", path, &e))?;
    }
    Ok(())
}

impl Drop for Listener {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Listener::Unix(_, path) = self {
            // The file may be gone already, and then there is nothing to remove.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// The work that was not finished when the server ended.
struct Left {
    requests: bool,
    /// The work of the API, as texts.
    work: Vec<String>,
}

/// Accepts connections until the server is to stop, then waits for connections and the API's work to end.
async fn serve(
    listener: Listener,
    router: Router,
    (shared, work): (Arc<TransportState>, Option<Arc<dyn OutlivingWork>>),
    tls: Option<Tls>,
    stopper: Stopper,
) -> Left {
    let options = &shared.options;
    let most = options.most_connections.clamp(1, Semaphore::MAX_PERMITS >> 3);
    let connections = Arc::new(Semaphore::new(most));
    let mut take = Box::pin(async {
        loop {
            let Ok(place) = connections.clone().acquire_owned().await else { return };
            let connection =
                Connection { shared: shared.clone(), router: router.clone(), stopper: stopper.clone() };
            let taken = match &listener {
                Listener::Tcp(listener) => listener.accept().await.map(|(stream, _)| {
                    // Tokens are sent as they come: Nagle's algorithm would hold them back.
                    let _ = stream.set_nodelay(true);
                    let tls = tls.clone();
                    tokio::spawn(async move {
                        match tls {
                            None => connection.serve(stream).await,
                            Some(tls) => connection.serve_within(&tls, stream).await,
                        }
                        drop(place);
                    })
                }),
                #[cfg(unix)]
                Listener::Unix(listener, _) => listener.accept().await.map(|(stream, _)| {
                    tokio::spawn(async move {
                        connection.serve(stream).await;
                        drop(place);
                    })
                }),
            };
            if taken.is_err() {
                sleep(PAUSE).await;
            }
        }
    });
    tokio::select! {
        () = take.as_mut() => {}
        () = stopper.reached(Phase::Drain) => {}
    }
    // A deadline beyond the range of the clock means no deadline.
    let until = Instant::now().checked_add(options.drain).unwrap_or_else(|| Instant::now() + FOR_EVER);
    let lost = || work.as_ref().map(|work| work.lost()).unwrap_or_default();
    shared.end();
    if let Some(work) = &work {
        work.stop();
        let open = lost();
        if let (false, Some(notes)) = (open.is_empty(), &options.notes) {
            notes(&work.waits(&open));
        }
        let done = async {
            while !lost().is_empty() {
                sleep(PAUSE).await;
            }
        };
        tokio::select! {
            biased;
            () = stopper.reached(Phase::End) => {}
            () = done => {}
            () = sleep_until(until) => {}
            () = take.as_mut() => {}
        }
    }
    drop(take);
    drop(listener);
    stopper.0.send_modify(|phase| *phase = (*phase).max(Phase::Close));
    let most = u32::try_from(most).unwrap_or(u32::MAX);
    let is_finished = tokio::select! {
        biased;
        () = stopper.reached(Phase::End) => false,
        // All connections may have ended in the moment in which the server was told to end: that still counts as told to end.
        finished = timeout_at(until, connections.acquire_many(most)) => finished.is_ok() && !stopper.has_reached(Phase::End),
    };
    if let Some(tracer) = &shared.tracer {
        // Spans that the collector does not take within this time are lost.
        let _ = timeout(LEAVE, tracer.flush()).await;
    }
    Left { requests: !is_finished, work: lost() }
}

struct Connection {
    shared: Arc<TransportState>,
    router: Router,
    stopper: Stopper,
}

impl Connection {
    /// Serves a connection of HTTPS; its client has [`ServerOptions::head_time`] for the handshake.
    async fn serve_within(self, tls: &Tls, stream: TcpStream) {
        let end = if self.stopper.has_reached(Phase::Drain) { Phase::Close } else { Phase::Drain };
        let inside = tokio::select! {
            inside = timeout(self.shared.options.head_time, tls.accept(stream)) => inside,
            () = self.stopper.reached(end) => return,
        };
        if let Ok(Some(inside)) = inside {
            self.serve(inside).await;
        }
    }

    /// Serves the requests of a connection, one after another. A client that disconnects, or breaks the protocol, ends the
    /// connection and its running requests.
    async fn serve(self, stream: impl AsyncRead + AsyncWrite + Unpin) {
        let options = &self.shared.options;
        let ends = self.stopper.has_reached(Phase::Drain);
        let stream = TokioIo::new(Patient::new(stream, options.write_time));
        let mut protocol = http1::Builder::new();
        protocol.timer(TokioTimer::new()).header_read_timeout(options.head_time).keep_alive(!ends);
        let (router, has_asked) = (TowerToHyperService::new(self.router), AtomicBool::new(false));
        let answers = service_fn(|request| {
            has_asked.store(true, Ordering::Relaxed);
            router.call(request)
        });
        let connection = protocol.serve_connection(stream, answers);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            _ = connection.as_mut() => return,
            // A connection that is accepted while the server drains may send one request.
            () = self.stopper.reached(if ends { Phase::Close } else { Phase::Drain }) => {
                connection.as_mut().graceful_shutdown();
            }
        }
        // A connection from which no request has come after this time is closed.
        let is_silent = async {
            sleep(LEAVE).await;
            if has_asked.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            _ = connection => {}
            () = self.stopper.reached(Phase::End) => {}
            () = is_silent => {}
        }
    }
}
