-- The renders of each edition that each writer has counted since it started, as far as they are in `counts`.
-- `added` is their last difference. A version without this table goes on adding to `counts`.
CREATE TABLE render_totals (
    writer BIGINT NOT NULL,
    edition TEXT NOT NULL,
    total BIGINT NOT NULL,
    added BIGINT NOT NULL,
    PRIMARY KEY (writer, edition)
);
