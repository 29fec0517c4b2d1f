mod out_of_sight;
mod scenes;
mod specified;

use std::collections::HashSet;

use effigy_render::{NamedPose, Pose, Size, View};

use super::*;

fn outfit() -> OutfitKey {
    OutfitKey {
        skin: TextureId::of(b"skin"),
        model: None,
        cape: None,
        look: Look::Plain,
    }
}

fn picture(spec: PictureSpec, outfit: OutfitKey) -> Key {
    Key::Picture(PictureKey {
        spec,
        format: ImageFormat::Png,
        motion: None,
        outfit,
    })
}

#[test]
fn an_input_has_one_spelling() {
    let uuid = format!("{:032}", 25);
    let rows = [
        ("notch", "notch"),
        ("Notch", "notch"),
        (".Two Words", ".two words"),
        (".\u{c9}COLE", ".\u{e9}cole"),
        // Others have the same small letter.
        (".\u{212a}arl", ".\u{212a}arl"),
        ("\u{212a}NIGHT", "\u{212a}night"),
        (".\u{2126}\u{130}", ".\u{2126}\u{130}"),
        (
            "069A79F444E94726A5BEFCA90E38AAF5",
            "069a79f444e94726a5befca90e38aaf5",
        ),
        ("00002535", "00002535"),
        ("00000000002535", "00002535"),
        ("0000", "0000"),
        ("00000", "00000"),
        ("0042", "0042"),
        (&uuid, &uuid),
    ];
    for (input, expected) in rows {
        let found = folded(input);
        assert_eq!(found.as_deref().unwrap_or(input), expected, "{input}");
    }
}

#[test]
fn a_key_is_explicit_text_that_begins_with_the_drawing_version() {
    let skin = TextureId::of(b"skin");
    let spec = PictureSpec::new(View::Figure, Size::px(64));
    let key = picture(spec, outfit());
    let expected = format!("d{DRAWING_VERSION}/picture/figure/64/png/skin={skin}");
    assert_eq!(key.text(), expected);
    let posed = spec.with_pose(Pose::from(NamedPose::Walk)).with_cape(false);
    let text = picture(posed, outfit()).text();
    assert!(
        text.contains("/cape=false") && text.contains("/pose="),
        "{text}"
    );
}

fn assert_different(keys: &[Key]) {
    let texts: HashSet<String> = keys.iter().map(Key::text).collect();
    assert_eq!(texts.len(), keys.len(), "{texts:#?}");
}

#[test]
fn every_visible_difference_has_its_own_key() {
    let spec = PictureSpec::new(View::Figure, Size::px(64));
    let mut with_cape = outfit();
    with_cape.cape = Some(TextureId::of(b"cape"));
    let mut with_ears = outfit();
    with_ears.look = Look::Ears;
    let mut slim = outfit();
    slim.model = Some(Model::Slim);
    let mut other_skin = outfit();
    other_skin.skin = TextureId::of(b"other");
    assert_different(&[
        picture(spec, outfit()),
        picture(PictureSpec::new(View::Figure, Size::px(65)), outfit()),
        picture(PictureSpec::new(View::Portrait, Size::px(64)), outfit()),
        picture(spec.with_cape(false), outfit()),
        picture(spec, with_cape),
        picture(spec, with_ears),
        picture(spec, slim),
        picture(spec, other_skin),
    ]);
}

#[test]
fn capes_of_other_sizes_have_other_keys() {
    let of_size = |size| {
        let cape = TextureId::of(b"cape");
        Key::Cape(CapeKey { cape, size })
    };
    let pixels = Size::px;
    assert_different(&[
        of_size(CapeSize::Width(pixels(10))),
        of_size(CapeSize::Width(pixels(16))),
        of_size(CapeSize::Box([pixels(10), pixels(16)])),
        of_size(CapeSize::Box([pixels(16), pixels(10)])),
    ]);
}

#[test]
fn groups_of_other_members_or_columns_have_other_keys() {
    let spec = PictureSpec::new(View::Figure, Size::px(64));
    let member = |label: &str| MemberKey {
        outfit: Some(outfit()),
        label: Some(label.to_owned()),
    };
    let gap = MemberKey {
        outfit: None,
        label: None,
    };
    let several = [
        vec![member("a"), member("b")],
        vec![member("b"), member("a")],
        vec![member("ab")],
        vec![member("a/name=\"b\"")],
        vec![gap.clone(), member("a")],
        vec![member("a"), gap],
    ];
    let mut keys = Vec::new();
    for members in several {
        for columns in [None, Some(1), Some(11)] {
            keys.push(Key::Group(GroupKey {
                spec,
                columns,
                members: members.clone(),
            }));
        }
    }
    assert_different(&keys);
}
