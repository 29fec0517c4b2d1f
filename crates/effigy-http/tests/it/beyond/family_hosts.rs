//! Families at the root of hosts of their own.

use effigy_http::Family;
use fixtures::client::Reply;

use crate::support::{Server, assert_error, assert_picture, head, skin_of};
use effigy_render::Layers;

fn start() -> Server {
    Server::start_with(|settings| {
        settings.config.family_hosts = vec![
            ("avatars.example.org".to_owned(), Family::Crafatar),
            ("heads.example.org".to_owned(), Family::DiscordSrv),
            ("faces.example.org".to_owned(), Family::Visage),
            ("minotar.example.org".to_owned(), Family::Minotar),
            ("poses.example.org".to_owned(), Family::Starlight),
        ];
    })
}

fn ask(server: &Server, host: &str, path: &str) -> Reply {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let bytes = fixtures::client::exchange(server.address(), request.as_bytes());
    Reply::parse(&bytes, true)
}

#[test]
fn the_root_of_a_host_is_a_familys() {
    let server = start();
    let uuid = fixtures::player("Notch").uuid().unwrap();
    let notch = skin_of("Notch");
    let rows = [
        ("avatars.example.org", format!("/avatars/{uuid}?size=64")),
        (
            "Avatars.Example.org:8080",
            format!("/avatars/{uuid}?size=64"),
        ),
        ("avatars.example.org.", format!("//avatars/{uuid}?size=64")),
        ("heads.example.org", "/Notch/head/64".to_owned()),
        (
            "faces.example.org",
            "//face/64/Notch.png?no=overlay".to_owned(),
        ),
        ("minotar.example.org", "/avatar/Notch/64.jpg".to_owned()),
    ];
    for (host, path) in rows {
        let reply = ask(&server, host, &path);
        assert_picture(&reply, head(Layers::Base, 64), notch);
    }
    let head_file = ask(&server, "heads.example.org", "/head.png?name=Notch");
    assert_picture(&head_file, head(Layers::Base, 128), notch);
    let dashed = "/helm/523239d6-f395-4d77-8c25-aa3d0db1e779/64";
    let redirect = ask(&server, "minotar.example.org", dashed);
    let location = Some("./../523239d6f3954d778c25aa3d0db1e779/64");
    assert_eq!(redirect.header("location"), location);
}

#[test]
fn other_paths_are_those_of_the_other_hosts() {
    let server = start();
    let message = "Not found. This host has the URLs of crafatar, for example /avatars/{uuid}";
    for path in [
        "/",
        "/docs",
        "/metrics",
        "/v1/face/Notch",
        "/head/Notch",
        "/crafatar/avatars/069a79f444e94726a5befca90e38aaf5",
        "/assets/page.css",
        "/openapi.json",
    ] {
        assert_error(&ask(&server, "avatars.example.org", path), 404, message);
        let other = ask(&server, "other.example.org", path);
        assert_eq!(other.status, 200, "{path}");
    }
    for path in ["/health", "/livez", "/readyz"] {
        let reply = ask(&server, "avatars.example.org", path);
        assert_eq!(reply.status, 200, "{path}");
    }
}

#[test]
fn a_family_explains_its_missing_paths_itself() {
    let server = start();
    let reply = ask(&server, "poses.example.org", "/render/bitzel/Notch/face");
    let message = "Custom models, wallpapers, ornaments and bitzel icons are not drawn here";
    assert_error(&reply, 404, message);
}

#[test]
fn only_a_trusted_peer_tells_the_path_below_which_we_are() {
    let trusting = start();
    let distrusting = Server::start_with(|settings| settings.trust_nobody());
    for (server, is_believed) in [(&trusting, true), (&distrusting, false)] {
        let page = server.ask("GET", "/", &[("X-Forwarded-Prefix", "/skins")]);
        let page = String::from_utf8(page.body).unwrap();
        let picture = format!("{}/skins/v1/figure/", server.url);
        assert_eq!(page.contains(&picture), is_believed);
        assert!(!page.contains("href=\"/skins"));
    }
}
