-- Version 1. Times are seconds since 1970. docs/operations/store.md says what each table is for.

CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
    id                         INTEGER PRIMARY KEY AUTOINCREMENT,
    cluster                    TEXT NOT NULL,
    job_id                     INTEGER NOT NULL,
    part                       TEXT NOT NULL,
    submitted                  INTEGER NOT NULL,
    tasks                      TEXT NOT NULL,
    name                       TEXT NOT NULL,
    user                       TEXT NOT NULL,
    user_id                    INTEGER,
    account                    TEXT NOT NULL,
    partitions                 TEXT NOT NULL,
    qos                        TEXT NOT NULL,
    limit_seconds              INTEGER,
    limit_word                 TEXT NOT NULL,
    requested_cpus             INTEGER,
    requested_nodes            INTEGER,
    requested_memory_mebibytes INTEGER,
    requested_gpus             INTEGER,
    allocated_cpus             INTEGER,
    allocated_nodes            INTEGER,
    allocated_memory_mebibytes INTEGER,
    allocated_gpus             INTEGER,
    nodes                      TEXT NOT NULL,
    state                      TEXT NOT NULL,
    eligible                   INTEGER,
    started                    INTEGER,
    ended                      INTEGER,
    run_seconds                INTEGER,
    absent                     INTEGER,
    stage                      TEXT NOT NULL,
    checksum                   INTEGER NOT NULL,
    UNIQUE (cluster, job_id, part, submitted)
) STRICT;

CREATE INDEX jobs_open ON jobs (id) WHERE stage IN ('waiting', 'running');
CREATE INDEX jobs_by_end ON jobs (ended, id) WHERE stage = 'ended' AND run_seconds IS NOT NULL;

CREATE INDEX jobs_by_departure ON jobs (coalesce(ended, absent)) WHERE stage NOT IN ('waiting', 'running');

-- What changes at every reading, apart from the wide rows that do not.
CREATE TABLE sightings (
    job        INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,
    first_told INTEGER NOT NULL,
    told_by    TEXT NOT NULL,
    told_at    INTEGER NOT NULL,
    last_seen_in_queue INTEGER
) STRICT;

CREATE TABLE forecasts (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    job                INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    made               INTEGER NOT NULL,
    first              INTEGER NOT NULL,
    start_p025         INTEGER NOT NULL,
    start_p05          INTEGER NOT NULL,
    start_p10          INTEGER NOT NULL,
    start_p25          INTEGER NOT NULL,
    start_p50          INTEGER NOT NULL,
    start_p75          INTEGER NOT NULL,
    start_p90          INTEGER NOT NULL,
    start_p95          INTEGER NOT NULL,
    start_p975         INTEGER NOT NULL,
    raw_p025           INTEGER NOT NULL,
    raw_p05            INTEGER NOT NULL,
    raw_p10            INTEGER NOT NULL,
    raw_p25            INTEGER NOT NULL,
    raw_p50            INTEGER NOT NULL,
    raw_p75            INTEGER NOT NULL,
    raw_p90            INTEGER NOT NULL,
    raw_p95            INTEGER NOT NULL,
    raw_p975           INTEGER NOT NULL,
    run_median_seconds INTEGER,
    completion_median  INTEGER,
    slurm_planned      INTEGER,
    checksum           INTEGER NOT NULL,
    UNIQUE (job, made)
) STRICT;

-- Forecasts whose job has started, numbered in the order in which that became known.
CREATE TABLE settlements (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    forecast INTEGER NOT NULL UNIQUE REFERENCES forecasts (id) ON DELETE CASCADE
) STRICT;

CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE gaps (
    from_time INTEGER PRIMARY KEY,
    to_time   INTEGER NOT NULL
) STRICT;
