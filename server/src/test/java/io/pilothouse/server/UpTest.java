package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program inside another one, and the file by which it says that it is up. */
class UpTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void nameFile() {
        file = folder.resolve("ready.json");
    }

    private Closeable start(String... more) throws IOException {
        return Up.start(arguments(file, more), Map.of());
    }

    private List<String> arguments(Path ready, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--data", folder.resolve("data").toString(), "--ready-file", ready.toString(), "--plane", "simulated"));
        for (String listener : List.of("--listen", "--query-listen", "--alerts-listen", "--admin-listen")) {
            arguments.addAll(List.of(listener, "127.0.0.1:0"));
        }
        arguments.addAll(List.of("--log-level", "error"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    @Test
    void readyFileHasWhatAClientNeedsAndIsOnlyForItsOwner() throws IOException, InterruptedException {
        try (Closeable running = start()) {
            assertThat(running).isNotNull();
            JsonNode ready = JSON.readTree(Files.readString(file));
            String key = ready.path("key_id").asString() + ":"
                    + ready.path("key_secret").asString();
            HttpResponse<String> services;
            try (HttpClient client = HttpClient.newHttpClient()) {
                services = client.send(
                        HttpRequest.newBuilder(URI.create(ready.path("base_url").asString() + "/v1/organizations/"
                                        + ready.path("organization_id").asString() + "/services"))
                                .header(
                                        "Authorization",
                                        "Basic "
                                                + Base64.getEncoder()
                                                        .encodeToString(key.getBytes(StandardCharsets.UTF_8)))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
            }
            assertThat(services.statusCode()).as(services.body()).isEqualTo(200);
            assertThat(ready.propertyNames())
                    .containsExactlyInAnyOrder(
                            "base_url",
                            "alerts_url",
                            "query_url",
                            "admin_url",
                            "console_url",
                            "organization_id",
                            "key_id",
                            "key_secret",
                            "token",
                            "plane",
                            "version");
            assertThat(ready.path("plane").asString()).isEqualTo("simulated");
            assertThat(ready.path("console_url").asString())
                    .isEqualTo(ready.path("base_url").asString() + "/");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void readyFileSaysWhereTheConsoleIsIfItIsAnywhere() throws IOException {
        try (Closeable running = start("--console-listen", "127.0.0.1:0")) {
            assertThat(running).isNotNull();
            JsonNode ready = JSON.readTree(Files.readString(file));
            assertThat(ready.path("console_url").asString())
                    .matches("http://127\\.0\\.0\\.1:\\d+/")
                    .isNotEqualTo(ready.path("base_url").asString() + "/");
        }
        try (Closeable running = start("--console", "false")) {
            assertThat(running).isNotNull();
            assertThat(JSON.readTree(Files.readString(file)).has("console_url")).isFalse();
        }
    }

    @Test
    void readyFileIsThereOnlyWhileTheProgramIsUp() throws IOException {
        Closeable running = start();
        assertThat(file).exists();
        running.close();
        assertThat(folder).isDirectoryNotContaining(path -> path.toString().contains("ready.json"));
    }

    @Test
    void whatAKilledStartLeftIsGoneWhenTheNextIsRefused() throws IOException {
        Files.writeString(file, "{\"base_url\": \"http://127.0.0.1:1\"}");
        Files.createDirectory(folder.resolve("data"));
        Files.writeString(folder.resolve("data").resolve("secret.key"), "damaged");
        assertThatThrownBy(() -> start().close()).isInstanceOf(IOException.class);
        assertThat(file).doesNotExist();
    }

    @Test
    void aStartThatIsRefusedLeavesTheFileOfTheOneThatRuns() throws IOException {
        try (Closeable running = start()) {
            assertThat(running).isNotNull();
            String ready = Files.readString(file);
            assertThatThrownBy(() -> start().close()).isInstanceOf(IOException.class);
            assertThat(file).hasContent(ready);
        }
    }

    @Test
    void laterStartKnowsTheFirstKeyUntilItsFileIsPutAway() throws IOException {
        start().close();
        try (Closeable running = start()) {
            assertThat(running).isNotNull();
            assertThat(JSON.readTree(Files.readString(file)).path("key_secret").asString())
                    .hasSize(48);
        }
        Files.delete(folder.resolve("data").resolve("credentials.json"));
        try (Closeable running = start()) {
            assertThat(running).isNotNull();
            assertThat(JSON.readTree(Files.readString(file)).propertyNames())
                    .contains("base_url")
                    .doesNotContain("key_secret", "key_id", "token");
        }
    }

    @Test
    void fileThatCannotBeWrittenRefusesTheStartBeforeAnythingIsMade() {
        List<String> arguments = arguments(folder.resolve("nowhere").resolve("ready.json"));
        assertThatThrownBy(() -> Up.start(arguments, Map.of()).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--ready-file")
                .hasMessageContaining("its folder is not there");
        assertThat(folder.resolve("data")).doesNotExist();
    }

    @Test
    void everyMistakeIsInTheMessageOfWhatIsThrown() {
        assertThatThrownBy(() -> start("--no-such-thing", "--rate-limit", "many"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("--no-such-thing is no option of up.")
                .hasMessageContaining("--rate-limit");
    }

    @Test
    void twoServersRunSideBySideInOneProcess() throws IOException {
        try (Closeable one = start();
                Closeable other = Up.start(
                        List.of(
                                "--data=" + folder.resolve("other"),
                                "--ready-file=" + folder.resolve("other.json"),
                                "--plane=simulated",
                                "--listen=127.0.0.1:0",
                                "--alerts-listen=127.0.0.1:0",
                                "--query-listen=127.0.0.1:0",
                                "--admin-listen=127.0.0.1:0"),
                        Map.of())) {
            assertThat(one).isNotSameAs(other);
            assertThat(JSON.readTree(Files.readString(file)).path("base_url").asString())
                    .isNotEqualTo(JSON.readTree(Files.readString(folder.resolve("other.json")))
                            .path("base_url")
                            .asString());
        }
    }
}
