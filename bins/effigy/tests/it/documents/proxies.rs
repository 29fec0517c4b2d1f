//! The configurations of reverse proxies in `docs/deploy`, run by the real programs.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fixtures::client::{Reply, ask, post};
use fixtures::until;
use serde_json::Value;
use tempfile::TempDir;

use crate::support::documents::read;
use crate::support::{Server, find_program, read_line, text};

/// The size of the largest skin file that Effigy accepts.
const MAX_FILE_BYTES: usize = 1 << 20;

/// Replaces a text, which must exist.
#[track_caller]
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

/// A proxy in front of a server. It ends when the value is dropped.
struct Proxy {
    child: Child,
    address: String,
    server: Server,
    _folder: TempDir,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // If nginx were killed, its child processes would go on.
        let pid = self.child.id().to_string();
        let _ = Command::new("kill").args(["-s", "TERM", &pid]).status();
        let _ = self.child.wait();
    }
}

/// Returns a local address that nothing listens on.
fn free_address() -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().to_string()
}

impl Proxy {
    /// Starts a proxy, and waits until it accepts connections.
    fn start(mut command: Command, address: String, server: Server, folder: TempDir) -> Self {
        command.env_clear().stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        let proxy = Self {
            child,
            address,
            server,
            _folder: folder,
        };
        until("the proxy takes connections", || {
            TcpStream::connect(&proxy.address).is_ok()
        });
        proxy
    }

    fn nginx(program: &Path) -> Self {
        let server = Server::start_with(&["--access-log", "json"]);
        let folder = TempDir::new().unwrap();
        let address = free_address();
        let site = site_of_nginx(folder.path());
        let site = replaced(&site, "127.0.0.1:3005", server.address());
        let listen = format!("listen {address};");
        let site = replaced(&site, "listen 443 ssl http2;", &listen);
        let lines = site.lines();
        let without_tls: Vec<&str> = lines
            .filter(|line| !line.trim().starts_with("ssl_"))
            .collect();
        let config = write_nginx(folder.path(), &without_tls.join("\n"));
        let mut command = Command::new(program);
        command.arg("-p").arg(folder.path()).arg("-c").arg(config);
        Self::start(command, address, server, folder)
    }

    fn caddy(program: &Path) -> Self {
        let server = Server::start_with(&["--access-log", "json"]);
        let folder = TempDir::new().unwrap();
        let address = free_address();
        let site = read("docs/deploy/Caddyfile");
        let site = replaced(&site, "127.0.0.1:3005", server.address());
        let site = replaced(&site, "skins.example.org", &format!("http://{address}"));
        let config = folder.path().join("Caddyfile");
        fs::write(&config, format!("{{\n\tadmin off\n}}\n{site}")).unwrap();
        let mut command = Command::new(program);
        command.args(["run", "--adapter", "caddyfile", "--config"]);
        command.arg(config);
        command.current_dir(folder.path());
        Self::start(command, address, server, folder)
    }

    fn get(&self, path: &str, headers: &[(&str, &str)]) -> Reply {
        ask(&self.address, "GET", path, headers)
    }

    /// Uploads a body of this length to a preview.
    fn upload(&self, length: usize) -> Reply {
        post(&self.address, "/v1/preview/face", &[], &vec![0; length])
    }

    /// Asserts that the proxy removes a prefix, which Effigy would believe.
    fn assert_removes_forged_prefix(&mut self) {
        let forged = [("X-Forwarded-Prefix", "/forged")];
        let direct = self.server.ask("GET", "/", &forged);
        assert!(has_forged_prefix(&direct));
        assert!(!has_forged_prefix(&self.get("/", &forged)));
        // The lines of both requests.
        read_line(&mut self.server.output);
        read_line(&mut self.server.output);
    }

