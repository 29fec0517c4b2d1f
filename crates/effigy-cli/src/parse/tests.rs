//! Messages about impossible arguments.

use std::ffi::OsString;

use super::*;

/// Returns the message with which the program refuses words.
fn answer(words: &str) -> String {
    let words = ["effigy"].into_iter().chain(words.split(' '));
    let arguments: Vec<OsString> = words.map(OsString::from).collect();
    let error = parse_from(&arguments).expect_err("the program does not run");
    error.to_string()
}

/// Asserts that the program refuses words with a message that contains a text.
fn assert_refused(rows: &[(&str, &str)]) {
    for (words, message) in rows {
        let error = answer(words);
        assert!(error.contains(message), "{words}: {error}");
    }
}

#[test]
fn impossible_arguments_are_refused() {
    #[rustfmt::skip]
    assert_refused(&[
        ("--port=port", "--port"),
        ("--port=65536", "--port"),
        ("--port=-1", "--port"),
        ("--listen=everywhere", "--listen"),
        ("--upstream-timeout=0", "--upstream-timeout"),
        ("--drain=10h", "'--drain <DURATION>': the time to accept connections after a signal"),
        ("--player-ttl=short", "--player-ttl"),
        ("--java-identity-limit=many", "--java-identity-limit"),
        ("--memory-cache=much", "--memory-cache"),
        ("--database-max-size=1000", "--database-max-size"),
        ("--max-size=191", "--max-size"),
        ("--stale-if-error=long", "--stale-if-error"),
        ("--log=a=b=c", "--log"),
        ("--log-format=xml", "--log-format"),
        ("--no-such-flag", "--no-such-flag"),
        ("paint", "paint"),
        ("man nothing", "invalid value 'nothing'"),
        ("completions tcsh", "invalid value 'tcsh'"),
        ("render back x.png", "invalid value 'back'"),
        ("render face x.png --size=0", "a whole number from 1"),
        ("render face x.png --size -3", "a whole number from 1"),
        ("render cube x.png --turn --frames -3", "-3 is not in 1..=1000"),
        ("render face x.png --facing=up", "invalid value 'up' for '--facing"),
        ("render face x.png --overlay --no-overlay", "--no-overlay"),
        ("render figure x.png --turn --svg -o x.apng", "--svg"),
        ("render figure x.png --gif --svg", "--svg"),
        ("render figure x.png --gif --onto b.png", "--onto"),
        ("render body x.png --slim --classic", "--classic"),
        ("render cube x.png -5", "unexpected argument '-5'"),
        ("render cube x.png --turn --rate 51", "51 is not in 1..=50"),
        ("render sheet x.png --view=group", "invalid value 'group'"),
        ("render face x.png --log effigy", "error, warn, info"),
        ("render face x.png --background crimson", "rrggbb"),
        ("render figure x.png --yaw 361", "a number from -360 to 360"),
        ("render figure x.png --pose moonwalk", "crouch"),
        ("render figure x.png --head 0,181,0", "three numbers from -180 to 180"),
        ("render cube x.png --upside-down --no-upside-down", "--no-upside-down"),
        ("render sheet x.png --columns 0", "a whole number from 1"),
        ("render figure x.png --phase 0.5", "--pose"),
        ("render face x.png --outline-width 3", "--outline"),
        ("render face x.png --outline white --outline-width 33", "a whole number from 1 to 32"),
        ("render figure x.png --light-from 0", "write a yaw from -360 to 360"),
        ("render figure x.png --elytra --no-cape", "--no-cape"),
        ("render face x.png --at 4,5", "--onto"),
        ("render face x.png --onto b.png --at 4", "write two whole numbers"),
    ]);
}

#[test]
fn ages_that_count_as_longer_ones_cause_warnings() {
    let picture = "--picture-age is less than an hour, and counts as an hour";
    let texture = "--texture-age is less than --stale-if-error, and counts as that time";
    let player = "--player-age is less than --stale-if-error, and counts as that time";
    let rows: [(&str, &[&str]); 6] = [
        ("--picture-age=5m", &[picture]),
        ("serve --picture-age=1h --texture-age=1d", &[]),
        (
            "serve --texture-age=12h --player-age=1h",
            &[texture, player],
        ),
        ("serve --stale-if-error=2d --texture-age=1d", &[texture]),
        ("serve --stale-if-error=2d", &[]),
        ("prune --picture-age=5m --player-age=1h", &[picture, player]),
    ];
    for (words, expected) in rows {
        let arguments = ["effigy"].into_iter().chain(words.split(' '));
        let arguments: Vec<OsString> = arguments.map(OsString::from).collect();
        let mut warnings = parse_from(&arguments).unwrap().warnings;
        // The environment of the test may cause others.
        warnings.retain(|warning| warning.contains(" counts as "));
        assert_eq!(warnings, expected, "{words}");
    }
}

