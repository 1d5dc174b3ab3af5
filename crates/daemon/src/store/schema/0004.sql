-- A checksum for the rows that had none: a changed mark or name would have us miss or double jobs. The step fills them in (`small_rows.rs`).
ALTER TABLE meta ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE marks ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE gaps ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sightings ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
