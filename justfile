# Lists the recipes.
default:
    @just --list

# Serves the demo players on http://localhost:3005.
[group('run')]
demo *flags:
    cargo run --release -- demo {{ flags }}

# Serves real players.
[group('run')]
run *flags:
    cargo run --release -- {{ flags }}

# Checks formatting, lints, words, and whether the modules for scripts are built from these sources.
[group('check')]
check:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings
    .ci/words
    crates/effigy-wasm/build --check

# Runs all tests. If PostgreSQL or a browser is missing, the tests that need it print a line and pass.
[group('check')]
test *filter:
    cargo test --workspace {{ filter }}

# Builds the documentation, with warnings as errors.
[group('check')]
doc:
    RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps

# Checks licenses, duplicates, sources and known vulnerabilities of the dependencies.
[group('check')]
deny:
    .ci/deny

# Runs the checks of continuous integration.
[group('check')]
ci:
    CI=true bash .ci/run

# Rewrites the golden pictures, and fails if one has changed: look at the difference before you commit.
[group('fixtures')]
bless:
    EFFIGY_BLESS=1 cargo test -p effigy-render --test it goldens

# Draws the pictures of the README again. A test compares them with the output of these commands.
[group('fixtures')]
pictures:
    cargo run --release -- render figure fixtures/skins/neutral.png --size 86 -o docs/pictures/first-neutral.png
    cargo run --release -- render figure fixtures/skins/knight.png --size 84 --yaw 30 -o docs/pictures/first-knight.png
    cargo run --release -- render figure fixtures/skins/fox.png --size 112 --pose wave --yaw 15 -o docs/pictures/first-fox.png
    cargo run --release -- render figure fixtures/skins/astronaut.png --size 84 --pose walk --phase 0.5 --yaw -30 -o docs/pictures/first-astronaut.png
    cargo run --release -- render figure fixtures/skins/gardener.png --size 90 --yaw -25 -o docs/pictures/first-gardener.png
    cargo run --release -- render figure fixtures/skins/robot.png --size 118 --pose point -o docs/pictures/first-robot.png
    cargo run --release -- render figure fixtures/skins/wizard.png --size 92 --pose run --phase 0.5 --yaw -35 --cape fixtures/skins/cape.png -o docs/pictures/first-wizard.png
    cargo run --release -- render figure fixtures/skins/sailor.png --size 126 --pose cheer --yaw 20 -o docs/pictures/first-sailor.png
    cargo run --release -- render head fixtures/skins/knight.png --overlay --size 64 -o docs/pictures/head.png
    cargo run --release -- render bust fixtures/skins/knight.png --overlay --size 64 -o docs/pictures/bust.png
    cargo run --release -- render player fixtures/skins/knight.png --overlay --size 48 -o docs/pictures/player.png
    cargo run --release -- render combo fixtures/skins/knight.png --overlay --size 64 -o docs/pictures/combo.png
    cargo run --release -- render isohead fixtures/skins/knight.png --size 72 -o docs/pictures/isohead.png
    cargo run --release -- render isobody fixtures/skins/knight.png --size 72 -o docs/pictures/isobody.png
    cargo run --release -- render isobody fixtures/skins/knight.png --size 72 --facing left --no-overlay -o docs/pictures/bare.png
    cargo run --release -- render isobody fixtures/skins/knight.png --size 72 --facing back-left -o docs/pictures/back.png
    cargo run --release -- render figure fixtures/skins/knight.png --size 72 -o docs/pictures/figure.png
    cargo run --release -- render figure fixtures/skins/knight.png --size 72 --fov 0 --pose straight -o docs/pictures/straight.png
    cargo run --release -- render figure fixtures/skins/wizard.png --size 72 --yaw 30 --pose walk -o docs/pictures/walk.png
    cargo run --release -- render figure fixtures/skins/wizard.png --size 72 --yaw 155 --cape fixtures/skins/cape.png -o docs/pictures/cape.png
    cargo run --release -- render portrait fixtures/skins/fox.png --slim --size 96 -o docs/pictures/portrait.png
    cargo run --release -- render cube fixtures/skins/neutral.png --size 72 --yaw -40 --pitch 25 -o docs/pictures/cube.png
    cargo run --release -- render figure fixtures/skins/wizard.png --size 72 --yaw 155 --cape fixtures/skins/cape.png --elytra -o docs/pictures/elytra.png
    cargo run --release -- render portrait fixtures/skins/fox.png --slim --size 64 --pose wave --animate -o docs/pictures/wave.gif
    cargo run --release -- render group fixtures/skins/knight.png fixtures/skins/fox.png fixtures/skins/robot.png --names --size 64 -o docs/pictures/names.png
    cargo run --release -- render sheet fixtures/skins/neutral.png fixtures/skins/knight.png fixtures/skins/wizard.png fixtures/skins/robot.png fixtures/skins/gardener.png fixtures/skins/astronaut.png fixtures/skins/fox.png fixtures/skins/sailor.png --poses --columns 9 --size 96 -o docs/pictures/acting.png
    cargo run --release -p effigy-render --example contact_sheet -- poses docs/pictures/poses.png 48 fixtures/skins/wizard.png fixtures/skins/cape.png
    cargo run --release -p effigy-render --example contact_sheet -- moments docs/pictures/moments.png 40 fixtures/skins/neutral.png
    cargo run --release -p effigy-render --example contact_sheet -- bends docs/pictures/bends.png 72 fixtures/skins/robot.png

