package io.pilothouse.server.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.server.ApiProgram;
import io.pilothouse.testkit.SimTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults as clients of the whole program meet them, over sockets of their own. */
class FaultsAtWorkTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    private final SimTime machine = new SimTime();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final List<String> struck = new CopyOnWriteArrayList<>();
    private ApiProgram program;

    @BeforeEach
    void start() {
        program = started();
    }

    private ApiProgram started(String... flags) {
        String[] all = new String[flags.length + 3];
        System.arraycopy(new String[] {"--emulator", "--log-format", "json"}, 0, all, 0, 3);
        System.arraycopy(flags, 0, all, 3, flags.length);
        return ApiProgram.start(
                folder,
                machine,
                null,
                log,
                seen -> {
                    if (seen.fault() != null) {
                        struck.add(seen.operationId() + " " + seen.status() + " " + seen.fault());
                    }
                },
                all);
    }

    @AfterEach
    void stop() {
        program.close();
    }

    /** The whole answer as text; empty if the connection ended without one. */
    private String ask(String method, String path, String body, String... headers) {
        String key = program.credential("key_id") + ":" + program.credential("key_secret");
        String basic = "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
        return askAt(program.management(), basic, method, path, body, headers);
    }

    private static String askAt(
            URI address, String authorization, String method, String path, String body, String... headers) {
        String request = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Authorization: " + authorization + "\r\n"
                + String.join("", headers) + "Content-Type: application/json\r\nContent-Length: " + body.length()
                + "\r\n\r\n" + body;
        try (Socket socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (SocketException cut) {
            return "";
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String services() {
        return "/v1/organizations/" + program.credential("organization_id") + "/services";
    }

    private void set(String fault) {
        assertThat(ask("POST", "/_pilothouse/faults", fault.replace('\'', '"'))).contains(" 200 OK");
    }

    private void clear() {
        assertThat(ask("DELETE", "/_pilothouse/faults", "")).contains(" 200 OK");
    }

    private String create(String... headers) {
        return ask("POST", services(), "{\"name\": \"One\"}", headers);
    }

    private static String field(String answer, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(answer);
        return matcher.find() ? matcher.group(1) : "";
    }

    private String made() {
        return field(create().replaceFirst("(?s)^.*?\"service\":", ""), "id");
    }

    private int count() {
        return ask("GET", services(), "").split("\"isPrimary\"", -1).length - 1;
    }

    private String shown(String service) {
        return ask("GET", services() + "/" + service, "");
    }

    private void awaitState(String service, String state) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!field(shown(service), "state").equals(state)) {
            machine.advance(STEP);
            program.dispatcher().nudge();
            assertThat(System.nanoTime()).as("the time until it is %s", state).isLessThan(end);
        }
    }

    @Test
    void afterACutThatFollowsTheCommitTheRepetitionGetsTheFirstAnswer() {
        set("{'name': 'cut', 'effect': 'cut-after', 'operations': ['instanceCreate'], 'count': 1}");
        String once = "Idempotency-Key: " + UUID.randomUUID() + "\r\n";
        assertThat(create(once)).isEmpty();
        assertThat(count()).isEqualTo(1);
        String again = create(once);
        assertThat(again).contains(" 200 OK", "Idempotency-Replayed: true", "\"password\":\"");
        assertThat(create(once)).endsWith(again.substring(again.indexOf('{')));
        assertThat(count()).isEqualTo(1);
        assertThat(struck).containsExactly("instanceCreate 499 cut (cut after)");
    }

    @Test
    void aLostAnswerIsGivenToTheRepetitionThatHasNoKeyToo() {
        set("{'effect': 'cut-after', 'operations': ['instanceCreate'], 'count': 1}");
        assertThat(create()).isEmpty();
        assertThat(create()).contains(" 200 OK", "Idempotency-Replayed: true", "\"password\":\"");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void afterACutThatComesFirstNothingIsThere() {
        set("{'effect': 'cut-before', 'operations': ['instanceCreate'], 'count': 1}");
        assertThat(create("Idempotency-Key: once\r\n")).isEmpty();
        assertThat(count()).isZero();
        assertThat(create("Idempotency-Key: once\r\n")).contains(" 200 OK").doesNotContain("Idempotency-Replayed");
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aFaultStrikesOneKeyAndNotAnotherAndNeverTheControls() {
        set("{'effect': 'answer', 'status': 500, 'keyId': '" + UUID.randomUUID() + "'}");
        assertThat(ask("GET", services(), "")).contains(" 200 OK").doesNotContain("X-Pilothouse-Fault");
        set("{'name': 'all', 'effect': 'answer', 'status': 500, 'organizationId': '"
                + program.credential("organization_id") + "'}");
        assertThat(ask("GET", services(), ""))
                .contains(" 500 ", "X-Pilothouse-Fault: all (answer 500)", "\"error\":\"INTERNAL_ERROR: ");
        assertThat(ask("GET", "/_pilothouse/faults", "")).contains(" 200 OK", "\"struck\":1");
    }

    @Test
    void theAlertsInterfaceIsStruckInItsOwnShape() {
        set("{'name': 'down', 'effect': 'answer', 'status': 502, 'operations': ['alertGetList']}");
        assertThat(askAt(program.alerts(), "Bearer " + program.credential("token"), "GET", "/api/v2/alerts", ""))
                .contains(" 502 ", "X-Pilothouse-Fault: down (answer 502)")
                .endsWith("{\"message\":\"The emulator was asked for this: fault down\"}");
    }

    @Test
    void aRefusalThatWasInjectedIsNoLineAboutAnAttempt() {
        set("{'effect': 'answer', 'status': 403, 'operations': ['instanceGetList']}");
        assertThat(ask("GET", services(), "")).contains(" 403 ", "\"error\":\"FORBIDDEN: ");
        assertThat(struck).containsExactly("instanceGetList 403 fault-1 (answer 403)");
    }

    @Test
    void aServiceStaysInProvisioningUntilItIsLetGo() {
        set("{'name': 'stuck', 'effect': 'service-provisioning', 'count': 1}");
        String held = made();
        awaitLog("meets the injected fault stuck (service provisioning)");
        String free = made();
        awaitState(free, "running");
        assertThat(field(shown(held), "state")).isEqualTo("provisioning");
        clear();
        awaitState(held, "running");
    }

    private void awaitLog(String words) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!log.toString(StandardCharsets.UTF_8).contains(words)) {
            program.dispatcher().nudge();
            assertThat(System.nanoTime()).as("the time until %s", words).isLessThan(end);
        }
    }

    @Test
    void aServiceFailsAtOnceAndSaysWhyAndRecovers() {
        String service = made();
        awaitState(service, "running");
        set("{'name': 'broken', 'effect': 'service-failed', 'serviceId': '" + service + "'}");
        awaitState(service, "failed");
        assertThat(field(shown(service), "stateReason")).isEqualTo("The emulator was asked for this: fault broken");
        String unborn = made();
        awaitState(unborn, "running");
        clear();
        awaitState(service, "running");
    }

    @Test
    void aServiceThatFailedCanBeStoppedAndDeleted() {
        set("{'effect': 'service-failed'}");
        String service = made();
        awaitState(service, "failed");
        assertThat(ask("PATCH", services() + "/" + service + "/state", "{\"command\": \"stop\"}"))
                .contains(" 200 OK");
        awaitState(service, "stopped");
        assertThat(ask("DELETE", services() + "/" + service, "")).contains(" 200 OK");
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!shown(service).contains(" 404 ")) {
            machine.advance(STEP);
            program.dispatcher().nudge();
            assertThat(System.nanoTime()).as("the time until it is gone").isLessThan(end);
        }
    }

    @Test
    void aServiceThatRunsDegradesAndRecovers() {
        String service = made();
        awaitState(service, "running");
        set("{'effect': 'service-degraded'}");
        awaitState(service, "degraded");
        assertThat(shown(service)).contains("fault fault-1");
        clear();
        awaitState(service, "running");
    }

    @Test
    void aPlanFromAFileStrikesTheSameAgainInAnotherRun() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(
                plan, "{\"seed\": 11, \"faults\": [{\"effect\": \"answer\", \"status\": 503, \"probability\": 0.5}]}");
        program.close();
        program = started("--faults", plan.toString());
        assertThat(log.toString(StandardCharsets.UTF_8)).contains("1 faults are set from", "with the seed 11");
        String first = pattern();
        program.close();
        program = started("--faults", plan.toString());
        assertThat(pattern()).isEqualTo(first).contains("x", ".");
    }

    @Test
    void aPlanThatCannotBeUsedIsRefusedAtTheStart() throws IOException {
        program.close();
        try {
            Path plan = folder.resolve("plan.json");
            assertThatThrownBy(() -> started("--faults", plan.toString())).hasMessageContaining("cannot be read");
            Files.writeString(plan, "{\"faults\": [{\"effect\": \"answer\"}, {\"effect\": \"anwser\"}]}");
            assertThatThrownBy(() -> started("--faults", plan.toString()))
                    .hasMessageContaining("faults[0].status must be one of")
                    .hasMessageContaining("faults[1].effect must be one of answer, delay");
            Files.writeString(plan, "no plan");
            assertThatThrownBy(() -> started("--faults", plan.toString())).hasMessageContaining("cannot be used");
            Files.write(plan, new byte[(1 << 20) + 1]);
            assertThatThrownBy(() -> started("--faults", plan.toString())).hasMessageContaining("larger than");
            assertThatThrownBy(() -> ApiProgram.start(folder, machine, null, log, _ -> {}, "--faults", plan.toString()))
                    .hasMessageContaining("--emulator");
        } finally {
            program = started();
        }
    }

    private String pattern() {
        StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < 24; i++) {
            pattern.append(ask("GET", services(), "").contains(" 503 ") ? 'x' : '.');
        }
        return pattern.toString();
    }
}
