CREATE TABLE backups (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX backups_by_owner ON backups (owner_id, created_at, id);
CREATE INDEX backups_by_label ON backups (label, created_at, id) WHERE label IS NOT NULL;

-- Which services have a private endpoint: found by the endpoint, so that nothing has to look through all services.
CREATE TABLE private_endpoint_uses (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX private_endpoint_uses_by_owner ON private_endpoint_uses (owner_id, created_at, id);
CREATE INDEX private_endpoint_uses_by_reference ON private_endpoint_uses (reference, created_at, id);

-- Services of an older program have no task for their backups yet.
INSERT INTO tasks (kind, subject_id, urgency, ready_at, token, wakes, tries)
    SELECT 'BACKUP', id, 2, 0, 0, 1, 0 FROM services;
