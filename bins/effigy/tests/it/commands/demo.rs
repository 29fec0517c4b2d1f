//! `effigy demo`.

use effigy_render::Layers;

use crate::support::{Server, assert_picture, head, read_line};

#[test]
fn demo_needs_no_network_and_leaves_no_file() {
    let mut demo = Server::start_with(&["demo"]);
    let example = read_line(&mut demo.output);
    let (_, path) = example.split_once(demo.address()).unwrap();
    let face = head(Layers::Base, 128);
    assert_picture(&demo.get("/head/Gwendolin"), face, "knight");
    assert_picture(&demo.get("/head/.Bluejay"), face, "diver");
    assert_eq!(demo.get(path).status, 200, "{path}");
    assert_eq!(demo.upstream.total_calls(), 0);
    let folder = demo.database().parent().unwrap().to_owned();
    assert!(folder.read_dir().unwrap().next().is_none());
}
