//! The real URLs of other services' clients: the status, the size and the kind of each answer.

mod mc_heads;
mod starlight;

use effigy_render::Layers;
use fixtures::{Image, client::Reply, player};

use crate::support::{
    Picture, Server, assert_picture, body_of_form, head, of_view, picture_of, skin_of,
};
use effigy_render::View;

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

/// An answer to a URL.
#[derive(Clone, Copy)]
enum Answer {
    /// A picture of this width and height.
    Size(u32, u32),
    /// A picture with this longer side that is cut to what it shows.
    Cut(u32),
    /// The skin file.
    Skin,
    /// JSON, with this status.
    Json(u16),
    /// A status, whatever the body is.
    Status(u16),
}

use Answer::{Cut, Json, Size, Skin, Status};

/// A server, and the names that stand for players in the tables.
struct Names {
    server: Server,
    dashed: String,
    hash: String,
}

impl Names {
    fn new() -> Self {
        let server = Server::start();
        let hash = server.hash_of("Notch");
        let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &uuid()[part]);
        Self {
            server,
            dashed: format!("{a}-{b}-{c}-{d}-{e}"),
            hash,
        }
    }

    /// Asks for a path, in which `{U}` is a UUID, `{D}` one with dashes, and `{T}` a texture.
    fn get(&self, path: &str) -> Reply {
        let path = path.replace("{U}", uuid()).replace("{D}", &self.dashed);
        self.server.get(&path.replace("{T}", &self.hash))
    }

    #[track_caller]
    fn check(&self, family: &str, rows: &[(&str, Answer)]) {
        for (path, answer) in rows {
            let path = format!("/{family}{path}");
            let reply = self.get(&path);
            let origin = reply.header("access-control-allow-origin");
            assert_eq!(origin, Some("*"), "{path}");
            match answer {
                Size(width, height) => {
                    assert_eq!(reply.status, 200, "{path}");
                    let image = picture_of(&reply);
                    assert_eq!((image.width, image.height), (*width, *height), "{path}");
                    let is_blank = image.rgba.chunks(4).all(|pixel| pixel[3] == 0);
                    assert!(!is_blank, "{path}");
                }
                Cut(side) => {
                    assert_eq!(reply.status, 200, "{path}");
                    assert_cut(&picture_of(&reply), *side, &path);
                }
                Skin => {
                    assert_eq!(reply.status, 200, "{path}");
                    assert_picture(&reply, Picture::Skin, skin_of("Notch"));
                }
                Json(status) => {
                    assert_eq!(reply.status, *status, "{path}");
                    let media_type = reply.header("content-type");
                    assert_eq!(media_type, Some("application/json"), "{path}");
                }
                Status(status) => assert_eq!(reply.status, *status, "{path}"),
            }
        }
    }
}

/// Asserts that a picture has this longer side, and that its edges are not transparent.
#[track_caller]
fn assert_cut(image: &Image, side: u32, path: &str) {
    assert_eq!(image.width.max(image.height), side, "{path}");
    let is_seen = |x: u32, y: u32| image.rgba[((y * image.width + x) * 4 + 3) as usize] > 0;
    let [right, bottom] = [image.width - 1, image.height - 1];
    for y in [0, bottom] {
        assert!((0..=right).any(|x| is_seen(x, y)), "{path}: row {y}");
    }
    for x in [0, right] {
        assert!((0..=bottom).any(|y| is_seen(x, y)), "{path}: column {x}");
    }
}

fn uuid() -> &'static str {
    player("Notch").uuid().unwrap()
}

