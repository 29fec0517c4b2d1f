-- Files of textures by their SHA-256. `bytes` is the approximate size of the row: the index has it
-- too, so that the table is measured without being read.
CREATE TABLE textures (
    hash BYTEA NOT NULL PRIMARY KEY,
    used_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    data BYTEA NOT NULL
);

CREATE INDEX textures_used_at ON textures (used_at ASC, bytes);

-- Records of players. The checksum is that of `key`, `checked_at` and `value`.
CREATE TABLE players (
    key BYTEA NOT NULL PRIMARY KEY,
    checked_at BIGINT NOT NULL,
    used_at BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    value BYTEA NOT NULL
);

CREATE INDEX players_used_at ON players (used_at ASC, bytes);
