package io.pilothouse.store;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.base.Kind;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Activities as rows, found by the service they are about; a line of history is written once and never again. */
final class ActivityRows implements Rows<Activity> {
    @Override
    public Kind<Activity> kind() {
        return Activity.KIND;
    }

    @Override
    public @Nullable String reference(Activity row) {
        UUID serviceId = row.serviceId();
        return serviceId == null ? null : serviceId.toString();
    }

    @Override
    public void write(Activity row, DocumentOut document) {
        document.text("type", row.type())
                .text("actorType", row.actorType())
                .text("actorId", row.actorId())
                .text("actorDetails", row.actorDetails())
                .text("requestId", row.requestId())
                .text("serviceId", row.serviceId())
                .text("subjectId", row.subjectId());
    }

    @Override
    public Activity read(Head head, DocumentIn document) {
        return new Activity(
                head.id(),
                head.ownerId(),
                head.createdAt(),
                document.text("type", ""),
                document.text("actorType", ""),
                document.idOrNull("actorId"),
                document.textOrNull("actorDetails"),
                document.idOrNull("requestId"),
                document.idOrNull("serviceId"),
                document.idOrNull("subjectId"));
    }

    @Override
    public Activity withVersion(Activity row, long version) {
        if (version != row.version()) {
            throw new IllegalStateException("A line of history is never rewritten");
        }
        return row;
    }
}