#[test]
fn minotar() {
    let names = Names::new();
    names.check(
        "minotar",
        &[
            ("/helm/Notch/64.png", Size(64, 64)),
            ("/helm/Notch/512.png", Size(300, 300)),
            ("/helm/Notch/128.08062020-1947.png", Size(128, 128)),
            ("/helm/Notch.08062020.png", Size(180, 180)),
            ("/helm/Notch?randomuuid=5", Size(180, 180)),
            ("/avatar/MHF_QUESTION/64", Size(64, 64)),
            ("/avatar/Notch/64.jxl", Size(64, 64)),
            ("/avatar/{T}/64", Size(64, 64)),
            ("/cube/MHF_Steve.png", Size(180, 180)),
            ("/armor/bust/Notch/190.png", Size(190, 190)),
            ("/armor/body/Notch/300.png", Size(300, 600)),
            ("/armor/bust/Notch.png", Size(180, 180)),
            ("/bust/Notch/50", Size(50, 50)),
            ("/body/{U}/500.png", Size(300, 600)),
            ("/download/Notch.png", Skin),
            ("/skin/Notch", Skin),
            ("/skin/{T}", Skin),
            ("/helm/{D}", Status(301)),
        ],
    );
    let notch = skin_of("Notch");
    for path in ["/minotar/helm/Notch.08062020.png", "/minotar/helm/{T}"] {
        assert_picture(&names.get(path), head(WORN, 180), notch);
    }
    let unknown = names.get("/minotar/avatar/Nobody/64");
    assert_picture(&unknown, head(BASE, 64), skin_of("MHF_Steve"));
}

#[test]
fn crafthead() {
    let names = Names::new();
    names.check(
        "crafthead",
        &[
            ("/helm/{U}/64", Size(64, 64)),
            ("/helm/MHF_Creeper.png", Size(180, 180)),
            ("/helm/Notch/8", Size(8, 8)),
            ("/avatar/{U}?scale=6", Size(180, 180)),
            ("/avatar/Notch", Size(180, 180)),
            ("/avatar/Notch/alex", Size(180, 180)),
            ("/avatar/Notch/32px", Size(32, 32)),
            ("/avatar/Notch/1000", Size(300, 300)),
            ("/avatar/{T}/64", Size(64, 64)),
            ("/avatar/000{T}/64", Size(64, 64)),
            ("/cube/{D}", Size(180, 180)),
            ("/cube/{U}/128", Size(128, 128)),
            ("/cube/Notch.png", Size(180, 180)),
            ("/armor/cube/Notch/64", Size(64, 64)),
            ("/armor/body/Notch", Size(180, 360)),
            ("/armor/bust/{U}", Size(180, 180)),
            ("/body/{U}/32", Size(32, 64)),
            ("/body/Notch/128?Model=Default", Size(128, 256)),
            ("/body/Notch/64?model=slim", Size(56, 128)),
            ("/body/Notch?model=slim", Size(158, 360)),
            ("/armor/bust/{T}/64?MODEL=SLIM", Size(56, 64)),
            ("/helm/Notch/64?model=slim", Size(64, 64)),
            ("/bust/{U}", Size(180, 180)),
            ("/cape/Corvina", Size(113, 180)),
            ("/cape/Notch", Status(404)),
            ("/skin/Notch", Skin),
            ("/profile/Notch", Json(200)),
            ("/profile/Nobody", Json(404)),
            ("/minecraft/helm/{U}/64", Size(64, 64)),
            ("/minecraft/profile/{U}", Json(200)),
            ("/hytale/helm/Notch", Json(404)),
            ("/armor/skin/Notch", Json(404)),
            ("/helm/Seventeen_Letters", Json(404)),
        ],
    );
    let steve = skin_of("MHF_Steve");
    assert_picture(
        &names.get("/crafthead/avatar/char/64"),
        head(BASE, 64),
        steve,
    );
    let no_cape = names.get("/crafthead/cape/Notch");
    assert_eq!(no_cape.header("content-type"), Some("image/png"));
    let missing = names.get("/crafthead/profile/Nobody").json();
    assert_eq!(missing["error"], "User does not exist");
    // The hash codes of these UUIDs are even and odd.
    let rows = [("2", "1", "MHF_Alex"), ("2", "2", "MHF_Steve")];
    for (first, last, shown) in rows {
        let path = format!("/crafthead/avatar/{first}{:030}{last}/64", 0);
        let shown = if first == last { "MHF_Steve" } else { shown };
        assert_picture(&names.get(&path), head(BASE, 64), skin_of(shown));
    }
    let offline = names.get("/crafthead/helm/Nobody/64");
    let parity = effigy_upstream::offline_uuid("Nobody").java_hash_code() & 1;
    let shown = ["MHF_Steve", "MHF_Alex"][parity.unsigned_abs() as usize];
    assert_picture(&offline, head(WORN, 64), skin_of(shown));
}

