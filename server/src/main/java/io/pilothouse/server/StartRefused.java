package io.pilothouse.server;

import io.pilothouse.server.client.CommandRefused;

/**
 * The program will not start as asked; the message is one sentence, or one for each mistake, for the person who started
 * it.
 */
final class StartRefused extends CommandRefused {
    private static final long serialVersionUID = 1L;

    StartRefused(String sentence) {
        super(sentence);
    }

    StartRefused(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
