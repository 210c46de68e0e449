package com.example.visits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pilothouse.junit.Pilothouse;
import io.pilothouse.junit.PilothouseOrganization;
import java.io.IOException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Against the API alone: no database is started. */
@Pilothouse
class ServicesTest {
    @Test
    void serviceIsListedOnceItIsMade(PilothouseOrganization organization) throws IOException, InterruptedException {
        try (Services services = new Services(organization.url(), organization.authorization())) {
            services.create("Visits");
            assertTrue(services.list().contains("\"name\":\"Visits\""));
        }
    }

    @Test
    void faultsOfARequestAreReported(PilothouseOrganization organization) {
        try (Services services = new Services(organization.url(), organization.authorization())) {
            IOException refused = assertThrows(IOException.class, () -> services.create(""));
            assertTrue(refused.getMessage().startsWith("The API answered 400"), refused.getMessage());
        }
    }

    @RepeatedTest(50)
    void eachTestHasTheOrganizationForItself(PilothouseOrganization organization)
            throws IOException, InterruptedException {
        try (Services services = new Services(organization.url(), organization.authorization())) {
            assertFalse(services.list().contains("\"name\""));
            services.create("Mine");
            assertEquals(2, services.list().split("\"name\":\"Mine\"", -1).length);
        }
    }
}
