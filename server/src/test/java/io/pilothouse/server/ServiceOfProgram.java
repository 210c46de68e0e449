package io.pilothouse.server;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;

/** The one service of a program that runs as a child with its data in this folder, over restarts of the program. */
final class ServiceOfProgram {
    private final Path folder;
    private String created = "";

    ServiceOfProgram(Path folder) {
        this.folder = folder;
    }

    /** Makes it, by the credentials that the program wrote down. */
    ServiceClient create() throws IOException, GeneralSecurityException, InterruptedException {
        created = ask("POST", "", "{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}");
        return client();
    }

    void delete() throws IOException, InterruptedException {
        ask("PATCH", "/" + id() + "/state", "{\"command\":\"stop\"}");
        ask("DELETE", "/" + id(), "");
    }

    private String ask(String method, String path, String body) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request =
                    new FirstKey(folder.resolve("data")).request(method, "/services" + path, body);
            return client.send(request.timeout(Duration.ofSeconds(30)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    String credential(String name) throws IOException {
        return new FirstKey(folder.resolve("data")).credential(name);
    }

    ServiceClient client() throws IOException, GeneralSecurityException {
        return new ServiceClient(LocalProgram.authority(folder.resolve("data")), created);
    }

    /** The process of its database, as its folder names it. */
    ProcessHandle process() throws IOException {
        return ProcessHandle.of(LocalProgram.pid(path().resolve("process"))).orElseThrow();
    }

    Path path() {
        return folder.resolve("data/services").resolve(id());
    }

    private String id() {
        return TestProgram.field(created.substring(created.indexOf("\"service\"")), "id");
    }
}
