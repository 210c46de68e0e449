package io.pilothouse.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.http.metrics.MetricsText;
import io.pilothouse.http.wire.RequestRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogWriterTest {
    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.007Z");
    private static final UUID ID = UUID.fromString("0123abcd-4567-4890-8123-456789abcdef");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private LogWriter writer(LogFormat format) {
        return new LogWriter(out, format, () -> NOW);
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void textLinesAreKeysAndValues() {
        writer(LogFormat.TEXT).write(Level.INFO, line -> {
            line.text("event", "request");
            line.text("request_id", ID.toString());
            line.number("status", 200);
            line.millis("duration_ms", 1_234_567);
            line.text("message", "as it is");
        });
        assertThat(written())
                .isEqualTo("time=2026-02-03T04:05:06.007Z level=info event=request"
                        + " request_id=0123abcd-4567-4890-8123-456789abcdef status=200 duration_ms=1.234"
                        + " message=\"as it is\"\n");
    }

    @Test
    void jsonLinesAreOneObjectEach() {
        writer(LogFormat.JSON).write(Level.WARNING, line -> {
            line.text("event", "request");
            line.text("request_id", ID.toString());
            line.number("status", -1);
            line.millis("duration_ms", 5_000);
            line.text("message", "it");
        });
        assertThat(written())
                .isEqualTo("{\"time\":\"2026-02-03T04:05:06.007Z\",\"level\":\"warning\",\"event\":\"request\","
                        + "\"request_id\":\"0123abcd-4567-4890-8123-456789abcdef\",\"status\":-1,"
                        + "\"duration_ms\":0.005,\"message\":\"it\"}\n");
    }

    @Test
    void theTimeMovesOnWithinASecondAndBeyondIt() {
        Instant[] now = {NOW};
        LogWriter writer = new LogWriter(out, LogFormat.TEXT, () -> now[0]);
        for (long millis : new long[] {0, 1, 993, 60_000}) {
            now[0] = NOW.plusMillis(millis);
            writer.write(Level.INFO, line -> {});
        }
        assertThat(written().lines())
                .containsExactly(
                        "time=2026-02-03T04:05:06.007Z level=info",
                        "time=2026-02-03T04:05:06.008Z level=info",
                        "time=2026-02-03T04:05:07.000Z level=info",
                        "time=2026-02-03T04:06:06.007Z level=info");
    }

    @Test
    void textFromOutsideCanFakeNeitherAFieldNorALine() {
        LogWriter writer = writer(LogFormat.TEXT);
        writer.write(Level.INFO, line -> line.text("name", "x status=200\nlevel=error \"\\\t\u001b[2J\u2028\u202e\0"));
        assertThat(written())
                .endsWith(" name=\"x status=200\\nlevel=error \\\"\\\\\\t\\u001b[2J\\u2028\\u202e\\u0000\"\n");
        assertThat(written().lines()).hasSize(1);
    }

    @Test
    void charactersOfEveryLengthComeThroughAsUtf8AndHalvesOfThemAsCodes() {
        writer(LogFormat.JSON).write(Level.INFO, line -> line.text("name", "aé€😀" + "\ud800" + "\udb40\udc01"));
        assertThat(written()).endsWith("\"name\":\"aé€😀\\ud800\\udb40\\udc01\"}\n");
    }

    @Test
    void emptyAndAmbiguousValuesAreQuoted() {
        writer(LogFormat.TEXT).write(Level.INFO, line -> {
            line.text("a", "");
            line.text("b", "x=y");
            line.text("c", "plain/1.0");
        });
        assertThat(written()).endsWith(" a=\"\" b=\"x=y\" c=plain/1.0\n");
    }

    @Test
    void aVeryLongValueIsCutShort() {
        writer(LogFormat.TEXT).write(Level.INFO, line -> line.text("a", "x".repeat(1_000_000)));
        assertThat(written()).hasSizeLessThan(9_000).endsWith("xxx...\n");
    }

    @Test
    void aRequestIsOneLine() {
        RequestLines lines = new RequestLines(writer(LogFormat.TEXT), LogLevel.INFO, "management");
        lines.observe(new RequestRecord(ID, "instanceGet", null, ID, null, 200, 1_500_000, 812));
        lines.observe(new RequestRecord(ID, null, null, null, null, 404, 0, 0));
        assertThat(written().lines())
                .containsExactly(
                        "time=2026-02-03T04:05:06.007Z level=info event=request listener=management"
                                + " request_id=" + ID + " operation_id=instanceGet key_id=" + ID
                                + " status=200 duration_ms=1.500 bytes=812",
                        "time=2026-02-03T04:05:06.007Z level=info event=request listener=management" + " request_id="
                                + ID + " status=404 duration_ms=0.000 bytes=0");
    }

    @Test
    void requestsAreNotLoggedWhereOnlyWarningsAre() {
        new RequestLines(writer(LogFormat.TEXT), LogLevel.WARNING, "management")
                .observe(new RequestRecord(ID, "instanceGet", null, ID, null, 200, 1, 1));
        assertThat(written()).isEmpty();
    }

    @Test
    void aFailedRequestIsOneLineWithItsCause() {
        RequestLines lines = new RequestLines(writer(LogFormat.TEXT), LogLevel.ERROR, "alerts");
        lines.failed(ID, "alertGetList", new IllegalStateException("broken"));
        lines.failed(ID, null, new IllegalStateException("broken"));
        assertThat(written().lines())
                .hasSize(2)
                .allMatch(line -> line.contains("level=error event=request_failed listener=alerts request_id=" + ID))
                .allMatch(line -> line.contains("java.lang.IllegalStateException: broken\\n\\tat "))
                .first()
                .asString()
                .contains("operation_id=alertGetList");
    }

    @Test
    void closingWritesEverythingThatWaits() {
        LogWriter writer = writer(LogFormat.TEXT);
        writer.start();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            writer.write(Level.INFO, line -> line.number("number", number));
        }
        writer.close();
        assertThat(written().lines()).hasSize(1_000).last().asString().endsWith("number=999");
        assertThat(writer.dropped()).isZero();
    }

    @Test
    void linesAfterTheEndAreWrittenAtOnce() {
        LogWriter writer = writer(LogFormat.TEXT);
        writer.start();
        writer.close();
        writer.close();
        writer.write(Level.INFO, line -> line.text("last", "words"));
        assertThat(written()).endsWith("last=words\n");
    }

    @Test
    void aLoggingThreadDoesNotWaitForAReaderAndTheLossIsLoggedLater() throws InterruptedException {
        Stuck stuck = new Stuck();
        LogWriter writer = new LogWriter(stuck, LogFormat.TEXT, () -> NOW);
        writer.start();
        writer.write(Level.INFO, line -> line.text("number", "first"));
        stuck.reached.await();
        long began = System.nanoTime();
        int written = 0;
        while (writer.dropped() == 0) {
            writer.write(Level.INFO, line -> line.text("filler", "x".repeat(1_000)));
            written++;
        }
        assertThat(written).isBetween(200, 300);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        stuck.free.countDown();
        stuck.wroteMuch.await();
        writer.write(Level.INFO, line -> line.text("number", "last"));
        writer.close();
        assertThat(stuck.text())
                .contains("dropped=1\n")
                .contains("number=first")
                .contains("number=last");
    }

    @Test
    void aWarningWaitsAMomentForRoom() throws InterruptedException {
        Stuck stuck = new Stuck();
        LogWriter writer = new LogWriter(stuck, LogFormat.TEXT, () -> NOW);
        writer.start();
        writer.write(Level.INFO, line -> line.text("number", "first"));
        stuck.reached.await();
        while (writer.dropped() == 0) {
            writer.write(Level.INFO, line -> line.text("filler", "x".repeat(1_000)));
        }
        Thread warning = Thread.ofPlatform()
                .start(() -> writer.write(Level.WARNING, line -> line.text("warned", "x".repeat(2_000))));
        while (warning.getState() != Thread.State.TIMED_WAITING && warning.isAlive()) {
            Thread.onSpinWait();
        }
        stuck.free.countDown();
        warning.join();
        writer.close();
        assertThat(stuck.text()).contains("warned=");
    }

    @Test
    void aWarningThatFindsNoRoomIsLostInTheEnd() throws InterruptedException {
        Stuck stuck = new Stuck();
        LogWriter writer = new LogWriter(stuck, LogFormat.TEXT, () -> NOW);
        writer.start();
        writer.write(Level.INFO, line -> line.text("number", "first"));
        stuck.reached.await();
        while (writer.dropped() == 0) {
            writer.write(Level.INFO, line -> line.text("filler", "x".repeat(1_000)));
        }
        writer.write(Level.ERROR, line -> line.text("warned", "x".repeat(2_000)));
        assertThat(writer.dropped()).isEqualTo(2);
        MetricsText text = new MetricsText();
        writer.write(text);
        assertThat(text.toString()).contains("pilothouse_log_lines_dropped_total 2\n");
        stuck.free.countDown();
        writer.close();
    }

    @Test
    void aClosedPipeStopsNoLoggingThread() throws InterruptedException {
        CountDownLatch tried = new CountDownLatch(1);
        OutputStream broken = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                tried.countDown();
                throw new IOException("Broken pipe");
            }
        };
        LogWriter writer = new LogWriter(broken, LogFormat.TEXT, () -> NOW);
        writer.write(Level.INFO, line -> {});
        assertThat(writer.dropped()).isEqualTo(1);
        writer.start();
        writer.write(Level.INFO, line -> {});
        tried.await();
        long began = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            writer.write(Level.ERROR, line -> line.text("filler", "x".repeat(1_000)));
        }
        writer.close();
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)).isLessThan(5);
    }

    /** A terminal that takes nothing until it is let. */
    private static final class Stuck extends OutputStream {
        private static final int MUCH = 200_000;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch free = new CountDownLatch(1);
        private final CountDownLatch wroteMuch = new CountDownLatch(1);

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            reached.countDown();
            try {
                free.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (taken) {
                taken.write(bytes, offset, length);
                if (taken.size() > MUCH) {
                    wroteMuch.countDown();
                }
            }
        }

        private String text() {
            synchronized (taken) {
                return taken.toString(StandardCharsets.UTF_8);
            }
        }
    }
}
