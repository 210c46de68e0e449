package io.pilothouse.core.timeline;

import io.pilothouse.core.port.Tables;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceFollower;
import io.pilothouse.core.timeline.Happening.What;
import java.time.Instant;
import java.util.Objects;

/** Writes each change of a service's state or trouble into the timeline, once it is committed. */
public record TimelineOfService(Timeline timeline) implements ServiceFollower {
    @Override
    public void changed(Tables tables, Service before, Service after, Instant now) {
        String trouble = after.seen().trouble();
        boolean sameTrouble = Objects.equals(trouble, before.seen().trouble());
        if (before.state() != after.state() || (trouble != null && !sameTrouble)) {
            What turn = new What.Turn(before.state(), after.state(), trouble);
            tables.afterCommit(() -> timeline.turned(after.id(), turn, now));
        }
    }

    @Override
    public void removed(Tables tables, Service service, Instant now) {
        tables.afterCommit(() -> timeline.forget(service.id()));
    }
}