#[test]
fn options_without_an_effect_are_refused() {
    #[rustfmt::skip]
    assert_refused(&[
        ("render skin x.png --svg", "--svg is only for views that are drawn; skin and cape are PNG files"),
        ("render face x.png --gif", "--gif is only for figure, portrait and cube"),
        ("render group x.png --gif", "--gif is only for figure, portrait and cube"),
        ("render skin x.png --onto b.png", "--onto is only for pictures that are drawn; skin is"),
        ("render face x.png --onto b.png --svg", "--onto makes PNG files: leave out --svg"),
        ("render cube x.png --onto b.png --turn", "--onto makes pictures that don't move: leave out --turn"),
        ("render cube x.png --onto b.png --animate", "--onto makes pictures that don't move"),
        ("render skin x.png --size=64", "--size is only for views that are drawn"),
        ("render cape x.png --pose=sit", "--pose is only for views of players"),
        ("render cape x.png --svg", "--svg is only for views that are drawn; skin and cape"),
        ("render skin x.png --cape=cape.png", "--cape is only for figure"),
        ("render face x.png --facing=left", "--facing is only for isometric views"),
        ("render cube x.png --classic", "--classic is only for views with arms"),
        ("render bust x.png --no-cape", "--no-cape is only for figure, portrait, isobody and group"),
        ("render isohead x.png --yaw=3", "--yaw is only for figure, portrait, cube and group"),
        ("render face x.png --shadow", "--shadow is only for figure, isobody and group"),
        ("render face x.png --light soft", "--light is only for views that are not flat"),
        ("render face x.png --turn", "--turn is only for figure, portrait and cube"),
        ("render group x.png --animate", "--animate is only for figure, portrait and cube"),
        ("render face x.png --rate 5", "--rate is only for figure, portrait and cube"),
        ("render cube x.png --frames 5", "--frames is only for moving pictures: add --animate or --turn"),
        ("render group x.png --columns=2", "--columns is only for sheet"),
        ("render face x.png --view=bust", "--view is only for sheet"),
        ("render face x.png --right-arm -90,0,0", "--right-arm is only for figure"),
        ("render face x.png --upside-down", "--upside-down is only for views that are not flat"),
        ("render face x.png --names", "--names is only for group and sheet"),
        ("render portrait x.png --crop head", "--crop is only for figure and group"),
        ("render group x.png --crop content", "--crop content is only for pictures of one player"),
        ("render face x.png --light-from 0,0", "--light-from is only for views that are not flat"),
        ("render cube x.png --light game --light-from -30,0", "--light-from must be left out unless the light is"),
        ("render avatar x.png --light-from 0,0", "--light-from must be left out unless the light is"),
        ("render figure x.png --crop bust --shadow", "--shadow must be left out of a picture"),
    ]);
}

#[test]
fn habitual_words_get_a_tip() {
    #[rustfmt::skip]
    let rows = [
        ("render fox.png", "effigy render figure fox.png"),
        ("render helm fox.png", "effigy render face"),
        ("render fullbody fox.png", "effigy render figure"),
        ("render 3d fox.png", "effigy render figure"),
        ("fox.png", "effigy render figure fox.png"),
        ("group fox.png knight.png", "effigy render group"),
        ("helm fox.png", "effigy render face"),
        ("render face fox.png --width 64", "the argument is --size"),
        ("render face fox.png -w 64", "the argument is --size"),
        ("render isobody fox.png --rotate 3", "the argument is --yaw"),
        ("render bust fox.png --nohelm", "the argument is --no-overlay"),
        ("render bust fox.png --fallback", "the argument is --allow-fallback"),
        ("render face fox.png --format svg", "The format is the extension"),
        ("render figure fox.png --flip", "\"upside-down\""),
        ("render face fox.png --transparent", "without a \"background\" are transparent"),
        // Misspellings get the tips of clap.
        ("render face fox.png --siez 64", "'--size'"),
        ("serv --port 0", "'serve'"),
        ("serve --hat", "unexpected argument '--hat' found"),
    ];
    for (words, tip) in rows {
        let error = answer(words);
        assert!(error.contains(tip), "{words}: {error}");
        assert!(!error.contains("--pitch"), "{words}: {error}");
    }
}

#[test]
fn short_help_fits_on_a_screen() {
    for command in ["", "serve ", "demo ", "render ", "providers ", "prune "] {
        let help = answer(&format!("{command}-h"));
        assert!(help.lines().count() <= 45, "{command}: {help}");
    }
}
