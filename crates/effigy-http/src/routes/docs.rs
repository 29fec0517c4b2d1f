//! The vocabulary in which the table documents its routes.

mod parameter;
mod reply;

pub(crate) use parameter::{Parameter, Schema};
pub(crate) use reply::Reply;
