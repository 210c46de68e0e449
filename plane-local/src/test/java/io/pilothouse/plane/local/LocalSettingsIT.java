package io.pilothouse.plane.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Condition;
import io.pilothouse.core.service.Service;
import io.pilothouse.core.setting.SettingShape;
import io.pilothouse.core.setting.SettingTable;
import io.pilothouse.core.setting.SettingValues;
import io.pilothouse.plane.local.share.DiskShares;
import io.pilothouse.testkit.ServiceSample;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real database says which settings it has, and takes up those that its service asks for. */
class LocalSettingsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private final Service service = ServiceSample.wanted(UUID.randomUUID(), UUID.randomUUID(), Instant.EPOCH);
    private LocalDatabases databases;
    private LocalSettings settings;
    private LocalPlane plane;

    @BeforeEach
    void open() throws DatabaseFailure, InterruptedException {
        databases = new LocalDatabases(LiveDatabase.setup(LiveDatabase.require(), folder.resolve("services"), false));
        settings = new LocalSettings(databases, folder.resolve("settings"));
        plane = new LocalPlane(
                databases,
                new DatabaseBackups(databases, LiveDatabase.files(folder.resolve("backups"))),
                settings,
                DiskShares.unlimited());
    }

    @AfterEach
    void close() throws DatabaseFailure {
        databases.close();
    }

    private void run(Service wanted) throws PlaneFault, DatabaseFailure, InterruptedException {
        plane.start(wanted);
        assertThat(databases.awaitAnswer(wanted.id(), PATIENCE)).isPresent();
        assertThat(plane.observe(wanted)).satisfies(sight -> {
            assertThat(sight.condition()).isEqualTo(Condition.RUNNING);
            assertThat(sight.fits()).isTrue();
        });
    }

    private SettingShape shape(String name) {
        return settings.get().orElseThrow().find(name).orElseThrow();
    }

    @Test
    void databaseSaysWhichSettingsItHasAndWhatTheyMayBe() throws PlaneFault, DatabaseFailure, InterruptedException {
        assertThat(settings.get()).isEmpty();

        run(service);

        SettingTable table = settings.get().orElseThrow();
        assertThat(table.offered().count()).isGreaterThan(1000);
        assertThat(shape("max_threads").byDefault()).isEqualTo("auto");
        assertThat(shape("max_threads").values().breach("x")).isPresent();
        assertThat(shape("max_block_size").values().breach("0")).isPresent();
        assertThat(shape("result_overflow_mode").values())
                .isInstanceOfSatisfying(
                        SettingValues.Words.class,
                        words -> assertThat(words.words()).containsExactlyInAnyOrder("throw", "break"));
        assertThat(shape("join_algorithm").values().breach("hash,direct")).isEmpty();
        assertThat(shape("compatibility").values().breach("zzz")).isPresent();
        assertThat(shape("format_csv_delimiter").byDefault()).isEqualTo(",");
        assertThat(shape("readonly").offered()).isFalse();
        assertThat(shape("max_insert_block_size_rows").offered())
                .as("another name")
                .isFalse();
        assertThat(shape("additional_table_filters").offered())
                .as("values that nothing here can check")
                .isFalse();
        assertThat(new LocalSettings(databases, folder.resolve("settings"))
                        .get()
                        .equals(settings.get()))
                .as("the next start knows the same")
                .isTrue();
    }

    @Test
    void settingsReachTheServicesUsersAndNotTheProgramsOwn()
            throws PlaneFault, DatabaseFailure, IOException, InterruptedException {
        run(service);
        Service asking = service.withSettings(List.of(
                new Service.Setting("max_execution_time", "7", "0"),
                new Service.Setting("max_threads", "3", "auto"),
                new Service.Setting("result_overflow_mode", "break", "throw")));
        assertThat(plane.observe(asking).fits()).isFalse();

        run(asking);

        String question = "SELECT groupArray(value) FROM (SELECT value FROM system.settings WHERE name IN"
                + " ('max_execution_time', 'max_threads', 'result_overflow_mode', 'max_concurrent_queries_for_user')"
                + " ORDER BY name)";
        // The password of the sample is "test".
        DatabaseAddress address = databases.address(service.id()).orElseThrow();
        assertThat(LiveDatabase.value(address, "test", question)).isEqualTo("['200','7','3','break']");
        assertThat(databases.ask(service.id(), question, PATIENCE))
                .isInstanceOfSatisfying(
                        DatabaseClient.Answer.Text.class,
                        own -> assertThat(own.value()).matches("\\['200','0','[1-9][0-9]*','throw']"));

        databases.stop(service.id());
        run(asking);
        assertThat(LiveDatabase.value(databases.address(service.id()).orElseThrow(), "test", question))
                .isEqualTo("['200','7','3','break']");
    }

    @Test
    void everyDefaultIsAValueThatItTakes() throws PlaneFault, DatabaseFailure, InterruptedException {
        run(service);
        assertThat(settings.get().orElseThrow().offered())
                .allSatisfy(shape ->
                        assertThat(shape.values().breach(shape.byDefault())).isEqualTo(Optional.empty()));
    }
}
