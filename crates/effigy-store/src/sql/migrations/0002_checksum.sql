-- The checksum of the other columns. Rows that older versions have written have none.
ALTER TABLE images ADD COLUMN checksum BIGINT;
