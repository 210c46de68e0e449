package io.pilothouse.core.injection;

import io.pilothouse.core.injection.Injection.Effect;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.DataPlane.Sight;
import io.pilothouse.core.service.Service;

/**
 * What can be wrong with a service that is to run. It is only seen so: the engine judges it by its own rules, and the
 * plane is left as it is.
 */
public enum ServiceTrouble implements Effect {
    /** It is on its way and never arrives; one that runs is left alone. */
    PROVISIONING("service provisioning"),
    /** It cannot run, and a start would not help. */
    FAILED("service failed"),
    /** It runs, and something is wrong with it. */
    DEGRADED("service degraded");

    private final String words;

    ServiceTrouble(String words) {
        this.words = words;
    }

    @Override
    public String words() {
        return words;
    }

    /** Whether a service that looks like this can have it. */
    boolean fits(Service service, Sight sight) {
        return switch (this) {
            case PROVISIONING -> service.seen().condition() != Condition.RUNNING;
            case FAILED -> true;
            case DEGRADED -> sight.condition() == Condition.RUNNING && sight.fits();
        };
    }

    /** The same look with the trouble, of which this sentence is shown. */
    Sight on(Sight sight, String sentence) {
        return switch (this) {
            case PROVISIONING -> new Sight(Condition.STARTING, false, null, null);
            // The only condition that fails at once, whether or not it ever ran.
            case FAILED -> new Sight(Condition.LOST, false, null, sentence);
            case DEGRADED ->
                new Sight(sight.condition(), sight.fits(), sight.database(), sentence, sight.storedBytes());
        };
    }
}
