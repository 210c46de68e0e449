-- Times are nanoseconds since 1970. A statement ends with a semicolon at the end of its line.

CREATE TABLE organizations (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX organizations_by_owner ON organizations (owner_id, created_at, id);
CREATE INDEX organizations_by_reference ON organizations (reference, created_at, id) WHERE reference IS NOT NULL;

CREATE TABLE services (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX services_by_owner ON services (owner_id, created_at, id);
CREATE INDEX services_by_reference ON services (reference, created_at, id);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX api_keys_by_owner ON api_keys (owner_id, created_at, id);
CREATE UNIQUE INDEX api_keys_by_reference ON api_keys (reference);

CREATE TABLE alerts_tokens (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX alerts_tokens_by_owner ON alerts_tokens (owner_id, created_at, id);
CREATE UNIQUE INDEX alerts_tokens_by_reference ON alerts_tokens (reference);

CREATE TABLE activities (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX activities_by_owner ON activities (owner_id, created_at, id);
CREATE INDEX activities_by_reference ON activities (reference, created_at, id) WHERE reference IS NOT NULL;

-- ready_at is when a task can be claimed: when it is due or, while it is leased, when the lease ends.
CREATE TABLE tasks (
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    urgency INTEGER NOT NULL,
    ready_at BIGINT NOT NULL,
    lease_owner TEXT,
    token BIGINT NOT NULL,
    wakes BIGINT NOT NULL,
    tries INTEGER NOT NULL,
    unsettled_since BIGINT,
    PRIMARY KEY (kind, subject_id)
);
CREATE INDEX tasks_by_urgency ON tasks (urgency, ready_at);
CREATE INDEX tasks_unsettled ON tasks (unsettled_since) WHERE unsettled_since IS NOT NULL;

CREATE TABLE keepings (
    key_id TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    sealed_answer TEXT NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (key_id, idempotency_key)
);
CREATE INDEX keepings_by_age ON keepings (kept_at);
