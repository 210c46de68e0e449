-- Whose each port is. One that was given back has no service, and the time at which it became free.
CREATE TABLE service_ports (
    port INTEGER PRIMARY KEY,
    service_id TEXT,
    freed_at BIGINT
);