#[test]
fn cravatar() {
    let names = Names::new();
    names.check(
        "cravatar",
        &[
            ("/helmavatar/Notch/190.png", Size(190, 190)),
            ("/helmavatar/Notch/600.png", Size(600, 600)),
            ("/helmavatar/Notch.png", Size(180, 180)),
            ("/avatar/Notch/20", Size(20, 20)),
            ("/helmhead/Notch/1024", Size(600, 600)),
            ("/helmhead/{U}", Size(180, 180)),
            ("/head/Notch/32", Size(32, 32)),
            ("/head/{U}?size=2408.png", Size(600, 600)),
            ("/3d/Notch/500.png", Size(500, 1020)),
            ("/helmbody/Notch/64", Size(64, 128)),
            ("/skin/Notch", Skin),
            ("/cube/Notch", Json(404)),
        ],
    );
    let unknown = names.get("/cravatar/avatar/Nobody/64");
    assert_picture(&unknown, head(BASE, 64), skin_of("MHF_Steve"));
}

#[test]
fn discordsrv() {
    let names = Names::new();
    names.check(
        "discordsrv",
        &[
            ("/head.png?uuid={D}&overlay", Size(128, 128)),
            ("/head.png?name=Notch&overlay", Size(128, 128)),
            ("/head.png?texture={T}&uuid={U}&name=Notch", Size(128, 128)),
            ("/head.png?texture=&uuid=&name=Notch&helm", Size(128, 128)),
            ("/head.png?texture=&uuid=&name=", Size(128, 128)),
            ("/Notch/head", Size(128, 128)),
            ("/{U}/overlay/64", Size(64, 64)),
            ("/{D}/helm/64.png", Size(64, 64)),
            ("/Notch/texture", Skin),
            ("/Notch/cape", Json(404)),
        ],
    );
    let notch = skin_of("Notch");
    let bare = names.get("/discordsrv/head.png?name=Notch");
    assert_picture(&bare, head(BASE, 128), notch);
    let worn = names.get("/discordsrv/head.png?TEXTURE={T}&name=Gwendolin&Overlay");
    assert_picture(&worn, head(WORN, 128), notch);
}

#[test]
fn mineatar() {
    let names = Names::new();
    names.check(
        "mineatar",
        &[
            ("/face/{U}", Size(32, 32)),
            ("/face/{U}?scale=8&overlay=true&format=png", Size(64, 64)),
            ("/face/{D}?scale=5", Size(40, 40)),
            ("/face/{U}?scale=1000", Size(512, 512)),
            ("/face/{U}?scale=%zz&format=bmp", Size(32, 32)),
            ("/head/{U}", Size(55, 64)),
            ("/head/{U}?scale=16", Size(221, 256)),
            ("/head/{U}?overlay=true&scale=8", Size(110, 128)),
            ("/head/{U}?square", Size(64, 64)),
            ("/body/full/{U}", Size(70, 156)),
            ("/body/full/{U}?scale=12", Size(208, 468)),
            ("/body/front/{U}?scale=8&overlay=true", Size(128, 256)),
            ("/body/back/{U}?scale=16", Size(256, 512)),
            ("/body/left/{U}", Size(64, 128)),
            ("/body/right/{U}?Square=True", Size(128, 128)),
            ("/skin/{U}", Skin),
            ("/skin/Notch?fallback=true", Skin),
            ("/face/Notch.png", Size(32, 32)),
            ("/face/Seventeen_Letters", Json(400)),
            ("/skins/{U}", Json(404)),
            ("/body/{U}", Json(404)),
            ("/avatar/{U}", Json(404)),
            ("/uuid/Nobody", Status(404)),
        ],
    );
    let notch = skin_of("Notch");
    let bare = names.get("/mineatar/face/Notch?OVERLAY=False");
    assert_picture(&bare, head(BASE, 32), notch);
    let back = names.get("/mineatar/body/back/Notch");
    assert_picture(&back, of_view(View::BodyBack, 64), notch);
    let saved = names.get("/mineatar/skin/Notch?download=true");
    let disposition = saved.header("content-disposition").unwrap();
    assert!(disposition.starts_with("attachment; "), "{disposition}");
    assert_eq!(names.get("/mineatar/uuid/Notch").body, uuid().as_bytes());
}

