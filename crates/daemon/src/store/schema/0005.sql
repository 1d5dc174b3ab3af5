-- Columns named as in the HTTP API and in Slurm's documentation, before the first release. Values stay as they are.
ALTER TABLE jobs RENAME COLUMN limit_word TO limit_text;
ALTER TABLE sightings RENAME COLUMN first_told TO first_reported;
ALTER TABLE sightings RENAME COLUMN told_by TO reported_by;
ALTER TABLE sightings RENAME COLUMN told_at TO reported_at;
ALTER TABLE forecasts RENAME COLUMN slurm_planned TO slurm_estimate;
ALTER TABLE experts RENAME COLUMN futures TO simulations;
ALTER TABLE experts RENAME COLUMN futures_repaired TO simulations_repaired;
ALTER TABLE learnt RENAME TO models;
ALTER TABLE models RENAME COLUMN what TO name;
ALTER TABLE models RENAME COLUMN kept TO stored;
