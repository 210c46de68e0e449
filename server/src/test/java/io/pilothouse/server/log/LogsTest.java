package io.pilothouse.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.ResourceBundle;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LogsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Logs logs = new Logs();

    private Logger logger(String name, LogLevel level) {
        logs.sendTo(new LogWriter(out, LogFormat.TEXT, () -> Instant.EPOCH), level);
        return logs.getLogger(name, LogsTest.class.getModule());
    }

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @AfterEach
    void restoreTheLogOfTheProcess() {
        LogManager.getLogManager().reset();
    }

    @Test
    void everyLoggerOfTheProcessIsOurs() {
        Logs process = Logs.ofProcess();
        process.sendTo(new LogWriter(out, LogFormat.TEXT, () -> Instant.EPOCH), LogLevel.INFO);
        System.getLogger("io.pilothouse.anything").log(Level.INFO, "heard");
        assertThat(lines())
                .containsExactly(
                        "time=1970-01-01T00:00:00.000Z level=info logger=io.pilothouse.anything message=heard");
    }

    @Test
    void levelsDecideWhatIsHeard() {
        for (LogLevel level : LogLevel.values()) {
            Logger logger = logger("io.pilothouse.x", level);
            assertThat(logger.isLoggable(Level.ERROR)).isTrue();
            assertThat(logger.isLoggable(Level.WARNING)).isEqualTo(level != LogLevel.ERROR);
            assertThat(logger.isLoggable(Level.INFO)).isEqualTo(level == LogLevel.INFO || level == LogLevel.DEBUG);
            assertThat(logger.isLoggable(Level.DEBUG)).isEqualTo(level == LogLevel.DEBUG);
            assertThat(logger.isLoggable(Level.TRACE)).isFalse();
            assertThat(logger.isLoggable(Level.OFF)).isFalse();
        }
    }

    @Test
    void librariesAreHeardOnlyWhenSomethingIsWrongOrAtLevelDebug() {
        assertThat(logger("org.elsewhere", LogLevel.INFO).isLoggable(Level.INFO))
                .isFalse();
        assertThat(logger("org.elsewhere", LogLevel.INFO).isLoggable(Level.WARNING))
                .isTrue();
        assertThat(logger("org.elsewhere", LogLevel.ERROR).isLoggable(Level.WARNING))
                .isFalse();
        assertThat(logger("org.elsewhere", LogLevel.WARNING).isLoggable(Level.WARNING))
                .isTrue();
        assertThat(logger("org.elsewhere", LogLevel.DEBUG).isLoggable(Level.INFO))
                .isTrue();
    }

    @Test
    void theDebuggingOfLibrariesIsNeverHeardBecauseItHoldsCredentials() {
        assertThat(logger("org.elsewhere", LogLevel.DEBUG).isLoggable(Level.DEBUG))
                .isFalse();
    }

    @Test
    void aLineThatIsNotLoggedIsNotEvenFormatted() {
        Logger logger = logger("org.elsewhere", LogLevel.INFO);
        logger.log(Level.INFO, "{0}", new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("formatted");
            }
        });
        logger.log(Level.INFO, "quiet", new IllegalStateException("quiet"));
        assertThat(lines()).isEmpty();
    }

    @Test
    void parametersAreFilledInAndBrokenPatternsAreShownAsTheyAre() {
        Logger logger = logger("io.pilothouse.x", LogLevel.INFO);
        assertThat(logger.getName()).isEqualTo("io.pilothouse.x");
        logger.log(Level.INFO, "{0} of {1}", "one", "two");
        logger.log(Level.INFO, "{broken", "one");
        logger.log(Level.INFO, "it's {0}");
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("message=\"one of two\""),
                        line -> assertThat(line).endsWith("message={broken"),
                        line -> assertThat(line).endsWith("message=\"it's {0}\""));
    }

    @Test
    void messagesOfBundlesAreLookedUp() {
        ResourceBundle bundle = new ListResourceBundle() {
            @Override
            protected Object[][] getContents() {
                return new Object[][] {{"key", "in words"}};
            }
        };
        Logger logger = logger("io.pilothouse.x", LogLevel.INFO);
        logger.log(Level.INFO, bundle, "key", (Throwable) null);
        logger.log(Level.INFO, bundle, "other", (Throwable) null);
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("message=\"in words\""),
                        line -> assertThat(line).endsWith("message=other"));
    }

    @Test
    void anExceptionIsShownWithItsCauseInTheSameLine() {
        logger("io.pilothouse.x", LogLevel.INFO)
                .log(Level.ERROR, "it broke", new IllegalStateException("outer", new IllegalArgumentException("in")));
        assertThat(lines())
                .singleElement()
                .asString()
                .contains("level=error", "message=\"it broke\"", "IllegalStateException: outer", "Caused by:");
    }

    @Test
    void linesOfLibrariesThroughTheOldLoggingComeToTheSameLog() {
        Logs.ofProcess().sendTo(new LogWriter(out, LogFormat.TEXT, () -> Instant.EPOCH), LogLevel.DEBUG);
        JulToLogs bridge = new JulToLogs();
        assertThat(bridge).isNotNull();
        java.util.logging.Logger root = java.util.logging.Logger.getLogger("");
        assertThat(root.getHandlers()).hasSize(1);
        for (java.util.logging.Level level : List.of(
                java.util.logging.Level.SEVERE,
                java.util.logging.Level.WARNING,
                java.util.logging.Level.INFO,
                java.util.logging.Level.FINE)) {
            LogRecord record = new LogRecord(level, "said {0}");
            record.setLoggerName("org.elsewhere");
            record.setParameters(new Object[] {level});
            root.getHandlers()[0].publish(record);
        }
        LogRecord nameless = new LogRecord(java.util.logging.Level.SEVERE, "who");
        nameless.setLoggerName(null);
        root.getHandlers()[0].publish(nameless);
        root.getHandlers()[0].flush();
        root.getHandlers()[0].close();
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).endsWith("level=error logger=org.elsewhere message=\"said SEVERE\""),
                        line -> assertThat(line)
                                .endsWith("level=warning logger=org.elsewhere message=\"said WARNING\""),
                        line -> assertThat(line).endsWith("level=info logger=org.elsewhere message=\"said INFO\""),
                        line -> assertThat(line).contains("level=error", "message=who"));
    }
}
