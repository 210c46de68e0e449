package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What a request to Azure is signed with. */
class AzureSignatureTest {
    private final AzureSignature signature = new AzureSignature("acme", "MDEyMzQ1Njc4OWFiY2RlZg==");

    @Test
    void pathAndQueryAreSignedWithTheTime() {
        assertThat(signature.sign(
                        "GET",
                        URI.create(
                                "https://acme.blob.core.windows.net/landing?comp=list&prefix=in%2F%C3%BC&restype=container"),
                        Instant.parse("2026-01-01T00:00:00Z")))
                .containsEntry("x-ms-date", "Thu, 01 Jan 2026 00:00:00 GMT")
                .containsEntry("Authorization", "SharedKey acme:7nKmNbokg6TCuixeXgxPwu6XbRUWH3BRk1ZAs89XDck=");
    }

    @Test
    void theKeyIsNeverShown() {
        assertThat(signature.toString()).isEqualTo("AzureSignature[acme]");
    }
}
