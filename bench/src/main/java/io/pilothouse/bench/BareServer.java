package io.pilothouse.bench;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The same HTTP server with one route that sends the same bytes and does nothing else: the limit for every answer. */
final class BareServer {
    private BareServer() {}

    /** Starts it in a process of its own, as the program runs, answering with this many bytes. */
    static Child start(Machine machine, long bytes) throws IOException {
        return start(machine, List.of("" + bytes));
    }

    /** The same, but each request is answered once a record of this many bytes is on disk in this folder. */
    static Child startSyncing(Machine machine, long bytes, Path folder, int recordBytes) throws IOException {
        return start(machine, List.of("" + bytes, folder.resolve("records").toString(), "" + recordBytes));
    }

    private static Child start(Machine machine, List<String> arguments) throws IOException {
        return Child.start(machine, List.of(), BareServer.class, arguments);
    }

    /** The process: it prints where it listens. */
    public static void main(String[] arguments) throws IOException {
        byte[] body = new byte[Integer.parseInt(arguments[0])];
        Arrays.fill(body, (byte) ' ');
        SyncedFile records =
                arguments.length == 1 ? null : SyncedFile.create(Path.of(arguments[1]), Integer.parseInt(arguments[2]));
        WebServer server = WebServer.builder()
                .shutdownHook(false)
                .host("127.0.0.1")
                .port(0)
                .connectionOptions(options -> options.tcpNoDelay(true))
                .routing(routing -> routing.any((request, response) -> {
                    if (records != null) {
                        request.content().consume();
                        records.append();
                    }
                    response.header(HeaderNames.CONTENT_TYPE, "application/json")
                            .send(body);
                }))
                .build()
                .start();
        System.out.println("http://127.0.0.1:" + server.port());
    }
}
