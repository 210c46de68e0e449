package io.pilothouse.plane.local.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.core.backup.BucketAccess.Login;
import io.pilothouse.core.backup.BucketLocation;
import io.pilothouse.core.port.Clock;
import io.pilothouse.outgoing.OutgoingHttp;
import io.pilothouse.testkit.S3Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A bucket of a real server: objects go there and come back, and every refusal is a sentence. */
class S3StoreIT {
    private static final int PART = 5 << 20;

    @TempDir
    static Path serverFolder;

    @TempDir
    Path folder;

    private static S3Server server;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = S3Server.start(serverFolder);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static S3Store store(String bucket, String id, String secret) {
        return store(server.address(), bucket, id, secret);
    }

    private static S3Store store(Clock clock) {
        return store(clock, server.address(), S3Server.BUCKET, S3Server.KEY_ID, S3Server.SECRET);
    }

    private static S3Store store(String address, String bucket, String id, String secret) {
        return store(Instant::now, address, bucket, id, secret);
    }

    private static S3Store store(Clock clock, String address, String bucket, String id, String secret) {
        OutgoingHttp http = OutgoingHttp.toAddresses(Duration.ofSeconds(3));
        Login.Key key = new Login.Key(id, secret, null);
        return new S3Store(
                StoreClient.over(http, clock, List.of(Duration.ZERO), PART),
                new BucketLocation(URI.create(address), bucket, "a=b/c", null),
                () -> key);
    }

    private static S3Store store() {
        return store(S3Server.BUCKET, S3Server.KEY_ID, S3Server.SECRET);
    }

    private Path file(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return Files.write(folder.resolve("file"), bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PART, PART + 1, 2 * PART + 3})
    void aFileOfAnyLengthComesBackAsItWent(int length) throws BucketFault, IOException {
        S3Store store = store();
        String name = "some/" + length + ".tar.gz";
        assertThat(store.size(name)).isEmpty();
        store.put(name, file(length));
        store.put(name, file(length));
        assertThat(store.size(name)).isEqualTo(OptionalLong.of(length));
        if (length > 0) {
            Path back = folder.resolve("back");
            store.get(name, back);
            assertThat(back).hasSameBinaryContentAs(folder.resolve("file"));
        }
        store.delete(name);
        assertThat(store.size(name)).isEmpty();
        store.delete(name);
    }

    @Test
    void credentialsThatAreNotAcceptedAreNamedAndNotQuoted() throws IOException {
        Path file = file(10);
        assertThatThrownBy(
                        () -> store(S3Server.BUCKET, "NOBODY", "no-such-secret").put("it", file))
                .hasMessage("the credentials are not accepted (InvalidAccessKeyId)");
        Path large = file(PART + 1);
        assertThatThrownBy(
                        () -> store(S3Server.BUCKET, "NOBODY", "no-such-secret").put("it", large))
                .hasMessage("the credentials are not accepted (InvalidAccessKeyId)");
    }

    @Test
    void aBucketThatIsGoneIsSaidToBeAndNeedsNoDeleting() throws BucketFault, IOException {
        S3Store gone = store("nowhere", S3Server.KEY_ID, S3Server.SECRET);
        Path file = file(10);
        assertThat(gone.size("it")).isEmpty();
        assertThatThrownBy(() -> gone.put("it", file)).hasMessage("it does not exist");
        assertThatThrownBy(() -> gone.get("it", folder.resolve("back"))).hasMessage("it does not exist");
        gone.delete("it");
    }

    @Test
    void aMachineWithAWrongClockGoesByThatOfTheStore() throws BucketFault, IOException {
        S3Store early = store(() -> Instant.now().minus(Duration.ofDays(1)));
        early.put("early", file(10));
        assertThat(early.size("early")).isEqualTo(OptionalLong.of(10));
        early.delete("early");
        assertThat(store().size("early")).isEmpty();
    }

    @Test
    void anObjectThatIsGoneIsSaidToBe() {
        assertThatThrownBy(() -> store().get("missing", folder.resolve("back")))
                .hasMessage("the backup is not in it any more");
    }

    @Test
    void aServerThatDoesNotAnswerIsNamed() throws IOException {
        Path file = file(10);
        S3Store silent = store("http://127.0.0.1:1", "ours", "a", "b");
        assertThatThrownBy(() -> silent.put("it", file)).hasMessage("127.0.0.1 does not answer");
    }
}
