-- Machines with databases, of processes that share a store. Nothing that a heartbeat changes is in an index.
CREATE TABLE hosts (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    reference TEXT,
    label TEXT,
    created_at BIGINT NOT NULL,
    version BIGINT NOT NULL,
    document TEXT NOT NULL
);
CREATE INDEX hosts_by_owner ON hosts (owner_id, created_at, id);

-- Whose a task is: the id of a host, or nothing for one that any process may do.
ALTER TABLE tasks ADD COLUMN host TEXT NOT NULL DEFAULT '';
DROP INDEX tasks_by_urgency;
CREATE INDEX tasks_by_host ON tasks (host, urgency, ready_at);
