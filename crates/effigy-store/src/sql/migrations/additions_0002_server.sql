-- The server that made the check. Rows of versions without this column have none.
ALTER TABLE health_log ADD COLUMN server TEXT;
