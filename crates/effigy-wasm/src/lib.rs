//! Effigy's renderer in browsers. For WebAssembly this crate is the renderer with an interface for
//! scripts; elsewhere it is the files that a website serves, the built module among them.

#[cfg(target_arch = "wasm32")]
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
