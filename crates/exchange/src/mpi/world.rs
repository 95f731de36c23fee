//! The calls of MPI, one at a time: bytes to and from ranks of the world, without waiting.
#![allow(unsafe_code, reason = "MPI is a library of C; it is called here and nowhere else in this crate")]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use jarrah_base::{Error, Result};
use mpi_sys as ffi;

/// The world of MPI, which one thread at a time calls.
pub(super) struct World {
    pub rank: usize,
    pub size: usize,
}

/// Bytes on their way to or from a rank, and the request by which MPI knows them.
///
/// MPI reads and writes the bytes until the request is done; one that is not done when it is dropped keeps its bytes for ever.
pub(super) struct Passing {
    request: ffi::MPI_Request,
    bytes: Vec<u8>,
    done: bool,
}

// SAFETY: the calls of a request may come from any thread, one at a time, which the lock around the world sees to.
unsafe impl Send for Passing {}

fn check(code: c_int, what: &str) -> Result<()> {
    // MPI_SUCCESS is 0 in every implementation, as the standard has it.
    match code {
        0 => Ok(()),
        code => Err(Error::environment(format!("MPI cannot {what}: error {code}"))),
    }
}

fn count(bytes: usize) -> Result<c_int> {
    c_int::try_from(bytes).map_err(|_| Error::internal("a message of MPI is too long"))
}

/// A call of MPI that begins to send.
type BeginSend = unsafe extern "C" fn(
    *const c_void,
    c_int,
    ffi::MPI_Datatype,
    c_int,
    c_int,
    ffi::MPI_Comm,
    *mut ffi::MPI_Request,
) -> c_int;

