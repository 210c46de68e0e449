CREATE TABLE usage_meters (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX usage_meters_by_owner ON usage_meters (owner_id, created_at, id);
CREATE INDEX usage_meters_by_reference ON usage_meters (reference, created_at, id);
CREATE INDEX usage_meters_by_label ON usage_meters (label, created_at, id) WHERE label IS NOT NULL;

CREATE TABLE usage_spans (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX usage_spans_by_owner ON usage_spans (owner_id, created_at, id);
