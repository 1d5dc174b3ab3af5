-- What was learnt from forecasts and what came of them. The bytes are of one version of the forecaster; another one learns anew.
CREATE TABLE learnt (
    id       INTEGER PRIMARY KEY,
    what     TEXT    NOT NULL UNIQUE,
    version  INTEGER NOT NULL,
    kept     INTEGER NOT NULL,
    bytes    BLOB    NOT NULL,
    checksum INTEGER NOT NULL
) STRICT;
