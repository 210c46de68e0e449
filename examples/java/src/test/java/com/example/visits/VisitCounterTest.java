package com.example.visits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pilothouse.junit.Pilothouse;
import io.pilothouse.junit.Plane;
import io.pilothouse.junit.RunningClickHouse;
import org.junit.jupiter.api.Test;

/** Against a ClickHouse that runs, with ClickHouse's own client. */
@Pilothouse(plane = Plane.LOCAL)
class VisitCounterTest {
    @Test
    void visitsAreCountedByPage(RunningClickHouse database) throws Exception {
        try (VisitCounter visits =
                new VisitCounter(database.url(), database.user(), database.password(), database.certificate())) {
            visits.makeTable();
            visits.visit("home", 3);
            visits.visit("home", 40);
            visits.visit("what's new", 5);
            assertEquals(2, visits.visitsOf("home"));
            assertEquals(1, visits.visitsOf("what's new"));
            assertEquals(0, visits.visitsOf("docs"));
        }
    }
}
