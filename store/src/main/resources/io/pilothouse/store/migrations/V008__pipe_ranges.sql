CREATE TABLE pipe_ranges (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX pipe_ranges_by_owner ON pipe_ranges (owner_id, created_at, id);
