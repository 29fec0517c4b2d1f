//! The program that drives browsers.

use std::{
    io::{self, BufRead, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
    thread,
};

/// The number of attempts to start a driver. With `--port=0` it takes a port that is free in IPv4,
/// and ends if that port is taken in IPv6, which happens while other tests listen.
const STARTS: usize = 5;

/// Starts a driver, and returns it with its port.
pub(super) fn start_driver() -> io::Result<(Child, u16)> {
    for _ in 0..STARTS {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        if let Some(port) = read_port(lines) {
            return Ok((driver, port));
        }
        driver.wait()?;
    }
    panic!("chromedriver ended {STARTS} times before it listened");
}

/// Reads the port from the output of a driver, and goes on reading, since a full pipe would stop
/// the driver. Returns `None` if the driver ends before it listens.
fn read_port(mut lines: Lines<BufReader<ChildStdout>>) -> Option<u16> {
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    port
}
