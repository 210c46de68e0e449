CREATE TABLE pipes (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX pipes_by_owner ON pipes (owner_id, created_at, id);

CREATE TABLE pipe_cdc_scalings (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX pipe_cdc_scalings_by_owner ON pipe_cdc_scalings (owner_id, created_at, id);

CREATE TABLE reverse_private_endpoints (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX reverse_private_endpoints_by_owner ON reverse_private_endpoints (owner_id, created_at, id);
