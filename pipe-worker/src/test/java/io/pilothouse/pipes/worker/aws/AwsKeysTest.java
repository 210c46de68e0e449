package io.pilothouse.pipes.worker.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.base.Tree;
import io.pilothouse.core.secret.AwsSignature;
import io.pilothouse.pipes.wire.About;
import io.pilothouse.pipes.wire.Assignment;
import io.pilothouse.pipes.wire.Assignment.Share;
import io.pilothouse.pipes.wire.Assignment.Target;
import io.pilothouse.pipes.wire.RoleKey;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.outside.FakeParent;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which key a worker signs with, and when it asks for another. */
class AwsKeysTest {
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean refuses;
    private volatile Instant now = Instant.EPOCH;
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
    private FakeParent parent;

    @BeforeEach
    void start() throws IOException {
        parent = new FakeParent(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        parent.close();
    }

    private Tree.Members answer(Tree.Members question) {
        if (!question.text(Words.ABOUT).equals(Optional.of(About.ROLE.name()))) {
            return refused("That is not known.");
        }
        int number = asked.incrementAndGet();
        return refuses ? refused("There is no key.") : new RoleKey("ASIA" + number, "secret", "token" + number).tree();
    }

    private static Tree.Members refused(String sentence) {
        return new Tree.Members(Map.of(Words.REFUSED, new Tree.Text(sentence)));
    }

    private AwsKeys keys(Map<String, Tree> source, Map<String, Tree> secrets) {
        Assignment assignment = new Assignment(
                "p",
                "kinesis",
                new Tree.Members(source),
                new Tree.Members(secrets),
                Tree.Members.NONE,
                new Target("", "", List.of(), List.of(), ""),
                0,
                Assignment.Errand.MOVE,
                0,
                new Share(0, 1, 1, 1, 1000));
        return AwsKeys.of(parent.link(), assignment, clock).orElseThrow();
    }

    private AwsKeys ofRole() {
        return keys(Map.of("authentication", new Tree.Text("IAM_ROLE")), Map.of());
    }

    @Test
    void keyOfARoleIsHeldAndAnotherIsAskedForBeforeItEnds() throws SourceAway {
        AwsKeys keys = ofRole();
        AwsSignature first = keys.signature("eu-west-1", "s3");
        assertThat(first).isEqualTo(new AwsSignature("ASIA1", "secret", "token1", "eu-west-1", "s3"));
        now = now.plus(Duration.ofMinutes(44));
        assertThat(keys.signature("eu-west-1", "s3")).isEqualTo(first);
        now = now.plus(Duration.ofMinutes(1));
        assertThat(keys.signature("eu-west-1", "sqs").token()).isEqualTo("token2");
        assertThat(asked).hasValue(2);
    }

    @Test
    void roleThatIsRefusedMayBeGivenLater() throws SourceAway {
        AwsKeys keys = ofRole();
        refuses = true;
        assertThatThrownBy(() -> keys.signature("eu-west-1", "s3"))
                .isInstanceOf(SourceAway.class)
                .hasMessage("There is no key.");
        refuses = false;
        assertThat(keys.signature("eu-west-1", "s3").token()).isEqualTo("token2");
    }

    @Test
    void accessKeyOfThePipeNeedsNobodyAndHasNoToken() throws SourceAway {
        Tree key = new Tree.Members(Map.of("accessKeyId", new Tree.Text("AKIA"), "secretKey", new Tree.Text("hidden")));
        for (String member : List.of("accessKey", "credentials")) {
            assertThat(keys(Map.of(), Map.of(member, key)).signature("eu-west-1", "s3"))
                    .isEqualTo(new AwsSignature("AKIA", "hidden", null, "eu-west-1", "s3"));
        }
        assertThat(asked).hasValue(0);
    }
}
