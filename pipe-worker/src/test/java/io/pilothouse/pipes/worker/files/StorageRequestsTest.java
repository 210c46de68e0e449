package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the answers of object storage mean. */
class StorageRequestsTest {
    private static final ListedFiles NAMES =
            new ListedFiles("Blob", "Name", "Etag", "Size", "Next", UnaryOperator.identity());

    private final StorageRequests requests = new StorageRequests((_, _) -> Map.of());
    private ServerSocket storage;

    @BeforeEach
    void start() throws IOException {
        storage = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        storage.close();
    }

    private String address() {
        return "http://127.0.0.1:" + storage.getLocalPort() + "/b";
    }

    /** Answers one request, and no other; returns how that begins. */
    private CompletableFuture<String> answered(String status, String more) {
        return CompletableFuture.supplyAsync(() -> {
            try (Socket client = storage.accept()) {
                StringBuilder request = new StringBuilder();
                while (!request.toString().endsWith("\r\n\r\n")) {
                    request.append((char) client.getInputStream().read());
                }
                client.getOutputStream()
                        .write(("HTTP/1.1 " + status + "\r\nConnection: close\r\n" + more)
                                .getBytes(StandardCharsets.US_ASCII));
                return request.substring(0, request.indexOf(" "));
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        });
    }

    @Test
    void listThatBreaksOffIsAskedForAgain() {
        CompletableFuture<String> asked = answered("200 OK", "Content-Length: 1000\r\n\r\n<L><Blobs><Blob>");
        assertThatThrownBy(() -> requests.list(address(), new TreeMap<>(), NAMES))
                .isInstanceOf(Trouble.SourceAway.class);
        assertThat(asked.join()).isEqualTo("GET");
    }

    @Test
    void listInPiecesThatBreaksOffIsAskedForAgain() {
        CompletableFuture<String> asked =
                answered("200 OK", "Transfer-Encoding: chunked\r\n\r\n10\r\n<L><Blobs><Blob>\r\n");
        assertThatThrownBy(() -> requests.list(address(), new TreeMap<>(), NAMES))
                .isInstanceOf(Trouble.SourceAway.class);
        assertThat(asked.join()).isEqualTo("GET");
    }

    @Test
    void answerThatIsNoListIsForTheOwner() {
        CompletableFuture<String> asked = answered("200 OK", "Content-Length: 5\r\n\r\nhello");
        assertThatThrownBy(() -> requests.list(address(), new TreeMap<>(), NAMES))
                .isInstanceOf(Trouble.Owner.class)
                .hasMessageContaining("a list of files");
        assertThat(asked.join()).isEqualTo("GET");
    }

    @Test
    void fileIsFoundByOneRequest() throws Trouble {
        CompletableFuture<String> asked = answered("200 OK", "Content-Length: 7\r\nETag: \"v1\"\r\n\r\n");
        assertThat(requests.find("a", URI.create(address()))).contains(new Found("a", "v1", 7));
        assertThat(asked.join()).isEqualTo("HEAD");
    }

    @Test
    void fileThatIsGoneIsNotFound() throws Trouble {
        CompletableFuture<String> asked = answered("404 Not Found", "Content-Length: 0\r\n\r\n");
        assertThat(requests.find("a", URI.create(address()))).isEmpty();
        assertThat(asked.join()).isEqualTo("HEAD");
    }

    @Test
    void fileThatMustBeThereIsForTheOwner() {
        CompletableFuture<String> asked = answered("404 Not Found", "Content-Length: 0\r\n\r\n");
        assertThatThrownBy(() -> requests.get("a", URI.create(address())))
                .isInstanceOf(Trouble.Owner.class)
                .hasMessageContaining("(404)");
        assertThat(asked.join()).isEqualTo("HEAD");
    }

    /** Whose login is another one after it was refused. */
    private static final class Renewed implements StorageRequests.Signature {
        private int times;

        @Override
        public Map<String, String> sign(String method, URI address) {
            return Map.of("Authorization", "Bearer " + times);
        }

        @Override
        public boolean renew(Map<String, String> refused) {
            times++;
            return true;
        }
    }

    @Test
    void loginThatWasRevokedIsRenewedAndTheRequestSentOnceMore() throws Trouble {
        CompletableFuture<String> asked = answered("401 Unauthorized", "Content-Length: 0\r\n\r\n")
                .thenCompose(_ -> answered("200 OK", "Content-Length: 7\r\nETag: \"v1\"\r\n\r\n"));
        StorageRequests withToken = new StorageRequests(new Renewed());
        assertThat(withToken.find("a", URI.create(address()))).contains(new Found("a", "v1", 7));
        assertThat(asked.join()).isEqualTo("HEAD");
    }

    @Test
    void loginThatIsRefusedTwiceIsForTheOwner() {
        Renewed login = new Renewed();
        CompletableFuture<String> asked = answered("401 Unauthorized", "Content-Length: 0\r\n\r\n")
                .thenCompose(_ -> answered("401 Unauthorized", "Content-Length: 0\r\n\r\n"));
        assertThatThrownBy(() -> new StorageRequests(login).get("a", URI.create(address())))
                .isInstanceOf(Trouble.Owner.class)
                .hasMessageContaining("(401)");
        assertThat(asked.join()).isEqualTo("HEAD");
        assertThat(login.times).isEqualTo(1);
    }

    @Test
    void tokenFollowsNoRedirect() {
        StorageRequests withToken = new StorageRequests((_, _) -> Map.of("Authorization", "Bearer t"));
        CompletableFuture<String> asked =
                answered("302 Found", "Location: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\n\r\n");
        assertThatThrownBy(() -> withToken.get("a", URI.create(address())))
                .isInstanceOf(Trouble.Owner.class)
                .hasMessageContaining("(302)");
        assertThat(asked.join()).isEqualTo("HEAD");
    }
}
