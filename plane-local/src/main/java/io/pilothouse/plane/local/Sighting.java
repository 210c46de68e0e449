package io.pilothouse.plane.local;

/** What one look at a service's engine showed. */
public sealed interface Sighting {
    /** There is nothing, not even a folder. */
    record Absent() implements Sighting {}

    /** There is data and no process, as it was asked for. */
    record Stopped() implements Sighting {}

    record Starting() implements Sighting {}

    record Stopping() implements Sighting {}

    /** It answers; the fingerprint is that of the settings it works with. */
    record Running(EngineAddress address, String fingerprint) implements Sighting {}

    /** It should run and does not, or not well; the reason is a sentence for a person. */
    record Broken(String reason) implements Sighting {}
}
