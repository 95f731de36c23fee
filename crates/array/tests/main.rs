//! Arrays as a user meets them: values, transformations, and what happens when a program is wrong.

mod errors;
mod transformations;
