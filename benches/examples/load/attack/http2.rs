//! An HTTP/2 client that does what no library would do: it writes frames as it likes.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const WINDOW_UPDATE: u8 = 8;

/// The flags of a frame that ends its stream, and of headers that end.
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// The setting of the window that each stream begins with.
const INITIAL_WINDOW_SIZE: [u8; 2] = [0, 4];

/// The largest window.
const MAX_WINDOW: u32 = (1 << 31) - 1;

/// A connection.
pub(super) struct Http2 {
    reader: OwnedReadHalf,
    writer: OwnedWriteHalf,
    next_stream: u32,
}

impl Http2 {
    /// Opens a connection whose streams begin with a window of this size.
    pub(super) async fn open(address: &str, window: u32) -> Option<Self> {
        let (reader, mut writer) = TcpStream::connect(address).await.ok()?.into_split();
        let setting = [&INITIAL_WINDOW_SIZE[..], &window.to_be_bytes()].concat();
        // The window of the whole connection is another one.
        let more = (MAX_WINDOW - 65_535).to_be_bytes();
        let frames = [
            frame(SETTINGS, 0, 0, &setting),
            frame(WINDOW_UPDATE, 0, 0, &more),
        ];
        writer.write_all(PREFACE).await.ok()?;
        writer.write_all(&frames.concat()).await.ok()?;
        Some(Self {
            reader,
            writer,
            next_stream: 1,
        })
    }

    /// Sends requests of a client, each on a stream of its own.
    pub(super) async fn send(&mut self, paths: &[String], client: &str) -> Option<()> {
        let mut requests = Vec::new();
        for path in paths {
            // GET and http of the static table, then names of the table or of our own with values.
            let mut block = vec![0x82, 0x86];
            block.extend([&[0x04][..], &text(path), &[0x01], &text("x")].concat());
            block.extend([&[0x00][..], &text("x-forwarded-for"), &text(client)].concat());
            block.extend([&[0x00][..], &text("accept-encoding"), &text("gzip")].concat());
            let flags = END_STREAM | END_HEADERS;
            requests.extend(frame(HEADERS, flags, self.next_stream, &block));
            self.next_stream += 2;
        }
        self.writer.write_all(&requests).await.ok()
    }

    /// Reads until this many streams have ended.
    pub(super) async fn read(&mut self, mut streams: usize) -> Option<()> {
        while streams > 0 {
            let mut head = [0; 9];
            self.reader.read_exact(&mut head).await.ok()?;
            let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
            let mut payload = vec![0; length as usize];
            self.reader.read_exact(&mut payload).await.ok()?;
            // The types before SETTINGS belong to streams.
            let is_last =
                head[3] == RST_STREAM || (head[3] <= HEADERS && head[4] & END_STREAM != 0);
            streams -= usize::from(is_last);
        }
        Some(())
    }
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let head = [&length[1..], &[kind, flags], &stream.to_be_bytes()].concat();
    [&head, payload].concat()
}

/// A short text in a block of headers.
fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    // Of longer ones the length takes more bytes.
    assert!(length < 127, "{text}");
    [&[length], text.as_bytes()].concat()
}
