use std::path::PathBuf;

use jarrah_http::{Address, ServerOptions};

use crate::support::refusal;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/tls").join(name)
}

fn refused(certificates: PathBuf, key: PathBuf) -> String {
    let address = Address::Tcp([127, 0, 0, 1].into(), 0);
    let options = ServerOptions { address, tls: Some((certificates, key)), ..ServerOptions::default() };
    refusal(options).to_string()
}

#[cfg(not(feature = "tls"))]
#[test]
fn a_build_without_https_says_how_to_make_one() {
    let why = refused(file("cert.pem"), file("key.pem"));
    assert!(why.contains("this build speaks no HTTPS") && why.contains("--features tls"), "{why}");
}

#[cfg(feature = "tls")]
mod with {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::sync::Arc;
    use std::time::Duration;

    use jarrah_testing::client::TestClient;
    use tokio_rustls::rustls::crypto::ring::default_provider;
    use tokio_rustls::rustls::pki_types::CertificateDer;
    use tokio_rustls::rustls::pki_types::pem::PemObject;
    use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

    use super::*;
    use crate::support::Running;

    #[test]
    fn requests_are_answered_within_https() {
        let server = Running::new(|options| {
            options.tls = Some((file("cert.pem"), file("key.pem")));
            options.head_time = Duration::from_millis(500);
        });
        let address = server.address.strip_prefix("https://").unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(file("cert.pem")).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let config = Arc::new(config);
        let ask = |name: &'static str| {
            let inside = ClientConnection::new(config.clone(), name.try_into().unwrap()).unwrap();
            let mut stream = StreamOwned::new(inside, TcpStream::connect(address).unwrap());
            write!(stream, "GET /numbers/3 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
            let mut text = String::new();
            stream.read_to_string(&mut text).map(|_| text)
        };
        let answer = ask("localhost").unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("data: 2"), "{answer}");
        assert!(ask("elsewhere").is_err(), "a name that the certificate has not");
        // What speaks no HTTPS, or nothing, is closed in time.
        let plain = format!("http://{address}");
        let mut client = TestClient::new(&plain);
        client.write(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        while !client.is_closed() {
            client.take();
        }
        assert!(TestClient::new(&plain).is_closed());
        assert!(ask("localhost").is_ok());
    }

    #[test]
    fn certificates_that_are_none_are_refused() {
        let why = refused(file("missing.pem"), file("key.pem"));
        assert!(why.contains("missing.pem"), "{why}");
        let why = refused(file("key.pem"), file("key.pem"));
        assert!(why.contains("key.pem has no certificate in PEM"), "{why}");
        let why = refused(file("cert.pem"), file("cert.pem"));
        assert!(why.contains("cert.pem has no private key in PEM"), "{why}");
    }
}
