package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that log in with a role, which the program takes on for their service and for no other. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeRolesIT {
    private static final String BY_ROLE = "\"authentication\": \"IAM_ROLE\", \"iamRole\": \"" + RoleServer.ROLE + "\"";
    private static final String KEY = "\"authentication\": \"IAM_USER\",\\s+\"accessKey\": \\{[^}]*\\}";

    private final StartedParts started = new StartedParts();
    private ObjectServer objects;
    private RoleServer roles;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused {
        objects = started.add(ObjectServer.start(folder));
        roles = started.add(RoleServer.before(objects.address()));
        piped = started.add(new PipedProgram(
                new LocalProgram(),
                folder,
                Stream.concat(
                                Stream.of(roles.flags(folder)),
                                Stream.of("--egress", roles.place(), "--aws-kinesis-url", roles.address()))
                        .toArray(String[]::new)));
        program = piped.program();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private static String row(int id) {
        return "{\"id\":" + id + ",\"name\":\"n" + id + "\"}\n";
    }

    /** Of a configuration with an access key, the same with the role, at the door before the server. */
    private String byRole(String pipe) {
        return pipe.replaceFirst(KEY, BY_ROLE).replace(objects.address(), roles.address());
    }

    private String service() throws IOException, InterruptedException {
        return TestProgram.field(program.getAsFirstKey(piped.service()).body(), "iamRole");
    }

    @Test
    void filesAndStreamsAreReadWithKeysOfARoleThatTrustsTheService()
            throws GeneralSecurityException, IOException, InterruptedException {
        objects.put("in/1.json", row(1));
        objects.put("in/2.json", row(2) + "not json\n");
        try (KinesisServer kinesis = new KinesisServer(objects.address())) {
            kinesis.stream("clicks", 2);
            kinesis.put("clicks", List.of(row(7), row(8)));
        }
        String files = byRole(objects.pipe("in/*.json", "files", Map.of("isContinuous", "true")));
        String pipe = piped.create(files);
        // Somebody who does not know the service has not been let in, and so nobody was.
        assertThat(program.await(
                        pipe, body -> body.contains("\"state\":\"Degraded\"") && body.contains("(AccessDenied)")))
                .contains("There is no key for " + RoleServer.ROLE
                        + ": the role cannot be taken on (AccessDenied). It was" + " asked for with " + service()
                        + " as sts:ExternalId.");
        assertThat(roles.given()).isZero();

        roles.trust(service());
        piped.awaitAnswer("SELECT count(), sum(id) FROM files", "2\t3");
        piped.awaitAnswer("SELECT count() FROM files_clickpipes_error", "1");
        piped.awaitState(pipe, "Running");
        piped.create(byRole(KinesisServer.pipe("clicks", "clicks", ", \"iteratorType\": \"TRIM_HORIZON\"")));
        piped.awaitAnswer("SELECT count(), sum(id) FROM clicks", "2\t15");
        assertThat(piped.discovered(files)).contains("{\"name\":\"id\",\"type\":\"Int64\",\"optional\":false}");

        assertThat(roles.isTold(program.log())).isFalse();
        assertThat(roles.isTold(program.getAsFirstKey(pipe).body())).isFalse();
        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT countIf(query LIKE '%secret-of-a-role%' AND query NOT LIKE '%query_log%'),"
                        + " countIf(query LIKE '%[HIDDEN]%') > 0 FROM system.query_log"))
                .isEqualTo("0\t1");
    }
}