    /// Asserts that the proxy passes on pictures and uploads, and that a client can forge neither
    /// its address nor the prefix of the URLs on the page.
    fn assert_passes_on(&mut self) {
        self.assert_removes_forged_prefix();
        let path = "/v1/face/Gwendolin";
        let direct = self.server.get(path);
        read_line(&mut self.server.output);
        let forged = [("X-Forwarded-For", "192.0.2.1")];
        let reply = self.get(path, &forged);
        assert_eq!(reply.status, 200);
        assert_eq!(reply.body, direct.body);
        let line: Value = serde_json::from_str(&read_line(&mut self.server.output)).unwrap();
        assert_eq!(line["client"], "127.0.0.1", "{line}");
        // The largest file reaches Effigy, which answers that it isn't a skin.
        let largest = self.upload(MAX_FILE_BYTES);
        assert_eq!(largest.status, 400);
        // The body may have chunks, so it isn't parsed.
        let body = String::from_utf8_lossy(&largest.body);
        assert!(body.contains("invalid_skin"), "{body}");
        assert_eq!(self.upload(MAX_FILE_BYTES + 1).status, 413);
    }
}

/// Returns `true` if the URLs on the page have the prefix that a client has forged.
fn has_forged_prefix(page: &Reply) -> bool {
    assert_eq!(page.status, 200);
    text(&page.body).contains("/forged/")
}

/// Returns the site of nginx, whose cache is in a folder of the test.
fn site_of_nginx(folder: &Path) -> String {
    let site = read("docs/deploy/nginx.conf");
    replaced(&site, "/var/cache/nginx", &folder.display().to_string())
}

/// Writes a configuration of nginx with a site, and returns its path.
fn write_nginx(folder: &Path, site: &str) -> PathBuf {
    let path = folder.display();
    let config = format!(
        "user root;\ndaemon off;\npid {path}/pid;\nerror_log {path}/error.log;\n\
         events {{}}\nhttp {{\naccess_log off;\nclient_body_temp_path {path}/body;\n{site}\n}}\n"
    );
    let file = folder.join("nginx.conf");
    fs::write(&file, config).unwrap();
    file
}

#[test]
fn nginx_passes_on_and_caches() {
    let Some(program) = find_program("nginx") else {
        return;
    };
    let mut proxy = Proxy::nginx(&program);
    proxy.assert_passes_on();
    let kept = proxy.get("/v1/face/Gwendolin", &[]);
    assert_eq!(kept.header("x-proxy-cache"), Some("HIT"));
    // The line of the upload.
    read_line(&mut proxy.server.output);
    // An error isn't cached, so each request reaches Effigy.
    for _ in 0..2 {
        assert_eq!(proxy.get("/v1/face/Gwendolin?size=x", &[]).status, 400);
        let line = read_line(&mut proxy.server.output);
        assert!(line.contains("?size=x"), "{line}");
    }
}

#[test]
fn caddy_passes_on() {
    let Some(program) = find_program("caddy") else {
        return;
    };
    Proxy::caddy(&program).assert_passes_on();
}

#[test]
fn nginx_accepts_the_site_with_its_certificate() {
    let Some(program) = find_program("nginx") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    let key = format!("{path}/key.pem");
    let certificate = format!("{path}/certificate.pem");
    let mut openssl = Command::new("openssl");
    openssl.args("req -x509 -newkey rsa:2048 -nodes -subj /CN=x -days 1".split(' '));
    openssl.args(["-keyout", &key, "-out", &certificate]);
    let made = openssl.output().unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    let live = "/etc/letsencrypt/live/skins.example.org";
    let site = site_of_nginx(folder.path());
    let site = replaced(&site, &format!("{live}/fullchain.pem"), &certificate);
    let site = replaced(&site, &format!("{live}/privkey.pem"), &key);
    let config = write_nginx(folder.path(), &site);
    let mut command = Command::new(program);
    command.arg("-t").arg("-p").arg(folder.path());
    let tested = command.arg("-c").arg(config).output().unwrap();
    assert!(tested.status.success(), "{}", text(&tested.stderr));
}

#[test]
fn parent_of_the_cache_folder_is_created_first() {
    // nginx creates only the last folder of the path, and Debian has no folder above it.
    assert!(read("docs/deploy/nginx.conf").contains("proxy_cache_path /var/cache/nginx/effigy "));
    assert!(read("docs/deploy.md").contains("sudo mkdir -p /var/cache/nginx\n"));
}
