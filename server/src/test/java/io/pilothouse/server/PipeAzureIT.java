package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipes from a real server of Azure's blobs into a real ClickHouse. */
class PipeAzureIT {
    private static final int FILES = 30;

    @TempDir
    private Path folder;

    private AzureServer azure;
    private PipedProgram piped;
    private TestProgram program;

    @BeforeEach
    void start() throws IOException, InterruptedException, StartRefused {
        azure = AzureServer.start(folder);
        piped = new PipedProgram(new LocalProgram(), folder, "--egress", azure.place());
        program = piped.program();
    }

    @AfterEach
    void stop() {
        piped.close();
        azure.close();
    }

    private static String row(int id) {
        return "{\"id\":" + id + ",\"name\":\"n" + id + "\"}\n";
    }

    @Test
    void filesOfAPatternAreLoadedAndNothingShowsTheKey()
            throws GeneralSecurityException, IOException, InterruptedException {
        azure.put("in/1.json", row(1) + row(2));
        azure.put("in/2 ü+.json", row(3));
        azure.put("in/4.csv", "not,for,this,pipe");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(row(4).getBytes(StandardCharsets.UTF_8));
        }
        azure.put("in/5.json.gz", packed.toByteArray());

        String pipe = piped.create(azure.pipe("in/*.{json,json.gz}", false));
        piped.awaitState(pipe, "Completed");
        assertThat(piped.query("SELECT count(), sum(id) FROM events")).isEqualTo("4\t10");

        piped.query("SYSTEM FLUSH LOGS");
        assertThat(piped.query("SELECT count() FROM system.query_log WHERE query LIKE '%"
                        + AzureServer.KEY.substring(0, 20) + "%' AND query NOT LIKE '%query_log%'"))
                .isEqualTo("0");
        assertThat(program.log()).doesNotContain(AzureServer.KEY);
        assertThat(program.getAsFirstKey(pipe).body()).doesNotContain(AzureServer.KEY);
    }

    @Test
    void lateFilesAreFoundOnceEachWhateverIsKilledAndBadLinesAreKept()
            throws GeneralSecurityException, IOException, InterruptedException {
        for (int file = 0; file < FILES; file++) {
            azure.put("in/" + file + ".json", row(file));
        }
        String pipe = piped.create(azure.pipe("in/*.json", true));
        piped.killFirstWorker();
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", FILES + "\t" + FILES);

        azure.put("in/0-late.json", row(FILES) + "not json\n");
        piped.awaitAnswer("SELECT count(), uniqExact(id) FROM events", (FILES + 1) + "\t" + (FILES + 1));
        piped.awaitAnswer("SELECT raw_message FROM events_clickpipes_error", "not json");
        piped.awaitState(pipe, "Running");

        // To the database it would be a pattern, and stand for other files too.
        azure.put("in/a*.json", row(0));
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains("The file in/a*.json cannot be read");
    }

    @Test
    void whatIsWrongWithTheSourceIsSaid() throws IOException, InterruptedException {
        azure.put("in/1.json", row(1));
        String wanted = azure.pipe("in/*.json", true);
        failed(wanted.replace(AzureServer.KEY, "AAAA"), "The source refuses the credentials or the request (403");
        failed(wanted.replace("\"landing\"", "\"nowhere\""), "There is no such bucket or file at the source (404");
        failed(wanted.replace("AccountKey=", "Key="), "must hold AccountName and AccountKey");
        String unnamed = piped.create(wanted.replace("http://127.0.0.1", "http://127.0.0.2"));
        assertThat(program.await(unnamed, body -> body.contains("\"state\":\"Degraded\"")))
                .contains("--egress of this server's operator does not name it");
    }

    private void failed(String wanted, String reason) throws IOException, InterruptedException {
        String pipe = piped.create(wanted);
        piped.awaitState(pipe, "Failed");
        assertThat(program.getAsFirstKey(pipe).body()).contains(reason);
    }
}
