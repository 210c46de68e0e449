package io.pilothouse.pipes.worker.aws;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.RoleKey;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Signs in the name of a pipe's source: with the access key among its secrets, or with a key of its role, which the
 * control plane is asked for again before it ends. Safe for many threads.
 */
public final class AwsKeys {
    /** A key of a role is good for an hour, and what is signed with it may take a while. */
    private static final Duration HELD_FOR = Duration.ofMinutes(45);

    private final Source source;

    /** Where the next key comes from. */
    @FunctionalInterface
    private interface Source {
        RoleKey now() throws SourceAway;
    }

    private AwsKeys(Source source) {
        this.source = source;
    }

    /** Those of this assignment; empty where the source is read without. */
    public static Optional<AwsKeys> of(Link link, Assignment assignment, Clock clock) {
        if (assignment.source().text("authentication").orElse("").equals("IAM_ROLE")) {
            return Optional.of(new AwsKeys(new OfRole(link, clock)::now));
        }
        return Stream.of("accessKey", "credentials")
                .flatMap(member -> assignment.secrets().members(member).stream())
                .filter(key -> key.has("accessKeyId"))
                .findFirst()
                .map(key -> new AwsKeys(() -> lasting(key)));
    }

    private static RoleKey lasting(Tree.Members key) {
        return new RoleKey(
                key.text("accessKeyId").orElse(""), key.text("secretKey").orElse(""), "");
    }

    /** With the key of now, for requests to one service of one region. */
    public AwsSignature signature(String region, String service) throws SourceAway {
        RoleKey key = source.now();
        String token = key.token().isEmpty() ? null : key.token();
        return new AwsSignature(key.accessKeyId(), key.secretKey(), token, region, service);
    }

    /** The keys of the role that the source names. */
    private static final class OfRole {
        private final Link link;
        private final Clock clock;
        private @Nullable RoleKey key;
        private Instant until = Instant.MIN;

        OfRole(Link link, Clock clock) {
            this.link = link;
            this.clock = clock;
        }

        synchronized RoleKey now() throws SourceAway {
            Instant now = clock.instant();
            if (key == null || !now.isBefore(until)) {
                key = asked();
                until = now.plus(HELD_FOR);
            }
            return key;
        }

        /** A role that was made a moment ago may be refused until all of AWS knows it: that is no reason to give up. */
        private RoleKey asked() throws SourceAway {
            try {
                Link.Reply reply = link.ask(About.ROLE, Tree.Members.NONE);
                if (reply.refusal().isPresent()) {
                    throw new SourceAway(reply.refusal().get());
                }
                return RoleKey.of(reply.body());
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
                throw new SourceAway("The worker is ending.");
            }
        }
    }
}
