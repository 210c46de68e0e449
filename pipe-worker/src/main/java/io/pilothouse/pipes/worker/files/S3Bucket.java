package io.pilothouse.pipes.worker.files;

import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Sql;
import io.pilothouse.pipes.worker.aws.AwsKeys;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bucket of an S3-compatible server, or a single file of any server of the web. */
final class S3Bucket implements FileStore {
    private static final String SERVICE = "s3";
    private static final ListedFiles LISTED = new ListedFiles(
            "Contents",
            "Key",
            "ETag",
            "Size",
            "NextContinuationToken",
            key -> URLDecoder.decode(key, StandardCharsets.UTF_8));

    private final ObjectPlace place;
    /** Null for what everybody may read. */
    private final @Nullable AwsKeys keys;

    private final Clock clock;
    private final StorageRequests requests;

    private S3Bucket(ObjectPlace place, @Nullable AwsKeys keys, Clock clock) {
        this.place = place;
        this.keys = keys;
        this.clock = clock;
        this.requests = new StorageRequests((method, address) -> keys == null
                ? Map.of()
                : keys.signature(place.region(), SERVICE).signHashed(method, address, new byte[0], clock.instant()));
    }

    static S3Bucket of(Link link, Assignment assignment, Clock clock) throws Owner {
        ObjectPlace place = ObjectPlace.of(assignment.source().text("url").orElse(""));
        return new S3Bucket(place, AwsKeys.of(link, assignment, clock).orElse(null), clock);
    }

    @Override
    public FileGlob glob() {
        return place.glob();
    }

    private boolean isSingle() {
        return keys == null && place.glob().plain();
    }

    @Override
    public Optional<Found> single() throws Trouble {
        if (!isSingle()) {
            return Optional.empty();
        }
        return Optional.of(requests.get(place.original(), URI.create(place.original())));
    }

    @Override
    public Page page(@Nullable String token, String startAfter) throws Trouble {
        SortedMap<String, String> query = new TreeMap<>();
        query.put("list-type", "2");
        query.put("encoding-type", "url");
        query.put("prefix", place.glob().prefix());
        if (token != null) {
            query.put("continuation-token", token);
        } else if (!startAfter.isEmpty()) {
            query.put("start-after", startAfter);
        }
        return requests.list(place.base(), query, LISTED);
    }

    @Override
    public boolean has(String key) throws Trouble {
        return requests.has(URI.create(place.url(key)));
    }

    @Override
    public Optional<Found> find(String part) throws Trouble {
        if (part.equals(place.original())) {
            return requests.find(part, URI.create(part));
        }
        String before = place.bucket() + "/";
        if (!part.startsWith(before)) {
            return Optional.empty();
        }
        String key = part.substring(before.length());
        return requests.find(key, URI.create(place.url(key)));
    }

    @Override
    public Optional<FileQueue> queue(String url) throws Owner {
        return keys == null ? Optional.empty() : Optional.of(FileQueue.of(url, place, keys, clock));
    }

    @Override
    public String part(Found file) {
        return file.key().equals(place.original()) ? place.original() : place.bucket() + "/" + file.key();
    }

    @Override
    public String table(String key, String format, String structure, String compression) throws SourceAway {
        String shape = structure.isEmpty() ? "'auto'" : Sql.text(structure);
        if (isSingle()) {
            return "url(" + Sql.text(place.original()) + ", " + Sql.text(format) + ", " + shape + ")";
        }
        return "s3(" + Sql.text(place.url(key)) + ", " + login() + ", " + Sql.text(format) + ", " + shape + ", "
                + Sql.text(compression) + ")";
    }

    private String login() throws SourceAway {
        if (keys == null) {
            return "NOSIGN";
        }
        AwsSignature key = keys.signature(place.region(), SERVICE);
        String token = key.token();
        return Sql.text(key.accessKeyId()) + ", " + Sql.text(key.secretKey())
                + (token == null ? "" : ", " + Sql.text(token));
    }
}
