//! The size of the module that browsers load.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

#[test]
fn module_for_browsers_is_at_most_150_kb_compressed() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(effigy_wasm::MODULE).unwrap();
    let bytes = gzip.finish().unwrap().len();
    assert!(bytes <= 150_000, "{bytes} bytes");
}
