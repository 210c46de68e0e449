package io.pilothouse.pipes.worker.files;

import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.Report.Amounts;
import io.pilothouse.pipes.worker.files.BadLines.BadLine;
import io.pilothouse.pipes.worker.files.FileStore.Found;
import io.pilothouse.pipes.worker.outside.ErrorTable;
import io.pilothouse.pipes.worker.outside.ErrorTable.Unread;
import io.pilothouse.pipes.worker.outside.Link;
import io.pilothouse.pipes.worker.outside.Trouble;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps the lines of files that cannot be read, and the names of files of which nothing can. Safe for many threads. */
record UnreadFiles(Link link, ErrorTable errors) {
    static String sentence(String part, List<BadLine> bad) {
        return bad.size() + " lines of " + part + " cannot be read: "
                + bad.getFirst().reason();
    }

    String whole(Found file, String part, String token, String reason) throws Trouble, InterruptedException {
        keep(
                token,
                List.of(new Unread(
                        part,
                        reason,
                        new byte[0],
                        Map.of(ErrorPortion.ETAG, file.etag().getBytes(StandardCharsets.UTF_8)))));
        return part + " cannot be read: " + reason;
    }

    void lines(String part, String token, long size, @Nullable String heading, List<BadLine> bad)
            throws Trouble, InterruptedException {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        fields.put(ErrorPortion.SIZE, Long.toString(size).getBytes(StandardCharsets.UTF_8));
        if (heading != null) {
            fields.put(ErrorPortion.HEADING, heading.getBytes(StandardCharsets.ISO_8859_1));
        }
        keep(
                token,
                bad.stream()
                        .map(line -> new Unread(
                                part, line.reason(), line.raw().getBytes(StandardCharsets.ISO_8859_1), fields))
                        .toList());
    }

    private void keep(String token, List<Unread> unread) throws Trouble, InterruptedException {
        if (unread.isEmpty()) {
            return;
        }
        errors.keep(token, unread);
        link.count(new Amounts(unread.size(), 0, 0, 0, unread.size(), 0), -1);
    }
}
