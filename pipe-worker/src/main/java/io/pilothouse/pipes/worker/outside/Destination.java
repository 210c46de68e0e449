package io.pilothouse.pipes.worker.outside;

import io.pilothouse.core.base.Tree;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.Report.Tally;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import io.pilothouse.pipes.worker.outside.Trouble.DestinationAway;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database of a pipe over HTTP. It is asked for when there is something to write, and let go as soon as nothing is
 * written any more, so that a service whose pipes have nothing to do can sleep. Safe for many threads.
 */
public final class Destination {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int MAX_INSERT_MILLIS = 3_600_000;
    private static final int CHUNK_BYTES = 256 << 10;
    private static final int MAX_SENTENCE = 400;
    private static final int OK = 200;
    private static final String FENCED = "I/O error: Permission denied";
    /** How the library begins by which the database reads from Azure. */
    private static final String AZURE = "type: Azure::";

    private static final Pattern EXCEPTION = Pattern.compile(
            "(?:\\w+::\\w+\\. )?Code: (\\d+)\\.? ?,?\\s*(?:DB::Exception: )?(.*?)(?:\\(version .*)?", Pattern.DOTALL);
    private static final Pattern WRITTEN = Pattern.compile("\"(read|written)_(rows|bytes)\":\"(\\d+)\"");

    /** Errors that say that what was to be read is not what it should be. */
    private static final Set<Integer> BAD_DATA = Set.of(
            6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 131, 190, 307, 321, 349, 376, 395, 407, 436, 441, 467, 469,
            539, 560, 563, 569, 636, 641, 674, 675, 676, 678, 691, 692, 693, 708, 1001);

    /** The storage that the database reads from does not answer as it should. */
    private static final Set<Integer> SOURCE = Set.of(86, 198, 499);

    /** The table or the right to write to it is gone: the parent makes sure of both once more. */
    private static final Set<Integer> CHANGED = Set.of(60, 81, 192, 193, 497, 516);

    /** There is no such table, or no such database. */
    private static final Set<Integer> MISSING = Set.of(60, 81);

    private final Link link;
    private final Target target;
    private final Way way;
    private int users;
    private @Nullable Login login;
    private boolean doubtful;

    private record Login(URI address, String user, String password) {}

    /** How much an insert wrote. */
    public record Written(long rows, long bytes) {}

    /** The body of an insert. */
    @FunctionalInterface
    public interface Body {
        void write(OutputStream out) throws IOException;
    }

    /** Makes the connection of one request. */
    @FunctionalInterface
    public interface Way {
        HttpURLConnection open(URI address) throws IOException;
    }

    public Destination(Link link, Target target) {
        this(link, target, address -> (HttpURLConnection) address.toURL().openConnection());
    }

    public Destination(Link link, Target target, Way way) {
        this.link = link;
        this.target = target;
        this.way = way;
    }

    public Target target() {
        return target;
    }

    /** The time in which the database must stay awake. */
    public interface Use extends AutoCloseable {
        @Override
        void close();
    }

    /** Wakes the database if it sleeps. */
    public synchronized Use use() throws DestinationAway, InterruptedException {
        if (login == null || doubtful) {
            Tree.Members again = new Tree.Members(Map.of("again", new Tree.Flag(doubtful)));
            Link.Reply reply = link.ask(About.DATABASE, again);
            if (reply.refusal().isPresent()) {
                throw new DestinationAway(reply.refusal().get());
            }
            login = new Login(
                    URI.create(reply.body().text("address").orElseThrow()),
                    reply.body().text("user").orElseThrow(),
                    reply.body().text("password").orElseThrow());
            doubtful = false;
        }
        users++;
        return this::leave;
    }

    private synchronized void leave() {
        users--;
        if (users == 0) {
            login = null;
            link.tell(About.RELEASE);
        }
    }

