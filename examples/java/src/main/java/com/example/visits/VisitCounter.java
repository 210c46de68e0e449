package com.example.visits;

import com.clickhouse.client.api.Client;
import com.clickhouse.client.api.query.GenericRecord;
import com.clickhouse.client.api.query.QueryResponse;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Counts visits of pages, in a table of ClickHouse. */
public final class VisitCounter implements AutoCloseable {
    private final Client client;

    public VisitCounter(URI database, String user, String password, Path authority) {
        client = new Client.Builder()
                .addEndpoint(database.toString())
                .setUsername(user)
                .setPassword(password)
                .setRootCertificate(authority.toString())
                .build();
    }

    public void makeTable() throws Exception {
        client.execute("CREATE TABLE visits (page String, seconds UInt32) ENGINE = MergeTree ORDER BY page")
                .get()
                .close();
    }

    public void visit(String page, int seconds) throws Exception {
        Map<String, Object> values = Map.of("page", page, "seconds", seconds);
        try (QueryResponse done = client.query("INSERT INTO visits SELECT {page:String}, {seconds:UInt32}", values)
                .get()) {
            assert done.getWrittenRows() == 1;
        }
    }

    public long visitsOf(String page) {
        List<GenericRecord> rows = client.queryAll(
                "SELECT count() AS visits FROM visits WHERE page = {page:String}", Map.of("page", page));
        return rows.getFirst().getLong("visits");
    }

    @Override
    public void close() {
        client.close();
    }
}
