package io.pilothouse.core.upgrade;

import io.pilothouse.core.base.Tree.Members;
import io.pilothouse.core.part.UpgradeWindow;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Offer;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.service.Service.Pin;
import io.pilothouse.core.service.Wish;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides on which version of ClickHouse a service is to run; pure. A service leaves its version only for one that opens
 * its data, and a running one only in its upgrade window while no other is on its way.
 */
public final class UpgradePlan {
    private final UpgradeTerms terms;
    private final Instant begun;

    /** Before {@code begun} the program did not run, so nothing could come up. */
    public UpgradePlan(UpgradeTerms terms, Instant begun) {
        this.terms = terms;
        this.begun = begun;
    }

    /**
     * What is known when a service is looked at: the versions that are there, when one last failed some service, its
     * upgrade window, whether another service is on its way, and whether something needs it as it is.
     */
    public record Scene(
            List<Offer> offers,
            Map<String, Instant> failures,
            @Nullable Members window,
            boolean othersMove,
            boolean needed) {
        public Scene {
            offers = List.copyOf(offers);
            failures = Map.copyOf(failures);
        }
    }

    /** What is to be done about one service. */
    public sealed interface Step {
        record Stay() implements Step {}

        /** It runs on this one already, as far as anybody knows. */
        record Note(Pin pin) implements Step {}

        /** It is to run on another one. */
        record Move(Pin pin) implements Step {}

        /** It did not come up, and returns to what it ran on. */
        record Back(Pin pin) implements Step {}

        /** It did not come up, and what it ran on does not open its data any more, or is gone. */
        record Remain(Pin pin) implements Step {}
    }

    public Step next(Service service, Scene scene, Instant now) {
        Pin pin = service.want().pin();
        if (scene.offers().isEmpty() || service.wish() == Wish.DELETE || service.isMoving()) {
            return new Step.Stay();
        }
        if (pin == null) {
            return new Step.Note(Pin.on(newest(scene, _ -> true).orElseThrow().name(), now));
        }
        if (pin.before() != null) {
            return isLate(service, pin, now) ? giveUp(scene, pin, pin.before(), now) : new Step.Stay();
        }
        Version present = new Version(pin.version());
        if (offered(scene).noneMatch(present::equals)) {
            return replacement(scene, present)
                    .<Step>map(other -> new Step.Move(pin.to(other.name(), now)))
                    .orElseGet(Step.Stay::new);
        }
        return newest(scene, candidates(service, scene, pin, now))
                .filter(_ -> mayMove(service, scene, now))
                .<Step>map(newer -> new Step.Move(pin.to(newer.name(), now)))
                .orElseGet(Step.Stay::new);
    }

    /** One that was restarted for it is given up as soon as it complains; one that was woken may be waiting for memory. */
    private boolean isLate(Service service, Pin pin, Instant now) {
        if (service.wish() != Wish.RUN) {
            return false;
        }
        boolean restarted = !pin.since().isBefore(service.want().since());
        Instant asked = restarted ? pin.since() : service.want().since();
        boolean resumed = asked.isBefore(begun);
        // All of them start together after a start of the program, and each may wait for memory.
        boolean complains = restarted && !resumed && service.seen().trouble() != null;
        return !now.isBefore((resumed ? begun : asked).plus(complains ? terms.atLeast() : terms.atMost()));
    }

    private static Step giveUp(Scene scene, Pin pin, String before, Instant now) {
        Version earlier = new Version(before);
        return offered(scene).anyMatch(earlier::equals) && earlier.opensDataOf(new Version(pin.version()))
                ? new Step.Back(pin.backTo(before, now))
                : new Step.Remain(pin.stuck(now));
    }

    /** For a version that is not there any more: the next newer one, otherwise the newest that opens its data. */
    private static Optional<Version> replacement(Scene scene, Version present) {
        return offered(scene)
                .filter(each -> each.isNewerThan(present))
                .min(Comparator.naturalOrder())
                .or(() -> newest(scene, each -> each.opensDataOf(present)));
    }

    private Predicate<Version> candidates(Service service, Scene scene, Pin pin, Instant now) {
        Version present = new Version(pin.version());
        Instant latest = now.minus(terms.deferral(service.details().releaseChannel()));
        return each -> each.isNewerThan(present)
                && !each.name().equals(pin.refused())
                && scene.offers().stream()
                        .anyMatch(offer -> offer.version().equals(each.name())
                                && !offer.since().isAfter(latest))
                && !scene.failures().getOrDefault(each.name(), Instant.MIN).isAfter(now.minus(terms.afterFailure()));
    }

    private static boolean mayMove(Service service, Scene scene, Instant now) {
        boolean runs = service.wish() == Wish.RUN;
        boolean rests = service.seen().condition() == (runs ? Condition.RUNNING : Condition.STOPPED);
        boolean waits =
                scene.needed() || (runs && (scene.othersMove() || service.seen().trouble() != null));
        return rests && !waits && (scene.window() == null || UpgradeWindow.isOpen(scene.window(), now));
    }

    private static Optional<Version> newest(Scene scene, Predicate<Version> which) {
        return offered(scene).filter(which).max(Comparator.naturalOrder());
    }

    private static Stream<Version> offered(Scene scene) {
        return scene.offers().stream().map(offer -> new Version(offer.version()));
    }
}
