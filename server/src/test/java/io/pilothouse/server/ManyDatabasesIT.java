package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More services than this machine's memory is said to hold, created at once: each runs, or its clients hear why not. */
class ManyDatabasesIT {
    private static final int FIT = 5;
    private static final int MANY = 8;

    @TempDir
    private Path folder;

    private record Made(String answer, String url) {}

    private static boolean runs(TestProgram program, Made service) throws IOException, InterruptedException {
        return program.getAsFirstKey(service.url()).body().contains("\"state\":\"running\"");
    }

    /** Waits until this many run, and returns the others. */
    private static List<Made> others(TestProgram program, List<Made> services, int many)
            throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(60));
        List<Made> others = new ArrayList<>(services);
        while (others.size() > services.size() - many) {
            assertThat(Instant.now()).as("%s", others).isBefore(deadline);
            for (Made service : List.copyOf(others)) {
                if (runs(program, service)) {
                    others.remove(service);
                }
            }
        }
        return others;
    }

    private static void awaitReason(TestProgram program, Made service) throws IOException, InterruptedException {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(60));
        String shown = "";
        while (!shown.contains("\"state\":\"provisioning\",\"stateReason\":\"It waits until another database stops")) {
            assertThat(Instant.now()).as(shown).isBefore(deadline);
            shown = program.getAsFirstKey(service.url()).body();
        }
    }

    @Test
    void asManyRunAsFitAndTheOthersFollow()
            throws StartRefused, IOException, InterruptedException, GeneralSecurityException {
        List<Made> made = new ArrayList<>();
        try (TestProgram program = new LocalProgram().start(folder, "--engine-memory", FIT * 384 + "M")) {
            for (int each = 0; each < MANY; each++) {
                String answer = program.createService("{\"ipAccessList\":[{\"source\":\"127.0.0.1\"}]}")
                        .body();
                String id = TestProgram.field(answer.substring(answer.indexOf("\"service\"")), "id");
                made.add(new Made(answer, program.organizationUrl() + "/services/" + id));
            }
            List<Made> waiting = others(program, made, FIT);
            try (ServiceClient client = new ServiceClient(
                    LocalProgram.authority(folder), waiting.getFirst().answer())) {
                HttpResponse<String> refused = client.send("SELECT 1");
                assertThat(refused.statusCode()).isEqualTo(503);
                assertThat(refused.body())
                        .startsWith("It waits until another database stops: the memory for databases on this machine"
                                + " holds " + FIT);
            }
            assertThat(waiting).hasSize(MANY - FIT);
            for (Made service : waiting) {
                awaitReason(program, service);
            }
            List<Made> running = new ArrayList<>(made);
            running.removeAll(waiting);
            for (Made service : running.subList(0, waiting.size())) {
                program.patch(service.url() + "/state", "{\"command\":\"stop\"}");
            }
            assertThat(others(program, waiting, waiting.size())).isEmpty();
        }
    }
}
