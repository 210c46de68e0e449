package io.pilothouse.plane.local;

/** The result of one look at a service's database. */
public sealed interface DatabaseSeen {
    /** Nothing exists, not even a folder. */
    record Absent() implements DatabaseSeen {}

    /** Data without a process, as wanted. */
    record Stopped() implements DatabaseSeen {}

    /** It is to start, and others are ahead of it; the reason is a sentence for a person. */
    record Waiting(String reason) implements DatabaseSeen {}

    record Starting() implements DatabaseSeen {}

    record Stopping() implements DatabaseSeen {}

    /** It answers; the fingerprint is that of the settings in effect. */
    record Running(DatabaseAddress address, String fingerprint) implements DatabaseSeen {}

    /** It should run and does not, or not well; the reason is a sentence for a person. */
    record Broken(String reason) implements DatabaseSeen {}
}
