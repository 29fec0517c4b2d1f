//! Tests of the player's field, and of players who are not found.

use super::*;

#[test]
fn player_may_be_copied_from_elsewhere() {
    let uuid = "069a79f4-44e9-4726-a5be-fca90e38aaf5";
    let rows = [
        ("@Notch", "Notch"),
        ("https://namemc.com/profile/Notch.1", "Notch"),
        ("de.namemc.com/profile/Notch?x", "Notch"),
        (&*format!("https://namemc.com/profile/{uuid}"), uuid),
        ("https://namemc.com/profile/", "MHF_Steve"),
        (".Some Tag", ".Some Tag"),
    ];
    for (typed, expected) in rows {
        let query = format!("player={}", escaped(typed));
        let params = PageParams::parse(&Query::parse_lossy(Some(&query)), &[]);
        assert_eq!(params.player, expected, "{typed}");
    }
}

/// Nobody has asked for the first player, whom not every service knows.
#[test]
fn missing_first_player_is_no_error() {
    let missing = missing("No Java player is named MHF_Steve.", None);
    let html = html("", &missing, &config());
    let status = between(&html, "<p id=\"status\" data-live class=\"", "</p>");
    assert_eq!(status, "\">Enter a player.");
}

#[test]
fn missing_player_is_an_error() {
    let missing = missing("No Java player is named Nobody & none.", None);
    let html = html("player=Nobody", &missing, &config());
    let status = between(&html, "<p id=\"status\" data-live class=\"", "</p>");
    assert_eq!(status, "bad\">No Java player is named Nobody &amp; none.");
}

#[test]
fn unknown_player_is_replaced_by_a_built_in_one() {
    let unknown = json!({ "unknown": "Mojang sleeps" });
    let html = html("player=Notch", &unknown, &config());
    assert!(html.contains("Mojang sleeps. The page shows a built-in player instead."));
}

#[test]
fn player_who_is_not_found_has_no_pictures() {
    for subject in [missing("", None), json!({ "unknown": "" })] {
        let html = html("player=a&view=cube", &subject, &config());
        assert!(!html.contains("src=\"/v1/figure"), "{html}");
        assert!(!html.contains("src=\"/v1/cube"), "{html}");
    }
}

#[test]
fn link_leads_to_the_player_who_was_meant() {
    let missing = missing("", Some(".a"));
    let html = html("player=a&view=cube", &missing, &config());
    assert!(html.contains("href=\"/?player=.a&amp;view=cube\">"));
}
