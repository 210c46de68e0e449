package io.pilothouse.plane.local.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.backup.BucketAccess.Login;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The signature against an example that Amazon publishes. */
class S3SignatureTest {
    private static final URI LIST = URI.create("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J");
    private static final Instant NOW = Instant.parse("2013-05-24T00:00:00Z");

    private static Map<String, String> headers(@Nullable String token) {
        Login.Key key = new Login.Key("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", token);
        return new S3Signature(key, "us-east-1", "s3").headers("GET", LIST, new byte[0], NOW);
    }

    @Test
    void isThatOfTheExample() {
        assertThat(headers(null).get("Authorization"))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
                .doesNotContain("wJalr");
    }

    @Test
    void coversATokenThatHoldsForAWhile() {
        assertThat(headers("short")).containsEntry("x-amz-security-token", "short");
        assertThat(headers("short").get("Authorization")).contains(";x-amz-security-token,");
    }
}
