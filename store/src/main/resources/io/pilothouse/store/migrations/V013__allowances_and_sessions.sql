-- What processes that share a store count together. Rows of minutes that are over are swept.
CREATE TABLE allowances (
    name TEXT PRIMARY KEY,
    used BIGINT NOT NULL,
    granted BIGINT NOT NULL,
    ends_at BIGINT NOT NULL
);
CREATE INDEX allowances_by_end ON allowances (ends_at);

-- Browsers that are signed in to the console, by the key or membership that each signed in with.
CREATE TABLE console_sessions (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX console_sessions_by_owner ON console_sessions (owner_id, created_at, id);
CREATE UNIQUE INDEX console_sessions_by_reference ON console_sessions (reference) WHERE reference IS NOT NULL;
