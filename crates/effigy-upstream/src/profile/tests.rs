//! The stored form of profiles.

use effigy_player::Uuid;

use super::*;

/// A profile of Notch, whose textures a server has named.
fn notch() -> Profile {
    let mut texture = TextureUrl::new("https://ely.by/skins/1.png");
    texture.provider = Some("yggdrasil:ely.by".into());
    Profile {
        account: Account::Java(Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5)),
        name: Some("Notch".to_owned()),
        skin: Some(ProfileSkin {
            texture,
            model: Some(Model::Slim),
            is_default: false,
        }),
        cape: Some(TextureUrl::new("https://textures.minecraft.net/texture/2")),
        legacy: false,
        profile_actions: Vec::new(),
        provider: "yggdrasil:ely.by".into(),
        is_certain: true,
    }
}

const NOTCH: &str = concat!(
    r#"{"account":{"edition":"java","uuid":"069a79f444e94726a5befca90e38aaf5"},"#,
    r#""name":"Notch","#,
    r#""skin":{"texture":{"url":"https://ely.by/skins/1.png","provider":"yggdrasil:ely.by"},"#,
    r#""model":"slim","default":false},"#,
    r#""cape":{"url":"https://textures.minecraft.net/texture/2"},"#,
    r#""provider":"yggdrasil:ely.by","certain":true}"#,
);

const NAMELESS: &str = concat!(
    r#"{"account":{"edition":"bedrock","xuid":"2535432196048835"},"#,
    r#""provider":"geyser","certain":true}"#,
);

/// A profile without anything that may be missing.
fn nameless() -> Profile {
    Profile {
        account: Account::Bedrock(Some("2535432196048835".to_owned())),
        name: None,
        skin: None,
        cape: None,
        legacy: false,
        profile_actions: Vec::new(),
        provider: "geyser".into(),
        is_certain: true,
    }
}

fn read(json: &str) -> Option<Profile> {
    serde_json::from_str(json).ok()
}

#[test]
fn a_profile_is_stored_and_read_again() {
    for (profile, json) in [(notch(), NOTCH), (nameless(), NAMELESS)] {
        let stored = serde_json::to_string(&profile).expect("it can be stored");
        assert_eq!(stored, json);
        assert_eq!(read(json), Some(profile));
    }
}

#[test]
fn flags_of_an_account_are_stored_if_they_are_set() {
    let mut flagged = nameless();
    flagged.legacy = true;
    flagged.profile_actions = vec!["USING_BANNED_SKIN".to_owned()];
    let stored = serde_json::to_string(&flagged).expect("it can be stored");
    let own = r#""legacy":true,"profile_actions":["USING_BANNED_SKIN"],"provider""#;
    assert_eq!(stored, NAMELESS.replace(r#""provider""#, own));
    assert_eq!(read(&stored), Some(flagged));
}

#[test]
fn unknown_fields_of_a_stored_profile_are_ignored() {
    let later = NOTCH.replace('{', r#"{"of_a_later_version":[1],"#);
    assert_eq!(read(&later), Some(notch()));
    let nulls = NAMELESS.replace(
        "provider",
        r#"name":null,"skin":null,"cape":null,"provider"#,
    );
    assert_eq!(read(&nulls), Some(nameless()));
}

#[test]
fn a_bedrock_account_may_have_no_xuid() {
    let account = Account::Bedrock(None);
    let stored = serde_json::to_string(&account).expect("it can be stored");
    assert_eq!(stored, r#"{"edition":"bedrock"}"#);
    assert_eq!(serde_json::from_str::<Account>(&stored).ok(), Some(account));
}

#[test]
fn a_file_at_hand_is_not_stored() {
    let texture = TextureUrl::with_file("/v1/texture/1", FileAtHand::new(vec![1]));
    let stored = serde_json::to_string(&texture).expect("it can be stored");
    assert_eq!(stored, r#"{"url":"/v1/texture/1"}"#);
    let read = serde_json::from_str::<TextureUrl>(&stored).expect("it can be read");
    assert_eq!(read.file(), None);
}

#[test]
fn a_malformed_profile_is_not_read() {
    for (field, replacement) in [
        (r#""java""#, r#""console""#),
        (r#""java""#, "1"),
        ("069a79f444e94726a5befca90e38aaf5", "069a"),
        (r#""slim""#, r#""wide""#),
        (r#","certain":true"#, ""),
        (r#""provider":"yggdrasil:ely.by","certain""#, r#""certain""#),
        (r#""url""#, r#""uri""#),
        (r#""default":false"#, r#""default":0"#),
    ] {
        let json = NOTCH.replacen(field, replacement, 1);
        assert_ne!(json, NOTCH, "{field}");
        assert_eq!(read(&json), None, "{json}");
    }
}
