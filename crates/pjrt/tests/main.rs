//! The interface's layouts, and its messages.

mod abi;
mod messages;
