package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many uploads that never end, against a small heap: the process lives, and others are served. */
class SlowUploadsIT {
    private static final int UPLOADS = 2_000;
    private static final int HEAP = 128;
    private static final int SENT = 64 * 1024;
    private static final int PROMISED = 1_000_000;

    @TempDir
    private Path folder;

    @Test
    void twoThousandSlowUploadsEndNothing() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try (ChildProgram program = ChildProgram.upWithHeap(folder, HEAP)) {
            int refused = 0;
            try {
                for (int count = 0; count < UPLOADS; count++) {
                    Socket socket = connect("127.0.0." + (count % 100 + 1));
                    slow.add(socket);
                    begin(socket);
                }
                try (Socket other = connect("127.0.0.200")) {
                    other.getOutputStream().write(head("GET", "").getBytes(StandardCharsets.US_ASCII));
                    assertThat(answer(other)).startsWith("HTTP/1.1 200 ");
                }
                for (Socket each : slow) {
                    // One without an answer by now is still being read.
                    each.setSoTimeout(20);
                    refused += answer(each).startsWith("HTTP/1.1 503 ") ? 1 : 0;
                }
            } finally {
                for (Socket each : slow) {
                    each.close();
                }
            }
            // 128 MB were offered, and the room for them is a sixteenth of the heap
            assertThat(refused).isGreaterThan(UPLOADS / 2);
            assertThat(program.process().isAlive()).isTrue();
            assertThat(program.errors()).doesNotContain("java.lang.OutOfMemoryError");
        }
    }

    private Socket connect(String from) throws IOException {
        URI api = URI.create(credential("base_url"));
        Socket socket = new Socket(InetAddress.ofLiteral(api.getHost()), api.getPort(), InetAddress.ofLiteral(from), 0);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private void begin(Socket socket) {
        try {
            socket.getOutputStream()
                    .write((head("POST", "Content-Type: application/json\r\nContent-Length: " + PROMISED + "\r\n") + "{"
                                    + " ".repeat(SENT))
                            .getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            // Its answer says why.
        }
    }

    private String head(String method, String fields) throws IOException {
        String key = credential("key_id") + ":" + credential("key_secret");
        return method + " /v1/organizations/" + credential("organization_id")
                + "/services HTTP/1.1\r\nHost: a\r\nAuthorization: Basic "
                + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.US_ASCII)) + "\r\n" + fields
                + "\r\n";
    }

    /** The beginning of the answer; empty if there is none yet, or none any more. */
    private static String answer(Socket socket) {
        byte[] bytes = new byte[16];
        try {
            InputStream in = socket.getInputStream();
            int count = in.readNBytes(bytes, 0, bytes.length);
            return new String(bytes, 0, count, StandardCharsets.US_ASCII);
        } catch (IOException goneOrWaiting) {
            return "";
        }
    }

    private String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(folder.resolve("data").resolve("credentials.json")), name);
    }
}
