-- Rendered images. The small columns come first: a row's data may fill many pages, and a scan
-- that reads only what stands before it never touches them.
CREATE TABLE images (
    key BLOB NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL,
    content_type TEXT NOT NULL,
    data BLOB NOT NULL
);

CREATE INDEX images_created_at ON images (created_at ASC);

CREATE TABLE counts (
    edition TEXT NOT NULL PRIMARY KEY,
    count BIGINT NOT NULL
);

CREATE TABLE health_log (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    recorded_at BIGINT NOT NULL,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    response_time BIGINT NOT NULL
);

CREATE INDEX health_log_newest ON health_log (recorded_at DESC, id DESC);
