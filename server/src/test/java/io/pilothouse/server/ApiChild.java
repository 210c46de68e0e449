package io.pilothouse.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** The built program in a process of its own, handed to the API tests. */
public final class ApiChild implements AutoCloseable {
    private final ChildProgram program;
    private final Path credentials;

    private ApiChild(ChildProgram program, Path credentials) {
        this.program = program;
        this.credentials = credentials;
    }

    /** Starts it with its data in this folder, and waits until it says that it is up. */
    public static ApiChild up(Path folder, String... flags) throws IOException {
        return new ApiChild(
                ChildProgram.up(folder, flags), folder.resolve("data").resolve("credentials.json"));
    }

    public URI management() throws IOException {
        return URI.create(credential("base_url"));
    }

    /** One value of what it wrote down for its user. */
    public String credential(String name) throws IOException {
        return TestProgram.field(Files.readString(credentials), name);
    }

    /** Ends it in the middle of its work. */
    public void kill() throws InterruptedException {
        program.process().destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        program.close();
    }
}