    /** Sends one insert; a repeated one with the same token is dropped by a table that remembers it. */
    public Written insert(String sql, Map<String, String> settings, String token, @Nullable Body body)
            throws Trouble, InterruptedException {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("insert_deduplication_token", token);
        all.put("async_insert", "0");
        // One stream of blocks in the order of the source: a repeated insert is cut the same way.
        all.put("max_insert_threads", "1");
        try (Use _ = use()) {
            Counted counted = body == null ? null : new Counted(body);
            HttpURLConnection connection = send(sql, all, counted);
            if (counted != null) {
                link.count(Tally.SENT_BYTES_COMPRESSED, counted.bytes);
            }
            try {
                return written(connection.getHeaderField("X-ClickHouse-Summary"));
            } finally {
                drop(connection.getInputStream());
            }
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    /**
     * Makes a table beside this one that refuses what this one refuses and keeps nothing: which rows are refused is
     * known by it before any of them is written.
     */
    public void prepareTrial(String table) throws DestinationAway, InterruptedException {
        Link.Reply reply = link.ask(About.TRIAL_TABLE, new Tree.Members(Map.of(Words.TABLE, new Tree.Text(table))));
        if (reply.refusal().isPresent()) {
            throw new DestinationAway(reply.refusal().get());
        }
    }

    /** A body, and how many bytes it came to. */
    private static final class Counted implements Body {
        private final Body body;
        private long bytes;

        Counted(Body body) {
            this.body = body;
        }

        @Override
        public void write(OutputStream out) throws IOException {
            CountingStream counting = new CountingStream(out);
            body.write(counting);
            bytes = counting.bytes();
        }
    }

    /** Reads lines of text; the stream holds the connection until it is closed. */
    public InputStream select(String sql, Map<String, String> settings) throws Trouble, InterruptedException {
        try (Use _ = use()) {
            return send(sql, settings, null).getInputStream();
        } catch (IOException gone) {
            throw away(gone);
        }
    }

    private HttpURLConnection send(String sql, Map<String, String> settings, @Nullable Body body)
            throws IOException, Trouble {
        Login now;
        synchronized (this) {
            now = Objects.requireNonNull(login);
        }
        StringBuilder query = new StringBuilder("?");
        settings.forEach((name, value) -> query.append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('&'));
        // What names a credential goes into the body, where no proxy and no log would write it down.
        String inTarget = body == null ? "" : "query=" + URLEncoder.encode(sql, StandardCharsets.UTF_8);
        HttpURLConnection connection = way.open(URI.create(now.address() + "/" + query + inTarget));
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(MAX_INSERT_MILLIS);
        connection.setChunkedStreamingMode(CHUNK_BYTES);
        connection.setRequestProperty("X-ClickHouse-User", now.user());
        connection.setRequestProperty("X-ClickHouse-Key", now.password());
        connection.setRequestProperty("Content-Type", "application/octet-stream");
        // Closing the stream says that the body is whole: one that broke off must not look so.
        OutputStream out = connection.getOutputStream();
        boolean whole = false;
        try {
            if (body == null) {
                out.write(sql.getBytes(StandardCharsets.UTF_8));
            } else {
                body.write(out);
            }
            whole = true;
        } finally {
            if (!whole) {
                connection.disconnect();
            }
        }
        out.close();
        if (connection.getResponseCode() != OK) {
            throw refused(connection);
        }
        return connection;
    }

    private Trouble refused(HttpURLConnection connection) throws IOException {
        InputStream error = connection.getErrorStream();
        String text = error == null ? "" : new String(error.readNBytes(1 << 16), StandardCharsets.UTF_8).strip();
        Matcher matcher = EXCEPTION.matcher(text);
        if (!matcher.matches()) {
            return new DestinationAway("The database answers " + connection.getResponseCode() + ".");
        }
        int code = Integer.parseInt(matcher.group(1));
        String said = matcher.group(2).strip();
        String sentence = said.length() > MAX_SENTENCE ? said.substring(0, MAX_SENTENCE) + "…" : said;
        if (said.contains(FENCED)) {
            return new SourceAway(
                    "The database may not connect to the source: --egress of this server's operator does not name it.");
        }
        if (said.contains(AZURE)) {
            return new SourceAway("The database cannot read the source: " + sentence);
        }
        if (BAD_DATA.contains(code)) {
            return new BadData(sentence);
        }
        if (SOURCE.contains(code)) {
            return new SourceAway("The database cannot read the source: " + sentence);
        }
        if (CHANGED.contains(code)) {
            synchronized (this) {
                doubtful = true;
            }
        }
        return code == 62 || code == 47 || code == 46 || code == 36 || code == 42
                ? new Owner("The database refuses the insert: " + sentence)
                : new DestinationAway("The database refuses the insert: " + sentence, MISSING.contains(code));
    }

    private synchronized DestinationAway away(IOException gone) {
        login = null;
        return new DestinationAway("The database broke off: " + gone.getMessage());
    }

    private static void drop(InputStream in) throws IOException {
        try (in) {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static Written written(@Nullable String summary) {
        long rows = 0;
        long bytes = 0;
        Matcher matcher = WRITTEN.matcher(summary == null ? "" : summary);
        while (matcher.find()) {
            if (matcher.group(1).equals("written")) {
                long amount = Long.parseLong(matcher.group(3));
                rows = matcher.group(2).equals("rows") ? amount : rows;
                bytes = matcher.group(2).equals("bytes") ? amount : bytes;
            }
        }
        return new Written(rows, bytes);
    }
}
