package io.pilothouse.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real server that speaks S3 and knows one key, with one bucket in a folder; it takes any secret for that key. Its
 * package is fetched once for all runs; without npm the tests that need it are skipped.
 */
public final class S3Server implements AutoCloseable {
    public static final String BUCKET = "ours";
    public static final String KEY_ID = "S3RVER";
    public static final String SECRET = "S3RVER";

    private static final String VERSION = "3.7.1";
    private static final Pattern LISTENING = Pattern.compile("listening on .*:(\\d+)");

    private final Process process;
    private final Path folder;
    private final int port;

    private S3Server(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    /** Starts one that keeps its objects in this folder. */
    public static S3Server start(Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        NodePackage.program("s3rver", VERSION).toString(),
                        "--directory=" + Files.createDirectories(folder),
                        "--address=127.0.0.1",
                        "--port=0",
                        // Nobody reads what it prints from then on.
                        "--silent",
                        "--configure-bucket",
                        BUCKET)
                .redirectErrorStream(true)
                .start();
        return new S3Server(process, folder, PrintedPort.await(process, LISTENING));
    }

    /** What a service's bucket path is. */
    public String path() {
        return "http://127.0.0.1:" + port + "/" + BUCKET + "/nightly";
    }

    public String address() {
        return "http://127.0.0.1:" + port;
    }

    /** The names of all objects of the bucket, as their folder has them. */
    public Stream<String> objects() throws IOException {
        Path bucket = folder.resolve(BUCKET);
        try (Stream<Path> files = Files.walk(bucket)) {
            return files
                    .filter(file -> file.getFileName().toString().endsWith("._S3rver_object"))
                    .map(file -> bucket.relativize(file).toString().replace("._S3rver_object", ""))
                    .toList()
                    .stream();
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
