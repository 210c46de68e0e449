package io.pilothouse.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresAddressTest {
    @ParameterizedTest
    @CsvSource({
        "postgresql://ph@localhost/db, postgresql://ph@localhost:5432/db?sslmode=disable",
        "postgres://ph@127.0.0.1:1/db, postgresql://ph@127.0.0.1:1/db?sslmode=disable",
        "postgresql://ph@[::1]/db, postgresql://ph@[::1]:5432/db?sslmode=disable",
        "postgresql://ph@localhost/db?sslmode=verify-full, postgresql://ph@localhost:5432/db?sslmode=verify-full",
        "postgresql://ph@db.example.com:65535/d-1, postgresql://ph@db.example.com:65535/d-1?sslmode=verify-full",
        "postgresql://ph@db.example.com/db?sslmode=disable, postgresql://ph@db.example.com:5432/db?sslmode=disable"
    })
    void theWayThereIsVerifiedUnlessItStaysOnTheMachineOrSomebodySaysSo(String typed, String read) throws BadValue {
        assertThat(PostgresAddress.read(typed)).hasToString(read);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://localhost/db",
                "postgresql://ph:secret@localhost/db",
                "postgresql://ph@localhost",
                "postgresql://ph@localhost:0/db",
                "postgresql://ph@localhost:65536/db",
                "postgresql://ph@one,two/db",
                "postgresql://ph@localhost/db?sslmode=require",
                "postgresql://ph@localhost/db?sslmode=disable&user=root",
                "mysql://ph@localhost/db"
            })
    void anythingElseIsRefused(String typed) {
        assertThatExceptionOfType(BadValue.class).isThrownBy(() -> PostgresAddress.read(typed));
    }

    @Test
    void theDriverIsToldWhomToTrust() throws BadValue {
        PostgresAddress address = PostgresAddress.read("postgresql://ph@db.example.com/pilothouse");
        assertThat(address.url(Optional.empty()))
                .isEqualTo("jdbc:postgresql://db.example.com:5432/pilothouse?sslmode=verify-full"
                        + "&sslfactory=org.postgresql.ssl.DefaultJavaSSLFactory");
        assertThat(address.url(Optional.of(Path.of("/etc/a b.crt"))))
                .isEqualTo("jdbc:postgresql://db.example.com:5432/pilothouse?sslmode=verify-full"
                        + "&sslrootcert=%2Fetc%2Fa+b.crt");
        assertThat(PostgresAddress.read("postgresql://ph@localhost:5433/ph").url(Optional.empty()))
                .isEqualTo("jdbc:postgresql://localhost:5433/ph?sslmode=disable");
    }

    @Test
    void passwordInAnAddressIsRefusedWithoutRepeatingIt() {
        assertThat(ConfigSources.read("up", List.of("--store=postgresql://ph:hunter/2@localhost/db"), Map.of())
                        .mistakes())
                .singleElement()
                .asString()
                .contains("postgresql://ph:***@localhost/db", "without a password")
                .doesNotContain("hunter");
    }

    @Test
    void keyOfTheStoreComesFromOnePlace() {
        assertThat(ConfigSources.read(
                                "up", List.of("--store-key", "/run/key"), Map.of("PILOTHOUSE_STORE_KEY_TEXT", "secret"))
                        .mistakes())
                .containsExactly(
                        "PILOTHOUSE_STORE_KEY_TEXT and store-key are given: the key of the store comes from one"
                                + " of them");
    }

    @Test
    void passwordComesFromOnePlace() {
        assertThat(ConfigSources.read(
                                "up",
                                List.of("--store-password-file", "/run/pg"),
                                Map.of("PILOTHOUSE_STORE_PASSWORD", "hunter2"))
                        .mistakes())
                .singleElement()
                .asString()
                .contains("one of them")
                .doesNotContain("hunter");
    }
}
