package io.pilothouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.plane.local.ClickHouse;
import io.pilothouse.plane.local.bundled.Fences;
import io.pilothouse.server.config.Config;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that nothing fences in run only where nobody else reaches them, or where the operator insists. */
class DatabaseFenceTest {
    private static final List<String> GAPS = List.of("SQL reads files.", "SQL connects anywhere.");

    @TempDir
    private Path folder;

    private Config config(String... flags) {
        return TestProgram.config(folder, Map.of(), flags);
    }

    @Test
    void eachListenerThatOthersReachRefusesAStartWithoutAFence() {
        for (String option : List.of("listen", "console-listen", "alerts-listen", "query-listen", "admin-listen")) {
            for (String open : List.of("0.0.0.0:0", "[::]:0", "192.0.2.1:80")) {
                Config config = config("--" + option, open, "--insecure-listen");
                assertThat(config.reachable()).containsExactly(option + " " + open);
                assertThatThrownBy(new DatabaseFence(false, GAPS, config.reachable(), false)::require)
                        .isInstanceOfSatisfying(
                                StartRefused.class,
                                refused -> assertThat(refused.sentence())
                                        .contains(option + " " + open, "SQL reads files. SQL connects anywhere.")
                                        .endsWith("or insist with --unfenced-engine."));
            }
        }
        assertThat(config("--pipe-tasks-listen", "0.0.0.0:1", "--pipe-runner", "connect=http://127.0.0.1:8083")
                        .reachable())
                .containsExactly("pipe-tasks-listen 0.0.0.0:1");
        assertThat(config("--pipe-tasks-listen", "0.0.0.0:1").reachable())
                .as("nothing listens there")
                .isEmpty();
        assertThat(config("--console-listen", "0.0.0.0:1", "--console", "false").reachable())
                .as("nothing listens there either")
                .isEmpty();
        assertThat(config("--gateway-listen", "0.0.0.0").reachable()).containsExactly("gateway-listen 0.0.0.0");
    }

    @Test
    void onLoopbackAddressesTheyRunAndItIsSaidWhatIsNotHeld() {
        Config config = config("--listen", "[::1]:0", "--gateway-listen", "127.3.2.1");
        assertThat(config.reachable()).isEmpty();
        DatabaseFence fence = new DatabaseFence(false, GAPS, config.reachable(), false);
        assertThatCode(fence::require).doesNotThrowAnyException();
        assertThat(fence.words()).isEqualTo("SQL reads files. SQL connects anywhere.");
        assertThat(fence.exposure()).isEmpty();
    }

    @Test
    void whoInsistsIsRemindedOfIt() {
        DatabaseFence fence = new DatabaseFence(false, GAPS, List.of("listen 0.0.0.0:80", "gateway-listen ::"), true);
        assertThatCode(fence::require).doesNotThrowAnyException();
        assertThat(fence.exposure().orElseThrow())
                .contains("listen 0.0.0.0:80 and gateway-listen ::", "--unfenced-engine");
    }

    @Test
    void fenceThatHoldsIsOpenToAll() {
        DatabaseFence fence = new DatabaseFence(true, List.of(), List.of("listen 0.0.0.0:80"), false);
        assertThatCode(fence::require).doesNotThrowAnyException();
        assertThat(fence.exposure()).isEmpty();
        assertThat(fence.words()).isEqualTo("holds");
    }

    @Test
    void whoInsistsHasAProgramWithoutAFenceAndNotTheBundledClickHouse() {
        Fences here = DatabaseFence.around(new ClickHouse.None(""), true);
        assertThat(DatabaseFence.around(new ClickHouse.Bundled(folder, Optional.empty()), true))
                .isEqualTo(here);
        assertThat(DatabaseFence.around(new ClickHouse.Binary(folder, Optional.empty()), false))
                .isEqualTo(here);
        assertThat(DatabaseFence.around(new ClickHouse.Binary(folder, Optional.empty()), true))
                .isEqualTo(Fences.NONE);
    }
}
