package io.pilothouse.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The program: it can tell its commands, and nothing more until its parts are wired. */
public final class Main {
    private Main() {}

    /** Prints the commands, whatever was asked. */
    public static void main(String[] arguments) throws IOException {
        try (InputStream commands = Objects.requireNonNull(Main.class.getResourceAsStream("commands.txt"))) {
            commands.transferTo(System.out);
        }
    }
}
