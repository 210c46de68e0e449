package io.pilothouse.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.core.base.Fault;
import io.pilothouse.core.base.Faults;
import io.pilothouse.core.base.NumberRule;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
    private final Faults faults = new Faults();

    private Query query(String raw) {
        return new Query(raw, faults);
    }

    private List<String> paths() {
        return faults.list().stream().map(Fault::path).toList();
    }

    @Test
    void repeatedParametersKeepTheirOrder() {
        Query query = query("filter=tag:a%3Db&x=1&filter=tag%3Ac&filter");
        assertThat(query.all("filter")).containsExactly("tag:a=b", "tag:c", "");
        assertThat(query.all("none")).isEmpty();
        assertThat(query("").all("filter")).isEmpty();
        assertThat(faults.none()).isTrue();
    }

    @Test
    void whatIsNotPercentEncodedUtf8IsCollected() {
        query("a=%zz&%ff=1&b=2");
        assertThat(paths()).containsExactly("a", "");
    }

    @Test
    void wholeNumbersHaveBounds() {
        Query query = query("limit=5&offset=0");
        assertThat(query.whole("limit", NumberRule.whole(1, 1000), 1000)).isEqualTo(5);
        assertThat(query.whole("offset", NumberRule.wholeFrom(0), 0)).isZero();
        assertThat(query.whole("other", NumberRule.whole(1, 10), 7)).isEqualTo(7);
        assertThat(faults.none()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "1001", "-1", "+5", "5.0", "five", "99999999999", "5%20", "0x5"})
    void otherNumbersAreCollected(String value) {
        assertThat(query("limit=" + value).whole("limit", NumberRule.whole(1, 1000), 1000))
                .isEqualTo(1000);
        assertThat(faults.list()).containsExactly(new Fault("limit", "must be a whole number from 1 to 1000"));
    }

    @Test
    void aNumberWithoutAnUpperBoundSaysSo() {
        query("offset=-1").whole("offset", NumberRule.wholeFrom(0), 0);
        assertThat(faults.list()).containsExactly(new Fault("offset", "must be a whole number of at least 0"));
    }

    @Test
    void aParameterGivenTwiceIsCollected() {
        query("limit=1&limit=2").whole("limit", NumberRule.whole(1, 10), 10);
        assertThat(faults.list()).containsExactly(new Fault("limit", "must be given once"));
    }

    @Test
    void datesAndMomentsWithAZoneBoundAPeriod() {
        assertThat(query("t=2026-01-02T03:04:05Z").beginning("t")).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(query("t=2026-01-02T03:04:05%2B02:00").beginning("t"))
                .isEqualTo(Instant.parse("2026-01-02T01:04:05Z"));
        assertThat(query("t=").beginning("t")).isNull();
        assertThat(query("t=2026-01-02").beginning("t")).isEqualTo(Instant.parse("2026-01-02T00:00:00Z"));
        assertThat(query("t=2026-01-02").end("t")).isEqualTo(Instant.parse("2026-01-03T00:00:00Z"));
        assertThat(query("t=2026-01-02T03:04:05Z").end("t")).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(query("").beginning("t")).isNull();
        assertThat(faults.none()).isTrue();
        assertThat(query("t=2026-02-30").beginning("t")).isNull();
        assertThat(query("t=2026-13-02T03:04:05Z").beginning("t")).isNull();
        assertThat(paths()).containsExactly("t", "t");
    }

    @Test
    void switchesHaveADefaultAndTwoWords() {
        Query query = query("on=true&off=false&odd=1");
        assertThat(query.flag("on", false)).isTrue();
        assertThat(query.flag("off", true)).isFalse();
        assertThat(query.flag("absent", true)).isTrue();
        assertThat(query.flag("absent", false)).isFalse();
        assertThat(faults.none()).isTrue();
        query.flag("odd", true);
        assertThat(faults.list()).containsExactly(new Fault("odd", "must be true or false"));
    }
}
