package io.pilothouse.core.timeline;

import io.pilothouse.core.engine.TimeLimit;
import io.pilothouse.core.port.Tasks.Due;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.ServiceState;
import io.pilothouse.core.service.Wish;
import io.pilothouse.core.timeline.Happening.What;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says what a service is waiting for, from its row, its task, and what this process remembers of it; pure. */
final class WaitingRules {
    private final Facts facts;
    private final Service service;
    private final Sentence.Draft out = new Sentence.Draft();

    private WaitingRules(Facts facts) {
        this.facts = facts;
        this.service = facts.service();
    }

    /** Who asked for what is wanted, where that is known and may be said. */
    record Asker(String who, Instant at) {}

    /** The last thing of its kind that happened. */
    record Last<T extends What>(Happening happening, T what) {
        Instant until() {
            return happening.until();
        }
    }

    record Facts(
            Service service,
            @Nullable Due due,
            Timeline.Kept kept,
            @Nullable Asker asker,
            Instant now) {
        /** What was last done for the wish as it is now. */
        Optional<Last<What.Act>> lastAct() {
            return last(What.Act.class);
        }

        /** What was last seen under the wish as it is now. */
        Optional<Last<What.Look>> lastLook() {
            return last(What.Look.class);
        }

        private <T extends What> Optional<Last<T>> last(Class<T> kind) {
            return kept.happenings().stream()
                    .filter(each -> kind.isInstance(each.what()))
                    .filter(each -> !each.until().isBefore(service.want().since()))
                    .findFirst()
                    .map(each -> new Last<>(each, kind.cast(each.what())));
        }

        /** Whether nothing has to be done any more, as far as the engine knows. */
        boolean settled() {
            return due == null || due.settled();
        }
    }

    static Sentence sentence(Facts facts) {
        return new WaitingRules(facts).write();
    }

    private Sentence write() {
        Runnable rule = switch (service.state()) {
            case RUNNING -> this::running;
            case STOPPED -> this::stopped;
            case IDLE -> this::asleep;
            case DEGRADED, FAILED -> this::troubled;
            case PROVISIONING, STARTING, AWAKING, STOPPING, TERMINATING -> this::underWay;
        };
        rule.run();
        return out.done();
    }

    private void underWay() {
        wanted();
        progress();
    }

    private void asleep() {
        out.words("It has been asleep since ")
                .at(service.seen().since())
                .words(", because nobody used it. Its next use wakes it.");
    }

    private void running() {
        if (facts.settled()) {
            out.words("It has been running since ")
                    .at(service.seen().since())
                    .words(", and nothing is being waited for.");
        } else {
            out.words("It runs, and what was changed is being brought to it.");
            progress();
        }
    }

    private void stopped() {
        Asker asker = facts.asker();
        if (asker == null) {
            out.words("It has been stopped since ").at(service.seen().since()).words(".");
        } else {
            out.words("It was stopped by " + asker.who() + " at ")
                    .at(asker.at())
                    .words(".");
        }
        out.words(" It stays stopped until it is started.");
    }

    private void troubled() {
        String trouble = service.seen().trouble();
        out.quoted(trouble == null ? "Its data is not there" : trouble);
        if (service.seen().condition() == Condition.LOST) {
            nextLook("looked at");
            return;
        }
        if (service.seen().condition() != Condition.RUNNING || service.wish() != Wish.RUN) {
            out.words(" ");
            wanted();
        }
        progress();
    }

    private void wanted() {
        out.words(
                switch (service.wish()) {
                    case RUN -> "It is to run";
                    case STOP -> "It is to stop";
                    case SLEEP -> "It is to sleep, because nobody used it";
                    case DELETE -> "It is to be deleted";
                });
        Asker asker = facts.asker();
        if (asker == null) {
            out.words(", since ").at(service.want().since());
        } else {
            out.words(", as " + asker.who() + " asked at ").at(asker.at());
        }
        out.words(".");
    }

    private void progress() {
        Timeline.UnderWay underWay = facts.kept().underWay();
        if (underWay != null) {
            out.words(" The plane was asked to " + underWay.call().phrase() + " " + ago(underWay.since())
                    + " and has not answered yet.");
            return;
        }
        Optional<Last<What.Act>> act = facts.lastAct();
        act.ifPresent(this::acted);
        facts.lastLook()
                .filter(look -> act.isEmpty() || look.until().isAfter(act.get().until()))
                .ifPresent(this::looked);
        boolean failed = act.isPresent() && act.get().what().text() != null;
        nextLook(failed ? "tried" : "looked at");
    }

    private void acted(Last<What.Act> last) {
        out.words(" The plane was asked to " + last.what().call().phrase() + " " + ago(last.until()));
        times(last.happening());
        answered(last.what().text());
    }

    private void answered(@Nullable String failure) {
        if (failure == null) {
            out.words(".");
        } else {
            out.words(", and answered: ").quoted(failure);
        }
    }

    private void times(Happening happening) {
        if (happening.times() > 1) {
            out.words(", " + happening.times() + " times since ").at(happening.at());
        }
    }

    private void looked(Last<What.Look> last) {
        Condition condition = last.what().condition();
        out.words(
                condition == Condition.UNKNOWN
                        ? " It could not be looked at " + ago(last.until())
                        : " It was first seen " + condition.name().toLowerCase(Locale.ROOT) + " "
                                + ago(last.happening().at()));
        times(last.happening());
        if (last.what().text() == null) {
            out.words(".");
        } else {
            out.words(": ").quoted(last.what().text());
        }
    }

    private void nextLook(String verb) {
        Due due = facts.due();
        if (due == null) {
            return;
        }
        if (due.taken()) {
            out.words(" It is being looked at now.");
        } else if (due.at().isAfter(facts.now())) {
            out.words(" It is " + verb + " again at ").at(due.at()).words(".");
        } else {
            out.words(" It is to be looked at now, as soon as its turn comes.");
        }
    }

    private String ago(Instant moment) {
        return TimeLimit.words(Duration.between(moment, facts.now())) + " ago";
    }

    /** The activities by which this state of things was asked for. */
    static boolean asksFor(Service service, String activityType) {
        return switch (service.wish()) {
            case RUN ->
                activityType.equals("service_create")
                        || activityType.equals("service_start")
                        || activityType.equals("service_awaken");
            case STOP -> activityType.equals("service_stop");
            case DELETE -> activityType.equals("service_delete");
            case SLEEP -> false;
        };
    }

    /** Whether an activity of the engine only repeats this turn. */
    static boolean repeats(String activityType, What what) {
        return what instanceof What.Turn turn
                && ((turn.after() == ServiceState.RUNNING && activityType.equals("service_running"))
                        || (turn.after() == ServiceState.IDLE && activityType.equals("service_idle")));
    }
}
