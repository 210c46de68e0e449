package io.pilothouse.core.backup;

import io.pilothouse.core.service.Service;
import java.time.Instant;

/** The one thing that a pass over a service's backups does next; done again, it does no harm. */
public sealed interface BackupMove {
    /** Have the data copied. */
    record Begin(Service service, Backup backup) implements BackupMove {}

    /** It is under way, or cannot go on by itself: look again then. */
    record Watch(Backup backup, Instant until) implements BackupMove {}

    /** It is there: say so. */
    record Finish(Backup backup, Archive archive) implements BackupMove {}

    /** It will not be there, for this reason: say so. */
    record Fail(Backup backup, String why) implements BackupMove {}

    /** It is time for another one. */
    record Schedule(Service service) implements BackupMove {}

    /** Hide it from clients. */
    record Retire(Backup backup) implements BackupMove {}

    /** Take away what is left of it. */
    record Clear(Backup backup) implements BackupMove {}

    /** Have it restored beside its service, to see whether it can be. */
    record Prove(Backup backup) implements BackupMove {}

    /** That has ended: say how. */
    record Proven(Backup backup, BackupProof proof) implements BackupMove {}

    /** Its state is unknown, for this reason: look again, later each time. */
    record BackOff(Backup backup, String why) implements BackupMove {}

    /** All is as wanted until then. */
    record NotDue(Instant until) implements BackupMove {}

    /** The service is deleted and nothing of its backups is left. */
    record Gone() implements BackupMove {}
}
