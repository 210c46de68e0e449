CREATE TABLE backup_buckets (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX backup_buckets_by_owner ON backup_buckets (owner_id, created_at, id);
-- The current bucket of a service, of which there is one at most.
CREATE UNIQUE INDEX backup_buckets_by_reference ON backup_buckets (reference) WHERE reference IS NOT NULL;
