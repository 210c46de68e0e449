package io.pilothouse.core.activity;

import io.pilothouse.core.base.Head;
import io.pilothouse.core.base.Kind;
import io.pilothouse.core.base.Stored;
import io.pilothouse.core.right.Caller;
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
        @Nullable Client client,
        @Nullable Refusal refusal,
        @Nullable Changes changes)
        implements Stored {
    /** Reference: the service it is about, where there is one. */
    public static final Kind<Activity> KIND = new Kind<>("activities", Activity.class);

    /**
     * The id of the activity that every store begins with. Finding it is how a store is known not to be empty, and its
     * organization is the first one; so it is never removed. It comes before all other ids.
     */
    public static final UUID BEGINNING = UUID.fromString("00000000-0000-4000-8000-000000000001");

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
        this(head, type, actorType, actorId, actorDetails, requestId, serviceId, subjectId, null, null, null);
    }

    /** A line about something that happened by itself. */
    public static Activity bySystem(Head head, String type, @Nullable UUID serviceId, @Nullable UUID subjectId) {
        return new Activity(head, type, "system", null, null, null, serviceId, subjectId);
    }

    public UUID organizationId() {
        return head.ownerId();
    }

    /** The line as this caller may see it: what a change made of a thing is for those who may read the thing. */
    Activity shownTo(Caller caller) {
        if (changes == null || caller.may(changes.right(), serviceId)) {
            return this;
        }
        return new Activity(
                head, type, actorType, actorId, actorDetails, requestId, serviceId, subjectId, client, refusal, null);
    }
}
