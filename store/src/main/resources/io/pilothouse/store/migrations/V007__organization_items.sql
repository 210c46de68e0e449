CREATE TABLE organization_items (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX organization_items_by_owner ON organization_items (owner_id, created_at, id);
CREATE UNIQUE INDEX organization_items_by_reference ON organization_items (reference) WHERE reference IS NOT NULL;
CREATE INDEX organization_items_by_label ON organization_items (label, created_at, id);
