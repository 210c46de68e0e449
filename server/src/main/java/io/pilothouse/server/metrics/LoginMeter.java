package io.pilothouse.server.metrics;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.incoming.Guesses;
import java.util.Map;
import java.util.TreeMap;

/** Shows how many logins failed, and how many were held up because of that, at each entrance. */
public record LoginMeter(Map<String, Guesses> entrances) {
    private static final String FAILED = "pilothouse_logins_failed_total";
    private static final String HELD_UP = "pilothouse_logins_held_up_total";

    public LoginMeter {
        entrances = Map.copyOf(entrances);
    }

    public void write(MetricsText text) {
        Map<String, Guesses> sorted = new TreeMap<>(entrances);
        text.family(FAILED, MetricsText.Kind.COUNTER, "Logins with a wrong key, token or password.");
        sorted.forEach((name, guesses) -> text.sample(FAILED, guesses.failed(), "entrance", name));
        text.family(HELD_UP, MetricsText.Kind.COUNTER, "Logins refused unseen after too many failures.");
        sorted.forEach((name, guesses) -> text.sample(HELD_UP, guesses.heldUp(), "entrance", name));
    }
}
