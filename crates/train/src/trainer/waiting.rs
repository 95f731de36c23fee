use std::sync::mpsc::{RecvTimeoutError, channel};

use jarrah_base::Result;
use jarrah_runtime::Event;

use super::console::{Console, Pulse};
use super::hook::Grace;
use super::stop::Stop;

/// Waits until an event of the device is complete, and says on the console that `what` goes on; false if the run is to stop, and the event takes longer than
/// a run that is to stop waits.
pub(super) fn waited(
    event: &Event,
    what: &str,
    (stop, grace): (&Stop, &mut Grace),
    console: &mut Console,
) -> Result<bool> {
    if let Some(outcome) = event.outcome() {
        return outcome.map(|()| true);
    }
    let (tell, told) = channel();
    // The receiver is gone where the step was given up.
    event.on_ready(move |outcome| drop(tell.send(outcome.clone())));
    let mut pulse = Pulse::new();
    loop {
        match told.recv_timeout(Pulse::LOOK) {
            Ok(outcome) => return outcome.map(|()| true),
            // An event completes however its work ends.
            Err(RecvTimeoutError::Disconnected) => return event.wait().map(|()| true),
            Err(RecvTimeoutError::Timeout) => {}
        }
        console.beat(&mut pulse, what);
        if grace.is_over(stop) {
            return Ok(false);
        }
    }
}
