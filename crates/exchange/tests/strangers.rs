//! Processes that do not know the secret.

use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use jarrah_exchange::{CollectiveCall, Patience, Rendezvous, Tag, join};

/// The first message of the rank 1 of two to the rank 0, as everyone may write it.
fn hello() -> Vec<u8> {
    let mut hello = b"jarrah/2".to_vec();
    for number in [1u32, 0, 2] {
        hello.extend_from_slice(&number.to_le_bytes());
    }
    hello.extend_from_slice(&[9; 32]);
    hello
}

/// Sends a proof of zeros with two files.
fn prove_wrongly(socket: &UnixStream) {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(2))];
    let (mut files, fds) = (SendAncillaryBuffer::new(&mut space), [socket.as_fd(), socket.as_fd()]);
    assert!(files.push(SendAncillaryMessage::ScmRights(&fds)));
    sendmsg(socket, &[std::io::IoSlice::new(&[0; 32])], &mut files, SendFlags::empty()).expect("sent");
}

fn connect(path: &Path) -> UnixStream {
    loop {
        match UnixStream::connect(path) {
            Ok(socket) => return socket,
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    }
}

#[test]
fn strangers_get_nothing_and_keep_nobody_out() {
    let rendezvous = Rendezvous::create().unwrap();
    let address = rendezvous.address();
    let member = |rank| {
        let exchange = join(address, rank, 2, &Patience::default()).unwrap();
        exchange.barrier(&CollectiveCall::new("barrier", Tag::default()), &[0, 1]).unwrap();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| member(0));
        let door = address.join("0");
        let answer = |mut socket: UnixStream| {
            socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
            let mut answer = Vec::new();
            // A connection that is reset has said no more than one that is closed.
            let _ = socket.read_to_end(&mut answer);
            answer
        };
        // Garbage and a hello to another rank are not answered.
        let mut garbage = connect(&door);
        garbage.write_all(&[7; 100]).unwrap();
        assert!(answer(garbage).is_empty());
        let mut other = connect(&door);
        let mut wrong = hello();
        wrong[12] = 1;
        other.write_all(&wrong).unwrap();
        assert!(answer(other).is_empty());
        // A hello is answered by a challenge and a proof, and a wrong proof, though with files as a right one, by the end.
        let mut stranger = connect(&door);
        stranger.write_all(&hello()).unwrap();
        prove_wrongly(&stranger);
        let first = answer(stranger);
        assert_eq!(first.len(), 64);
        assert!(!first.windows(32).any(|part| part == std::fs::read(address.join("secret")).unwrap()));
        // The challenges differ, so no proof can be said again.
        let mut again = connect(&door);
        again.write_all(&hello()).unwrap();
        prove_wrongly(&again);
        let second = answer(again);
        assert!(first[..32] != second[..32] && first[32..] != second[32..]);
        // More silent and half-spoken connections than are kept: the oldest are closed, and the newest are not.
        let crowd: Vec<_> = (0..100)
            .map(|i| {
                let mut socket = connect(&door);
                let _ = socket.write_all(&hello()[..i % 50]);
                socket.set_nonblocking(true).unwrap();
                socket
            })
            .collect();
        let is_closed = |mut socket: &UnixStream| {
            !socket.read(&mut [0; 100]).is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock)
        };
        while crowd.iter().filter(|socket| is_closed(socket)).count() < 60 {
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!(crowd[80..].iter().all(|socket| !is_closed(socket)));
        member(1);
        drop(crowd);
    });
}

#[test]
fn another_secret_is_told_on_both_sides() {
    let rendezvous = Rendezvous::create().unwrap();
    let address = rendezvous.address();
    let soon = Patience { join: Duration::from_secs(2), ..Patience::default() };
    std::thread::scope(|scope| {
        let zero = scope.spawn(|| join(address, 0, 2, &soon).err().unwrap().to_string());
        // The rank 0 listens once it has read the secret.
        drop(connect(&address.join("0")));
        std::fs::write(address.join("secret"), [1; 32]).unwrap();
        let error = join(address, 1, 2, &soon).err().unwrap().to_string();
        assert!(error.contains("process 0") && error.contains("knows another secret"), "{error}");
        let error = zero.join().unwrap();
        assert!(error.contains("process 1 has not joined in time"), "{error}");
    });
}

#[test]
fn a_false_listener_is_found_out_before_it_is_told_anything() {
    let rendezvous = Rendezvous::create().unwrap();
    let listener = UnixListener::bind(rendezvous.address().join("0")).unwrap();
    std::thread::scope(|scope| {
        let heard = scope.spawn(|| {
            let (mut socket, _) = listener.accept().unwrap();
            let mut hello = [0; 52];
            socket.read_exact(&mut hello).unwrap();
            socket.write_all(&[5; 64]).unwrap();
            let mut rest = Vec::new();
            let _ = socket.read_to_end(&mut rest);
            rest
        });
        let error = join(rendezvous.address(), 1, 2, &Patience::default()).err().unwrap().to_string();
        assert!(error.contains("knows another secret"), "{error}");
        assert!(heard.join().unwrap().is_empty());
    });
}

#[test]
fn processes_that_know_of_other_numbers_of_processes_are_told_both_at_once() {
    let rendezvous = Rendezvous::create().unwrap();
    let begun = std::time::Instant::now();
    std::thread::scope(|scope| {
        let member = |rank, size| {
            let address = rendezvous.address();
            scope.spawn(move || join(address, rank, size, &Patience::default()).err().unwrap().to_string())
        };
        let (two, three) = (member(0, 2), member(1, 3));
        let (two, three) = (two.join().unwrap(), three.join().unwrap());
        assert!(two.contains("process 1 is one of 3 processes, and process 0 one of 2"), "{two}");
        assert!(three.contains("process 0 is one of 2 processes, and process 1 one of 3"), "{three}");
    });
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn an_open_folder_and_a_taken_rank_are_refused() {
    let rendezvous = Rendezvous::create().unwrap();
    let address = rendezvous.address();
    let refusal = |rank, size| {
        let soon = Patience { join: Duration::from_millis(300), ..Patience::default() };
        join(address, rank, size, &soon).err().unwrap().to_string()
    };
    assert!(refusal(2, 2).contains("no process 2 among 2"));
    assert!(refusal(1, 2).contains("process 0 has not joined in time"));
    let taken = UnixListener::bind(address.join("0")).unwrap();
    assert!(refusal(0, 2).contains("process 0 has joined"));
    drop(taken);
    std::fs::set_permissions(address.join("secret"), std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(refusal(0, 1).contains("open to other users"));
    std::fs::set_permissions(address.join("secret"), std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::set_permissions(address, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(refusal(0, 1).contains("open to other users"));
}
