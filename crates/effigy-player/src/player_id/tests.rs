//! Rules of the detection of players.

use proptest::prelude::*;

use super::*;

fn name(text: &str) -> PlayerId {
    PlayerId::JavaName(text.to_owned())
}

fn xuid(text: &str) -> PlayerId {
    PlayerId::BedrockXuid(text.to_owned())
}

fn gamertag(text: &str) -> PlayerId {
    PlayerId::BedrockGamertag(text.to_owned())
}

#[test]
fn shape_of_an_input_decides() {
    let notch = PlayerId::JavaUuid(Uuid(0x069a79f444e94726a5befca90e38aaf5));
    let other = "00000000-0000-0001-0009-01febe1ac3f4";
    let short = "0000000000000000000901febe1ac3f";
    for (input, expected) in [
        ("Notch", name("Notch")),
        ("MHF_Steve", name("MHF_Steve")),
        ("000", name("000")),
        ("0001234", name("0001234")),
        (" 0000", name(" 0000")),
        ("a.b", name("a.b")),
        ("名前", name("名前")),
        ("069a79f4-44e9-4726-a5be", name("069a79f4-44e9-4726-a5be")),
        ("069a79f444e94726a5befca90e38aaf5", notch),
        ("0000", xuid("0000")),
        ("00002535432196048835", xuid("00002535432196048835")),
        ("0000.", xuid("0000.")),
        ("0000 any text", xuid("0000 any text")),
        // Floodgate's UUIDs become XUIDs.
        (
            "00000000-0000-0000-0009-01febe1ac3f4",
            xuid("2535468413142004"),
        ),
        ("0000000000000000000901FEBE1AC3F4", xuid("2535468413142004")),
        ("00000000000000000000000000000000", xuid("0")),
        ("00000002535468413142004", xuid("00002535468413142004")),
        (
            "0000000000000000ffffffffffffffff",
            xuid("18446744073709551615"),
        ),
        // With fewer than sixteen zeros, it isn't a UUID of Floodgate.
        (other, xuid(other)),
        (short, xuid(short)),
        (".Some Player", gamertag("Some Player")),
        (".Tag#1234", gamertag("Tag#1234")),
        ("../x", gamertag("./x")),
        (".0000", gamertag("0000")),
        (".", gamertag("")),
        ("..", gamertag(".")),
        (".069a79f444e94726a5be", gamertag("069a79f444e94726a5be")),
    ] {
        assert_eq!(PlayerId::detect(input), Ok(expected), "{input:?}");
    }
    assert_eq!(PlayerId::detect(""), Err(InputError::Empty));
}

#[test]
fn length_is_counted_in_bytes() {
    let longest = "é".repeat(128);
    assert_eq!(PlayerId::detect(&longest), Ok(name(&longest)));
    for too_long in [
        format!("{longest}a"),
        "0000".repeat(65),
        ".".repeat(257),
        "x".repeat(257),
    ] {
        let len = too_long.len();
        assert_eq!(
            PlayerId::detect(&too_long),
            Err(InputError::TooLong { len })
        );
    }
}

#[test]
fn folding_keeps_the_case_of_java_names_unless_it_is_ignored() {
    assert_eq!(name("Notch").folded(false), name("Notch"));
    assert_eq!(name("Notch").folded(true), name("notch"));
    for ignores_case in [false, true] {
        let folded = gamertag("Some Player").folded(ignores_case);
        assert_eq!(folded, gamertag("some player"), "{ignores_case}");
    }
}

#[test]
fn letters_with_a_shared_lower_case_are_kept() {
    // U+212A is the Kelvin sign, whose lower case is `k`.
    assert_eq!(lower_case("KÉ\u{212a}"), "ké\u{212a}");
}

/// Texts of any kind, and texts of the characters that decide on the kind of player.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,80}", "[0-9a-fA-F.-]{0,40}", "0{0,36}[0-9a-f]{0,24}"]
}

/// Returns an input that names a player.
fn written(player: &PlayerId) -> String {
    match player {
        PlayerId::JavaName(name) => name.clone(),
        PlayerId::JavaUuid(uuid) => uuid.to_string(),
        PlayerId::BedrockXuid(xuid) if xuid.starts_with(XUID_PREFIX) => xuid.clone(),
        PlayerId::BedrockXuid(xuid) => format!("{XUID_PREFIX}{xuid}"),
        PlayerId::BedrockGamertag(gamertag) => format!(".{gamertag}"),
    }
}

proptest! {
    #[test]
    fn uuid_is_one_player_in_every_form(value: u128) {
        let uuid = Uuid(value);
        let forms = [
            uuid.to_string(),
            uuid.hyphenated(),
            uuid.to_string().to_uppercase(),
            uuid.hyphenated().to_uppercase(),
        ];
        for form in forms.iter().filter(|form| !form.starts_with("0000")) {
            prop_assert_eq!(PlayerId::detect(form), Ok(PlayerId::JavaUuid(uuid)));
        }
    }

    #[test]
    fn detected_player_is_detected_again(text in any_text()) {
        let Ok(player) = PlayerId::detect(&text) else {
            return Ok(());
        };
        prop_assert_eq!(player.edition(), PlayerId::edition_of(&text));
        let again = PlayerId::detect(&written(&player)).unwrap();
        match (&again, &player) {
            // The XUID of a Floodgate UUID has no zeros before it.
            (PlayerId::BedrockXuid(again), PlayerId::BedrockXuid(first)) => {
                prop_assert!(again.ends_with(first.as_str()));
            }
            _ => prop_assert_eq!(again, player),
        }
    }

    #[test]
    fn short_xuid_is_the_same_player_and_final(text in any_text()) {
        if let Some(short) = short_xuid(&text) {
            prop_assert_eq!(short_xuid(&short), None);
            prop_assert_eq!(PlayerId::detect(&text), PlayerId::detect(&short));
        }
    }
}
