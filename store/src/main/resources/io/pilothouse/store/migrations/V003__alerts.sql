-- A label is what rows are counted under, where they are counted at all.

ALTER TABLE organizations ADD COLUMN label TEXT;
ALTER TABLE services ADD COLUMN label TEXT;
ALTER TABLE api_keys ADD COLUMN label TEXT;
ALTER TABLE alerts_tokens ADD COLUMN label TEXT;
ALTER TABLE activities ADD COLUMN label TEXT;
ALTER TABLE pipes ADD COLUMN label TEXT;
ALTER TABLE pipe_cdc_scalings ADD COLUMN label TEXT;
ALTER TABLE reverse_private_endpoints ADD COLUMN label TEXT;
CREATE INDEX services_by_label ON services (label, created_at, id) WHERE label IS NOT NULL;
CREATE INDEX pipes_by_label ON pipes (label, created_at, id) WHERE label IS NOT NULL;

CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX alerts_by_owner ON alerts (owner_id, created_at, id);

CREATE TABLE alert_evaluations (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX alert_evaluations_by_owner ON alert_evaluations (owner_id, created_at, id);

CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX webhooks_by_owner ON webhooks (owner_id, created_at, id);
CREATE UNIQUE INDEX webhooks_by_reference ON webhooks (reference);

CREATE TABLE dashboards (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX dashboards_by_owner ON dashboards (owner_id, created_at, id);

CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX deliveries_by_owner ON deliveries (owner_id, created_at, id);
CREATE INDEX deliveries_by_reference ON deliveries (reference, created_at, id);

CREATE TABLE metric_points (
    organization_id TEXT NOT NULL,
    series TEXT NOT NULL,
    minute BIGINT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (organization_id, series, minute)
);
CREATE INDEX metric_points_by_age ON metric_points (minute);

-- One row at most.
CREATE TABLE vault_checks (
    id INTEGER PRIMARY KEY,
    sealed TEXT NOT NULL
);