#[test]
fn visage() {
    let names = Names::new();
    names.check(
        "visage",
        &[
            ("/face/512/Notch.png", Size(512, 512)),
            ("/face/64/X-Steve", Size(64, 64)),
            ("/face/1024/Notch", Size(1024, 1024)),
            ("/face/Notch", Size(256, 256)),
            ("//face/{U}", Size(256, 256)),
            ("/BUST/128/{U}", Size(128, 128)),
            ("/bust/256/{U}?no=ears,cape", Size(256, 256)),
            ("/bust/512/{D}.png", Size(512, 512)),
            ("/head/256/Notch?y=70&no=shadow", Size(256, 256)),
            ("/head/51/Notch", Size(56, 56)),
            ("/full/832/{U}.webp?no=shadow&y=-3", Size(512, 832)),
            ("/full/192/{T}.webp?slim&no=shadow", Size(118, 192)),
            ("/full/720/{U}?y=180", Size(443, 720)),
            ("/full/256/Notch?no=shadow", Size(158, 256)),
            ("/full/{U}?width=177&height=288", Size(158, 256)),
            ("/full/310/Notch?y-40", Size(192, 312)),
            ("/player/256/Notch", Size(256, 416)),
            ("/frontfull/832/Notch.png", Size(512, 832)),
            ("/front/64/Notch", Size(64, 64)),
            ("/skin/{U}.png?no=ears", Skin),
            ("/skin/512/Notch.png", Skin),
            ("/processedskin/{T}.png", Size(64, 64)),
            ("/face/56/X-Steve?no=shadow,overlay,ears,cape", Size(56, 56)),
            ("/full/256/Nobody", Json(400)),
            ("/unknown/256/Notch", Json(404)),
        ],
    );
    let steve = skin_of("MHF_Steve");
    assert_picture(
        &names.get("/vzge/face/56/X-Steve?NO=Overlay"),
        head(BASE, 56),
        steve,
    );
    // The hash code is even.
    let nobody = "10000000111122223333444455556666";
    let unknown = names.get(&format!("/visage/face/64/{nobody}"));
    assert_eq!(unknown.status, 200);
    let front = names.get("/visage/full/256/Notch");
    let back = names.get("/visage/full/256/Notch?y=180");
    assert_ne!(front.body, back.body);
}

