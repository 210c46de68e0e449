package io.pilothouse.pipes.worker.formats;

import io.pilothouse.pipes.worker.outside.Trouble.BadData;
import java.util.List;

/** Messages that are JSON objects: their bytes pass as they are. */
public final class JsonMessages implements MessageFormat {
    @Override
    public void begin() {
        // A message says all about itself.
    }

    @Override
    public List<byte[]> rows(byte[] message) throws BadData {
        if (!isObject(message)) {
            throw new BadData("The message is not a JSON object.");
        }
        return List.of(message);
    }

    /** Whether the message begins and ends as an object does; what is between is the database's to read. */
    static boolean isObject(byte[] message) {
        if (message.length == 0) {
            return false;
        }
        int first = first(message, 0);
        int last = message.length - 1;
        while (last > first && isSpace(message[last])) {
            last--;
        }
        return first < last && message[first] == '{' && message[last] == '}';
    }

    /** Where the first character is that is no space, from this place on. */
    public static int first(byte[] message, int from) {
        int at = from;
        while (at < message.length - 1 && isSpace(message[at])) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(byte one) {
        return one == ' ' || one == '\n' || one == '\r' || one == '\t';
    }
}
