//! Families at the root of hosts of their own.

use effigy_http::Family;
use effigy_render::Layers;
use fixtures::client::{Reply, exchange, request};

use crate::support::{Server, assert_error, assert_picture, head, skin_of, uuid_of};

/// A server with five families, each at the root of a host.
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

/// The response to a GET with this host.
fn ask(server: &Server, host: &str, path: &str) -> Reply {
    let request = request(host, "GET", path, &[]);
    let bytes = exchange(server.address(), request.as_bytes());
    Reply::parse(&bytes, true)
}

#[test]
fn the_root_of_a_host_is_a_familys() {
    let server = start();
    let notch = skin_of("Notch");
    let avatar = format!("/avatars/{}?size=64", uuid_of("Notch"));
    let rows = [
        ("avatars.example.org", avatar.as_str()),
        ("heads.example.org", "/Notch/head/64"),
        ("faces.example.org", "/face/64/Notch.png?no=overlay"),
        ("minotar.example.org", "/avatar/Notch/64.jpg"),
    ];
    for (host, path) in rows {
        let reply = ask(&server, host, path);
        assert_picture(&reply, head(Layers::Base, 64), notch);
    }
    let by_query = ask(&server, "heads.example.org", "/head.png?name=Notch");
    assert_picture(&by_query, head(Layers::Base, 128), notch);
}

#[test]
fn a_host_matches_with_a_port_a_dot_and_in_any_letter_case() {
    let server = start();
    let path = format!("/avatars/{}?size=64", uuid_of("Notch"));
    for host in ["Avatars.Example.org:8080", "avatars.example.org."] {
        let reply = ask(&server, host, &path);
        assert_picture(&reply, head(Layers::Base, 64), skin_of("Notch"));
    }
}

#[test]
fn a_path_of_a_host_may_begin_with_two_slashes() {
    let path = "//face/64/Notch.png?no=overlay";
    let reply = ask(&start(), "faces.example.org", path);
    assert_picture(&reply, head(Layers::Base, 64), skin_of("Notch"));
}

#[test]
fn a_redirect_of_a_host_is_relative() {
    let dashed = "/helm/523239d6-f395-4d77-8c25-aa3d0db1e779/64";
    let redirect = ask(&start(), "minotar.example.org", dashed);
    let location = "./../523239d6f3954d778c25aa3d0db1e779/64";
    assert_eq!(redirect.header("location"), Some(location));
}

/// Paths of the service itself.
const OWN_PATHS: [&str; 8] = [
    "/",
    "/docs",
    "/metrics",
    "/v1/face/Notch",
    "/head/Notch",
    "/crafatar/avatars/069a79f444e94726a5befca90e38aaf5",
    "/assets/page.css",
    "/openapi.json",
];

#[test]
fn the_host_of_a_family_has_no_other_paths() {
    let server = start();
    let message = "Not found. This host has the URLs of crafatar, for example /avatars/{uuid}";
    for path in OWN_PATHS {
        assert_error(&ask(&server, "avatars.example.org", path), 404, message);
    }
}

#[test]
fn every_other_host_has_the_paths_of_the_service() {
    let server = start();
    for path in OWN_PATHS {
        let reply = ask(&server, "other.example.org", path);
        assert_eq!(reply.status, 200, "{path}");
    }
}

#[test]
fn the_host_of_a_family_answers_probes() {
    let server = start();
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

/// The pictures of the page have the path below which a peer says that the service is.
fn page_has_path_of_peer(server: &Server) -> bool {
    let reply = server.ask("GET", "/", &[("X-Forwarded-Prefix", "/skins")]);
    let page = String::from_utf8(reply.body).unwrap();
    assert!(!page.contains("href=\"/skins"), "links stay relative");
    page.contains(&format!("{}/skins/v1/figure/", server.url))
}

#[test]
fn a_trusted_proxy_tells_the_path_of_the_service() {
    assert!(page_has_path_of_peer(&start()));
}

#[test]
fn nobody_else_tells_the_path_of_the_service() {
    let server = Server::start_with(|settings| settings.trust_no_proxy());
    assert!(!page_has_path_of_peer(&server));
}
