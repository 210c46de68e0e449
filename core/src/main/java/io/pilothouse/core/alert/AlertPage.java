package io.pilothouse.core.alert;

import java.util.List;

/** A part of the list of alerts, and how long the whole list is. */
public record AlertPage(List<Alert> alerts, int total) {
    public AlertPage {
        alerts = List.copyOf(alerts);
    }
}
