package io.pilothouse.pipes.worker.files;

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
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A bucket of an S3-compatible server, or a single file of any server of the web. */
final class S3Bucket implements FileStore {
    private static final ListedFiles LISTED = new ListedFiles(
            "Contents",
            "Key",
            "ETag",
            "Size",
            "NextContinuationToken",
            key -> URLDecoder.decode(key, StandardCharsets.UTF_8));

    private final ObjectPlace place;
    /** Null where the login is another. */
    private final @Nullable AwsKeys keys;

    private final Clock clock;
    private final BucketLogin login;
    private final StorageRequests requests;

    private S3Bucket(ObjectPlace place, @Nullable AwsKeys keys, BucketLogin login, Clock clock) {
        this.place = place;
        this.keys = keys;
        this.clock = clock;
        this.login = login;
        this.requests = new StorageRequests(login);
    }

    static S3Bucket of(Link link, Assignment assignment, Clock clock) throws Owner {
        ObjectPlace place = ObjectPlace.of(assignment.source().text("url").orElse(""));
        if (assignment.source().text("authentication").orElse("").equals("SERVICE_ACCOUNT")) {
            String account = assignment.secrets().text("serviceAccountKey").orElse("");
            return new S3Bucket(place, null, GoogleTokens.of(account, place.base(), clock), clock);
        }
        AwsKeys keys = AwsKeys.of(link, assignment, clock).orElse(null);
        BucketLogin login =
                keys == null ? new BucketLogin.Nobody() : new BucketLogin.OfKeys(keys, place.region(), clock);
        return new S3Bucket(place, keys, login, clock);
    }

    @Override
    public FileGlob glob() {
        return place.glob();
    }

    private boolean isSingle() {
        return login instanceof BucketLogin.Nobody && place.glob().plain();
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
        BucketLogin.Arguments arguments = login.arguments();
        return "s3(" + Sql.text(place.url(key)) + ", " + arguments.login() + ", " + Sql.text(format) + ", " + shape
                + ", " + Sql.text(compression) + arguments.last() + ")";
    }
}
