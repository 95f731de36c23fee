//! Recipes: the settings of a run, in TOML with `key=value` overrides.
//!
//! [`declare!`](crate::declare) turns one table of keys (name, type, default, range, doc) into a struct, its parser,
//! error messages, help and recipe file. [`Recipe`] is the recipe of a training run.
//!
//! ```
//! use jarrah_train::recipe::{Recipe, Settings};
//! let recipe = Recipe::from_toml("steps = 200\n[optimizer]\nlr = 1e-3", "a.toml", &["seed=7", "optimizer.clip=0.5"])?;
//! assert_eq!((recipe.steps, recipe.seed, recipe.optimizer.clip), (200, 7, 0.5));
//!
//! let error = Recipe::from_toml("steps = 200\n[optimizer]\nlearning_rat = 1e-3", "a.toml", &[]).unwrap_err();
//! assert!(error.to_string().starts_with("there is no key optimizer.learning_rat\n  --> a.toml:3:1"));
//! # Ok::<(), jarrah_base::Error>(())
//! ```

pub(crate) mod choices;
mod declare;
mod keys;
mod methods;
mod settings;
mod value;

pub use choices::{ComputePrecision, Decay, OnNan, RematChoice, Task, WeightType};
pub use jarrah_base::Result;
pub use keys::{
    Checkpoints, Data, Eval, Guard, LogKeys, LoraKeys, LossKeys, LossScaling, Model, Optimizer, Recipe,
    Sample, TokenizerKeys,
};

pub use methods::{Method, Updates};
pub use settings::{Settings, join, set_section};
pub(crate) use value::describe;
pub use value::{GivenValue, Items, KeyValue, RecipeKey, Setting, ValueOrigin, in_range};