# Builds the modules for browsers and for Node.js. Needs `rustup target add wasm32-unknown-unknown` and `cargo install wasm-bindgen-cli`.
[group('fixtures')]
wasm:
    crates/effigy-wasm/build

# Draws the test charts among the fixture skins again.
[group('fixtures')]
draw:
    cargo run -p fixtures --example draw

# Compares the speed of every view with that of a straightforward pipeline.
[group('measure')]
bench *flags:
    cargo bench -p benches {{ flags }}

# Tests the HTTP interface against its own OpenAPI document. Needs `pip install schemathesis`.
[group('check')]
schemathesis *flags:
    cargo build -p effigy
    bins/effigy/schemathesis/run target/debug/effigy {{ flags }}

# The scenarios are the words in benches/examples/load/scenarios.rs.
#
# Loads the program and prints a table: [connections] [seconds per row] [scenario], or outage.
[group('measure')]
load *arguments:
    cargo build --release
    cargo run --release -p benches --example load -- {{ arguments }}

# Attacks the program and measures how other clients fare: [part of an attack's name].
[group('measure')]
attack *arguments:
    cargo build --release
    ulimit -n "$(ulimit -H -n)" && EFFIGY_TRUSTED_PROXY=127.0.0.1 EFFIGY_JAVA_IDENTITY_LIMIT=600/10m \
        cargo run --release -p benches --example load -- attack {{ arguments }}

# Kills the server this many times under load, and checks its database after each time.
[group('check')]
kill rounds='100':
    EFFIGY_KILL_ROUNDS={{ rounds }} cargo test -p effigy --test it no_kill -- --nocapture

# Builds the Debian package, under target/debian. Needs `cargo install cargo-deb`.
[group('package')]
deb:
    cargo build --release --locked -p effigy
    bins/effigy/packaging/generate target/release/effigy target/release/packaging
    cargo deb -p effigy --no-build

# Builds the container image.
[group('package')]
image:
    docker build -t effigy .

# Installs the Debian package and starts the service.
[group('package')]
install:
    cargo install cargo-deb
    just deb
    sudo apt install ./target/debian/effigy_*.deb
    sudo systemctl enable --now effigy

# Runs the container image.
[group('package')]
container: image
    docker run -d --name effigy -p 127.0.0.1:3005:3005 -v effigy:/data -e EFFIGY_CONTACT=admin@example.org \
        --read-only --cap-drop ALL --security-opt no-new-privileges effigy
