package io.pilothouse.core.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Signatures as others compute them. */
class AwsSignatureTest {
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

    /** The example of Amazon's documentation. */
    @Test
    void requestForObjectsIsSignedAsInTheDocumentedExample() {
        AwsSignature signature = new AwsSignature(
                "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null, "us-east-1", "s3");
        assertThat(signature
                        .signHashed(
                                "GET",
                                URI.create("https://examplebucket.s3.amazonaws.com/?lifecycle="),
                                new byte[0],
                                Instant.parse("2013-05-24T00:00:00Z"))
                        .get("Authorization"))
                .endsWith("Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
        assertThat(signature.toString()).doesNotContain("wJalr");
    }

    /** As {@code post-vanilla} of Amazon's test suite has it. */
    @Test
    void requestWithoutFieldsIsSignedAsInTheTestSuite() {
        assertThat(new AwsSignature("AKIDEXAMPLE", SECRET, null, "us-east-1", "service")
                        .sign(
                                "POST",
                                URI.create("https://example.amazonaws.com"),
                                Map.of(),
                                new byte[0],
                                Instant.parse("2015-08-30T12:36:00Z")))
                .isEqualTo(Map.of(
                        "x-amz-date",
                        "20150830T123600Z",
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,"
                                + " SignedHeaders=host;x-amz-date,"
                                + " Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"));
    }

    /** As the library botocore 1 computes it. */
    @Test
    void questionOfAnOperationIsSignedWithItsBodyAndItsName() {
        assertThat(new AwsSignature("AKIDEXAMPLE", SECRET, null, "us-east-1", "kinesis")
                        .sign(
                                "POST",
                                URI.create("https://kinesis.us-east-1.amazonaws.com/"),
                                Map.of(
                                        "content-type",
                                        "application/x-amz-json-1.1",
                                        "x-amz-target",
                                        "Kinesis_20131202.ListShards"),
                                "{\"StreamName\":\"s\"}".getBytes(StandardCharsets.UTF_8),
                                Instant.parse("2026-01-02T03:04:05Z"))
                        .get("Authorization"))
                .endsWith(
                        "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=9872f2358122ff468db482924d607a663f1f70f2a2164b17e71cd2cf016a063c");
    }

    /** The other example of Amazon's documentation, and the same with a key that holds for an hour. */
    @Test
    void tokenOfAKeyThatHoldsForAWhileIsSigned() {
        URI list = URI.create("https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J");
        Instant now = Instant.parse("2013-05-24T00:00:00Z");
        AwsSignature lasting = new AwsSignature(
                "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", null, "us-east-1", "s3");
        assertThat(lasting.signHashed("GET", list, new byte[0], now).get("Authorization"))
                .endsWith("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");

        AwsSignature brief = new AwsSignature("ASIA1", "hidden", "short", "us-east-1", "s3");
        Map<String, String> fields = brief.signHashed("GET", list, new byte[0], now);
        assertThat(fields).containsEntry("x-amz-security-token", "short");
        assertThat(fields.get("Authorization")).contains(";x-amz-security-token,");
    }

    /** As the library botocore 1 computes it, but for the order of two parameters that it sends unsorted. */
    @Test
    void addressIsAProofByItself() {
        assertThat(new AwsSignature("AKIDEXAMPLE", SECRET, "a/token+1==", "us-east-1", "rds-db")
                        .presigned(
                                URI.create("https://db.abc.us-east-1.rds.amazonaws.com:5432"),
                                Map.of("Action", "connect", "DBUser", "ada b"),
                                Duration.ofMinutes(15),
                                Instant.parse("2026-01-02T03:04:05Z")))
                .isEqualTo("https://db.abc.us-east-1.rds.amazonaws.com:5432/?Action=connect&DBUser=ada%20b"
                        + "&X-Amz-Algorithm=AWS4-HMAC-SHA256"
                        + "&X-Amz-Credential=AKIDEXAMPLE%2F20260102%2Fus-east-1%2Frds-db%2Faws4_request"
                        + "&X-Amz-Date=20260102T030405Z&X-Amz-Expires=900&X-Amz-Security-Token=a%2Ftoken%2B1%3D%3D"
                        + "&X-Amz-SignedHeaders=host"
                        + "&X-Amz-Signature=aa36a4fbf84f00a89f8ff8e996a81006a4e5667f921b8f47be7faf3cbb3ad9a5");
    }

    @Test
    void keyWithoutATokenSaysNothingOfOne() {
        assertThat(new AwsSignature("AKIDEXAMPLE", SECRET, null, "us-east-1", "kafka-cluster")
                        .presigned(
                                URI.create("https://kafka.us-east-1.amazonaws.com"),
                                Map.of("Action", "kafka-cluster:Connect"),
                                Duration.ofMinutes(15),
                                Instant.parse("2026-01-02T03:04:05Z")))
                .doesNotContain("Token")
                .endsWith("&X-Amz-Expires=900&X-Amz-SignedHeaders=host"
                        + "&X-Amz-Signature=24ebada2ed545858377591fc84af1a1bff3c40c5e8ab0c1fc85eee156cfb42da");
    }
}
