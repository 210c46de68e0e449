package io.pilothouse.http.emulator;

import io.pilothouse.core.base.Faults;
import io.pilothouse.core.emulator.ClockOperations;
import io.pilothouse.core.emulator.ClockOperations.Change;
import io.pilothouse.core.emulator.ClockOperations.Shown;
import io.pilothouse.core.emulator.ClockState;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.RequestBody;
import io.pilothouse.http.wire.Answer;
import io.pilothouse.http.wire.Request;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The time that everything goes by: shown, stopped, moved forward, run faster. */
public record ClockRoutes(ClockOperations clock) {
    private static final double USUAL_PATIENCE = 5;
    private static final double MAX_PATIENCE = 60;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    public Answer get(Request request) {
        request.checkedPermit();
        return request.untagged(clock.get(), ClockRoutes::write);
    }

    public Answer put(Request request) {
        RequestBody body = request.object();
        Change change = new Change(
                moment(body, request.faults()),
                body.number("forwardSeconds"),
                body.number("rate"),
                patience(body, request.faults()));
        return request.untagged(clock.change(change, request.faults()), ClockRoutes::write);
    }

    private static @Nullable Instant moment(RequestBody body, Faults faults) {
        String text = body.text("now");
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeException noMoment) {
            faults.add("now", "must be a moment in UTC such as 2031-05-01T00:00:00Z");
            return null;
        }
    }

    private static Duration patience(RequestBody body, Faults faults) {
        Double given = body.number("settleSeconds");
        double seconds = given == null ? USUAL_PATIENCE : given;
        if (seconds < 0 || seconds > MAX_PATIENCE) {
            faults.add("settleSeconds", "must be from 0 to " + (long) MAX_PATIENCE);
            return Duration.ZERO;
        }
        return Duration.ofNanos((long) (seconds * NANOS));
    }

    private static void write(JsonWriter out, Shown shown) {
        ClockState state = shown.state();
        out.startObject();
        out.time("now", state.shown());
        out.number("rate", state.rate());
        out.time("machine", state.machine());
        out.flag("settled", shown.settled());
        out.endObject();
    }
}
