//! Spec, "Resources and their fields": inputs, presets, counters.

use effigy_render::Layers;
use serde_json::{Value, json};

use crate::support::{Server, assert_picture, head, pictures, skin_of};

/// The number of renders of Java players.
fn java_renders(server: &Server) -> u64 {
    server.get("/allstats").json()["count"].as_u64().unwrap()
}

/// The number of renders of Bedrock players.
fn bedrock_renders(server: &Server) -> u64 {
    let stats = server.get("/allstatsbedrock").json();
    stats["count"].as_u64().unwrap()
}

#[test]
fn each_kind_of_java_input_shows_its_player() {
    let server = Server::start();
    let rows = [
        // A name is any string that is none of the other inputs.
        ("Gwendolin", "knight"),
        ("old-timer", "farmer"),
        ("First%20Settler", "sailor"),
        // A UUID, with and without dashes, in any letter case.
        ("523239d6-f395-4d77-8c25-aa3d0db1e779", "knight"),
        ("523239D6-F395-4D77-8C25-AA3D0DB1E779", "knight"),
        ("523239d6f3954d778c25aa3d0db1e779", "knight"),
        ("523239D6F3954D778C25AA3D0DB1E779", "knight"),
        // Presets take the Java path.
        ("MHF_Steve", skin_of("MHF_Steve")),
    ];
    let renders = rows.len() as u64;
    // Each has a size of its own, since spellings of one player share a picture.
    for ((input, skin), size) in rows.into_iter().zip(64..) {
        let reply = server.get(&format!("/head/{input}/{size}"));
        assert_picture(&reply, head(Layers::Base, size), skin);
    }
    assert_eq!(java_renders(&server), renders);
    assert_eq!(bedrock_renders(&server), 0);
}

#[test]
fn each_kind_of_bedrock_input_shows_its_player() {
    let server = Server::start();
    let rows = [
        // An XUID begins with 0000. A Floodgate UUID is one.
        ("00002535468413142004", "diver"),
        ("00000000-0000-0000-0009-01febe1ac3f4", "diver"),
        ("0000000000000000000901FEBE1AC3F4", "diver"),
        // A gamertag has a dot in front, and %20 for spaces.
        (".Bluejay", "diver"),
        (".bluejay", "diver"),
        (".Two%20Words", "scientist"),
        (".Modern%231234", "queen"),
    ];
    let renders = rows.len() as u64;
    for ((input, skin), size) in rows.into_iter().zip(64..) {
        let reply = server.get(&format!("/head/{input}/{size}"));
        assert_picture(&reply, head(Layers::Base, size), skin);
    }
    assert_eq!(bedrock_renders(&server), renders);
    assert_eq!(java_renders(&server), 0);
}

/// The presets in the order of the specification's table.
const PRESETS: [&str; 24] = [
    "MHF_Steve",
    "MHF_Alex",
    "MHF_Creeper",
    "MHF_Zombie",
    "MHF_Skeleton",
    "MHF_Spider",
    "MHF_Enderman",
    "MHF_Slime",
    "MHF_Ghast",
    "MHF_Blaze",
    "MHF_Pig",
    "MHF_Cow",
    "MHF_Chicken",
    "MHF_Sheep",
    "MHF_Squid",
    "MHF_Villager",
    "MHF_Golem",
    "MHF_Ocelot",
    "MHF_Herobrine",
    "MHF_LavaSlime",
    "MHF_Mooshroom",
    "MHF_CaveSpider",
    "MHF_Wolf",
    "MHF_Witch",
];

#[test]
fn the_preset_list_maps_uuids_to_names() {
    let server = Server::start();
    let reply = server.get("/minecraft/mhf");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let list = reply.json();
    let list = list.as_object().unwrap();
    for (uuid, name) in list {
        let only_hex_digits = uuid.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(uuid.len() == 32 && only_hex_digits, "{uuid}");
        assert!(name.as_str().unwrap().starts_with("MHF_"), "{name}");
    }
    assert_eq!(list["c06f89064c8a49119c29ea1dbd1aab82"], "MHF_Steve");
    let first: Vec<&Value> = list.values().take(PRESETS.len()).collect();
    assert_eq!(first, PRESETS);
}

#[test]
fn a_preset_is_an_input_that_counts_as_java() {
    let server = Server::start();
    for name in PRESETS {
        server.ok(&format!("/head/{name}/8"));
    }
    assert_eq!(java_renders(&server), 24);
    assert_eq!(bedrock_renders(&server), 0);
}

#[track_caller]
fn assert_counters(server: &Server, java: u64, bedrock: u64) {
    let java_report = json!({ "edition": "java", "count": java, "head": java });
    assert_eq!(server.get("/allstats").json(), java_report);
    let bedrock_report = json!({ "edition": "bedrock", "count": bedrock, "head": bedrock });
    assert_eq!(server.get("/allstatsbedrock").json(), bedrock_report);
}

#[test]
fn counters_begin_at_zero_without_a_call() {
    let server = Server::start();
    assert_counters(&server, 0, 0);
    let sorted = server.get("/allstatsSorted");
    assert_eq!(sorted.header("content-type"), Some("application/json"));
    let expected = json!([
        { "endpoint": "head", "edition": "java", "count": 0 },
        { "endpoint": "head", "edition": "bedrock", "count": 0 },
    ]);
    assert_eq!(sorted.json(), expected);
    assert_eq!(server.upstream.total_calls(), 0);
}

#[test]
fn sorted_counters_begin_with_the_largest() {
    let server = Server::start();
    for path in ["/head/.Bluejay", "/player/.Bluejay", "/head/Gwendolin"] {
        server.ok(path);
    }
    assert_counters(&server, 1, 2);
    let expected = json!([
        { "endpoint": "head", "edition": "bedrock", "count": 2 },
        { "endpoint": "head", "edition": "java", "count": 1 },
    ]);
    assert_eq!(server.get("/allstatsSorted").json(), expected);
}

#[test]
fn each_picture_counts_once() {
    let server = Server::start();
    for ((_, path), renders) in pictures("Gwendolin", 64).iter().zip(1..) {
        server.ok(path);
        server.ok(path);
        assert_eq!(java_renders(&server), renders, "{path}");
    }
}

#[test]
fn responses_without_a_picture_do_not_count() {
    let server = Server::start();
    for path in [
        "/minecraft/mhf",
        "/head/Nobody",
        "/avatar/Gwendolin/up",
        "/",
        "/nowhere",
    ] {
        server.get(path);
    }
    assert_counters(&server, 0, 0);
}
