package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.plane.local.bundled.BundledMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LastWordsTest {
    @TempDir
    Path root;

    private ServiceFolder folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = new ServiceFolder(root, UUID.randomUUID());
        Files.createDirectories(folder.log());
    }

    @Test
    void silentEndIsSaidPlainly() {
        assertThat(sentence(OptionalInt.empty())).isEqualTo("The database ended by itself.");
        assertThat(sentence(OptionalInt.of(3))).isEqualTo("The database ended by itself with status 3.");
        assertThat(sentence(OptionalInt.of(137))).isEqualTo("The database was ended by signal 9.");
    }

    @Test
    void lastExceptionOfTheConsoleIsTheReason() throws IOException {
        Files.writeString(folder.console(), """
                Code: 1. DB::Exception: The first. (A) (version 26.7)
                Code: 210. DB::NetException: Net Exception: Address already in use: 127.0.0.1:21000. (NETWORK_ERROR)
                Bye.
                """);

        assertThat(sentence(OptionalInt.of(1)))
                .isEqualTo("The database ended by itself with status 1: Net Exception: Address already in use: "
                        + "127.0.0.1:21000. (NETWORK_ERROR).");
    }

    @Test
    void linkInPlaceOfTheErrorLogIsNotFollowed() throws IOException {
        Path secret = Files.writeString(
                root.resolve("secret"), "<Fatal> Code: 1. DB::Exception: A file that only the control plane may read.");
        Files.createSymbolicLink(folder.errorLog(), secret);

        assertThat(sentence(OptionalInt.empty())).isEqualTo("The database ended by itself.");
    }

    @Test
    void ofTheErrorLogOnlyWhatEndsAServerCounts() throws IOException {
        Files.writeString(folder.errorLog(), """
                2026 <Error> Application: Code: 76. DB::Exception: Cannot lock file /x/status. Another server instance in same directory is already running. (CANNOT_OPEN_FILE), Stack trace (when copying this message, always include the lines below):
                2026 <Error> executeQuery: Code: 47. DB::Exception: Unknown identifier secret (in query: SELECT secret)
                """);

        assertThat(sentence(OptionalInt.empty()))
                .startsWith("The database ended by itself: Cannot lock file /x/status.")
                .doesNotContain("secret")
                .doesNotContain("Stack trace");
    }

    @Test
    void oldServersWordsAreUnderstood() throws IOException {
        Files.writeString(
                folder.errorLog(),
                "2026 [ 1 ] {} <Error> Application: DB::Exception: Cannot lock file /x/status. Another one runs.");
        assertThat(sentence(OptionalInt.of(70)))
                .isEqualTo(
                        "The database ended by itself with status 70: Cannot lock file /x/status. Another one runs.");
        assertThat(LastWords.sentenceOf(
                        "e.displayText() = DB::Exception: Wrong password for user x, e.what() = DB::Exception"))
                .isEqualTo("Wrong password for user x.");
    }

    @Test
    void hashesAndLongTextsAreCut() {
        assertThat(LastWords.sentenceOf("DB::Exception: User x has hash " + "ab".repeat(32)))
                .isEqualTo("User x has hash ...");
        assertThat(LastWords.sentenceOf("y".repeat(1000))).hasSizeLessThan(250);
        assertThat(LastWords.sentenceOf("one\ntwo")).isEqualTo("one.");
    }

    @Test
    void onlyTheEndOfALongLogIsRead() throws IOException {
        Files.writeString(folder.console(), "Code: 1. DB::Exception: Long ago. (A)\n" + "noise\n".repeat(10_000));

        assertThat(sentence(OptionalInt.empty())).isEqualTo("The database ended by itself.");
    }

    @Test
    void databaseThatWasAskedToStopSaysSo() throws IOException {
        assertThat(new LastWords(folder).stoppedAsAsked()).isFalse();
        Files.writeString(folder.console(), "noise\n" + BundledMain.STOPPED_AS_ASKED + "\n");
        assertThat(new LastWords(folder).stoppedAsAsked()).isTrue();
    }

    private String sentence(OptionalInt status) {
        return new LastWords(folder).sentence(status);
    }
}
