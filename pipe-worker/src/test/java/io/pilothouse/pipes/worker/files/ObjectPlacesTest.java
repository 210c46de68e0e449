package io.pilothouse.pipes.worker.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How URLs, patterns and signatures of object storage are read and made. */
class ObjectPlacesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "in/*.json in/a.json true",
                "in/*.json in/deep/a.json false",
                "in/**.json in/deep/a.json true",
                "in/a?.json in/ab.json true",
                "in/a?.json in/a.json false",
                "in/{a,b}.json in/b.json true",
                "in/{a,b}.json in/c.json false",
                "in/{1..12}.json in/12.json true",
                "in/{1..12}.json in/13.json false",
                "in/{01..12}.json in/03.json true",
                "in/{01..12}.json in/3.json false",
                "in/*.{json,csv} in/a.csv true",
                "in/a+b(c) in/a+b(c) true"
            })
    void patternsMatchWholeKeys(String pattern, String key, boolean matches) {
        assertThat(FileGlob.of(pattern).matches(key)).isEqualTo(matches);
    }

    @Test
    void listingBeginsWithWhatIsBeforeThePattern() {
        assertThat(FileGlob.of("in/2026-*/a.json").prefix()).isEqualTo("in/2026-");
        assertThat(FileGlob.of("in/a.json").plain()).isTrue();
        assertThat(FileGlob.of("in/a.json*").plain()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:9000/b/in/*.json, http://127.0.0.1:9000/b/, b, in/, us-east-1",
        "https://b.s3.eu-west-1.amazonaws.com/in/*.json, https://b.s3.eu-west-1.amazonaws.com/, b, in/, eu-west-1",
        "https://s3.eu-west-1.amazonaws.com/b/in/*.json, https://s3.eu-west-1.amazonaws.com/b/, b, in/, eu-west-1",
        "https://b.s3.amazonaws.com/in/*.json, https://b.s3.amazonaws.com/, b, in/, us-east-1",
        "https://storage.googleapis.com/b/in/*.json, https://storage.googleapis.com/b/, b, in/, us-east-1",
        "https://b.fra1.digitaloceanspaces.com/in/*.json, https://b.fra1.digitaloceanspaces.com/, b, in/, us-east-1",
        "s3://b/in/*.json, https://b.s3.amazonaws.com/, b, in/, us-east-1"
    })
    void bucketIsInThePathOrInTheHost(String url, String base, String bucket, String prefix, String region)
            throws Owner {
        ObjectPlace place = ObjectPlace.of(url);
        assertThat(place.base()).isEqualTo(base);
        assertThat(place.bucket()).isEqualTo(bucket);
        assertThat(place.glob().prefix()).isEqualTo(prefix);
        assertThat(place.region()).isEqualTo(region);
    }

    @Test
    void otherAddressesAreRefused() {
        assertThatThrownBy(() -> ObjectPlace.of("ftp://host/file")).isInstanceOf(Owner.class);
        assertThatThrownBy(() -> ObjectPlace.of("https://host")).isInstanceOf(Owner.class);
    }

    @Test
    void keysAreWrittenAsAnAddressNeedsThem() throws Owner {
        assertThat(ObjectPlace.of("http://h/b/x").url("in/a b+ü~*.json"))
                .isEqualTo("http://h/b/in/a%20b%2B%C3%BC~%2A.json");
    }
}
