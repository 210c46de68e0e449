package io.pilothouse.core.alert;

import java.util.List;

/** A part of the list of alerts, and the length of the whole list. */
public record AlertPage(List<Alert> alerts, int total) {
    public AlertPage {
        alerts = List.copyOf(alerts);
    }
}
