//! HTTPS, in builds with the feature `tls`.

use std::path::Path;

use jarrah_base::{Error, Result};

#[cfg(feature = "tls")]
pub use with::Tls;
#[cfg(not(feature = "tls"))]
pub use without::Tls;

#[cfg(feature = "tls")]
mod with {
    use std::sync::Arc;

    use tokio::net::TcpStream;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_rustls::server::TlsStream;

    use super::*;

    /// The server's side of HTTPS: accepts TLS handshakes with the loaded certificates.
    #[derive(Clone)]
    pub struct Tls(TlsAcceptor);

    impl Tls {
        /// Reads the certificates and the key from files, in PEM.
        ///
        /// # Errors
        /// A file is missing, damaged, or of another kind; the key is not that of the certificate (`Input`).
        pub fn load(certificates: &Path, key: &Path) -> Result<Tls> {
            let wrong = |path: &Path, what: &str, error: &dyn std::fmt::Display| {
                Error::input(format!("{} has no {what} in PEM: {error}", path.display()))
            };
            let read = |path: &Path| std::fs::read(path).map_err(|e| Error::io("read", path, &e));
            let chain: std::result::Result<Vec<_>, _> =
                CertificateDer::pem_slice_iter(&read(certificates)?).collect();
            let chain = chain.map_err(|e| wrong(certificates, "certificate", &e))?;
            if chain.is_empty() {
                return Err(wrong(certificates, "certificate", &"there is none"));
            }
            let secret =
                PrivateKeyDer::from_pem_slice(&read(key)?).map_err(|e| wrong(key, "private key", &e))?;
            let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
                .with_safe_default_protocol_versions()
                .and_then(|config| config.with_no_client_auth().with_single_cert(chain, secret));
            let mut config = config.map_err(|e| {
                let (certificates, key) = (certificates.display(), key.display());
                Error::input(format!("{certificates} and {key} make no certificate with its key: {e}"))
            })?;
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            Ok(Tls(TlsAcceptor::from(Arc::new(config))))
        }

        /// The decrypted stream of a connection, if its client speaks HTTPS.
        pub async fn accept(&self, stream: TcpStream) -> Option<TlsStream<TcpStream>> {
            self.0.accept(stream).await.ok()
        }
    }
}

#[cfg(not(feature = "tls"))]
mod without {
    use tokio::net::TcpStream;

    use super::*;

    /// The stand-in for TLS in builds without HTTPS: it has no values.
    #[derive(Clone)]
    pub enum Tls {}

    impl Tls {
        /// # Errors
        /// This build has no HTTPS (`Input`).
        pub fn load(_: &Path, _: &Path) -> Result<Tls> {
            Err(Error::input("this build speaks no HTTPS").help(
                "build it with `cargo build --release --features tls`, which needs a C compiler, or put a proxy in front",
            ))
        }

        pub async fn accept(&self, _: TcpStream) -> Option<TcpStream> {
            match *self {}
        }
    }
}
