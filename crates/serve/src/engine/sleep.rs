//! Engines that give their memory back for a while.

use std::sync::mpsc::channel;
use std::sync::{MutexGuard, PoisonError};

use jarrah_base::{Error, Result};

use super::Engine;
use super::offload::{Identity, hash_of_weights};
use super::weights::Source;
use crate::served::Served;

/// How much memory an engine gives back while it sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sleep {
    /// That of keys and values.
    Pages,
    /// That of the weights too, which are read again when it wakes up, and must be the same then. Adapters and a draft model stay.
    Weights,
}

/// What is asked of the thread of an engine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Sleep(Sleep),
    Wake,
}

impl Engine {
    /// Pauses, and gives memory back to the system. What ran begins again when the engine [wakes up](Self::wake), with the tokens that it has; the prefix cache
    /// is forgotten. Requests are taken, and wait.
    ///
    /// # Errors
    /// The weights are to be given back and come from no folder, or are those of an encoder (`Input`); the engine has ended (`Environment`).
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
        // Weights that sleep already have been looked at.
        if let Some(hash) = self.ask(Rest::Sleep(sleep))? {
            *slept = Some(hash);
        }
        Ok(())
    }

    /// Takes memory again, reads the weights again if they were given back, and goes on.
    ///
    /// # Errors
    /// There is not enough memory, or the folder has other weights than the engine fell asleep with, or none: then it sleeps on. The engine has ended
    /// (`Environment`).
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

    /// How deep it sleeps, if it does.
    pub fn asleep(&self) -> Option<Sleep> {
        self.handle.shared.lock().asleep
    }

    /// The right to let weights or memory go or come, of one caller at a time, with the hash of the weights that it fell asleep with last.
    pub(super) fn change(&self) -> MutexGuard<'_, Option<Identity>> {
        self.handle.slept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the hash of the weights where these were given back.
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
