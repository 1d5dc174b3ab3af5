-- A checksum for the rows that had none: a changed mark or name would have us miss or double jobs. The step fills them in (`small_rows.rs`).
ALTER TABLE meta ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE marks ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE gaps ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sightings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;

-- A job that has ended is looked for by the number of its array, too: without this every number that nobody has would have the whole store read.
CREATE INDEX jobs_by_part ON jobs (part) WHERE part <> '';