impl World {
    /// Begins MPI for calls from several threads, one at a time.
    ///
    /// # Errors
    /// MPI refuses, or was begun before in this process.
    pub fn begin() -> Result<World> {
        let (mut begun, mut ended, mut level) = (0, 0, 0);
        // SAFETY: these may be called at any time.
        check(unsafe { ffi::MPI_Initialized(&raw mut begun) }, "say whether it has begun")?;
        // SAFETY: as above.
        check(unsafe { ffi::MPI_Finalized(&raw mut ended) }, "say whether it has ended")?;
        if begun != 0 || ended != 0 {
            return Err(Error::environment("MPI was begun before in this process"));
        }
        // SAFETY: MPI was not begun; null arguments are those of no command line.
        let made = unsafe {
            ffi::MPI_Init_thread(null_mut(), null_mut(), ffi::RSMPI_THREAD_SERIALIZED, &raw mut level)
        };
        check(made, "begin")?;
        // SAFETY: MPI has begun.
        if level < unsafe { ffi::RSMPI_THREAD_SERIALIZED } {
            return Err(Error::environment("this MPI cannot be called from several threads"));
        }
        let (mut rank, mut size) = (0, 0);
        // SAFETY: MPI has begun. Errors become return codes, of which this file makes errors.
        unsafe {
            check(
                ffi::MPI_Comm_set_errhandler(ffi::RSMPI_COMM_WORLD, ffi::RSMPI_ERRORS_RETURN),
                "return errors",
            )?;
            check(ffi::MPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &raw mut rank), "tell its rank")?;
            check(ffi::MPI_Comm_size(ffi::RSMPI_COMM_WORLD, &raw mut size), "tell its size")?;
        }
        Ok(World { rank: rank as usize, size: size as usize })
    }

    /// Ends MPI: all messages have come and gone, and nothing is asked of this world any more.
    pub fn end(&mut self) -> Result<()> {
        // SAFETY: MPI has begun and not ended, as an exchange is closed once, and no request is under way.
        check(unsafe { ffi::MPI_Finalize() }, "end")
    }

    /// Begins to send bytes.
    pub fn send(&mut self, to: usize, tag: c_int, bytes: Vec<u8>) -> Result<Passing> {
        self.begin_send(ffi::MPI_Isend, to, tag, bytes)
    }

    /// Begins to send bytes, which is done when the receiver takes them.
    pub fn send_taken(&mut self, to: usize, tag: c_int, bytes: Vec<u8>) -> Result<Passing> {
        self.begin_send(ffi::MPI_Issend, to, tag, bytes)
    }

    fn begin_send(&mut self, send: BeginSend, to: usize, tag: c_int, bytes: Vec<u8>) -> Result<Passing> {
        let length = count(bytes.len())?;
        let mut request = MaybeUninit::uninit();
        // SAFETY: the bytes stay where they are until the request is done, or for ever.
        let sent = unsafe {
            send(
                bytes.as_ptr().cast::<c_void>(),
                length,
                ffi::RSMPI_UINT8_T,
                to as c_int,
                tag,
                ffi::RSMPI_COMM_WORLD,
                request.as_mut_ptr(),
            )
        };
        check(sent, "send")?;
        // SAFETY: the call that succeeded has written the request.
        Ok(Passing { request: unsafe { request.assume_init() }, bytes, done: false })
    }

    /// Begins to receive exactly as many bytes as there are.
    pub fn receive(&mut self, from: usize, tag: c_int, mut bytes: Vec<u8>) -> Result<Passing> {
        let length = count(bytes.len())?;
        let mut request = MaybeUninit::uninit();
        // SAFETY: as for `send`; nobody else sees the bytes until then.
        let begun = unsafe {
            ffi::MPI_Irecv(
                bytes.as_mut_ptr().cast::<c_void>(),
                length,
                ffi::RSMPI_UINT8_T,
                from as c_int,
                tag,
                ffi::RSMPI_COMM_WORLD,
                request.as_mut_ptr(),
            )
        };
        check(begun, "receive")?;
        // SAFETY: as for `send`.
        Ok(Passing { request: unsafe { request.assume_init() }, bytes, done: false })
    }

    /// The next message of any rank with this tag, if one has come, and its sender.
    pub fn next(&mut self, tag: c_int) -> Result<Option<(usize, Vec<u8>)>> {
        let (mut came, mut length) = (0, 0);
        let mut message = MaybeUninit::uninit();
        let mut status = MaybeUninit::<ffi::MPI_Status>::uninit();
        // SAFETY: MPI has begun, and writes to places of these types.
        let probed = unsafe {
            ffi::MPI_Improbe(
                ffi::RSMPI_ANY_SOURCE,
                tag,
                ffi::RSMPI_COMM_WORLD,
                &raw mut came,
                message.as_mut_ptr(),
                status.as_mut_ptr(),
            )
        };
        check(probed, "look for messages")?;
        if came == 0 {
            return Ok(None);
        }
        // SAFETY: a message came, so its status was written.
        let (sized, source) = unsafe {
            let sized = ffi::MPI_Get_count(status.as_ptr(), ffi::RSMPI_UINT8_T, &raw mut length);
            (sized, (*status.as_ptr()).MPI_SOURCE)
        };
        check(sized, "tell the length of a message")?;
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(0)];
        // SAFETY: the message was matched above, and is received once, into as many bytes as it has.
        let received = unsafe {
            ffi::MPI_Mrecv(
                bytes.as_mut_ptr().cast::<c_void>(),
                length,
                ffi::RSMPI_UINT8_T,
                message.as_mut_ptr(),
                ffi::RSMPI_STATUS_IGNORE,
            )
        };
        check(received, "receive")?;
        Ok(Some((source as usize, bytes)))
    }

    /// Whether the bytes have passed. `Err` if they never will, or are not as many as were to come.
    pub fn is_done(&mut self, passing: &mut Passing, receives: bool) -> Result<bool> {
        if passing.done {
            return Ok(true);
        }
        let mut done = 0;
        let mut status = MaybeUninit::<ffi::MPI_Status>::uninit();
        // SAFETY: the request was made by this file and is not done.
        check(
            unsafe { ffi::MPI_Test(&raw mut passing.request, &raw mut done, status.as_mut_ptr()) },
            "end a message",
        )?;
        passing.done = done != 0;
        if passing.done && receives {
            let mut length = 0;
            // SAFETY: the request is done, so its status was written.
            check(
                unsafe { ffi::MPI_Get_count(status.as_ptr(), ffi::RSMPI_UINT8_T, &raw mut length) },
                "tell the length of a message",
            )?;
            if length as usize != passing.bytes.len() {
                return Err(Error::environment("a piece of a message has another length"));
            }
        }
        Ok(passing.done)
    }
}

impl Passing {
    /// The bytes, which have passed.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        if !self.done {
            // MPI may yet read or write them.
            std::mem::forget(std::mem::take(&mut self.bytes));
        }
    }
}
