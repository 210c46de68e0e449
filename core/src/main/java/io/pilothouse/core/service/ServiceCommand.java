package io.pilothouse.core.service;

import io.pilothouse.core.base.Refused;
import io.pilothouse.core.base.WordRule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commands that a caller can give a service; one that is already in effect is not an error. */
public enum ServiceCommand {
    START("service_start"),
    STOP("service_stop"),
    AWAKE("service_awaken");

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), ServiceCommand::word);

    private final String activityType;

    ServiceCommand(String activityType) {
        this.activityType = activityType;
    }

    public String activityType() {
        return activityType;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<ServiceCommand> find(@Nullable String word) {
        for (ServiceCommand command : values()) {
            if (command.word().equals(word)) {
                return Optional.of(command);
            }
        }
        return Optional.empty();
    }

    /** The wish after this command, given the wish now; empty where the command is impossible. */
    public Optional<Wish> from(Wish wish) {
        return switch (wish) {
            case DELETE -> Optional.empty();
            case RUN -> Optional.of(this == STOP ? Wish.STOP : Wish.RUN);
            case SLEEP ->
                Optional.of(
                        switch (this) {
                            // Starting is for what was stopped; an idle service is woken.
                            case START -> Wish.SLEEP;
                            case STOP -> Wish.STOP;
                            case AWAKE -> Wish.RUN;
                        });
            case STOP ->
                switch (this) {
                    case START -> Optional.of(Wish.RUN);
                    case STOP -> Optional.of(Wish.STOP);
                    case AWAKE -> Optional.empty();
                };
        };
    }

    /** The phrase around the state is one that clients look for. */
    static Refused conflict(@Nullable String verb, Service service) {
        return new Refused(
                Refused.Reason.CONFLICT,
                "Cannot " + verb + " the service in its present state (a service can be deleted while provisioning, "
                        + "starting, awaking, idle, stopped, degraded or failed). Current state: '"
                        + service.state().word() + "'");
    }

    /** A copy reads what its primary has; {@code ofWarehouse} are all services of the primary's warehouse. */
    static void refuseWhileOthersNeed(Service primary, List<Service> ofWarehouse) {
        if (ofWarehouse.stream().anyMatch(other -> !other.id().equals(primary.id()) && other.wish() != Wish.DELETE)) {
            throw new Refused(
                    Refused.Reason.CONFLICT,
                    "The primary service of a warehouse can be deleted only after its other services");
        }
    }
}