#[test]
fn nmsr() {
    let names = Names::new();
    names.check(
        "nmsr",
        &[
            ("/bust/Notch", Size(512, 512)),
            ("/bust/{T}?slim", Size(512, 512)),
            ("/bust/{U}?y=-20", Size(512, 512)),
            ("/fullbody/{U}", Size(512, 869)),
            ("/fullbody/{D}?no=shadow", Size(512, 869)),
            ("/fullbody/{U}?yaw=25&arms=150", Size(512, 869)),
            ("/fullbody/{U}?scale=8", Size(512, 869)),
            ("/fullbody/Notch?alex=", Size(512, 869)),
            ("/fullbody/Notch?w=256", Size(256, 434)),
            ("/fullbody/Notch?height=869", Size(512, 869)),
            ("/fullbody/Notch?w=wide", Size(512, 869)),
            ("/fullbodyiso/{U}", Size(512, 869)),
            ("/frontfull/{U}", Size(512, 869)),
            ("/face/Notch", Size(512, 512)),
            ("/face/Steve/", Size(512, 512)),
            ("/head/{U}", Size(512, 512)),
            ("/headiso/{U}?noshading&no=shadow", Size(512, 512)),
            ("/skin/{U}", Skin),
            ("/cape/Corvina", Size(64, 32)),
            ("/face/Nobody", Size(512, 512)),
            ("/face/Notch?w=8", Json(400)),
            ("/face/Seventeen_Letters", Json(400)),
            ("/profile/{U}/front", Json(404)),
            ("/unknown/{U}", Json(404)),
        ],
    );
    let file = fixtures::skin("knight").png;
    let form = body_of_form(&[("alex", b""), ("skin", file)]);
    let headers = [("Content-Type", "multipart/form-data; boundary=x")];
    let drawn = names.server.post_with("/nmsr/fullbody", &headers, &form);
    let image = picture_of(&drawn);
    assert_eq!((image.width, image.height), (512, 869));
    let face = names.server.post_with("/nmsr/face", &headers, &form);
    assert_picture(&face, head(WORN, 512), "knight");
    let plain = names.server.post("/nmsr/face", file);
    assert_picture(&plain, head(WORN, 512), "knight");
    let empty = body_of_form(&[("alex", b"")]);
    let refused = names.server.post_with("/nmsr/face", &headers, &empty);
    assert_eq!(refused.status, 400);
    assert_eq!(names.get("/nmsr/face").status, 405);
    let without = Server::start_with(|settings| settings.config.previews = false);
    let refused = without.post_with("/nmsr/face", &headers, &form);
    assert_eq!(refused.status, 404);
}

#[test]
fn headers_of_the_services() {
    let names = Names::new();
    for (path, header, expected) in [
        ("/nmsr/face/Notch", "x-nmsr-fallback", None),
        ("/nmsr/face/Nobody", "x-nmsr-fallback", Some("True")),
        ("/mineatar/face/Notch", "x-cache-hit", Some("false")),
        ("/mineatar/face/Notch", "x-cache-hit", Some("true")),
        (
            "/crafthead/helm/Nobody",
            "x-crafthead-profile-cache-hit",
            Some("invalid-profile"),
        ),
        (
            "/crafthead/helm/Notch",
            "x-crafthead-profile-cache-hit",
            None,
        ),
        ("/minotar/helm/Nobody", "x-nmsr-fallback", None),
    ] {
        let reply = names.get(path);
        assert_eq!(reply.header(header), expected, "{path}");
    }
}

#[test]
fn json_look_ups() {
    let names = Names::new();
    names.check(
        "playerdb",
        &[
            ("/api/player/minecraft/Notch", Json(200)),
            ("/api/player/minecraft/{D}", Json(200)),
            ("/api/player/minecraft/Nobody", Json(400)),
            ("/api/player/steam/Notch", Json(404)),
        ],
    );
    names.check(
        "ashcon",
        &[
            ("/mojang/v2/user/Notch", Json(200)),
            ("/mojang/v2/user/{U}", Json(200)),
            ("/mojang/v2/user/Nobody", Json(404)),
            ("/mojang/v2/user/Corvina", Json(200)),
            ("/mojang/v1/user/Notch", Json(404)),
        ],
    );
    let found = names.get("/playerdb/api/player/minecraft/notch").json();
    assert_eq!(found["code"], "player.found");
    assert_eq!(found["success"], true);
    let player = &found["data"]["player"];
    assert_eq!(player["username"], "Notch");
    assert_eq!(player["id"], names.dashed);
    assert_eq!(player["raw_id"], uuid());
    let missing = names.get("/playerdb/api/player/minecraft/Nobody").json();
    assert_eq!(missing["success"], false);
    assert_eq!(missing["code"], "minecraft.invalid_username");
    let user = names.get("/ashcon/mojang/v2/user/Corvina").json();
    assert_eq!(user["username"], "Corvina");
    assert!(user["textures"]["cape"]["data"].is_string());
    assert!(user["textures"]["raw"]["value"].is_string());
    let plain = names.get("/ashcon/mojang/v2/uuid/Notch");
    assert_eq!(plain.body, names.dashed.as_bytes());
    let unknown = names.get("/ashcon/mojang/v2/user/Nobody").json();
    assert_eq!(unknown["code"], 404);
}
