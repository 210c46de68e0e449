package io.pilothouse.gateway;

import io.pilothouse.testkit.PythonPackage;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * llhttp, written in C for Node, behind a child process of Python. Its package is fetched once for all runs with pip;
 * where that cannot be, its tests are skipped.
 */
final class GatewayLlhttpFrames implements AutoCloseable {
    private static final String VERSION = "0.9.0";

    private final Process process;
    private final DataOutputStream cases;
    private final BufferedReader lines;
    private int asked;

    private GatewayLlhttpFrames(Process process) {
        this.process = process;
        this.cases = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
        this.lines = process.inputReader(StandardCharsets.US_ASCII);
    }

    /** The folder takes the script. */
    static GatewayLlhttpFrames start(Path folder) throws IOException, InterruptedException {
        Path script = folder.resolve("llhttp_frames.py");
        try (InputStream in = GatewayLlhttpFrames.class.getResourceAsStream("llhttp_frames.py")) {
            Files.copy(Objects.requireNonNull(in), script, StandardCopyOption.REPLACE_EXISTING);
        }
        Path modules = PythonPackage.folder("httptools", VERSION, "httptools");
        ProcessBuilder python = new ProcessBuilder("python3", script.toString()).inheritIO();
        python.redirectInput(ProcessBuilder.Redirect.PIPE).redirectOutput(ProcessBuilder.Redirect.PIPE);
        python.environment().put("PYTHONPATH", modules.toString());
        return new GatewayLlhttpFrames(python.start());
    }

    /** One more case of the next answer; {@code requests} says what it is a stream of. */
    void ask(boolean requests, byte[] stream) throws IOException {
        cases.writeByte(requests ? 'q' : 'a');
        cases.writeInt(stream.length);
        cases.write(stream);
        asked++;
    }

    /** What it makes of each case since the last answer. */
    List<GatewayFramed> answer() throws IOException {
        cases.writeByte(0);
        cases.writeInt(0);
        cases.flush();
        List<GatewayFramed> framed = new ArrayList<>();
        for (; asked > 0; asked--) {
            String line = lines.readLine();
            if (line == null) {
                throw new IOException("the other parser has ended");
            }
            List<String> words = List.of(line.split(" ", -1));
            framed.add(new GatewayFramed(
                    GatewayFramed.End.valueOf(words.getFirst()),
                    words.subList(1, words.size()).stream()
                            .map(word -> new String(HexFormat.of().parseHex(word), StandardCharsets.ISO_8859_1))
                            .toList()));
        }
        return framed;
    }

    @Override
    public void close() throws IOException {
        cases.close();
        process.destroy();
    }
}
