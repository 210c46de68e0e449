package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The storage that a pipe's files are in: which there are, and how the database reads one of them. */
sealed interface FileStore permits S3Bucket, AzureContainer {
    /** A file, and what tells one version of it from another. */
    record Found(String key, String etag, long size) {}

    /** A piece of a list in the order of the keys; a null {@code next} ends it. */
    record Page(List<Found> files, @Nullable String next) {}

    /** That of a pipe's source, with the credentials of the pipe. */
    static FileStore of(Link link, Assignment assignment, Clock clock) throws Owner {
        String type = assignment.source().text("type").orElse("");
        return type.equals("azureblobstorage")
                ? AzureContainer.of(assignment, clock)
                : S3Bucket.of(link, assignment, clock);
    }

    /** Which of its files the pipe wants. */
    FileGlob glob();

    /** The one file of an address that is no list; empty where files are listed. */
    Optional<Found> single() throws Trouble;

    /** The page that a token leads to, or the first; of keys up to {@code startAfter} there may be some. */
    Page page(@Nullable String token, String startAfter) throws Trouble;

    /** Whether there is a file under this key, as far as the credentials may know. */
    boolean has(String key) throws Trouble;

    /** The file that the ledger calls this, as it is now; empty where there is none. */
    Optional<Found> find(String part) throws Trouble;

    /** The queue of this address that is told of new files; empty where there can be none. */
    Optional<FileQueue> queue(String url) throws Owner;

    /** The name of a file in the ledger. */
    String part(Found file);

    /** The file in SQL; an empty structure is left for the database to find out. */
    String table(String key, String format, String structure, String compression) throws SourceAway;
}
