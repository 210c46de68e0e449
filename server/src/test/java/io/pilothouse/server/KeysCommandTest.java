package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.activity.Activity;
import io.pilothouse.core.port.Store;
import io.pilothouse.store.SqliteStore;
import io.pilothouse.store.StoreMetrics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCommandTest {
    private static final Instant NOW = Instant.parse("2100-01-01T00:00:00Z");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int keys(Map<String, String> environment, String... arguments) {
        return new KeysCommand(
                        environment,
                        () -> NOW,
                        new SecureRandom(),
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
    }

    private int rotate() {
        return keys(Map.of(), "rotate", "--data", folder.toString());
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void itExplainsItself() {
        assertThat(keys(Map.of(), "--help")).isEqualTo(Main.FINE);
        assertThat(keys(Map.of(), "rotate", "-h")).isEqualTo(Main.FINE);
        assertThat(out()).contains("./pilothouse keys rotate", "--data DIR").doesNotContain("--listen");
    }

    @Test
    void unknownVerbsAndOptionsAreMisuses() {
        assertThat(keys(Map.of())).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "show")).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "rotate", "all")).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "create", "one", "two")).isEqualTo(Main.MISUSED);
        assertThat(keys(Map.of(), "rotate", "--fly")).isEqualTo(Main.MISUSED);
        assertThat(err().lines())
                .containsExactly(
                        "keys is followed by create or rotate or rotate-secret or rotate-store-key: ./pilothouse keys --help says more.",
                        "keys is followed by create or rotate or rotate-secret or rotate-store-key: ./pilothouse keys --help says more.",
                        "It is ./pilothouse keys rotate, with options after it.",
                        "It is ./pilothouse keys create [ORGANIZATION_ID], with options after it.",
                        "--fly is no option of keys.");
    }

    @Test
    void aBadValueIsARefusal() {
        assertThat(keys(Map.of("PILOTHOUSE_DATA", "a\u0000b"), "rotate")).isEqualTo(Main.REFUSED);
        assertThat(err()).startsWith("PILOTHOUSE_DATA ");
    }

    @Test
    void itRotatesAndSaysHowMuch() throws IOException, StartRefused {
        TestProgram.start(folder).close();
        assertThat(rotate()).isEqualTo(Main.FINE);
        String first = Files.readString(folder.resolve("vault.key"));
        assertThat(rotate()).isEqualTo(Main.FINE);
        assertThat(folder.resolve("vault.key")).content().isNotEqualTo(first);
        assertThat(out()).startsWith("0 things with credentials are sealed under a new key. Back up " + folder);
        assertThat(err()).isEmpty();
        assertThat(activities()).containsSubsequence("key_create", "vault_key_rotate", "vault_key_rotate");
    }

    @Test
    void aStoreInUseIsOneSentence() {
        try (Store taken = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE)) {
            assertThat(taken.reachable()).isTrue();
            assertThat(rotate()).isEqualTo(Main.REFUSED);
            assertThat(create()).isEqualTo(Main.REFUSED);
        }
        String sentence = "The data folder " + folder + " is in use by another process: stop that one first.";
        assertThat(err().lines()).containsExactly(sentence, sentence);
        assertThat(out()).isEmpty();
    }

    @Test
    void lostKeysAreOneSentence() throws IOException, StartRefused {
        TestProgram.start(folder).close();
        Files.delete(folder.resolve("vault.key"));
        assertThat(rotate()).isEqualTo(Main.REFUSED);
        assertThat(err()).contains("vault.key is missing").endsWith("put it back from a backup.\n");
    }

    @Test
    void aNewSecretKeyShutsNobodyOutAndIsInTheActivities() throws IOException, InterruptedException, StartRefused {
        String invitation;
        try (TestProgram program = TestProgram.start(folder)) {
            HttpResponse<String> invited = program.send(program.management(program.organizationUrl() + "/invitations")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"email\": \"ada@example.org\"}")));
            invitation = TestProgram.field(invited.body(), "token");
        }
        byte[] before = Files.readAllBytes(folder.resolve("secret.key"));
        assertThat(keys(Map.of(), "rotate-secret", "--data", folder.toString())).isEqualTo(Main.FINE);
        assertThat(out()).startsWith("2 hashes are under a new key, ");
        assertThat(activities()).contains("secret_key_rotate");
        for (int start = 1; start <= 2; start++) {
            try (TestProgram program = TestProgram.start(folder)) {
                assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                                .statusCode())
                        .isEqualTo(200);
                HttpResponse<String> alerts = program.send(
                        HttpRequest.newBuilder(URI.create(program.credential("alerts_url") + "/api/v2/alerts"))
                                .header("Authorization", "Bearer " + program.credential("token")));
                assertThat(alerts.statusCode()).isEqualTo(200);
                HttpResponse<String> accepted = program.send(
                        HttpRequest.newBuilder(URI.create(program.credential("base_url") + "/v1/invitations/accept"))
                                .header("Content-Type", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(
                                        "{\"token\": \"" + invitation + "\", \"name\": \"Ada\"}")));
                assertThat(accepted.statusCode())
                        .as("the token of an open invitation")
                        .isEqualTo(404);
            }
        }
        assertThat(Files.readAllBytes(folder.resolve("secret.key"))).endsWith(before);
        // Each was used, so its hash is under the newest key alone, and the next rotation forgets the first.
        assertThat(keys(Map.of(), "rotate-secret", "--data", folder.toString())).isEqualTo(Main.FINE);
        assertThat(Files.readAllBytes(folder.resolve("secret.key"))).hasSize(64);
        try (TestProgram program = TestProgram.start(folder)) {
            assertThat(program.getAsFirstKey(program.organizationUrl() + "/services")
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aFolderWithoutAStoreIsRefusedAndLeftAsItIs() {
        assertThat(rotate()).isEqualTo(Main.REFUSED);
        assertThat(create()).isEqualTo(Main.REFUSED);
        String sentence = "There is no store in " + folder + ": --data names the folder that has it.";
        assertThat(err().lines()).containsExactly(sentence, sentence);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStoreThatHoldsNothingHasNothingToMakeAKeyOf() {
        SqliteStore.open(
                        folder,
                        Thread.ofPlatform().daemon().name("store-writer").factory(),
                        StoreMetrics.NONE)
                .close();
        assertThat(create()).isEqualTo(Main.REFUSED);
        assertThat(err()).startsWith("The store holds nothing yet: ./pilothouse up ");
    }

    @Test
    void aNewKeyLetsItsHolderInAsAnAdminAndAnOperator() throws IOException, InterruptedException, StartRefused {
        String first;
        try (TestProgram program = TestProgram.start(folder)) {
            first = program.credential("organization_id");
        }
        assertThat(create()).isEqualTo(Main.FINE);
        assertThat(printed("organization_id")).isEqualTo(first);
        assertThat(err()).isEmpty();
        assertThat(activities()).containsSubsequence("create_organization", "key_create", "key_create");
        try (TestProgram program = TestProgram.start(folder)) {
            HttpResponse<String> keys = get(program, program.organizationUrl() + "/keys");
            assertThat(keys.statusCode()).isEqualTo(200);
            assertThat(keys.body()).contains("First key", "Made on the stopped store", "\"admin\"", "\"operator\"");
            assertThat(get(program, program.organizationUrl() + "/activities").body())
                    .contains("\"type\":\"key_create\",\"actorType\":\"system\"");
        }
    }

    @Test
    void aKeyOfAnotherOrganizationIsNoOperator() throws IOException, InterruptedException, StartRefused {
        String url;
        String other;
        try (TestProgram program = TestProgram.start(folder)) {
            url = program.credential("base_url") + "/v1/organizations";
            HttpResponse<String> made = program.send(program.management(url)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"Other\"}")));
            assertThat(made.statusCode()).as(made.body()).isEqualTo(200);
            other = TestProgram.field(made.body(), "id");
        }
        assertThat(create(other)).isEqualTo(Main.FINE);
        assertThat(out()).startsWith("A key that is an admin of the organization Other:");
        try (TestProgram program = TestProgram.start(folder)) {
            String keys = get(program, program.credential("base_url") + "/v1/organizations/" + other + "/keys")
                    .body();
            assertThat(keys).contains("Made on the stopped store").doesNotContain("operator");
        }
    }

    @Test
    void anOrganizationThatIsNotThereIsOneSentence() throws StartRefused {
        TestProgram.start(folder).close();
        UUID unknown = new UUID(0, 1);
        assertThat(create(unknown.toString())).isEqualTo(Main.REFUSED);
        assertThat(create("mine")).isEqualTo(Main.REFUSED);
        assertThat(err().lines())
                .containsExactly(
                        "The store has no organization with the id " + unknown + ".",
                        "mine is not the id of an organization, which is a UUID.");
        assertThat(out()).isEmpty();
    }

    @Test
    void noKeyIsMadeWithoutTheSecretKeyOfTheStore() throws IOException, StartRefused {
        TestProgram.start(folder).close();
        Files.delete(folder.resolve("secret.key"));
        assertThat(create()).isEqualTo(Main.REFUSED);
        assertThat(err()).contains("secret.key is missing").endsWith("put it back from a backup.\n");
        assertThat(activities()).containsOnlyOnce("key_create");
    }

    private int create(String... organization) {
        List<String> arguments = new ArrayList<>(List.of("create"));
        arguments.addAll(List.of(organization));
        arguments.addAll(List.of("--data", folder.toString()));
        return keys(Map.of(), arguments.toArray(String[]::new));
    }

    private String printed(String name) {
        return out().lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    private HttpResponse<String> get(TestProgram program, String url) throws IOException, InterruptedException {
        String pair = printed("key_id") + ":" + printed("key_secret");
        return program.send(HttpRequest.newBuilder(URI.create(url))
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))));
    }

    private List<String> activities() {
        try (Store store = SqliteStore.open(
                folder, Thread.ofPlatform().daemon().name("store-writer").factory(), StoreMetrics.NONE)) {
            return store.read(tables -> tables.of(Activity.KIND).all(null, 100)).stream()
                    .map(Activity::type)
                    .toList();
        }
    }
}
