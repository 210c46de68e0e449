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
import io.pilothouse.pipes.wire.Wire;
import io.pilothouse.pipes.wire.Words;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
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
    private Wire parent;
    private Link link;

    @BeforeEach
    void start() throws IOException {
        PipedOutputStream toWorker = new PipedOutputStream();
        PipedOutputStream toParent = new PipedOutputStream();
        parent = new Wire(new PipedInputStream(toParent), toWorker);
        link = new Link(new Wire(new PipedInputStream(toWorker), toParent), status -> {});
        Thread.ofPlatform().daemon().start(link::listen);
        Thread.ofPlatform().daemon().start(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        parent.close();
    }

    private void answer() {
        try {
            Optional<Tree.Members> question = parent.receive();
            while (question.isPresent()) {
                assertThat(question.get().text(Words.ABOUT)).contains(About.ROLE.name());
                int number = asked.incrementAndGet();
                Tree.Members said = refuses
                        ? new Tree.Members(Map.of(Words.REFUSED, new Tree.Text("There is no key.")))
                        : new RoleKey("ASIA" + number, "secret", "token" + number).tree();
                parent.send(said.with(Words.SORT, new Tree.Text(Words.ANSWER))
                        .with(Words.NUMBER, question.get().find(Words.NUMBER).orElseThrow()));
                question = parent.receive();
            }
        } catch (IOException ended) {
            // The test is over.
        }
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
        return AwsKeys.of(link, assignment, clock).orElseThrow();
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
