package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk fills up while services are created on the local plane. A limit of the size of files stands for it. */
class FullDiskIT {
    /** More than the database's library, which is a file too, and less than the store needs for many services. */
    private static final int BLOCKS = 5_000;

    private static final int PORTS = 6_000;
    private static final int MAX_CREATES = 1_500;

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final int first = DoorsProgram.firstOf(PORTS);

    private record Created(String path, String endpoints) {}

    /** A ClickHouse that ends as soon as it is started. */
    private String[] flags() throws IOException {
        Path engine = folder.resolve("clickhouse");
        if (!Files.exists(engine)) {
            Files.writeString(engine, "#!/bin/sh\nexit 1\n");
            Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return new String[] {
            "--plane", "local", "--engine", engine.toString(), "--gateway-ports", first + "-" + (first + PORTS - 1)
        };
    }

    private String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(folder.resolve("data").resolve("credentials.json")), name);
    }

    private String services() throws IOException {
        return "/v1/organizations/" + credential("organization_id") + "/services";
    }

    private HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        String key = credential("key_id") + ":" + credential("key_secret");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(credential("base_url") + path))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8)));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String endpoints(String answer) {
        int begin = answer.indexOf("\"endpoints\"");
        return answer.substring(begin, answer.indexOf(']', begin));
    }

    @Test
    void storeStartsAgainWithEveryServiceThatWasAcknowledgedAtItsPorts() throws IOException, InterruptedException {
        List<Created> kept = new ArrayList<>();
        try (ChildProgram program = ChildProgram.upWithSmallFiles(folder, BLOCKS, flags())) {
            int refused = 0;
            for (int create = 0; create < MAX_CREATES && refused < 20; create++) {
                HttpResponse<String> answer = send(services(), "{}");
                if (answer.statusCode() == 200) {
                    kept.add(new Created(services() + "/" + DoorsProgram.id(answer.body()), endpoints(answer.body())));
                } else {
                    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
                    refused++;
                }
            }
            assertThat(refused).isEqualTo(20);
            assertThat(kept).isNotEmpty();
            program.process().destroyForcibly().waitFor();
        }
        try (ChildProgram program = ChildProgram.up(folder, flags())) {
            assertThat(program.process().isAlive()).isTrue();
            Set<Integer> ports = new HashSet<>();
            for (Created service : kept) {
                String found = send(service.path(), "").body();
                assertThat(endpoints(found)).isEqualTo(service.endpoints());
                assertThat(DoorsProgram.ports(found)).allMatch(DoorsProgram::listens);
                ports.addAll(DoorsProgram.ports(found));
            }
            for (int create = 0; create < 5; create++) {
                HttpResponse<String> answer = send(services(), "{}");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                ports.addAll(DoorsProgram.ports(answer.body()));
            }
            assertThat(ports).hasSize(2 * (kept.size() + 5));
        }
    }
}
