//! The kernels, and the filters that resample with them: columns first down, then across.

pub(crate) mod horizontal_filter;
pub(crate) mod kernel;
pub(crate) mod vertical_filter;
