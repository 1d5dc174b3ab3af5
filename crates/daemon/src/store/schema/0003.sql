-- What each expert said by itself when a forecast was made, in the middle. Forecasts from before have no row.
CREATE TABLE experts (
    forecast         INTEGER PRIMARY KEY REFERENCES forecasts (id) ON DELETE CASCADE,
    futures          INTEGER NOT NULL,
    futures_repaired INTEGER NOT NULL,
    recent           INTEGER NOT NULL,
    recent_class     INTEGER NOT NULL,
    recent_user      INTEGER NOT NULL,
    forest           INTEGER NOT NULL,
    checksum         INTEGER NOT NULL
) STRICT;
