package io.pilothouse.http;

import io.pilothouse.core.domain.Permit;
import java.util.List;

/** Where the alerts of an organization come from. */
public interface AlertFeed {
    /** The alerts from {@code offset} on, at most {@code limit}, oldest first. */
    Page page(Permit permit, int limit, int offset);

    /** Some alerts, each of which writes itself, and how many there are in all. */
    record Page(List<Alert> alerts, long total) {
        public Page {
            alerts = List.copyOf(alerts);
        }
    }

    /** One alert. */
    interface Alert {
        void write(JsonWriter out);
    }

    /** The feed of a server that watches nothing yet: every organization has no alerts. */
    static AlertFeed empty() {
        return (permit, limit, offset) -> new Page(List.of(), 0);
    }
}
