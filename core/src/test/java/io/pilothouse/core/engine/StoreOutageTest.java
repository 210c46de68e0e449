package io.pilothouse.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.StoreUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreOutageTest {
    private final Logger logger = Logger.getLogger(StoreOutage.class.getName());
    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel().getName());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void outageIsLoggedOnceWhenItBeginsAndOnceWhenItEnds() {
        StoreOutage outage = new StoreOutage();
        outage.over();
        StoreUnavailable failure = new StoreUnavailable("Gone", new IllegalStateException());
        for (int attempt = 0; attempt < 5; attempt++) {
            outage.noticed(failure);
        }
        assertThat(lines).containsExactly("WARNING");
        outage.over();
        outage.over();
        assertThat(lines).containsExactly("WARNING", "INFO");
        outage.noticed(failure);
        assertThat(lines).containsExactly("WARNING", "INFO", "WARNING");
    }

    @Test
    void pausesGrowToACeilingAndStartOverAfterAnOutage() {
        StoreOutage outage = new StoreOutage();
        StoreUnavailable failure = new StoreUnavailable("Gone", new IllegalStateException());
        List<Duration> pauses = new ArrayList<>();
        for (int attempt = 0; attempt < 40; attempt++) {
            pauses.add(outage.noticed(failure));
        }
        assertThat(pauses).startsWith(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
        assertThat(pauses).isSorted().last().isEqualTo(Duration.ofSeconds(5));
        outage.over();
        assertThat(outage.noticed(failure)).isEqualTo(Duration.ofMillis(100));
    }
}
