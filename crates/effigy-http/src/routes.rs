//! From the path and query of a request to what it asks for.

pub(crate) mod families;
pub(crate) mod path;
pub(crate) mod query;
pub(crate) mod route;
pub(crate) mod route_name;
pub(crate) mod v1;
