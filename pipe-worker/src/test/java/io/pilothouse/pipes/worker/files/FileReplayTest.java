package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.wire.ErrorPortion;
import io.pilothouse.pipes.wire.ErrorPortion.Kept;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read again together, and under which token. */
class FileReplayTest {
    private static final Kept FILE = kept("b/a.parquet", "", Map.of(ErrorPortion.ETAG, "v1"));
    private static final Kept OTHER_FILE = kept("b/b.parquet", "", Map.of(ErrorPortion.ETAG, "v1"));
    private static final Kept LINE = kept("b/c.csv", "1,x", Map.of(ErrorPortion.SIZE, "9"));
    private static final Kept NEXT_LINE = kept("b/c.csv", "2,y", Map.of(ErrorPortion.SIZE, "9"));
    private static final Kept HEADED =
            kept("b/c.csv", "3,z", Map.of(ErrorPortion.SIZE, "9", ErrorPortion.HEADING, "n"));

    private static Kept kept(String source, String raw, Map<String, String> fields) {
        Map<String, String> fields64 = new LinkedHashMap<>();
        fields.forEach((name, value) -> fields64.put(name, base64(value)));
        return new Kept(base64(source), base64(raw), fields64);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void linesOfOneKindAreReadTogetherAndFilesAlone() {
        assertThat(FileReplay.batches("t", List.of(FILE, LINE, OTHER_FILE, HEADED, NEXT_LINE))
                        .values())
                .containsExactly(List.of(FILE), List.of(LINE, NEXT_LINE), List.of(OTHER_FILE), List.of(HEADED));
    }

    @Test
    void tokensStayWhenOtherRowsExpire() {
        Map<String, List<Kept>> all = FileReplay.batches("t", List.of(FILE, OTHER_FILE, LINE, HEADED));
        for (Kept left : List.of(FILE, OTHER_FILE, LINE, HEADED)) {
            assertThat(all).containsAllEntriesOf(FileReplay.batches("t", List.of(left)));
        }
    }
}
