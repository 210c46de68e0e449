-- The store's moment where several processes write to it: each commit that changes rows makes the next one.
CREATE TABLE store_moment (
    id INTEGER PRIMARY KEY,
    number BIGINT NOT NULL,
    token BIGINT NOT NULL
);
