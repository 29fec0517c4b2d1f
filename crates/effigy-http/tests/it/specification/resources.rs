//! Spec, "Resources and their fields": inputs, presets, counters, the error body.

use crate::support::{Server, assert_picture, head, pictures, skin_of};
use effigy_render::Layers;
use serde_json::json;

/// The renders of Java players and of Bedrock players.
fn counts(server: &Server) -> [u64; 2] {
    ["/allstats", "/allstatsbedrock"].map(|path| server.get(path).json()["count"].as_u64().unwrap())
}

/// Each row of the input table: the edition that is counted, and the skin that is shown.
#[test]
fn player_inputs() {
    let server = Server::start();
    let uuids = "523239d6-f395-4d77-8c25-aa3d0db1e779 523239D6-F395-4D77-8C25-AA3D0DB1E779 \
        523239d6f3954d778c25aa3d0db1e779 523239D6F3954D778C25AA3D0DB1E779";
    let xuids = "00002535468413142004 00000000-0000-0000-0009-01febe1ac3f4 0000000000000000000901FEBE1AC3F4";
    let rows = [
        // Java username: any string not matching the other rows.
        ("Gwendolin", "java", "knight"),
        ("old-timer", "java", "farmer"),
        ("First%20Settler", "java", "sailor"),
        // Java UUID, dashed and undashed, in any letter case.
        (uuids, "java", "knight"),
        // Bedrock XUID: begins with 0000. A Floodgate UUID is one.
        (xuids, "bedrock", "diver"),
        // Bedrock gamertag: a dot before it, blanks as %20.
        (".Bluejay .bluejay", "bedrock", "diver"),
        (".Two%20Words", "bedrock", "scientist"),
        (".Modern%231234", "bedrock", "queen"),
        // Presets take the Java path.
        ("MHF_Steve", "java", skin_of("MHF_Steve")),
    ];
    let rows = rows.iter().flat_map(|&(inputs, edition, skin)| {
        let inputs = inputs.split(' ');
        inputs.map(move |input| (input, edition, skin))
    });
    // A size of its own for each, since those of one player that differ in their letter case are one picture.
    let mut expected = [0, 0];
    for ((input, edition, skin), size) in rows.zip(64..) {
        let reply = server.get(&format!("/head/{input}/{size}"));
        assert_picture(&reply, head(Layers::Base, size), skin);
        expected[usize::from(edition == "bedrock")] += 1;
        assert_eq!(counts(&server), expected, "{input}");
    }
}

const PRESETS: &str = "Steve Alex Creeper Zombie Skeleton Spider Enderman Slime Ghast Blaze Pig Cow \
    Chicken Sheep Squid Villager Golem Ocelot Herobrine LavaSlime Mooshroom CaveSpider Wolf Witch";

#[test]
fn the_preset_list_maps_uuids_to_names_that_can_be_inputs() {
    let server = Server::start();
    let reply = server.get("/minecraft/mhf");
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let found = reply.json();
    let found = found.as_object().unwrap();
    for (uuid, name) in found {
        let is_hex = uuid.len() == 32 && uuid.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_preset = name.as_str().unwrap().starts_with("MHF_");
        assert!(is_hex && is_preset, "{uuid} {name}");
    }
    assert_eq!(found["c06f89064c8a49119c29ea1dbd1aab82"], "MHF_Steve");
    // The order is that of the table.
    let presets = PRESETS.split(' ').map(|name| format!("MHF_{name}"));
    let presets: Vec<_> = presets.collect();
    assert!(found.values().take(24).eq(&presets), "{found:?}");
    for name in presets {
        server.ok(&format!("/head/{name}/8"));
    }
    assert_eq!(counts(&server), [24, 0]);
}

#[test]
fn counters_begin_at_zero_and_are_sorted() {
    let server = Server::start();
    let check = |java: u64, bedrock: u64| {
        let java = json!({ "edition": "java", "count": java, "head": java });
        let bedrock = json!({ "edition": "bedrock", "count": bedrock, "head": bedrock });
        assert_eq!(server.get("/allstats").json(), java);
        assert_eq!(server.get("/allstatsbedrock").json(), bedrock);
        let sorted = server.get("/allstatsSorted");
        assert_eq!(sorted.header("content-type"), Some("application/json"));
        sorted.json()
    };
    let row = |edition: &str, count: u64| json!({ "endpoint": "head", "edition": edition, "count": count });
    assert_eq!(check(0, 0), json!([row("java", 0), row("bedrock", 0)]));
    assert_eq!(server.upstream.total_calls(), 0);
    for path in ["/head/.Bluejay", "/player/.Bluejay", "/head/Gwendolin"] {
        server.ok(path);
    }
    assert_eq!(check(1, 2), json!([row("bedrock", 2), row("java", 1)]));
}

#[test]
fn each_endpoint_counts_a_render_once() {
    let server = Server::start();
    for (index, (_, path)) in pictures("Gwendolin", 64).iter().enumerate() {
        for _ in 0..2 {
            server.ok(path);
        }
        assert_eq!(counts(&server), [index as u64 + 1, 0], "{path}");
    }
    // Responses without a picture do not count.
    for path in "/minecraft/mhf /head/Nobody /avatar/Gwendolin/up / /nowhere".split(' ') {
        server.get(path);
    }
    assert_eq!(counts(&server), [7, 0]);
}
