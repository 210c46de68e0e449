package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.testkit.GoogleAccount;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that log in with the key of a service account, into a real ClickHouse. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeGoogleIT {
    private static final String LOGIN = "\"authentication\": \"IAM_USER\",\\s+\"accessKey\": \\{[^}]*\\}";

    private final StartedParts started = new StartedParts();
    private ObjectServer objects;
    private GoogleAccount account;
    private GoogleServer google;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws GeneralSecurityException, IOException, InterruptedException, StartRefused {
        objects = started.add(ObjectServer.start(folder));
        account = GoogleAccount.make();
        google = started.add(GoogleServer.before(objects.address(), account));
        piped = started.add(new PipedProgram(new LocalProgram(), folder, "--egress", google.place()));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private static String row(int id) {
        return "{\"id\":" + id + ",\"name\":\"n" + id + "\"}\n";
    }

    /** A pipe that lists with this key, in base64. */
    private String pipe(String keys, String table, String key) {
        return objects.pipe(keys, table, Map.of("type", "\"gcs\"", "isContinuous", "true"))
                .replaceFirst(LOGIN, "\"authentication\": \"SERVICE_ACCOUNT\", \"serviceAccountKey\": \"" + key + "\"")
                .replace(objects.address(), google.address());
    }

    @Test
    void filesAreReadWithTokensThatAreAskedForAgainBeforeTheyEnd()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("in/1.json", row(1) + row(2));
        objects.put("in/2 ü+.json", row(3) + "not json\n");
        objects.put("in/3.csv", "not,for,this,pipe");
        String key = account.file(google.tokenAddress());
        String wanted = pipe("in/*.json", "events", key);
        String pipe = piped.create(wanted);
        piped.awaitAnswer("SELECT count(), sum(id) FROM events", "3\t6");
        piped.awaitAnswer("SELECT raw_message FROM events_clickpipes_error", "not json");

        // The fifth is given after the first has ended.
        piped.killFirstWorker();
        int before = google.given();
        program.await(pipe, _ -> google.given() >= before + 5);
        objects.put("in/0-late.json", row(4));
        piped.awaitAnswer("SELECT count(), sum(id) FROM events", "4\t10");
        piped.awaitState(pipe, "Running");
        assertThat(google.readers()).contains("ClickHouse", "Java");
        assertThat(piped.discovered(wanted)).contains("{\"name\":\"id\",\"type\":\"Int64\",\"optional\":false}");

        String shown = program.getAsFirstKey(pipe).body();
        assertThat(Stream.of(GoogleServer.TOKEN, account.secret(), key.substring(0, 200)))
                .noneMatch(secret -> program.log().contains(secret) || shown.contains(secret));
        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT countIf(query LIKE '%ya29.a-token%' AND query NOT LIKE '%query_log%'),"
                        + " countIf(exception LIKE '%ya29.a-token%' AND query NOT LIKE '%query_log%'),"
                        + " countIf(query LIKE '%[HIDDEN]%') > 0 FROM system.query_log"))
                .isEqualTo("0\t0\t1");
    }

    @Test
    void whatIsWrongWithAnAccountIsSaid() throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("wrong/1.json", row(1));
        String unknown = GoogleAccount.make().file(google.tokenAddress());
        said(
                "unknown",
                unknown,
                "Degraded",
                "The token address of the service account refuses its key (400 invalid_grant)");
        said("elsewhere", account.file(objects.address() + "/token"), "Failed", "or both at the same server");
        said("none", "e30=", "Failed", "The serviceAccountKey of the source has no client_email");
    }

    private void said(String table, String key, String state, String reason) throws IOException, InterruptedException {
        String pipe = piped.create(pipe("wrong/*.json", table, key));
        assertThat(program.await(pipe, body -> body.contains("\"state\":\"" + state + "\"")))
                .contains(reason);
    }
}
