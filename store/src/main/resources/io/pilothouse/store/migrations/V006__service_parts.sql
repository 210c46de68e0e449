CREATE TABLE service_parts (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX service_parts_by_owner ON service_parts (owner_id, created_at, id);
