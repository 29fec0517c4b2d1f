//! Effigy's renderer for scripts. For WebAssembly this crate is the renderer with an interface for
//! browsers and, with the feature `node`, for Node.js. Elsewhere it is the files that a website
//! serves, including the built module for browsers.

#[cfg(all(target_arch = "wasm32", feature = "node"))]
mod node;
#[cfg(all(target_arch = "wasm32", not(feature = "node")))]
mod painter;

/// The element `<effigy-figure>`, an ES module. It loads [`SCRIPT`] and [`MODULE`] from the same
/// folder by their names when it needs them.
#[cfg(not(target_arch = "wasm32"))]
pub const ELEMENT: &str = include_str!("../npm/effigy-figure.js");

/// `effigy_wasm.js`, an ES module: the interface of [`MODULE`], as wasm-bindgen writes it.
#[cfg(not(target_arch = "wasm32"))]
pub const SCRIPT: &str = include_str!("../npm/effigy_wasm.js");

/// `effigy_wasm_bg.wasm`: the renderer.
#[cfg(not(target_arch = "wasm32"))]
pub const MODULE: &[u8] = include_bytes!("../npm/effigy_wasm_bg.wasm");
