package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Pipes that log in to brokers with keys of AWS, as those of MSK want it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeMskIT {
    private final StartedParts started = new StartedParts();
    private KafkaBroker broker;
    private RoleServer roles;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeAll
    void start(@TempDir Path folder) throws IOException, InterruptedException, StartRefused, ExecutionException {
        broker = started.add(KafkaBroker.start(Files.createDirectory(folder.resolve("kafka"))));
        roles = started.add(RoleServer.before("http://127.0.0.1:1"));
        piped = started.add(new PipedProgram(new LocalProgram(), folder, roles.flags(folder)));
        program = piped.program();
        broker.topic("events", 2);
        for (int id = 0; id < 10; id++) {
            broker.send("events", id % 2, "k", "{\"id\":" + id + ",\"name\":\"n\"}");
        }
        broker.flush();
    }

    @AfterAll
    void stop() throws Exception {
        started.endAll();
    }

    private String pipe(String table, String login) {
        return broker.pipe("events", table, ", \"type\": \"msk\", \"region\": \"" + MskTokens.REGION + "\", " + login)
                .replace(broker.brokers(), broker.loginBrokers());
    }

    private static String key(String secret) {
        return "\"authentication\": \"IAM_USER\", \"credentials\": {\"accessKeyId\": \"" + MskTokens.KEY_ID
                + "\", \"secretKey\": \"" + secret + "\"}";
    }

    @Test
    void accessKeyLogsInAndAWrongOneIsRefused() throws GeneralSecurityException, IOException, InterruptedException {
        piped.create(pipe("by_key", key(MskTokens.SECRET)));
        piped.awaitAnswer("SELECT count(), sum(id) FROM by_key", "10\t45");
        String wrong = piped.create(pipe("wrong", key("another")));
        program.await(
                wrong,
                body -> body.contains("\"state\":\"Failed\"") && body.contains("The brokers refuse the credentials"));
        assertThat(program.log()).doesNotContain(MskTokens.SECRET).doesNotContain("X-Amz-Signature");
    }

    @Test
    void roleThatTrustsTheServiceLogsIn() throws GeneralSecurityException, IOException, InterruptedException {
        String pipe = piped.create(
                pipe("by_role", "\"authentication\": \"IAM_ROLE\", \"iamRole\": \"" + RoleServer.ROLE + "\""));
        program.await(pipe, body -> body.contains("\"state\":\"Degraded\"") && body.contains("(AccessDenied)"));
        roles.trust(TestProgram.field(program.getAsFirstKey(piped.service()).body(), "iamRole"));
        piped.awaitAnswer("SELECT count(), sum(id) FROM by_role", "10\t45");
        piped.awaitState(pipe, "Running");
        assertThat(roles.isTold(program.log())).isFalse();
    }
}
