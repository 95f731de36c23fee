//! Engines that give back their memory for a while.

use std::sync::mpsc::channel;
use std::sync::{MutexGuard, PoisonError};

use jarrah_base::{Error, Result};

use super::Engine;
use super::offload::{Identity, hash_of_weights};
use super::weights::Source;
use crate::served::Served;

/// The memory that a sleeping engine gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sleep {
    /// The memory of keys and values.
    Pages,
    /// The memory of keys and values and of the weights. On waking up, the weights are read again and must be unchanged. Adapters
    /// and a draft model stay in memory.
    Weights,
}

/// An order to the engine's thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Sleep(Sleep),
    Wake,
}

impl Engine {
    /// Pauses the engine, and gives memory back to the system. Running answers restart from their tokens when the engine [wakes
    /// up](Self::wake); the prefix cache is lost. Requests are accepted, and wait.
    ///
    /// # Errors
    /// The weights are to be given back but were not read from a folder, or belong to an encoder (`Input`); the engine has ended
    /// (`Environment`).
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_serve::{Engine, EngineOptions, Served, Sleep};
    /// let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
    /// engine.sleep(Sleep::Pages)?;
    /// assert_eq!(engine.asleep(), Some(Sleep::Pages));
    /// engine.wake()?;
    /// assert!(engine.asleep().is_none() && !engine.is_paused());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn sleep(&self, sleep: Sleep) -> Result<()> {
        let wrong = |error: &str| Error::input(error).op("engine");
        if sleep == Sleep::Weights {
            if self.is_encoder() {
                return Err(wrong("an encoder does not give its weights back"));
            }
            if self.handle.source().is_none() {
                let error = wrong("the weights come from no folder, so they could not be read again");
                return Err(error.help("let keys and values sleep alone"));
            }
        }
        let mut slept = self.change();
        self.pause();
        // Weights that sleep already have been hashed already.
        if let Some(hash) = self.ask(Rest::Sleep(sleep))? {
            *slept = Some(hash);
        }
        Ok(())
    }

    /// Allocates the memory again, reads the weights again if they were given back, and resumes.
    ///
    /// # Errors
    /// There is not enough memory, or the folder has no weights or other weights than the engine fell asleep with: then it sleeps
    /// on. The engine has ended (`Environment`).
    pub fn wake(&self) -> Result<()> {
        let slept = self.change();
        if self.asleep() == Some(Sleep::Weights) {
            let Some(Source { path, what }) = self.handle.source() else {
                return Err(Error::internal("weights that sleep come from a folder").op("engine"));
            };
            let served = Served::load(&path, &what).map_err(|e| e.context("while the engine wakes up"))?;
            if *slept != Some(hash_of_weights(&served.model)?) {
                let error = format!("{} has other weights than the engine fell asleep with", path.display());
                return Err(Error::input(error).op("engine").help(
                    "put those back, or go on with what is there: `/update_weights` (`Engine::load_weights`), then wake up; level 1 keeps the weights",
                ));
            }
            self.put_weights(served.model)?;
        }
        if self.asleep().is_some() {
            self.ask(Rest::Wake)?;
        }
        self.resume();
        Ok(())
    }

    /// The depth of the sleep, if the engine sleeps.
    pub fn asleep(&self) -> Option<Sleep> {
        self.handle.shared.lock().asleep
    }

    /// The lock on weights and memory, for one caller at a time, with the hash of the weights at the last falling asleep.
    pub(super) fn change(&self) -> MutexGuard<'_, Option<Identity>> {
        self.handle.slept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends an order to the engine's thread and waits. Returns the hash of the weights if they were given back.
    fn ask(&self, rest: Rest) -> Result<Option<Identity>> {
        let ended = || Error::environment("the engine has ended").op("engine");
        let (told, done) = channel();
        let mut state = self.handle.shared.lock();
        if state.has_ended {
            return Err(ended());
        }
        state.rests.push((rest, told));
        drop(state);
        self.handle.shared.came.notify_one();
        done.recv().unwrap_or_else(|_| Err(ended()))
    }
}
