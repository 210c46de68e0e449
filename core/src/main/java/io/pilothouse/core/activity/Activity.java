package io.pilothouse.core.activity;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.right.Client;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One line of an organization's history: who changed what; written in the transaction of the change, never later. */
public record Activity(
        Head head,
        String type,
        String actorType,
        @Nullable UUID actorId,
        @Nullable String actorDetails,
        @Nullable UUID requestId,
        @Nullable UUID serviceId,
        @Nullable UUID subjectId,
        @Nullable Client client)
        implements Stored {
    /** Reference: the service it is about, where there is one. */
    public static final Kind<Activity> KIND = new Kind<>("activities", Activity.class);

    /** A line about something that no client asked for. */
    public Activity(
            Head head,
            String type,
            String actorType,
            @Nullable UUID actorId,
            @Nullable String actorDetails,
            @Nullable UUID requestId,
            @Nullable UUID serviceId,
            @Nullable UUID subjectId) {
        this(head, type, actorType, actorId, actorDetails, requestId, serviceId, subjectId, null);
    }

    /** A line about something that happened by itself. */
    public static Activity bySystem(Head head, String type, @Nullable UUID serviceId, @Nullable UUID subjectId) {
        return new Activity(head, type, "system", null, null, null, serviceId, subjectId);
    }

    public UUID organizationId() {
        return head.ownerId();
    }
}
