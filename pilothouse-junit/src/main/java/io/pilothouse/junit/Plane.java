package io.pilothouse.junit;

import java.util.Locale;

/** What is behind the services that tests create. */
public enum Plane {
    /** Nothing: a service lives as the API says, and no database is started. */
    SIMULATED,

    /** A ClickHouse for each service, as processes of this machine. */
    LOCAL;

    /** How the program's own option says it. */
    String option() {
        return name().toLowerCase(Locale.ROOT);
    }
}
