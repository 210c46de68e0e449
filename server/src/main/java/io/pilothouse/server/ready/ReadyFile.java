package io.pilothouse.server.ready;

import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.server.client.CommandRefused;
import io.pilothouse.server.config.Config;
import io.pilothouse.server.config.StartOptions;
import io.pilothouse.server.log.Escaped;
import io.pilothouse.server.secret.PrivateFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A file that is there while the program can be reached, and says how; for its owner's eyes only. It comes whole, under
 * its name at once, so it can be read as soon as it is there.
 */
public record ReadyFile(Path path) {
    private static final Logger LOG = System.getLogger(ReadyFile.class.getName());

    /**
     * Takes away what a start before this one left behind, as one that was killed does. Not before the data is this
     * process's own: until then, the file may be that of one that runs.
     */
    public static void clearFormer(Config config) throws CommandRefused {
        Optional<Path> path = config.find(StartOptions.READY_FILE);
        if (path.isPresent()) {
            try {
                Files.deleteIfExists(path.get());
            } catch (IOException e) {
                throw new CommandRefused(new ReadyFile(path.get()).cannotBeWritten(e), e);
            }
        }
    }

    /** Why there is no start. */
    public String cannotBeWritten(IOException e) {
        return "The file " + Escaped.text(path.toString()) + " of " + StartOptions.READY_FILE.flag()
                + " cannot be written: " + Escaped.text(String.valueOf(e.getMessage()));
    }

    /** Looks, before anything is made, whether it could be written. */
    public void requireRoom() throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("its folder is not there");
        }
        if (!Files.isWritable(folder)) {
            throw new IOException("its folder cannot be written to");
        }
    }

    /** Says that the program is up, with these texts by name. */
    public void write(SequencedMap<String, String> texts) throws IOException {
        byte[] document = JsonWriter.document(json -> {
            json.startObject();
            for (Map.Entry<String, String> text : texts.entrySet()) {
                json.text(text.getKey(), text.getValue());
            }
            json.endObject();
        });
        PrivateFile.write(path, document);
    }

    /** Says that the program is up no more. */
    public void remove() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "The ready file could not be removed, although the program ends", e);
        }
    }
}
