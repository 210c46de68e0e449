package io.pilothouse.plane.local;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.query.QueryDatabases;
import io.pilothouse.core.query.QueryRole;
import io.pilothouse.core.query.QueryStatement;
import io.pilothouse.gateway.GatewayOwnUser;
import io.pilothouse.gateway.GatewayReach;
import io.pilothouse.gateway.GatewayUse;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.outgoing.OutgoingStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One statement of a query endpoint in a database of this machine. */
final class LocalQueryUse implements QueryDatabases.Use {
    private static final Duration MAX_QUERY = Duration.ofMinutes(10);
    private static final Duration TO_KILL = Duration.ofSeconds(5);
    private static final int PIECE_BYTES = 1 << 16;

    private final UUID queryId = UUID.randomUUID();
    private final UUID service;
    private final GatewayUse door;
    private final LocalDatabases databases;
    private final OutgoingHttp http;
    private final Executor threads;
    private volatile @Nullable OutgoingStream stream;
    private volatile boolean cancelled;
    private volatile boolean ended;

    LocalQueryUse(UUID service, GatewayUse door, LocalDatabases databases, OutgoingHttp http, Executor threads) {
        this.service = service;
        this.door = door;
        this.databases = databases;
        this.http = http;
        this.threads = threads;
    }

    @Override
    public boolean isReady() {
        return door.reach() instanceof GatewayReach.Ready;
    }

    @Override
    public void awaken() throws PlaneFault, InterruptedException {
        ready(door.awaken());
    }

    private static InetSocketAddress ready(GatewayReach reach) throws PlaneFault {
        return switch (reach) {
            case GatewayReach.Ready(InetSocketAddress address) -> address;
            case GatewayReach.Asleep(String sentence) -> throw new PlaneFault(sentence + " Try again soon");
            case GatewayReach.Unavailable(String sentence) -> throw new PlaneFault(sentence);
            case GatewayReach.Unsupported(String sentence) -> throw new PlaneFault(sentence);
            case GatewayReach.Elsewhere(String sentence) -> throw new PlaneFault(sentence);
        };
    }

    @Override
    public QueryDatabases.Reply run(QueryRole role, QueryStatement statement) throws PlaneFault, InterruptedException {
        GatewayReach now = door.reach();
        // It was ready a moment ago, and may have been restarted for its settings since.
        InetSocketAddress address = ready(now instanceof GatewayReach.Asleep ? door.awaken() : now);
        try {
            String user = switch (role) {
                case READ_ONLY -> GatewayOwnUser.READER;
                case ADMIN -> GatewayOwnUser.ADMIN;
            };
            String pair = user + ":" + databases.ownPassword(service).orElse("");
            OutgoingStream begun = http.stream(
                    "POST",
                    URI.create("http://127.0.0.1:" + address.getPort() + target(statement)),
                    Map.of(
                            "Authorization",
                            "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.US_ASCII))),
                    MAX_QUERY);
            stream = begun;
            if (cancelled) {
                begun.cancel();
            }
            return new Coming(begun.send(statement.sql()));
        } catch (DatabaseFailure failure) {
            throw new PlaneFault(String.valueOf(failure.getMessage()), failure);
        } catch (IOException failure) {
            throw new PlaneFault(
                    cancelled()
                            ? "The query was ended before it had an answer"
                            : "The database does not answer: try again soon",
                    failure);
        }
    }

    private String target(QueryStatement statement) {
        StringBuilder target = new StringBuilder("/?query_id=").append(queryId);
        statement.database().ifPresent(name -> target.append("&database=").append(encoded(name)));
        statement.format().ifPresent(name -> target.append("&default_format=").append(encoded(name)));
        statement
                .rows()
                .ifPresent(rows -> target.append("&limit=")
                        .append(rows.limit())
                        .append("&offset=")
                        .append(rows.offset()));
        return target.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private boolean cancelled() {
        OutgoingStream known = stream;
        return known != null && known.cancelled();
    }

    @Override
    public void cancel() {
        cancelled = true;
        OutgoingStream known = stream;
        if (known == null || ended) {
            return;
        }
        known.cancel();
        // A database notices that nobody listens any more only when it has something to say.
        threads.execute(() -> {
            try {
                databases.ask(service, "KILL QUERY WHERE query_id = '" + queryId + "' ASYNC", TO_KILL);
            } catch (DatabaseFailure gone) {
                // Then nothing runs in it.
            }
        });
    }

    @Override
    public void close() {
        if (!ended) {
            cancel();
        }
        OutgoingStream known = stream;
        if (known != null) {
            known.close();
        }
        door.close();
    }

    /** The answer as it comes. */
    private final class Coming implements QueryDatabases.Reply {
        private final OutgoingStream.Begun begun;

        private Coming(OutgoingStream.Begun begun) {
            this.begun = begun;
        }

        @Override
        public UUID queryId() {
            return queryId;
        }

        @Override
        public int status() {
            return begun.status();
        }

        @Override
        public Map<String, String> fields() {
            return begun.fields();
        }

        @Override
        public void writeTo(OutputStream out) throws PlaneFault {
            byte[] piece = new byte[PIECE_BYTES];
            for (int count = read(piece); count >= 0; count = read(piece)) {
                try {
                    out.write(piece, 0, count);
                    out.flush();
                } catch (IOException gone) {
                    throw new UncheckedIOException(gone);
                }
            }
            ended = true;
        }

        private int read(byte[] piece) throws PlaneFault {
            try {
                InputStream in = begun.content();
                return in.read(piece);
            } catch (IOException broken) {
                throw new PlaneFault("The database's answer broke off", broken);
            }
        }
    }
}
