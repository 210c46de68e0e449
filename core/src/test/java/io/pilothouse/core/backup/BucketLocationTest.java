package io.pilothouse.core.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ways in which people write where a bucket is. */
class BucketLocationTest {
    private final Faults faults = new Faults();

    private Optional<BucketLocation> parsed(BucketProvider provider, String path) {
        return BucketLocation.parse(provider, path, host -> !host.equals("10.0.0.1"), faults);
    }

    @ParameterizedTest
    @CsvSource({
        "AWS, s3://ours, https://s3.us-east-1.amazonaws.com, /ours/it, ",
        "AWS, s3://ours/a/b/, https://s3.us-east-1.amazonaws.com, /ours/a/b/it, ",
        "AWS, s3://ours.s3.amazonaws.com/a, https://s3.us-east-1.amazonaws.com, /ours/a/it, ",
        "AWS, https://ours.s3.amazonaws.com/a, https://s3.us-east-1.amazonaws.com, /ours/a/it, ",
        "AWS, https://my.own.s3.eu-west-1.amazonaws.com, https://s3.eu-west-1.amazonaws.com, /my.own/it, eu-west-1",
        "AWS, https://s3-eu-west-1.amazonaws.com/ours/a, https://s3.eu-west-1.amazonaws.com, /ours/a/it, eu-west-1",
        "AWS, https://s3.amazonaws.com/ours, https://s3.us-east-1.amazonaws.com, /ours/it, ",
        "AWS, http://ours.s3.cn-north-1.amazonaws.com.cn, https://s3.cn-north-1.amazonaws.com.cn, /ours/it, cn-north-1",
        "AWS, HTTPS://Store.Example:9000//ours//, https://Store.Example:9000, /ours/it, ",
        "AWS, http://[2001:db8::1]:9000/ours/a, http://[2001:db8::1]:9000, /ours/a/it, ",
        "GCP, gs://ours/a, https://storage.googleapis.com, /ours/a/it, ",
        "GCP, gs://storage.googleapis.com/ours/a, https://storage.googleapis.com, /ours/a/it, ",
        "GCP, https://storage.googleapis.com/ours, https://storage.googleapis.com, /ours/it, ",
        "GCP, https://store.example/ours, https://store.example, /ours/it, "
    })
    void isReadFromEveryWay(BucketProvider provider, String path, String endpoint, String object, String region) {
        BucketLocation location = parsed(provider, path).orElseThrow();
        assertThat(location.endpoint()).hasToString(endpoint);
        assertThat(location.pathOf("it")).isEqualTo(object);
        assertThat(location.region()).isEqualTo(region);
        assertThat(faults.none()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "AWS, gs://ours, must begin with s3:// or https://",
        "GCP, s3://ours, must begin with gs:// or https://",
        "AWS, 's3://o[urs', is not a URL",
        "AWS, s3://key@ours, 'must be an address and a path, without credentials, query or fragment'",
        "AWS, https://store.example/ours?x=1, 'must be an address and a path, without credentials, query or fragment'",
        "AWS, https://store.example/ours#x, 'must be an address and a path, without credentials, query or fragment'",
        "AWS, https://store.example:0/ours, 'must name a host and, if any, a port from 1 to 65535'",
        "AWS, https://store.example:70000/ours, 'must name a host and, if any, a port from 1 to 65535'",
        "AWS, https://store_1/ours, 'must name a host and, if any, a port from 1 to 65535'",
        "AWS, http://10.0.0.1/ours, 'must not lead to a private, local or reserved address'",
        "AWS, https://store.example, must name a bucket",
        "AWS, s3://o, must name a bucket",
        "AWS, s3:///ours, must name a bucket",
        "AWS, s3://ours/a%20b, 'may have names of letters, digits, ''_'', ''='', ''.'' and ''-'' behind the bucket only'",
        "AWS, s3://ours/../b, 'may have names of letters, digits, ''_'', ''='', ''.'' and ''-'' behind the bucket only'",
        "AWS, s3://ours/a//b, 'may have names of letters, digits, ''_'', ''='', ''.'' and ''-'' behind the bucket only'"
    })
    void isRefusedWhereNothingCanBe(BucketProvider provider, String path, String message) {
        assertThat(parsed(provider, path)).isEmpty();
        assertThat(faults.list()).containsExactly(new Fault("bucketPath", message));
    }

    @ParameterizedTest
    @CsvSource({
        "s3://ours/a, https://s3.eu-north-1.amazonaws.com",
        "https://ours.s3.us-west-2.amazonaws.com/a, https://s3.eu-north-1.amazonaws.com",
        "https://store.example/ours/a, https://store.example"
    })
    void onlyAmazonHasAHostForEachRegion(String path, String endpoint) {
        BucketLocation there = parsed(BucketProvider.AWS, path).orElseThrow().in("eu-north-1");
        assertThat(there.endpoint()).hasToString(endpoint);
        assertThat(there.region()).isEqualTo("eu-north-1");
        assertThat(there.pathOf("it")).isEqualTo("/ours/a/it");
    }
}
