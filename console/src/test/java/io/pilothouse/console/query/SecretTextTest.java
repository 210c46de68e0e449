package io.pilothouse.console.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecretTextTest {
    private static void assertMayHoldOne(String... texts) {
        assertThat(texts).allMatch(SecretText::mayBeIn);
    }

    @Test
    void aSecretIsKnownByItsName() {
        assertMayHoldOne(
                "CREATE USER a IDENTIFIED BY 'b'",
                "CREATE NAMED COLLECTION c AS access_key_id = 'a', secret_access_key = 'b'",
                "SELECT * FROM url('https://a', headers('Cookie' = 'b'))",
                "SETTINGS kafka_sasl_Password = 'b'");
    }

    @Test
    void aSecretIsKnownByItsPlace() {
        assertMayHoldOne(
                "SELECT * FROM s3('https://a', 'AKIA', 'b')",
                "INSERT INTO FUNCTION s3Cluster ('c', 'https://a', 'AKIA', 'b') SELECT 1",
                "BACKUP TABLE t TO S3('https://a', 'AKIA', 'b')",
                "CREATE DATABASE d ENGINE = MaterializedPostgreSQL('a', 'd', 'u', 'b')",
                "SELECT * FROM mysql('a', 'd', 't', 'u', 'b')",
                "SELECT * FROM remoteSecure('a', d.t, 'u', 'b')",
                "SELECT * FROM azureBlobStorage('b', 'c', 'p')",
                "SELECT decrypt('aes-256-gcm', x, 'b')",
                "SELECT aes_encrypt_mysql('aes-256-ecb', x, 'b')",
                "SELECT * FROM url('https://reader:b@host/x')");
    }

    @Test
    void whatPeopleAskEveryDayHoldsNone() {
        assertThat(new String[] {
                    "SELECT key, count() FROM events GROUP BY key",
                    "SELECT * FROM url('https://host:8443/x?to=a@b')",
                    "SHOW CREATE TABLE remote_orders",
                    "INSERT INTO mysql_copy VALUES (1, '12:30 me@host')"
                })
                .noneMatch(SecretText::mayBeIn);
    }
}
